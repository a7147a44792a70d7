"""Every function sends the right request."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import discord
import pytest

from bot.practice import person
from bot.practice.messages import Message
from bot.practice.replies import Reply
from bot.ui import components
from bot.ui.components import box, label, modal, picture, text, text_input, text_view
from bot.ui.press.custom_ids import Press, PressAction
from bot.wire import requests
from bot.wire.intake import Intake, PressInteraction
from bot.wire.requests import Attachment, Content, Interaction, Kind, Posted, Response
from tests.practice.conftest import Scene
from tests.practice.raw import button, in_row
from tests.sizes import sample
from tests.stand_in import RecordedRequest, typed_in
from tests.wire.conftest import SmallBot

NOBODY: dict[str, list[str]] = {"parse": []}
ONLY_YOU, COMPONENTS = 1 << 6, 1 << 15
HELLO, BYE = Content(text_view("Hello @everyone")), Content(text_view("Bye @everyone"))
SAID: dict[str, Any] = HELLO.json()
SAID_TO_YOU = HELLO.json(private=True)
PHOTO, RECORD = bytes(range(256)) * 40, '{"ox": "🐂"}'.encode()
WITH_FILES = Content(
    [box([text("Words"), picture("hand.png", "Five cards")], 0xF0B232), components.file("record.json")],
    files=[Attachment("hand.png", PHOTO, "Five cards"), Attachment("record.json", RECORD)],
)
LISTED = [
    {"id": 0, "filename": "hand.png", "description": "Five cards"},
    {"id": 1, "filename": "record.json", "description": None},
]
FILLED = {"components": WITH_FILES.layout, "attachments": LISTED, "allowed_mentions": NOBODY}
SHOWN = FILLED | {"flags": COMPONENTS}
STAKE = modal(Press(PressAction.BET_MODAL, 5, 7), "Stake", [label("Amount", text_input("amount"))])
Asked = TypeVar("Asked", bound=Interaction)


@dataclass
class Line:
    """A bot on the stand-in whose presses a test replies to.

    Attributes:
        scene: the stand-in, and its people.
        bot: the bot.
        board: a message with buttons.
        presses: those that nobody has replied to.
    """

    scene: Scene
    bot: SmallBot
    board: Message
    presses: asyncio.Queue[PressInteraction] = field(default_factory=asyncio.Queue)

    @asynccontextmanager
    async def pressed(self) -> AsyncIterator[tuple[PressInteraction, asyncio.Task[Reply]]]:
        """A press of Alice's that the block replies to, and what she then sees."""
        async with self._asked(self.scene.alice.click(self.board, "Press"), self.presses) as both:
            yield both

    @asynccontextmanager
    async def typed(self) -> AsyncIterator[tuple[Interaction, asyncio.Task[Reply]]]:
        """A command of Alice's that the block replies to, and what she then sees."""
        commands: asyncio.Queue[Interaction] = asyncio.Queue()

        @self.bot.tree.command(description="Opens a table")
        async def deal(interaction: Interaction) -> None:
            commands.put_nowait(interaction)

        await self.bot.tree.sync()
        async with self._asked(self.scene.alice.slash(self.scene.channel, "deal"), commands) as both:
            yield both

    @asynccontextmanager
    async def _asked(
        self, asking: Coroutine[Any, Any, Reply], came: asyncio.Queue[Asked]
    ) -> AsyncIterator[tuple[Asked, asyncio.Task[Reply]]]:
        reply = asyncio.create_task(asking)
        try:
            yield await came.get(), reply
        except BaseException:
            # A test that fails does not wait for a reply.
            reply.cancel()
            raise
        await reply

    def last(self) -> RecordedRequest:
        """The last request, which succeeded."""
        last = self.scene.stand_in.requests[-1]
        assert last.status in (200, 204), last
        return last

    def stored(self, message: Message | None) -> dict[str, bytes]:
        """The files of a message, as Discord got them."""
        assert message is not None
        files = self.scene.stand_in.world.files
        return {one.filename: files[one.id] for one in message.attachments}


@pytest.fixture
async def line(scene: Scene, bot: SmallBot) -> Line:
    # Discord waits three seconds for a reply, but a busy machine may stall for longer.
    scene.stand_in.limits.reply_seconds = 60.0
    line = Line(scene, bot, await scene.post(in_row(button())))

    async def keep(press: PressInteraction) -> None:
        line.presses.put_nowait(press)

    Intake(bot, keep).install()
    return line


def check(last: RecordedRequest, method: str, path: str, body: Any, **query: str) -> None:
    """Compares a whole request."""
    assert (last.method, last.path, last.query) == (method, path, query)
    assert last.body == body


def callback(press: Interaction) -> str:
    return f"/interactions/{press.id}/{press.token}/callback"


def webhook(press: Interaction) -> str:
    return f"/webhooks/{press.application_id}/{press.token}"


def original(press: Interaction) -> str:
    return f"{webhook(press)}/messages/@original"


FIRST: dict[str, tuple[Callable[[Interaction], Awaitable[Any]], Kind, Any]] = {
    "respond": (lambda it: requests.respond(it, HELLO), Kind.channel_message, SAID_TO_YOU),
    "respond publicly": (lambda it: requests.respond_publicly(it, HELLO), Kind.channel_message, SAID),
    "respond with files": (
        lambda it: requests.respond(it, WITH_FILES),
        Kind.channel_message,
        FILLED | {"flags": ONLY_YOU | COMPONENTS},
    ),
    "update": (lambda it: requests.update(it, WITH_FILES), Kind.message_update, SHOWN),
    "defer": (requests.defer, Kind.deferred_channel_message, {"flags": ONLY_YOU}),
    "defer update": (requests.defer_update, Kind.deferred_message_update, None),
}
"""Each way to respond first: what is called, the kind of response, and its data."""


@pytest.mark.parametrize("way", FIRST)
async def test_a_first_response_goes_to_the_callback(line: Line, way: str) -> None:
    call, kind, data = FIRST[way]
    before = line.board.text
    async with line.pressed() as (press, reply):
        await call(press)
        body = {"type": kind.value} | ({} if data is None else {"data": data})
        check(line.last(), "POST", callback(press), body)
        assert press.response.type is kind
        assert line.board.text == ("Words" if way == "update" else before)
        if kind is Kind.deferred_channel_message:
            await requests.edit_response(Response(press), HELLO)
            check(line.last(), "PATCH", original(press), SAID)
        elif kind is Kind.deferred_message_update:
            await requests.edit_response(Response(press), WITH_FILES)
            check(line.last(), "PATCH", original(press), SHOWN)
            assert line.board.text == "Words"
    message = (await reply).message
    if kind in (Kind.channel_message, Kind.deferred_channel_message):
        assert message is not None
        assert message is not line.board
        assert message.ephemeral is (way != "respond publicly")


@pytest.mark.parametrize("without", ["nothing", "response_message_id", "resource", "both", "all"])
async def test_the_id_of_a_board_is_found_whatever_optional_field_is_missing(
    line: Line, monkeypatch: pytest.MonkeyPatch, without: str
) -> None:
    """`response_message_id` and `resource` are optional in Discord's description; a 204 has no body."""
    send = requests._by_webhook

    async def leaner(*args: Any) -> Any:
        response = await send(*args)
        if isinstance(response, dict) and "resource" in response:
            if without in ("response_message_id", "both"):
                del response["interaction"]["response_message_id"]
            if without in ("resource", "both"):
                response["resource"] = None
            return None if without == "all" else response
        return response

    monkeypatch.setattr(requests, "_by_webhook", leaner)
    async with line.typed() as (command, reply):
        number = await requests.respond_with_id(command, WITH_FILES)
        if without == "nothing":
            check(line.last(), "POST", callback(command), {"type": 4, "data": SHOWN}, with_response="1")
    message = (await reply).message
    assert message is not None
    assert message.id == number
    assert not message.ephemeral


async def test_send_modal_opens_the_modal(line: Line) -> None:
    async with line.pressed() as (press, reply):
        await requests.send_modal(press, STAKE)
        check(line.last(), "POST", callback(press), {"type": 9, "data": STAKE})
        assert press.response.type is Kind.modal
    modal = (await reply).modal
    assert modal is not None
    assert [*typed_in(modal)] == ["amount"]


async def test_follow_up_sends_another_message_that_only_who_pressed_sees(line: Line) -> None:
    async with line.pressed() as (press, _):
        await requests.defer_update(press)
        later = await requests.follow_up(press, HELLO)
        check(line.last(), "POST", webhook(press), SAID_TO_YOU, wait="1")
        shown = line.scene.alice.sees(line.scene.channel)[-1]
        assert shown.text == "Hello @everyone"
        assert line.scene.bob.sees(line.scene.channel)[-1] is line.board
        await requests.edit_response(later, BYE)
        check(line.last(), "PATCH", f"{webhook(press)}/messages/{shown.id}", BYE.json())
        assert line.scene.alice.sees(line.scene.channel)[-1].text == "Bye @everyone"
        await requests.delete_response(later)
        assert line.scene.alice.sees(line.scene.channel)[-1] is line.board


async def test_delete_response_deletes_the_first_response(line: Line) -> None:
    async with line.pressed() as (press, _):
        first = await requests.respond(press, HELLO)
        await requests.delete_response(first)
        assert line.last().path.endswith("/messages/@original")
        assert line.scene.alice.sees(line.scene.channel)[-1] is line.board


async def test_post_sends_a_message_once_whatever_arrives_twice_and_edit_changes_it(line: Line) -> None:
    channel = line.scene.channel
    posted = await requests.post(line.bot, channel.id, WITH_FILES, "table-5")
    assert posted.is_as_sent
    number = posted.message_id
    enforced = {"nonce": "table-5", "enforce_nonce": True}
    check(line.last(), "POST", f"/channels/{channel.id}/messages", SHOWN | enforced)
    assert await requests.post(line.bot, channel.id, WITH_FILES, "table-5") == posted
    assert await requests.post(line.bot, channel.id, HELLO, "table-5") == Posted(number, is_as_sent=False)
    check(line.last(), "POST", f"/channels/{channel.id}/messages", SAID | enforced)
    assert [message.id for message in line.scene.bob.sees(channel)] == [line.board.id, number]
    number = (await requests.post(line.bot, channel.id, HELLO, "table-6")).message_id
    await requests.edit(line.bot, channel.id, number, BYE)
    check(line.last(), "PATCH", f"/channels/{channel.id}/messages/{number}", BYE.json())
    assert line.scene.bob.sees(channel)[-1].text == "Bye @everyone"


BY_PRESS: dict[str, Callable[[PressInteraction, Content], Awaitable[Any]]] = {
    "respond": requests.respond,
    "respond_with_id": requests.respond_with_id,
    "update": requests.update,
    "edit_response": lambda press, content: requests.edit_response(Response(press), content),
    "follow_up": requests.follow_up,
}


@pytest.mark.parametrize("name", BY_PRESS)
async def test_files_arrive_as_they_are_though_discord_asks_to_wait(line: Line, name: str) -> None:
    async with line.pressed() as (press, _):
        if name in ("edit_response", "follow_up"):
            await requests.defer_update(press)
        line.scene.stand_in.faults.respond(429, retry_after=0.01)
        await BY_PRESS[name](press, WITH_FILES)
        refused, last = line.scene.stand_in.requests[-2:]
        assert (refused.status, refused.body, refused.files) == (429, last.body, last.files)
        assert line.last().files == ["hand.png", "record.json"]
        message = line.scene.alice.sees(line.scene.channel)[-1]
        assert line.stored(message) == {"hand.png": PHOTO, "record.json": RECORD}


async def test_files_of_the_bots_own_messages_arrive_as_they_are(line: Line) -> None:
    channel, faults = line.scene.channel, line.scene.stand_in.faults
    faults.respond(429, retry_after=0.01)
    number = (await requests.post(line.bot, channel.id, WITH_FILES, "table-5")).message_id
    message = line.scene.bob.sees(channel)[-1]
    assert line.stored(message) == {"hand.png": PHOTO, "record.json": RECORD}
    smaller = Content([components.file("record.json")], files=[Attachment("record.json", PHOTO)])
    faults.respond(429, retry_after=0.01)
    await requests.edit(line.bot, channel.id, number, smaller)
    assert line.last().files == ["record.json"]
    assert line.stored(message) == {"record.json": PHOTO}


async def test_a_refusal_is_discord_pys_error_and_the_press_is_not_done(line: Line) -> None:
    async with line.pressed() as (press, _):
        line.scene.stand_in.faults.respond(404, route="/callback")
        with pytest.raises(discord.NotFound):
            await requests.respond(press, HELLO)
        assert not press.response.is_done()
        await requests.respond(press, HELLO)
        assert press.response.is_done()
    with pytest.raises(discord.NotFound):
        await requests.edit(line.bot, line.scene.channel.id, 5, HELLO)


async def test_once_deferred_a_press_is_answered_beside_its_message(line: Line) -> None:
    async with line.pressed() as (press, _):
        before = line.board.text
        await requests.defer_meanwhile(press)
        await requests.defer_meanwhile(press)
        check(line.last(), "POST", callback(press), {"type": 6})
        later = await requests.respond(press, HELLO)
        assert later.message_id is not None, "editing the first response would edit the board"
        check(line.last(), "POST", webhook(press), SAID_TO_YOU, wait="1")
        assert not await requests.respond_publicly(press, HELLO)
        assert await requests.respond_with_id(press, HELLO) is None
        assert not await requests.send_modal(press, STAKE)
        check(line.last(), "POST", webhook(press), SAID_TO_YOU, wait="1")
        assert line.board.text == before
        await requests.update(press, WITH_FILES)
        check(line.last(), "PATCH", original(press), SHOWN)
    assert line.board.text == "Words"


async def test_once_a_press_is_deferred_a_message_follows_and_a_change_is_made(line: Line) -> None:
    for defer in (requests.defer, requests.defer_update):
        async with line.pressed() as (press, _):
            await requests.defer_meanwhile(press)
            await defer(press)
            await requests.fulfil(press, WITH_FILES)
            if defer is requests.defer:
                data = FILLED | {"flags": ONLY_YOU | COMPONENTS}
                check(line.last(), "POST", webhook(press), data, wait="1")
            else:
                check(line.last(), "PATCH", original(press), SHOWN)


async def test_once_deferred_a_command_is_answered_in_its_place(line: Line) -> None:
    async with line.typed() as (command, reply):
        await requests.defer_meanwhile(command)
        check(line.last(), "POST", callback(command), {"type": 5, "data": {"flags": ONLY_YOU}})
        assert await requests.respond(command, HELLO) == Response(command)
        check(line.last(), "PATCH", original(command), SAID)
    message = (await reply).message
    assert message is not None
    assert message.ephemeral


@pytest.mark.parametrize("deferral_first", [False, True])
async def test_of_a_response_and_a_deferral_at_once_the_first_goes_first(
    line: Line, deferral_first: bool
) -> None:
    async with line.pressed() as (press, _):
        both = requests.update(press, WITH_FILES), requests.defer_meanwhile(press)
        await asyncio.gather(*(reversed(both) if deferral_first else both))
        if deferral_first:
            check(line.last(), "PATCH", original(press), SHOWN)
        else:
            check(line.last(), "POST", callback(press), {"type": 7, "data": SHOWN})


@pytest.mark.thorough
@pytest.mark.parametrize("carried_out", [False, True])
async def test_a_response_whose_connection_broke_is_sent_again_but_not_without_end(
    line: Line, carried_out: bool
) -> None:
    faults = line.scene.stand_in.faults
    async with line.pressed() as (press, _):
        faults.drop_connection(times=9, route="callback")
        with pytest.raises(requests.CONNECTION_BROKE):
            await requests.update(press, WITH_FILES)
        faults.clear()
        faults.drop_connection(times=2, route="callback", carried_out=carried_out)
        await requests.update(press, WITH_FILES)
    assert line.board.text == "Words"


@pytest.mark.thorough
@pytest.mark.parametrize("carried_out", sample([False, True]))
async def test_after_a_deferral_that_may_have_arrived_nothing_is_taken_for_it(
    line: Line, carried_out: bool
) -> None:
    """A message must not count as arrived because the deferral did: edits of it would be of the board."""
    tries = 1 + len(requests.RETRY_SECONDS)
    faults = line.scene.stand_in.faults
    async with line.pressed() as (press, _):
        before = line.board.text
        faults.drop_connection(times=1, route="callback", carried_out=carried_out)
        faults.drop_connection(times=tries - 1, route="callback")
        with pytest.raises(requests.CONNECTION_BROKE):
            await requests.defer_meanwhile(press)
        later = await requests.respond(press, HELLO)
        assert later.message_id is not None, "editing the first response would edit the board"
        check(line.last(), "POST", webhook(press), SAID_TO_YOU, wait="1")
        assert line.board.text == before
    async with line.typed() as (command, reply):
        faults.drop_connection(times=1, route="callback", carried_out=carried_out)
        faults.drop_connection(times=tries - 1, route="callback")
        with pytest.raises(requests.CONNECTION_BROKE):
            await requests.defer_meanwhile(command)
        assert await requests.respond_with_id(command, HELLO) is None
        assert await requests.respond(command, HELLO) == Response(command)
    message = (await reply).message
    assert message is not None
    assert message.ephemeral


async def test_the_id_of_a_board_is_asked_for_if_its_confirmation_is_lost(line: Line) -> None:
    async with line.typed() as (command, _):
        line.scene.stand_in.faults.drop_connection(route="callback", carried_out=True)
        number = await requests.respond_with_id(command, HELLO)
        assert line.scene.bob.sees(line.scene.channel)[-1].id == number


async def test_an_answer_that_was_put_away_before_it_came_is_no_error(
    line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nobody waits for what never comes.
    monkeypatch.setattr(person, "_DEFERRED_SECONDS", 0.0)
    async with line.pressed() as (press, _):
        await requests.defer(press)
        await requests.delete_response(Response(press))
        await requests.respond(press, HELLO)
        assert line.scene.stand_in.requests[-1].status == 404


async def test_what_another_process_has_shown_everybody_is_not_shown_again(line: Line) -> None:
    async with line.typed() as (command, reply):
        body = {"type": Kind.channel_message.value, "data": SAID}
        status, _ = await line.scene.call("POST", callback(command), body)
        assert status == 204
        await requests.defer_meanwhile(command)
        assert await requests.respond_publicly(command, BYE)
        await requests.respond(command, BYE)
        message = (await reply).message
        assert message is not None
        assert message.text == "Hello @everyone"
        assert await requests.respond_with_id(command, BYE) == message.id


async def test_what_another_process_has_told_gives_way_to_what_this_one_responds(line: Line) -> None:
    async with line.typed() as (command, _):
        await line.scene.call(
            "POST", callback(command), {"type": Kind.channel_message.value, "data": SAID_TO_YOU}
        )
        await requests.defer_meanwhile(command)
        await requests.respond(command, WITH_FILES)
        assert line.scene.alice.sees(line.scene.channel)[-1].text == "Words"


async def test_what_another_process_has_told_and_put_away_is_nothing_that_everybody_sees(line: Line) -> None:
    async with line.typed() as (command, _):
        body = {"type": Kind.channel_message.value, "data": SAID_TO_YOU}
        await line.scene.call("POST", callback(command), body)
        await requests.defer_meanwhile(command)
        await requests.delete_response(Response(command))
        assert not await requests.respond_publicly(command, BYE)
        assert await requests.respond_with_id(command, BYE) is None


async def test_a_message_is_not_changed_where_another_process_has_told_a_sentence(line: Line) -> None:
    async with line.pressed() as (press, _):
        body = {"type": Kind.channel_message.value, "data": SAID_TO_YOU}
        await line.scene.call("POST", callback(press), body)
        await requests.defer_meanwhile(press)
        await requests.delete_response(Response(press))
        assert not await requests.update(press, HELLO)


async def test_a_pressed_message_that_is_deleted_meanwhile_is_not_changed(line: Line) -> None:
    async with line.pressed() as (press, _):
        await requests.defer_update(press)
        await line.scene.call("DELETE", f"{line.scene.messages}/{line.board.id}")
        assert not await requests.update(press, HELLO)


@pytest.mark.parametrize("late", [False, True])
async def test_what_another_process_has_answered_is_not_worked_at_again(line: Line, *, late: bool) -> None:
    for defer in (requests.defer, requests.defer_update):
        async with line.pressed() as (press, _):
            body = {"type": Kind.channel_message.value, "data": SAID_TO_YOU}
            await line.scene.call("POST", callback(press), body)
            if late:
                await requests.defer_meanwhile(press)
            with pytest.raises(requests.TakenElsewhereError):
                await defer(press)


@pytest.mark.parametrize("fails", sample([False, True]))
async def test_a_deferral_that_arrived_though_its_confirmation_is_lost_is_no_other_processs(
    line: Line, *, fails: bool
) -> None:
    async with line.typed() as (command, reply):
        if fails:
            line.scene.stand_in.faults.respond(500, route="callback", carried_out=True)
        else:
            line.scene.stand_in.faults.drop_connection(route="callback", carried_out=True)
        await requests.defer(command)
        await requests.fulfil(command, HELLO)
    message = (await reply).message
    assert message is not None
    assert message.text == "Hello @everyone"


async def test_a_message_that_another_process_has_changed_is_not_deleted_as_a_response(line: Line) -> None:
    async with line.pressed() as (press, _):
        body: dict[str, Any] = {"type": Kind.deferred_message_update.value}
        status, _ = await line.scene.call("POST", callback(press), body)
        assert status == 204
        await requests.delete_response(await requests.respond(press, HELLO))
        assert not line.board.deleted
    async with line.pressed() as (press, _):
        # It told a sentence of its own.
        body = {"type": Kind.channel_message.value, "data": SAID_TO_YOU}
        await line.scene.call("POST", callback(press), body)
        await requests.delete_response(await requests.respond(press, HELLO))
        check(line.last(), "DELETE", original(press), None)
