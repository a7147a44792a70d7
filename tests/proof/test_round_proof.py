"""Forged records with fitting codes: each mismatch names the forged part.

A forger who knows the secret can deal again: these records are dealt from the sheet that they show, and only
one thing in them breaks the rules.
"""

import json
import re
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import pytest

from bot.games.gnau.rules import GnauRules
from bot.rules.knobs import Arrange as ArrangedBy
from bot.rules.pieces import HAND_SIZE
from bot.table import round_proof
from bot.table.betting import MOST_SIDE_BETS
from bot.table.commands import Arrange
from bot.table.round_proof import Mismatch
from bot.table.round_record import LONGEST_RECORD, receipt_in
from bot.table.state import COMPUTERS
from tests.games.presets import WIKIPEDIA
from tests.table.trial_table import ALICE, MEI, TrialTable

from .committed_rounds import (
    dealt,
    round_for_points,
    round_of_gnau,
    round_of_tau_ngau,
    round_of_the_house,
    round_with_computers,
    sealed_table,
    settled,
)
from .random_rounds import random_record
from .variants import HOUSE, dealt_again, forged, proof

Changes = dict[str, Any]
"""Other values of a record, by their paths."""
COMPUTER = str(COMPUTERS[0])
A_COMPUTERS_SEED = "the contribution of a computer player"


def where(told: dict[str, Any]) -> str:
    """What is wrong with a record that is dealt again."""
    found = proof(dealt_again(told))
    assert found is not None
    return found.where


def wrong_at(told: dict[str, Any]) -> str:
    """What is wrong with a record whose codes are made again."""
    found = forged(told)
    assert found is not None
    return found.where


def changed(told: dict[str, Any], changes: Changes) -> dict[str, Any]:
    """The record with other values at these paths; `= path` stands for the value at a path of the record."""
    for path, value in changes.items():
        *way, last = path.split(".")
        copied = isinstance(value, str) and value.startswith("= ")
        _at(told, way)[_key(last)] = _at(told, str(value)[2:].split(".")) if copied else value
    return told


def _at(told: Any, way: Sequence[str]) -> Any:
    for name in way:
        told = told[_key(name)]
    return told


def _key(name: str) -> int | str:
    return int(name) if name.lstrip("-").isdigit() else name


def a_record(fits: Any) -> dict[str, Any]:
    """A random record that fits."""
    return next(told for told in map(random_record, range(2000)) if fits(told))


def with_tied_dice(told: dict[str, Any]) -> bool:
    """Whether dice were thrown again."""
    dice = told["sheet"]["dice"]
    return dice is not None and len(dice["throws"]) > sum(seat["rolls"] for seat in dice["sheet"]["seats"])


def with_one_throw_each(told: dict[str, Any]) -> bool:
    """Whether everybody seated threw once."""
    dice = told["sheet"]["dice"]
    return dice is not None and [throw["party"] for throw in dice["throws"]] == [
        seat["party"] for seat in dice["sheet"]["seats"]
    ]


def with_two_side_bets(told: dict[str, Any]) -> bool:
    """Whether somebody backed two players."""
    backers = [side["party"] for side in told["sheet"]["side_bets"]]
    return len(set(backers)) < len(backers)


def test_a_round_with_any_parties_is_verified() -> None:
    table = sealed_table(WIKIPEDIA)
    table.bank(MEI)
    for member in (8, 2**60, 2, 2**63 - 1):
        table.accounts += TrialTable(chips={member: 1000}).accounts
        table.bet(member, 10)
    dealt(table)

    assert proof(settled(table)) is None


def test_t02_more_players_than_the_game_has_seats_for_are_found() -> None:
    told = a_record(lambda told: len(told["sheet"]["players"]) == 5 and told["sheet"]["dice"])
    told["sheet"]["players"].append({"seat": 9, "party": "99", "stake": 1, "client_seed": "0"})
    told["result"]["players"].append(deepcopy(told["result"]["players"][0]))

    assert forged(told) == Mismatch("players", "6", "at most 5")


def test_b01_a_side_bet_that_is_there_twice_is_found() -> None:
    told = round_of_gnau()
    for part in ("sheet", "result"):
        told[part]["side_bets"] *= 2

    assert where(told) == "side bet 2"


def test_a_backer_with_two_contributions_is_found() -> None:
    told = a_record(with_two_side_bets)
    sides = told["sheet"]["side_bets"]
    last = max(at for at, side in enumerate(sides) if side["party"] in [one["party"] for one in sides[:at]])
    sides[last]["client_seed"] = "77"

    assert where(told) == f"the contribution of side bet {last + 1}"


DICE = "sheet.dice.sheet"


@pytest.mark.parametrize(
    ("play", "path", "value", "place"),
    [
        (round_of_gnau, "sheet.players.1.seat", 1, "players"),
        (round_of_gnau, "sheet.players.0.seat", 8, "players"),
        (round_of_gnau, "sheet.players.1.party", "= sheet.players.0.party", "players"),
        (round_of_gnau, "sheet.players.1.party", "= sheet.banker.party", "players"),
        (round_of_gnau, "sheet.side_bets.0.backed", "99", "the player of side bet 1"),
        (round_of_gnau, "sheet.side_bets.0.party", "= sheet.banker.party", "the backer of side bet 1"),
        (round_of_gnau, "sheet.players.-1.party", HOUSE, "the house"),
        (round_of_gnau, "sheet.side_bets.-1.party", HOUSE, "the house"),
        (round_of_tau_ngau, f"{DICE}.seats.-1.party", HOUSE, "the house"),
        (round_of_the_house, "sheet.banker.client_seed", "77", "the contribution of the house"),
        (round_of_gnau, "sheet.banker.party", COMPUTER, "a computer player"),
        (round_of_gnau, "sheet.side_bets.-1.party", COMPUTER, "a computer player"),
        (round_with_computers, f"{DICE}.seats.-1.rolls", True, "a computer player"),
        (round_with_computers, "sheet.players.-1.client_seed", "77", A_COMPUTERS_SEED),
        (round_with_computers, f"{DICE}.seats.-1.client_seed", "77", A_COMPUTERS_SEED),
        (round_of_tau_ngau, f"{DICE}.table", "71", "dice.sheet.table"),
        (round_of_tau_ngau, f"{DICE}.number", 4, "dice.sheet.number"),
        (round_of_tau_ngau, f"{DICE}.round", 2, "dice.sheet.round"),
        (round_of_tau_ngau, f"{DICE}.seats.1.seat", 1, "dice.sheet.seats"),
        (round_of_tau_ngau, f"{DICE}.seats.1.party", f"= {DICE}.seats.0.party", "dice.sheet.seats"),
        (round_of_tau_ngau, "sheet.dice.secret", "= secret", "dice.secret"),
        (round_of_tau_ngau, "sheet.dice.throws.0.party", "99", "dice.throws"),
    ],
)
def test_b01_b07_t03_somebody_where_they_cannot_be_and_dice_of_others_are_found(
    play: Any, path: str, value: object, place: str
) -> None:
    assert where(changed(play(), {path: value})) == place


def test_b07_a_house_or_a_computer_player_that_declares_an_ox_is_found() -> None:
    told = dealt_again(changed(round_of_the_house(), {"sheet.rules.arrange": "strict"}))
    assert wrong_at(changed(told, {"result.banker.declared_ox": [0, 1, 2]})) == "the ox of the house"
    told = round_with_computers()
    assert forged(told) is None
    told = changed(told, {"result.players.-1.declared_ox": [0, 1, 2]})
    assert wrong_at(told) == "the ox of a computer player"


@pytest.mark.parametrize("part", ["players", "side_bets"])
def test_a_result_of_fewer_is_found(part: str) -> None:
    told = round_of_gnau()
    told["result"][part].pop()

    assert wrong_at(told) == f"the number of {part.replace('_', ' ')}"


def test_another_seal_is_found() -> None:
    told, other = round_of_gnau(), round_of_gnau()
    shown, told["seal"] = told["seal"], other["seal"]
    told["receipt"] = receipt_in(told)

    assert proof(told) == Mismatch("seal", other["seal"], shown)


def test_t03_dice_in_a_game_without_are_found() -> None:
    told = changed(round_of_gnau(), {"sheet.dice": round_of_tau_ngau()["sheet"]["dice"]})

    assert where(told) == "dice"


def test_t03_dice_under_another_seal_are_found() -> None:
    told = round_of_tau_ngau()
    shown = told["sheet"]["dice"]["seal"]
    told["sheet"]["dice"]["seal"] = told["seal"]

    assert proof(told) == Mismatch("dice.seal", told["seal"], shown)


def test_t03_dice_that_nobody_rolls_or_one_too_many_are_found() -> None:
    told = round_of_tau_ngau()
    for seat in told["sheet"]["dice"]["sheet"]["seats"]:
        seat["rolls"] = False
    assert where(told) == "dice.sheet.seats"
    told = round_of_tau_ngau()
    throws = told["sheet"]["dice"]["throws"]
    throws.append(throws[0])
    assert where(told) == "dice.throws"


def test_t03_a_host_who_stops_rolling_at_a_tie_is_found() -> None:
    told = a_record(with_tied_dice)
    dice = told["sheet"]["dice"]
    del dice["throws"][sum(seat["rolls"] for seat in dice["sheet"]["seats"]) :]

    assert where(told) == "dice.throws"


def test_t03_the_last_dice_of_a_secret_are_rolled_too(monkeypatch: pytest.MonkeyPatch) -> None:
    told = a_record(with_one_throw_each)
    monkeypatch.setattr(round_proof, "THROWS", 1)
    assert proof(told) is None


def test_t03_a_die_that_counts_for_another_member_is_refused() -> None:
    told = round_of_tau_ngau()
    first, second = told["sheet"]["dice"]["throws"][:2]
    first["dice"].append(second["dice"].pop(0))

    with pytest.raises(ValueError, match=r"^this is no record of a round: sheet\.dice\.throws\.0\.dice: "):
        forged(told)


def test_t03_ties_are_rolled_again_in_the_order_of_seats() -> None:
    told = a_record(with_tied_dice)
    throws = told["sheet"]["dice"]["throws"]
    again = sum(seat["rolls"] for seat in told["sheet"]["dice"]["sheet"]["seats"])
    first, second = throws[again : again + 2]
    first["party"], second["party"] = second["party"], first["party"]

    assert where(told) == "dice.throws"


def test_t03_a_banker_whom_the_dice_did_not_pick_is_found() -> None:
    told = round_of_tau_ngau()
    banker, player = told["sheet"]["banker"], told["sheet"]["players"][0]
    banker["party"], player["party"] = player["party"], banker["party"]

    assert proof(dealt_again(told)) == Mismatch("banker.party", banker["party"], player["party"])


@pytest.mark.parametrize("who", [MEI, ALICE])
def test_a_badly_arranged_hand_is_verified_as_it_was_arranged(who: int) -> None:
    """A wrong ox sometimes wins less, or loses more, than the strongest hand."""
    for _ in range(200):
        table = sealed_table(GnauRules(arrange=ArrangedBy.STRICT))
        table.bank(MEI)
        table.bet(ALICE, 10)
        dealt(table)
        table.do(Arrange(who, (0, 1, 2)))
        told = settled(table)
        assert proof(told) is None
        hand = told["result"]["banker"] if who == MEI else told["result"]["players"][0]
        hand["declared_ox"] = None
        if (found := forged(told)) is not None:
            assert found.where.startswith(("the outcome of", "the gain of"))
            return
    pytest.fail("whatever three was declared, nothing else came of it")


@pytest.mark.parametrize("three", [[2, 1, 0], [0, 0, 1]])
def test_b04_an_ox_with_wrong_places_is_found(three: list[int]) -> None:
    told = round_of_gnau()
    told["result"]["players"][0]["declared_ox"] = three

    assert wrong_at(told) == "the ox of seat 1"


def test_b04_an_ox_that_nobody_could_declare_is_found() -> None:
    told = round_for_points()
    told["result"]["players"][0]["declared_ox"] = [0, 1, 2]

    assert forged(told) == Mismatch("the ox of seat 1", "0 1 2", "none: the bot arranges hands")


def test_b04_three_that_are_no_ox_are_found_where_the_bot_helps() -> None:
    found = set()
    for _ in range(60):
        told = round_of_gnau()
        for hand in told["result"]["players"]:
            hand["declared_ox"] = [0, 1, 2]
        if (mismatch := forged(told)) is not None:
            found.add(mismatch.should)
    assert "three that make an ox" in found


def test_b08_a_backed_hand_that_is_arranged_worse_is_found() -> None:
    found = set()
    for _ in range(60):
        told = round_of_gnau()
        told["sheet"]["rules"]["arrange"] = "strict"
        told = dealt_again(told)
        told["result"]["players"][0]["declared_ox"] = [HAND_SIZE - 3, HAND_SIZE - 2, HAND_SIZE - 1]
        if (mismatch := forged(told)) is not None:
            found.add(mismatch.should)
    assert "as good as the strongest: others backed this hand" in found


@pytest.mark.parametrize(("place", "name"), [("players", "seat 1"), ("side_bets", "side bet 1")])
def test_another_outcome_is_found(place: str, name: str) -> None:
    told = round_of_gnau()
    outcome = told["result"][place][0]
    right = outcome["outcome"]
    outcome["outcome"] = wrong = "player" if right != "player" else "banker"

    assert forged(told) == Mismatch(f"the outcome of {name}", wrong, right)


@pytest.mark.parametrize(("place", "name"), [("players", "seat 1"), ("side_bets", "side bet 1")])
def test_a_gain_taken_from_the_bank_is_found(place: str, name: str) -> None:
    told = round_of_gnau()
    told["result"][place][0]["chips"] += 5
    told["result"]["banker"]["chips"] -= 5

    assert wrong_at(told) == f"the gain of {name}"


def test_a_gain_of_the_bank_from_nobody_is_found() -> None:
    told = round_of_gnau()
    told["result"]["banker"]["chips"] += 5

    assert wrong_at(told) == "the gain of the bank"


def test_words_that_do_not_make_a_contribution_are_found() -> None:
    told = random_record(3)
    told["words"] = {told["sheet"]["banker"]["client_seed"]: {"salt": "00", "words": "others"}}

    assert wrong_at(told) == "words"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        *(("result.players.0.declared_ox", three) for three in ([0, 1], [0, 1, 2, 3], [-1, 0, 1], [0, 1, 5])),
        ("result.players.0.pieces", ["AC"]),
        ("sheet.players.0.stake", 0),
        ("sheet.players.0.stake", "10"),
        ("sheet.players.0.party", 2),
        ("sheet.players.0.party", "02"),
        ("sheet.players.0.client_seed", "lucky"),
        ("sheet.side_bets.0.stake", 2**53),
        ("sheet.rules.decks", "1"),
        ("sheet.rules.flex_3_6", 1),
        ("sheet.rules.wild_in_score", True),
        ("sheet.purpose", "dice"),
        ("seal", "7K2Q9"),
    ],
)
def test_a_record_of_another_form_is_refused_with_the_wrong_place(path: str, value: object) -> None:
    place = re.escape(".".join(path.split(".")[:2]))

    with pytest.raises(ValueError, match=rf"^this is no record of a round: {place}"):
        proof(changed(round_of_gnau(), {path: value}))


def test_rules_without_a_knob_are_refused() -> None:
    told = round_of_gnau()
    del told["sheet"]["rules"]["decks"]

    with pytest.raises(ValueError, match=r"^this is no record of a round: sheet\.rules"):
        forged(told)


def test_b01_a_round_with_the_most_side_bets_has_a_record_that_can_be_read() -> None:
    told = round_of_gnau()
    side, outcome = told["sheet"]["side_bets"][0], told["result"]["side_bets"][0]
    told["sheet"]["side_bets"] = [
        side | {"party": str(2**63 - 1 - at), "client_seed": told["seal"]} for at in range(MOST_SIDE_BETS)
    ]
    told["result"]["side_bets"] = [outcome] * MOST_SIDE_BETS

    assert len(json.dumps(told, indent=1)) < LONGEST_RECORD // 4
