"""A stand-in for Discord on this machine, its page, and practice players."""
