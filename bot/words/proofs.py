"""What is said of sealed shuffles, and of the proof of a round."""

import re
from collections.abc import Callable
from typing import Final

from bot.rules.shuffle import seal_of
from bot.table.round_proof import Mismatch
from bot.table.round_result import Opening
from bot.words.speech import translate

_LONGEST: Final = 120
_ID: Final = re.compile(r"[0-9]{17,20}")
"""An id of Discord's."""


def sealed_words(seal: str, *, dealt: bool = False, dice: bool = False) -> str:
    """That a shuffle is sealed: all of its seal, for of a part of it the house could find another.

    Args:
        seal: what was told before the secret.
        dealt: whether hands are out that came of this shuffle; else it is the next one.
        dice: whether dice for the bank come next, and no shuffle.
    """
    if dealt:
        return translate("proof.was_sealed", seal=seal)
    return translate("proof.dice_sealed" if dice else "proof.sealed", seal=seal)


def opened_words(opening: Opening) -> str:
    """The secret of the round whose result stands above, and where its proof is."""
    return translate("proof.opened", secret=opening.secret)


def revealed_words(opening: Opening) -> str:
    """The secret that a round was drawn from, below its seal, and how many mixed something in."""
    revealed = translate("proof.revealed", seal=seal_of(opening.secret), secret=opening.secret)
    return f"{revealed}\n{translate('proof.mixed_in', count=len(opening.client_seeds))}"


def own_words(opening: Opening, mention: Callable[[int], str]) -> list[str]:
    """The words that bettors chose themselves, a line each.

    Who chose none contributed the id of his interaction, a number that tells nobody anything: it is left to
    the record.

    Args:
        opening: what the round was drawn from.
        mention: how a member is written, by his id.
    """
    return [
        translate("proof.own_words", who=mention(said.member_id), words=said.text)
        for said in opening.client_seeds
        if not _ID.fullmatch(said.text)
    ]


def mixed_words(words: str, *, counts: bool, dice: bool = False) -> str:
    """That a member's words are mixed in.

    Args:
        words: his words, as they will be shown.
        counts: whether they count as things are; else they do once he has bet.
        dice: whether they go into dice for the bank, for which nobody has to bet.
    """
    if dice:
        return translate("proof.mixed_into_dice", words=words)
    return translate("proof.mixed" if counts else "proof.mixed_with_a_bet", words=words)


def rolled_words(opening: Opening) -> str:
    """The secret that the dice for the bank were drawn from, below its seal."""
    return translate("proof.rolled", seal=seal_of(opening.secret), secret=opening.secret)


def verdict_words(found: Mismatch | None) -> str:
    """Whether a record is proved: `verified: …`, or the first thing that does not fit."""
    if found is None:
        return translate("proof.verified")
    return translate("proof.misfit", where=found.where, says=_short(found.says), should=_short(found.should))


def _short(text: str) -> str:
    """What a sentence bears of a text."""
    if not text:
        return translate("proof.nothing")
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
