"""Messages about hands: what they are called."""

from typing import Final

from bot.words.catalogue.message import Message

HANDS: Final = {
    "hand.five_dukes": Message("Five Dukes"),
    "hand.five_small": Message("Five Small"),
    "hand.ngau_tonku": Message("Ngau Tonku"),
    "hand.double_ox": Message("Double-Ox {rank}"),
    "hand.single_ox": Message("Ox of {points}"),
    "hand.nenku": Message("Nenku (Ox of {points})"),
    "hand.no_ox": Message("No Ox"),
    "hand.score": Message("Score {points}"),
    "hand.stuck": Message("No discard"),
    "hand.suited": Message("{hand}, suited"),
    "hand.split": Message("{ox} + {power}"),
}
