"""Application commands at and beyond each of Discord's limits."""

from collections.abc import Callable
from typing import Any

import pytest

from bot.practice.validation.commands import valid_name
from tests.practice.conftest import Scene, error_at

Json = dict[str, Any]


def command(**fields: Any) -> Json:
    return {"name": "bet", "description": "Bets"} | fields


def option(**fields: Any) -> Json:
    return {"type": 3, "name": "what", "description": "What"} | fields


def named(number: int, make: Callable[..., Json]) -> list[Json]:
    return [make(name=f"n{n}") for n in range(number)]


LONG_CHOICES = [{"name": "x" * 100, "value": "x" * 100}] * 25

BAD_COMMANDS = {
    "capitals in the name": ([command(name="Bet")], "0.name", "APPLICATION_COMMAND_INVALID_NAME"),
    "a space in the name": ([command(name="bet now")], "0.name", "APPLICATION_COMMAND_INVALID_NAME"),
    "a name of 33 characters": ([command(name="x" * 33)], "0.name", "BASE_TYPE_BAD_LENGTH"),
    "no description": ([command(description=None)], "0.description", "BASE_TYPE_REQUIRED"),
    "a description of 101 characters": (
        [command(description="x" * 101)],
        "0.description",
        "BASE_TYPE_BAD_LENGTH",
    ),
    "a bad localized name": (
        [command(name_localizations={"de": "Einsatz"})],
        "0.name_localizations.de",
        "APPLICATION_COMMAND_INVALID_NAME",
    ),
    "26 options": ([command(options=named(26, option))], "0.options", "BASE_TYPE_MAX_LENGTH"),
    "26 choices": (
        [command(options=[option(choices=[{"name": f"{n}", "value": f"{n}"} for n in range(26)])])],
        "0.options.0.choices",
        "BASE_TYPE_MAX_LENGTH",
    ),
    "an option twice": (
        [command(options=[option(), option()])],
        "0.options.1.name",
        "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATED",
    ),
    "a required option last": (
        [command(options=[option(), option(name="more", required=True)])],
        "0.options.1",
        "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
    ),
    "a subcommand beside an option": (
        [command(options=[option(), option(type=1, name="sub")])],
        "0.options",
        "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
    ),
    "a text for the choice of a number": (
        [command(options=[option(type=4, choices=[{"name": "one", "value": "1"}])])],
        "0.options.0.choices.0.value",
        "APPLICATION_COMMAND_OPTIONS_VALUE_INVALID",
    ),
    "choices and suggestions both": (
        [command(options=[option(autocomplete=True, choices=[{"name": "a", "value": "a"}])])],
        "0.options.0",
        "APPLICATION_COMMAND_AUTOCOMPLETE_WITH_CHOICES",
    ),
    "a name twice": ([command(), command()], "1", "APPLICATION_COMMANDS_DUPLICATE_NAME"),
    "8,001 characters in all": (
        [command(options=[option(name=f"o{n}", choices=LONG_CHOICES) for n in range(2)])],
        "0",
        "APPLICATION_COMMAND_TOO_LARGE",
    ),
}


@pytest.mark.parametrize(("body", "path", "code"), BAD_COMMANDS.values(), ids=BAD_COMMANDS)
async def test_command_beyond_a_limit_is_50035(scene: Scene, body: Json, path: str, code: str) -> None:
    route = f"/applications/{scene.stand_in.world.application_id}/commands"
    status, answer = await scene.call("PUT", route, body)
    assert (status, answer["code"]) == (400, 50035)
    assert error_at(answer, path) == code
    assert not scene.stand_in.world.commands


async def test_at_most_100_commands_are_accepted(scene: Scene) -> None:
    route = f"/applications/{scene.stand_in.world.application_id}/commands"
    status, _ = await scene.call("PUT", route, named(100, command))
    assert status == 200
    assert (await scene.call("PUT", route, named(101, command)))[1]["code"] == 50035
    assert len(scene.stand_in.world.commands) == 100


@pytest.mark.parametrize("name", ["bet", "einsatz-2", "牌桌", "ล้ม", "हाथ", "d'or", "a_b"])
def test_names_of_commands_in_many_scripts(name: str) -> None:
    assert valid_name(name)


@pytest.mark.parametrize("name", ["", "Bet", "a b", "a!", "x" * 33, "🐂", None])
def test_invalid_names_of_commands(name: object) -> None:
    assert not valid_name(name)
