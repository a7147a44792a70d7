"""Arranging a hand in a direct message or behind "My hand", and "Why this hand?" (B04)."""

import asyncio
import re

import pytest

from bot.games.hands import declared, evaluate
from bot.games.register import game_of
from bot.practice.component_tree import Kind
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.rules.knobs import Arrange as ArrangedBy
from bot.rules.knobs import Dealing
from bot.table.seats import Seat
from bot.table.state import Phase
from bot.ui.press.custom_ids import ANY_ROUND, Press, PressAction
from bot.words.hands import hand_name, rule_words
from tests.e2e.evening import Evening
from tests.e2e.seated_tables import id_of, message_of, said

MENU = "The three of your ox…"
THREES = [(a, b, c) for a in range(5) for b in range(a + 1, 5) for c in range(b + 1, 5)]


async def dealt(
    evening: Evening, arrange: ArrangedBy, *, dms_open: bool = True
) -> tuple[Message, Person, Person]:
    """A table where Alice, and Mei as banker, hold cards that they may arrange."""
    evening.rules = evening.rules.model_copy(update={"arrange": arrange})
    alice, mei = evening.persons("Alice", "Mei")
    alice.dms_open = dms_open
    board = await evening.open_table(mei)
    await evening.take_bank(mei, board)
    await alice.click(board, "20")
    await evening.until(lambda: evening.table().phase is Phase.DEALT, "the cards are dealt")
    return board, alice, mei


async def own_message(evening: Evening, alice: Person) -> Message:
    await evening.have_cards(alice)
    return alice.sees(alice.dm())[0]


def seat(evening: Evening, person: Person) -> Seat:
    found = evening.table().seat_of(evening.party(person))
    assert found is not None
    return found


def cards_in(text: str) -> list[str]:
    return re.findall(r"[\dAJQK]+[♠♥♦♣]", text)


def wrong_and_right(
    evening: Evening, person: Person
) -> tuple[tuple[int, ...] | None, tuple[int, ...] | None]:
    """Three cards of this person that make no ox, and three that do; None where there are none."""
    table, pieces = evening.table(), evening.table().pieces_of(evening.party(person))

    def is_ox(three: tuple[int, ...]) -> bool:
        return game_of(table.rules).is_ox([pieces[at] for at in three], table.rules)

    return (
        next((three for three in THREES if not is_ox(three)), None),
        next((three for three in THREES if is_ox(three)), None),
    )


@pytest.mark.parametrize("place", ["direct message", "my hand"])
async def test_b04_a_hand_is_arranged_in_the_message_that_shows_it(evening: Evening, place: str) -> None:
    board, alice, _ = await dealt(evening, ArrangedBy.STRICT)
    if place == "my hand":
        reply = await alice.click(board, "My hand")
        assert reply.message is not None
        message = reply.message
    else:
        message = await own_message(evening, alice)
    before = message.gallery()[0].url
    assert "Pick the three cards of your ox" in message.text
    for three in ((0, 1, 2), (1, 3, 4)):
        reply = await alice.choose(message, MENU, *map(str, three))
        assert reply.kind == "update"
        assert seat(evening, alice).declared_ox == three
        hand = declared(evening.table().pieces_of(evening.party(alice)), three, evening.table().rules)
        assert f"**{hand_name(hand)}**" in message.text
    assert message.gallery()[0].url != before
    assert len(message.gallery()) == 1


async def test_b04_an_assisted_house_explains_a_wrong_three_and_keeps_the_hand(evening: Evening) -> None:
    _, alice, _ = await dealt(evening, ArrangedBy.ASSISTED)
    message = await own_message(evening, alice)
    wrong, right = wrong_and_right(evening, alice)
    if right is not None:
        await alice.choose(message, MENU, *map(str, right))
    if wrong is not None:
        reply = await alice.choose(message, MENU, *map(str, wrong))
        assert reply.kind == "update"
        assert "not a multiple of 10" in message.text
        assert "Pick another three" in message.text
    assert seat(evening, alice).declared_ox == right


@pytest.mark.thorough
async def test_b04_arrange_it_for_me_makes_the_strongest_hand(evening: Evening) -> None:
    board, alice, mei = await dealt(evening, ArrangedBy.STRICT)
    message = await own_message(evening, alice)
    best = evaluate(evening.table().pieces_of(evening.party(alice)), evening.table().rules)
    assert (await alice.click(message, "Arrange it for me")).kind == "update"
    assert f"**{hand_name(best)}**" in message.text
    await evening.reveal(board, alice, mei)
    await evening.board_says(board, "-# 🧾 1")
    (line,) = (line for line in board.text.splitlines() if f"<@{alice.id}>" in line)
    assert f" {hand_name(best)} " in line


@pytest.mark.thorough
async def test_b04_of_two_choices_at_once_one_counts(evening: Evening) -> None:
    _, alice, _ = await dealt(evening, ArrangedBy.STRICT)
    message = await own_message(evening, alice)
    replies = await asyncio.gather(
        *(alice.choose(message, MENU, *map(str, three)) for three in ((0, 1, 2), (2, 3, 4)))
    )
    assert {reply.kind for reply in replies} == {"update"}
    assert seat(evening, alice).declared_ox in ((0, 1, 2), (2, 3, 4))


async def test_b04_an_old_menu_says_that_its_round_is_over(evening: Evening) -> None:
    board, alice, mei = await dealt(evening, ArrangedBy.STRICT)
    message = await own_message(evening, alice)
    menu, old = message.select(MENU), message.button("Arrange it for me")
    assert menu is not None
    assert old is not None
    assert old.custom_id is not None
    await evening.reveal(board, alice, mei)
    assert "Those buttons are from round 1" in said(await alice.press_raw(message, old.custom_id))
    forged = await alice.press_raw(message, menu.custom_id, kind=Kind.STRING_SELECT)
    assert "You picked nothing" in said(forged)


async def test_b04_a_revealed_hand_cannot_be_arranged(evening: Evening) -> None:
    board, alice, _ = await dealt(evening, ArrangedBy.STRICT)
    message = await own_message(evening, alice)
    old = id_of(message, "Arrange it for me")
    await alice.click(board, "Reveal")
    assert "already revealed" in said(await alice.press_raw(message, old))


@pytest.mark.thorough
async def test_b04_a_player_with_closed_messages_arranges_behind_my_hand(evening: Evening) -> None:
    evening.expect_fault(403)
    board, alice, _ = await dealt(evening, ArrangedBy.STRICT, dms_open=False)
    answer = message_of(await alice.click(board, "My hand"))
    await alice.choose(answer, MENU, "0", "1", "2")
    assert seat(evening, alice).declared_ox == (0, 1, 2)


@pytest.mark.parametrize("dealing", list(Dealing))
async def test_who_squeezes_sees_the_last_card_by_a_press_of_their_own(
    evening: Evening, dealing: Dealing
) -> None:
    evening.rules = evening.rules.model_copy(update={"dealing": dealing})
    board, alice, mei = await dealt(evening, ArrangedBy.AUTOMATIC)
    own = await evening.panel(alice, board)
    assert (await alice.click(own, "Squeeze")).kind == "update"
    assert "From your next hand on" in own.text
    assert len(cards_in(own.text)) == 5, "they have seen this one"
    await evening.reveal(board, alice, mei)
    await evening.restart()
    await alice.click(board, "5")
    await evening.until(lambda: evening.table().phase is Phase.DEALT, "the cards are dealt")
    if dealing is Dealing.MESSAGES:
        await evening.have_cards(alice, messages=2)
        message = alice.sees(alice.dm())[-1]
    else:
        message = await evening.panel(alice, board)
    *_, last = (evening.table().game.pieces.shown(one) for one in seat(evening, alice).pieces)
    assert "One card is still face down." in message.text
    assert len(cards_in(message.text)) == 4
    assert last not in message.text
    assert message.button("Why this hand") is None
    (shown,) = message.gallery()
    assert (shown.description or "").endswith("face down")
    assert (await alice.click(message, "See the last card")).kind == "update"
    assert last in message.text
    assert message.button("Why this hand") is not None
    assert "face down" not in (message.gallery()[0].description or "")
    told = (await evening.told_alone(alice, "privacy show")).text
    assert "squeeze your hands" in told

    await alice.click(message, "Don't squeeze")
    await evening.reveal(board, alice, mei)
    assert "face down" not in message.text


@pytest.mark.thorough
async def test_why_this_hand_lists_every_arrangement_also_after_the_showdown(evening: Evening) -> None:
    board, alice, mei = await dealt(evening, ArrangedBy.AUTOMATIC)
    message = await own_message(evening, alice)
    table = evening.table()
    hand = evaluate(table.pieces_of(evening.party(alice)), table.rules)
    best = hand_name(hand)
    during = said(await alice.click(message, "Why this hand"))
    assert during.splitlines()[0].startswith(f"### Round 1 · {best} · ")
    assert during.splitlines()[1] == rule_words(hand, table.rules)
    assert during.splitlines()[2].startswith(f"1. **{best}**")
    await evening.reveal(board, alice, mei)
    assert said(await alice.click(message, "Why this hand")) == during
    assert said(await evening.press(alice, board, "Why this hand")) == during
    hers = said(await evening.press(mei, board, "Why this hand"))
    assert hers.splitlines()[0] != during.splitlines()[0]


@pytest.mark.thorough
async def test_why_this_hand_on_an_old_message_points_to_the_newest_hand(evening: Evening) -> None:
    board, alice, mei = await dealt(evening, ArrangedBy.AUTOMATIC)
    message = await own_message(evening, alice)
    old = id_of(message, "Why this hand")
    for _ in range(2):
        await evening.reveal(board, alice, mei)
        await alice.click(board, "20")
        await evening.until(lambda: evening.table().phase is Phase.DEALT, "the cards are dealt again")
    assert "from an earlier round" in said(await alice.press_raw(message, old))


async def test_why_this_hand_needs_a_hand(evening: Evening) -> None:
    (mei,) = evening.persons("Mei")
    board = await evening.open_table(mei)
    why = Press(PressAction.WHY, evening.table().table_id, ANY_ROUND)
    assert "haven't had a hand here" in said(await mei.press_raw(board, why.custom_id))
