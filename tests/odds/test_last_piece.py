"""What the last piece can make of four: what dealing every piece that it can be gives, under any rules."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.games.gnau.rules import GnauRules
from bot.games.hands import evaluate, is_ox
from bot.games.register import GAMES, game_of
from bot.games.settle import ranked_as, ranked_hands
from bot.games.tau_ngau.rules import TauNgauRules
from bot.odds.last_piece import outlook
from bot.rules.cards import CARDS, parse_cards
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import Play, SuitedBonus
from bot.rules.pieces import Hand, Piece
from bot.rules.tiles import parse_tiles
from bot.words.hands import hope_lines
from tests.games.presets import WIKIPEDIA
from tests.games.strategies import house_rules

FOUR = 4


@st.composite
def hands_of_four(draw: st.DrawFn) -> tuple[tuple[Piece, ...], HouseRules, int]:
    """Four pieces of a pack, the rules, and how many hands the pack is for."""
    game = GAMES[draw(st.sampled_from(list(GAMES)))]
    rules = draw(house_rules(game.name))
    hands = draw(st.integers(game.fewest_players, game.most_players)) + 1
    places = st.sampled_from(range(len(game.pack(hands, rules))))
    chosen = draw(st.lists(places, min_size=FOUR, max_size=FOUR, unique=True))
    return tuple(game.pack(hands, rules)[place] for place in chosen), rules, hands


def every_hand(four: Sequence[Piece], rules: HouseRules, hands: int) -> list[Hand]:
    """The hand with each piece of the pack that is not one of the four."""
    unseen = list(game_of(rules).pack(hands, rules))
    for piece in four:
        unseen.remove(piece)
    return [evaluate((*four, piece), rules) for piece in unseen]


@given(hands_of_four())
def test_hopes_are_the_best_that_dealing_every_unseen_piece_makes(
    dealt: tuple[tuple[Piece, ...], HouseRules, int],
) -> None:
    four, rules, hands = dealt
    told, made = outlook(four, rules, hands), every_hand(four, rules, hands)
    assert told.unseen_count == len(made)
    assert told.unseen == {hand.pieces[-1] for hand in made}
    threes = [any(is_ox(three, rules) for three in combinations(hand.pieces, 3)) for hand in made]
    assert told.oxen == sum(threes)
    holds_ox = any(is_ox(three, rules) for three in combinations(four, 3))
    assert holds_ox is (told.oxen == told.unseen_count), "an ox that is sure is one that they hold"

    least = min(row.multiple for row in ranked_hands(rules)[:-1])
    good = [hand for hand in made if hand.rank != game_of(rules).no_ox]

    def worth(hand: Hand) -> tuple[bool, int]:
        return hand.multiple > least, hand.strength

    def kind(hand: Hand) -> tuple[Any, ...]:
        row = ranked_as(hand.rank, rules)
        return (hand.hand_class, row.values, hand.multiple) if hand.multiple > least else (hand.strength,)

    left = good
    for hope in told.hopes:
        assert worth(hope.best) == max(map(worth, left)), "none that is left is better"
        same = [hand for hand in left if kind(hand) == kind(hope.best)]
        assert hope.count == len(same)
        assert set(hope.pieces) == {hand.pieces[-1] for hand in same}
        assert len(hope.pieces) == len(set(hope.pieces))
        assert hope.is_best_only == (len({hand.strength for hand in same}) == 1)
        left = [hand for hand in left if kind(hand) != kind(hope.best)]
    assert bool(told.hopes) == bool(good)
    assert len(told.hopes) == 2 or not any(hand.multiple > least for hand in left)


def test_the_last_piece_is_counted_among_the_unseen() -> None:
    four = parse_cards("10H JS QC 8C")
    assert {hope.count for hope in outlook(four, WIKIPEDIA, 2).hopes} == {3, 4}
    assert outlook(four, WIKIPEDIA, 2) is outlook(four[::-1], WIKIPEDIA, 2), (
        "whatever it is, and in any order"
    )
    assert outlook(four, WIKIPEDIA.model_copy(update={"decks": 2}), 2).unseen_count == 2 * CARDS.size - FOUR


@pytest.mark.parametrize(
    ("four", "rules", "said"),
    [
        (
            "10H JS QC 8C",
            WIKIPEDIA,
            ["**8** (3 of 48): Double-Ox 8 ×3", "**2** (4 of 48): Ox of 10", "-# You already hold an ox."],
        ),
        (
            "KH 5C 5H QH",
            WIKIPEDIA,
            ["**A♠** (1 of 48): Ngau Tonku ×5", "**K, Q, J or 10** (14 of 48): up to Double-Ox K ×3"],
        ),
        (
            "QD 9D 4C 6S",
            WIKIPEDIA.model_copy(update={"play": Play.POINTS}),
            ["**9** (3 of 48): Double-Ox 9, 3 points"],
        ),
        (
            "10S 8H 4H 7D",
            WIKIPEDIA,
            ["**9** (4 of 48): Ox of 8", "-# An ox comes with 23 of the 48 cards left"],
        ),
        (
            "10C 4D 6C 9H",
            GnauRules(suited_bonus=SuitedBonus.POWER),
            ["**9** (3 of 48): Double-Ox 9 ×3", "**A♥** (1 of 48): Ox of 10 (suited) ×2"],
        ),
    ],
)
def test_words_of_cards_to_hope_for(four: str, rules: HouseRules, said: list[str]) -> None:
    lines = hope_lines(outlook(parse_cards(four), rules, 2), rules)
    assert [part in line for part, line in zip(said, lines, strict=False)] == [True] * len(said), lines
    assert lines[-1].startswith(("-# An ox comes with ", "-# You already hold an ox."))


def test_words_of_tiles_to_hope_for() -> None:
    rules = TauNgauRules()
    assert hope_lines(outlook(parse_tiles("5-5 4-2 5-1 5-1"), rules, 4), rules) == [
        "🤞 Hope for **[2‑2] or [3‑1]** (4 of 28): Score 9",
        "-# A discard comes with 14 of the 28 tiles left.",
    ]
