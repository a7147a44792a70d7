"""Sentences about sealed shuffles, and about the proof of a round."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

import bot
from bot.table.round_proof import Mismatch
from bot.table.round_record import seal_in, seeds_on
from bot.table.state import Opening
from bot.words.catalogue.proofs import VERIFIED_PLACES
from bot.words.translation import translate

_LONGEST: Final = 120
_PLACES: Final = {
    "seal": "the seal",
    "secret": "the secret",
    "dice": "the roll for the bank",
    "dice.seal": "the seal of the dice",
    "dice.secret": "the secret of the dice",
    "dice.sheet.table": "the table of the dice",
    "dice.sheet.number": "the table's number on the dice",
    "dice.sheet.round": "the round of the dice",
    "dice.sheet.seats": "the seats at the dice",
    "dice.throws": "the rolls of the dice",
    "banker.party": "the banker",
    "players": "the players",
    "words": "the code of somebody's words",
    "receipt": "the receipt",
}
"""What fields of a record are called, as on the verifier page."""


def opened_words(opening: Opening, receipt: str) -> str:
    """The seal and the receipt of a round."""
    return translate("proof.opened", seal=seal_in(opening), receipt=receipt)


def own_words(opening: Opening, words: Mapping[str, str], mention: Callable[[int], str]) -> list[str]:
    """The words that members chose for a round and its dice, one line each.

    An interaction's id says nothing to anybody and is left out. So are the words of erased members.
    `words` are by client seed.
    """
    return [
        translate("proof.own_words", who=mention(party), words=words[seed])
        for party, seed in dict.fromkeys(seeds_on(opening.sheet))
        if seed in words
    ]


def mixed_words(words: str, client_seed: str, *, counts: bool, dice: bool = False) -> str:
    """That a member's words are mixed in.

    Args:
        counts: whether they count already; if not, they count with a bet.
        dice: whether they go into the dice for the bank, which need no bet.
    """
    if dice:
        return translate("proof.mixed_into_dice", words=words, seed=client_seed)
    code = "proof.mixed" if counts else "proof.mixed_with_a_bet"
    return translate(code, words=words, seed=client_seed)


def verdict_words(found: Mismatch | None) -> str:
    """Whether a record is verified: `Verified: …`, or the first thing that does not fit."""
    if found is None:
        return translate("proof.verified")
    code = "proof.unlike_note" if found.is_noted else "proof.misfit"
    where = _phrase(_PLACES.get(found.where, found.where))
    return translate(code, where=where, says=_short(found.says), should=_short(found.should))


def _short(text: str) -> str:
    """What a record has or should have, cut to fit a sentence."""
    if not text:
        return translate("proof.nothing")
    return _phrase(text) if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _phrase(text: str) -> str:
    """A phrase about a record in the reader's language; codes, numbers and pieces stay as they are."""
    for pattern, code in _phrases():
        if found := pattern.fullmatch(text):
            return translate(code, **found.groupdict())
    return text


@cache
def _phrases() -> list[tuple[re.Pattern[str], str]]:
    return [
        (re.compile(re.escape(message.text).replace(r"\{a\}", r"(?P<a>\d+)")), code)
        for code, message in VERIFIED_PLACES.items()
    ]


@cache
def verifier_page() -> bytes:
    """The page that checks the record of a round without the bot: `docs/verify.html`."""
    package = Path(bot.__file__).parent
    # An installed package has it beside its modules, a checkout among the documents.
    installed = package / "verify.html"
    return (installed if installed.exists() else package.parent / "docs" / "verify.html").read_bytes()
