"""What is said of sealed shuffles, and of the proof of a round."""

from typing import Final

from bot.rules.shuffle import seal_of
from bot.table.results import Draw
from bot.table.round_proof import Misfit
from bot.words.speech import say

_LONGEST: Final = 120


def sealed_words(seal: str, *, dealt: bool = False) -> str:
    """That a shuffle is sealed: all of its seal, for of a part of it the house could find another.

    Args:
        seal: what was told before the secret.
        dealt: whether hands are out that came of this shuffle; else it is the next one.
    """
    return say("proof.was_sealed" if dealt else "proof.sealed", seal=seal)


def opened_words(draw: Draw) -> str:
    """The secret of the round whose result stands above, and where its proof is."""
    return say("proof.opened", secret=draw.secret)


def revealed_words(draw: Draw) -> str:
    """The secret that a round was drawn from, beside its seal."""
    return say("proof.revealed", seal=seal_of(draw.secret), secret=draw.secret, count=len(draw.contributions))


def rolled_words(draw: Draw) -> str:
    """The secret that the dice for the bank were drawn from, beside its seal."""
    return say("proof.rolled", seal=seal_of(draw.secret), secret=draw.secret)


def verdict_words(found: Misfit | None) -> str:
    """Whether a record is proved: `verified: …`, or the first thing that does not fit."""
    if found is None:
        return say("proof.verified")
    return say("proof.misfit", where=found.where, says=_short(found.says), should=_short(found.should))


def _short(text: str) -> str:
    """What a sentence bears of a text."""
    if not text:
        return say("proof.nothing")
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
