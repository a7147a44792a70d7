"""What one member sees of their hand: panel, direct message, delivery."""
