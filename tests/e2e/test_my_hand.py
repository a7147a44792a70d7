"""A house that sends no direct messages: hands are only behind "My hand", and what that costs."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from bot.croupier.identities import User
from bot.games.hands import evaluate
from bot.practice.person import Person
from bot.rules.knobs import Dealing
from bot.ui.components import text_view
from bot.wire.requests import Content, Interaction, Response, edit_response, respond
from bot.words.hands import hand_name
from bot.words.translation import translate
from tests.e2e.answers import form_of, message_of, offered, press_own
from tests.e2e.evening import Evening


@pytest.fixture(autouse=True)
def without_messages(evening: Evening) -> None:
    evening.rules = evening.rules.model_copy(update={"dealing": Dealing.MY_HAND})


async def test_a_house_that_deals_behind_my_hand_sends_no_direct_messages(evening: Evening) -> None:
    board, (mei, alice) = await evening.table_of("Mei", "Alice")
    await evening.press(alice, board, "Join")
    own = await evening.panel(alice, board)
    by_message = message_of(await alice.slash(alice.dm(), "hand"))
    form = form_of(await alice.click(by_message, "Other…"))
    await alice.submit(form, amount="20")
    assert translate("panel.below") not in by_message.text
    await evening.board_says(board, "Showdown", "Press **My hand** to see your cards")
    table = evening.table()
    words = hand_name(evaluate(table.pieces_of(evening.party(alice)), table.rules)).casefold()
    # A great hand is a heading, in capitals.
    opened_before = own, by_message
    await evening.until(
        lambda: all(words in one.text.casefold() for one in opened_before), "both name the hand"
    )
    assert len(own.gallery()) == 1
    opened = message_of(await alice.click(board, "My hand"))
    assert opened.ephemeral
    assert words in opened.text.casefold()
    assert len(opened.gallery()) == 1
    await alice.click(board, "Reveal")
    await evening.until(lambda: "Reveal" not in offered(opened), "the panel learns of it")
    await press_own(alice, opened, "Leave the table")
    assert "You leave the table after this round." in opened.text
    await evening.reveal(board, mei)
    assert alice.sees(alice.dm()) == [by_message]
    assert not mei.sees(mei.dm())


@pytest.mark.thorough
async def test_closed_messages_are_not_mentioned_if_the_house_sends_none(evening: Evening) -> None:
    evening.expect_fault(403)
    evening.rules = evening.rules.model_copy(update={"dealing": Dealing.MESSAGES})
    board, (mei, alice) = await evening.table_of("Mei", "Alice")
    alice.user.dms_open = False
    for dealing, told in ((Dealing.MESSAGES, True), (Dealing.MY_HAND, False)):
        await alice.click(board, "20")
        await evening.board_says(board, "press **My hand**" if told else "Press **My hand**")
        answer = message_of(await alice.click(board, "My hand"))
        assert ("Message me again" in offered(answer)) is told, dealing
        evening.rules = evening.rules.model_copy(update={"dealing": Dealing.MY_HAND})
        await evening.reveal(board, alice, mei)


async def test_a_panel_is_shown_whole_whose_picture_an_edit_has_taken_away_meanwhile(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.expect_fault(400)
    board, (_, alice) = await evening.table_of("Mei", "Alice", lowest=1, highest=10)
    await alice.click(board, "1")
    await evening.board_says(board, "Showdown")
    own = await evening.panel(alice, board)
    [picture] = own.gallery()
    names = frozenset(file.filename for file in own.attachments)
    own.attachments.clear()
    monkeypatch.setattr("bot.ui.hand.panels.attached", lambda _: names)
    reply = await press_own(alice, own, "Refresh")
    assert reply.kind == "update"
    assert [shown.description for shown in own.gallery()] == [picture.description]
    assert {file.filename for file in own.attachments} == names


@pytest.mark.thorough
@pytest.mark.parametrize("in_vain", [False, True])
async def test_a_panel_opened_while_the_one_before_is_edited_gets_the_result(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, in_vain: bool
) -> None:
    board, (mei, alice) = await evening.table_of("Mei", "Alice", lowest=1, highest=10)
    await alice.click(board, "1")
    await evening.board_says(board, "Showdown")
    first = await evening.panel(alice, board)
    editing, go_on = asyncio.Event(), asyncio.Event()

    async def edit_late(response: Response, content: Content) -> None:
        monkeypatch.undo()
        editing.set()
        await go_on.wait()
        if in_vain:
            await alice.dismiss(first)
        await edit_response(response, content)

    monkeypatch.setattr("bot.ui.hand.message.edit_response", edit_late)
    await alice.click(board, "Reveal")
    await editing.wait()
    second = await evening.panel(alice, board)
    go_on.set()
    if in_vain:
        evening.expect_fault(404)
    await evening.reveal(board, mei)
    await evening.board_says(second, "Round 1: your")
    assert first not in alice.sees(evening.channel)


async def test_a_panel_of_a_closed_table_is_not_edited_once_that_of_the_next_replaces_it(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    (mei,) = evening.persons("Mei")
    board = await evening.open_table(mei)
    await evening.take_bank(mei, board, 1, 10)
    first = await evening.panel(mei, board)
    monkeypatch.setattr("bot.ui.hand.panels.GATHER_SECONDS", 1.0)
    await mei.slash(evening.channel, "table close")
    await evening.take_bank(mei, next_board := await evening.open_table(mei), 1, 10)
    second = await evening.panel(mei, next_board)
    await evening.until(lambda: first not in mei.sees(evening.channel), "the first is deleted")
    await evening.settle_down()
    assert second in mei.sees(evening.channel)


@pytest.mark.thorough
async def test_a_panel_is_edited_once_or_twice_a_round_beside_its_own_presses(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Longer than the time between the two presses, also on a slow machine.
    monkeypatch.setattr("bot.ui.hand.panels.QUIET_SECONDS", 30.0)
    board, (mei, alice) = await evening.table_of("Mei", "Alice", lowest=1, highest=10)
    await alice.click(board, "1")
    await evening.board_says(board, "Showdown")
    own, banks = await evening.panel(alice, board), await evening.panel(mei, board)
    edited: list[int] = []

    async def edit_and_note(response: Response, content: Content) -> None:
        edited.append(response.interaction.user.id)
        await edit_response(response, content)

    monkeypatch.setattr("bot.ui.hand.message.edit_response", edit_and_note)
    await alice.click(own, "Reveal")
    await mei.click(banks, "Reveal")
    await evening.until(lambda: "Round 1: your" in own.text, "the panel has the result")
    await evening.until(lambda: "as the banker" in banks.text, "the banker's panel has it too")
    await asyncio.sleep(0.5)
    assert edited.count(alice.id) <= 2, "her hand, then the bank's"
    assert edited.count(mei.id) <= 1


def once_they_look(
    evening: Evening,
    monkeypatch: pytest.MonkeyPatch,
    person: Person,
    meanwhile: Callable[[], Awaitable[object]],
) -> None:
    """Lets something happen while the panel is made that a person asks for next."""
    identities = evening.bot.croupier.identities
    party_of, asked = identities.party_of, 0

    async def late_party_of(server_id: int, user: User) -> int:
        nonlocal asked
        party = await party_of(server_id, user)
        asked += user.user_id == person.id
        # The router asks first, then the panel, which has read the table by then.
        if asked == 2:
            monkeypatch.setattr(identities, "party_of", party_of)
            await meanwhile()
        return party

    monkeypatch.setattr(identities, "party_of", late_party_of)


async def test_a_panel_that_is_opened_as_its_round_ends_turns_the_banks_hand(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    board, (mei, alice) = await evening.table_of("Mei", "Alice", lowest=1, highest=10)
    await alice.click(board, "1")
    await evening.can_press(board, "Reveal")
    await alice.click(board, "Reveal")
    once_they_look(evening, monkeypatch, alice, lambda: mei.click(board, "Reveal"))
    shown = await evening.panel(alice, board)
    await evening.board_says(shown, "Round 1: your", "Wallet")


async def test_a_panel_follows_its_table_though_another_process_has_answered_a_press_on_it(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both take each press while a deploy overlaps."""
    evening.rules = evening.rules.model_copy(update={"last_call_seconds": 60})
    board, (mei, alice) = await evening.table_of("Mei", "Alice", lowest=1, highest=10)
    own = await evening.panel(mei, board)

    async def told_by_another(interaction: Interaction, content: Content) -> bool:
        monkeypatch.undo()
        await respond(interaction, Content(text_view("Try again.")))
        return False

    monkeypatch.setattr("bot.wire.requests.update", told_by_another)
    assert message_of(await press_own(mei, own, "Refresh")).text == "Try again."
    await alice.click(board, "1")
    await evening.board_says(own, "You bank: 1 bet")


@pytest.mark.parametrize("is_open", [False, True])
async def test_a_panel_that_is_shown_while_something_changes_shows_it(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, is_open: bool
) -> None:
    monkeypatch.setattr("bot.ui.hand.panels.QUIET_SECONDS", 0.1)
    evening.rules = evening.rules.model_copy(update={"last_call_seconds": 60})
    board, (mei, alice, bob) = await evening.table_of("Mei", "Alice", "Bob", lowest=1, highest=10)
    await evening.press(bob, board, "Join")
    if is_open:
        await evening.panel(mei, board)
    once_they_look(evening, monkeypatch, mei, lambda: alice.click(board, "1"))
    shown = await evening.panel(mei, board)
    await evening.until(lambda: "You bank: 1 bet" in shown.text, "the panel counts the bet")
