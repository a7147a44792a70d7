"""How boards differ between the games and at tables for points: dice, limits, scores."""

import re
from dataclasses import replace

import discord
import pytest

from bot.games.hands import shuffled_pack
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import Arrange as ArrangedBy
from bot.rules.knobs import BankPasses, Dealing, HouseBank, Play
from bot.rules.tiles import TILES, parse_tiles
from bot.table.bank import dice_needed
from bot.table.commands import (
    Arrange,
    Deal,
    GiveUpBank,
    Join,
    Leave,
    PlaceBet,
    PlayHouse,
    RevealHand,
    RollForBank,
    TakeBank,
)
from bot.table.dealing import hands_to_deal
from bot.table.state import Phase, TableState, Throw
from bot.table.story import Story
from bot.ui.board.content import board_view
from bot.ui.board.text import BoardFacts
from bot.ui.hand.arranging import strongest_three
from bot.ui.press.custom_ids import PressAction
from tests.ui.messages import Components, buttons_of, sent, table_press, text_of
from tests.ui.sample_names import mention
from tests.ui.sample_tables import BANKER, NAMES, PLAYERS, RULES, TAU_NGAU_RULES, Table

ALICE, BOB, CHAN = PLAYERS[:3]
SUCCESS = discord.ButtonStyle.success.value
POINTS = RULES.model_copy(update={"play": Play.POINTS})
STUCK, EIGHT = map(parse_tiles, ("6-6 6-6 5-5 5-4 5-3", "6-5 5-4 5-5 6-5 6-1"))


def board(state: TableState, facts: BoardFacts | None = None) -> Components:
    return sent(board_view(state, NAMES, facts or BoardFacts(), None))


def actions_of(components: Components) -> set[PressAction]:
    """The actions of all buttons; a lesson is offered beside all others."""
    presses = (table_press(button.custom_id) for button in buttons_of(components).values())
    return {press.action for press in presses if press} - {PressAction.LEARN}


def rolled(*first: int, rules: HouseRules = TAU_NGAU_RULES) -> Table:
    """A table of Tau Ngau where Alice, Bob and Chan rolled these dice for the bank."""
    table = Table(rules)
    table.do(Join(ALICE), Join(BOB), Join(CHAN))
    dice = (*first, *((1, 2, 3, 4, 5, 6) * dice_needed(table.state)))
    table.do(RollForBank(ALICE, dice, rules))
    return table


def played(table: Table) -> Table:
    """The table after a round in which everybody bet and revealed."""
    for seat in table.state.seats:
        table.do(PlaceBet(seat.party, 1))
    assert table.state.bank is not None
    table.do(Deal(table.state.bank.party, shuffled_pack(hands_to_deal(table.state), table.rules)))
    there = [seat.party for seat in table.state.seats]
    table.do(*(RevealHand(member) for member in (*there, table.state.bank.party)))
    table.go_on()
    return table


def test_t03_the_menu_says_where_dice_follow_the_house() -> None:
    for rules, by_dice in ((TAU_NGAU_RULES, True), (RULES, False)):
        table = Table(rules)
        table.do(PlayHouse(ALICE, rules), Join(ALICE))
        said = str(board(table.state))
        assert ("If bets are down, dice pick the banker after this round" in said) is by_dice
        assert ("You take over from the house as soon as no bets are down" in said) is not by_dice


def test_t03_the_board_offers_dice_or_the_bank_by_how_the_house_picks_a_banker() -> None:
    no_house = {"house_bank": HouseBank.OFF}
    tau_ngau, gnau = Table(TAU_NGAU_RULES.model_copy(update=no_house)), RULES.model_copy(update=no_house)
    there = {PressAction.JOIN, PressAction.TELL}
    assert actions_of(board(tau_ngau.state)) == there, "nobody sits at the table"
    tau_ngau.do(Join(ALICE))
    assert "Dice pick the banker once 3 are seated · 1 of 3" in text_of(board(tau_ngau.state))
    tau_ngau.do(Join(BOB), Join(CHAN))
    assert actions_of(board(tau_ngau.state)) == {PressAction.JOIN, PressAction.ROLL}
    assert "Press **Roll for the bank**" in text_of(board(tau_ngau.state))
    assert actions_of(board(Table(gnau).state)) == there | {PressAction.BANK}


def test_t03_everybody_sees_all_rolls_until_the_deal() -> None:
    table = rolled(5, 3, 6, 6, 1, 2)
    text = text_of(board(table.state))
    assert f"👑 {mention(BOB)} ⚅⚅ banks" in text
    assert f"{mention(ALICE)} ⚄⚂ ·" in text
    assert f"{mention(CHAN)} ⚀⚁ ·" in text
    assert "-# 🎲 The highest roll banks first.\n" in text
    assert "highest roll" not in text_of(board(played(table).state))
    assert not set("⚀⚁⚂⚃⚄⚅") & set(text_of(board(played(table).state)))


def test_t03_of_very_many_rolls_the_board_shows_the_last() -> None:
    table = rolled(5, 3, 6, 6, 1, 2)
    many = (*(Throw(ALICE, (6, 6)) for _ in range(200)), Throw(ALICE, (2, 1)))
    text = text_of(board(replace(table.state, throws=many)))
    assert f"{mention(ALICE)} ⚅⚅ tie ⚁⚀ ·" in text


def test_t02_a_board_says_how_many_must_bet_before_the_deal() -> None:
    table = rolled(5, 3, 6, 6, 1, 2)
    table.do(PlaceBet(ALICE, 5))
    assert "2 players must bet before the deal" in text_of(board(table.state))
    table.do(PlaceBet(CHAN, 5))
    assert "Betting closes" in text_of(board(table.state))


@pytest.mark.parametrize("passes", [BankPasses.EVERY_ROUND, BankPasses.STAYS])
def test_b05_the_last_round_is_shown_under_its_own_seats_below_the_next_banker(
    passes: BankPasses,
) -> None:
    rules = TAU_NGAU_RULES.model_copy(update={"bank_passes": passes})
    table = played(rolled(6, 6, 1, 2, 1, 3, rules=rules))
    last, bank = table.state.last, table.state.bank
    assert last is not None
    assert bank is not None
    heir = bank.party
    assert (last.banker != heir) is (passes is BankPasses.EVERY_ROUND)
    better = next(seat.party for seat in table.state.seats)
    table.do(PlaceBet(better, 7), *([Join(PLAYERS[3])] if last.banker != heir else []))
    lines = text_of(board(table.state)).splitlines()
    passed = rf"-# Result · Now: 👑 {mention(heir)} banks.*"
    label = re.escape("-# Result of round 1 | 🪙 bets for round 2") if last.banker == heir else passed
    shown = lines[next(at for at, line in enumerate(lines) if re.fullmatch(label, line)) + 1 :]
    signs = {last.banker: "👑"} | {player.party: f"`{player.seat}`" for player in last.players}
    for line, (party, sign) in zip(shown, signs.items(), strict=False):
        assert re.match(rf"{sign} {mention(party)} (Score|No discard)", line), "as in the picture"
        assert line.endswith("🪙 **7**") is (party == better)
    below = shown[len(signs) :]
    if last.banker != heir:
        assert below[0].startswith(mention(PLAYERS[3])), "who is new has no number among those of then"
    assert sum(line.startswith("👑") for line in shown) == 1


@pytest.mark.parametrize(
    ("passes", "leaves", "told"),
    [
        (BankPasses.STAYS, (), CHAN),
        (BankPasses.EVERY_ROUND, (), BOB),
        (BankPasses.AFTER_OX, (), BOB),
        (BankPasses.EVERY_ROUND, (BOB,), ALICE),
        (BankPasses.EVERY_ROUND, (BANKER,), BOB),
        (BankPasses.AFTER_OX, (BANKER,), None),
        (BankPasses.EVERY_ROUND, (ALICE, BOB), CHAN),
    ],
)
def test_b05_who_is_told_to_be_next_is_who_gets_the_bank(
    passes: BankPasses, leaves: tuple[int, ...], told: int | None
) -> None:
    table, rules = Table(), RULES.model_copy(update={"bank_passes": passes})
    table.do(TakeBank(BANKER, 1, 1, rules), PlaceBet(ALICE, 1), PlaceBet(BOB, 1))
    table.do(Deal(BANKER, shuffled_pack(3, rules)))
    table.do(*(GiveUpBank(one) if one == BANKER else Leave(one) for one in leaves))
    line = next(
        line
        for line in text_of(board(table.state, BoardFacts(next_banker=CHAN))).splitlines()
        if "👑" in line
    )
    assert (f"next: {mention(told)}" in line) if told else ("next:" not in line)


def test_b05_a_bank_that_was_given_up_is_shown_with_its_round_below_who_takes_it() -> None:
    table = Table()
    table.do(TakeBank(BANKER, 1, 1, RULES), PlaceBet(ALICE, 1))
    table.do(Deal(BANKER, shuffled_pack(2, RULES)), Leave(ALICE), GiveUpBank(BANKER))
    table.do(RevealHand(ALICE), RevealHand(BANKER))
    table.go_on()
    told = text_of(board(table.state))
    there = rf"\n-# 👑 {mention(BANKER)} .*\n(-# )?`1` {mention(ALICE)} .*\n"
    assert re.search(rf"-# Result · 🔜 No banker yet{there}", told)
    table.do(TakeBank(ALICE, 1, 1, RULES))
    told = text_of(board(table.state))
    assert re.search(rf"-# Result · Now: 👑 {mention(ALICE)} banks.*{there}", told)


def test_the_board_points_to_my_hand_if_the_house_sends_no_hands() -> None:
    rules = RULES.model_copy(update={"dealing": Dealing.MY_HAND})
    table = Table(rules)
    table.do(TakeBank(BANKER, 1, 1, rules), PlaceBet(ALICE, 1), Deal(BANKER, shuffled_pack(2, rules)))
    facts = BoardFacts(unreachable={ALICE})
    assert "✉️ Press **My hand** to see your cards." in text_of(board(table.state, facts))
    assert f"{mention(ALICE)}: press" not in text_of(board(table.state, facts))
    table.do(RevealHand(ALICE))
    assert "✉️" in text_of(board(table.state)), "the banker has not revealed yet"


def test_the_board_points_to_my_hand_while_somebody_has_a_hand_who_had_none_in_the_last_round() -> None:
    table, pointed = Table(RULES), []
    table.do(TakeBank(BANKER, 1, 1, RULES))
    for players in ((ALICE,), (ALICE,), (ALICE, BOB)):
        table.do(*(PlaceBet(player, 1) for player in players))
        table.do(Deal(BANKER, shuffled_pack(len(players) + 1, RULES)))
        # Until the newcomer has revealed.
        for party in (BANKER, *reversed(players)):
            shown = board(table.state)
            says = "Press **My hand** to see your cards" in text_of(shown)
            assert [one.label for one in buttons_of(shown).values() if one.style == SUCCESS] == ["My hand"]
            pointed.append(says)
            table.do(RevealHand(party))
        table.go_on()
    assert pointed == [True, True, False, False, True, True, False]


def test_b04_a_hand_is_shown_as_declared() -> None:
    rules = TAU_NGAU_RULES.model_copy(update={"arrange": ArrangedBy.STRICT})
    table = rolled(5, 3, 6, 6, 1, 2, rules=rules)
    table.do(PlaceBet(ALICE, 1), PlaceBet(CHAN, 1))
    hands = zip(EIGHT, STUCK, STUCK, strict=True)
    table.do(Deal(BOB, tuple(tile for round_ in hands for tile in round_)))
    table.do(Arrange(ALICE, (0, 1, 3)), RevealHand(ALICE))
    told = text_of(board(table.state)).splitlines()
    line = next(at for at, said in enumerate(told) if f"{mention(ALICE)} · 🪙 **1** · **No discard**" in said)
    assert set(told[line + 1].split()) == set(map(TILES.shown, EIGHT)), "its pieces have a line of their own"
    table.do(RevealHand(CHAN), RevealHand(BOB))
    table.go_on()
    assert table.state.phase is Phase.BETTING
    assert "Score 8" not in text_of(board(table.state)), "the declared hand should stand"
    assert "🎯" not in text_of(board(table.state)), "nobody found anything"


def test_b04_who_finds_the_strongest_way_has_a_mark_where_mistakes_stand() -> None:
    for arranged_by, marks in ((ArrangedBy.STRICT, 1), (ArrangedBy.ASSISTED, 0)):
        table = rolled(5, 3, 6, 6, 1, 2, rules=TAU_NGAU_RULES.model_copy(update={"arrange": arranged_by}))
        table.do(PlaceBet(ALICE, 1), PlaceBet(CHAN, 1))
        hands = zip(EIGHT, EIGHT, STUCK, strict=True)
        table.do(Deal(BOB, tuple(tile for round_ in hands for tile in round_)))
        found = strongest_three(EIGHT, table.rules)
        # Who picks none gets the same hand.
        table.do(Arrange(ALICE, found), *(RevealHand(member) for member in (ALICE, CHAN, BOB)))
        table.go_on()
        assert text_of(board(table.state)).count("Score 8 🎯") == marks
        assert text_of(board(table.state)).count("Score 8") == 2


def test_b04_finding_the_strongest_way_again_and_again_is_counted_and_told() -> None:
    update = {"arrange": ArrangedBy.STRICT, "bank_passes": BankPasses.STAYS}
    rules = TAU_NGAU_RULES.model_copy(update=update)
    nothing = parse_tiles("6-1 4-4 5-1 6-6 2-2")
    table, story, told = rolled(5, 3, 6, 6, 1, 2, rules=rules), Story(), []
    # A hand in which there is nothing to find ends nothing; one that is not arranged does.
    for hand, finds in [(EIGHT, True)] * 4 + [(nothing, False), (EIGHT, True), (EIGHT, False), (EIGHT, True)]:
        table.do(PlaceBet(ALICE, 1), PlaceBet(CHAN, 1))
        hands = zip(hand, nothing, nothing, strict=True)
        table.do(Deal(BOB, tuple(tile for round_ in hands for tile in round_)))
        if finds:
            table.do(Arrange(ALICE, strongest_three(hand, rules)))
        table.do(*(RevealHand(party) for party in (ALICE, CHAN, BOB)))
        table.go_on()
        assert table.state.last is not None
        story = story.after(table.state.last)
        shown = text_of(board(table.state, BoardFacts(story=story)))
        told.append([sign for sign in ("🎯×4", "🎯×5", "🎯", "## 🎯 5 FOUND IN A ROW") if sign in shown])
    assert told[3] == ["🎯×4", "🎯"]
    assert told[4] == [], "there was nothing to find"
    assert "## 🎯 5 FOUND IN A ROW" in told[5]
    assert told[6] == []
    assert told[7] == ["🎯"], "it begins again"
