"""A press says of its member and its message what discord.py says of them."""

from typing import Any

import discord
import pytest

from bot.practice.person import Person
from bot.wire.intake import PressedMessage, PressInteraction, pressed, thread_parent
from tests.e2e.answers import press_own
from tests.e2e.evening import Evening


@pytest.fixture
def came_in(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Every press that comes in, as Discord sent it."""
    taken: list[Any] = []
    take = evening.bot.intake.take

    def noting(data: Any) -> None:
        taken.append(data)
        take(data)

    monkeypatch.setattr(evening.bot.intake, "take", noting)
    return taken


def check(evening: Evening, data: Any) -> PressInteraction:
    """Compares what both make of a press."""
    state = evening.bot._connection
    press, theirs = PressInteraction(data=data, state=state), discord.Interaction[Any](data=data, state=state)
    for name in ("id", "type", "data", "token", "application_id", "guild_id", "locale", "created_at"):
        assert getattr(press, name) == getattr(theirs, name), name
    for name in ("permissions", "app_permissions", "guild", "channel_id"):
        assert getattr(press, name) == getattr(theirs, name), name
    assert thread_parent(press) == thread_parent(theirs)
    assert (press.user.id, press.user.display_name) == (theirs.user.id, theirs.user.display_name)
    message = theirs.message
    if message is None:
        assert pressed(press) is None
    else:
        files = frozenset(file.filename for file in message.attachments)
        origin = message.interaction_metadata
        answered = None if origin is None else origin.id
        wanted = PressedMessage(message.id, message.flags.ephemeral, files, interaction_id=answered)
        assert pressed(press) == wanted
    return press


async def with_cards(evening: Evening) -> tuple[Any, Person]:
    """A table where Alice has cards; its board, and Alice."""
    alice, mei = evening.persons("Alice", "Mei")
    board = await evening.open_table(mei)
    await evening.take_bank(mei, board)
    await alice.click(board, "20")
    await evening.have_cards(alice)
    return board, alice


async def test_presses_in_a_server_and_by_direct_message(evening: Evening, came_in: list[Any]) -> None:
    board, alice = await with_cards(evening)
    member = evening.server.member(alice.user)
    assert member is not None
    member.nick = "Lucky Alice"
    panel = await alice.click(board, "My hand")
    assert panel.message is not None
    await press_own(alice, panel.message, "Refresh")
    await press_own(alice, alice.sees(alice.dm())[0], "Refresh")

    presses = [check(evening, data) for data in came_in]

    kinds = {press.type for press in presses}
    assert kinds == {discord.InteractionType.component, discord.InteractionType.modal_submit}
    on_board, on_panel, by_message = (pressed(press) for press in presses[-3:])
    assert [press.user.display_name for press in presses[-3:]] == ["Lucky Alice", "Lucky Alice", "Alice"]
    assert on_board is not None
    assert on_panel is not None
    assert by_message is not None
    assert [one.is_private for one in (on_board, on_panel, by_message)] == [False, True, False]
    assert on_panel.files == by_message.files == {"hand-1.png"}
    assert presses[-1].guild_id is None


async def test_a_press_in_a_thread_knows_the_channel_of_the_thread(
    evening: Evening, came_in: list[Any]
) -> None:
    mei = evening.person("Mei")
    thread = evening.discord.add_thread(evening.channel, "a thread")
    await mei.click(await evening.open_table(mei, thread), "Join")
    await mei.click(await evening.open_table(mei), "Join")
    presses = [check(evening, data) for data in came_in]
    assert [press.channel_id for press in presses] == [thread.id, evening.channel.id]
    assert [thread_parent(press) for press in presses] == [evening.channel.id, None]
    assert all(press.app_permissions.attach_files for press in presses)


async def test_a_modal_of_a_command_has_no_message(evening: Evening, came_in: list[Any]) -> None:
    board, alice = await with_cards(evening)
    await alice.click(board, "My hand")
    without = {name: value for name, value in came_in[-1].items() if name != "message"}
    assert pressed(check(evening, without)) is None


@pytest.mark.parametrize("missing", ["parent_id", "channel", "channel, channel_id", "locale", "flags"])
async def test_a_press_without_an_optional_field_is_taken(
    evening: Evening, came_in: list[Any], missing: str
) -> None:
    alice = evening.person("Alice")
    thread = evening.discord.add_thread(evening.channel, "a thread")
    await alice.click(await evening.open_table(alice, thread), "Join")
    (data,) = came_in
    for name in missing.split(", "):
        for part in (data.get("channel", {}), data["message"], data):
            part.pop(name, None)
    press = PressInteraction(data=data, state=evening.bot._connection)
    assert press.user.id == alice.id
    assert press.channel_id == (None if "channel_id" in missing else thread.id)
    assert thread_parent(press) == (evening.channel.id if missing in ("locale", "flags") else None)
