"""An evening for points: no chips, running scores at the table, and a leaderboard of points (G22)."""

import re

import pytest

from bot.table.state import Phase
from bot.words.translation import signed_points
from tests.cogs.seated_tables import open_game, said
from tests.e2e.evening import MENU, Evening, taken


@pytest.mark.thorough
async def test_g22_a_round_for_points_costs_no_chips_and_keeps_the_score(evening: Evening) -> None:
    alice, bob, mei = evening.persons("Alice", "Bob", "Mei")
    board = await open_game(evening, mei, play="points")
    assert taken(await mei.click(board, "Take the bank"))
    await evening.press(alice, board, "Join")
    assert taken(await bob.click(board, "I'm in"))
    assert taken(await alice.click(board, "I'm in"))
    await evening.have_cards(alice, bob, mei)
    assert "Your score: ±0 points" in alice.sees(alice.dm())[0].text
    await evening.reveal(board, alice, bob, mei)
    last = evening.table().last
    assert last is not None
    points = {evening.person_of(one.party).id: one.chips for one in last.players}
    points[mei.id] = last.bank_chips
    assert sum(points.values()) == 0
    for person in (alice, bob, mei):
        who = f"<@{person.id}> banks" if person is mei else f"<@{person.id}>"
        await evening.board_says(board, f"{who} · {signed_points(points[person.id])}")
    assert set((await evening.chips(alice, bob, mei)).values()) == {1000}

    reply = await alice.slash(evening.channel, "leaderboard", of="points")
    assert reply.message is not None
    for person in (one for one in (alice, bob, mei) if points[one.id]):
        assert f" {person.name} · {signed_points(points[person.id])}" in reply.message.text
    if points[alice.id]:
        own = rf"-# <@{alice.id}> is number \d with {re.escape(signed_points(points[alice.id]))}"
        assert re.search(own, reply.message.text)
    for person in (alice, bob, mei):
        wallet = said(await person.slash(evening.channel, "wallet"))
        assert "**1,000 chips** free" in wallet
        # Without a win or a loss there is no score to show; a win and a loss can still add up to zero.
        said_of_points = f"**{signed_points(points[person.id])}** at tables for points" in wallet
        assert said_of_points or not points[person.id]


@pytest.mark.thorough
async def test_g22_one_click_in_a_direct_message_joins_the_round(evening: Evening) -> None:
    alice, mei = evening.persons("Alice", "Mei")
    board = await open_game(evening, mei, play="points")
    await mei.click(board, "Take the bank")
    await alice.click(board, "I'm in")
    await evening.have_cards(alice)
    await evening.reveal(board, alice, mei)
    own = alice.sees(alice.dm())[0]
    await evening.can_press(own, "I'm in")
    assert (await alice.click(own, "I'm in")).kind == "update"
    await evening.until(lambda: evening.table().phase is Phase.DEALT, "the cards are dealt again")
    assert evening.table().round_number == 2


async def test_the_points_leaderboard_before_anybody_has_points(evening: Evening) -> None:
    alice, _ = evening.persons("Alice", "Mei")
    reply = await alice.slash(evening.channel, "leaderboard", of="points")
    assert reply.message is not None
    assert "Nobody has points here yet" in reply.message.text
    assert "at tables for points" not in said(await alice.slash(evening.channel, "wallet"))


async def test_a_member_without_points_reads_so_and_chips_have_their_own_leaderboard(
    evening: Evening,
) -> None:
    alice, mei, zed = evening.persons("Alice", "Mei", "Zed")
    board = await open_game(evening, mei, play="points")
    await mei.click(board, "Take the bank")
    await alice.click(board, "I'm in")
    await evening.until(lambda: evening.table().phase is Phase.DEALT, "the cards are dealt")
    await evening.reveal(board, alice, mei)
    reply = await zed.slash(evening.channel, "leaderboard", of="points")
    assert reply.message is not None
    last = evening.table().last
    assert last is not None
    if last.bank_chips:
        assert f"<@{zed.id}> has no points here yet" in reply.message.text
    for options in ({}, {"of": "chips"}):
        reply = await zed.slash(evening.channel, "leaderboard", **options)
        assert reply.message is not None
        assert "Most chips" in reply.message.text
        assert f" {zed.name} · 1,000 chips" in reply.message.text


async def test_g22_nobody_is_asked_for_bets_at_a_table_for_points(evening: Evening) -> None:
    alice, bob, mei = evening.persons("Alice", "Bob", "Mei")
    board = await open_game(evening, mei, play="points")
    await mei.click(board, "Take the bank")
    await evening.press(alice, board, "Join")
    await evening.press(bob, board, "Join")
    menu = board.select(MENU)
    assert menu is not None
    assert not any("bet" in (one.description or "") for one in menu.options)
    await alice.click(board, "I'm in")
    panel = await evening.panel(alice, board)
    assert "Take my bet back" not in {one.label for one in panel.buttons()}
    await alice.click(panel, "I'm out")
    await alice.click(board, "I'm in")
    await evening.press(bob, board, "I'm in")
    await evening.until(lambda: evening.table().phase is Phase.DEALT, "the cards are dealt")
    zed = evening.person("Zed")
    refused = said(await zed.click(board, "Reveal"))
    assert refused == "You have no hand in this round. Press **I'm in** before the next deal."
    closed = said(await mei.slash(evening.channel, "table close"))
    assert "bets" not in closed
