"""Forged records with fitting codes: each mismatch names the forged part.

A forger who knows the secret can deal again: these records are dealt from the sheet that they show, and only
one thing in them breaks the rules.
"""

import json
from copy import deepcopy
from typing import Any

import pytest

from bot.games.gnau.rules import GnauRules
from bot.games.pack import shuffled_pack
from bot.games.register import GAMES
from bot.rules.canonical import canonical
from bot.rules.hand import HAND_SIZE
from bot.rules.knobs import Arrange as ArrangedBy
from bot.rules.knobs import Direction
from bot.rules.shuffle import deal, seeded_random
from bot.table import round_proof
from bot.table.commands import Arrange
from bot.table.round_proof import Mismatch
from bot.table.round_record import LONGEST_RECORD, receipt_in
from bot.table.seats import COMPUTERS
from bot.table.side_betting import MOST_SIDE_BETS
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
from .forged_rounds import forged, proof, with_new_codes
from .random_rounds import random_record
from .variants import HOUSE


def dealt_again(told: dict[str, Any]) -> dict[str, Any]:
    """The record with the hands that its sheet deals; what they win is not made again."""
    told = with_new_codes(told)
    rules = GAMES[told["sheet"]["rules"]["game"]].rules.model_validate(told["sheet"]["rules"])
    hands = told["result"]["players"][:: 1 if rules.direction is Direction.CLOCKWISE else -1]
    served = [*hands, told["result"]["banker"]]
    pack = shuffled_pack(len(served), rules, seeded_random(told["secret"], canonical(told["sheet"])))
    for hand, pieces in zip(served, deal(pack, len(served)), strict=True):
        hand["pieces"] = [GAMES[rules.game].pieces.text(piece) for piece in pieces]
        hand["declared_ox"] = None
    return with_new_codes(told)


def where(told: dict[str, Any]) -> str:
    """What is wrong with a record that is dealt again."""
    found = proof(dealt_again(told))
    assert found is not None
    return found.where


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


@pytest.mark.parametrize("seats", [(1, 1), (8, 1)])
def test_players_out_of_the_order_of_their_seats_are_found(seats: tuple[int, int]) -> None:
    told = round_of_gnau()
    for player, seat in zip(told["sheet"]["players"], seats, strict=True):
        player["seat"] = seat

    assert where(told) == "players"


def test_a_player_with_two_hands_is_found() -> None:
    told = round_of_gnau()
    told["sheet"]["players"][1]["party"] = told["sheet"]["players"][0]["party"]

    assert where(told) == "players"


def test_a_banker_who_plays_against_themselves_is_found() -> None:
    told = round_of_gnau()
    told["sheet"]["players"][1]["party"] = told["sheet"]["banker"]["party"]

    assert where(told) == "players"


def test_t02_more_players_than_the_game_has_seats_for_are_found() -> None:
    told = a_record(lambda told: len(told["sheet"]["players"]) == 5 and told["sheet"]["dice"])
    told["sheet"]["players"].append({"seat": 9, "party": "99", "stake": 1, "client_seed": "0"})
    told["result"]["players"].append(deepcopy(told["result"]["players"][0]))

    assert forged(told) == Mismatch("players", "6", "at most 5")


def test_b01_a_side_bet_on_somebody_who_did_not_play_is_found() -> None:
    told = round_of_gnau()
    told["sheet"]["side_bets"][0]["backed"] = "99"

    assert proof(dealt_again(told)) == Mismatch("the player of side bet 1", "99", "one of the players")


def test_b01_a_side_bet_of_somebody_at_the_table_is_found() -> None:
    told = round_of_gnau()
    told["sheet"]["side_bets"][0]["party"] = told["sheet"]["banker"]["party"]

    assert where(told) == "the backer of side bet 1"


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


@pytest.mark.parametrize("part", ["players", "side_bets"])
def test_b07_the_house_as_anybody_but_the_banker_is_found(part: str) -> None:
    told = round_of_gnau()
    told["sheet"][part][-1]["party"] = HOUSE

    assert where(told) == "the house"


def test_b07_the_house_at_the_dice_is_found() -> None:
    told = round_of_tau_ngau()
    told["sheet"]["dice"]["sheet"]["seats"][-1]["party"] = HOUSE

    assert where(told) == "the house"


def test_b07_a_house_that_brings_something_is_found() -> None:
    told = round_of_the_house()
    told["sheet"]["banker"]["client_seed"] = "77"

    assert where(told) == "the contribution of the house"


def test_b07_a_house_that_declares_an_ox_is_found() -> None:
    told = round_of_the_house()
    told["sheet"]["rules"]["arrange"] = "strict"
    told = dealt_again(told)
    told["result"]["banker"]["declared_ox"] = [0, 1, 2]
    found = proof(with_new_codes(told))

    assert found is not None
    assert found.where == "the ox of the house"


def test_b07_a_round_with_computer_players_is_verified() -> None:
    assert forged(round_with_computers()) is None


def with_computer(told: dict[str, Any], place: dict[str, Any]) -> dict[str, Any]:
    """The record with a computer player in a place of somebody else."""
    place["party"] = str(COMPUTERS[0])
    return told


def test_b07_a_computer_player_as_banker_is_found() -> None:
    told = round_of_gnau()
    assert where(with_computer(told, told["sheet"]["banker"])) == "a computer player"


def test_b07_a_computer_player_as_backer_is_found() -> None:
    told = round_of_gnau()
    assert where(with_computer(told, told["sheet"]["side_bets"][-1])) == "a computer player"


def test_b07_a_computer_player_who_rolls_is_found() -> None:
    told = round_with_computers()
    seat = told["sheet"]["dice"]["sheet"]["seats"][-1]
    assert int(seat["party"]) in COMPUTERS
    assert not seat["rolls"]
    seat["rolls"] = True
    assert where(told) == "a computer player"


@pytest.mark.parametrize("at_dice", [False, True])
def test_b07_a_computer_player_who_brings_something_is_found(at_dice: bool) -> None:
    told = round_with_computers()
    places = told["sheet"]["dice"]["sheet"]["seats"] if at_dice else told["sheet"]["players"]
    places[-1]["client_seed"] = "77"
    assert where(told) == "the contribution of a computer player"


def test_b07_a_computer_player_who_declares_an_ox_is_found() -> None:
    told = round_with_computers()
    told["result"]["players"][-1]["declared_ox"] = [0, 1, 2]
    found = forged(told)
    assert found is not None
    assert found.where == "the ox of a computer player"


@pytest.mark.parametrize("part", ["players", "side_bets"])
def test_a_result_of_fewer_is_found(part: str) -> None:
    told = round_of_gnau()
    told["result"][part].pop()

    found = forged(told)

    assert found is not None
    assert found.where == f"the number of {part.replace('_', ' ')}"


@pytest.mark.parametrize(("name", "value"), [("table", "71"), ("number", 4), ("round", 2)])
def test_t03_dice_of_another_round_are_found(name: str, value: object) -> None:
    told = round_of_tau_ngau()
    told["sheet"]["dice"]["sheet"][name] = value

    assert where(told) == f"dice.sheet.{name}"


def test_t03_dice_with_a_seat_or_a_member_twice_are_found() -> None:
    for name, value in (("seat", 1), ("party", None)):
        told = round_of_tau_ngau()
        first, second, *_ = told["sheet"]["dice"]["sheet"]["seats"]
        second[name] = value or first[name]
        assert where(told) == "dice.sheet.seats"


def test_another_seal_is_found() -> None:
    told, other = round_of_gnau(), round_of_gnau()
    shown, told["seal"] = told["seal"], other["seal"]
    told["receipt"] = receipt_in(told)

    assert proof(told) == Mismatch("seal", other["seal"], shown)


def test_t03_dice_in_a_game_without_are_found() -> None:
    told = round_of_gnau()
    told["sheet"]["dice"] = round_of_tau_ngau()["sheet"]["dice"]

    assert where(told) == "dice"


def test_t03_dice_from_the_secret_of_the_hands_are_found() -> None:
    told = round_of_tau_ngau()
    told["sheet"]["dice"]["secret"] = told["secret"]

    assert where(told) == "dice.secret"


def test_t03_dice_under_another_seal_are_found() -> None:
    told = round_of_tau_ngau()
    shown = told["sheet"]["dice"]["seal"]
    told["sheet"]["dice"]["seal"] = told["seal"]

    assert proof(told) == Mismatch("dice.seal", told["seal"], shown)


def test_t03_dice_that_nobody_rolls_are_found() -> None:
    told = round_of_tau_ngau()
    for seat in told["sheet"]["dice"]["sheet"]["seats"]:
        seat["rolls"] = False

    assert where(told) == "dice.sheet.seats"


def test_t03_a_host_who_stops_rolling_at_a_tie_is_found() -> None:
    told = a_record(with_tied_dice)
    dice = told["sheet"]["dice"]
    del dice["throws"][sum(seat["rolls"] for seat in dice["sheet"]["seats"]) :]

    assert where(told) == "dice.throws"


def test_t03_the_last_dice_of_a_secret_are_rolled_too(monkeypatch: pytest.MonkeyPatch) -> None:
    told = a_record(with_one_throw_each)
    monkeypatch.setattr(round_proof, "THROWS", 1)
    assert proof(told) is None


def test_t03_a_roll_too_many_is_found() -> None:
    told = round_of_tau_ngau()
    throws = told["sheet"]["dice"]["throws"]
    throws.append(throws[0])

    assert where(told) == "dice.throws"


def test_t03_a_roll_of_a_stranger_is_found() -> None:
    told = round_of_tau_ngau()
    told["sheet"]["dice"]["throws"][0]["party"] = "99"

    assert where(told) == "dice.throws"


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

    found = forged(told)

    assert found is not None
    assert found.where == "the ox of seat 1"


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

    found = forged(told)

    assert found is not None
    assert found.where == f"the gain of {name}"


def test_a_gain_of_the_bank_from_nobody_is_found() -> None:
    told = round_of_gnau()
    told["result"]["banker"]["chips"] += 5

    found = forged(told)

    assert found is not None
    assert found.where == "the gain of the bank"


def test_words_that_do_not_make_a_contribution_are_found() -> None:
    told = random_record(3)
    told["words"] = {told["sheet"]["banker"]["client_seed"]: {"salt": "00", "words": "others"}}

    found = proof(told)

    assert found is not None
    assert found.where == "words"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("result", "players", 0, "declared_ox"), [0, 1]),
        (("result", "players", 0, "declared_ox"), [0, 1, 2, 3]),
        (("result", "players", 0, "declared_ox"), [-1, 0, 1]),
        (("result", "players", 0, "declared_ox"), [0, 1, 5]),
        (("result", "players", 0, "pieces"), ["AC"]),
        (("sheet", "players", 0, "stake"), 0),
        (("sheet", "players", 0, "stake"), "10"),
        (("sheet", "players", 0, "party"), 2),
        (("sheet", "players", 0, "party"), "02"),
        (("sheet", "players", 0, "client_seed"), "lucky"),
        (("sheet", "side_bets", 0, "stake"), 2**53),
        (("sheet", "rules", "decks"), "1"),
        (("sheet", "purpose"), "dice"),
        (("seal",), "7K2Q9"),
    ],
)
def test_a_record_of_another_form_is_refused_with_the_wrong_place(path: Any, value: object) -> None:
    told = round_of_gnau()
    part = told
    for name in path[:-1]:
        part = part[name]
    part[path[-1]] = value
    place = r"\.".join(map(str, path[:2]))

    with pytest.raises(ValueError, match=rf"^this is no record of a round: {place}"):
        proof(told)


def test_rules_without_a_knob_or_with_a_foreign_one_are_refused() -> None:
    for change in ({"decks": None}, {"wild_in_score": True}, {"flex_3_6": 1}):
        told = round_of_gnau()
        rules = told["sheet"]["rules"]
        for name, value in change.items():
            if value is None:
                del rules[name]
            else:
                rules[name] = value
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
