"""Tables for points: no chips, running scores that may go below zero, and a leaderboard of points (G22)."""

import json

import pytest

from bot.games.hands import evaluate
from bot.games.register import GAMES
from bot.games.settle import settle
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.table.round_proof import first_mismatch
from bot.table.state import Phase, TableState
from bot.words.translation import signed, signed_points
from tests.e2e.answers import message_of, said
from tests.e2e.evening import MENU, Evening
from tests.sizes import sample

MOST_ROUNDS = 60


async def play(evening: Evening, board: Message) -> TableState:
    """Plays a round with everybody; returns the table from while the hands were dealt."""
    banker, players = evening.banker_and_players()
    await evening.can_press(board, "I'm in")
    for player in players:
        await player.click(board, "I'm in")
    await evening.until(lambda: evening.table().pieces_of(evening.party(banker)), "the hands are dealt")
    table = evening.table()
    await evening.reveal(board, banker, *players)
    return table


def points_of(table: TableState) -> dict[int, int]:
    """Each member's gain in the round whose hands are dealt."""
    assert table.bank is not None
    banker = evaluate(table.bank.pieces, table.rules)
    gained = {
        seat.party: settle(evaluate(seat.pieces, table.rules), banker, table.rules).units
        for seat in table.seats
        if seat.pieces
    }
    return gained | {table.bank.party: -sum(gained.values())}


async def standings(evening: Evening, people: list[Person]) -> dict[int, int]:
    """The running scores; members without a win or a loss are omitted."""
    ledger = evening.bot.croupier.ledger
    parties = list(map(evening.party, people))
    return {party: (await ledger.purse(evening.server.id, party)).score for party in parties}


@pytest.mark.parametrize("game", sample(GAMES))
async def test_g22_scores_run_on_and_go_below_zero_and_no_chip_moves(evening: Evening, game: str) -> None:
    evening.expect_haste()
    board, *_ = await evening.seated_table(game, "Mei", "Alice", "Bob", play="points")
    banker, players = evening.banker_and_players()
    everybody = [banker, *players]
    await evening.board_says(board, "for points")
    scores = dict.fromkeys(map(evening.party, everybody), 0)
    for _ in range(MOST_ROUNDS):
        table = await play(evening, board)
        for party, points in points_of(table).items():
            scores[party] += points
        assert await standings(evening, everybody) == scores
        if table.round_number > 1 and all(scores.values()):
            break
    assert min(scores.values()) < 0
    assert sum(scores.values()) == 0
    bank, banked = evening.table().bank, evening.last_round().banker
    for party, score in scores.items():
        # Whose turn as the banker it is now has the score there.
        turn = bank is not None and bank.party == party != banked
        said_of = f"banks · {signed_points(score)}" if turn else f"** → {signed(score)}"
        await evening.board_says(board, f"<@{evening.person_of(party).id}>", said_of)
    assert set((await evening.chips(*everybody)).values()) == {1000}

    ranked = sorted(everybody, key=lambda person: -scores[evening.party(person)])
    first, own = ranked[0], scores[evening.party(ranked[0])]
    await evening.counted()
    leaders = message_of(await first.slash(evening.channel, "leaderboard", of="points")).text
    *lines, last = [
        line for line in leaders.splitlines() if any(one.name in line for one in everybody) or "<@" in line
    ]
    assert f"<@{first.id}> is number 1 with {signed_points(own)}" in last
    for line, person in zip(lines, ranked, strict=True):
        assert signed_points(scores[evening.party(person)]) in line
    wallet = message_of(await first.slash(evening.channel, "wallet"))
    assert signed_points(own) in wallet.text
    shown = await evening.told_alone(first, "round show")
    assert "point" in shown.text
    record = evening.discord.world.files[shown.attachments[-1].id].decode()
    assert first_mismatch(record) is None
    assert json.loads(record)["sheet"]["rules"]["play"] == "points"


async def test_chips_and_points_have_their_own_leaderboard(evening: Evening) -> None:
    evening.expect_haste()
    board, mei, (alice,) = await evening.seated_table("gnau", "Mei", "Alice", play="points")
    zed = evening.person("Zed")
    leaders = message_of(await zed.slash(evening.channel, "leaderboard", of="points"))
    assert "Nobody has points here yet" in leaders.text
    assert "at tables for points" not in said(await zed.slash(evening.channel, "wallet"))
    await alice.click(board, "I'm in")
    await evening.have_cards(alice)
    (own,) = alice.sees(alice.dm())
    await evening.reveal(board, mei, alice)
    await evening.can_press(own, "I'm in")
    assert (await alice.click(own, "I'm in")).kind == "update"
    await evening.until(lambda: evening.table().phase is Phase.DEALT, "one click in a message is enough")
    await evening.reveal(board, mei, alice)
    while not evening.last_round().bank_chips:
        await play(evening, board)
    await evening.counted()
    leaders = message_of(await zed.slash(evening.channel, "leaderboard", of="points"))
    assert f"<@{zed.id}> has no points here yet" in leaders.text
    for options in ({}, {"of": "chips"}):
        leaders = message_of(await zed.slash(evening.channel, "leaderboard", **options))
        assert "Most chips" in leaders.text
        assert f" {alice.name} · 1,000 chips" in leaders.text
        assert f"<@{zed.id}> isn't on this leaderboard: play a round" in leaders.text


async def test_g22_nobody_is_asked_for_bets_or_chips_at_a_table_for_points(evening: Evening) -> None:
    board, mei, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob", play="points")
    zed = evening.person("Zed")
    labels = {button.label for button in board.buttons()}
    assert not labels & {"Again", "Other…", "Back a player", "Set limits…", "5", "10"}
    menu = board.select(MENU)
    assert menu is not None
    assert not any("bet" in (one.description or "") for one in menu.options)
    for action in ("side_bets", "limits", "bet:20"):
        press = f"gnau:{evening.table().table_id}:{evening.table().round_number}:{action}"
        assert (await zed.press_raw(board, press)).kind != "failed", action
    assert not evening.table().side_bets
    assert (await alice.slash(evening.channel, "bet", amount=20)).kind != "failed"
    panel = await evening.panel(alice, board)
    assert "Take my bet back" not in {one.label for one in panel.buttons()}
    await alice.choose(panel, MENU, "I'm out")
    for player in (alice, bob):
        await evening.press(player, board, "I'm in")
    await evening.until(lambda: evening.table().phase is Phase.DEALT, "the cards are dealt")
    dora = evening.person("Dora")
    refused = said(await dora.click(board, "Reveal"))
    assert refused == "You have no hand in this round. Press **I'm in** before the next deal."
    closed = said(await mei.slash(evening.channel, "table close"))
    assert "bets" not in closed
    assert set((await evening.chips(zed, mei, alice, bob)).values()) == {1000}
