"""Sentences about what is stored about a member."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.words.translation import either, signed_points, translate


@dataclass(frozen=True, slots=True)
class StoredFacts:
    """What is stored about a member in a server.

    Attributes:
        server: the server's name; empty in the server itself.
        name: the member's name there, as stored.
        locale: their language, as stored.
        free: chips free to bet.
        held: chips held at tables.
        points: their running score.
        entries: the lines of their ledger.
        words: how many texts they chose with `/seed`.
        house_changes: how many changes of the house rules they made.
        messages: whether it is stored how to reach them by direct message.
    """

    server: str
    name: str
    locale: str
    free: int
    held: int
    points: int
    entries: int
    words: int
    house_changes: int
    messages: bool


def stored_words(facts: StoredFacts) -> list[str]:
    """What is stored in one server and why, line by line, in Discord markdown."""
    lines = [translate("privacy.server", server=facts.server)] if facts.server else []
    points = signed_points(facts.points)
    return [
        *lines,
        translate("privacy.identity", name=facts.name, locale=facts.locale),
        translate("privacy.chips", free=facts.free, held=facts.held, points=points),
        translate("privacy.entries", count=facts.entries),
        translate("privacy.words", count=facts.words),
        *([translate("privacy.house_changes", count=facts.house_changes)] if facts.house_changes else []),
        *([translate("privacy.messages")] if facts.messages else []),
        translate("privacy.rounds"),
    ]


def not_erasable_words(code: str, tables: Sequence[int]) -> str:
    """Why a member is not erased, and what works.

    Args:
        code: why: `nothing_stored`, `at_a_table`, `later`, `not_now`.
        tables: the numbers of the tables that they must leave first.
    """
    if code == "nothing_stored":
        return translate("privacy.nothing")
    if code == "later":
        return translate("privacy.later")
    if code == "not_now":
        return translate("privacy.not_now")
    return translate("privacy.at_a_table", tables=either(list(map(str, tables))))
