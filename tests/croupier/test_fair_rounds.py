"""The croupier's rounds can be proved from the ledger, and reveal nothing before they end."""

import json
import logging

import pytest

from bot.croupier.dealing import with_pieces_and_dice
from bot.croupier.rounds import past_round
from bot.games.gnau.rules import GnauRules
from bot.rules.cards import deck
from bot.table.commands import Deal, PlaceBet, PlaceSideBet, RevealHand, RollForBank, SetClientSeed, TakeBank
from bot.table.round_proof import first_mismatch
from bot.table.state import Phase, TableState
from tests.croupier.croupier_house import ALICE, BOB, CHAN, MEI, SERVER, House
from tests.games.presets import TAU_NGAU_PRESET
from tests.table.trial_table import TrialTable


async def proved(house: House, table: TableState, round_number: int) -> bool:
    past = await past_round(house.ledger, table.table_id, table.number, round_number)
    assert past is not None
    assert past.result.round_number == round_number
    return first_mismatch(json.dumps(past.record())) is None


async def played(house: House, table_id: int) -> TableState:
    """Reveals every hand, after the last bet started the deal."""
    state = house.table(table_id)
    assert state.phase is Phase.DEALT
    assert state.bank is not None
    banker = state.bank.member
    for member in [*(seat.member for seat in state.bets), banker]:
        state = await house.do(table_id, RevealHand(member.member_id), member)
    return state


async def test_every_round_of_gnau_is_proved_from_the_ledger(house: House) -> None:
    table = await house.croupier.open_table(SERVER, 700, MEI, 7070)
    await house.do(table.table_id, TakeBank(MEI, 1, 10, house.rules), MEI)
    await house.join(table.table_id, ALICE, BOB)
    for _ in range(3):
        await house.do(table.table_id, PlaceBet(ALICE, 5), ALICE)
        await house.do(table.table_id, PlaceSideBet(CHAN, ALICE.member_id, 3), CHAN)
        await house.do(table.table_id, SetClientSeed(CHAN.member_id, "eight eight eight"), CHAN)
        await house.do(table.table_id, PlaceBet(BOB, 2), BOB)
        table = await played(house, table.table_id)
        assert table.last is not None
        assert table.last.opening is not None
        assert [said.member_id for said in table.last.opening.client_seeds] == sorted(
            member.member_id for member in (ALICE, BOB, CHAN)
        )

    assert [await proved(house, table, number) for number in (1, 2, 3)] == [True] * 3
    assert await past_round(house.ledger, table.table_id, table.number, 4) is None
    past = await past_round(house.ledger, table.table_id, table.number, 2)
    assert past is not None
    assert {"table": table.table_id, "number": table.number, "round": 2}.items() <= past.record().items()


async def test_every_round_of_tau_ngau_is_proved_with_its_dice(house: House) -> None:
    house.rules = TAU_NGAU_PRESET.model_copy(update={"last_call_seconds": 0})
    table = await house.croupier.open_table(7, 700, MEI, 70, "tau-ngau")
    await house.join(table.table_id, MEI, ALICE, BOB)
    table = await house.do(table.table_id, RollForBank(ALICE.member_id, (), house.rules), ALICE)
    for seat in table.seats:
        await house.do(table.table_id, PlaceBet(seat.member, 5), seat.member)
    table = await played(house, table.table_id)
    past = await past_round(house.ledger, table.table_id, table.number, 1)

    assert past is not None
    assert past.rolled is not None
    assert past.record()["dice"] is not None
    assert await proved(house, table, 1)


async def test_a_round_is_proved_even_if_a_backer_joined_after_the_deal(house: House) -> None:
    table_id = await house.open_with_bank(MEI)
    await house.join(table_id, ALICE, BOB)
    await house.bet(table_id, ALICE, 5)
    await house.do(table_id, PlaceSideBet(CHAN, ALICE.member_id, 5), CHAN)
    await house.bet(table_id, BOB, 5)
    await house.join(table_id, CHAN)
    table = await played(house, table_id)
    assert await proved(house, table, 1)


def test_a_table_without_a_seal_is_dealt_at_random() -> None:
    table = TrialTable()
    table.bank(MEI)
    table.bet(ALICE, 10)
    assert table.state.secret is None
    deals = [with_pieces_and_dice(table.state, Deal(None), "a click") for _ in range(2)]
    assert all(isinstance(deal, Deal) and sorted(deal.pieces) == list(deck()) for deal in deals)
    assert deals[0] != deals[1]


async def test_sealed_data_is_in_no_record_and_no_log(house: House, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    for library in ("aiosqlite", "sqlalchemy"):
        # At DEBUG these loggers would write everything stored; the command line never enables that.
        caplog.set_level(logging.WARNING, logger=library)
    table = await house.open()
    await house.do(table.table_id, TakeBank(MEI, 1, 10, GnauRules()), MEI)
    await house.join(table.table_id, ALICE, BOB)
    await house.do(table.table_id, PlaceBet(ALICE, 5), ALICE)
    secret = house.croupier.tables.all()[0].secret
    assert secret is not None
    for number in (0, 1, 2):
        assert await past_round(house.ledger, table.table_id, table.number, number) is None
    dealt = await house.do(table.table_id, Deal(MEI.member_id), MEI)
    assert dealt.phase is Phase.DEALT
    assert dealt.secret == secret
    assert await past_round(house.ledger, table.table_id, table.number, 1) is None

    assert secret not in caplog.text
