"""Rounds are proved from the ledger; nobody sees or influences them before they end."""

import json
import logging
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.croupier.rounds import PastRound, past_round
from bot.games.gnau.rules import GnauRules
from bot.rules.shuffle import words_code
from bot.rules.tiles import woodpile
from bot.table.commands import (
    Deal,
    Join,
    Leave,
    PlaceBet,
    PlaceSideBet,
    RevealHand,
    RollForBank,
    SetClientSeed,
    TakeBank,
)
from bot.table.commitment import with_pieces_and_dice
from bot.table.round_proof import first_mismatch
from bot.table.round_record import seeds_on
from bot.table.state import Phase, TableState
from tests.croupier.croupier_house import ALICE, BOB, CHAN, MEI, SERVER, House
from tests.games.presets import TAU_NGAU_PRESET, WIKIPEDIA
from tests.proof.committed_rounds import sealed_table


async def proved(house: House, table: TableState, round_number: int = 1) -> PastRound:
    """A settled round from the ledger, once its record is verified."""
    past = await past_round(house.ledger, table.table_id, table.number, round_number)
    assert past is not None
    assert past.result.round_number == round_number
    assert first_mismatch(json.dumps(past.record())) is None
    return past


async def played(house: House, table_id: int) -> TableState:
    """Reveals every hand, after the last bet started the deal."""
    state = house.table(table_id)
    assert state.phase is Phase.DEALT
    assert state.bank is not None
    banker = state.bank.party
    for member in [*(seat.party for seat in state.bets), banker]:
        state = await house.do(table_id, RevealHand(member), member)
    return state


async def test_every_round_of_gnau_is_proved_from_the_ledger(house: House) -> None:
    table = await house.croupier.open_table(SERVER, 700, MEI, 7070)
    await house.do(table.table_id, TakeBank(MEI, 1, 10, house.rules), MEI)
    await house.join(table.table_id, ALICE, BOB)
    for _ in range(3):
        await house.do(table.table_id, PlaceBet(ALICE, 5), ALICE)
        await house.do(table.table_id, PlaceSideBet(CHAN, ALICE, 3), CHAN)
        await house.do(table.table_id, SetClientSeed(CHAN, "eight eight eight"), CHAN)
        await house.do(table.table_id, PlaceBet(BOB, 2), BOB)
        table = await played(house, table.table_id)
        assert table.last is not None
        assert {party for party, _ in seeds_on(table.last.opening.sheet)} == {MEI, ALICE, BOB, CHAN}

    for number in (1, 2, 3):
        await proved(house, table, number)
    assert await past_round(house.ledger, table.table_id, table.number, 4) is None
    sheet = (await proved(house, table, 2)).record()["sheet"]
    assert {"table": str(table.table_id), "number": table.number, "round": 2}.items() <= sheet.items()


async def test_chosen_words_are_stored_apart_from_what_is_hashed(house: House) -> None:
    table_id = await house.open_with_bank(MEI, players=(ALICE, BOB))
    for member in (ALICE, BOB):
        await house.do(table_id, SetClientSeed(member, " eight\n eight eight ", salt="mine"), member)
    await house.bet(table_id, ALICE, 5)
    await house.bet(table_id, BOB, 6)
    table = await played(house, table_id)
    past = await proved(house, table)
    seeds = dict(seeds_on(past.result.opening.sheet))
    assert seeds.keys() == {MEI, ALICE, BOB}
    del seeds[MEI]
    assert {one.party: (one.client_seed, one.words) for one in past.words.values()} == {
        party: (seed, "eight eight eight") for party, seed in seeds.items()
    }
    salts = {one.salt for one in past.words.values()}
    assert len(salts) == 2, "so that equal words have different codes"
    assert all(re.fullmatch("[0-9a-f]{32}", salt) for salt in salts)
    for one in past.words.values():
        assert words_code(one.salt, one.words) == one.client_seed
    assert not [row for row in await house.ledger.events(table_id) if "eight" in row.body]

    record = past.record({ALICE: "Alice"})
    assert record["names"] == {str(ALICE): "Alice"}
    assert [chosen["words"] for chosen in record["words"].values()] == ["eight eight eight"] * 2
    assert first_mismatch(json.dumps(record)) is None
    without = replace(past, words={}).record()
    assert without["receipt"] == record["receipt"], "words can be erased"
    assert first_mismatch(json.dumps(without)) is None


async def test_every_round_of_tau_ngau_is_proved_with_its_dice(house: House) -> None:
    house.rules = TAU_NGAU_PRESET.model_copy(update={"last_call_seconds": 0})
    table = await house.croupier.open_table(7, 700, MEI, 70, "tau-ngau")
    everybody = {MEI, ALICE, BOB, CHAN}
    await house.join(table.table_id, *everybody)
    table = await house.do(table.table_id, RollForBank(ALICE, (), house.rules), ALICE)
    gone, *staying = (seat.party for seat in table.seats)
    await house.do(table.table_id, Leave(gone), gone)
    for party in staying:
        await house.do(table.table_id, PlaceBet(party, 5), party)
    table = await played(house, table.table_id)
    past = await proved(house, table)
    assert past.record()["sheet"]["dice"] is not None
    assert gone not in past.result.parties
    assert past.parties == everybody, "who only rolled is named too"


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
    for number in (0, 1, 2):
        assert await past_round(house.ledger, table.table_id, table.number, number) is None
    dealt = await house.do(table.table_id, Deal(MEI), MEI)
    assert dealt.phase is Phase.DEALT
    assert dealt.secret == secret
    assert await past_round(house.ledger, table.table_id, table.number, 1) is None

    assert secret not in caplog.text


keys = st.text(min_size=1, max_size=20)


def ready_to_deal() -> TableState:
    table = sealed_table(WIKIPEDIA)
    table.bank(MEI)
    table.bet(ALICE, 10)
    table.bet(BOB, 10)
    return table.state


def ready_to_roll() -> TableState:
    table = sealed_table(TAU_NGAU_PRESET)
    table.do(Join(ALICE))
    table.do(Join(BOB))
    table.do(SetClientSeed(ALICE, "six and six"))
    return table.state


@given(
    key=keys, by=st.none() | st.integers(1, 5), number=st.none() | st.integers(0, 3), brought=st.booleans()
)
def test_the_hands_depend_on_who_asks_only_through_the_bankers_client_seed(
    key: str, by: int | None, number: int | None, brought: bool
) -> None:
    state = ready_to_deal()
    own = tuple(woodpile()) if brought else ()
    plain = with_pieces_and_dice(state, Deal(MEI if by == MEI else None), key)
    asked = with_pieces_and_dice(state, Deal(by, own, number, "mine"), key)

    assert isinstance(plain, Deal)
    assert isinstance(asked, Deal)
    assert asked.pieces == plain.pieces
    assert asked.client_seed == key, "Discord's number, and nothing that the member chose"


@given(keys, keys)
def test_the_hands_that_the_table_deals_do_not_depend_on_its_request(key: str, other: str) -> None:
    state = ready_to_deal()
    automatic, again = (with_pieces_and_dice(state, Deal(None), one) for one in (key, other))

    assert isinstance(automatic, Deal)
    assert isinstance(again, Deal)
    assert automatic.pieces == again.pieces


@given(key=keys)
def test_the_dice_depend_on_the_asker_only_through_their_client_seed(key: str) -> None:
    state = ready_to_roll()
    plain = with_pieces_and_dice(state, RollForBank(ALICE, (), GnauRules()), "1100220033")
    loaded = with_pieces_and_dice(state, RollForBank(ALICE, (6,) * 64, GnauRules(), "mine"), key)

    assert isinstance(plain, RollForBank)
    assert isinstance(loaded, RollForBank)
    assert loaded.dice == plain.dice
    assert loaded.client_seed == key, "Discord's number, and nothing that the member chose"
