"""Sentences about odds, and about what a change of the rules does to them."""

from fractions import Fraction
from typing import Final, Protocol

from bot.words.translation import sentences, translate


class Chances(Protocol):
    """Exact odds, as fractions."""

    @property
    def bank_edge(self) -> Fraction:
        """What the bank gains on average for each chip a player bets; below zero if it loses."""

    @property
    def win(self) -> Fraction:
        """The share of hands that a player wins."""

    @property
    def lose(self) -> Fraction:
        """The share of hands that a player loses."""

    @property
    def push(self) -> Fraction:
        """The share of hands that are a push."""


_PARTS: Final = ("bank_edge", "win", "lose", "push")


def odds_words(odds: Chances | None) -> str:
    """The bank's edge, and how often a player wins, loses and pushes; one sentence if odds are unknown."""
    if odds is None:
        return translate("odds.unknown")
    edge = odds.bank_edge
    if edge > 0:
        kept = translate("odds.edge_exactly", edge=edge)
    else:
        kept = translate("odds.against_bank", edge=-edge) if edge else translate("odds.fair")
    return sentences([kept, translate("odds.chances", win=odds.win, lose=odds.lose, push=odds.push)])


def comparison_words(before: Chances | None, after: Chances | None) -> str:
    """How odds change, one line each: the bank's edge, and how often a player wins, loses and pushes.

    Args:
        before: the odds now; None if unknown.
        after: the odds after the change; None if unknown.

    Returns:
        Discord markdown.
    """
    if before is not None and after is not None and _parts(before) == _parts(after):
        return sentences([translate("odds.same"), odds_words(after)])
    return "\n".join(_compared(part, before, after) for part in _PARTS)


def _parts(odds: Chances) -> dict[str, Fraction]:
    return {"bank_edge": odds.bank_edge, "win": odds.win, "lose": odds.lose, "push": odds.push}


def _compared(part: str, before: Chances | None, after: Chances | None) -> str:
    """The line of one figure; figures that differ by less than is shown are not called equal."""
    old, new = (None if odds is None else _parts(odds)[part] for odds in (before, after))
    shown = {
        name: translate("odds.not_known") if figure is None else translate("odds.part", part=figure)
        for name, figure in (("old", old), ("new", new))
    }
    if old == new:
        code = "odds.as_before"
    else:
        code = "odds.was_and_is" if shown["old"] != shown["new"] else "odds.nearly_as_before"
    return translate(code, what=translate(f"odds.{part}"), **shown)
