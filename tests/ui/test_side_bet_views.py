"""How side bets look: on the board, in the results, and to the backer."""

import random
from dataclasses import replace

import pytest

from bot.games.gnau.rules import GnauRules
from bot.games.hands import shuffled_pack
from bot.practice.component_tree import Option, selects
from bot.table.commands import Deal, PlaceBet, PlaceSideBet, RevealHand, TakeBank
from bot.table.dealing import hands_to_deal
from bot.table.state import TableState
from bot.ui.board.content import board_view
from bot.ui.board.results import SIDE_BETS_SHOWN
from bot.ui.board.text import BETS_TOLD, BoardFacts, bets_to_return
from bot.ui.components import GAIN, LOSS
from bot.ui.hand.side_bets import ACCENT, backing_view, first_choice
from bot.ui.press.custom_ids import PressAction
from bot.wire.requests import Attachment
from bot.words.translation import signed
from tests.ui.messages import buttons_of, sent, table_press, text_of
from tests.ui.sample_names import mention
from tests.ui.sample_tables import (
    BANKER,
    HIGHEST,
    MEMBERS,
    NAMES,
    ON_LOOKERS,
    PLAYERS,
    Table,
    crowded_evening,
    random_evening,
)

ALICE, BOB = PLAYERS[:2]
ZED = ON_LOOKERS[0]


def board_text(state: TableState) -> str:
    return text_of(sent(board_view(state, NAMES, BoardFacts(), None)))


def backed(*backers: int) -> Table:
    """A table where Alice and Bob have bet, and this number of spectators back Alice with 10 chips."""
    table = Table()
    table.do(TakeBank(BANKER, 5, 100, table.rules), PlaceBet(ALICE, 20), PlaceBet(BOB, 50))
    table.do(*(PlaceSideBet(ON_LOOKERS[number], ALICE, 10) for number in backers))
    return table


def options_of(state: TableState, chosen: int | None = None) -> tuple[Option, ...]:
    (menu,) = selects(sent(backing_view(state, NAMES, ZED, chosen)))
    return menu.options


def test_b01_of_many_side_bets_the_first_are_shown_and_the_rest_counted() -> None:
    text = board_text(backed(*range(SIDE_BETS_SHOWN + 7)).state)
    assert text.count("> (10)") == SIDE_BETS_SHOWN
    assert "-# and 7 more side bets, 70 chips" in text
    assert "more side bets" not in board_text(backed(*range(SIDE_BETS_SHOWN)).state)


def test_the_question_whether_to_close_counts_whose_bets_it_does_not_name() -> None:
    told = bets_to_return([backed(*range(BETS_TOLD)).state], NAMES)
    assert told.startswith(f"These bets go back: {mention(BOB)} (50), {mention(ALICE)} (20), ")
    assert told.endswith(", … and 2 more.")


def test_b01_the_results_show_each_backers_gain() -> None:
    table = backed(*range(SIDE_BETS_SHOWN + 1))
    table.do(Deal(BANKER, shuffled_pack(hands_to_deal(table.state), table.rules)), RevealHand(ALICE))
    revealed = next(line for line in board_text(table.state).splitlines() if mention(ALICE) in line)
    assert "backed by" in revealed, "before the line of the revealed hand"
    table.do(*(RevealHand(member) for member in (BOB, BANKER)))
    table.go_on()
    last = table.state.last
    assert last is not None
    alices = next(one for one in last.players if one.party == ALICE)
    assert last.side_bets[0].chips * 2 == alices.chips, "half her stake, with the outcome of her hand"
    text = board_text(table.state)
    told = f"{mention(ZED)} on {mention(ALICE)} · **{signed(last.side_bets[0].chips)}**"
    assert told in text
    assert text.count(" on <@") == SIDE_BETS_SHOWN
    assert f"-# and 1 more side bet: {signed(last.side_bets[-1].chips)}\n" in text


def test_b01_who_backs_the_same_player_again_has_one_line() -> None:
    table = backed(0)
    table.do(Deal(BANKER, shuffled_pack(hands_to_deal(table.state), table.rules)))
    table.do(*(RevealHand(member) for member in (ALICE, BOB, BANKER)))
    table.go_on()
    table.do(PlaceBet(ALICE, 20), PlaceBet(BOB, 20))
    table.do(PlaceSideBet(ZED, ALICE, 15), PlaceSideBet(ON_LOOKERS[1], ALICE, 10), PlaceSideBet(ZED, BOB, 5))
    text = board_text(table.state)
    (line,) = [line for line in text.splitlines() if f"{mention(ZED)} on {mention(ALICE)}" in line]
    assert line.endswith("** | 🪙 **15**")
    assert f"backed by {mention(ON_LOOKERS[1])} (10)\n" in text
    assert f"backed by {mention(ZED)} (5)\n" in text
    assert "(15)" not in text


@pytest.mark.parametrize("seed", range(3))
def test_every_side_bet_view_fits_into_a_message(seed: int) -> None:
    rng = random.Random(seed)
    for state in random_evening(seed):
        for member in (*rng.sample(MEMBERS, 2), ZED):
            chosen = rng.choice([None, *(seat.party for seat in state.seats)])
            sent(backing_view(state, NAMES, member, chosen, most=rng.choice([0, 7, 10**9]), told=state.last))


def settled() -> Table:
    """A table whose first round is over, in which a spectator backed Alice."""
    table = backed(0)
    table.do(Deal(BANKER, shuffled_pack(hands_to_deal(table.state), table.rules)))
    table.do(RevealHand(ALICE), RevealHand(BOB), RevealHand(BANKER))
    table.go_on()
    return table


def test_the_round_of_a_backers_result_is_named_above_its_picture() -> None:
    state, hands = settled().state, Attachment("hand-1-result.png", b"", "Alice and the bank")
    title, *_, result, pictured = sent(backing_view(state, NAMES, ZED, told=state.last, hand=hands))[0][
        "components"
    ][:4]
    assert "Round 2" in title["content"]
    assert result["content"].startswith("Round 1: ")
    assert pictured["items"][0]["media"]["url"] == "attachment://hand-1-result.png"


def test_a_backers_result_has_the_colour_of_what_it_brought_and_their_wallet() -> None:
    table = settled()
    assert table.state.last is not None
    for chips, colour in ((50, GAIN), (-50, LOSS), (0, ACCENT)):
        sides = tuple(replace(side, chips=chips) for side in table.state.last.side_bets)
        told = replace(table.state.last, side_bets=sides)
        shown = sent(backing_view(table.state, NAMES, ZED, told=told, wallet="Wallet: 90 chips free"))
        assert shown[0]["accent_color"] == colour
        assert "-# Wallet: 90 chips free\n-# " in text_of(shown)


def test_the_longest_side_bet_view_fits_into_a_message() -> None:
    for state in crowded_evening():
        sides = tuple(
            replace(side, party=ZED, backed=seat.party)
            for side, seat in zip(state.side_bets, state.bets, strict=False)
        )
        chosen = state.bets[-1].party if state.bets else None
        view = replace(state, side_bets=sides)
        sent(backing_view(view, NAMES, ZED, chosen, most=HIGHEST, told=state.last))


def test_b01_every_player_with_a_bet_can_be_backed_and_nobody_else() -> None:
    table = backed()
    table.do(PlaceBet(PLAYERS[2], 5))
    assert [option.value for option in options_of(table.state)] == [str(player) for player in PLAYERS[:3]]
    assert [option.default for option in options_of(table.state, BOB)] == [False, True, False]


def test_b01_offered_stakes_are_covered_and_name_the_player() -> None:
    components = sent(backing_view(backed().state, NAMES, ZED, BOB, most=40))
    presses = [table_press(button.custom_id) for button in buttons_of(components).values()]
    assert [press.number for press in presses if press and press.number] == [5, 10, 20, 40]
    about_bets = [press for press in presses if press and press.action is not PressAction.HAND]
    assert {(press.backed, press.meant_round) for press in about_bets} == {(BOB, 1)}
    assert "40 chips at most" in text_of(components)
    poor = sent(backing_view(backed().state, NAMES, ZED, BOB, why_not="You are poor."))
    assert list(buttons_of(poor)) == ["My panel"]
    assert "You are poor." in text_of(poor)


def test_b01_amounts_are_there_at_once_for_whom_one_backs_or_backed_or_else_for_the_highest_bet() -> None:
    table = backed(0)
    assert [first_choice(table.state, party) for party in ON_LOOKERS[:2]] == [ALICE, BOB]
    table.do(Deal(BANKER, shuffled_pack(hands_to_deal(table.state), table.rules)))
    table.do(*(RevealHand(member) for member in (ALICE, BOB, BANKER)))
    table.go_on()
    table.do(PlaceBet(BOB, 50))
    assert first_choice(table.state, ZED) == BOB, "Alice has no bet yet"
    table.do(PlaceBet(ALICE, 20))
    assert [first_choice(table.state, party) for party in ON_LOOKERS[:2]] == [ALICE, BOB]


def test_b01_after_the_deal_a_backer_reads_whom_they_back_and_others_when_they_can_bet() -> None:
    table = backed(0)
    table.do(Deal(BANKER, shuffled_pack(hands_to_deal(table.state), table.rules)))
    own, other = (text_of(sent(backing_view(table.state, NAMES, party))) for party in ON_LOOKERS[:2])
    assert f"You back {mention(ALICE)} with **10 chips**" in own
    assert "Hands are dealt: your result comes with the showdown." in own
    assert "Try again" not in own
    assert "Hands are dealt. Try again after this round." in other


def test_b02_the_view_says_what_a_side_bet_holds_where_that_is_more_than_its_size() -> None:
    state = backed().state
    assert "against the banker: up to 20\xa0× your bet, which is held." in text_of(
        sent(backing_view(state, NAMES, ZED))
    )
    even = {name: 1 for name in GnauRules.model_fields if "multiple" in name}
    plain = replace(state, rules=state.rules.model_copy(update=even))
    assert "which is held" not in text_of(sent(backing_view(plain, NAMES, ZED)))
