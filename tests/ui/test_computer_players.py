"""What boards, menus and results show of computer players (B07)."""

from bot.games.hands import shuffled_pack
from bot.games.settle import largest_multiple
from bot.practice.component_tree import selects
from bot.rules.house_rules import HouseRules
from bot.table.commands import Deal, PlaceBet, RevealHand, TakeBank
from bot.table.dealing import hands_to_deal
from bot.table.state import COMPUTERS
from bot.ui.board.text import BoardFacts
from bot.ui.hand.side_bets import backing_view
from bot.ui.press.custom_ids import PressAction
from tests.ui.messages import buttons_of, sent, table_press, text_of
from tests.ui.sample_tables import BANKER, NAMES, ON_LOOKERS, PLAYERS, RULES, Table
from tests.ui.test_game_boards import actions_of, board

ALICE = PLAYERS[0]
WITH_TWO = RULES.model_copy(update={"computer_players": 2})


def lone_banker(rules: HouseRules = WITH_TWO) -> Table:
    """A member banks, and two computer players have bet."""
    table = Table(rules)
    table.do(TakeBank(BANKER, 5, 100, rules))
    return table


def test_b07_again_is_not_offered_because_of_a_bet_of_a_computer_player() -> None:
    table = lone_banker()
    table.do(Deal(BANKER, shuffled_pack(hands_to_deal(table.state), table.state.rules)), RevealHand(BANKER))
    table.go_on()
    assert PressAction.AGAIN not in actions_of(board(table.state))
    table.do(PlaceBet(ALICE, 5))
    assert PressAction.AGAIN in actions_of(board(table.state))


def test_b07_the_chips_to_bet_count_the_bets_of_computer_players_as_room() -> None:
    table = lone_banker()
    room_for_five = BoardFacts({BANKER: largest_multiple(WITH_TWO) * 5})
    pressed = (table_press(one.custom_id) for one in buttons_of(board(table.state, room_for_five)).values())
    assert [press.number for press in pressed if press and press.action is PressAction.BET] == [5, 10, 20]
    assert "room for bets: 20" in text_of(board(table.state, room_for_five))


def test_b07_a_computer_player_can_be_chosen_to_back() -> None:
    table = lone_banker()
    (menu,) = selects(sent(backing_view(table.state, NAMES, ON_LOOKERS[0])))
    assert [option.label for option in menu.options] == ["1 · 🤖 Computer 1", "2 · 🤖 Computer 2"]
    assert [option.value for option in menu.options] == list(map(str, COMPUTERS[:2]))
