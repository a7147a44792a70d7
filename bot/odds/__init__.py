"""What rules are worth: exact counts of hands and of pairs of hands, and what follows. Pure, by NumPy."""
