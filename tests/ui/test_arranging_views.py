"""How arranging a hand looks: the pieces to pick, what a choice makes, and when it is offered (B04)."""

import pytest

from bot.games.hands import declared, evaluate
from bot.rules.cards import parse_cards
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import Arrange as ArrangedBy
from bot.rules.pieces import Piece
from bot.table.commands import Arrange, Deal, PlaceBet, PlaceSideBet, RevealHand, TakeBank
from bot.table.decide import decide
from bot.table.refusals import Refused
from bot.table.state import TableState
from bot.ui.hand.arranging import strongest_three, why_not_backed
from bot.ui.hand.own_hand import PanelMemory, own_hand, round_of_picture
from bot.ui.press.custom_ids import PressAction
from tests.table.trial_table import SEALED
from tests.ui.hand_panels import own, unseen
from tests.ui.messages import Components, buttons_of, pressable, table_press, text_of
from tests.ui.sample_tables import BANKER, NOON, PLAYERS, RULES, Table, random_evening

ALICE = PLAYERS[0]
# G23: there are three ways to arrange it, and the double is the strongest.
SEVERAL_WAYS = parse_cards("3S 6D 8C 4H 8D")
DUKES = parse_cards("JS QS KD JH KC")
NO_OX = parse_cards("4C 4D 3H 8S 5D")
ASSISTED = RULES.model_copy(update={"arrange": ArrangedBy.ASSISTED})
STRICT = RULES.model_copy(update={"arrange": ArrangedBy.STRICT})


def dealt(rules: HouseRules, hand: tuple[Piece, ...] = SEVERAL_WAYS) -> Table:
    """A table where Alice has this hand and the banker has no ox."""
    table = Table(rules)
    table.do(TakeBank(BANKER, 5, 100, rules), PlaceBet(ALICE, 20))
    table.do(Deal(BANKER, tuple(one for pair in zip(hand, NO_OX, strict=True) for one in pair)))
    return table


def alices(state: TableState) -> Components:
    return own(state, ALICE)


def pieces_of(components: Components) -> list[str]:
    """The labels of the pieces that can be picked for the ox."""
    presses = {label: table_press(one.custom_id) for label, one in buttons_of(components).items()}
    return [label for label, press in presses.items() if press and press.action is PressAction.ARRANGE]


def test_b08_a_player_whose_hand_is_backed_is_told_that_only_the_strongest_way_is_allowed() -> None:
    table = Table(ASSISTED)
    table.do(TakeBank(BANKER, 5, 100, ASSISTED), PlaceBet(ALICE, 20))
    table.do(PlaceSideBet(PLAYERS[1], ALICE, 5))
    table.do(Deal(BANKER, tuple(one for pair in zip(SEVERAL_WAYS, NO_OX, strict=True) for one in pair)))
    assert "Others have bet on this hand" in text_of(alices(table.state))
    assert "Others have bet" not in text_of(own(table.state, BANKER))
    assert "Others have bet" not in text_of(alices(dealt(ASSISTED).state))


def test_b08_a_refused_choice_for_a_backed_hand_says_first_what_is_wrong_with_the_three() -> None:
    wrong, right = (why_not_backed(SEVERAL_WAYS, three, STRICT, "No.") for three in ((0, 2, 3), (0, 1, 2)))
    assert wrong == "✖ 3♠ 8♣ 4♥ total 15 or 18: not a multiple of 10, and not of the same rank. No."
    assert right == "✖ No."


def test_b04_each_piece_is_a_button_that_says_what_it_counts_if_its_name_does_not() -> None:
    assert pieces_of(alices(dealt(ASSISTED).state)) == ["3♠ = 3/6", "6♦ = 6/3", "8♣", "4♥", "8♦"]
    assert pieces_of(alices(dealt(ASSISTED, DUKES).state))[0] == "J♠ = 10"


@pytest.mark.parametrize(
    ("three", "name", "way"),
    [
        ((0, 1, 2), "Ox of 2", "Arranged your way."),
        ((0, 1, 3), "Double-Ox 8", "Arranged the strongest way."),
        ((2, 3, 4), "Ox of 9", "Arranged your way."),
    ],
)
def test_b04_g23_the_panel_says_what_a_choice_makes_and_it_can_change(
    three: tuple[int, ...], name: str, way: str
) -> None:
    table = dealt(ASSISTED)
    table.do(Arrange(ALICE, three))
    components = alices(table.state)
    assert f"**{name}**" in text_of(components)
    assert f"{way} You can change it until you reveal." in text_of(components)


@pytest.mark.parametrize("hand", [SEVERAL_WAYS, NO_OX, DUKES])
def test_b04_the_strongest_three_make_the_strongest_hand(hand: tuple[Piece, ...]) -> None:
    best, three = evaluate(hand, ASSISTED), strongest_three(hand, ASSISTED)
    assert (three is None) is not bool(best.ox)
    if three is not None:
        assert declared(hand, three, ASSISTED).strength == best.strength


@pytest.mark.parametrize("seed", range(3))
def test_b04_arranging_is_offered_only_if_possible(seed: int) -> None:
    for state in random_evening(seed):
        for seat in state.seats:
            could = decide(state, Arrange(seat.party, None), NOON, {}, SEALED)
            components = own(state, seat.party)
            actions = {table_press(button.custom_id) for button in buttons_of(components).values()}
            offered = PressAction.STRONGEST in {press.action for press in actions if press}
            # Where mistakes stand, finding the strongest way is the game.
            finds = state.rules.arrange is ArrangedBy.STRICT and not state.side_bets_on(seat.party)
            assert offered is (bool(pieces_of(components)) and not finds)
            assert bool(pieces_of(components)) is not isinstance(could, Refused)


def test_b04_nothing_to_choose_if_the_bot_arranges_or_the_hand_is_revealed() -> None:
    assert not pieces_of(alices(dealt(RULES).state))
    table = dealt(ASSISTED)
    table.do(RevealHand(ALICE))
    assert not pieces_of(alices(table.state))
    assert "**Double-Ox 8**" in text_of(alices(table.state))


def test_b04_who_knows_that_there_is_no_ox_sees_the_hand_and_can_still_arrange_it() -> None:
    table = dealt(ASSISTED, NO_OX)
    asked = own(table.state, ALICE, has_played=True)
    assert pressable(asked) >= {"No Ox", "Arrange it for me", "Reveal"}
    assert "Why this hand" not in pressable(asked)
    told = own(table.state, ALICE, hand=own_hand(table.state, PanelMemory(ALICE)), has_played=True)
    assert "**No Ox** · loses to every other hand" in text_of(told)
    assert pressable(told) >= {"Why this hand", "Arrange it for me", "Reveal"}
    assert "No Ox" not in pressable(told)
    assert [*buttons_of(told)] == [*buttons_of(asked)], "no button moves"
    assert pieces_of(told)


def test_b04_each_arrangement_of_a_hand_has_its_own_picture() -> None:
    """A message keeps its picture as long as the picture's name stays the same."""
    names = []
    for three in (None, (0, 1, 3), (2, 3, 4)):
        table = dealt(ASSISTED)
        table.do(Arrange(ALICE, three))
        names.append(_name(table.state))
    table.do(Arrange(ALICE, None), RevealHand(ALICE))
    names.append(_name(table.state))
    assert len(set(names)) == len(names)
    assert {round_of_picture(name) for name in names} == {1}
    assert round_of_picture("round-1.png") is None
    assert round_of_picture("hand-11.png") == 11


def _name(state: TableState) -> str:
    hand = own_hand(state, PanelMemory(ALICE), unseen=unseen(state, ALICE))
    assert hand is not None
    return hand.picture_name
