"""What hands win, who wins, and so the most that a bet can lose (B02, G17 to G20, N08, T06 to T09)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from bot.games.contract import RankedHands
from bot.games.knobs import knobs_of
from bot.games.register import game_of
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import SUITED_TIMES, About, SuitedBonus, Ties
from bot.rules.pieces import Hand, HandRank

_RULES_KEPT: Final = 256


@lru_cache(maxsize=_RULES_KEPT)
def worth_of(rules: HouseRules) -> HouseRules:
    """These rules, with every knob that is not about what hands are worth at its default.

    Games see no other knobs when they rank hands. So houses that differ only in these share what is cached.
    """
    fields = type(rules).model_fields
    others = (knob.name for knob in knobs_of(rules.game) if knob.about is not About.WORTH)
    return rules.model_copy(update={name: fields[name].default for name in others})


def ranked_hands(rules: HouseRules) -> tuple[RankedHands, ...]:
    """The ranks in force, strongest first, with what each wins."""
    return _ranked_hands(worth_of(rules))


def ranked_as(rank: HandRank, rules: HouseRules) -> RankedHands:
    """The row of the ranking that a rank is in."""
    return next(
        row for row in ranked_hands(rules) if row.hand_class is rank.hand_class and rank.value in row.values
    )


def ranks_of(row: RankedHands) -> Iterator[HandRank]:
    """The ranks that a row of the ranking is about."""
    return (HandRank(row.hand_class, value) for value in row.values)


def multiples_of(rules: HouseRules) -> Mapping[int, int]:
    """What each rank in force wins, in stakes, by its strength, without the suited bonus."""
    return _multiples(worth_of(rules))


def largest_multiple(rules: HouseRules) -> int:
    """The largest multiple in force: the most that a bet can lose, in stakes (B02)."""
    return _largest(worth_of(rules))


@lru_cache(maxsize=_RULES_KEPT)
def _ranked_hands(rules: HouseRules) -> tuple[RankedHands, ...]:
    return tuple(game_of(rules).ranking(rules))


@lru_cache(maxsize=_RULES_KEPT)
def _multiples(rules: HouseRules) -> Mapping[int, int]:
    return MappingProxyType(
        {rank.strength: row.multiple for row in _ranked_hands(rules) for rank in ranks_of(row)}
    )


@lru_cache(maxsize=_RULES_KEPT)
def _largest(rules: HouseRules) -> int:
    game, multiples = game_of(rules), _multiples(rules)
    largest = max(multiples.values())
    if game.bonus(rules) is SuitedBonus.OFF:
        return largest
    return max(largest, *(SUITED_TIMES * multiples[rank.strength] for rank in game.power_ranks(rules)))


class Outcome(StrEnum):
    """Who wins, a player or the banker."""

    PLAYER = "player"
    BANKER = "banker"
    PUSH = "push"


@dataclass(frozen=True, slots=True)
class Duel:
    """The result of one player's hand against the banker's.

    Attributes:
        units: the player's gain for each chip staked; negative if they lose.
    """

    outcome: Outcome
    units: int


def settle(player: Hand, banker: Hand, rules: HouseRules) -> Duel:
    """Settles one player against the banker: the loser pays the winner's multiple (G17, N08, T09)."""
    strengths = player.strength, banker.strength
    if player.strength == banker.strength:
        strengths = player.tie_break, banker.tie_break
    if strengths[0] > strengths[1]:
        return Duel(Outcome.PLAYER, player.multiple)
    if strengths[0] == strengths[1] and game_of(rules).tie(banker.hand_class, worth_of(rules)) is Ties.PUSH:
        return Duel(Outcome.PUSH, 0)
    return Duel(Outcome.BANKER, -banker.multiple)


def endings_of_ties(rules: HouseRules) -> frozenset[Ties]:
    """Who wins ties: several hands of a game can differ (G20, N09, T09)."""
    game, worth = game_of(rules), worth_of(rules)
    return frozenset(game.tie(row.hand_class, worth) for row in game.ranking(worth))
