"""A Discord of our own on loopback. It plays Discord for a real, unmodified bot, and knows the bot by the wire alone."""
