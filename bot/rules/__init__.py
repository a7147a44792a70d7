"""What the games are: pieces, hands, and what a round pays. Pure: no input, no output, no clock."""
