"""The private parts of discord.py that the bot uses, one by one: a new version may change any of them."""

import ast
import asyncio
import inspect
import json
import threading
import tomllib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, cast

import aiohttp
import discord
import pytest
from discord import gateway
from discord.enums import try_enum
from discord.gateway import DiscordWebSocket
from discord.http import HTTPClient, Route
from discord.state import ConnectionState
from discord.utils import _to_json
from discord.webhook.async_ import async_context
from packaging.requirements import Requirement
from packaging.version import Version

from bot.wire.press_interaction import PressInteraction
from tests.practice.conftest import Scene, Start
from tests.practice.trial_bot import TrialBot

ROOT = Path(__file__).parents[2]
Kind = discord.InteractionResponseType


def changed(part: str, user: str) -> str:
    """What a test says if a private part is not what it was."""
    return f"discord.py {discord.__version__} has changed {part}, which {user} uses"


def client() -> discord.Client:
    """A client that is not signed in."""
    return discord.Client(intents=discord.Intents(guilds=True))


def press(of: discord.Client) -> PressInteraction:
    """A press by direct message, with as little in it as possible."""
    data: Any = {"id": "5", "type": 3, "token": "secret", "application_id": "7"}
    data["user"] = {"id": "9", "username": "alice"}
    return PressInteraction(data=data, state=of._connection)


def takes(function: Callable[..., object], *values: object, **named: object) -> bool:
    """Whether a function can be called so."""
    try:
        inspect.signature(function).bind(*values, **named)
    except TypeError:
        return False
    return True


# The version


def test_both_bounds_of_the_version_are_within_one_minor_version_and_the_installed_one_is_inside() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (required,) = (one for one in map(Requirement, project["dependencies"]) if one.name == "discord.py")
    bounds = {one.operator: Version(one.version) for one in required.specifier}
    advice = (
        f"pyproject.toml says {required}, and {discord.__version__} is installed. Both bounds must be within "
        "one minor version, such as >=2.7.1,<2.8. To raise them, install the new version and run "
        "`uv run pytest tests/wire`: it holds the private parts that bot/wire uses"
    )
    assert bounds.keys() == {">=", "<"}, advice
    lowest, above = bounds[">="], bounds["<"]
    assert above == Version(f"{lowest.major}.{lowest.minor + 1}"), advice
    assert Version(discord.__version__) in required.specifier, advice


# Events


async def test_parsers_are_looked_up_at_each_event_so_one_that_is_replaced_is_called(
    scene: Scene, bot: TrialBot
) -> None:
    broken = changed("ConnectionState.parsers", "bot/wire/intake.py")
    parsers = bot._connection.parsers
    assert type(parsers) is dict, broken
    assert {"INTERACTION_CREATE", "MESSAGE_UPDATE", "READY"} <= parsers.keys(), broken
    for name, parse in parsers.items():
        assert takes(parse, {}), f"{broken}: {name} takes more than one argument"
    heard: asyncio.Queue[Any] = asyncio.Queue()

    def note(by: str, data: Any) -> None:
        heard.put_nowait((by, data))

    for by in ("the first", "the second"):
        parsers["MESSAGE_UPDATE"] = partial(note, by)
        for session in scene.stand_in._events.sessions.values():
            session.dispatch("MESSAGE_UPDATE", {"number": 1})
        try:
            async with asyncio.timeout(20):
                assert await heard.get() == (by, {"number": 1}), broken
        except TimeoutError:
            raise AssertionError(f"{broken}: a parser that was replaced is not called") from None


def test_a_client_has_its_parsers_before_it_connects() -> None:
    assert client()._connection.parsers, changed("Client._connection", "bot/wire/intake.py")


# Heartbeats


async def test_heartbeats_are_made_and_acknowledged_by_the_class_that_is_looked_up_for_a_connection(
    scene: Scene, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = changed("gateway.KeepAliveHandler or its connection", "bot/wire/gateway.py")
    calls: set[str] = set()

    class Watched(gateway.KeepAliveHandler):
        def get_payload(self) -> dict[str, Any]:
            connection = self.ws.socket._response.connection
            assert connection is not None, broken
            assert isinstance(connection.transport, asyncio.Transport), broken
            assert self.ws.loop is loop, broken
            calls.add("made by the thread" if threading.current_thread() is self else "made at first")
            return super().get_payload()

        def ack(self) -> None:
            calls.add("acknowledged")
            super().ack()

    loop = asyncio.get_running_loop()
    monkeypatch.setattr(gateway, "KeepAliveHandler", Watched)
    scene.stand_in.limits.heartbeat_seconds = 0.05
    await start()
    try:
        async with asyncio.timeout(20):
            while calls != {"made at first", "made by the thread", "acknowledged"}:  # noqa: ASYNC110 - no event is set
                await asyncio.sleep(0.01)
    except TimeoutError:
        raise AssertionError(f"{broken}: only {calls}") from None


# Presses


class Noted(discord.Interaction[Any]):
    """Notes each call of `_from_data`, and what is there by then."""

    __slots__ = ("noted",)

    def _from_data(self, data: Any) -> None:
        there = ("_state", "_session", "_client", "extras")
        now = (data, {name for name in there if hasattr(self, name)})
        self.noted = [*getattr(self, "noted", ()), now]


def test_an_interaction_is_filled_by_from_data_after_its_client_state_and_session() -> None:
    broken = changed("Interaction.__init__ or _from_data", "bot/wire/press_interaction.py")
    its, data = client(), cast("Any", {"id": "5"})
    made = Noted(data=data, state=its._connection)
    assert getattr(made, "noted", None) == [(data, {"_state", "_session", "_client", "extras"})], broken
    assert made.client is its, broken
    assert made._state is its._connection, broken
    assert made.extras == {}, broken


def test_an_interaction_has_a_slot_for_all_that_a_press_sets() -> None:
    source = ast.parse((ROOT / "bot/wire/press_interaction.py").read_text())
    own = {
        node.attr
        for node in ast.walk(source)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    }
    assert own >= {"id", "type", "data", "token", "user", "message", "_permissions"}
    missing = own - set(discord.Interaction.__slots__)
    assert not missing, f"{changed('Interaction.__slots__', 'bot/wire/press_interaction.py')}: {missing}"


def test_permissions_are_read_from_the_private_number() -> None:
    broken = changed("Interaction._permissions", "bot/wire/press_interaction.py")
    its = press(client())
    for allowed in (discord.Permissions.none(), discord.Permissions(manage_guild=True)):
        its._permissions = allowed.value
        assert its.permissions == allowed, broken


async def test_an_interaction_has_the_open_session_of_its_client(scene: Scene) -> None:
    broken = changed("Interaction._session", "bot/wire/requests.py")
    async with client() as its:
        await its.login(scene.stand_in.token)
        session = press(its)._session
        assert isinstance(session, aiohttp.ClientSession), broken
        assert not session.closed, broken
    assert session.closed, broken


@pytest.mark.parametrize("kind", [Kind.channel_message, Kind.deferred_channel_message, Kind.message_update])
async def test_a_response_is_done_once_its_private_type_is_set(kind: Kind) -> None:
    broken = changed("InteractionResponse._response_type", "bot/wire/requests.py")
    its = press(client())
    assert not its.response.is_done(), broken
    assert its.response.type is None, broken
    its.response._response_type = kind
    assert its.response.is_done(), broken
    assert its.response.type is kind, broken
    with pytest.raises(discord.InteractionResponded):
        await its.response.send_message("Twice")


def test_a_value_that_discord_adds_later_is_kept_as_it_is() -> None:
    broken = changed("enums.try_enum", "bot/wire/press_interaction.py")
    assert try_enum(discord.Locale, "de") is discord.Locale.german, broken
    assert try_enum(discord.Locale, "tlh").value == "tlh", broken


# Requests


def test_data_becomes_json_text() -> None:
    data = {"content": "Ox 🐂", "flags": 64, "attachments": [{"id": 0, "description": None}]}
    text = _to_json(data)
    broken = changed("utils._to_json", "bot/wire/requests.py")
    assert isinstance(text, str), broken
    assert json.loads(text) == data, broken


def test_requests_by_token_take_json_or_parts_a_session_a_proxy_and_a_query() -> None:
    request = async_context.get().request
    route = Route("POST", "/webhooks/{webhook_id}/{webhook_token}", webhook_id=1, webhook_token="secret")
    bodies: list[dict[str, Any]] = [{"payload": {}}, {"multipart": [{}]}]
    for body in bodies:
        assert takes(request, route, session=None, proxy=None, proxy_auth=None, params=None, **body), changed(
            "the `request` of webhook.async_.async_context", "bot/wire/requests.py"
        )
    assert inspect.iscoroutinefunction(request)


def test_requests_by_the_bot_take_json_or_a_form_and_know_their_proxy() -> None:
    broken = changed("Client.http", "bot/wire/requests.py")
    http, route = client().http, Route("POST", "/channels/{channel_id}/messages", channel_id=1)
    assert takes(http.request, route, json={}), broken
    assert takes(http.request, route, form=[{}]), broken
    assert (http.proxy, http.proxy_auth) == (None, None), broken


def test_a_route_has_its_ids_in_the_address_and_in_the_rate_limit() -> None:
    broken = changed("http.Route", "bot/wire/requests.py")
    path = "/webhooks/{webhook_id}/{webhook_token}"
    route = Route("POST", path, webhook_id=1, webhook_token="a/b")
    assert (route.method, route.url) == ("POST", f"{Route.BASE}/webhooks/1/a%2Fb"), broken
    assert (route.webhook_id, route.webhook_token) == (1, "a/b"), broken


@pytest.mark.parametrize(
    ("owner", "name", "user"),
    [
        (Route, "BASE", "bot/wire/client.py"),
        (DiscordWebSocket, "from_client", "bot/wire/gateway.py"),
        (DiscordWebSocket, "poll_event", "bot/wire/gateway.py"),
        (HTTPClient, "static_login", "bot/wire/client.py"),
        (HTTPClient, "ws_connect", "bot/wire/client.py"),
        (discord.VoiceClient, "warn_nacl", "bot/wire/client.py"),
        (discord.VoiceClient, "warn_dave", "bot/wire/client.py"),
        (HTTPClient, "get_member", "bot/ui/hand/delivery.py"),
        (HTTPClient, "get_channel", "bot/ui/absences.py"),
        (HTTPClient, "get_guild", "bot/ui/absences.py"),
        (ConnectionState, "_remove_guild", "bot/wire/intake.py"),
    ],
)
def test_a_part_that_is_not_documented_is_still_there(owner: type, name: str, user: str) -> None:
    assert hasattr(owner, name), changed(f"{owner.__name__}.{name}", user)
    assert name in (ROOT / user).read_text(), f"{user} no longer uses {name}: it need not be held here"


# Nowhere else

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


@pytest.mark.parametrize(
    "source",
    [
        "from discord.utils import _to_json",
        "from discord._types import ClientT",
        "import discord._version",
        "text = discord.utils._to_json(data)",
        "session = interaction._session",
        "interaction.response._response_type = kind",
        "class Bot(Client):\n    def parsers(self): return self._connection.parsers",
    ],
)
def test_a_private_part_is_found(source: str) -> None:
    assert len(list(private_uses(ast.parse(source)))) == 1


@pytest.mark.parametrize(
    "source",
    [
        "from bot.wire.requests import _parts",
        "class Cog:\n    def __init__(self): self._client = None\n    def it(self): return self._client",
        "class Cog:\n    def _mine(self): pass\n    def it(self): return self._mine()",
        "number = kind._value_",
    ],
)
def test_a_private_part_of_our_own_is_not(source: str) -> None:
    assert list(private_uses(ast.parse(source))) == []
