"""What a board shows and offers when the house banks, or could (B07)."""

import pytest

from bot.games.gnau.rules import GnauRules
from bot.games.hands import hand_of
from bot.games.niu_niu.rules import NiuNiuRules
from bot.practice.component_tree import selects
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import HouseBank, Play
from bot.table.commands import Join, PlaceBet, PlayHouse, RevealHand, TakeBank
from bot.table.state import THE_HOUSE
from bot.ui.board.text import BoardFacts
from bot.ui.press.custom_ids import PressAction
from bot.words.hands import hand_words
from tests.ui.messages import buttons_of, pressable, text_of
from tests.ui.sample_tables import BANKER, PLAYERS, PURSE, RULES, TAU_NGAU_RULES, Table
from tests.ui.test_game_boards import actions_of, board

ALICE = PLAYERS[0]
RICH = BoardFacts({THE_HOUSE: PURSE})


def house_rules(house_bank: HouseBank, rules: HouseRules = RULES) -> HouseRules:
    return rules.model_copy(update={"house_bank": house_bank})


def against_the_house(rules: HouseRules = RULES) -> Table:
    table = Table(rules)
    table.do(PlayHouse(ALICE, rules))
    return table


def in_menu(table: Table) -> list[str]:
    """The values of the board's menu."""
    return [option.value for menu in selects(board(table.state)) for option in menu.options]


@pytest.mark.parametrize(
    ("rules", "offered"),
    [
        (RULES, True),
        (TAU_NGAU_RULES, True),
        (house_rules(HouseBank.ONLY), True),
        (house_rules(HouseBank.OFF), False),
    ],
)
def test_b07_a_board_without_a_banker_offers_the_house_where_it_banks(
    rules: HouseRules, offered: bool
) -> None:
    shown = board(Table(rules).state)
    assert (PressAction.PLAY_HOUSE in actions_of(shown)) is offered
    assert ("**Play the house**" in text_of(shown)) is offered


@pytest.mark.parametrize(
    ("rules", "offered"),
    [
        (GnauRules(), True),
        (NiuNiuRules(), True),
        (GnauRules(house_highest=100), False),
        (GnauRules(opening_chips=2000), False),
        (TAU_NGAU_RULES, False),
    ],
)
def test_b02_b07_before_the_first_deal_a_board_offers_all_in_where_a_new_member_can_bet_all(
    rules: HouseRules, offered: bool
) -> None:
    table = against_the_house(rules)
    assert (PressAction.HAND in actions_of(board(table.state))) is offered
    table.do(PlaceBet(ALICE, 1))
    labels = [one.label for one in buttons_of(board(table.state)).values()]
    assert labels[-3:] == ["Other…", "Back a player", "All in…" if offered else "Learn"], "one row of a phone"
    assert "Learn" in pressable(board(table.state))
    short = BoardFacts({THE_HOUSE: 900})
    assert PressAction.HAND not in actions_of(board(table.state, short)), "the bank covers no such bet"


def test_b07_t03_the_house_is_offered_beside_the_dice() -> None:
    table = Table(TAU_NGAU_RULES)
    table.do(*map(Join, PLAYERS[:3]))
    shown = board(table.state)

    assert actions_of(shown) == {PressAction.JOIN, PressAction.ROLL, PressAction.PLAY_HOUSE}


def test_b07_the_house_is_not_offered_beside_another_banker() -> None:
    table = Table()
    table.do(TakeBank(BANKER, 5, 100, RULES))
    assert PressAction.PLAY_HOUSE not in actions_of(board(table.state))


def test_b07_the_board_says_that_the_house_banks_and_what_it_covers() -> None:
    text = text_of(board(against_the_house().state, BoardFacts({THE_HOUSE: 20 * 30})))

    assert "👑 The house banks · room for bets: 30\n" in text
    assert "👑 The house banks\n" in text_of(board(against_the_house().state, RICH))


@pytest.mark.parametrize(
    ("rules", "can_be_taken"),
    [(RULES, True), (TAU_NGAU_RULES, True), (house_rules(HouseBank.ONLY), False)],
)
def test_b07_the_bank_can_be_taken_from_a_house_that_does_not_always_bank(
    rules: HouseRules, can_be_taken: bool
) -> None:
    assert ("bank" in in_menu(against_the_house(rules))) is can_be_taken


def test_b07_the_board_says_that_the_house_leaves_after_the_round() -> None:
    table = against_the_house()
    table.do(Join(PLAYERS[1]), PlaceBet(ALICE, 10), TakeBank(BANKER, 5, 100, RULES))
    assert "👑 The house banks · gives up the bank after this round" in text_of(board(table.state, RICH))


def test_b07_the_house_reveals_at_once_and_its_hand_is_seen_last() -> None:
    table = against_the_house()
    table.do(PlaceBet(ALICE, 10))
    table.go_on()
    assert table.state.bank is not None
    assert table.state.bank.revealed
    hand = hand_words(hand_of(table.state.bank.pieces, None, RULES), RULES)
    assert hand not in text_of(board(table.state))
    assert "👑 The house banks · 🂠 reveals last" in text_of(board(table.state))
    table.do(RevealHand(ALICE))
    table.go_on()
    assert "👑 The house " in text_of(board(table.state, RICH)), "a result names it"


@pytest.mark.parametrize(
    ("play", "chips", "is_out"),
    [
        (Play.CHIPS, {THE_HOUSE: 0}, True),
        (Play.CHIPS, {THE_HOUSE: 19}, True),
        (Play.CHIPS, {THE_HOUSE: 20}, False),
        # It has not banked yet.
        (Play.CHIPS, {}, False),
        (Play.POINTS, {THE_HOUSE: 0}, False),
    ],
)
def test_b07_the_board_says_that_the_house_is_out_of_chips(
    play: Play, chips: dict[int, int], is_out: bool
) -> None:
    state = Table(RULES.model_copy(update={"play": play})).state
    assert ("the house is out of chips" in text_of(board(state, BoardFacts(chips)))) is is_out
