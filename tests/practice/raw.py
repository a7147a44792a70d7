"""Requests of a bot without a library, and the messages, modals and commands in them."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import aiohttp

from bot.practice.interactions import Interaction
from bot.practice.messages import Flag
from tests.stand_in import StandIn

Json = dict[str, Any]

PRIVATE, V2 = int(Flag.EPHEMERAL), int(Flag.COMPONENTS_V2)
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c63f8cfc0f01f00050001ff56c72f0d0000000049454e44ae426082"
)
"""A PNG of one pixel."""


async def call(
    stand_in: StandIn,
    method: str,
    path: str,
    body: Any = None,
    *,
    token: str | None = None,
    files: Mapping[str, bytes] | None = None,
) -> tuple[int, Any]:
    """Sends one request to the REST API; returns status and JSON."""
    content: dict[str, Any] = {"json": body}
    if files:
        content = {"data": aiohttp.FormData({"payload_json": json.dumps(body)})}
        for number, (name, data) in enumerate(files.items()):
            content["data"].add_field(f"files[{number}]", data, filename=name)
    headers = {"Authorization": f"Bot {token or stand_in.token}"}
    async with (
        aiohttp.ClientSession(headers=headers) as session,
        session.request(method, stand_in.api_url + path, **content) as answer,
    ):
        return answer.status, await answer.json() if answer.content_type == "application/json" else None


def callback_of(interaction: Interaction) -> str:
    """The route of the first reply."""
    return f"/interactions/{interaction.id}/{interaction.token}/callback"


def button(**fields: Any) -> Json:
    return {"type": 2, "style": 1, "label": "Press", "custom_id": "press"} | fields


def buttons(number: int) -> list[Json]:
    return [button(custom_id=f"b{n}") for n in range(number)]


def row(*children: Json) -> Json:
    return {"type": 1, "components": list(children)}


def text(words: str = "words") -> Json:
    return {"type": 10, "content": words}


def box(*children: Json) -> Json:
    return {"type": 17, "components": list(children)}


def gallery(number: int, url: str = "attachment://a.png", **fields: Any) -> Json:
    return {"type": 12, "items": [{"media": {"url": url}} | fields] * number}


def options(number: int, **fields: Any) -> list[Json]:
    return [{"label": f"{n}", "value": f"{n}"} | fields for n in range(number)]


def select(**fields: Any) -> Json:
    own = {} if fields.get("type") == 8 else {"options": [{"label": "Ox", "value": "ox"}]}
    return {"type": 3, "custom_id": "pick"} | own | fields


def v2(*components: Json) -> Json:
    return {"flags": V2, "components": list(components)}


def said(words: str = "words") -> Json:
    """A message of one text."""
    return v2(text(words))


def in_row(*children: Json) -> Json:
    return v2(row(*children))


def label(inner: Json | None = None, **fields: Any) -> Json:
    component = {"type": 4, "custom_id": "amount", "style": 1} | (inner or {})
    return {"type": 18, "label": "Amount", "component": component} | fields


def modal(*components: Json, **fields: Any) -> Json:
    return {"custom_id": "form", "title": "Form", "components": list(components)} | fields


def command(**fields: Any) -> Json:
    return {"name": "bet", "description": "Bets"} | fields


def option(**fields: Any) -> Json:
    return {"type": 3, "name": "what", "description": "What"} | fields


def named(number: int, make: Callable[..., Json]) -> list[Json]:
    return [make(name=f"n{n}") for n in range(number)]
