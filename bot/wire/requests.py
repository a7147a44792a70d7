"""Requests to Discord as plain data: nothing is built only to be serialised, no response becomes an object.

discord.py sends them: its rate limits, retries and errors stay. Every function raises what it raises: an
HTTPException if Discord refuses, an aiohttp.ClientError or OSError if the connection breaks.

An interaction has one first response, within three seconds. Where `defer_meanwhile` has given it, the
functions that would give it go another way, with the same to be seen. A response whose connection broke is
sent again: Discord says whether the first one arrived.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from operator import is_
from typing import Any, Final

import aiohttp
import discord
from discord.http import Route
from discord.utils import _to_json
from discord.webhook.async_ import async_context

from bot.rules.typed_text import text_length

log = logging.getLogger(__name__)

Interaction = discord.Interaction[Any]
Kind = discord.InteractionResponseType

CONNECTION_BROKE: Final = (aiohttp.ClientError, OSError)
"""What a request raises if nobody knows whether it arrived."""
ALREADY_ANSWERED: Final = 40060
_UNKNOWN_MESSAGE: Final = 10008
_ANSWERED: Final = object()
"""The interaction has its first response already."""
RETRY_SECONDS: Final = (0.05, 0.25, 0.5, 0.8)
"""The pauses before a response is sent again whose connection broke: Discord waits three seconds in all."""

DISCORD_PY_RETRY_SECONDS: Final = 1.0
"""The least time after which discord.py itself sends again what a server of Discord's failed at."""

_LAYOUT: Final = discord.MessageFlags(components_v2=True).value
_PRIVATE: Final = discord.MessageFlags(ephemeral=True).value
_SILENT: Final = discord.MessageFlags(suppress_notifications=True).value
_NOBODY: Final = discord.AllowedMentions.none().to_dict()
_CALLBACK: Final = "/interactions/{webhook_id}/{webhook_token}/callback"
_WEBHOOK: Final = "/webhooks/{webhook_id}/{webhook_token}"
_FIRST: Final = f"{_WEBHOOK}/messages/@original"
_LATER: Final = f"{_WEBHOOK}/messages/{{message_id}}"


WRITTEN: Final[ContextVar[Callable[[str], str]]] = ContextVar("written", default=str)
"""What each text of a message becomes as it is sent, unless the message becomes too long by it."""
LONGEST_TEXT: Final = 4_000
"""The most characters of all texts of a message, as Discord counts: in UTF-16 code units."""


class TakenElsewhereError(Exception):
    """Another process has given the first response, as in a deploy that overlaps: the press is its own."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that goes with a message; it can be sent any number of times.

    Attributes:
        description: what it shows, for those who cannot see it; None if it is no picture.
    """

    name: str
    data: bytes
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Response:
    """A message that responded to an interaction, by whose token it can be changed for 15 minutes.

    Attributes:
        message_id: the message; None for the first response, or the message that this one changed.
    """

    interaction: Interaction
    message_id: int | None = None


@dataclass(frozen=True, slots=True)
class Posted:
    """A message that is there.

    Attributes:
        is_as_sent: whether it says what was sent; if not, it is another one with the same nonce.
    """

    message_id: int
    is_as_sent: bool


@dataclass(frozen=True, slots=True)
class Content:
    """What a message says. Whatever its words, it mentions nobody else than it is to mention.

    Attributes:
        layout: its components, as Discord's API has them; one text for a sentence, since a message of
            components never becomes one without.
        files: its attachments; None leaves those that a message has.
        mentions: Discord's ids of the users whom it mentions.
        silent: whether it is new without a sound.
    """

    layout: Sequence[dict[str, Any]]
    files: Sequence[Attachment] | None = None
    mentions: Sequence[int] = ()
    silent: bool = False

    def json(self, *, private: bool = False) -> dict[str, Any]:
        """As Discord's API has it; `private` if only one person is to see it."""
        mentioned = {"parse": [], "users": list(self.mentions)} if self.mentions else _NOBODY
        flags = _LAYOUT | (_PRIVATE if private else 0) | (_SILENT if self.silent else 0)
        data: dict[str, Any] = {
            "allowed_mentions": mentioned,
            "components": _as_written(self.layout),
            "flags": flags,
        }
        if self.files is not None:
            data["attachments"] = [
                {"id": number, "filename": file.name, "description": file.description}
                for number, file in enumerate(self.files)
            ]
        return data


def _as_written(layout: Sequence[dict[str, Any]]) -> Sequence[dict[str, Any]]:
    write = WRITTEN.get()
    if write is str:
        return layout
    written = [_rewritten(part, write) for part in layout]
    if all(map(is_, written, layout)):
        return layout
    return written if layout_length(written) <= LONGEST_TEXT else layout


def _rewritten(part: dict[str, Any], write: Callable[[str], str]) -> dict[str, Any]:
    """The part with its texts written; the same object if that changes nothing."""
    if "content" in part:
        text = write(part["content"])
        return part if text == part["content"] else part | {"content": text}
    if "components" in part:
        inner = [_rewritten(one, write) for one in part["components"]]
        return part if all(map(is_, inner, part["components"])) else part | {"components": inner}
    return part


def layout_length(layout: Iterable[dict[str, Any]]) -> int:
    """How long the texts of a message's components are together, to Discord."""
    return sum(
        text_length(part.get("content", "")) + layout_length(part.get("components", ())) for part in layout
    )


async def defer_meanwhile(interaction: Interaction) -> None:
    """Defers an interaction that has no response yet: it may then take 15 minutes.

    A press leaves its message as it is meanwhile; a command shows its user that a response comes.
    """
    first = _first_of(interaction)
    if first.deferral is None and not first.begun:
        first.deferral = asyncio.create_task(_send_deferral(interaction))
    if first.deferral is not None:
        await asyncio.shield(first.deferral)


async def respond(interaction: Interaction, content: Content) -> Response:
    """Responds with a message that only who pressed sees."""
    if await _is_first(interaction):
        await _call_back(interaction, Kind.channel_message, content.json(private=True), content.files)
    elif interaction.response.type is Kind.deferred_channel_message:
        if await _public_response(interaction) is not None:
            log.info("another process has shown everybody the answer to interaction %s", interaction.id)
            return Response(interaction)
        try:
            await edit_response(Response(interaction), content)
        except discord.NotFound as gone:
            # It was dismissed; or another process that hosts the table too has answered, and put that away.
            if gone.code != _UNKNOWN_MESSAGE:
                raise
    else:
        return await follow_up(interaction, content)
    return Response(interaction)


async def respond_publicly(interaction: Interaction, content: Content) -> bool:
    """Responds with a message that everybody sees; returns whether it is there: not once deferred."""
    if not await _is_first(interaction):
        return await _public_response(interaction) is not None
    await _call_back(interaction, Kind.channel_message, content.json(), content.files)
    return True


async def respond_with_id(interaction: Interaction, content: Content) -> int | None:
    """Responds with a message that everybody sees; returns its id, or None if it was deferred."""
    if not await _is_first(interaction):
        there = await _public_response(interaction)
        return None if there is None else _id_of(there)
    response = await _call_back(
        interaction, Kind.channel_message, content.json(), content.files, with_response=True
    )
    # Both ways to say which message it is are optional.
    told = response if isinstance(response, dict) else {}
    message_id = (told.get("interaction") or {}).get("response_message_id")
    message = (told.get("resource") or {}).get("message") or {"id": message_id}
    return _id_of(message if message["id"] else await _by_token(Response(interaction), "GET"))


async def update(interaction: Interaction, content: Content) -> bool:
    """Responds by changing the message that was pressed; returns whether it is changed.

    In a deploy that overlaps, two processes take each press; the other may have answered in a message.
    """
    if await _is_first(interaction):
        there = await _call_back(interaction, Kind.message_update, content.json(), content.files)
        if there is not _ANSWERED:
            return True
        answered = True
    else:
        answered = _was_answered(interaction)
    if answered and not await _is_changed_by(interaction):
        log.info("another process has answered interaction %s", interaction.id)
        return False
    try:
        await edit_response(Response(interaction), content)
    except discord.NotFound as gone:
        # It was deleted meanwhile, as when another process posts the board again.
        if gone.code != _UNKNOWN_MESSAGE:
            raise
        return False
    return True


async def defer(interaction: Interaction) -> None:
    """Defers a message that only who pressed will see; `fulfil` sends it.

    Raises:
        TakenElsewhereError: another process has answered.
    """
    if await _is_first(interaction):
        await _call_back(interaction, Kind.deferred_channel_message, {"flags": _PRIVATE})
    else:
        _first_of(interaction).follows = interaction.response.type is Kind.deferred_message_update
    _raise_if_taken(interaction)


async def defer_update(interaction: Interaction) -> None:
    """Responds to a press without changing anything; `fulfil` changes the message that was pressed.

    Raises:
        TakenElsewhereError: another process has answered.
    """
    if await _is_first(interaction):
        await _call_back(interaction, Kind.deferred_message_update)
    _raise_if_taken(interaction)
    refused = _first_of(interaction).refused and interaction.message is not None
    if refused and not await _is_changed_by(interaction):
        # That was a message of another process, however long the answer took.
        raise TakenElsewhereError


def _raise_if_taken(interaction: Interaction) -> None:
    if _first_of(interaction).taken:
        raise TakenElsewhereError


async def fulfil(interaction: Interaction, content: Content) -> None:
    """Sends what `defer` or `defer_update` deferred."""
    if _first_of(interaction).follows:
        await follow_up(interaction, content)
    else:
        await edit_response(Response(interaction), content)


async def send_modal(interaction: Interaction, modal: dict[str, Any]) -> bool:
    """Responds with a modal, as Discord's API has it; returns whether it could: not once deferred."""
    if not await _is_first(interaction):
        return False
    await _call_back(interaction, Kind.modal, modal)
    return True


async def edit_response(response: Response, content: Content) -> None:
    """Changes a response."""
    await _sent_again(lambda: _by_token(response, "PATCH", content))


async def delete_response(response: Response) -> None:
    """Deletes a response, but never the message that was pressed.

    In a deploy that overlaps, the other process may have answered the press by changing that message: then it
    is the first response.
    """
    may_be_pressed = response.message_id is None and _first_of(response.interaction).refused
    if may_be_pressed and await _is_changed_by(response.interaction):
        return
    await _sent_again(lambda: _by_token(response, "DELETE"))


async def _is_changed_by(interaction: Interaction) -> bool:
    """Whether the first response to a press is the pressed message itself, changed."""
    pressed = interaction.message
    if pressed is None:
        return False
    try:
        first = await _sent_again(lambda: _by_token(Response(interaction), "GET"))
    except discord.NotFound as gone:
        # It was a message of its own, and is put away.
        if gone.code != _UNKNOWN_MESSAGE:
            raise
        return False
    return _id_of(first) == pressed.id


async def follow_up(interaction: Interaction, content: Content, *, private: bool = True) -> Response:
    """Sends another message; `private` if only who pressed is to see it."""
    route = _token_route(interaction, "POST", _WEBHOOK)
    data = content.json(private=private)
    # Without being asked to wait, Discord may answer before there is a message.
    sent = await _by_webhook(interaction, route, data, content.files, {"wait": "1"})
    return Response(interaction, _id_of(sent))


async def post(client: discord.Client, channel_id: int, content: Content, nonce: str) -> Posted:
    """Sends a message to a channel.

    Args:
        nonce: by which Discord drops the second of two equal messages.
    """
    data = content.json() | {"nonce": nonce, "enforce_nonce": True}
    route = Route("POST", "/channels/{channel_id}/messages", channel_id=channel_id)
    there = await _by_bot(client, route, data, content.files)
    return Posted(_id_of(there), [*_words(there)] == [*_words(data)])


def _words(part: Any) -> Iterator[str]:
    """What a message or a component says, and what its buttons and menus do."""
    yield from (str(part[name]) for name in ("content", "label", "custom_id") if part.get(name))
    for inner in (*part.get("components", ()), *part.get("options", ())):
        yield from _words(inner)


async def newest_messages(client: discord.Client, channel_id: int, most: int) -> list[Any]:
    """The newest messages of a channel, as Discord's API has them, the newest first."""
    return await client.http.logs_from(channel_id, most)


async def edit(client: discord.Client, channel_id: int, message_id: int, content: Content) -> None:
    """Changes a message of the bot's."""
    route = Route(
        "PATCH",
        "/channels/{channel_id}/messages/{message_id}",
        channel_id=channel_id,
        message_id=message_id,
    )
    await _by_bot(client, route, content.json(), content.files)


@dataclass(slots=True)
class _First:
    """What is known of an interaction's first response.

    Attributes:
        begun: whether a real response has been started, not a deferral.
        follows: whether what was deferred follows as a message of its own.
        refused: whether Discord refused it because it had one: an earlier try, or another process's.
        taken: whether that was surely another process's.
    """

    begun: bool = False
    deferral: asyncio.Task[Any] | None = None
    follows: bool = False
    refused: bool = False
    taken: bool = False


def _first_of(interaction: Interaction) -> _First:
    first: _First = interaction.extras.setdefault(_First, _First())
    return first


async def _is_first(interaction: Interaction) -> bool:
    """Whether the interaction has no response yet; from now on, it is not deferred."""
    first = _first_of(interaction)
    first.begun = True
    if first.deferral is not None:
        await asyncio.wait([first.deferral])
        if isinstance(first.deferral.exception(), CONNECTION_BROKE):
            # It may have arrived. Another response would then be refused like one that arrived itself.
            await _send_deferral(interaction)
    return not interaction.response.is_done()


async def _public_response(interaction: Interaction) -> Any:
    """The message for everybody with which another process has responded to a command; None if there is none.

    In a deploy that overlaps, two processes take each interaction. This one came later, with a deferral.
    """
    if interaction.type is not discord.InteractionType.application_command or not _was_answered(interaction):
        return None
    try:
        there = await _by_token(Response(interaction), "GET")
    except discord.NotFound as gone:
        # It told a sentence, or nothing yet, and has put that away.
        if gone.code != _UNKNOWN_MESSAGE:
            raise
        return None
    return None if there.get("flags", 0) & _PRIVATE else there


def _was_answered(interaction: Interaction) -> bool:
    """Whether a deferral came too late, because the interaction had its first response."""
    deferral = _first_of(interaction).deferral
    return deferral is not None and deferral.exception() is None and deferral.result() is _ANSWERED


async def _send_deferral(interaction: Interaction) -> Any:
    presses = interaction.type is discord.InteractionType.component
    on_message = interaction.type is discord.InteractionType.modal_submit and interaction.message
    if presses or on_message:
        return await _call_back(interaction, Kind.deferred_message_update)
    return await _call_back(interaction, Kind.deferred_channel_message, {"flags": _PRIVATE})


async def _call_back(
    interaction: Interaction,
    kind: Kind,
    data: dict[str, Any] | None = None,
    files: Sequence[Attachment] | None = None,
    *,
    with_response: bool = False,
) -> Any:
    """Gives the first response to an interaction.

    Returns:
        What came of it, if `with_response`; `_ANSWERED` if that is lost, but a response arrived.
    """
    body: dict[str, Any] = {"type": kind.value}
    if data is not None:
        body["data"] = data
    route = Route("POST", _CALLBACK, webhook_id=interaction.id, webhook_token=interaction.token)
    params = {"with_response": "1"} if with_response else None
    began, tries, first = asyncio.get_running_loop().time(), 0, _first_of(interaction)

    async def send() -> Any:
        nonlocal tries
        tries += 1
        return await _by_webhook(interaction, route, body, files, params)

    response = await _sent_again(send)
    first.refused |= response is _ANSWERED
    took = asyncio.get_running_loop().time() - began
    first.taken |= response is _ANSWERED and tries == 1 and took < DISCORD_PY_RETRY_SECONDS
    interaction.response._response_type = kind
    return response


async def _sent_again(send: Callable[[], Awaitable[Any]]) -> Any:
    """Sends something, again if the connection breaks; `_ANSWERED` if it turns out that one had arrived."""
    pauses = iter(RETRY_SECONDS)
    while True:
        try:
            return await send()
        except CONNECTION_BROKE:
            pause = next(pauses, None)
            if pause is None:
                raise
            await asyncio.sleep(pause)
        except discord.HTTPException as failed:
            # discord.py sends again too, after some errors of Discord's.
            if failed.code == ALREADY_ANSWERED:
                return _ANSWERED
            raise


async def _by_token(response: Response, method: str, content: Content | None = None) -> Any:
    interaction, message_id = response.interaction, response.message_id
    route = _token_route(interaction, method, _FIRST if message_id is None else _LATER, message_id)
    if content is None:
        return await _by_webhook(interaction, route)
    return await _by_webhook(interaction, route, content.json(), content.files)


def _token_route(interaction: Interaction, method: str, path: str, message_id: int | None = None) -> Route:
    return Route(
        method,
        path,
        webhook_id=interaction.application_id,
        webhook_token=interaction.token,
        message_id=message_id,
    )


async def _by_webhook(
    interaction: Interaction,
    route: Route,
    data: dict[str, Any] | None = None,
    files: Sequence[Attachment] | None = None,
    params: dict[str, str] | None = None,
) -> Any:
    """Sends with files, the data in a body with them; without a body, if there is no data."""
    http = interaction.client.http
    body: dict[str, Any] = {"payload": data}
    if data is not None and files:
        body = {"multipart": _parts(data, files)}
    return await async_context.get().request(
        route,
        session=interaction._session,
        proxy=http.proxy,
        proxy_auth=http.proxy_auth,
        params=params,
        **body,
    )


async def _by_bot(
    client: discord.Client, route: Route, data: dict[str, Any], files: Sequence[Attachment] | None
) -> Any:
    if files:
        return await client.http.request(route, form=_parts(data, files))
    return await client.http.request(route, json=data)


def _id_of(made: Any) -> int:
    """The id of the message in an answer.

    Raises:
        aiohttp.ClientPayloadError: the answer is not Discord's, so nobody knows whether there is a message.
    """
    try:
        return int(made["id"])
    except (KeyError, TypeError, ValueError):
        raise aiohttp.ClientPayloadError("the answer is not Discord's") from None


def _parts(data: dict[str, Any], files: Sequence[Attachment]) -> list[dict[str, Any]]:
    """A body with files, part by part."""
    parts: list[dict[str, Any]] = [{"name": "payload_json", "value": _to_json(data)}]
    parts += [
        {
            "name": f"files[{number}]",
            "value": file.data,
            "filename": file.name,
            "content_type": "application/octet-stream",
        }
        for number, file in enumerate(files)
    ]
    return parts
