"""The croupier: hosts tables, commits what happens, tells who listens, and minds the clock."""

from bot.croupier.errors import ChannelNotAllowedError, ChannelTakenError, NoSuchTableError
from bot.croupier.gifts import Gift, GiftRefused, Gifts, NoGift
from bot.croupier.hosting import Croupier
from bot.croupier.houses import HouseOf, Houses
from bot.croupier.news import Listener, News

__all__ = [
    "ChannelNotAllowedError",
    "ChannelTakenError",
    "Croupier",
    "Gift",
    "GiftRefused",
    "Gifts",
    "HouseOf",
    "Houses",
    "Listener",
    "News",
    "NoGift",
    "NoSuchTableError",
]
