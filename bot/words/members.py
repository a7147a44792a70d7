"""Sentences about a member: their chips, gifts, luck, and why they can't be erased."""

from collections.abc import Sequence
from fractions import Fraction
from math import erfc, sqrt
from typing import Final

from bot.table.accounts import OF_PLAY, Reason
from bot.table.standings import MILLION
from bot.words.translation import either, percentage, sentences, translate, typed_command


def entry_words(reason: Reason, gained: int, other: str | None) -> str:
    """Why a member's balance changed, who was not the banker. How `other` is shown goes in unescaped."""
    if other is not None and reason in OF_PLAY:
        return translate(f"entry.{reason.value}", other=other)
    if reason is not Reason.GIFT or other is None:
        return translate(f"reason.{reason.value}")
    return translate("gift.from" if gained > 0 else "gift.to", other=other)


NOTHING_UNUSUAL: Final = 1.96
UNUSUAL: Final = 3.0
"""Up to how many standard deviations luck is nothing unusual, as in 95 of 100 cases, and not yet rare."""


def deviations_words(deviations: float) -> str:
    """Standard deviations above or below what was expected."""
    away = _tenths(deviations)
    return translate(
        "luck.below" if deviations < 0 and round(deviations, 1) else "luck.above", deviations=away
    )


def _tenths(deviations: float) -> str:
    """Standard deviations without a sign: `1.3`."""
    return percentage(Fraction(round(abs(deviations) * 10), 1000), 1)


def luck_words(deviations: float) -> str:
    """Than how many in 100 people somebody was luckier, by chance alone; and in standard deviations."""
    away = abs(deviations)
    share, of = erfc(away / sqrt(2)) / 2, 100
    while share * of < 1 and of < MILLION:
        of *= 10
    judged = "usual" if away <= NOTHING_UNUSUAL else "unusual" if away <= UNUSUAL else "rare"
    return translate(
        "luck.worse" if deviations < 0 else "luck.better",
        deviations=_tenths(deviations),
        judged=translate(f"luck.{judged}"),
        share=of - max(round(share * of), 1),
        of=of,
    )


def bankroll_words(total: int, free: int, wanted: int | None = None) -> str:
    """What the house banks with, and what that means (B07).

    `wanted` is how many chips it was to have; None if nobody asked for another number.
    """
    held = total - free
    has = translate("bankroll.has", chips=total, free=free, held=held)
    if wanted is None:
        return f"{has}\n{translate('bankroll.means', command=typed_command('house.bankroll'))}"
    return sentences([has, translate("bankroll.still_held", held=held)]) if total > wanted else has


def given_words(giver_id: int, receiver_id: int, chips: int, note: str | None) -> str:
    """Who gives whom how many chips, with the giver's note, for everybody to read."""
    given = translate("gift.given", giver=giver_id, receiver=receiver_id, chips=chips)
    words = "" if note is None else " ".join(note.split())
    return sentences([given, translate("gift.note", note=words)]) if words else given


def not_erasable_words(code: str, tables: Sequence[int]) -> str:
    """Why a member is not erased, and what works; `tables` are those that they must leave first."""
    if code == "at_a_table":
        return translate("privacy.at_a_table", tables=either(list(map(str, tables))))
    return translate("privacy.nothing" if code == "nothing_stored" else f"privacy.{code}")
