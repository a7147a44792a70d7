"""What breaks the contract of a game is refused when it is registered, and named."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from bot.games.contract import RankedHands
from bot.games.gnau import GNAU
from bot.games.gnau.rules import GnauClass, GnauRules, ranking
from bot.games.niu_niu import NIU_NIU
from bot.games.register import UnplayableGameError, registered
from bot.games.tau_ngau import TAU_NGAU
from bot.games.tau_ngau.rules import TauNgauRules
from bot.rules.cards import CARDS, RANKS, SPADES, SUITS, Card, card_of, deck, rank_of, suit_of
from bot.rules.knobs import Ties, hosting
from bot.rules.pieces import HandRank, PieceSet


def without_doubles(rules: GnauRules) -> Iterator[RankedHands]:
    return (row for row in ranking(rules) if row.hand_class is not GnauClass.DOUBLE_OX)


def without_tonku_if_tens_are_dukes(rules: GnauRules) -> Iterator[RankedHands]:
    for row in ranking(rules):
        if not (rules.five_dukes_tens and row.hand_class is GnauClass.NGAU_TONKU):
            yield row


def upside_down(rules: GnauRules) -> Iterator[RankedHands]:
    return reversed(tuple(ranking(rules)))


def for_nothing(rules: GnauRules) -> Iterator[RankedHands]:
    return (replace(row, multiple=0) for row in ranking(rules))


def with_large_values(rules: GnauRules) -> Iterator[RankedHands]:
    return (replace(row, values=range(16, 18)) if row.multiple == 3 else row for row in ranking(rules))


def nothing_of_no_ox(rules: GnauRules) -> Iterator[RankedHands]:
    """No Ox has several values, and the better ones win nothing either."""
    for row in ranking(rules):
        yield row if row.multiple else replace(row, values=range(3))


def none_with_an_ox(low: Card, high: Card, rules: GnauRules) -> HandRank:
    return GNAU.no_ox if rank_of(low) == rank_of(high) else GNAU.power(low, high, rules)


class OtherSeats(TauNgauRules):
    """Tau Ngau with fewer seats to choose from than other games have."""

    seats: int = hosting(3, "T02", "The most players.", ge=1, le=4)


def by_suit_first(card: Card) -> int:
    return suit_of(card) * len(RANKS) + rank_of(card)


def by_rank_then_suit_upside_down(card: Card) -> int:
    return rank_of(card) * len(SUITS) - suit_of(card)


THIRTY = PieceSet(
    name="card", pieces=deck()[4:], emoji="", parse=CARDS.parse, text=CARDS.text, shown=CARDS.shown
)
"""A deck without aces, whose cards are still numbered as in the whole one."""
TWO_SUITS = replace(CARDS, suit=lambda card: 3 * (suit_of(card) // 2))

BROKEN: dict[str, tuple[dict[str, Any], str]] = {
    "no preset": ({"presets": {}}, "has no preset"),
    "an impossible preset": (
        {"presets": {**GNAU.presets, "wild": {"jokers": 2}}},
        "has the impossible preset wild: Extra inputs are not permitted",
    ),
    "no scores": ({"scoring_preset": "tau-ngau"}, "scores by tau-ngau, which is none of its presets"),
    "too many players": ({"most_players": 20}, "has 1 to 20 players, not 1 to 19"),
    "too few pieces": (
        {"sets": lambda _hands, _rules: 1},
        "deals 20 hands from 1 sets of 52 pieces, of 8",
    ),
    "more sets than it says": ({"most_sets": 1}, "deals 20 hands from 2 sets of 52 pieces, of 1"),
    "too many pieces": ({"most_sets": 9}, "has up to 468 pieces, and odds are counted for 416"),
    "a gap in the pieces": ({"pieces": THIRTY}, "has pieces that are not numbered from 0 without a gap"),
    "a gap in the suits": ({"pieces": TWO_SUITS}, "has suits that are not numbered from 0 without a gap"),
    "no example": ({"example": GNAU.example[:4]}, "has no example of five of its pieces"),
    "no examples": ({"examples": ()}, "has no examples for beginners"),
    "an example of four": (
        {"examples": (*GNAU.examples, GNAU.example[:4])},
        "has no example of five of its pieces",
    ),
    "too many faces": ({"face": lambda card: card}, "has 52 faces, and odds are counted for 24"),
    "a face of a face": (
        {"face": lambda card: card_of((rank_of(card) + 1) % len(RANKS), SPADES)},
        "a face that stands for another",
    ),
    "a rank without a row": ({"ranking": without_doubles}, "does not rank DOUBLE_OX"),
    "a rank without a row in some house": (
        {"ranking": without_tonku_if_tens_are_dukes},
        "does not rank NGAU_TONKU",
    ),
    "rows out of order": ({"ranking": upside_down}, "does not rank its hands from strong to weak"),
    "a large value": ({"ranking": with_large_values}, "has a value outside 0 to 15"),
    "a free win": ({"ranking": for_nothing}, "has a hand that can win and wins nothing"),
    "a free win among the weakest": ({"ranking": nothing_of_no_ox}, "can win and wins nothing"),
    "a free win in a tie": (
        {"tie": lambda _class, _rules: Ties.BANKER},
        "lets a hand win a tie that wins nothing",
    ),
    "a strong no ox": (
        {"no_ox": HandRank(GnauClass.SINGLE_OX, 5)},
        "does not rank a hand without an ox last",
    ),
    "an ox that is none": ({"power": none_with_an_ox}, "has an ox that ranks as none"),
    "two meanings of suits": ({"tie_order": int}, "pays double for suits and breaks ties"),
}


@pytest.mark.thorough
@pytest.mark.parametrize(("changes", "problem"), BROKEN.values(), ids=BROKEN)
def test_a_game_that_breaks_the_contract_is_refused_and_says_how(
    changes: dict[str, Any], problem: str
) -> None:
    with pytest.raises(UnplayableGameError, match="gnau") as refused:
        registered(replace(GNAU, **changes))
    assert problem in str(refused.value)


@pytest.mark.parametrize("order", [by_suit_first, lambda card: min(rank_of(card) + 1, 10)])
def test_an_order_for_ties_that_mixes_faces_or_holds_two_equal_is_refused(order: Any) -> None:
    with pytest.raises(
        UnplayableGameError,
        match="breaks ties by an order that mixes faces, and odds are counted face by face",
    ):
        registered(replace(NIU_NIU, tie_order=order))


def test_an_order_for_ties_that_keeps_each_face_together_is_registered() -> None:
    game = replace(NIU_NIU, tie_order=by_rank_then_suit_upside_down)

    assert registered(game) == {"niu-niu": game}


def test_names_of_games_and_presets_are_unique() -> None:
    with pytest.raises(UnplayableGameError, match="two games have the name gnau"):
        registered(GNAU, GNAU)
    with pytest.raises(UnplayableGameError, match="two presets have the name points"):
        registered(GNAU, replace(TAU_NGAU, presets={"points": {}}, scoring_preset="points"))


def test_games_are_registered_in_order() -> None:
    assert list(registered(TAU_NGAU, GNAU)) == ["tau-ngau", "gnau"]


def test_two_games_with_other_values_of_one_knob_are_refused() -> None:
    with pytest.raises(UnplayableGameError, match="tau-ngau allows other values for seats"):
        registered(GNAU, replace(TAU_NGAU, rules=OtherSeats))


def test_everything_that_is_wrong_is_named_at_once() -> None:
    with pytest.raises(UnplayableGameError) as refused:
        registered(replace(GNAU, most_players=20), replace(TAU_NGAU, presets={}))
    assert "gnau has 1 to 20 players" in str(refused.value)
    assert "tau-ngau has no preset; tau-ngau scores by" in str(refused.value)
