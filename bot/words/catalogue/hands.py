"""Messages about hands: their names, and every way to arrange them."""

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

WHY: Final = {
    "why.stakes": Message("{place}. **{name}** ×{multiple}"),
    "why.points": Message(
        "{place}. **{name}**, {multiple:number} point",
        "{place}. **{name}**, {multiple:number} points",
        "multiple",
    ),
    "why.nothing": Message("{place}. **{name}**, which wins nothing"),
    "why.one_way": Message("{worth}: {way}"),
    "why.several_ways": Message("{worth}:"),
    "why.way": Message("   - {way}"),
    "why.totals": Message("{ox} total {total:number} and leave {power}"),
    "why.one_rank": Message("{ox} have the same rank and leave {power}"),
    "why.wrong": Message("{three} total {totals}: not a multiple of 10"),
    "why.wrong_rank": Message("{three} total {totals}: not a multiple of 10, and not of one rank"),
    "why.proof": Message("- {wrong}"),
}
