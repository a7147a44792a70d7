"""The private parts of discord.py that the bot uses are there, and only bot/wire uses them.

What they do is shown by every test over the wire: presses, requests and heartbeats go through them.
"""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import discord
import pytest
from discord import enums, gateway, utils
from discord.gateway import DiscordWebSocket
from discord.http import HTTPClient, Route
from discord.state import ConnectionState
from discord.webhook import async_
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parents[2]


def test_both_bounds_of_the_version_are_within_one_minor_version_and_the_installed_one_is_inside() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (required,) = (one for one in map(Requirement, project["dependencies"]) if one.name == "discord.py")
    bounds = {one.operator: Version(one.version) for one in required.specifier}
    advice = (
        f"pyproject.toml says {required}, and {discord.__version__} is installed. Both bounds must be within "
        "one minor version, such as >=2.7.1,<2.8. To raise them, install the new version and run "
        "`uv run pytest tests/wire`: it names the private parts that bot/wire uses"
    )
    assert bounds.keys() == {">=", "<"}, advice
    lowest, above = bounds[">="], bounds["<"]
    assert above == Version(f"{lowest.major}.{lowest.minor + 1}"), advice
    assert Version(discord.__version__) in required.specifier, advice


@pytest.mark.parametrize(
    ("owner", "name", "user"),
    [
        (Route, "BASE", "bot/wire/client.py"),
        (HTTPClient, "static_login", "bot/wire/client.py"),
        (HTTPClient, "ws_connect", "bot/wire/client.py"),
        (discord.VoiceClient, "warn_nacl", "bot/wire/client.py"),
        (discord.VoiceClient, "warn_dave", "bot/wire/client.py"),
        (DiscordWebSocket, "from_client", "bot/wire/gateway.py"),
        (DiscordWebSocket, "poll_event", "bot/wire/gateway.py"),
        (gateway, "KeepAliveHandler", "bot/wire/gateway.py"),
        (gateway.KeepAliveHandler, "get_payload", "bot/wire/gateway.py"),
        (gateway.KeepAliveHandler, "ack", "bot/wire/gateway.py"),
        (ConnectionState, "_remove_guild", "bot/wire/intake.py"),
        (discord.Interaction, "_from_data", "bot/wire/intake.py"),
        (discord.Interaction, "_permissions", "bot/wire/intake.py"),
        (enums, "try_enum", "bot/wire/intake.py"),
        (discord.Interaction, "_session", "bot/wire/requests.py"),
        (utils, "_to_json", "bot/wire/requests.py"),
        (async_, "async_context", "bot/wire/requests.py"),
        (HTTPClient, "get_member", "bot/ui/hand/delivery.py"),
        (HTTPClient, "get_channel", "bot/ui/absences.py"),
        (HTTPClient, "get_guild", "bot/ui/absences.py"),
    ],
)
def test_a_part_that_is_not_documented_is_still_there(owner: object, name: str, user: str) -> None:
    part = f"{getattr(owner, '__name__', owner)}.{name}"
    assert hasattr(owner, name), f"discord.py {discord.__version__} has changed {part}, which {user} uses"
    assert name in (ROOT / user).read_text(), f"{user} no longer uses {name}: it need not be held here"


OTHER_LIBRARIES = ("bot/ledger/", "bot/practice/")
"""Rooms that use private parts of other libraries, and may not import discord.py."""


def private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("_")


def private_uses(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Each private name that is imported from discord.py, or read though this file defines none."""
    own = set()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                own.add(name)
            case ast.Attribute(attr=name, value=ast.Name(id="self"), ctx=ast.Store()):
                own.add(name)
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name) if private(name) and name not in own:
                yield node.lineno, name
            case ast.ImportFrom(module=str(module), names=names) if module.split(".")[0] == "discord":
                parts = [*module.split("."), *(one.name for one in names)]
                yield from ((node.lineno, part) for part in parts if private(part))
            case ast.Import(names=names):
                parts = [part for one in names for part in one.name.split(".")]
                yield from ((node.lineno, part) for part in parts if private(part))


def test_only_the_wire_uses_private_parts_of_discord_py() -> None:
    found = [
        (place, *use)
        for room in ("bot", "cogs")
        for path in sorted((ROOT / room).rglob("*.py"))
        if not (place := path.relative_to(ROOT).as_posix()).startswith(("bot/wire/", *OTHER_LIBRARIES))
        for use in private_uses(ast.parse(path.read_text()))
    ]
    assert found == [], "private parts of discord.py are for bot/wire alone"
