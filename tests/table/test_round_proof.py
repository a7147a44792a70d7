"""Forged records with a fitting digest: each mismatch names the forged part."""

import json
from dataclasses import replace
from typing import Any

import pytest

from bot.games.gnau.rules import GnauRules
from bot.rules.knobs import Arrange as ArrangedBy
from bot.table.commands import Arrange
from bot.table.dice_roll import DICE
from bot.table.round_proof import Mismatch, first_mismatch
from bot.table.round_record import LONGEST_RECORD
from bot.table.state import Member
from tests.games.presets import TAU_NGAU_PRESET, WIKIPEDIA

from .committed_rounds import (
    dealt,
    rolled,
    round_for_points,
    round_of_gnau,
    round_of_tau_ngau,
    sealed_table,
    settled,
)
from .forged_rounds import dice_of, forged, proof, round_with_dice, table_whose_dice, two_tie
from .trial_table import ALICE, MEI, TrialTable


def where(found: Mismatch | None) -> str:
    assert found is not None
    return found.where


def test_another_commitment_of_the_dice_is_found() -> None:
    told = round_of_tau_ngau()
    told["dice"]["seal"], shown = "0" * 64, told["dice"]["seal"]

    assert forged(told) == Mismatch("dice.seal", "0" * 64, shown)


@pytest.mark.parametrize("place", ["opening", "dice"])
def test_text_that_is_no_secret_is_found(place: str) -> None:
    told = round_of_tau_ngau()
    told[place]["secret"] = "a secret"

    assert forged(told) == Mismatch(f"{place}.secret", "a secret", "a secret is 32 bytes in hexadecimal")


def test_client_seeds_verify_in_any_order() -> None:
    told = round_of_gnau()
    told["opening"]["client_seeds"].reverse()

    assert forged(told) is None


def test_a_round_with_any_member_ids_is_verified() -> None:
    table = sealed_table(WIKIPEDIA)
    table.bank(MEI)
    for number in (8, 2**60, 2, 2**60 + 5):
        member = Member(number, f"Player {number}")
        table.accounts += TrialTable(chips={member: 1000}).accounts
        table.bet(member, 10)
    dealt(table)

    assert proof(settled(table)) is None


def test_t03_a_round_with_tied_dice_is_verified() -> None:
    table = table_whose_dice(two_tie)
    told = round_with_dice(table, dice_of(table))

    assert len(told["dice"]["throws"]) > 3
    assert proof(told) is None


def test_t03_a_host_who_stops_rolling_at_a_tie_is_found() -> None:
    table = table_whose_dice(two_tie)
    told = round_with_dice(table, dice_of(table)[: 3 * DICE])

    assert proof(told) == Mismatch("dice.throws", "a tie after 3 throws", "thrown until one is left")


def test_t03_a_roll_too_many_is_found() -> None:
    table = table_whose_dice(lambda totals: totals.count(max(totals)) == 1)
    dice = dice_of(table)
    told = round_with_dice(table, dice)
    told["dice"]["throws"].append(
        {"member": told["banker"]["member"], "dice": list(dice[3 * DICE : 4 * DICE])}
    )

    assert forged(told) == Mismatch("dice.throws", "4", "3")


def test_t03_a_die_that_counts_for_another_member_is_refused() -> None:
    told = round_of_tau_ngau()
    first, second = told["dice"]["throws"][:2]
    first["dice"].append(second["dice"].pop(0))

    with pytest.raises(ValueError, match=r"^this is no record of a round: dice\.throws\.0\.dice: "):
        forged(told)


def test_t03_ties_are_rolled_again_in_the_order_of_seats() -> None:
    table = table_whose_dice(two_tie)
    told = round_with_dice(table, dice_of(table))
    first, second = told["dice"]["throws"][3:5]
    first["member"], second["member"] = second["member"], first["member"]

    assert forged(told) == Mismatch(
        "dice.throws", f"{first['member']} {second['member']}", f"{second['member']} {first['member']}"
    )


def test_t03_the_only_player_who_can_bank_rolls_once() -> None:
    table = table_whose_dice(lambda totals: totals[0] > max(totals[1:]))
    told = round_with_dice(table, dice_of(table))
    del told["dice"]["throws"][1:]

    assert forged(told) is None
    told["dice"]["throws"].clear()
    assert forged(told) == Mismatch("dice.throws", "0", "1")


@pytest.mark.parametrize("seats", [(1, 0), (1, 1), (8, 1)])
def test_players_out_of_the_order_of_their_seats_are_found(seats: tuple[int, int]) -> None:
    told = round_of_gnau()
    for player, seat in zip(told["players"], seats, strict=True):
        player["seat"] = seat

    found = forged(told)

    assert where(found) == "players"


def test_seats_may_be_empty_between_players() -> None:
    told = round_of_gnau()
    for player, seat in zip(told["players"], (1, 8), strict=True):
        player["seat"] = seat

    assert forged(told) is None


@pytest.mark.parametrize("who", ["Mei", "Alice"])
def test_a_badly_arranged_hand_is_verified_as_it_was_arranged(who: str) -> None:
    """A wrong ox sometimes wins less, or loses more, than the strongest hand."""
    member = {"Mei": MEI, "Alice": ALICE}[who]
    for _ in range(200):
        table = sealed_table(GnauRules(arrange=ArrangedBy.STRICT))
        table.bank(MEI)
        table.bet(ALICE, 10)
        dealt(table)
        table.do(Arrange(member.member_id, (0, 1, 2)))
        told = settled(table)
        assert proof(told) is None
        place = told["banker"] if member is MEI else told["players"][0]
        place["declared_ox"] = None
        if (found := forged(told)) is not None:
            assert found.where.startswith(("the outcome of", "the gain of"))
            return
    pytest.fail("whatever three was declared, nothing else came of it")


@pytest.mark.parametrize("three", [[2, 1, 0], [0, 0, 1]])
def test_an_ox_with_wrong_places_is_found(three: list[int]) -> None:
    told = round_of_gnau()
    told["players"][0]["declared_ox"] = three

    assert where(forged(told)) == "the ox of Alice"


def test_an_ox_that_nobody_could_declare_is_found() -> None:
    told = round_for_points()
    told["players"][0]["declared_ox"] = [0, 1, 2]

    assert forged(told) == Mismatch("the ox of Alice", "[0, 1, 2]", "none: the table arranges hands")


@pytest.mark.parametrize(("place", "name"), [("players", "Alice"), ("side_bets", "Chan")])
def test_another_outcome_is_found(place: str, name: str) -> None:
    told = round_of_gnau()
    right = told[place][0]["outcome"]
    told[place][0]["outcome"] = wrong = "player" if right != "player" else "banker"

    assert forged(told) == Mismatch(f"the outcome of {name}", wrong, right)


def test_a_side_bet_on_somebody_who_did_not_play_is_found() -> None:
    told = round_of_gnau()
    told["side_bets"][0]["backed"] = 99

    assert forged(told) == Mismatch("the player that Chan backs", "99", "one of the players")


@pytest.mark.parametrize(
    ("place", "name", "value"),
    [
        ("players", "declared_ox", [0, 1]),
        ("players", "declared_ox", [0, 1, 2, 3]),
        ("players", "declared_ox", [-1, 0, 1]),
        ("players", "declared_ox", [0, 1, 5]),
        ("players", "stake", 0),
        ("players", "stake", "10"),
        ("players", "tip", 5),
        ("side_bets", "stake", 0),
        ("side_bets", "tip", 5),
    ],
)
def test_a_record_of_another_form_is_refused_with_the_wrong_place(
    place: str, name: str, value: object
) -> None:
    told = round_of_gnau()
    told[place][0][name] = value

    with pytest.raises(ValueError, match=rf"^this is no record of a round: {place}\.0\.{name}"):
        forged(told)


def test_text_that_is_no_json_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^this is no record of a round: the text: "):
        first_mismatch("shopping list")


def test_a_record_that_is_too_long_is_refused() -> None:
    told = json.dumps(round_of_gnau())

    assert first_mismatch(told.ljust(LONGEST_RECORD)) is None
    with pytest.raises(ValueError, match=rf"at most {1 << 20} characters, not {LONGEST_RECORD + 1}"):
        first_mismatch(told.ljust(LONGEST_RECORD + 1))


def test_dice_without_an_opening_are_left_out_of_a_record() -> None:
    table = sealed_table(TAU_NGAU_PRESET)
    dice = replace(rolled(table), opening=None)
    for seat in table.state.seats:
        table.bet(seat.member, 10)
    dealt(table)
    told: dict[str, Any] = settled(table, dice)

    assert told["dice"] is None
    assert proof(told) is None
