"""Side bets and points, from the croupier to the disk."""

import pytest

from bot.games.gnau.rules import GnauRules
from bot.table.commands import Deal, MemberLeft, PlaceSideBet
from bot.table.seats import SideBet
from tests.croupier.croupier_house import ALICE, CHAN, MEI, SERVER, House, fresh


@pytest.fixture(autouse=True)
def time_for_side_bets(house: House) -> None:
    """Gives spectators some time after all players have bet."""
    house.rules = GnauRules()


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
