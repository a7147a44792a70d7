"""Presses and events that nobody should send: forged, from elsewhere, or from another version."""

import logging
from itertools import product
from typing import Any

import pytest

from bot.practice.component_tree import Kind
from bot.practice.interactions import InteractionKind
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.table.accounts import LedgerPart
from bot.table.standings import EVERY, Measure, Period
from bot.table.state import NOBODY
from bot.ui.press.custom_ids import ANY_ROUND, IN_FILE, LARGEST_NUMBER, Press, PressAction
from tests.e2e.answers import message_of, said
from tests.e2e.evening import Evening

OLD = "That button is from an older version. Use the latest message."


async def sends(person: Person, message: Message, kind: InteractionKind, data: dict[str, Any]) -> str:
    """The reply to this raw interaction that only this person sees."""
    return said(await person._act(kind, message.channel, data, message=message))


async def table_elsewhere(evening: Evening) -> tuple[Person, Message]:
    """Somebody with a table in this server, and a message of the bot in another server of theirs."""
    other = evening.discord.add_server("Another server")
    channel = evening.discord.add_channel(other, "elsewhere")
    mei = evening.discord.add_person("Mei", [evening.server, other], manage_server=True)
    await evening.open_table(mei)
    return mei, await evening.open_table(mei, channel)


async def test_a_press_from_another_server_does_nothing_at_a_table(evening: Evening) -> None:
    mei, message = await table_elsewhere(evening)
    table = evening.table()
    elsewhere = "That table is in another server."

    def press(action: PressAction) -> str:
        return Press(action, table.table_id, ANY_ROUND).custom_id

    for action in (PressAction.CLOSE, PressAction.JOIN, PressAction.HAND, PressAction.RULES):
        assert said(await mei.press_raw(message, press(action))) == elsewhere
    menu = {"component_type": 3, "custom_id": press(PressAction.MORE), "id": 1, "values": ["close"]}
    assert await sends(mei, message, InteractionKind.COMPONENT, menu) == elsewhere
    form = {"custom_id": press(PressAction.BANK_MODAL), "components": []}
    assert await sends(mei, message, InteractionKind.MODAL, form) == elsewhere
    assert evening.table() == table


async def test_only_people_at_the_table_can_press_by_direct_message(evening: Evening) -> None:
    board, mei, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    # The cards are dealt once everybody has bet.
    for player in (alice, bob):
        await evening.can_press(board, "10")
        await player.click(board, "10")
    await evening.have_cards(alice)
    own = alice.sees(alice.dm())[0]
    await evening.reveal(board, alice, bob, mei)
    await evening.press(alice, board, "Leave the table")
    await alice.press_raw(own, f"gnau:{evening.table().table_id}:0:join")
    assert "You are not at that table any more. Join it in its channel." in own.text
    assert not evening.table().has(evening.party(alice))


async def test_who_only_looks_at_their_panel_is_not_away(evening: Evening) -> None:
    board, (mei, alice, bob, chan) = await evening.table_of("Mei", "Alice", "Bob", "Chan")
    for one in (bob, chan):
        await evening.press(one, board, "Join")
    for number in (1, 2):
        await evening.panel(bob, board)
        await alice.click(board, "10")
        await evening.press(mei, board, "Deal")
        await evening.board_says(board, "Showdown")
        await evening.reveal(board, alice, mei)
        await evening.board_says(board, f"🧾 receipt {number}")
    missed = {one: evening.table().seat_of(evening.party(one)) for one in (bob, chan)}
    assert [seat.rounds_missed for seat in missed.values() if seat is not None] == [0, 1]


async def test_a_stranger_cannot_press_by_direct_message(evening: Evening) -> None:
    alice, mei = evening.persons("Alice", "Mei")
    await evening.open_table(mei)
    before = evening.table()
    world = evening.discord.world
    greeting = world.post(Message(world.new_id(), alice.dm(), world.bot, world.now(), "Hello"))
    for action in (PressAction.JOIN, PressAction.HAND, PressAction.CLOSE, PressAction.MESSAGES):
        press = Press(action, before.table_id, ANY_ROUND)
        answer = said(await alice.press_raw(greeting, press.custom_id))
        assert answer == "You are not at that table any more. Join it in its channel."
    assert evening.table() == before
    assert evening.party(alice) == NOBODY, "nothing is stored about who only tried"


async def test_an_unknown_component_gets_a_reply(evening: Evening) -> None:
    mei = evening.person("Mei")
    board = await evening.open_table(mei)
    table = f"gnau:{evening.table().table_id}:0"
    unknown = ["", "gnau", f"{table}:fly", "house:fly", "another bot's", f"{table}:bet", f"{table}:unback"]
    # Once, it was a menu.
    unknown.append(f"{table}:arrange")
    for custom_id in unknown:
        for kind in (Kind.BUTTON, Kind.STRING_SELECT):
            assert said(await mei.press_raw(board, custom_id, kind=kind)) == OLD, custom_id
    for action in (PressAction.BET_MODAL, PressAction.MORE):
        press = Press(action, evening.table().table_id, ANY_ROUND)
        assert said(await mei.press_raw(board, press.custom_id)) == OLD, "a button has no such action"


async def test_a_number_too_large_for_the_ledger_gets_a_reply(evening: Evening) -> None:
    board, (_, alice) = await evening.table_of("Mei", "Alice")
    table_id = evening.table().table_id
    for number in (1 << 63, 10**18 * 9, 10**15, 10**30):
        for custom_id in (f"gnau:{table_id}:1:bet:{number}", f"gnau:{table_id}:1:back:5@{number}"):
            assert said(await alice.press_raw(board, custom_id))
        assert said(await alice.press_raw(board, f"gnau:{number}:0:join"))
        if number > LARGEST_NUMBER:
            assert said(await alice.press_raw(board, f"profile:{number}:{EVERY}")) == OLD
    assert not evening.table().bets


async def test_a_menu_with_unknown_values_gets_a_reply(evening: Evening) -> None:
    mei = evening.person("Mei", manage_server=True)
    board = await evening.open_table(mei)
    more = board.select("More…")
    assert more is not None
    picked: list[list[str] | None] = [None, [], ["fly"], ["bet"], ["more"], ["close "]]
    for values in picked:
        data: dict[str, Any] = {"component_type": 3, "custom_id": more.custom_id, "id": 1}
        data |= {} if values is None else {"values": values}
        answer = await sends(mei, board, InteractionKind.COMPONENT, data)
        assert answer == (OLD if values else "You picked nothing. Pick something from the menu."), values
    leaders = (Measure.CHIPS, Period.ALL, EVERY, "0")
    menus = [
        Press(PressAction.BACK_MENU, evening.table().table_id),
        Press(PressAction.TAKE_BACK),
        Press(PressAction.UNBAN),
        Press(PressAction.LEDGER_OF, arguments=("1",)),
        Press(PressAction.LEDGER_IN, arguments=(LedgerPart.ALL,)),
        Press(PressAction.LEDGER_IN, arguments=(IN_FILE,)),
        *(Press(one, arguments=leaders) for one in (PressAction.LEADERS_BY, PressAction.LEADERS_SEASON)),
    ]
    for menu, value in product(menus, ("fly", "²", "9" * 19)):
        data = {"component_type": 3, "custom_id": menu.custom_id, "id": 1, "values": [value]}
        answer = await sends(mei, board, InteractionKind.COMPONENT, data)
        assert answer == OLD, (menu, value)


async def test_a_modal_without_its_field_gets_a_reply(evening: Evening) -> None:
    mei = evening.person("Mei")
    board = await evening.open_table(mei)
    other = {"type": 18, "component": {"type": 4, "custom_id": "another", "value": "5"}}
    broken: list[list[Any]] = [[], [other], [{"type": 10}]]
    for action in (PressAction.BET_MODAL, PressAction.BANK_MODAL):
        custom_id = Press(action, evening.table().table_id, ANY_ROUND).custom_id
        for components in broken:
            data = {"custom_id": custom_id, "components": components}
            answer = await sends(mei, board, InteractionKind.MODAL, data)
            assert answer == "That form came back empty. Open it again."


INTEGERS = [("bet", "amount"), ("give", "amount"), ("round show", "round"), ("round verify", "table")]


async def test_an_integer_option_takes_only_whole_numbers(evening: Evening) -> None:
    _, (mei, alice) = await evening.table_of("Mei", "Alice")
    before = await evening.chips(alice, mei)
    for (command, option), value in product(INTEGERS, (10.5, 10.0, True, "10", None)):
        data = command_data(command, {"type": 4, "name": option, "value": value}, mei)
        reply = await alice._act(InteractionKind.COMMAND, evening.channel, data, command=command)
        assert said(reply) == f"Type a whole number, not {value}."
    assert await evening.chips(alice, mei) == before
    assert not evening.table().bets


def command_data(command: str, option: dict[str, Any], member: Person) -> dict[str, Any]:
    """A command with this option, and with a member where it needs one."""
    name, _, sub = command.partition(" ")
    options, resolved = [option], {}
    if name == "give":
        options.append({"type": 6, "name": "member", "value": str(member.id)})
        user = {"id": str(member.id), "username": "mei", "discriminator": "0", "avatar": None}
        joined = {"roles": [], "joined_at": "2026-01-01T00:00:00+00:00", "permissions": "0", "flags": 0}
        resolved = {"users": {str(member.id): user}, "members": {str(member.id): joined}}
    if sub:
        options = [{"type": 1, "name": sub, "options": options}]
    return {"id": "1", "name": name, "type": 1, "options": options, "resolved": resolved}


async def test_a_command_of_an_older_version_gets_a_reply(evening: Evening) -> None:
    mei = evening.person("Mei")
    data = {"id": "1", "name": "purse", "type": 1, "options": []}
    reply = await mei._act(InteractionKind.COMMAND, evening.channel, data, command="purse")
    assert said(reply) == "That command has changed. Type it again in a minute."


async def test_who_asks_for_anything_in_the_channel_of_a_table_is_not_away_from_it(evening: Evening) -> None:
    board, mei, (alice, bob, chan) = await evening.seated_table("gnau", "Mei", "Alice", "Bob", "Chan")
    lesson = message_of(await bob.slash(evening.channel, "learn"))
    await alice.click(board, "5")
    await evening.press(mei, board, "Deal")

    def present() -> list[bool]:
        noted = evening.bot.croupier.attention.of(evening.table().table_id).present
        return [evening.party(one) in noted for one in (alice, bob, chan)]

    assert present() == [False, False, False]
    await alice.slash(evening.channel, "profile")
    await bob.click(lesson, str(lesson.buttons()[0].label))
    assert present() == [True, True, False]


BROKEN: list[tuple[str, object]] = [
    ("INTERACTION_CREATE", {"id": "nonsense"}),
    ("INTERACTION_CREATE", {}),
    ("MESSAGE_CREATE", {"channel_id": None}),
    ("CHANNEL_UPDATE", {"id": "1", "guild_id": "x"}),
    ("GUILD_CREATE", []),
    ("MESSAGE_DELETE", "text"),
]
NO_OBJECTS = [[], {"id": "1", "type": []}, {"type": 3, "member": "text"}, {"type": 3, "user": {"id": []}}]
BROKEN += [("INTERACTION_CREATE", data) for data in NO_OBJECTS]


async def test_an_event_that_cannot_be_parsed_is_skipped(
    evening: Evening, caplog: pytest.LogCaptureFixture
) -> None:
    alice, mei = evening.persons("Alice", "Mei")
    board = await evening.open_table(mei)
    for name, data in BROKEN:
        evening.discord.gateway.send_raw(name, data)
    await evening.press(alice, board, "Join")
    assert evening.table().has(evening.party(alice))
    skipped = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    assert len(skipped) == len(BROKEN)
    assert all("that cannot be parsed" in one for one in skipped)
    assert "resumed" not in caplog.text
    # The evening fails on any error in the log, and these are expected.
    caplog.clear()
