"""What answers one press or command: routing, ids, errors, lateness, replies."""
