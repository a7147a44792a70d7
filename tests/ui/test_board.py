"""The board always fits, offers only what the table takes, and gives no card away."""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from bot.games.gnau.rules import GnauRules
from bot.games.hands import evaluate, shuffled_pack
from bot.games.niu_niu.rules import NiuNiuRules, NiuTies
from bot.games.tau_ngau.rules import TauNgauRules
from bot.pictures.alt_text import showdown_alt_text
from bot.pictures.pictured_hand import PicturedHand
from bot.practice.component_tree import Kind, gallery, selects
from bot.rules.knobs import Play
from bot.rules.pieces import Piece
from bot.table.bank import dice_needed
from bot.table.betting import bank_covers
from bot.table.commands import (
    CloseTable,
    Command,
    Deal,
    GiveUpBank,
    Join,
    PlaceBet,
    PlaceSideBet,
    PlayHouse,
    RevealHand,
    RollForBank,
    SetLimits,
    SitOut,
    TakeBank,
)
from bot.table.deadlines import DueAction, due_action
from bot.table.dealing import hands_to_deal
from bot.table.decide import decide
from bot.table.refusals import Refused
from bot.table.state import THE_HOUSE, Heat, Phase, TableState
from bot.ui.board.content import ACCENTS, accent, board_view, picture_name
from bot.ui.board.text import BoardFacts, shows_result, title
from bot.ui.press.custom_ids import ANY_ROUND, Press, PressAction
from bot.ui.stakes import quick_stakes
from tests.sizes import sample
from tests.table.trial_table import SEALED
from tests.ui.messages import (
    MOST_ALT_TEXT,
    Components,
    buttons_of,
    kinds_of,
    options_of_more,
    pressable,
    sent,
    table_press,
    text_of,
)
from tests.ui.sample_tables import (
    BANKER,
    MEMBERS,
    NAMES,
    NOON,
    ON_LOOKERS,
    PLAYERS,
    PURSE,
    RULES,
    STRANGER,
    Table,
    crowded_evening,
    random_evening,
)

MOST_BUTTONS = 8
ALL_CLOSED = BoardFacts({BANKER: PURSE}, set(MEMBERS))
WALLETS = dict.fromkeys((*MEMBERS, *ON_LOOKERS, STRANGER, THE_HOUSE), PURSE)
LONGEST_ALT_TEXT = "牛" * MOST_ALT_TEXT

GOAL = "An ox: three cards that make 10, 20 or 30. The rest score 1–10: higher wins."

evenings = pytest.mark.parametrize("seed", sample(range(3)))


def board(state: TableState, facts: BoardFacts = ALL_CLOSED) -> Components:
    """The board as Discord receives it, with its pictures."""
    return sent(board_view(state, NAMES, facts, LONGEST_ALT_TEXT if shows_result(state) else None))


def round_on() -> Table:
    """A table with two players that takes bets."""
    table = Table()
    table.do(TakeBank(BANKER, 5, 100, table.rules), Join(PLAYERS[0]), Join(PLAYERS[1]))
    return table


def dealt() -> Table:
    """A table with cards dealt, where one player sits out."""
    table = round_on()
    table.do(PlaceBet(PLAYERS[0], 20), Deal(BANKER, shuffled_pack(2, table.rules)))
    return table


@evenings
def test_the_menu_of_a_board_is_the_same_in_every_round(seed: int) -> None:
    """Under another custom_id, a menu that somebody has open would close."""
    menus = [menu for state in random_evening(seed) for menu in selects(board(state))]
    assert len({menu.custom_id for menu in menus}) == 1


@evenings
def test_every_board_fits_into_a_message(seed: int) -> None:
    for state in random_evening(seed):
        board(state)
        board(state, BoardFacts())


def test_the_longest_board_fits_into_a_message() -> None:
    for state in crowded_evening():
        board(state)


def test_g22_the_longest_board_with_scores_fits_into_a_message() -> None:
    facts = BoardFacts(unreachable=ALL_CLOSED.unreachable, scores=dict.fromkeys(MEMBERS, -999999999))
    for state in crowded_evening():
        rules = state.rules.model_copy(update={"play": Play.POINTS})
        last = replace(state.last, rules=rules, side_bets=()) if state.last else None
        board(replace(state, rules=rules, last=last, side_bets=()), facts)


def test_the_title_of_a_closed_table_names_a_round_only_in_a_tournament() -> None:
    (state, last), *_ = ((one, one.last) for one in crowded_evening() if one.last is not None)
    closed = replace(state, phase=Phase.CLOSED, round_number=last.round_number + 1)
    assert "Round" not in title(closed), "its goodbye counts the rounds"
    of_tournament = replace(closed, heat=Heat(1, 1, 2, 5, 4, ()))
    assert title(of_tournament).endswith(f" · round {last.round_number} of 5")
    assert title(replace(of_tournament, last=None)).endswith("Gnau · stage 1 · table 2")


def test_a_table_that_closes_with_its_last_round_keeps_that_on_its_board() -> None:
    (state, last), *_ = ((one, one.last) for one in crowded_evening() if one.last is not None)
    closed = replace(state, phase=Phase.CLOSED, round_number=last.round_number, closes_after_round=True)
    assert shows_result(closed) == last.round_number
    assert accent(closed) == accent(replace(closed, phase=Phase.BETTING))
    # The board has shown it before the bets of the next one, or while nobody banked.
    assert shows_result(replace(closed, round_number=last.round_number + 1)) is None
    assert shows_result(replace(closed, closes_after_round=False)) is None


def test_the_text_of_the_largest_picture_fits_beside_it() -> None:
    last = next(state.last for state in crowded_evening() if state.last)
    assert len(last.players) == len(PLAYERS)
    hands = [PicturedHand.face_up(evaluate(last.pieces, last.rules))]
    for one in last.players:
        hand = evaluate(one.pieces, last.rules)
        hands.append(replace(PicturedHand.face_up(hand), seat=one.seat, outcome=one.outcome))
    assert len(showdown_alt_text(hands)) <= MOST_ALT_TEXT


@evenings
def test_every_button_can_be_pressed_by_somebody(seed: int) -> None:
    for state in random_evening(seed):
        if state.phase is Phase.CLOSED:
            # Its button asks nothing of the table.
            continue
        buttons = buttons_of(board(state, BoardFacts()))
        assert len(buttons) <= MOST_BUTTONS
        for button in buttons.values():
            assert not button.disabled
            press = table_press(button.custom_id)
            assert press is not None
            asked = [_asked(press, member, state) for member in (*MEMBERS, STRANGER)]
            decided = [
                decide(state, command, state.deadline or NOON, WALLETS, SEALED)
                for commands in asked
                for command in commands
            ]
            if decided and due_action(state, NOON) is not DueAction.SHOWDOWN:
                assert not all(isinstance(answer, Refused) for answer in decided), (button, state)


@evenings
def test_what_anybody_could_do_is_on_the_board(seed: int) -> None:
    """As a button, in the menu, or as a bet, which takes a seat."""
    joins, banks, bets = Join(STRANGER), TakeBank(STRANGER, 1, 1, RULES), PlaceBet(STRANGER, 5)
    for state in random_evening(seed):
        view = board(state, BoardFacts())
        actions = {press.action for one in buttons_of(view).values() if (press := table_press(one.custom_id))}
        actions |= {PressAction(option.value) for menu in selects(view) for option in menu.options}
        rolls = RollForBank(STRANGER, (1, 2) * dice_needed(state), state.rules)
        for action, command in (
            (PressAction.JOIN, joins),
            (PressAction.BANK, banks),
            (PressAction.PLAY_HOUSE, PlayHouse(STRANGER, state.rules)),
            (PressAction.ROLL, rolls),
            (PressAction.PLAY if state.for_points else PressAction.BET, bets),
        ):
            possible = not isinstance(decide(state, command, NOON, WALLETS, SEALED), Refused)
            if possible:
                waits = action is PressAction.BANK and PressAction.BANK_NEXT in actions
                assert waits or action in actions, state


@evenings
@pytest.mark.parametrize("left", [34, 500])
def test_b02_a_stake_is_offered_if_the_bank_has_room_for_it_and_only_if_somebody_may_bet_it(
    seed: int, left: int
) -> None:
    for state in random_evening(seed):
        if state.bank is None or state.for_points or state.phase is not Phase.BETTING:
            continue
        banker = state.bank.party
        there = {side.party for side in state.side_bets} | {seat.party for seat in state.seats} | {STRANGER}
        buttons = buttons_of(board(state, BoardFacts({banker: left}))).values()
        offered = {press.number for one in buttons if (press := table_press(one.custom_id)) and press.number}
        for stake in quick_stakes(state.bank.lowest, state.bank.highest):
            decided = [
                decide(state, PlaceBet(member, stake), NOON, WALLETS | {banker: left}, SEALED)
                for member in there
            ]
            if stake in offered:
                assert not all(isinstance(answer, Refused) for answer in decided), state
            else:
                assert stake > bank_covers(state, {banker: left}), state


def _asked(press: Press, member: int, state: TableState) -> Iterator[Command]:
    """The commands that this press may send to the table; empty if it sends none."""
    who, meant = member, press.meant_round
    match press.action:
        case PressAction.JOIN:
            yield Join(member)
        case PressAction.BANK:
            yield TakeBank(member, 1, 1, state.rules)
        case PressAction.DEAL:
            yield Deal(who, shuffled_pack(hands_to_deal(state), state.rules), meant)
        case PressAction.REVEAL:
            yield RevealHand(who, meant)
        case PressAction.BET | PressAction.AGAIN:
            # An earlier bet, or an amount in a modal, may be too much; so some smaller stake counts.
            yield PlaceBet(member, press.number or (state.bank.lowest if state.bank else 1), meant)
        case PressAction.SIT_OUT if state.seat_of(who):
            yield SitOut(who, meant)
        case PressAction.PLAY_HOUSE:
            yield PlayHouse(member, state.rules)
        case PressAction.ROLL:
            yield RollForBank(who, (1, 2) * dice_needed(state), state.rules)
        case PressAction.LIMITS:
            yield SetLimits(who, 1, 1)
            yield SetLimits(who, 1, 2)
        case PressAction.SIDE_BETS if state.bank:
            for seat in state.seats:
                yield PlaceSideBet(member, seat.party, state.bank.lowest, meant)


@evenings
def test_no_card_is_given_away_before_it_is_revealed(seed: int) -> None:
    """The board is the same with any hidden cards; the banker's are hidden until the result."""
    hidden = 0
    for state in random_evening(seed):
        if state.phase is Phase.DEALT:
            other = _with_other_cards_hidden(state, random.Random(seed))
            hidden += state != other
            assert board(state) == board(other)
    assert hidden


def _with_other_cards_hidden(state: TableState, rng: random.Random) -> TableState:
    assert state.bank is not None
    pack = state.game.pack(1, state.rules)

    def others() -> tuple[Piece, ...]:
        return tuple(rng.sample(pack, 5))

    seats = tuple(
        replace(seat, pieces=others()) if seat.pieces and not seat.revealed else seat for seat in state.seats
    )
    return replace(state, seats=seats, bank=replace(state.bank, pieces=others()))


def test_the_time_left_counts_down_automatically() -> None:
    table = round_on()
    assert "<t:" not in text_of(board(table.state)), "without a bet there is no deadline"
    table.do(PlaceBet(PLAYERS[0], 20))
    closes = int(NOON) + table.rules.betting_seconds
    assert f"<t:{closes}:R>" in text_of(board(table.state))
    in_between = replace(table.state, deadline=closes - 0.6)
    assert f"<t:{closes}:R>" in text_of(board(in_between)), "it is not over before its time is"
    table.do(Deal(BANKER, shuffled_pack(2, table.rules)))
    assert f"<t:{int(NOON) + table.rules.arranging_seconds}:R>" in text_of(board(table.state))


def test_the_last_round_stays_with_its_picture_until_the_next_deal() -> None:
    table = dealt()
    assert shows_result(table.state) is None
    table.do(RevealHand(PLAYERS[0]), RevealHand(BANKER))
    table.go_on()
    settled = board(table.state)
    assert shows_result(table.state) == 1
    assert [picture.url for picture in gallery(settled)] == [f"attachment://{picture_name(1)}"]
    assert "-# 🧾 receipt 1 " in text_of(settled)
    assert Kind.MEDIA_GALLERY not in kinds_of(sent(board_view(table.state, NAMES, ALL_CLOSED, None)))
    table.do(PlaceBet(PLAYERS[0], 20), Deal(BANKER, shuffled_pack(2, table.rules)))
    assert "🧾" not in text_of(board(table.state))
    assert shows_result(table.state) is None


def test_the_board_says_which_rounds_were_called_off_since_the_result_until_the_next_deal() -> None:
    table = dealt()
    table.do(RevealHand(PLAYERS[0]), RevealHand(BANKER))
    table.go_on()
    assert "called off" not in text_of(board(table.state))
    table.do(GiveUpBank(BANKER))
    assert "-# Round 2 was called off." in text_of(board(table.state))
    take = TakeBank(BANKER, 5, 100, table.rules)
    table.do(take, GiveUpBank(BANKER), take)
    assert "-# Rounds 2–3 were called off." in text_of(board(table.state))
    table.do(PlaceBet(PLAYERS[0], 20), Deal(BANKER, shuffled_pack(2, table.rules)))
    assert "called off" not in text_of(board(table.state))


def test_b02_the_board_says_what_a_bank_has_room_for_that_cannot_cover_the_highest_bet() -> None:
    table = round_on()
    highest = table.state.bank.highest if table.state.bank else 0
    short = BoardFacts({BANKER: 20 * (highest - 1) + 19})
    assert f"room for bets: {highest - 1}" in text_of(board(table.state, short))
    assert "room for" not in text_of(board(table.state, BoardFacts({BANKER: 20 * highest})))


def test_stakes_on_buttons_are_within_the_limits_and_only_for_this_round() -> None:
    presses = [table_press(button.custom_id) for button in buttons_of(board(round_on().state)).values()]
    stakes = [press for press in presses if press and press.number is not None]
    assert [press.number for press in stakes] == [5, 10, 20, 100]
    assert {press.meant_round for press in stakes} == {1}
    presses = [table_press(button.custom_id) for button in buttons_of(board(Table().state)).values()]
    assert {press.round_number for press in presses if press} == {ANY_ROUND}


def test_b02_until_its_first_result_a_board_says_the_goal_what_a_bet_can_lose_and_where_to_learn() -> None:
    table = Table()
    assert GOAL in text_of(board(table.state))
    assert "win or lose" not in text_of(board(table.state)), "nobody has set limits"
    sealed = "The shuffle is sealed before you bet:"
    for state, told in (
        (table.state, True),
        (Table(table.rules.model_copy(update={"play": Play.POINTS})).state, False),
        (Table(TauNgauRules()).state, False),
    ):
        assert (sealed in text_of(board(state))) is told, "nobody bets for points; dice have their own seal"
    table = round_on()
    shown = board(table.state)
    assert GOAL in text_of(shown)
    assert "\nBet 20: win or lose 20 to **400** (×20)\n" in text_of(shown)
    assert "Bets 5–100 · the banker wins most ties · House rules: " in text_of(shown)
    even = Table(TauNgauRules())
    even.do(PlayHouse(PLAYERS[0], even.rules))
    assert " · win or lose your bet\n" in text_of(board(even.state))
    multiples = (name for name in GnauRules.model_fields if name.startswith("multiple_"))
    even = Table(GnauRules().model_copy(update=dict.fromkeys(multiples, 1)))
    even.do(PlayHouse(PLAYERS[0], even.rules))
    money = "Bets 1–150 · win or lose your bet · the banker wins most ties · House"
    assert money in text_of(board(even.state))
    even = Table(NiuNiuRules(niu_ties=NiuTies.BANKER))
    even.do(PlayHouse(PLAYERS[0], even.rules))
    assert " · the banker wins ties" in text_of(board(even.state)), "all of them"
    assert "Learn" not in [one.label for one in options_of_more(shown)]
    lesson = buttons_of(shown)["Learn"]
    assert lesson.custom_id == buttons_of(board(table.state))["Learn"].custom_id, "no edit for nothing"
    table.do(PlaceBet(PLAYERS[0], 20))
    assert "Again" not in buttons_of(board(table.state)), "there is room for another button"
    table.do(Deal(BANKER, shuffled_pack(2, table.rules)))
    assert GOAL not in text_of(board(table.state))
    dealt = text_of(board(table.state))
    assert "win or lose" not in dealt, "nobody bets now"
    assert "Bets 5–100" not in dealt
    assert "House rules: Five Dukes ×20" in dealt
    table.do(RevealHand(PLAYERS[0]), RevealHand(BANKER))
    table.go_on()
    shown = board(table.state)
    assert GOAL not in text_of(shown)
    assert "Learn" not in buttons_of(shown)
    assert "Learn" in pressable(shown), "the menu has it"
    assert "Bets 5–100 · up to ×20 · House rules: Five Dukes ×20" in text_of(shown)
    usual = text_of(board(replace(table.state, rules=table.state.game.rules())))
    assert "Bets 5–100 · strong hands win up to ×7" in usual, "who comes later reads it too"


def test_after_a_round_that_was_called_off_the_same_bet_again_is_offered_in_place_of_the_lesson() -> None:
    table = round_on()
    table.do(PlaceBet(PLAYERS[0], 20), GiveUpBank(BANKER), TakeBank(BANKER, 5, 100, table.rules))
    shown = board(table.state)
    assert GOAL in text_of(shown)
    assert "Again" in buttons_of(shown)
    assert "Learn" not in buttons_of(shown)


def test_b04_a_countdown_that_becomes_short_says_why() -> None:
    table = round_on()
    table.do(*(PlaceBet(player, 20) for player in PLAYERS[:2]))
    assert "🪙 Last call: closes <t:" in text_of(board(table.state, BoardFacts(is_last_call=True)))
    table.do(Deal(BANKER, shuffled_pack(3, table.rules)))
    assert "🃏 Showdown <t:" in text_of(board(table.state))
    shown = board(table.state, BoardFacts(is_last_call=True))
    assert "🃏 Last call to reveal: showdown <t:" in text_of(shown)


def test_a_table_that_closes_after_the_round_says_so_and_offers_to_stay_open() -> None:
    table = round_on()
    table.do(PlaceBet(PLAYERS[0], 20), Deal(BANKER, shuffled_pack(2, table.rules)))
    table.do(CloseTable(BANKER, manages=False))
    shown = board(table.state, BoardFacts(next_banker=PLAYERS[1]))
    assert "The table closes after this round" in text_of(shown)
    assert "next:" not in text_of(shown)
    (menu,) = selects(shown)
    assert [option.value for option in menu.options] == ["rules", "learn", "wallet", "keep_open"]
    assert {"My hand", "Reveal"} <= buttons_of(shown).keys()


def test_each_phase_has_its_own_colour() -> None:
    assert set(ACCENTS) == set(Phase)
    assert len(set(ACCENTS.values())) == len(Phase)
