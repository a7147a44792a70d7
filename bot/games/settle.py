"""Settling each player against the banker: who wins, and how many stakes (G17 to G20, N08, T06 to T09)."""

from dataclasses import dataclass
from enum import StrEnum

from bot.games.register import game_of
from bot.games.worth import worth_of
from bot.rules.hand import Hand
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import Ties


class Outcome(StrEnum):
    """Who wins, a player or the banker."""

    PLAYER = "player"
    BANKER = "banker"
    PUSH = "push"


@dataclass(frozen=True, slots=True)
class Duel:
    """The result of one player's hand against the banker's.

    Attributes:
        outcome: who won.
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
