"""The record of a round: nothing in it can be changed unseen."""

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from bot.rules.hashing import canonical
from bot.rules.shuffle import Use, roll, seal_of, seeded_random, ticket_of
from bot.table.commands import Join, Leave
from bot.table.commitment import Entropy
from bot.table.round_proof import Mismatch, Noted, first_mismatch
from bot.table.round_record import LONGEST_RECORD, NO_SEED, receipt_in
from tests.games.presets import TAU_NGAU_PRESET, WIKIPEDIA
from tests.table.trial_table import ALICE, DORA, MEI, TrialTable

from .committed_rounds import (
    ROUNDS,
    dealt,
    numbered_table,
    rolled,
    round_of_gnau,
    round_with_computers,
    settled,
)
from .random_rounds import random_record
from .variants import proof, with_new_codes

Path = tuple[str | int, ...]


@pytest.mark.parametrize("play", ROUNDS.values(), ids=ROUNDS)
def test_the_record_of_a_round_is_verified(play: Any) -> None:
    for _ in range(5):
        assert proof(play()) is None


def test_the_record_of_any_round_is_verified() -> None:
    for seed in range(60):
        assert proof(random_record(seed)) is None, seed


def leaves(told: Any, path: Path = ()) -> Iterator[Path]:
    """The path of every value without parts."""
    parts = told.items() if isinstance(told, dict) else enumerate(told) if isinstance(told, list) else ()
    found = False
    for name, part in parts:
        found = True
        yield from leaves(part, (*path, name))
    if not found:
        yield path


def places(told: Any, path: Path = ()) -> Iterator[Path]:
    """The path of every value, and of every object and list."""
    parts = told.items() if isinstance(told, dict) else enumerate(told) if isinstance(told, list) else ()
    for name, part in parts:
        yield (*path, name)
        yield from places(part, (*path, name))


def parent(told: Any, path: Path) -> Any:
    """The object or list that has the value with this path."""
    for name in path[:-1]:
        told = told[name]
    return told


def tampered(value: Any) -> list[Any]:
    """Other values to put in place of this one."""
    match value:
        case bool():
            return [not value, int(value)]
        case int():
            return [value + 1, value - 1, -value - 1, value * 1000, 0 if value else 7, str(value)]
        case str():
            digit = value[:-1] + ("0" if value[-1:] != "0" else "1")
            words = ["", "KD", "6-5", "push", "player", "banker", "off", "strict", "counter-clockwise"]
            return [value + " ", digit, "77", f"0{value}", *words]
        case None:
            return [[0, 1, 2], [2, 3, 4], {}]
        case _:
            return [[1], ["x"], None]


def refused(told: Any) -> bool:
    """Whether a record is not verified."""
    try:
        return proof(told) is not None
    except ValueError:
        return True


def changed_once(told: Any, paths: list[Path]) -> Iterator[tuple[Any, Path, Any]]:
    """The record with another value at one of these paths, each path and each value in turn."""
    for path in paths:
        other = deepcopy(told)
        part = parent(other, path)
        original = part[path[-1]]
        for value in tampered(original):
            if value != original or type(value) is not type(original):
                part[path[-1]] = value
                yield other, path, value


@pytest.mark.thorough
@pytest.mark.parametrize("play", ROUNDS.values(), ids=ROUNDS)
def test_what_was_fixed_before_the_deal_cannot_be_changed_with_the_cards_kept(play: Any) -> None:
    """Dice of strangers, another banker, other stakes, other rules: also with every code made again."""
    told = play()
    fixed = [path for path in leaves(told) if path[0] in ("sheet", "secret", "format") and path[-1] != "seal"]
    assert len(fixed) > 20
    for other, path, value in changed_once(told, fixed):
        assert refused(with_new_codes(other)), (path, value)


@pytest.mark.thorough
@pytest.mark.parametrize("play", ROUNDS.values(), ids=ROUNDS)
def test_what_came_after_the_deal_is_refused_or_changes_the_receipt(play: Any) -> None:
    told = play()
    for other, path, value in changed_once(told, [path for path in leaves(told) if path[0] == "result"]):
        assert refused(other), (path, value)
        assert refused(with_new_codes(other)) or receipt_in(other) != told["receipt"], (path, value)


@pytest.mark.parametrize("play", ROUNDS.values(), ids=ROUNDS)
def test_nothing_can_be_left_out_added_or_moved(play: Any) -> None:
    told = play()
    for path in places(told):
        again = with_new_codes if path[-1] not in ("seal", "receipt") else deepcopy
        other = deepcopy(told)
        part = parent(other, path)
        moved = part.pop(path[-1])
        assert refused(again(other)), path
        if isinstance(path[-1], int):
            part.insert(path[-1], moved)
            part.insert(path[-1], moved)
            assert refused(with_new_codes(other)), path
        else:
            part[path[-1]] = moved
            part["tip"] = 5
            assert refused(with_new_codes(other)), path


def test_a_record_with_a_repeated_name_is_refused() -> None:
    """A reader may see the other value, so the false one stands first: most readers keep the last."""
    told = round_of_gnau()
    named = [path for path in places(told) if isinstance(path[-1], str)]
    assert {("result", "banker", "chips"), ("sheet", "players", 0, "stake")} <= {*named}
    for path in named:
        other = deepcopy(told)
        part = parent(other, path)
        true = dict(part)
        part.clear()
        part.update({"twice": "a false word"} | true)
        written = json.dumps(other).replace('"twice"', json.dumps(path[-1]))
        with pytest.raises(ValueError, match=f"{path[-1]} is there twice"):
            first_mismatch(written)


@pytest.mark.thorough
def test_an_invented_ox_changes_the_receipt_that_a_player_noted() -> None:
    """Under `strict`, what a member declared is their own: only the receipt holds it."""
    found = 0
    for seed in range(100):
        told = random_record(seed)
        if told["sheet"]["rules"]["arrange"] != "strict":
            continue
        noted = Noted(receipt=told["receipt"])
        other = deepcopy(told)
        other["result"]["players"][0]["declared_ox"] = [1, 2, 4]
        if other != told and proof(remade := with_new_codes(other)) is None:
            found += 1
            assert proof(remade, noted) == Mismatch(
                "receipt", remade["receipt"], told["receipt"], is_noted=True
            )
    assert found


def test_what_a_player_noted_is_compared() -> None:
    told = round_of_gnau()
    other = round_of_gnau()
    seeds = [told["sheet"]["banker"], *told["sheet"]["players"], *told["sheet"]["side_bets"]]
    for seed in seeds:
        noted = Noted(told["seal"], seed["client_seed"], told["receipt"])
        assert proof(told, noted) is None
        ticket = ticket_of(told["seal"], seed["client_seed"])
        assert proof(told, Noted(client_seed=ticket)) is None
    of_another_secret = ticket_of(other["seal"], told["sheet"]["banker"]["client_seed"])
    assert proof(told, Noted(client_seed=of_another_secret)) is not None
    assert proof(told, Noted(seal=other["seal"])) == Mismatch(
        "seal", told["seal"], other["seal"], is_noted=True
    )
    assert proof(told, Noted(client_seed="12345")) == Mismatch(
        "contribution", "no such contribution", "12345", is_noted=True
    )


def test_a_ticket_of_what_adds_nothing_is_nobodys() -> None:
    told = round_with_computers()
    ticket = ticket_of(told["seal"], told["sheet"]["players"][-1]["client_seed"])
    assert proof(told) is None
    assert proof(told, Noted(client_seed=ticket)) == Mismatch(
        "contribution", "no such contribution", ticket, is_noted=True
    )


def test_the_seal_of_the_dice_counts_as_noted_too() -> None:
    table = numbered_table(TAU_NGAU_PRESET)
    table.do(Join(DORA))
    rolled(table)
    gone, *staying = (seat.party for seat in table.state.seats)
    table.do(Leave(gone))
    for member in staying:
        table.bet(member, 10)
    dealt(table)
    told = settled(table)
    dice = told["sheet"]["dice"]
    assert proof(told, Noted(seal=dice["seal"])) is None
    assert dice["seal"] != told["seal"]
    brought = {int(seat["party"]): seat["client_seed"] for seat in dice["sheet"]["seats"]}[gone]
    assert proof(told, Noted(client_seed=brought)) == Mismatch(
        "contribution", "it, but only for the dice", brought, is_noted=True
    )


def test_a_seal_that_was_noted_for_the_hands_cannot_be_moved_to_dice() -> None:
    """The host deals from another secret, and shows the sealed one as that of dice that nobody saw."""
    sealed = random_record(1)
    for told in (round_of_gnau(), ROUNDS["tau-ngau"]()):
        sheet = told["sheet"]
        dice = {
            "sheet": {
                **{name: sheet[name] for name in ("format", "table", "number", "round")},
                "purpose": "dice",
                "seats": [{"seat": 1, "party": sheet["banker"]["party"], "client_seed": "7", "rolls": True}],
            },
            "secret": sealed["secret"],
        }
        dice["seal"] = seal_of(sealed["secret"], Use.DEAL, int(sheet["table"]), sheet["round"])
        below = seeded_random(sealed["secret"], canonical(dice["sheet"]))
        dice["throws"] = [{"party": sheet["banker"]["party"], "dice": list(roll(2, below))}]
        sheet["dice"] = dice
        assert refused(told)
        assert refused(with_new_codes(told))
        assert proof(with_new_codes(told), Noted(seal=dice["seal"])) is not None


def test_a_swapped_hand_is_found_before_its_consequences() -> None:
    told = round_of_gnau()
    banker, player = told["result"]["banker"], told["result"]["players"][0]
    player["pieces"], banker["pieces"] = banker["pieces"], player["pieces"]

    found = proof(told)

    assert found is not None
    assert found.where.startswith("the hand of")


def test_somebody_without_a_contribution_brings_nothing() -> None:
    table = TrialTable(WIKIPEDIA, entropy=lambda: Entropy("00" * 32, None))
    table.bank(MEI)
    table.bet(ALICE, 10)
    dealt(table, key="")

    told = settled(table)

    assert {told["sheet"][who]["client_seed"] for who in ("banker",)} == {NO_SEED}
    assert told["sheet"]["players"][0]["client_seed"] == NO_SEED
    assert proof(told) is None


@pytest.mark.parametrize(
    "text",
    ["", "[]", "7", "{}", '{"format": "gnau/1"}', "x" * (1 << 20) + "x", '{"a":' * 2000, '"\\ud800"'],
)
def test_text_that_is_no_record_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match="record of a round") as caught:
        first_mismatch(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_half_a_surrogate_pair_is_refused_in_a_sentence() -> None:
    told = round_of_gnau()
    told["words"] = {told["sheet"]["banker"]["client_seed"]: {"salt": "", "words": "\ud800"}}
    with pytest.raises(ValueError, match="record of a round"):
        proof(told)


def test_a_record_that_is_too_long_is_refused() -> None:
    told = json.dumps(round_of_gnau())

    assert first_mismatch(told.ljust(LONGEST_RECORD)) is None
    with pytest.raises(ValueError, match=rf"at most {1 << 20} characters, not {LONGEST_RECORD + 1}"):
        first_mismatch(told.ljust(LONGEST_RECORD + 1))
