"""Houses that send no hands by direct message: "My hand" shows them, and costs almost no requests."""

import pytest

from bot.games.hands import evaluate
from bot.rules.knobs import Dealing
from bot.table.state import Phase
from bot.words.hands import hand_words
from bot.words.translation import translate
from tests.e2e.evening import Evening
from tests.e2e.seated_tables import form_of, message_of

MOST_CALLS = 2


def looks_for_hands(evening: Evening) -> None:
    evening.rules = evening.rules.model_copy(update={"dealing": Dealing.MY_HAND})


async def test_a_house_that_deals_behind_my_hand_sends_no_direct_messages(evening: Evening) -> None:
    looks_for_hands(evening)
    board, (mei, alice) = await evening.table_of("Mei", "Alice")
    await alice.click(board, "20")
    await evening.board_says(board, "Showdown", "Press **My hand** to see your cards")
    answer = message_of(await alice.click(board, "My hand"))
    assert answer.ephemeral
    table = evening.table()
    assert hand_words(evaluate(table.pieces_of(evening.party(alice)), table.rules)) in answer.text
    assert len(answer.gallery()) == 1
    await evening.reveal(board, alice, mei)
    assert not alice.sees(alice.dm())
    assert not mei.sees(mei.dm())


async def test_an_open_panel_shows_the_next_hand_without_a_click(evening: Evening) -> None:
    looks_for_hands(evening)
    board, (_, alice) = await evening.table_of("Mei", "Alice")
    await evening.press(alice, board, "Join")
    view = await evening.panel(alice, board)
    await alice.click(board, "20")
    await evening.until(lambda: evening.table().phase is Phase.DEALT, "the cards are dealt")
    table = evening.table()
    words = hand_words(evaluate(table.pieces_of(evening.party(alice)), table.rules))
    await evening.until(lambda: words in view.text, "the open panel shows Alice her cards")
    assert len(view.gallery()) == 1


async def test_my_hand_in_a_direct_message_shows_a_hand_if_none_is_sent(evening: Evening) -> None:
    looks_for_hands(evening)
    board, (_, alice) = await evening.table_of("Mei", "Alice")
    await evening.press(alice, board, "Join")
    view = message_of(await alice.slash(alice.dm(), "hand"))
    form = form_of(await alice.click(view, "Other…"))
    await alice.submit(form, amount="20")
    assert translate("panel.hand_below.card") not in view.text
    await evening.until(lambda: evening.table().phase is Phase.DEALT, "the cards are dealt")
    table = evening.table()
    words = hand_words(evaluate(table.pieces_of(evening.party(alice)), table.rules))
    await evening.until(lambda: words in view.text, "Alice sees her cards")


@pytest.mark.thorough
async def test_closed_messages_are_not_mentioned_if_the_house_sends_none(evening: Evening) -> None:
    evening.expect_fault(403)
    alice, mei = evening.persons("Alice", "Mei")
    alice.dms_open = False
    board = await evening.open_table(mei)
    await evening.take_bank(mei, board)
    for dealing, offered in ((Dealing.MESSAGES, True), (Dealing.MY_HAND, False)):
        await alice.click(board, "20")
        await evening.board_says(board, "press **My hand**" if offered else "Press **My hand**")
        answer = message_of(await alice.click(board, "My hand"))
        assert (answer.button("Message me again") is not None) is offered, dealing
        looks_for_hands(evening)
        await evening.reveal(board, alice, mei)
