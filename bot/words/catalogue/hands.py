"""Messages about hands: their names, and every way to arrange them."""

from typing import Final

from bot.words.catalogue.message import Message

HANDS: Final = {
    "hand.suited": Message("{hand}, suited"),
    "hand.high": Message("{hand}, {piece} high"),
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
    "why.high": Message("- If hands are equal, your highest card counts: {piece}"),
    "why.no_three": Message("No three of them add up to 10, 20 or 30:"),
    "why.three": Message("- {three}: {totals}"),
}
