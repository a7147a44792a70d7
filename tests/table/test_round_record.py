"""The record of a round: every change in it is found."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from bot.games.register import game_of
from bot.rules.shuffle import commitment_to, new_secret
from bot.table.commands import (
    SetClientSeed,
)
from bot.table.commitment import Entropy
from bot.table.events import RoundSettled
from bot.table.round_proof import Mismatch, first_mismatch
from bot.table.round_record import record_of
from tests.games.presets import WIKIPEDIA

from .committed_rounds import ROUNDS, dealt, round_of_gnau, round_of_tau_ngau, settled
from .forged_rounds import proof, with_new_digest
from .trial_table import ALICE, BOB, MEI, TrialTable


@pytest.mark.parametrize("play", ROUNDS.values(), ids=ROUNDS)
def test_the_record_of_a_round_is_verified(play: Any) -> None:
    for _ in range(5):
        assert proof(play()) is None


def leaves(told: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value without parts."""
    parts = told.items() if isinstance(told, dict) else enumerate(told) if isinstance(told, list) else ()
    found = False
    for name, part in parts:
        found = True
        yield from leaves(part, (*path, name))
    if not found:
        yield path


def tampered(value: Any) -> list[Any]:
    """Other values to put in place of this one."""
    match value:
        case bool():
            return [not value]
        case int():
            return [value + 1, value - 1, -value - 1, 0 if value else 7]
        case str():
            hexadecimal = value[:-1] + ("0" if value[-1:] != "0" else "1")
            return [value + " ", hexadecimal, "", "KD", "6-5", "push", "off", "on"]
        case None:
            return [[0, 1, 2]]
        case _:
            return [[1], ["x"], None]


@pytest.mark.parametrize("play", ROUNDS.values(), ids=ROUNDS)
def test_every_change_in_a_record_is_found(play: Any) -> None:
    told = play()
    for path in leaves(told):
        other = deepcopy(told)
        part = other
        for name in path[:-1]:
            part = part[name]
        original = part[path[-1]]
        for value in tampered(original):
            if value == original:
                continue
            part[path[-1]] = value
            try:
                found = proof(other)
            except ValueError:
                continue
            assert found is not None, (path, value)


@pytest.mark.parametrize("play", ROUNDS.values(), ids=ROUNDS)
def test_every_missing_part_of_a_record_is_found(play: Any) -> None:
    told = play()
    lists = {path[:-1] for path in leaves(told) if isinstance(path[-1], int)}
    for path in [*leaves(told), *lists]:
        other = deepcopy(told)
        part = other
        for name in path[:-1]:
            part = part[name]
        del part[path[-1]]
        try:
            found = proof(other)
        except ValueError:
            continue
        assert found is not None, path


def test_a_swapped_hand_is_found_before_its_consequences() -> None:
    told = round_of_gnau()
    told["players"][0]["pieces"], told["banker"]["pieces"] = (
        told["banker"]["pieces"],
        told["players"][0]["pieces"],
    )

    found = proof(told)

    assert found is not None
    assert found.where.startswith("the hand of")


@pytest.mark.parametrize(
    ("place", "where"),
    [("players", "the gain of Alice"), ("side_bets", "the gain of Chan")],
)
def test_a_gain_taken_from_the_bank_is_found_despite_a_new_digest(place: str, where: str) -> None:
    told = round_of_gnau()
    assert with_new_digest(told) == told
    told[place][0]["chips"] += 5
    told["banker"]["chips"] -= 5

    found = proof(with_new_digest(told))

    assert found is not None
    assert found.where == where


def test_a_gain_of_the_bank_from_nobody_is_found_despite_a_new_digest() -> None:
    told = round_of_gnau()
    told["banker"]["chips"] += 5

    found = proof(with_new_digest(told))

    assert found is not None
    assert found.where == "the gain of the bank"


def test_t03_dice_that_were_not_rolled_are_found_despite_a_new_digest() -> None:
    told = round_of_tau_ngau()
    throw = told["dice"]["throws"][0]["dice"]
    throw[0] = throw[0] % 6 + 1

    found = proof(with_new_digest(told))

    assert found is not None
    assert found.where == "dice.throws"


def test_t03_a_banker_that_the_dice_did_not_pick_is_found_despite_a_new_digest() -> None:
    told = round_of_tau_ngau()
    banker, player = told["banker"], told["players"][0]
    right = banker["member"]
    for place in ("member", "name"):
        banker[place], player[place] = player[place], banker[place]
    for seed in told["opening"]["client_seeds"]:
        if seed["member"] == banker["member"]:
            seed["member"] = right

    found = proof(with_new_digest(told))

    assert found == Mismatch("banker.member", str(banker["member"]), str(right))


def test_a_shuffle_without_client_seeds_is_not_verified() -> None:
    table = TrialTable(WIKIPEDIA, entropy=lambda: Entropy(new_secret(), None))
    table.bank(MEI)
    table.bet(ALICE, 10)
    table.bet(BOB, 10)
    table.do(SetClientSeed(BOB.member_id, "eight"))
    dealt(table)

    assert proof(settled(table)) == Mismatch("opening.client_seeds", "3", "2 3")


def test_another_secret_does_not_match_the_commitment() -> None:
    told = round_of_gnau()
    other = new_secret()
    shown, told["opening"]["secret"] = told["opening"]["seal"], other

    assert proof(told) == Mismatch("opening.seal", shown, commitment_to(other))


@pytest.mark.parametrize(
    "text", ["", "[]", "7", "{}", '{"format": "gnau-round/2"}', "x" * (1 << 20) + "x", '{"a":' * 2000]
)
def test_text_that_is_no_record_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match="record of a round") as refused:
        first_mismatch(text)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300


def test_a_round_without_a_secret_has_no_record() -> None:
    table = TrialTable()
    table.bank(MEI)
    table.bet(ALICE, 10)
    table.deal("10C JD QH 4S 5S", "4C 4D 3H 8S 5D")
    result = next(event.result for event in table.showdown() if isinstance(event, RoundSettled))

    assert table.state.seal is None
    with pytest.raises(ValueError, match="without a secret"):
        record_of(70, 3, result, None)
    assert game_of(result.rules).name == "gnau"
