"""The croupier: hosts tables, commits what happens, notifies listeners, and keeps deadlines."""

from bot.croupier.croupier import Croupier
from bot.croupier.errors import ChannelNotAllowedError, ChannelTakenError, NoSuchTableError
from bot.croupier.gifts import Gift, GiftRefused, Gifts, NoGift
from bot.croupier.houses import HouseOf, Houses
from bot.croupier.listeners import Listener, TableChanged

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
    "NoGift",
    "NoSuchTableError",
    "TableChanged",
]
