"""A table as data: its state, the commands it takes, the events they make, and the chips those move. Pure."""
