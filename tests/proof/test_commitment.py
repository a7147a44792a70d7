"""Committed secrets: each is used once, for one round, together with everybody's contribution."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bot.rules.shuffle import Use, seal_of, words_code
from bot.table.commands import GiveUpBank, Join, Leave, PlaceBet, PlaceSideBet, SetClientSeed, WithdrawBet
from bot.table.commitment import LONGEST_CLIENT_SEED
from bot.table.refusals import Refusal
from bot.table.round_record import deal_sheet, dice_sheet
from tests.games.presets import TAU_NGAU_PRESET, WIKIPEDIA
from tests.table.trial_table import ALICE, BOB, CHAN, DORA, MEI, TrialTable

from .committed_rounds import dealt, numbered_table, rolled, sealed_table, settled
from .variants import proof

SALT = "5a17"


def betting(table: TrialTable) -> TrialTable:
    """The table with Mei as its banker and a bet of Alice."""
    table.bank(MEI)
    table.bet(ALICE, 10)
    return table


def brought(told: Any) -> dict[int, str]:
    """The client seeds on a sheet, by party."""
    sheet = json.loads(told) if isinstance(told, str) else told
    places = [*sheet.get("players", ()), *sheet.get("side_bets", ()), *sheet.get("seats", ())]
    return {int(place["party"]): place["client_seed"] for place in [*places, sheet.get("banker")] if place}


def deal_brings(table: TrialTable, key: str = "") -> dict[int, str]:
    """What a deal would be mixed with now, by party; asked for with this key, or automatic."""
    return brought(deal_sheet(table.state, table.bank_now.party if key else None, key))


def test_the_secret_of_the_next_round_is_another_one() -> None:
    table = sealed_table(WIKIPEDIA)
    first, secret = table.state.seal, table.state.secret
    table.bank(MEI)
    table.bet(ALICE, 10)
    assert table.state.seal == first, "the seal stays from the opening of the table to the deal"
    dealt(table)
    assert table.state.seal == first
    told = settled(table)

    assert (told["seal"], told["secret"]) == (first, secret)
    assert table.state.seal != first
    assert table.state.secret != secret


def test_a_round_without_a_result_opens_no_secret_and_the_next_has_another() -> None:
    table = betting(sealed_table(WIKIPEDIA))
    secret, seal = table.state.secret, table.state.seal
    table.do(GiveUpBank(MEI))

    assert table.state.secret != secret
    assert table.state.seal == seal_of(table.state.secret, Use.DEAL, 70, 2) != seal


def test_a_secret_that_dice_revealed_deals_no_hands() -> None:
    table = sealed_table(TAU_NGAU_PRESET)
    seal = table.state.seal
    dice = rolled(table)
    assert seal_of(dice.opening.secret, Use.DICE, 70, 1) == seal
    assert table.state.seal != seal
    assert table.state.secret != dice.opening.secret


def test_t03_the_dice_have_a_contribution_of_everybody_who_sits_here() -> None:
    table = numbered_table(TAU_NGAU_PRESET)
    table.join(ALICE, BOB, CHAN, DORA)
    table.do(SetClientSeed(BOB, "eight", SALT))
    table.do(Leave(DORA))
    sheet = json.loads(dice_sheet(table.state, ALICE, "777", {ALICE, CHAN}))

    assert brought(sheet) == {ALICE: "777", BOB: words_code(SALT, "eight"), CHAN: "1103"}
    assert [seat["rolls"] for seat in sheet["seats"]] == [True, False, True]


def test_t03_who_chose_words_brings_them_and_not_the_number_of_the_roll() -> None:
    table = sealed_table(TAU_NGAU_PRESET)
    table.join(ALICE, BOB)
    table.do(SetClientSeed(ALICE, "six and six", SALT))

    assert brought(dice_sheet(table.state, ALICE, "777", {ALICE}))[ALICE] == words_code(SALT, "six and six")


def test_t03_the_hands_after_the_dice_bring_what_came_since_or_else_the_same() -> None:
    table = numbered_table(TAU_NGAU_PRESET)
    rolled(table)
    banker = table.bank_now.party
    before = {seed.party: seed.text for seed in table.state.client_seeds}
    players = [seat.party for seat in table.state.seats]
    for member in players:
        table.bet(member, 10)
    after = deal_brings(table)

    assert after[banker] == before[banker]
    assert all(after[member] != before[member] for member in players)


def test_words_wait_for_the_next_shuffle_if_a_round_is_called_off() -> None:
    table = betting(numbered_table(WIKIPEDIA))
    table.do(SetClientSeed(ALICE, "eight", SALT))
    table.do(GiveUpBank(MEI))
    table.bank(MEI)
    table.bet(ALICE, 10)

    assert deal_brings(table)[ALICE] == words_code(SALT, "eight")


def test_who_sits_down_after_the_deal_has_a_contribution_for_the_next_one() -> None:
    table = betting(numbered_table(WIKIPEDIA))
    dealt(table)
    table.do(Join(BOB))
    settled(table)

    assert {seed.party for seed in table.state.client_seeds} == {MEI, ALICE, BOB}


def test_words_count_for_one_shuffle() -> None:
    table = betting(numbered_table(WIKIPEDIA))
    table.do(SetClientSeed(ALICE, "eight", SALT))
    table.do(SetClientSeed(MEI, "nine", SALT))
    dealt(table)
    settled(table)
    table.bet(ALICE, 10)

    assert deal_brings(table, key="888") == {MEI: "888", ALICE: "1107"}


def test_the_banker_brings_the_number_of_taking_the_bank_of_dealing_or_words() -> None:
    table = betting(numbered_table(WIKIPEDIA))

    assert deal_brings(table) == {MEI: "1101", ALICE: "1102"}
    assert deal_brings(table, key="888")[MEI] == "888"
    table.do(SetClientSeed(MEI, "my bank", SALT))
    assert deal_brings(table, key="888")[MEI] == words_code(SALT, "my bank")


def test_a_banker_who_presses_nothing_brings_the_last_contribution_again() -> None:
    table = numbered_table(WIKIPEDIA)
    table.bank(MEI)
    for _ in range(3):
        table.bet(ALICE, 10)
        assert deal_brings(table)[MEI] == "1101"
        dealt(table)
        assert proof(settled(table)) is None


def test_who_left_the_table_brings_nothing() -> None:
    table = betting(sealed_table(WIKIPEDIA))
    table.bet(BOB, 10)
    dealt(table)
    table.do(Leave(BOB))
    settled(table)

    assert {seed.party for seed in table.state.client_seeds} == {MEI, ALICE}


def test_a_bet_that_is_taken_back_adds_no_contribution() -> None:
    table = betting(sealed_table(WIKIPEDIA))
    table.bet(BOB, 10)
    table.back(CHAN, BOB, 5)
    assert deal_brings(table).keys() == {MEI, ALICE, BOB, CHAN}
    table.do(PlaceBet(ALICE, 20))
    table.do(WithdrawBet(BOB))

    assert deal_brings(table).keys() == {MEI, ALICE}


def test_a_backer_who_sits_down_after_the_deal_does_not_change_its_sheet() -> None:
    table = betting(numbered_table(WIKIPEDIA))
    table.back(CHAN, ALICE, 5)
    dealt(table)
    sheet = table.state.sheet
    table.do(Join(CHAN))

    assert table.state.sheet == sheet
    told = settled(table)
    assert told["sheet"] == json.loads(sheet or "")
    assert proof(told) is None
    assert table.state.sheet is None


def test_a_chosen_client_seed_is_not_replaced_by_an_interaction() -> None:
    table = betting(sealed_table(WIKIPEDIA))
    table.do(SetClientSeed(ALICE, "  eight   eight\n", SALT))
    table.bet(ALICE, 20)
    assert deal_brings(table)[ALICE] == words_code(SALT, "eight eight")
    table.do(SetClientSeed(ALICE, "nine", SALT))
    assert deal_brings(table)[ALICE] == words_code(SALT, "nine")


@given(st.text() | st.text("\ud800a "))
def test_words_that_are_empty_or_too_long_are_refused(text: str) -> None:
    table = sealed_table(WIKIPEDIA)
    table.do(Join(ALICE))
    words = " ".join(text.encode(errors="replace").decode().split())
    if 1 <= len(words) <= LONGEST_CLIENT_SEED:
        table.do(SetClientSeed(ALICE, text, SALT))
        assert table.state.client_seeds[0].text == words_code(SALT, words)
    else:
        refused = table.refused(SetClientSeed(ALICE, text))
        assert refused == (Refusal.CLIENT_SEED_LENGTH, {"longest": LONGEST_CLIENT_SEED})


def test_everybody_in_the_round_sets_a_client_seed_until_the_deal() -> None:
    table = sealed_table(WIKIPEDIA)
    table.bank(MEI)

    assert table.refused(SetClientSeed(DORA, "x")) == (Refusal.NOT_PLAYING, {})
    table.do(SetClientSeed(MEI, "x"))
    table.bet(ALICE, 10)
    table.do(PlaceSideBet(DORA, ALICE, 5))
    table.do(SetClientSeed(DORA, "x"))
    dealt(table)
    for member in (MEI, ALICE, DORA):
        assert table.refused(SetClientSeed(member, "x")) == (Refusal.ALREADY_DEALT, {})
