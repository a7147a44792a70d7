"""The croupier: hosts tables, commits what happens, notifies listeners, and keeps deadlines."""

from bot.croupier.bankroll import Bankroll, bankroll, set_bankroll
from bot.croupier.croupier import Croupier
from bot.croupier.errors import (
    ChannelNotAllowedError,
    ChannelTakenError,
    MemberErasedError,
    NoSuchTableError,
)
from bot.croupier.gifts import Gift, GiftRefused, Gifts, NoGift
from bot.croupier.handouts import Handout, Handouts, NothingYet, is_broke
from bot.croupier.houses import HouseOf, Houses
from bot.croupier.identities import Identities, User
from bot.croupier.listeners import Listener, TableChanged
from bot.croupier.own_data import own_data
from bot.croupier.privacy import ErasureRefused, NotErasable, Privacy

__all__ = [
    "Bankroll",
    "ChannelNotAllowedError",
    "ChannelTakenError",
    "Croupier",
    "ErasureRefused",
    "Gift",
    "GiftRefused",
    "Gifts",
    "Handout",
    "Handouts",
    "HouseOf",
    "Houses",
    "Identities",
    "Listener",
    "MemberErasedError",
    "NoGift",
    "NoSuchTableError",
    "NotErasable",
    "NothingYet",
    "Privacy",
    "TableChanged",
    "User",
    "bankroll",
    "is_broke",
    "own_data",
    "set_bankroll",
]
