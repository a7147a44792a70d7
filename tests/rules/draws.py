"""What Hypothesis draws for the rules: cards, hands, house rules."""

from enum import StrEnum
from typing import Any

from annotated_types import Ge, Le
from hypothesis import strategies as st
from pydantic.fields import FieldInfo

from bot.rules.cards import Card, deck
from bot.rules.gnau import HAND_SIZE
from bot.rules.knobs import HouseRules

cards = st.sampled_from(deck())


def hands(*, decks: int = 1) -> st.SearchStrategy[tuple[Card, ...]]:
    """Five cards in any order, of one deck or of more."""
    return st.lists(
        st.sampled_from(deck(decks)), min_size=HAND_SIZE, max_size=HAND_SIZE, unique=decks == 1
    ).map(tuple)


def bounds_of(field: FieldInfo) -> tuple[int, int]:
    """The least and the most that a knob with a number takes."""
    least = next(bound.ge for bound in field.metadata if isinstance(bound, Ge))
    most = next(bound.le for bound in field.metadata if isinstance(bound, Le))
    assert isinstance(least, int)
    assert isinstance(most, int)
    return least, most


def _settings(field: FieldInfo) -> st.SearchStrategy[Any]:
    kind = field.annotation
    if kind is bool:
        return st.booleans()
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return st.sampled_from(kind)
    return st.integers(*bounds_of(field))


def house_rules() -> st.SearchStrategy[HouseRules]:
    """Any house rules: every knob at any setting, as far as they agree with each other."""
    knobs = {name: _settings(field) for name, field in HouseRules.model_fields.items()}
    return (
        st.fixed_dictionaries(knobs)
        .filter(lambda chosen: chosen["ngau_tonku"] or not chosen["tonku_tens"])
        .map(HouseRules.model_validate)
    )
