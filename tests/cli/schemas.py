"""The schemas of the JSON answers: exactly these keys and types."""

from typing import Any

from jsonschema import Draft202012Validator

from bot.games.register import GAMES

Schema = dict[str, Any]


def _object(**properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _pieces(*counts: int) -> Schema:
    of_each = [{"minItems": count, "maxItems": count} for count in counts]
    return {"type": "array", "items": {"type": "string"}, "anyOf": of_each}


_COUNT: Schema = {"type": "integer", "minimum": 0}
_PART: Schema = {"type": "number", "minimum": 0, "maximum": 1}
_FRACTION: Schema = {"type": "string", "pattern": r"^-?\d+(/\d+)?$"}
_EXACT_PART = _object(exact=_FRACTION, decimal=_PART)
_ESTIMATE = _object(
    simulated={"type": "number"},
    standard_error={"type": ["number", "null"], "minimum": 0},
    exact=_FRACTION,
    decimal={"type": "number"},
    standard_errors_off={"type": ["number", "null"]},
)
_CLASS: Schema = {
    "enum": sorted(
        {row.hand_class.name.lower() for game in GAMES.values() for row in game.ranking(game.rules())}
    )
}

HAND = _object(
    **{"class": _CLASS},
    value={"type": "integer", "minimum": 0, "maximum": 13},
    name={"type": "string", "minLength": 1},
    ox=_pieces(0, 3),
    power=_pieces(0, 2),
    multiple=_COUNT,
    suited={"type": "boolean"},
    strength=_COUNT,
    high={"type": ["string", "null"]},
    tie_break=_COUNT,
)
ERROR = _object(error={"type": "string", "minLength": 1})
DUEL = _object(outcome={"enum": ["player", "banker", "push"]}, units={"type": "integer"})
ODDS = _object(
    hands=_COUNT,
    classes={
        "type": "array",
        "minItems": 2,
        "items": _object(**{"class": _CLASS}, value=_COUNT, hands={"type": "integer", "minimum": 1}),
    },
    pairs=_COUNT,
    win=_EXACT_PART,
    lose=_EXACT_PART,
    push=_EXACT_PART,
    bank_edge=_object(exact=_FRACTION, decimal={"type": "number"}),
    standard_deviation=_object(decimal={"type": "number", "minimum": 0}),
)
SIMULATION = _object(
    rounds=_COUNT,
    seats=_COUNT,
    decks=_COUNT,
    seed=_COUNT,
    win=_ESTIMATE,
    lose=_ESTIMATE,
    push=_ESTIMATE,
    bank_edge=_ESTIMATE,
)


def check(told: dict[str, Any], schema: Schema) -> None:
    """Fails if an answer does not match its schema."""
    Draft202012Validator(schema).validate(told)
