"""The stand-in for Discord with what only tests need: faults on demand, a clock, and a record of requests."""

import asyncio
import random
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal, TypedDict, Unpack

from fastapi import Request, Response, WebSocket

from bot.practice import stand_in
from bot.practice.changes import Change
from bot.practice.component_tree import Button, Kind, walk
from bot.practice.errors import DiscordError
from bot.practice.gateway import Gateway, Opcode, frame_of
from bot.practice.gateway_events import GatewayEvents, GatewaySession, Outbox
from bot.practice.limits import Limits
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.replies import Modal, Reply
from bot.practice.rest.request_handler import (
    API,
    JsonResponse,
    RequestHandler,
    Route,
    respond,
    too_many_requests,
)
from bot.practice.servers import Channel, ChannelKind, Server
from bot.practice.world import World

MOST_RECORDS: Final = 50_000
"""Caps memory in a long run: beyond this, the older half is dropped."""
LOGINS_A_DAY: Final = 1000
"""How often Discord lets a bot log in (IDENTIFY)."""


Client = tuple[str, int]
"""The other end of a connection: host and port."""
Predicate = Callable[[str, str], bool]
"""Takes the method and the path (after `/api/v10`) of a request."""


def typed_in(modal: Modal) -> dict[str, str]:
    """What the text inputs of a modal hold at first, by custom_id."""
    inputs = (part for part in walk(modal.components) if part["type"] == Kind.TEXT_INPUT)
    return {part["custom_id"]: part.get("value") or "" for part in inputs}


class Matching(TypedDict, total=False):
    """Which requests a fault is about: by default the next one.

    Attributes:
        times: how many more requests it applies to.
        method: the HTTP method to match; None for any.
        route: a part of the route template to match; None for any.
        when: a further condition; None for any request.
    """

    times: int
    method: str | None
    route: str | None
    when: Predicate | None


@dataclass(slots=True, kw_only=True)
class Fault:
    """What happens to the next matching requests.

    Attributes:
        kind: "respond" with a status, "drop" the connection, or "hold" the response.
        carried_out: whether the request is carried out first.
        status: the HTTP status, for "respond".
        seconds: the `retry_after` of a 429, or how long the response is held.
        whole_bot: whether a 429 is about the bot's global limit.
    """

    kind: Literal["respond", "drop", "hold"]
    times: int = 1
    method: str | None = None
    route: str | None = None
    when: Predicate | None = None
    carried_out: bool = False
    status: int = 0
    seconds: float = 0.0
    whole_bot: bool = False

    def matches(self, method: str, template: str, path: str) -> bool:
        return (
            self.times > 0
            and self.method in (None, method)
            and (self.route is None or self.route in template)
            and (self.when is None or self.when(method, path))
        )

    def response(self, headers: dict[str, str]) -> JsonResponse:
        if self.status == 429:
            return too_many_requests(self.seconds, headers, whole_bot=self.whole_bot)
        return self.status, {"message": f"{self.status}: injected fault", "code": 0}

    def __str__(self) -> str:
        done = ", carried out first" if self.carried_out else ""
        return f"{self.kind} {self.status or ''}".rstrip() + done


class Faults:
    """The faults to come. Each applies the given number of times and is then over; a latency stays.

    Attributes:
        latency: the least and the most seconds before a request is carried out and answered. Each request
            takes a random time between them. Discord itself takes 0.15 to 0.3.
        interaction_delay: the least and the most seconds until an interaction reaches the bot.
        unlisted: the ids of servers that a new connection does not name, although the bot is in them.
    """

    def __init__(self) -> None:
        self.latency = (0.0, 0.0)
        self.interaction_delay = (0.0, 0.0)
        self.unlisted: set[int] = set()
        self._pending: list[Fault] = []
        self._doubled: dict[str, int] = {}

    def respond(
        self,
        status: int,
        *,
        carried_out: bool = False,
        retry_after: float = 0.05,
        whole_bot: bool = False,
        **matching: Unpack[Matching],
    ) -> Fault:
        """Answers the next matching requests with this status; see `Fault`.

        With `carried_out`, the sender can't know that it worked.
        """
        fault = Fault(
            kind="respond",
            status=status,
            carried_out=carried_out,
            seconds=retry_after,
            whole_bot=whole_bot,
            **matching,
        )
        return self._add(fault)

    def drop_connection(self, *, carried_out: bool = False, **matching: Unpack[Matching]) -> Fault:
        """Cuts the connection of the next matching requests, after the work if `carried_out`."""
        return self._add(Fault(kind="drop", carried_out=carried_out, **matching))

    def hold(self, seconds: float, **matching: Unpack[Matching]) -> Fault:
        """Carries out the next matching requests and holds back the responses."""
        return self._add(Fault(kind="hold", carried_out=True, seconds=seconds, **matching))

    def duplicate(self, event: str = "INTERACTION_CREATE", *, times: int = 1) -> None:
        """Delivers the next events of this name twice."""
        self._doubled[event] = self._doubled.get(event, 0) + times

    def clear(self) -> None:
        """Cancels the latency, the delay and all faults that have not happened yet."""
        self.latency = self.interaction_delay = (0.0, 0.0)
        self._pending.clear()
        self._doubled.clear()

    def cancel(self, fault: Fault) -> None:
        """Cancels the times that this fault has not happened yet."""
        self._pending = [other for other in self._pending if other is not fault]

    def take(self, method: str, template: str, path: str) -> Fault | None:
        """The fault for this request, or None; uses up one of its times."""
        for fault in self._pending:
            if fault.matches(method, template, path):
                fault.times -= 1
                if not fault.times:
                    self._pending.remove(fault)
                return fault
        return None

    def take_duplicate(self, event: str) -> bool:
        """Whether to deliver this event twice; uses up one of its times."""
        left = self._doubled.get(event, 0)
        self._doubled[event] = max(0, left - 1)
        return left > 0

    def _add(self, fault: Fault) -> Fault:
        self._pending.append(fault)
        return fault


@dataclass(slots=True)
class RecordedRequest:
    """What is kept of every request.

    Attributes:
        path: after `/api/v10`.
        route: the template that it matched, or None.
        body: the JSON body, for multipart its `payload_json`; None if there was none.
        files: the names of the uploaded files.
        size: the bytes of the body, files included.
        status: the HTTP status of the response; 0 if the connection was dropped.
        response: the JSON of the response.
        budgeted: whether it counts against the bot's global limit.
        at: when it came (UTC).
        fault: the fault that was applied, as text.
    """

    method: str
    path: str
    route: str | None
    query: dict[str, str]
    body: Any
    files: list[str]
    size: int
    status: int
    response: Any
    budgeted: bool
    at: datetime
    fault: str | None = None


class _Handler(RequestHandler):
    """Records every request, and applies faults."""

    faults: Faults
    cut: Callable[[Client], None]

    def __init__(self, world: World, limits: Limits, token: str) -> None:
        super().__init__(world, limits, token)
        self.requests: list[RecordedRequest] = []

    async def serve(self, request: Request, route: Route | None) -> Response:
        record = RecordedRequest(
            method=request.method,
            path=request.url.path.removeprefix(API),
            route=None if route is None else route.template,
            query=dict(request.query_params),
            body=None,
            files=[],
            size=int(request.headers.get("Content-Length", 0)),
            status=0,
            response=None,
            budgeted=route is None or not route.by_token,
            at=self.world.now(),
        )
        self._keep(record)
        fault = self.faults.take(record.method, record.route or record.path, record.path)
        record.fault = None if fault is None else str(fault)
        headers = self.headers()
        after_response: list[Callable[[], object]] = [self.world.wake_waiters]
        try:
            call = await self.read(request)
            record.body = None if call.body == {} else call.body
            record.files = [upload.filename for upload in call.uploads.values()]
            if latency := random.uniform(*self.faults.latency):
                await asyncio.sleep(latency)
            if fault is None or fault.carried_out:
                answer = await self.carry_out(request, route, call, headers)
                after_response = [*call.after_response, self.world.wake_waiters]
            if fault is not None and fault.kind == "respond":
                answer = fault.response(headers)
        except DiscordError as error:
            answer = error.status, error.body()
        except Exception:
            # A bug of the stand-in itself: the server logs it, and the record shows it.
            record.status = 500
            raise
        if fault is not None and fault.kind != "respond":
            # Even if the response is lost or late, others see the effect at once.
            for step in after_response:
                step()
            after_response = []
            if fault.kind == "drop":
                assert request.client is not None, "the server tells who asks"
                self.cut((request.client.host, request.client.port))
                return Response()
            await asyncio.sleep(fault.seconds)
        record.status, record.response = answer
        return respond(answer, headers, after_response)

    def _keep(self, record: RecordedRequest) -> None:
        self.requests.append(record)
        if len(self.requests) > MOST_RECORDS:
            del self.requests[: MOST_RECORDS // 2]


class _Events(GatewayEvents):
    """Delivers events twice or late, and leaves servers out."""

    faults: Faults

    def is_listed(self, server: Server) -> bool:
        return super().is_listed(server) and server.id not in self.faults.unlisted

    def dispatch(self, event: str, data: Any, server_id: int | None) -> None:
        delay = random.uniform(*self.faults.interaction_delay) if event == "INTERACTION_CREATE" else 0.0
        if delay:
            asyncio.get_running_loop().call_later(delay, self._deliver, event, data, server_id)
        else:
            self._deliver(event, data, server_id)

    def _deliver(self, event: str, data: Any, server_id: int | None) -> None:
        for _ in range(2 if self.faults.take_duplicate(event) else 1):
            super().dispatch(event, data, server_id)


class FaultyGateway(Gateway):
    """Loses connections and sessions, and refuses logins.

    Attributes:
        acknowledges: whether it acknowledges heartbeats.
        welcome: what it does with who logs in: begin a session, refuse it (op 9), or begin and close it.
        refusal: the code with which it closes the connection of who logs in; None for none.
        logins: what is left of the day's logins; a login takes one.
        logged_in: when a shard logged in, by the monotonic clock, and which.
        logins_in: the seconds until all are there again, as it says them.
        logins_at_once: how many shards may log in side by side.
        cut: cuts the connection of a client.
        stop_reading: reads nothing more from a client.
    """

    cut: Callable[[Client], None]
    stop_reading: Callable[[Client], None]
    acknowledges = True
    welcome: Literal["session", "invalid", "closed"] = "session"
    refusal: int | None = None
    logins = LOGINS_A_DAY
    logins_in = 0.0
    logins_at_once = 1

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self._deaf_to: set[Client] = set()
        self.logged_in: list[tuple[float, int]] = []

    @property
    def clients(self) -> set[Client]:
        """The other ends of all connections with a session."""
        return {session.client for session in self.events.sessions.values() if session.client is not None}

    def login_limit(self) -> dict[str, Any]:
        told = {"remaining": self.logins, "reset_after": int(self.logins_in * 1000)}
        return super().login_limit() | told | {"max_concurrency": self.logins_at_once}

    async def text(self, socket: WebSocket) -> str:
        while True:
            try:
                return await super().text(socket)
            except TimeoutError:
                if socket.client is None or tuple(socket.client) not in self._deaf_to:
                    raise

    def acknowledge(self, outbox: Outbox) -> None:
        if self.acknowledges:
            super().acknowledge(outbox)

    def identify(self, data: dict[str, Any], socket: WebSocket, outbox: Outbox) -> GatewaySession | None:
        if self.refusal is not None:
            outbox.put_nowait(self.refusal)
            return None
        self.logins -= 1
        self.logged_in.append((time.monotonic(), (data.get("shard") or (0, 1))[0]))
        if self.welcome == "invalid":
            outbox.put_nowait(frame_of(Opcode.INVALID_SESSION, False))
            return None
        return self._welcomed(super().identify(data, socket, outbox), outbox)

    def resume(self, data: dict[str, Any], socket: WebSocket, outbox: Outbox) -> GatewaySession | None:
        return self._welcomed(super().resume(data, socket, outbox), outbox)

    def _welcomed(self, session: GatewaySession | None, outbox: Outbox) -> GatewaySession | None:
        if session is not None and self.welcome == "closed":
            outbox.put_nowait(4000)
        return session

    def drop(self, *, resumable: bool = True) -> None:
        """Cuts every connection without a close frame; if `resumable`, keeps the sessions."""
        for session in list(self.events.sessions.values()):
            client = session.client
            if not resumable:
                del self.events.sessions[session.id]
            session.disconnect()
            if client is not None:
                self.cut(client)

    def turn_deaf(self) -> None:
        """Still sends events on every connection, but reads nothing more, not even that it is closed."""
        for client in self.clients:
            self._deaf_to.add(client)
            self.stop_reading(client)

    def send_raw(self, event: str, data: Any) -> None:
        """Sends the bot an event with any contents, such as one that cannot be parsed."""
        for session in self.events.sessions.values():
            session.dispatch(event, data)

    def ask_to_reconnect(self) -> None:
        """Asks every connection to reconnect and resume (op 7)."""
        for session in self.events.sessions.values():
            session.send(frame_of(Opcode.RECONNECT, None))

    def invalidate_sessions(self) -> None:
        """Ends every session (op 9): the bot must identify again and loses the events between."""
        for session in list(self.events.sessions.values()):
            session.send(frame_of(Opcode.INVALID_SESSION, False))
            del self.events.sessions[session.id]

    def close(self) -> None:
        for client in self._deaf_to:
            self.cut(client)
        super().close()


class ChangingWorld(World):
    """A world whose clock can be moved, and in which others than the bot do what it has to bear.

    Attributes:
        patience: how many seconds people wait for a button that they want to press; 0 for those who press
            what there is.
    """

    patience = 0.0
    _skew = timedelta()
    events: _Events

    def now(self) -> datetime:
        return super().now() + self._skew

    def advance_clock(self, seconds: float) -> None:
        """Moves the clock forward: tokens expire and messages grow old at once."""
        self._skew += timedelta(seconds=seconds)
        self.wake_waiters()

    def add_thread(self, parent: Channel, name: str) -> Channel:
        """Adds a public thread to a channel."""
        thread = Channel(self.new_id(), ChannelKind.PUBLIC_THREAD, name, parent.server, parent)
        return self.insert_channel(thread)

    def archive(self, thread: Channel, *, locked: bool = False) -> None:
        """Archives a thread."""
        thread.archived, thread.locked = True, locked
        self.publish(Change("thread_updated", thread.server, thread))

    def delete_channel(self, channel: Channel) -> None:
        """Deletes a channel and its threads, of which Discord says nothing."""
        for thread in [other for other in self.channels.values() if other.parent is channel]:
            del self.channels[thread.id]
            if thread.server is not None:
                del thread.server.channels[thread.id]
        if self.channels.pop(channel.id, None) is None:
            return
        # Published first: who sees the change depends on the channel's server.
        self.publish(Change("channel_deleted", channel.server, channel))
        if channel.server is not None:
            del channel.server.channels[channel.id]

    def purge(self, channel: Channel) -> None:
        """Deletes all messages of a channel at once, as moderators' bots do."""
        gone = [str(message.id) for message in self.messages_in(channel) if self.remove_message(message)]
        assert channel.server is not None, "nobody purges direct messages"
        data = {"ids": gone, "channel_id": str(channel.id), "guild_id": str(channel.server.id)}
        self.events.dispatch("MESSAGE_DELETE_BULK", data, channel.server.id)
        self.wake_waiters()


class PatientPerson(Person):
    """Somebody who waits for a button as long as their world is patient: a board may be on its way."""

    world: ChangingWorld

    async def click(self, message: Message, button: str | Button) -> Reply:
        key = button if isinstance(button, str) else button.custom_id

        def can() -> bool:
            found = message.button(key)
            return found is not None and not found.disabled and message in self.sees(message.channel)

        if self.world.patience:
            with suppress(TimeoutError):
                await self.world.wait_for(can, self.world.patience)
        return await super().click(message, button)


class StandIn(stand_in.StandIn):
    """The stand-in with faults.

    Attributes:
        faults: the faults to come.
        persons: the humans, by id.
    """

    makes_world = ChangingWorld
    makes_events = _Events
    makes_gateway = FaultyGateway
    makes_handler = _Handler
    makes_person = PatientPerson
    world: ChangingWorld
    gateway: FaultyGateway
    _events: _Events
    _handler: _Handler

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.faults = self._events.faults = self._handler.faults = Faults()
        self.world.events = self._events
        self._handler.cut = self.gateway.cut = self._cut
        self.gateway.stop_reading = self._stop_reading
        self.persons: dict[int, Person] = {}

    @property
    def requests(self) -> list[RecordedRequest]:
        """Every request so far, oldest first."""
        return self._handler.requests

    @property
    def bot_connected(self) -> bool:
        """Whether a bot is connected to the gateway."""
        return bool(self.gateway.clients)

    @property
    def gateway_sessions(self) -> list[str]:
        """The ids of the gateway's sessions, connected or kept for a bot that resumes."""
        return list(self._events.sessions)

    def add_thread(self, parent: Channel, name: str) -> Channel:
        """Adds a public thread."""
        return self.world.add_thread(parent, name)

    def add_person(self, name: str, servers: Iterable[Server] = (), **permissions: bool) -> Person:
        person = super().add_person(name, servers, **permissions)
        self.persons[person.id] = person
        return person

    def _cut(self, client: Client) -> None:
        for transport in self._transports(client):
            transport.abort()

    def _stop_reading(self, client: Client) -> None:
        for transport in self._transports(client):
            transport.pause_reading()

    def _transports(self, client: Client) -> list[Any]:
        assert self._server is not None, "it has been started"
        connections: Any = self._server.server_state.connections
        transports = [connection.transport for connection in connections]
        return [it for it in transports if it is not None and it.get_extra_info("peername") == client]
