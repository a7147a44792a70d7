"""A whole round through real discord.py: four members, one of whom cannot be written to."""

import re
from functools import partial

import pytest

from bot.games.hands import evaluate
from bot.games.settle import settle
from bot.practice.messages import Message
from bot.rules.pieces import Hand
from bot.words.hands import hand_name, hand_words
from bot.words.translation import signed
from tests.e2e.answers import form_of, message_of
from tests.e2e.evening import Evening, taken

CARD = re.compile(r"\w+[♠♥♦♣]")


def cards(hand: Hand) -> set[str]:
    return set(CARD.findall(hand_words(hand)))


def seen_by(message: Message) -> set[str]:
    """The cards that a message names or shows."""
    shown = [picture.description or "" for picture in message.gallery()]
    return set(CARD.findall(" ".join([message.text, *shown])))


@pytest.mark.thorough
# With a headline, a sign may stand between a name and a hand.
@pytest.mark.usefixtures("dealt_in_turn")
async def test_a_round_of_four_with_one_closed_dm(evening: Evening) -> None:
    alice, bob, chan, mei = evening.persons("Alice", "Bob", "Chan", "Mei")
    bob.user.dms_open = False
    evening.expect_fault(403)
    board = await evening.open_table(alice)
    assert board.button("Take the bank") is not None
    assert taken(await evening.take_bank(mei, board))
    await evening.board_says(board, f"<@{mei.id}>", "Bets 5–100", "Round 1")

    for person in (alice, bob, chan):
        await evening.press(person, board, "Join")
    await alice.click(board, "20")
    await bob.click(board, "100")
    await evening.board_says(board, "room for bets: 22")
    answer = message_of(await chan.slash(evening.channel, "bet", amount=10))
    assert answer.ephemeral

    await evening.until(lambda: len(alice.sees(alice.dm())) == 1, "Alice has cards")
    table = evening.table()
    assert [len(seat.pieces) for seat in table.seats] == [5, 5, 5]
    for person in (alice, chan, mei):
        own = partial(person.sees, person.dm())
        await evening.until(own, f"{person.name} has a message with their cards")
        hand = evaluate(table.pieces_of(evening.party(person)), table.rules)
        message = own()[0]
        # A great hand is a heading, in capitals.
        assert hand_name(hand).lower() in message.text.lower()
        assert cards(hand) <= seen_by(message)
    await evening.board_says(board, f"<@{bob.id}>: press **My hand**")
    for person in (alice, bob, chan, mei):
        for other in (alice, bob, chan, mei):
            if other is not person:
                others = cards(evaluate(table.pieces_of(evening.party(other)), table.rules))
                assert not any(others & seen_by(seen) for seen in person.sees(evening.channel))

    answer = message_of(await bob.click(board, "My hand"))
    assert answer.ephemeral
    assert cards(evaluate(table.pieces_of(evening.party(bob)), table.rules)) <= seen_by(answer)
    assert answer not in alice.sees(evening.channel)

    await bob.click(answer, "Reveal")
    await alice.click(alice.sees(alice.dm())[0], "Reveal")
    hand = evaluate(table.pieces_of(evening.party(alice)), table.rules)
    await evening.board_says(board, hand_words(hand, table.rules))
    await chan.click(board, "Reveal")
    await mei.click(board, "Reveal")

    await evening.board_says(board, "-# 🧾 receipt 1", "🔒 seal 2")
    assert len(board.gallery()) == 1
    banker = evaluate(table.pieces_of(evening.party(mei)), table.rules)
    total = 0
    owned = await evening.chips(alice, bob, chan, mei)
    for person, stake in ((alice, 20), (bob, 100), (chan, 10)):
        hand = evaluate(table.pieces_of(evening.party(person)), table.rules)
        units = settle(hand, banker, table.rules).units
        gained = units * stake
        total += gained
        assert owned[person.name] == 1000 + gained
        (line,) = (line for line in board.text.splitlines() if f"<@{person.id}> {hand_name(hand)} " in line)
        assert f" **{signed(gained)}**" in line
        assert (f" ×{units} " in line) == (units > 1)
    assert owned["Mei"] == 1000 - total
    await evening.until(
        lambda: "Round 1: your" in alice.sees(alice.dm())[0].text, "Alice's DM tells how it went"
    )


@pytest.mark.thorough
async def test_an_evening_only_in_direct_messages(evening: Evening) -> None:
    board, (mei, alice) = await evening.table_of("Mei", "Alice")
    await alice.click(board, "20")
    for number in (1, 2, 3):
        await evening.have_cards(alice, mei, rounds=number)
        mine, hers = alice.sees(alice.dm())[-1], mei.sees(mei.dm())[-1]
        await alice.click(mine, "Reveal")
        await mei.click(hers, "Reveal")
        await evening.board_says(mine, f"Round {number}: your")
        assert "20" in mine.text or "chips" in mine.text
        if number == 1:
            await alice.click(mine, "Bet 20")
        elif number == 2:
            form = form_of(await alice.click(mine, "Other…"))
            reply = await alice.submit(form, amount="30")
            assert reply.kind == "update"
    reply = await alice.slash(alice.dm(), "wallet")
    assert reply.message is not None
    assert "free" in reply.message.text
    reply = await alice.slash(alice.dm(), "bet", amount=15)
    assert reply.message is not None
    await evening.until(lambda: evening.table().pieces_of(evening.party(alice)), "dealt again")
    reply = await alice.slash(alice.dm(), "hand")
    assert reply.message is not None
    pieces = evening.table().pieces_of(evening.party(alice))
    assert cards(evaluate(pieces, evening.rules)) <= seen_by(reply.message)
