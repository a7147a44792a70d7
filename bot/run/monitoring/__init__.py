"""What hosts and their tools can ask of a running bot: whether it is well, and its figures.

The bot's parts know nothing of this: they keep plain numbers, which are read here, and tell their listeners.
"""
