"""What one chip bet on a hand can bring: its mean, its variance, and its covariance with another player's."""

import hashlib
from fractions import Fraction
from typing import Final

from bot.games.knobs import knobs_of
from bot.games.settle import worth_of
from bot.odds.covariance import covariance_of
from bot.odds.odds import odds_of
from bot.odds.preset_chances import PRESET_CHANCES
from bot.rules.hashing import canonical
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import About

_LENGTH: Final = 16


def chances_under(
    rules: HouseRules, decks: int, several_hands: bool
) -> tuple[Fraction, Fraction, Fraction | None]:
    """The mean, the variance and the covariance of a chip bet under these rules.

    Those of the presets are at hand for one and two decks. Others are counted, for some seconds.

    Args:
        several_hands: whether the covariance is needed; else it may be None.
    """
    kept = PRESET_CHANCES.get(chances_key(rules, decks))
    if kept is None:
        return counted_chances(rules, decks, several_hands)
    mean, variance, covariance = map(Fraction, kept)
    return mean, variance, covariance


def counted_chances(
    rules: HouseRules, decks: int, several_hands: bool
) -> tuple[Fraction, Fraction, Fraction | None]:
    """As `chances_under`, always counted."""
    odds = odds_of(rules, decks)
    return -odds.bank_edge, odds.variance, covariance_of(rules, decks) if several_hands else None


def chances_key(rules: HouseRules, decks: int) -> str:
    """What chances depend on, hashed: the game and its version, all that hands are worth, and the decks.

    So a preset that changes, or a game with a new version, never finds what was counted before.
    """
    names = {"game", "game_version", *(knob.name for knob in knobs_of(rules.game, About.WORTH))}
    worth = canonical(worth_of(rules).model_dump(mode="json", include=names))
    return f"{hashlib.sha256(worth.encode()).hexdigest()[:_LENGTH]}-{decks}"
