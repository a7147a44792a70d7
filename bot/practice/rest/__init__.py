"""The REST API of the stand-in."""
