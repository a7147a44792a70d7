"""Hypothesis strategies for cards, hands and house rules."""

from typing import Any

from hypothesis import strategies as st

from bot.games.knobs import KNOBS, knobs_of
from bot.games.register import GAMES
from bot.rules.cards import Card, deck
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import GameName, Knob
from bot.rules.pieces import HAND_SIZE
from tests.houses import TEXTS

cards = st.sampled_from(deck())


def hands(*, decks: int = 1) -> st.SearchStrategy[tuple[Card, ...]]:
    """Five cards in any order, from one or more decks."""
    return st.lists(
        st.sampled_from(deck(decks)), min_size=HAND_SIZE, max_size=HAND_SIZE, unique=decks == 1
    ).map(tuple)


def bounds_of(name: str) -> tuple[int, int]:
    """The smallest and the largest value of a knob that is a number."""
    least, most = KNOBS[name].least, KNOBS[name].most
    assert least is not None
    assert most is not None
    return least, most


def _settings(knob: Knob) -> st.SearchStrategy[Any]:
    match knob.kind:
        case "on or off":
            return st.booleans()
        case "number":
            return st.integers(*bounds_of(knob.name))
        case "channels":
            return st.lists(st.integers(1, 2**63), max_size=min(3, knob.most or 0))
        case "text":
            return st.sampled_from(TEXTS[knob.name])
        case _:
            return st.sampled_from(knob.choices)


def house_rules(game: GameName = "gnau") -> st.SearchStrategy[HouseRules]:
    """Any house rules of a game: every knob at any value, without contradictions."""
    return (
        st.fixed_dictionaries({knob.name: _settings(knob) for knob in knobs_of(game)})
        .filter(lambda chosen: chosen.get("ngau_tonku", True) or not chosen["tonku_tens"])
        .filter(lambda chosen: chosen["lowest_stake"] <= chosen["highest_stake"])
        .map(GAMES[game].rules.model_validate)
    )
