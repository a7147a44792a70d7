"""How to play, lessons, help and the welcome."""
