"""A Discord of our own on loopback, for a real, unmodified bot; it knows the bot by the wire alone."""
