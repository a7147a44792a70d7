"""Sentences about what happened at a table."""

from collections.abc import Callable

from bot.table.seats import THE_HOUSE
from bot.table.state import ROUNDS_MISSED_IN_A_ROW, Departure
from bot.words.translation import translate

Show = Callable[[int], str]
"""Shows a party, such as by a mention; what it returns goes in unescaped."""


def departure_words(departure: Departure, who: str) -> str:
    """Who is gone and why, in one sentence of Discord markdown.

    Args:
        departure: one of a table's `departures`.
        who: the member as the sentence shows them, such as a mention; it goes in unescaped.

    Raises:
        KeyError: nobody leaves that place for that reason.
    """
    place = "bank" if departure.was_banker else "seat"
    if departure.party == THE_HOUSE:
        place = "house"
    return translate(
        f"departure.{place}_{departure.leave_reason.value}", who=who, rounds=ROUNDS_MISSED_IN_A_ROW
    )


def bank_passed_words(old: int, new: int, show: Show) -> str:
    """From whom to whom the bank passes (B05).

    Args:
        old: the party of the last banker.
        new: the party of the new one.
        show: how a member is shown.
    """
    return translate("table.bank_passed", old=show(old), new=show(new))
