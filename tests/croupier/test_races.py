"""The same chips needed at two tables at once (B02): one gets them, the other names the maximum."""

import asyncio
import logging
from collections.abc import Iterable
from dataclasses import replace

import pytest

from bot.games.gnau.rules import GnauRules
from bot.ledger.errors import InsufficientChips, LedgerError
from bot.table.accounts import wallet
from bot.table.commands import PlaceBet, PlaceSideBet, TakeBank
from bot.table.refusals import Refusal, Refused
from bot.table.state import TableState
from tests.croupier.croupier_house import ALICE, BOB, CHAN, MEI, SERVER, House, failing

DORA = 5


async def bet_at_once(
    house: House, bets: Iterable[tuple[int, int, int]]
) -> tuple[list[TableState], list[Refused]]:
    """Places bets at the same time; returns the accepted and the refused ones."""
    answers = await asyncio.gather(
        *(house.ask(table_id, PlaceBet(member, stake), member) for table_id, member, stake in bets)
    )
    taken = [answer for answer in answers if not isinstance(answer, Refused)]
    return taken, [answer for answer in answers if isinstance(answer, Refused)]


BETS, BACKS = PlaceBet(ALICE, 100), PlaceSideBet(ALICE, CHAN, 80)
FOR_BET, FOR_SIDE_BET = {"stake": 100, "needed": 700}, {"stake": 80, "needed": 560}


@pytest.mark.parametrize(
    ("second_bank", "first", "second", "facts"),
    [
        (BOB, BETS, BETS, {**FOR_BET, "wallet": 300, "most": 42}),
        (BOB, BACKS, BACKS, {**FOR_SIDE_BET, "wallet": 440, "most": 62}),
        (BOB, BACKS, BETS, {**FOR_BET, "wallet": 440, "most": 62}),
        (BOB, BETS, BACKS, {**FOR_SIDE_BET, "wallet": 300, "most": 42}),
        (MEI, BETS, PlaceBet(DORA, 100), {"stake": 100, "most": 22}),
    ],
    ids=["a player", "an onlooker", "a backer who bets", "a player who backs", "a banker"],
)
async def test_b02_a_player_bets_the_same_chips_at_one_of_two_tables(
    house: House,
    caplog: pytest.LogCaptureFixture,
    second_bank: int,
    first: PlaceBet | PlaceSideBet,
    second: PlaceBet | PlaceSideBet,
    facts: dict[str, int],
) -> None:
    caplog.set_level(logging.INFO)
    house.rules = GnauRules()
    tables = [await house.open_with_bank(MEI), await house.open_with_bank(second_bank)]
    for table_id, command in zip(tables, (first, second), strict=True):
        await house.bet(table_id, CHAN, 10)
        await house.croupier.wallets.open(SERVER, command.party)
        # Read now, so that neither request waits for it and loses its place.
        await house.ledger.evenings.of((SERVER, command.party))
    taken, refused = await asyncio.gather(
        house.ask(tables[0], first, first.party), house.ask(tables[1], second, second.party)
    )
    assert not isinstance(taken, Refused)
    assert isinstance(refused, Refused)
    assert refused.code is (Refusal.BANK_CANNOT_COVER if second_bank == MEI else Refusal.PLAYER_CANNOT_COVER)
    assert dict(refused.facts) == facts
    assert "deciding again" in caplog.text
    await house.do(tables[1], replace(second, stake=facts["most"]), second.party)


async def test_b02_two_tables_drain_one_purse_and_never_below_zero(house: House) -> None:
    tables = [await house.open_with_bank(MEI, lowest=1), await house.open_with_bank(BOB, lowest=1)]
    for table_id in tables:
        await house.join(table_id, CHAN)
    bets = [(tables[turn % 2], ALICE, stake) for turn, stake in enumerate([100, 100, 60, 60, 90, 5, 140, 1])]
    taken, refused = await bet_at_once(house, bets)
    assert len(taken) + len(refused) == len(bets)
    staked = sum(house.table(table_id).staked for table_id in tables)
    purse = await house.croupier.wallets.purse(SERVER, ALICE)
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


async def test_a_command_that_finds_other_chips_at_every_try_fails(house: House) -> None:
    table_id = await house.open_with_bank(players=(ALICE,))
    before = house.table(table_id)
    short = InsufficientChips(wallet(ALICE), 0, 1)
    with failing(house.ledger, "commit", error=short), pytest.raises(LedgerError, match="PlaceBet"):
        await house.bet(table_id, ALICE, 20)
    assert house.table(table_id) == before
