"""Checks every request of the bot and every response to it against Discord's own API description.

The description is a file outside the repository: `../shared/discord/openapi.json` beside the
checkout, or the path in `GNAU_OPENAPI`. Without it nothing is checked, and `at_hand()` returns False.
"""

import json
import os
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from tests.stand_in import RecordedRequest

PLACE = Path(os.environ.get("GNAU_OPENAPI") or Path(__file__).parents[2] / "shared/discord/openapi.json")
ABSENT = f"Discord's description of its API is not at hand: there is no {PLACE} (GNAU_OPENAPI names another)"

_NAME = "urn:discord"
_sound: set[tuple[tuple[str, ...], str]] = set()
"""Checks that passed. Every bot sends the same commands at its start, and checking them takes long."""


def at_hand() -> bool:
    """Whether the description is available."""
    return PLACE.is_file()


needs_description = pytest.mark.skipif(not at_hand(), reason=ABSENT)


def validate_request(recorded: RecordedRequest) -> None:
    """Checks the body of a request that the bot sent; without the description, does nothing.

    Raises:
        AssertionError: names the request, the place in its body and the problem.
    """
    if not at_hand() or recorded.route is None:
        return
    operation = _operation(recorded)
    if recorded.body is None:
        assert not operation.get("requestBody", {}).get("required"), f"{_title(recorded)} has no body"
        return
    assert "requestBody" in operation, f"{_title(recorded)} takes no body, but has one"
    _check(recorded, recorded.body, "requestBody", "content", "application/json", "schema")


def validate_response(recorded: RecordedRequest) -> None:
    """Checks a response of the stand-in; without the description, does nothing.

    Raises:
        AssertionError: names the request, the place in the response and the problem.
    """
    if not at_hand() or recorded.route is None or recorded.response is None:
        return
    if recorded.status >= 400:
        kind = "RatelimitedResponse" if recorded.status == 429 else "ErrorResponse"
        _report(recorded, recorded.response, _validator("components", "schemas", kind))
        return
    assert str(recorded.status) in _operation(recorded)["responses"], f"{_title(recorded)}: {recorded.status}"
    where = ("responses", str(recorded.status), "content", "application/json", "schema")
    _check(recorded, recorded.response, *where)


def validate(instance: object, schema: str) -> None:
    """Checks any JSON against the schema with this name in the description.

    Raises:
        AssertionError: names the place and the problem.
    """
    error = best_match(_validator("components", "schemas", schema).iter_errors(instance))
    assert error is None, f"{error.json_path}: {error.message}"


def _check(recorded: RecordedRequest, instance: object, *where: str) -> None:
    assert recorded.route is not None
    schema = ("paths", recorded.route, recorded.method.lower(), *where)
    checked = (schema, json.dumps(instance, sort_keys=True))
    if checked not in _sound:
        _report(recorded, instance, _validator(*schema))
        _sound.add(checked)


def _report(recorded: RecordedRequest, instance: object, validator: Draft202012Validator) -> None:
    if validator.is_valid(instance):
        return
    error = best_match(validator.iter_errors(instance))
    assert error is None, f"{_title(recorded)}\n{error.json_path}: {error.message}"


def _title(recorded: RecordedRequest) -> str:
    return f"{recorded.method} {recorded.path}"


def _operation(recorded: RecordedRequest) -> dict[str, Any]:
    paths = _description()["paths"]
    found = paths.get(recorded.route, {}).get(recorded.method.lower())
    assert found is not None, f"Discord has no {recorded.method} {recorded.route}"
    return dict(found)


@cache
def _description() -> dict[str, Any]:
    described: dict[str, Any] = json.loads(PLACE.read_bytes())
    schemas = described["components"]["schemas"]
    # Discord also takes ids as numbers, and discord.py sends some that way.
    schemas["SnowflakeType"] = {"anyOf": [schemas["SnowflakeType"], {"type": "integer", "minimum": 0}]}
    _tell_unions_apart(described, schemas)
    return described


def _tell_unions_apart(node: Any, schemas: dict[str, Any]) -> None:
    """Rewrites each union whose kinds have a `type`, so that only the matching kind is checked.

    A board has dozens of components in nested unions. Trying every kind takes several times as long,
    and the error would be about the last kind tried instead of the right one.
    """
    children = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    for child in list(children):
        _tell_unions_apart(child, schemas)
    if not isinstance(node, dict):
        return
    for keyword in ("anyOf", "oneOf"):
        members = node.get(keyword)
        if not isinstance(members, list):
            continue
        types = [_types_of(member, schemas) for member in members]
        every = [number for numbers in types for number in numbers]
        if not all(types) or len(every) != len(set(every)):
            continue
        del node[keyword]
        node["required"], node["properties"] = ["type"], {"type": {"enum": every}}
        node["allOf"] = [
            {"if": {"properties": {"type": {"enum": numbers}}}, "then": member}
            for numbers, member in zip(types, members, strict=True)
        ]


def _types_of(member: dict[str, Any], schemas: dict[str, Any]) -> list[int]:
    """The values of `type` for this member of a union; empty if it has no `type`."""
    name = str(member.get("$ref", "")).rpartition("/")[2]
    return list(schemas.get(name, {}).get("properties", {}).get("type", {}).get("enum", ()))


@cache
def _registry() -> Registry[Any]:
    empty: Registry[Any] = Registry()
    described: Registry[Any] = empty.with_resource(_NAME, DRAFT202012.create_resource(_description()))
    return described


@cache
def _validator(*where: str) -> Draft202012Validator:
    pointer = "/".join(quote(step.replace("~", "~0").replace("/", "~1"), safe="~@") for step in where)
    return Draft202012Validator({"$ref": f"{_NAME}#/{pointer}"}, registry=_registry())
