"""The house as banker at the croupier's tables: its bankroll, its rounds, and what the audit says (B07)."""

import asyncio
from dataclasses import replace

import pytest

from bot.croupier.handouts import Bankroll, bankroll, set_bankroll
from bot.croupier.wallets import HOUSE_CHIPS
from bot.games.register import GAMES
from bot.ledger.records import Stack
from bot.rules.knobs import Play
from bot.table.accounts import Reason
from bot.table.commands import PlaceBet, PlayHouse, RevealHand
from bot.table.state import COMPUTERS, THE_HOUSE, Phase, TableState
from tests.croupier.croupier_house import ALICE, BOB, OTHER_SERVER, SERVER, House, fresh
from tests.sizes import sample


async def against_the_house(house: House, member: int = ALICE) -> int:
    """Opens a table where the house banks; returns its id."""
    table = await house.open(member, game=house.rules.game)
    await house.do(table.table_id, PlayHouse(member, house.rules), member)
    return table.table_id


async def settled(house: House, table_id: int, stake: int = 10) -> TableState:
    """A round of Alice alone: a bet, and a reveal."""
    dealt = await house.bet(table_id, ALICE, stake)
    assert dealt.phase is Phase.DEALT
    return await house.do(table_id, RevealHand(ALICE), ALICE)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("play", Play)
async def test_b07_a_round_against_the_house_is_a_bet_and_a_reveal(
    house: House, game: str, play: Play
) -> None:
    house.rules = GAMES[game].rules(play=play)
    after = await settled(house, await against_the_house(house), stake=1)

    assert after.last is not None
    assert after.last.banker == THE_HOUSE
    assert after.house_banks
    await house.check()


async def test_b07_the_house_starts_with_a_bankroll_from_the_mint_and_has_no_rank(house: House) -> None:
    assert await bankroll(house.croupier, SERVER) == Bankroll(HOUSE_CHIPS, 0)
    await settled(house, await against_the_house(house))
    (*_, opening) = await house.ledger.entries(SERVER, THE_HOUSE, 9)
    assert (opening.chips, opening.reason) == (HOUSE_CHIPS, Reason.OPENING_CHIPS)
    assert await bankroll(house.croupier, OTHER_SERVER) == Bankroll(HOUSE_CHIPS, 0)


@pytest.mark.parametrize("chips", sample([0, 50, HOUSE_CHIPS - 1, HOUSE_CHIPS, HOUSE_CHIPS + 1, 123_456], 2))
async def test_b07_an_admin_sets_the_bankroll_once(house: House, chips: int) -> None:
    await set_bankroll(house.croupier, SERVER, 777, "76")
    for _ in range(2):
        assert await set_bankroll(house.croupier, SERVER, chips, "77") == Bankroll(chips, 0)
    await set_bankroll(house.croupier, SERVER, 400, "78")
    assert await set_bankroll(house.croupier, SERVER, chips, "77") == Bankroll(400, 0)
    await settled(house, await against_the_house(house))
    await house.check()


async def test_b07_a_bankroll_that_moves_while_it_is_set_is_counted_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await bankroll(house.croupier, SERVER)
    stacks = house.ledger.stacks
    of_all = stacks.of_all
    found = await of_all(SERVER, (THE_HOUSE, *COMPUTERS))

    async def counted_too_early(*_: object) -> dict[int, Stack]:
        monkeypatch.setattr(stacks, "of_all", of_all)
        return {**found, THE_HOUSE: replace(found[THE_HOUSE], wallet=HOUSE_CHIPS + 50)}

    monkeypatch.setattr(stacks, "of_all", counted_too_early)
    assert await set_bankroll(house.croupier, SERVER, 20, "77") == Bankroll(20, 0)


async def test_b07_held_chips_stay_held_when_the_bankroll_is_lowered(house: House) -> None:
    table_id = await against_the_house(house)
    await house.bet(table_id, ALICE, 10)
    has = await set_bankroll(house.croupier, SERVER, 20, str(fresh()))

    assert (has.free, has.total) == (0, 70)
    await house.do(table_id, RevealHand(ALICE), ALICE)
    await house.check()


async def test_b07_chips_are_taken_once_when_a_bet_and_the_admin_want_them(house: House) -> None:
    table_id = await against_the_house(house)
    await asyncio.gather(
        set_bankroll(house.croupier, SERVER, 0, str(fresh())),
        *(house.ask(table_id, PlaceBet(member, 10), member) for member in (ALICE, BOB)),
        set_bankroll(house.croupier, SERVER, 30, str(fresh())),
    )
    assert (await bankroll(house.croupier, SERVER)).free >= 0
    await house.check()


async def test_b07_a_start_reads_what_the_evening_brought_members_not_the_house(house: House) -> None:
    await settled(house, await against_the_house(house))
    await house.restart()
    evenings = house.ledger.evenings.values
    await house.until(lambda: (SERVER, ALICE) in evenings)
    assert (SERVER, THE_HOUSE) not in evenings
