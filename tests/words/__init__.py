"""What the bot says, and that it can say everything."""
