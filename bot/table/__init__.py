"""A table as data: its state, its commands, its events, and the chips that they move. Pure."""
