"""The croupier: hosts tables, commits what happens, tells who listens, and minds the clock."""

from bot.croupier.errors import ChannelNotAllowedError, ChannelTakenError, NoSuchTableError
from bot.croupier.hosting import Croupier
from bot.croupier.houses import HouseOf, Houses
from bot.croupier.news import Listener, News

__all__ = [
    "ChannelNotAllowedError",
    "ChannelTakenError",
    "Croupier",
    "HouseOf",
    "Houses",
    "Listener",
    "News",
    "NoSuchTableError",
]
