"""What members can achieve in settled rounds, and how far each has come.

It follows from the rounds alone, in the order in which they were settled in a server.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, NamedTuple

from bot.clock import DAY_SECONDS
from bot.games.register import game_of
from bot.games.settle import Outcome, ranked_hands
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import GameName
from bot.rules.pieces import Hand
from bot.table.state import RoundResult, hand_in, is_member
from bot.table.story import GREAT_MULTIPLE

STREAK: Final = 10
"""How many rounds won in a row are an achievement."""
LOST_BEFORE: Final = 7
"""How many rounds lost in a row are one, once the next is won."""
BANKED: Final = 100
"""How many rounds with a bank that never breaks are one."""
MANY_PLAYERS: Final = 4
"""The fewest players of whom it is one to win alone, or to beat them all."""
DAYS: Final = 7
"""How many days in a row with a round are one."""
ALL_GAMES: Final = 3


class Achievement(StrEnum):
    """What a member can achieve. Those of a class of hands are named as the class in code."""

    FIRST_WIN = "first_win"
    EVERY_GAME = "every_game"
    FIVE_DUKES = "five_dukes"
    FIVE_SMALL = "five_small"
    NGAU_TONKU = "up_the_sleeve"
    BOMB = "boom"
    FIVE_FLOWERS = "full_bloom"
    BEST_NUMBER = "best_number"
    LOWEST_NUMBER = "lowest_number"
    NO_OX = "no_ox"
    HIGHER_CARD = "higher_card"
    """Of equal ranks, the higher card decides (N09)."""
    GIANT = "giant"
    ONLY_WINNER = "only_winner"
    STREAK = "streak"
    STUBBORN = "stubborn"
    SWEEP = "sweep"
    STEADY_BANK = "steady_bank"
    BANK_BROKEN = "bank_broken"
    GOOD_NOSE = "good_nose"
    EVERY_DAY = "every_day"


_OF_CLASS: Final = {
    one.name: one
    for one in (
        Achievement.FIVE_DUKES,
        Achievement.FIVE_SMALL,
        Achievement.NGAU_TONKU,
        Achievement.BOMB,
        Achievement.FIVE_FLOWERS,
    )
}


class Reached(NamedTuple):
    """What a member achieved, and in which round; `table` is the number that members call it by."""

    achievement: Achievement
    at: float
    table: int
    round_number: int


class AchieverKey(NamedTuple):
    """Whose progress it is."""

    server_id: int
    party: int


class Settled(NamedTuple):
    """When a round was settled, and which one it is."""

    at: float
    table: int
    round_number: int


@dataclass(frozen=True, slots=True)
class Part:
    """A member's part in a round.

    Attributes:
        reached: what this round alone achieves.
        result: 1 for a bet of their own that won, -1 for one that lost, 0 for a push; None without a bet.
        banked: whether their bank stood; None if they did not bank.
        won_game: the game, if they won in it.
    """

    reached: frozenset[Achievement]
    result: int | None
    banked: bool | None
    won_game: GameName | None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a member has come.

    Attributes:
        streak: how many rounds in a row they have won; below zero, how many they have lost.
        banked: how many rounds they have banked since their bank last broke.
        day: the last day with a round, counted from the epoch, in UTC.
        days: how many days in a row that is.
        games: those in which they have won.
        reached: what they have achieved, oldest first.
    """

    streak: int = 0
    banked: int = 0
    day: int = 0
    days: int = 0
    games: tuple[GameName, ...] = ()
    reached: tuple[Reached, ...] = ()

    def after(self, part: Part, settled: Settled) -> "Progress":
        """The progress with one more round; what is reached already stays as it is."""
        streak, banked = self.streak, self.banked
        if part.result is not None:
            same = part.result * streak > 0
            streak = part.result + (streak if same else 0)
        if part.banked is not None:
            banked = banked + 1 if part.banked else 0
        # A clock that was set back ends no days in a row.
        day = max(self.day, int(settled.at // DAY_SECONDS))
        days = self.days if day == self.day else self.days + 1 if day == self.day + 1 else 1
        games = self.games
        if part.won_game is not None and part.won_game not in games:
            games = (*games, part.won_game)
        found = {
            *part.reached,
            *([Achievement.STREAK] if streak >= STREAK else []),
            *([Achievement.STUBBORN] if part.result == 1 and self.streak <= -LOST_BEFORE else []),
            *([Achievement.STEADY_BANK] if banked >= BANKED else []),
            *([Achievement.EVERY_DAY] if days >= DAYS else []),
            *([Achievement.EVERY_GAME] if len(games) >= ALL_GAMES else []),
        } - {one.achievement for one in self.reached}
        new = tuple(Reached(one, *settled) for one in Achievement if one in found)
        return replace(
            self,
            streak=streak,
            banked=banked,
            day=day,
            days=days,
            games=games,
            reached=(*self.reached, *new),
        )


def parts_of(result: RoundResult, *, is_bust: bool) -> dict[int, Part]:
    """The part of each member in a round; `is_bust` says whether it broke the bank."""
    rules, bankers = result.rules, hand_in(result, result)
    won: dict[int, set[Achievement]] = {party: set() for party in result.parties if is_member(party)}
    results: dict[int, int] = {}
    winners = [player for player in result.players if player.chips > 0]
    losers = [player for player in result.players if player.chips < 0]
    many = len(result.players) >= MANY_PLAYERS
    for player in result.players:
        if player.party in won:
            results[player.party] = (player.chips > 0) - (player.chips < 0)
    for player in winners:
        hand = hand_in(result, player)
        won.get(player.party, set()).update(
            [Achievement.FIRST_WIN, *_of_hand(hand, rules)],
            _against(hand, bankers, rules),
            [Achievement.ONLY_WINNER] if many and len(winners) == 1 else [],
            [Achievement.BANK_BROKEN] if is_bust else [],
        )
    if result.banker in won:
        of_bank = won[result.banker]
        if losers:
            of_bank.update(_of_hand(bankers, rules))
            if any(_is_no_ox(hand_in(result, one), rules) for one in losers) and _is_no_ox(bankers, rules):
                of_bank.add(Achievement.NO_OX)
        if result.bank_chips > 0:
            of_bank.add(Achievement.FIRST_WIN)
        if many and len(losers) == len(result.players):
            of_bank.add(Achievement.SWEEP)
    for side in result.side_bets:
        if side.outcome is Outcome.PLAYER and side.chips >= GREAT_MULTIPLE * side.stake > 0:
            won.get(side.party, set()).add(Achievement.GOOD_NOSE)
    return {
        party: Part(
            frozenset(found),
            results.get(party),
            not is_bust if party == result.banker else None,
            rules.game if Achievement.FIRST_WIN in found else None,
        )
        for party, found in won.items()
    }


def _of_hand(hand: Hand, rules: HouseRules) -> Iterable[Achievement]:
    """What a hand that wins achieves, whatever it beats."""
    if of_class := _OF_CLASS.get(hand.hand_class.name):
        yield of_class
    numbers = [
        value
        for row in ranked_hands(rules)
        if row.hand_class == hand.hand_class == game_of(rules).no_ox.hand_class + 1
        for value in row.values
    ]
    if numbers and hand.value == max(numbers):
        yield Achievement.BEST_NUMBER
    if numbers and hand.value == min(numbers):
        yield Achievement.LOWEST_NUMBER


def _against(hand: Hand, bankers: Hand, rules: HouseRules) -> Iterable[Achievement]:
    """What a player's hand achieves because it beats this one of the banker."""
    if bankers.multiple >= GREAT_MULTIPLE:
        yield Achievement.GIANT
    if hand.strength == bankers.strength:
        yield Achievement.NO_OX if _is_no_ox(hand, rules) else Achievement.HIGHER_CARD


def _is_no_ox(hand: Hand, rules: HouseRules) -> bool:
    return hand.strength == game_of(rules).no_ox.strength


def progress_json(progress: Progress) -> str:
    """The progress as stored JSON: a list, short because every member has one."""
    one = progress
    whole = [one.streak, one.banked, one.day, one.days, one.games, one.reached]
    return json.dumps(whole, separators=(",", ":"))


def parse_progress(text: str) -> Progress:
    """Reads stored progress."""
    streak, banked, day, days, games, reached = json.loads(text)
    return Progress(streak, banked, day, days, tuple(games), tuple(_reached(*one) for one in reached))


def _reached(achievement: str, *settled: Any) -> Reached:
    return Reached(Achievement(achievement), *settled)
