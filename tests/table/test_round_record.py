"""The record of a round, and its proof: every tampering with it is found."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from bot.rules.games import game_of
from bot.rules.knobs import GameName
from bot.rules.presets import WIKIPEDIA
from bot.rules.shuffle import new_secret, seal_of
from bot.table.commands import (
    SetClientSeed,
)
from bot.table.commitment import Entropy
from bot.table.events import RoundSettled
from bot.table.round_proof import Mismatch, first_mismatch
from bot.table.round_record import record_of

from .committed_rounds import ROUNDS, dealt, round_of_gnau, round_of_tau_ngau, settled
from .forged_rounds import proof, with_digest_made_anew
from .trial_table import ALICE, BOB, MEI, TrialTable


@pytest.mark.parametrize("play", ROUNDS.values(), ids=ROUNDS)
def test_the_record_of_a_round_proves_it(play: Any) -> None:
    for _ in range(5):
        assert proof(play()) is None


def leaves(told: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where every value stands that has no parts."""
    parts = told.items() if isinstance(told, dict) else enumerate(told) if isinstance(told, list) else ()
    found = False
    for name, part in parts:
        found = True
        yield from leaves(part, (*path, name))
    if not found:
        yield path


def tampered(value: Any) -> list[Any]:
    """Other values in place of one."""
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
def test_whatever_is_changed_in_a_record_is_found(play: Any) -> None:
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
def test_whatever_is_left_out_of_a_record_is_missed(play: Any) -> None:
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


def test_a_swapped_hand_is_named_before_anything_that_follows_from_it() -> None:
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
def test_a_gain_taken_from_the_bank_is_found_though_the_digest_is_made_anew(place: str, where: str) -> None:
    told = round_of_gnau()
    assert with_digest_made_anew(told) == told
    told[place][0]["chips"] += 5
    told["banker"]["chips"] -= 5

    found = proof(with_digest_made_anew(told))

    assert found is not None
    assert found.where == where


def test_a_gain_of_the_bank_from_nobody_is_found_though_the_digest_is_made_anew() -> None:
    told = round_of_gnau()
    told["banker"]["chips"] += 5

    found = proof(with_digest_made_anew(told))

    assert found is not None
    assert found.where == "the gain of the bank"


def test_t03_dice_that_were_not_thrown_are_found_though_the_digest_is_made_anew() -> None:
    told = round_of_tau_ngau()
    throw = told["dice"]["throws"][0]["dice"]
    throw[0] = throw[0] % 6 + 1

    found = proof(with_digest_made_anew(told))

    assert found is not None
    assert found.where == "dice.throws"


def test_t03_a_banker_whom_the_dice_did_not_pick_is_found_though_the_digest_is_made_anew() -> None:
    told = round_of_tau_ngau()
    banker, player = told["banker"], told["players"][0]
    right = banker["member"]
    for place in ("member", "name"):
        banker[place], player[place] = player[place], banker[place]
    for seed in told["opening"]["client_seeds"]:
        if seed["member"] == banker["member"]:
            seed["member"] = right

    found = proof(with_digest_made_anew(told))

    assert found == Mismatch("banker.member", str(banker["member"]), str(right))


def test_a_shuffle_into_which_bettors_mixed_nothing_is_no_proof() -> None:
    table = TrialTable(WIKIPEDIA, entropy=lambda: Entropy(new_secret(), None))
    table.bank(MEI)
    table.bet(ALICE, 10)
    table.bet(BOB, 10)
    table.do(SetClientSeed(BOB.member_id, "eight"))
    dealt(table)

    assert proof(settled(table)) == Mismatch("opening.client_seeds", "3", "2 3")


def test_another_secret_does_not_fit_the_seal_that_was_shown() -> None:
    told = round_of_gnau()
    other = new_secret()
    shown, told["opening"]["secret"] = told["opening"]["seal"], other

    assert proof(told) == Mismatch("opening.seal", shown, seal_of(other))


@pytest.mark.parametrize(
    "text", ["", "[]", "7", "{}", '{"format": "gnau-round/2"}', "x" * (1 << 20) + "x", '{"a":' * 2000]
)
def test_what_is_no_record_is_refused_in_a_sentence(text: str) -> None:
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
    with pytest.raises(ValueError, match="was not sealed"):
        record_of(70, 3, result, None)
    assert game_of(result.rules).name is GameName.GNAU
