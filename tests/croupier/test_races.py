"""The same chips needed at two tables at once (B02): one gets them, the other names the maximum."""

import asyncio
from collections.abc import Callable, Iterable

import pytest

from bot.games.gnau.rules import GnauRules
from bot.ledger.changes import Change
from bot.ledger.errors import InsufficientChips, LedgerError
from bot.table.accounts import wallet
from bot.table.commands import PlaceBet, PlaceSideBet, TakeBank
from bot.table.refusals import Refusal, Refused
from bot.table.state import TableState
from tests.croupier.croupier_house import ALICE, BOB, CHAN, MEI, SERVER, House

ReadTogether = Callable[[int], None]


@pytest.fixture
def read_together(house: House, monkeypatch: pytest.MonkeyPatch) -> ReadTogether:
    """Makes this many requests read the same wallets before any of them is decided."""

    def arrange(parties: int) -> None:
        barrier, read = asyncio.Barrier(parties), house.ledger.wallets
        waiting = parties

        async def wallets(server_id: int, parties: Iterable[int]) -> dict[int, int]:
            nonlocal waiting
            chips = await read(server_id, parties)
            if waiting:
                waiting -= 1
                await barrier.wait()
            return chips

        monkeypatch.setattr(house.ledger, "wallets", wallets)

    return arrange


async def bet_at_once(
    house: House, bets: Iterable[tuple[int, int, int]]
) -> tuple[list[TableState], list[Refused]]:
    """Places bets at the same time; returns the accepted and the refused ones."""
    answers = await asyncio.gather(
        *(house.ask(table_id, PlaceBet(member, stake), member) for table_id, member, stake in bets)
    )
    taken = [answer for answer in answers if not isinstance(answer, Refused)]
    return taken, [answer for answer in answers if isinstance(answer, Refused)]


async def test_b02_a_player_bets_the_same_chips_at_one_of_two_tables(
    house: House, read_together: ReadTogether
) -> None:
    tables = [await house.open_with_bank(MEI), await house.open_with_bank(BOB)]
    await house.croupier.open_wallet(SERVER, ALICE)
    read_together(2)
    taken, refused = await bet_at_once(house, [(table_id, ALICE, 100) for table_id in tables])
    assert [table.staked for table in taken] == [100]
    (why,) = refused
    assert why.code is Refusal.PLAYER_CANNOT_COVER
    assert dict(why.facts) == {"stake": 100, "needed": 700, "wallet": 300, "most": 42}
    purse = await house.croupier.purse(SERVER, ALICE)
    assert (purse.wallet, purse.total) == (300, 1000)
    other = next(table_id for table_id in tables if not house.table(table_id).bets)
    await house.bet(other, ALICE, 42)


async def test_b02_an_onlooker_backs_with_the_same_chips_at_one_of_two_tables(
    house: House, read_together: ReadTogether
) -> None:
    house.rules = GnauRules()
    tables = [await house.open_with_bank(MEI), await house.open_with_bank(BOB)]
    for table_id in tables:
        await house.bet(table_id, CHAN, 10)
    await house.croupier.open_wallet(SERVER, ALICE)
    read_together(2)
    answers = await asyncio.gather(
        *(house.ask(table_id, PlaceSideBet(ALICE, CHAN, 80), ALICE) for table_id in tables)
    )
    (why,) = [answer for answer in answers if isinstance(answer, Refused)]
    assert why.code is Refusal.PLAYER_CANNOT_COVER
    assert dict(why.facts) == {"stake": 80, "needed": 560, "wallet": 440, "most": 62}
    purse = await house.croupier.purse(SERVER, ALICE)
    assert (purse.wallet, purse.total) == (440, 1000)


async def test_b02_a_banker_covers_with_the_same_chips_at_one_of_two_tables(
    house: House, read_together: ReadTogether
) -> None:
    tables = [await house.open_with_bank(MEI), await house.open_with_bank(MEI)]
    for member in (ALICE, BOB):
        await house.croupier.open_wallet(SERVER, member)
    read_together(2)
    taken, refused = await bet_at_once(house, [(tables[0], ALICE, 100), (tables[1], BOB, 100)])
    assert [table.staked for table in taken] == [100]
    (why,) = refused
    assert why.code is Refusal.BANK_CANNOT_COVER
    assert dict(why.facts) == {"stake": 100, "most": 42}
    assert (await house.croupier.purse(SERVER, MEI)).wallet == 300


async def test_b02_concurrent_bets_stop_when_the_chips_run_out(
    house: House, read_together: ReadTogether
) -> None:
    tables = [await house.open_with_bank(banker) for banker in (MEI, BOB, CHAN)]
    await house.croupier.open_wallet(SERVER, ALICE)
    read_together(3)
    taken, refused = await bet_at_once(house, [(table_id, ALICE, 70) for table_id in tables])
    assert len(taken) == 2
    (why,) = refused
    assert why.code is Refusal.PLAYER_TOO_POOR
    assert dict(why.facts) == {"lowest": 5, "needed": 35, "wallet": 20}
    assert (await house.croupier.purse(SERVER, ALICE)).wallet == 20


async def test_b02_two_tables_drain_one_purse_and_never_below_zero(house: House) -> None:
    tables = [await house.open_with_bank(MEI, lowest=1), await house.open_with_bank(BOB, lowest=1)]
    for table_id in tables:
        await house.join(table_id, CHAN)
    bets = [(tables[turn % 2], ALICE, stake) for turn, stake in enumerate([100, 100, 60, 60, 90, 5, 140, 1])]
    taken, refused = await bet_at_once(house, bets)
    assert len(taken) + len(refused) == len(bets)
    staked = sum(house.table(table_id).staked for table_id in tables)
    purse = await house.croupier.purse(SERVER, ALICE)
    assert 0 < staked <= 1000 // 7
    assert purse.wallet == 1000 - 7 * staked


async def test_b02_two_banks_can_be_taken_with_the_same_chips(house: House) -> None:
    """A bank holds nothing until somebody bets; each bet checks what it can cover."""
    tables = [(await house.open()).table_id for _ in range(2)]
    await asyncio.gather(
        *(house.do(table_id, TakeBank(MEI, 142, 142, house.rules), MEI) for table_id in tables)
    )
    taken, refused = await bet_at_once(house, [(tables[0], ALICE, 142), (tables[1], BOB, 142)])
    assert len(taken) == 1
    assert [why.code for why in refused] == [Refusal.BANK_EXHAUSTED]


async def test_a_command_that_finds_other_chips_at_every_try_fails(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_id = await house.open_with_bank()
    await house.join(table_id, ALICE)
    before = house.table(table_id)

    async def short(_: Change) -> None:
        raise InsufficientChips(wallet(ALICE), 0, 1)

    with monkeypatch.context() as at_fault:
        at_fault.setattr(house.ledger, "commit", short)
        with pytest.raises(LedgerError, match="PlaceBet"):
            await house.bet(table_id, ALICE, 20)
    assert house.table(table_id) == before


@pytest.mark.parametrize("side_first", [True, False])
async def test_b02_a_side_bet_and_a_bet_of_the_same_chips(
    house: House, read_together: ReadTogether, side_first: bool
) -> None:
    house.rules = GnauRules()
    with_chan, with_bob = await house.open_with_bank(MEI), await house.open_with_bank(BOB)
    await house.bet(with_chan, CHAN, 10)
    await house.croupier.open_wallet(SERVER, ALICE)
    both = [
        house.ask(with_chan, PlaceSideBet(ALICE, CHAN, 80), ALICE),
        house.ask(with_bob, PlaceBet(ALICE, 100), ALICE),
    ]
    read_together(2)
    answers = await asyncio.gather(*(both if side_first else reversed(both)))
    (refused,) = [answer for answer in answers if isinstance(answer, Refused)]
    assert refused.code is Refusal.PLAYER_CANNOT_COVER
    backs, bets = house.table(with_chan).side_bets, house.table(with_bob).bets
    assert len(backs) + len(bets) == 1
    assert refused.facts["wallet"] == (440 if backs else 300)
