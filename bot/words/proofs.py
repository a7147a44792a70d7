"""Sentences about sealed shuffles, and about the proof of a round."""

import re
from collections.abc import Callable
from typing import Final

from bot.rules.shuffle import commitment_to
from bot.table.round_proof import Mismatch
from bot.table.round_result import Opening
from bot.words.translation import translate

_LONGEST: Final = 120
_ID: Final = re.compile(r"[0-9]{17,20}")
"""A Discord id."""


def sealed_words(seal: str, *, dealt: bool = False, dice: bool = False) -> str:
    """The whole seal of a shuffle; the house could forge one that equals a part of it.

    Args:
        seal: the commitment to the secret.
        dealt: whether the hands of this shuffle are dealt.
        dice: whether dice for the bank come next, not a shuffle.
    """
    if dealt:
        return translate("proof.was_sealed", seal=seal)
    return translate("proof.dice_sealed" if dice else "proof.sealed", seal=seal)


def opened_words(opening: Opening) -> str:
    """The secret of a settled round, and how to verify it."""
    return translate("proof.opened", secret=opening.secret)


def revealed_words(opening: Opening) -> str:
    """The seal and the secret of a round, and how many bettors mixed something in."""
    revealed = translate("proof.revealed", seal=commitment_to(opening.secret), secret=opening.secret)
    return f"{revealed}\n{translate('proof.mixed_in', count=len(opening.client_seeds))}"


def own_words(opening: Opening, mention: Callable[[int], str]) -> list[str]:
    """The words that bettors chose, one line each.

    A bettor who chose none contributed an interaction id, which says nothing to anybody and is left out.

    Args:
        opening: what the round was dealt from.
        mention: writes a member by Discord id.
    """
    return [
        translate("proof.own_words", who=mention(said.member_id), words=said.text)
        for said in opening.client_seeds
        if not _ID.fullmatch(said.text)
    ]


def mixed_words(words: str, *, counts: bool, dice: bool = False) -> str:
    """That a member's words are mixed in.

    Args:
        words: the member's words.
        counts: whether they count already; if not, they count with a bet.
        dice: whether they go into the dice for the bank, which need no bet.
    """
    if dice:
        return translate("proof.mixed_into_dice", words=words)
    return translate("proof.mixed" if counts else "proof.mixed_with_a_bet", words=words)


def rolled_words(opening: Opening) -> str:
    """The seal and the secret of the dice for the bank."""
    return translate("proof.rolled", seal=commitment_to(opening.secret), secret=opening.secret)


def verdict_words(found: Mismatch | None) -> str:
    """Whether a record is verified: `verified: …`, or the first thing that does not fit."""
    if found is None:
        return translate("proof.verified")
    return translate("proof.misfit", where=found.where, says=_short(found.says), should=_short(found.should))


def _short(text: str) -> str:
    """A text, cut to fit a sentence."""
    if not text:
        return translate("proof.nothing")
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
