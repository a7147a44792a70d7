"""A record with a repeated name is refused: a reader may see the other value."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from bot.table.round_proof import first_mismatch

from .committed_rounds import round_of_gnau

FALSE = "a false word before the true one"


def written(told: Any, twice: tuple[str | int, ...]) -> str:
    """The record as JSON, with the name at this place repeated, the false value first."""
    if isinstance(told, dict):
        pairs = []
        for name, value in told.items():
            if twice == (name,):
                pairs.append(f"{json.dumps(name)}: {json.dumps(FALSE)}")
            deeper = twice[1:] if twice[:1] == (name,) else ()
            pairs.append(f"{json.dumps(name)}: {written(value, deeper)}")
        return f"{{{', '.join(pairs)}}}"
    if isinstance(told, list):
        parts = (written(one, twice[1:] if twice[:1] == (at,) else ()) for at, one in enumerate(told))
        return f"[{', '.join(parts)}]"
    return json.dumps(told)


def places(told: Any) -> Iterator[tuple[str | int, ...]]:
    """The place of each name in a record."""
    items = told.items() if isinstance(told, dict) else enumerate(told) if isinstance(told, list) else ()
    for name, value in items:
        if isinstance(name, str):
            yield (name,)
        for deeper in places(value):
            yield (name, *deeper)


def test_a_record_with_a_repeated_name_is_refused() -> None:
    told = round_of_gnau()
    assert first_mismatch(written(told, ())) is None
    found = list(places(told))
    assert ("result", "banker", "chips") in found
    assert ("sheet", "players", 0, "stake") in found
    for place in found:
        with pytest.raises(ValueError, match=f"{place[-1]} is there twice"):
            first_mismatch(written(told, place))
