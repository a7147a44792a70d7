"""The croupier: hosts tables, commits what happens, tells who listens, and minds the clock."""

from bot.croupier.hosting import ChannelTakenError, Croupier, NoSuchTableError
from bot.croupier.news import Listener, News

__all__ = ["ChannelTakenError", "Croupier", "Listener", "News", "NoSuchTableError"]
