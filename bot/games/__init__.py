"""The games: one package for each, the contract they fulfil, and what follows from it. Pure."""
