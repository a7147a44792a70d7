"""Canonical JSON: vectors, and what has no canonical text."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.hashing import LARGEST, canonical

VECTORS: list[tuple[Any, str]] = [
    ({}, "{}"),
    ([], "[]"),
    (None, "null"),
    ({"b": 1, "a": True, "A": None, "aa": False}, '{"A":null,"a":true,"aa":false,"b":1}'),
    ({"list": [1, [2, {"z": 0, "y": -7}]]}, '{"list":[1,[2,{"y":-7,"z":0}]]}'),
    ({"largest": LARGEST, "least": -LARGEST}, '{"largest":9007199254740991,"least":-9007199254740991}'),
    ({"party": "9223372036854775807"}, '{"party":"9223372036854775807"}'),
    ('quote " slash / backslash \\', '"quote \\" slash / backslash \\\\"'),
    ("\b\t\n\f\r\x00\x1f\x7f", '"\\b\\t\\n\\f\\r\\u0000\\u001f\x7f"'),
    ("旺 🐂 \u2028", '"旺 🐂 \u2028"'),
]


@pytest.mark.parametrize(("value", "text"), VECTORS)
def test_a_value_has_one_text(value: Any, text: str) -> None:
    assert canonical(value) == text


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-LARGEST, LARGEST) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(max_codepoint=127)), inner),
)


@given(json_values)
def test_the_text_is_the_value_as_json_in_any_order(value: Any) -> None:
    assert json.loads(canonical(value)) == value
    assert canonical(json.loads(canonical(value))) == canonical(value)
    if isinstance(value, dict):
        assert canonical(dict(reversed(value.items()))) == canonical(value)


@pytest.mark.parametrize(
    "value",
    [1.0, LARGEST + 1, -LARGEST - 1, float("nan"), b"bytes", {1: 2}, {"ä": 1}, ["\ud800"], {"a": {2}}],
)
def test_nothing_else_has_a_text(value: Any) -> None:
    with pytest.raises(ValueError, match=r"\w+"):
        canonical(value)
