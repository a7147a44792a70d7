"""Side bets and points, from the croupier to the disk."""

import pytest

from bot.games.gnau.rules import GnauRules
from bot.ledger.audit import audit
from bot.ledger.records import Standing
from bot.rules.knobs import Play
from bot.table.commands import Deal, MemberLeft, PlaceBet, PlaceSideBet, TakeBank, WithdrawSideBet
from bot.table.refusals import Refusal, Refused
from bot.table.seats import SideBet
from tests.croupier.croupier_house import ALICE, BOB, CHAN, MEI, SERVER, House, fresh
from tests.ledger.sample_changes import identity


@pytest.fixture(autouse=True)
def time_for_side_bets(house: House) -> None:
    """Gives spectators some time after all players have bet."""
    house.rules = GnauRules()


async def test_b02_a_newcomers_side_bet_is_held_from_their_opening_chips(house: House) -> None:
    table_id = await house.open_with_bank(MEI)
    await house.bet(table_id, ALICE, 10)
    await house.do(table_id, PlaceSideBet(CHAN, ALICE, 20), CHAN)
    purse = await house.croupier.purse(SERVER, CHAN)
    assert (purse.wallet, [held.chips for held in purse.held]) == (860, [140])
    await house.check()


async def test_b01_side_bets_survive_a_restart_and_are_settled_after_it(house: House) -> None:
    table_id = await house.open_with_bank(MEI)
    await house.bet(table_id, ALICE, 10)
    await house.do(table_id, PlaceSideBet(CHAN, ALICE, 20), CHAN)
    await house.restart()
    assert house.table(table_id).side_bets == (SideBet(CHAN, ALICE, 20),)

    await house.do(table_id, Deal(MEI), MEI)
    await house.restart(go_on=False)
    house.now += house.rules.arranging_seconds
    await house.croupier.go_on()
    await house.until(lambda: house.table(table_id).last)

    last = house.table(table_id).last
    assert last is not None
    (side,), (player,) = last.side_bets, last.players
    assert (side.outcome, side.chips) == (player.outcome, 2 * player.chips)
    purses = [await house.croupier.purse(SERVER, member) for member in (MEI, ALICE, CHAN)]
    gains = [last.bank_chips, player.chips, side.chips]
    assert [purse.wallet for purse in purses] == [1000 + gain for gain in gains]
    await house.check()


async def test_b01_a_repeated_press_places_one_side_bet(house: House) -> None:
    table_id = await house.open_with_bank(MEI)
    await house.bet(table_id, ALICE, 10)
    key = str(fresh())
    for _ in range(2):
        await house.do(table_id, PlaceSideBet(CHAN, ALICE, 20), CHAN, key)
    await house.do(table_id, WithdrawSideBet(CHAN, ALICE), CHAN)
    await house.do(table_id, PlaceSideBet(CHAN, ALICE, 20), CHAN, key)
    assert house.table(table_id).side_bets == ()
    await house.check()


async def test_b06_tables_where_a_departed_member_has_only_a_side_bet_are_found(
    house: House,
) -> None:
    backed, seated, neither = [await house.open_with_bank(MEI) for _ in range(3)]
    for table_id in (backed, seated, neither):
        await house.bet(table_id, ALICE, 5)
    await house.do(backed, PlaceSideBet(CHAN, ALICE, 5), CHAN)
    await house.bet(seated, CHAN, 5)

    concerned = house.croupier.tables.concerning(SERVER, CHAN)

    assert [table.table_id for table in concerned] == [backed, seated]
    assert house.croupier.tables.concerning(SERVER + 1, CHAN) == []
    for table in concerned:
        await house.croupier.ask(table.table_id, MemberLeft(CHAN), None, str(fresh()))
    assert (await house.croupier.purse(SERVER, CHAN)).wallet == 1000
    await house.check()


async def test_g22_a_round_for_points_moves_scores_and_no_chips(house: House) -> None:
    key = fresh()
    table = await house.croupier.open_table(SERVER, 4000, MEI, key, "gnau", Play.POINTS)
    house.opened.add(table.table_id)
    await house.do(table.table_id, TakeBank(MEI, 5, 100, table.rules), MEI)
    for player in (ALICE, BOB):
        await house.do(table.table_id, PlaceBet(player, 1), player)
    refused = await house.ask(table.table_id, PlaceSideBet(CHAN, ALICE, 1), CHAN)
    assert isinstance(refused, Refused)
    assert refused.code is Refusal.PLAYED_FOR_POINTS

    await house.do(table.table_id, Deal(MEI), MEI)
    house.now += table.rules.arranging_seconds
    await house.croupier.go_on()
    await house.until(lambda: house.table(table.table_id).last)

    last = house.table(table.table_id).last
    assert last is not None
    points = {player.party: player.chips for player in last.players}
    points[MEI] = last.bank_chips
    for party, score in points.items():
        purse = await house.croupier.purse(SERVER, party)
        assert (purse.wallet, purse.held, purse.score) == (1000, (), score)
    moved = {party: score for party, score in points.items() if score}
    for party in moved:
        await house.ledger.record(identity(party, SERVER))
    board: list[Standing] = await house.ledger.scoreboard(SERVER, 10)
    assert {standing.party: standing.points for standing in board if standing.points} == moved
    assert await audit(house.ledger) == []
    await house.check()
