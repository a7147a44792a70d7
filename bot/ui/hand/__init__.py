"""What one member sees of their hand: panel, pictures, delivery."""
