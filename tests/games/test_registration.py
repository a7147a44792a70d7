"""What breaks the contract of a game is refused when it is registered, and named."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from bot.games.contract import RankedHands
from bot.games.gnau import GNAU
from bot.games.gnau.hands import GnauClass, ranking
from bot.games.gnau.rules import GnauRules
from bot.games.niu_niu import NIU_NIU
from bot.games.registration import UnplayableGameError, registered
from bot.games.tau_ngau import TAU_NGAU
from bot.rules.cards import RANKS, SPADES, SUITS, Card, card_of, deck, rank_of, suit_of
from bot.rules.hand import HandRank


def without_doubles(rules: GnauRules) -> Iterator[RankedHands]:
    return (row for row in ranking(rules) if row.hand_class is not GnauClass.DOUBLE_OX)


def upside_down(rules: GnauRules) -> Iterator[RankedHands]:
    return reversed(tuple(ranking(rules)))


def for_nothing(rules: GnauRules) -> Iterator[RankedHands]:
    return (replace(row, multiple=0) for row in ranking(rules))


def by_suit_first(card: Card) -> int:
    return suit_of(card) * len(RANKS) + rank_of(card)


def by_rank_then_suit_upside_down(card: Card) -> int:
    return rank_of(card) * len(SUITS) - suit_of(card)


BROKEN: dict[str, tuple[dict[str, Any], str]] = {
    "no preset": ({"presets": {}}, "has no preset"),
    "no scores": ({"scoring_preset": "tau-ngau"}, "scores by tau-ngau, which is none of its presets"),
    "too many players": ({"most_players": 20}, "has 1 to 20 players, not 1 to 19"),
    "too few pieces": ({"pack": lambda _hands, _rules: deck()}, "has too few pieces for 20 hands"),
    "no example": ({"example": GNAU.example[:4]}, "has no example of five of its pieces"),
    "too many faces": ({"face": lambda card: card}, "has 52 faces, and odds are counted for 24"),
    "a face of a face": (
        {"face": lambda card: card_of((rank_of(card) + 1) % len(RANKS), SPADES)},
        "a face that stands for another",
    ),
    "a rank without a row": ({"ranking": without_doubles}, "does not rank DOUBLE_OX"),
    "rows out of order": ({"ranking": upside_down}, "does not rank its hands from strong to weak"),
    "a free win": ({"ranking": for_nothing}, "has a hand that can win and wins nothing"),
    "a strong no ox": ({"no_ox": HandRank(GnauClass.SINGLE_OX, 5)}, "weaker than one without an ox"),
    "two meanings of suits": ({"tie_order": lambda _rules: int}, "pays double for suits and breaks ties"),
}


@pytest.mark.parametrize(("changes", "problem"), BROKEN.values(), ids=BROKEN)
def test_a_game_that_breaks_the_contract_is_refused_and_says_how(
    changes: dict[str, Any], problem: str
) -> None:
    with pytest.raises(UnplayableGameError, match="gnau") as refused:
        registered(replace(GNAU, **changes))
    assert problem in str(refused.value)


def test_an_order_for_ties_that_mixes_faces_is_refused() -> None:
    with pytest.raises(
        UnplayableGameError,
        match="breaks ties by an order that mixes faces, and odds are counted face by face",
    ):
        registered(replace(NIU_NIU, tie_order=lambda _rules: by_suit_first))


def test_an_order_for_ties_that_keeps_each_face_together_is_registered() -> None:
    game = replace(NIU_NIU, tie_order=lambda _rules: by_rank_then_suit_upside_down)

    assert registered(game) == {"niu-niu": game}


def test_names_of_games_and_presets_are_unique() -> None:
    with pytest.raises(UnplayableGameError, match="there are two games of the name gnau"):
        registered(GNAU, GNAU)
    with pytest.raises(UnplayableGameError, match="there are two presets of the name points"):
        registered(GNAU, replace(TAU_NGAU, presets={"points": {}}, scoring_preset="points"))


def test_games_are_registered_in_order() -> None:
    assert list(registered(TAU_NGAU, GNAU)) == ["tau-ngau", "gnau"]
