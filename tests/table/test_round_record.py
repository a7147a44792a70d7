"""The record of a round, and its proof: every tampering with it is found."""

import json
from collections.abc import Iterator
from copy import deepcopy
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.game import HAND_SIZE
from bot.rules.games import game_of
from bot.rules.knobs import Arrange as ArrangedBy
from bot.rules.knobs import Direction, GameName, HouseRules, Play
from bot.rules.presets import TAU_NGAU_PRESET, WIKIPEDIA
from bot.rules.shuffle import Contribution, Purpose, drawing, new_secret, seal_of, shuffled_pack, thrown
from bot.table.commands import (
    Arrange,
    Contribute,
    Deal,
    Join,
    Leave,
    PlaceBet,
    PlaceSideBet,
    RollForBank,
    WithdrawBet,
)
from bot.table.events import DiceRolled, RoundSettled
from bot.table.play import hands_to_deal
from bot.table.refusals import Refusal
from bot.table.rolling import dice_needed
from bot.table.round_proof import Misfit, misfit
from bot.table.round_record import record_of
from bot.table.sealing import LONGEST_WORDS, Fresh, draw_of_dice, draw_of_hands

from .trial_table import ALICE, BOB, CHAN, DORA, MEI, TrialTable

ASSISTED = HouseRules(arrange=ArrangedBy.ASSISTED, direction=Direction.COUNTER_CLOCKWISE)


def sealed_table(rules: HouseRules) -> TrialTable:
    return TrialTable(rules, fresh=lambda: Fresh(new_secret(), "1100220033"))


def dealt(table: TrialTable) -> None:
    """Deals what the sealed secret makes, as the croupier does."""
    assert table.state.bank is not None
    draw = draw_of_hands(table.state)
    assert draw is not None
    below = drawing(draw.secret, draw.contributions, Purpose.DEAL)
    pieces = shuffled_pack(hands_to_deal(table.state), table.state.rules, below)
    table.do(Deal(table.state.bank.member.member_id, pieces))


def rolled(table: TrialTable) -> DiceRolled:
    """Has Alice throw the dice that the sealed secret makes."""
    for member in (ALICE, BOB, CHAN):
        table.do(Join(member))
    draw = draw_of_dice(table.state, ALICE.member_id, "777")
    assert draw is not None
    dice = thrown(dice_needed(table.state), drawing(draw.secret, draw.contributions, Purpose.DICE))
    events = table.do(RollForBank(ALICE.member_id, dice, table.house, "777"))
    return next(event for event in events if isinstance(event, DiceRolled))


def settled(table: TrialTable, dice: DiceRolled | None = None) -> dict[str, Any]:
    """Plays on to the end of the round, and gives its record as it is exported."""
    events = table.show_down()
    result = next(event.result for event in events if isinstance(event, RoundSettled))
    told: dict[str, Any] = json.loads(json.dumps(record_of(70, 3, result, dice)))
    return told


def round_of_gnau() -> dict[str, Any]:
    table = sealed_table(ASSISTED)
    table.bank(MEI)
    table.bet(ALICE, 10)
    table.bet(BOB, 20)
    table.back(CHAN, ALICE, 5)
    table.do(Contribute(BOB.member_id, "  my lucky\n words 旺 "))
    dealt(table)
    for member in (MEI, ALICE, BOB):
        for first in range(HAND_SIZE):
            three = tuple(sorted({first, (first + 1) % HAND_SIZE, (first + 2) % HAND_SIZE}))
            table.ask(Arrange(member.member_id, three))
    return settled(table)


def round_of_tau_ngau() -> dict[str, Any]:
    table = sealed_table(TAU_NGAU_PRESET)
    dice = rolled(table)
    for seat in table.state.seats:
        table.bet(seat.member, 10)
    dealt(table)
    return settled(table, dice)


def round_for_points() -> dict[str, Any]:
    table = sealed_table(HouseRules(play=Play.POINTS))
    table.bank(MEI)
    table.bet(ALICE, 1)
    dealt(table)
    return settled(table)


ROUNDS = {"gnau": round_of_gnau, "tau-ngau": round_of_tau_ngau, "points": round_for_points}


def proof(told: Any) -> Misfit | None:
    return misfit(json.dumps(told))


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
            return [value + " ", hexadecimal, "", "KD", "6-5", "draw", "push", "off", "on"]
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


def with_digest_made_anew(told: dict[str, Any]) -> dict[str, Any]:
    """The record as who forges one would give it away."""
    rest = {name: value for name, value in told.items() if name != "digest"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return rest | {"digest": sha256(text.encode()).hexdigest()}


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
    for said in told["draw"]["contributions"]:
        if said["member"] == banker["member"]:
            said["member"] = right

    found = proof(with_digest_made_anew(told))

    assert found == Misfit("banker.member", str(banker["member"]), str(right))


def test_a_shuffle_into_which_bettors_mixed_nothing_is_no_proof() -> None:
    table = TrialTable(WIKIPEDIA, fresh=lambda: Fresh(new_secret(), None))
    table.bank(MEI)
    table.bet(ALICE, 10)
    table.bet(BOB, 10)
    table.do(Contribute(BOB.member_id, "eight"))
    dealt(table)

    assert proof(settled(table)) == Misfit("draw.contributions", "3", "2 3")


def test_another_secret_does_not_fit_the_seal_that_was_shown() -> None:
    told = round_of_gnau()
    other = new_secret()
    shown, told["draw"]["secret"] = told["draw"]["seal"], other

    assert proof(told) == Misfit("draw.seal", shown, seal_of(other))


@pytest.mark.parametrize(
    "text", ["", "[]", "7", "{}", '{"format": "gnau-round/2"}', "x" * (1 << 20) + "x", '{"a":' * 2000]
)
def test_what_is_no_record_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match="record of a round") as refused:
        misfit(text)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300


def test_the_secret_of_the_next_round_is_another_one() -> None:
    table = sealed_table(WIKIPEDIA)
    table.bank(MEI)
    table.bet(ALICE, 10)
    seal = table.state.seal
    dealt(table)
    assert table.state.seal == seal
    told = settled(table)

    assert told["draw"]["seal"] == seal
    assert table.state.seal not in (None, seal)


def test_a_secret_that_dice_revealed_deals_no_hands() -> None:
    table = sealed_table(TAU_NGAU_PRESET)
    seal = table.state.seal
    dice = rolled(table)

    assert dice.draw is not None
    assert seal_of(dice.draw.secret) == seal
    assert table.state.seal not in (None, seal)
    assert table.state.contributed == ()


def test_t03_everybody_who_sits_mixes_into_the_dice_once_and_who_left_does_not() -> None:
    table = sealed_table(TAU_NGAU_PRESET)
    for member in (ALICE, BOB, CHAN, DORA):
        table.do(Join(member))
    table.do(Contribute(BOB.member_id, "eight"))
    table.do(Leave(DORA.member_id))
    draw = draw_of_dice(table.state, ALICE.member_id, "777")

    assert draw is not None
    assert draw.contributions == (
        Contribution(ALICE.member_id, "777"),
        Contribution(BOB.member_id, "eight"),
        Contribution(CHAN.member_id, "1100220033"),
    )


def test_dice_are_drawn_from_the_callers_own_words_where_he_chose_some() -> None:
    table = sealed_table(TAU_NGAU_PRESET)
    table.do(Join(ALICE))
    table.do(Join(BOB))

    def told() -> dict[int, str]:
        draw = draw_of_dice(table.state, ALICE.member_id, "777")
        assert draw is not None
        return {said.member_id: said.text for said in draw.contributions}

    assert told() == {ALICE.member_id: "777", BOB.member_id: "1100220033"}
    table.do(Contribute(ALICE.member_id, "six and six"))
    assert told() == {ALICE.member_id: "six and six", BOB.member_id: "1100220033"}


def test_who_takes_his_bet_back_contributes_nothing() -> None:
    table = sealed_table(WIKIPEDIA)
    table.bank(MEI)
    table.bet(ALICE, 10)
    table.bet(BOB, 10)
    table.back(CHAN, BOB, 5)
    before = draw_of_hands(table.state)
    assert before is not None
    assert [said.member_id for said in before.contributions] == [2, 3, 4]
    table.do(PlaceBet(ALICE, 20))
    table.do(WithdrawBet(BOB.member_id))
    after = draw_of_hands(table.state)

    assert after is not None
    assert [said.member_id for said in after.contributions] == [2]


def test_words_of_ones_own_give_way_to_no_later_interaction() -> None:
    table = sealed_table(WIKIPEDIA)
    table.bank(MEI)
    table.bet(ALICE, 10)
    table.do(Contribute(ALICE.member_id, "  eight   eight\n"))
    table.bet(ALICE, 20)
    draw = draw_of_hands(table.state)

    assert draw is not None
    assert [said.text for said in draw.contributions] == ["eight eight"]
    assert table.do(Contribute(ALICE.member_id, "eight eight")) == ()
    table.do(Contribute(ALICE.member_id, "nine"))
    assert table.state.contributed[0].text == "nine"


@given(st.text())
def test_words_that_do_not_fit_are_refused(text: str) -> None:
    table = sealed_table(WIKIPEDIA)
    table.do(Join(ALICE))
    words = " ".join(text.split())
    if 1 <= len(words) <= LONGEST_WORDS:
        table.do(Contribute(ALICE.member_id, text))
        assert table.state.contributed[0].text == words
    else:
        refused = table.refused(Contribute(ALICE.member_id, text))
        assert refused == (Refusal.WORDS_DO_NOT_FIT, {"longest": LONGEST_WORDS})


def test_who_has_nothing_at_stake_or_holds_the_bank_mixes_nothing_in() -> None:
    table = sealed_table(WIKIPEDIA)
    table.bank(MEI)

    assert table.refused(Contribute(DORA.member_id, "x")) == (Refusal.NOTHING_TO_MIX, {})
    assert table.refused(Contribute(MEI.member_id, "x")) == (Refusal.HOLDS_THE_BANK, {})
    table.bet(ALICE, 10)
    table.do(PlaceSideBet(DORA, ALICE.member_id, 5))
    table.do(Contribute(DORA.member_id, "x"))
    dealt(table)
    assert table.refused(Contribute(ALICE.member_id, "x")) == (Refusal.CARDS_ARE_OUT, {})


def test_a_round_of_before_seals_has_no_record_to_prove() -> None:
    table = TrialTable()
    table.bank(MEI)
    table.bet(ALICE, 10)
    table.deal("10C JD QH 4S 5S", "4C 4D 3H 8S 5D")
    result = next(event.result for event in table.show_down() if isinstance(event, RoundSettled))

    assert table.state.seal is None
    with pytest.raises(ValueError, match="was not sealed"):
        record_of(70, 3, result, None)
    assert game_of(result.rules).name is GameName.GNAU
