"""Tables for points: no chips, running scores that may go below zero, and a leaderboard of points (G22)."""

import pytest

from bot.games.hands import evaluate
from bot.games.register import GAMES
from bot.games.settle import settle
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.rules.knobs import Play
from bot.table.state import Phase, TableState
from bot.words.translation import signed_points
from tests.e2e.evening import MENU, Evening, taken
from tests.e2e.seated_tables import message_of, open_game, said
from tests.sizes import sample

MOST_ROUNDS = 60


async def a_table(evening: Evening, game: str, *names: str) -> tuple[Message, list[Person]]:
    """A table that plays for points; the first of these people is banker, the others sit."""
    people = evening.persons(*names)
    board = await evening.open_table(people[0], game=game, play="points")
    if not GAMES[game].rolls_for_bank:
        # A game for points has no limits to ask for.
        reply = await people[0].click(board, "Take the bank")
        assert taken(reply), reply.modal or reply.message
        for person in people[1:]:
            await evening.press(person, board, "Join")
        return board, people
    banker, players = await evening.roll_dice(board, *people)
    return board, [banker, *players]


async def play(evening: Evening, board: Message, everybody: list[Person]) -> TableState:
    """Plays a round with everybody; returns the table from while the hands were dealt."""
    banker, players = evening.banker_and_players()
    await evening.can_press(board, "I'm in")
    for player in players:
        await player.click(board, "I'm in")
    await evening.until(lambda: evening.table().pieces_of(evening.party(banker)), "the hands are dealt")
    table = evening.table()
    await evening.reveal(board, banker, *players)
    return table


def points_of(table: TableState, everybody: list[Person]) -> dict[int, int]:
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
    found = {party: await ledger.rank(evening.server.id, Play.POINTS, party) for party in parties}
    return {party: standing.amount if standing else 0 for party, standing in found.items()}


@pytest.mark.parametrize("game", sample(GAMES))
async def test_g22_scores_run_on_and_go_below_zero_and_no_chip_moves(evening: Evening, game: str) -> None:
    evening.expect_haste()
    board, everybody = await a_table(evening, game, "Mei", "Alice", "Bob")
    await evening.board_says(board, "for points")
    scores = dict.fromkeys(map(evening.party, everybody), 0)
    for _ in range(MOST_ROUNDS):
        table = await play(evening, board, everybody)
        for party, points in points_of(table, everybody).items():
            scores[party] += points
        assert await standings(evening, everybody) == scores
        if min(scores.values()) < 0 < table.round_number - 1:
            break
    assert min(scores.values()) < 0
    assert sum(scores.values()) == 0
    for party, score in scores.items():
        await evening.board_says(board, f"<@{evening.person_of(party).id}>", signed_points(score))
    owned = await evening.chips(*everybody)
    assert set(owned.values()) == {1000}


@pytest.mark.thorough
async def test_g22_the_leaderboard_of_points_ranks_scores_below_zero_too(evening: Evening) -> None:
    evening.expect_haste()
    board, everybody = await a_table(evening, "gnau", "Mei", "Alice", "Bob")
    scores = dict.fromkeys(map(evening.party, everybody), 0)
    for _ in range(MOST_ROUNDS):
        for party, points in points_of(await play(evening, board, everybody), everybody).items():
            scores[party] += points
        if all(scores.values()):
            break
    answer = message_of(await everybody[0].slash(evening.channel, "leaderboard", of="points"))
    ranked = sorted(scores.values(), reverse=True)
    named = [f"<@{everybody[0].id}>", *(f" {person.name} · " for person in everybody)]
    *lines, own = [line for line in answer.text.splitlines() if any(name in line for name in named)]
    score = scores[evening.party(everybody[0])]
    assert f"<@{everybody[0].id}> is number {ranked.index(score) + 1} with {signed_points(score)}" in own
    assert len(lines) == 3
    for line, score in zip(lines, ranked, strict=True):
        assert signed_points(score) in line
    wallet = message_of(await everybody[1].slash(evening.channel, "wallet"))
    assert signed_points(scores[evening.party(everybody[1])]) in wallet.text


@pytest.mark.thorough
async def test_g22_a_table_for_points_asks_nobody_for_chips(evening: Evening) -> None:
    board, everybody = await a_table(evening, "tau-ngau", "Mei", "Alice", "Bob")
    labels = {button.label for button in board.buttons()}
    assert not labels & {"Again", "Other…", "Side bet…", "Set limits…", "5", "10"}
    zed = evening.person("Zed")
    for action in ("side_bets", "limits", "bet:20"):
        press = f"gnau:{evening.table().table_id}:{evening.table().round_number}:{action}"
        reply = await zed.press_raw(board, press)
        assert reply.kind != "failed", action
    assert not evening.table().side_bets
    assert set((await evening.chips(zed, *everybody)).values()) == {1000}
    bet = await everybody[1].slash(evening.channel, "bet", amount=20)
    assert bet.kind != "failed"
    assert set((await evening.chips(*everybody)).values()) == {1000}


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
    answer = message_of(await alice.slash(evening.channel, "leaderboard", of="points"))
    assert "Nobody has points here yet" in answer.text
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
    answer = message_of(await zed.slash(evening.channel, "leaderboard", of="points"))
    last = evening.last_round()
    if last.bank_chips:
        assert f"<@{zed.id}> has no points here yet" in answer.text
    for options in ({}, {"of": "chips"}):
        answer = message_of(await zed.slash(evening.channel, "leaderboard", **options))
        assert "Most chips" in answer.text
        assert f" {zed.name} · 1,000 chips" in answer.text


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
