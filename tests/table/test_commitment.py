"""Committed secrets: each is used once, together with the members' client seeds."""

import json
from itertools import count

from hypothesis import given
from hypothesis import strategies as st

from bot.rules.shuffle import ClientSeed, commitment_to, new_secret
from bot.table.commands import (
    Join,
    Leave,
    PlaceBet,
    PlaceSideBet,
    SetClientSeed,
    WithdrawBet,
)
from bot.table.commitment import LONGEST_CLIENT_SEED, Entropy, deal_opening, roll_opening
from bot.table.refusals import Refusal
from bot.table.round_proof import first_mismatch
from tests.games.presets import TAU_NGAU_PRESET, WIKIPEDIA

from .committed_rounds import dealt, rolled, sealed_table, settled
from .trial_table import ALICE, BOB, CHAN, DORA, MEI, TrialTable


def test_the_secret_of_the_next_round_is_another_one() -> None:
    table = sealed_table(WIKIPEDIA)
    table.bank(MEI)
    table.bet(ALICE, 10)
    seal = table.state.seal
    dealt(table)
    assert table.state.seal == seal
    told = settled(table)

    assert told["opening"]["seal"] == seal
    assert table.state.seal not in (None, seal)


def test_a_secret_that_dice_revealed_deals_no_hands() -> None:
    table = sealed_table(TAU_NGAU_PRESET)
    seal = table.state.seal
    dice = rolled(table)

    assert dice.opening is not None
    assert commitment_to(dice.opening.secret) == seal
    assert table.state.seal not in (None, seal)
    assert table.state.client_seeds == ()


def test_t03_the_dice_have_one_client_seed_of_everybody_who_sits_here() -> None:
    table = sealed_table(TAU_NGAU_PRESET)
    for member in (ALICE, BOB, CHAN, DORA):
        table.do(Join(member))
    table.do(SetClientSeed(BOB.member_id, "eight"))
    table.do(Leave(DORA.member_id))
    opening = roll_opening(table.state, ALICE.member_id, "777")

    assert opening is not None
    assert opening.client_seeds == (
        ClientSeed(ALICE.member_id, "777"),
        ClientSeed(BOB.member_id, "eight"),
        ClientSeed(CHAN.member_id, "1100220033"),
    )


def test_the_dice_use_a_client_seed_that_the_member_chose() -> None:
    table = sealed_table(TAU_NGAU_PRESET)
    table.do(Join(ALICE))
    table.do(Join(BOB))

    def told() -> dict[int, str]:
        opening = roll_opening(table.state, ALICE.member_id, "777")
        assert opening is not None
        return {seed.member_id: seed.text for seed in opening.client_seeds}

    assert told() == {ALICE.member_id: "777", BOB.member_id: "1100220033"}
    table.do(SetClientSeed(ALICE.member_id, "six and six"))
    assert told() == {ALICE.member_id: "six and six", BOB.member_id: "1100220033"}


def test_t03_a_second_roll_uses_only_client_seeds_set_since_the_first() -> None:
    table = sealed_table(TAU_NGAU_PRESET)
    rolled(table)
    # The highest roller is banker, and has no client seed.
    other = next(seat.member.member_id for seat in table.state.seats if seat.member != ALICE)
    table.do(SetClientSeed(other, "eight"))
    opening = roll_opening(table.state, ALICE.member_id, "888")

    assert opening is not None
    assert opening.client_seeds == (ClientSeed(ALICE.member_id, "888"), ClientSeed(other, "eight"))


def test_a_bet_that_is_taken_back_adds_no_client_seed() -> None:
    table = sealed_table(WIKIPEDIA)
    table.bank(MEI)
    table.bet(ALICE, 10)
    table.bet(BOB, 10)
    table.back(CHAN, BOB, 5)
    before = deal_opening(table.state)
    assert before is not None
    assert [seed.member_id for seed in before.client_seeds] == [2, 3, 4]
    table.do(PlaceBet(ALICE, 20))
    table.do(WithdrawBet(BOB.member_id))
    after = deal_opening(table.state)

    assert after is not None
    assert [seed.member_id for seed in after.client_seeds] == [2]


def test_a_backer_who_sits_down_after_the_deal_does_not_change_its_client_seeds() -> None:
    interactions = map(str, count(1100))
    table = TrialTable(WIKIPEDIA, entropy=lambda: Entropy(new_secret(), next(interactions)))
    table.bank(MEI)
    table.bet(ALICE, 10)
    table.back(CHAN, ALICE, 5)
    before = deal_opening(table.state)
    dealt(table)
    table.do(Join(CHAN))

    assert before is not None
    assert [seed.member_id for seed in before.client_seeds] == [ALICE.member_id, CHAN.member_id]
    assert deal_opening(table.state) == before
    told = settled(table)
    assert first_mismatch(json.dumps(told)) is None


def test_a_chosen_client_seed_is_not_replaced_by_an_interaction() -> None:
    table = sealed_table(WIKIPEDIA)
    table.bank(MEI)
    table.bet(ALICE, 10)
    table.do(SetClientSeed(ALICE.member_id, "  eight   eight\n"))
    table.bet(ALICE, 20)
    opening = deal_opening(table.state)

    assert opening is not None
    assert [seed.text for seed in opening.client_seeds] == ["eight eight"]
    assert table.do(SetClientSeed(ALICE.member_id, "eight eight")) == ()
    table.do(SetClientSeed(ALICE.member_id, "nine"))
    assert table.state.client_seeds[0].text == "nine"


@given(st.text())
def test_a_client_seed_that_is_empty_or_too_long_is_refused(text: str) -> None:
    table = sealed_table(WIKIPEDIA)
    table.do(Join(ALICE))
    words = " ".join(text.split())
    if 1 <= len(words) <= LONGEST_CLIENT_SEED:
        table.do(SetClientSeed(ALICE.member_id, text))
        assert table.state.client_seeds[0].text == words
    else:
        refused = table.refused(SetClientSeed(ALICE.member_id, text))
        assert refused == (Refusal.CLIENT_SEED_LENGTH, {"longest": LONGEST_CLIENT_SEED})


def test_only_players_and_backers_set_a_client_seed() -> None:
    table = sealed_table(WIKIPEDIA)
    table.bank(MEI)

    assert table.refused(SetClientSeed(DORA.member_id, "x")) == (Refusal.NOT_PLAYING, {})
    assert table.refused(SetClientSeed(MEI.member_id, "x")) == (Refusal.HOLDS_THE_BANK, {})
    table.bet(ALICE, 10)
    table.do(PlaceSideBet(DORA, ALICE.member_id, 5))
    table.do(SetClientSeed(DORA.member_id, "x"))
    dealt(table)
    assert table.refused(SetClientSeed(ALICE.member_id, "x")) == (Refusal.ALREADY_DEALT, {})
