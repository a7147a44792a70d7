"""Computer players at the croupier's tables: whose chips they bet, and what the audit says (B07)."""

import asyncio
from collections import Counter

import pytest

from bot.croupier.handouts import Bankroll, bankroll, set_bankroll
from bot.croupier.identities import User
from bot.croupier.open_tables import ChipsMoved
from bot.croupier.standings import Standings
from bot.croupier.wallets import HOUSE_CHIPS
from bot.games.gnau.rules import GnauRules
from bot.games.register import GAMES
from bot.rules.knobs import HouseBank, Play
from bot.table.commands import Deal, PlayHouse, RevealHand, TakeBank
from bot.table.state import COMPUTERS, THE_HOUSE, Phase, TableState
from tests.croupier.croupier_house import ALICE, BOB, CHAN, MEI, SERVER, House

ONE, TWO, THREE = COMPUTERS


@pytest.fixture
def house(house: House) -> House:
    """A house with three computer players."""
    house.rules = GnauRules(computer_players=3, last_call_seconds=0)
    return house


def stakes(table: TableState) -> list[int | None]:
    """What the computer players at the table have bet."""
    return [seat.stake for seat in table.computers]


async def banked(house: House, banker: int = MEI) -> TableState:
    """A table where a member banks alone, and computer players have bet if they could."""
    return house.table(await house.open_with_bank(banker))


async def dealt_to_computers(house: House) -> TableState:
    """A round that Mei, who banks alone, has dealt to three computer players."""
    table = await banked(house)
    return await house.do(table.table_id, Deal(MEI), MEI)


@pytest.mark.thorough
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("play", Play)
async def test_b07_a_round_of_a_member_and_three_computer_players_against_the_house(
    house: House, game: str, play: Play
) -> None:
    house.rules = GAMES[game].rules(play=play, computer_players=3)
    table = await house.open(ALICE)
    await house.do(table.table_id, PlayHouse(ALICE, house.rules), ALICE)
    dealt = await house.bet(table.table_id, ALICE, 1)
    assert dealt.phase is Phase.DEALT
    assert all(seat.revealed for seat in dealt.computers)
    assert len(dealt.bets) == 4
    await house.check()
    after = await house.do(table.table_id, RevealHand(ALICE), ALICE)
    assert after.last is not None
    assert {player.party for player in after.last.players} == {ALICE, *COMPUTERS}
    await house.check()
    await house.restart()
    assert house.table(table.table_id) == after


async def test_b07_a_lone_banker_plays_computer_players_with_chips_of_the_house(house: House) -> None:
    dealt = await dealt_to_computers(house)
    assert dealt.phase is Phase.DEALT
    held = 7 * (5 + 10 + 15)
    assert await bankroll(house.croupier, SERVER) == Bankroll(HOUSE_CHIPS - held, held)
    await house.check()
    told: list[ChipsMoved] = []
    house.croupier.listeners.add(lambda _: None, told.append)
    had = await house.ledger.wallets(SERVER, [MEI, THE_HOUSE])
    after = await house.do(dealt.table_id, RevealHand(MEI), MEI)
    assert after.last is not None
    assert after.staked == dealt.staked, "what is held is the same again, and what they have free is not"
    moved = Counter[int]()
    for one in told:
        moved.update(one.more)
    have = await house.ledger.wallets(SERVER, [MEI, THE_HOUSE])
    assert all(moved[party] == have[party] - had[party] for party in (*had, *moved))
    purse = await house.ledger.purse(SERVER, MEI)
    assert purse.total == 1000 + after.last.bank_chips
    assert (await bankroll(house.croupier, SERVER)).total == HOUSE_CHIPS - after.last.bank_chips
    await house.check()


async def test_b07_the_bankroll_counts_what_is_held_for_computer_players(house: House) -> None:
    await banked(house)
    held = 7 * 30
    assert await set_bankroll(house.croupier, SERVER, 500, "1") == Bankroll(500 - held, held)
    assert await set_bankroll(house.croupier, SERVER, 0, "2") == Bankroll(0, held)
    await house.check()


async def test_b07_tables_that_bet_the_same_chips_of_the_house_spend_them_once(house: House) -> None:
    house.rules = GnauRules(computer_players=3, house_bank=HouseBank.OFF)
    await set_bankroll(house.croupier, SERVER, 7 * 50, "1")
    tables = await asyncio.gather(*(banked(house, banker) for banker in (MEI, ALICE, BOB, CHAN)))
    bets = [stake for table in tables for stake in stakes(table) if stake]
    assert sum(bets) == 50
    assert await bankroll(house.croupier, SERVER) == Bankroll(0, 7 * 50)
    await house.check()


async def test_b07_computer_players_are_on_no_leaderboard(house: House) -> None:
    dealt = await dealt_to_computers(house)
    await house.do(dealt.table_id, RevealHand(MEI), MEI)
    points = await house.croupier.open_table(SERVER, 77, ALICE, house.fresh(), play=Play.POINTS)
    rules = house.croupier.rules_for(points)
    await house.do(points.table_id, TakeBank(ALICE, 1, 1, rules), ALICE)
    for _ in range(5):
        await house.do(points.table_id, Deal(ALICE), ALICE)
        await house.do(points.table_id, RevealHand(ALICE), ALICE)
    scores = await house.ledger.stacks.of_all(SERVER, COMPUTERS)
    assert any(stack.score for stack in scores.values())
    async for _ in Standings(house.ledger).count_all():
        pass
    found = [await house.ledger.standings_of(party) for party in (THE_HOUSE, *COMPUTERS)]
    assert not any(found)
    await house.check()


async def test_after_a_restart_what_a_press_needs_of_everybody_at_a_table_is_in_memory(house: House) -> None:
    house.rules = GnauRules(computer_players=1)
    alice = await house.croupier.identities.party_of(SERVER, User(4711, "Alice", "en-US"))
    table_id = await house.open_with_bank(players=(alice,))
    await house.restart()
    there = house.table(table_id).parties | {THE_HOUSE}
    assert {alice, MEI} < there
    assert {(SERVER, party) for party in there} <= house.ledger.stacks.values.keys()
    assert 4711 in house.ledger.direct_channels.values
