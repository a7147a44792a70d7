"""What practice players read on a board, and which moves they would make then, after how long."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from bot.practice.limits import Limits
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.players.board_reader import Action, Board, Menu, own_hand, read_board
from bot.practice.players.strategy import (
    AT_ONCE,
    FAST,
    MOST_REFUSALS,
    Habit,
    Move,
    Pace,
    Strategy,
    TableMemory,
)
from bot.practice.servers import Channel
from bot.practice.world import World
from bot.ui.press.custom_ids import IN_MENU, Press, PressAction, Shape

BENG, SITI, HUMAN = 11, 12, 13
PACE = Pace()
MENU = {
    "type": 3,
    "custom_id": "gnau:1:2:more",
    "options": [{"label": value, "value": value} for value in ("hand", "sit_out")],
}


def button(action: str) -> dict[str, Any]:
    return {"type": 2, "style": 1, "custom_id": f"gnau:1:2:{action}"}


@dataclass
class Room:
    """A channel in which the bot says something."""

    world: World = field(default_factory=World)
    channel: Channel = field(init=False)

    def __post_init__(self) -> None:
        self.channel = self.world.add_channel(self.world.add_server("Practice"), "table")

    def post(self, *components: dict[str, Any], channel: Channel | None = None) -> Message:
        message = Message(self.world.new_id(), channel or self.channel, self.world.bot, self.world.now())
        message.components = list(components)
        return self.world.post(message)

    def board(self, *components: dict[str, Any], text: str = "") -> Board:
        """What a player reads in these components and this text."""
        shown = [{"type": 10, "content": text}] * bool(text)
        board = read_board(self.post(*shown, *components))
        assert board is not None
        return board


@pytest.fixture
def room() -> Room:
    return Room()


def betting(room: Room, *seats: str, banker: str = f"👑 <@{BENG}> banks") -> Board:
    """A board with open bets and these seats; it shows a deadline if anybody has bet."""
    lines = [banker, *(f"`{number}` {seat}" for number, seat in enumerate(seats, 1))]
    deadline = ["Betting closes <t:1790000000:R>"] * any("✓" in seat for seat in seats)
    return room.board(*map(button, ("bet:5", "bet:10", "bet:20")), MENU, text="\n".join([*lines, *deadline]))


def moves(board: Board, player: int, pace: Pace = PACE, memory: TableMemory | None = None) -> list[Move]:
    """What this player would do who sits there, and would bet 10."""
    strategy = Strategy(player, Habit.BANKS, pace, {BENG, SITI})
    memory = memory or TableMemory(joined=True)
    return list(strategy.moves(board, memory, board.buttons[Action.BET][1]))


def test_a_board_says_who_banks_who_is_next_and_who_has_not_bet(room: Room) -> None:
    board = betting(
        room,
        f"<@{SITI}> · 🪙 **10** · ✓",
        f"<@{HUMAN}> · deciding…",
        banker=f"👑 <@{BENG}> banks · next: <@{HUMAN}>",
    )
    assert (board.table, board.round, board.banker, board.next_banker) == ("1", 2, BENG, HUMAN)
    assert board.undecided == {HUMAN}
    assert board.counts_down
    assert board.buttons[Action.BET] == [f"gnau:1:2:bet:{chips}" for chips in (5, 10, 20)]
    assert board.menu_choices == {"hand": MENU["custom_id"], "sit_out": MENU["custom_id"]}
    assert read_board(room.post()) is None
    all_in, was_all_in = f"<@{SITI}> **+5** 🔥 **10**", f"<@{HUMAN}> 🔥 **−10**"
    assert betting(room, all_in, was_all_in).undecided == {HUMAN}, "the fire of the last round is no bet"


def test_a_board_on_which_the_bank_has_passed_says_who_banks_now_and_who_has_not_bet(room: Room) -> None:
    label = "-# Last round ·"
    last = [f"👑 <@{BENG}> Score 4 **−5** | 🪙 **10**", f"`1` <@{SITI}> Score 6 **+5**", f"<@{HUMAN}>"]
    board = room.board(
        button("bet:5"), text="\n".join([f"{label} Now: 👑 <@{SITI}> banks · next: <@{HUMAN}>", *last])
    )
    assert (board.banker, board.next_banker, set(board.undecided)) == (SITI, HUMAN, {HUMAN})
    board = room.board(button("bet:5"), text="\n".join([f"{label} 🔜 No banker yet", *last]))
    assert (board.banker, board.next_banker, set(board.undecided)) == (None, None, {SITI, HUMAN})


@pytest.mark.parametrize(
    ("seats", "does", "seconds"),
    [
        ([f"<@{SITI}> · 🪙 **10** · ✓"], Action.DEAL, PACE.deal * PACE.hurry),
        ([f"<@{SITI}> · 🪙 **10** · ✓", f"<@{HUMAN}> · 💤"], Action.DEAL, PACE.deal * PACE.hurry),
        ([f"<@{SITI}> · 🪙 **10** · ✓", f"<@{HUMAN}> · deciding…"], None, 0),
        ([f"<@{SITI}> · deciding…"], Action.GIVE_UP, PACE.give_up_bank),
        ([f"<@{HUMAN}> · deciding…"], Action.GIVE_UP, PACE.give_up_bank_on_humans),
    ],
    ids=["all have bet", "one sits out", "a human is deciding", "no bets", "no bets of a human"],
)
def test_a_banker_deals_once_nobody_is_deciding_and_gives_a_bank_up_that_nobody_bets_against(
    room: Room, seats: list[str], does: Action | None, seconds: float
) -> None:
    found = moves(betting(room, *seats), BENG)
    assert [move.action for move in found] == ([] if does is None else [does])
    assert [move.delay for move in found] == [pytest.approx(seconds)] * len(found)


@pytest.mark.parametrize("pace", [PACE, FAST])
def test_a_banker_leaves_the_deal_to_the_last_call_while_a_human_who_looks_on_may_back_somebody(
    room: Room, pace: Pace
) -> None:
    for seats, does in ([f"<@{SITI}> · 🪙 **10** · ✓"], []), ([f"<@{HUMAN}> · 🪙 **10** · ✓"], [Action.DEAL]):
        board = betting(room, *seats)
        board.buttons[Action.SIDE_BETS] = ["gnau:1:2:side_bets"]
        assert [move.action for move in moves(board, BENG, pace)] == does


def test_a_fast_banker_waits_for_nobody_and_leaves_the_bank_to_a_human_who_asks(room: Room) -> None:
    seats = f"<@{SITI}> · 🪙 **10** · ✓", f"<@{HUMAN}> · deciding…"
    (deal,) = moves(betting(room, *seats), BENG, AT_ONCE)
    assert deal.action == Action.DEAL
    asked = betting(room, *seats, banker=f"👑 <@{BENG}> banks · next: <@{HUMAN}>")
    assert moves(asked, BENG)[0].action == Action.GIVE_UP


@pytest.mark.parametrize(
    ("other", "seconds"),
    [
        (f"<@{HUMAN}> · deciding…", PACE.bet_before_humans),
        (f"<@{HUMAN}> · 🪙 **5** · ✓", PACE.bet * PACE.hurry),
    ],
)
def test_players_wait_for_a_human_to_bet_and_are_quick_then(room: Room, other: str, seconds: float) -> None:
    (bet,) = moves(betting(room, other, f"<@{SITI}> · deciding…"), SITI)
    assert bet.action == Action.BET
    assert bet.delay == pytest.approx(seconds)
    human_banks = f"👑 <@{HUMAN}> banks"
    (bet,) = moves(
        betting(room, f"<@{BENG}> · deciding…", f"<@{SITI}> · deciding…", banker=human_banks), SITI
    )
    assert bet.delay == PACE.bet, "a human who banks reads the last result"


def test_after_a_refused_bet_a_player_tries_the_smallest_and_then_sits_out(room: Room) -> None:
    board, memory = betting(room, f"<@{SITI}> · deciding…"), TableMemory(joined=True)
    tried = []
    for _ in range(3):
        (move,) = moves(board, SITI, memory=memory)
        tried.append(move.custom_id)
        memory.note_refused(move)
    assert tried == ["gnau:1:2:bet:10", "gnau:1:2:bet:5", MENU["custom_id"]]
    assert move.action == Action.SIT_OUT


def test_a_refused_move_is_repeated_only_once_something_changes_and_not_too_often(room: Room) -> None:
    memory = TableMemory(joined=True)
    for time in range(MOST_REFUSALS):
        (move,) = moves(betting(room, f"<@{SITI}> · deciding… {time}"), SITI)
        assert not memory.is_refused(move)
        memory.note_refused(move)
        assert memory.is_refused(move)
    (move,) = moves(betting(room, f"<@{SITI}> · deciding… at last"), SITI)
    assert memory.is_refused(move)


@pytest.mark.parametrize("action", Action)
def test_a_custom_id_of_the_bot_says_to_a_player_what_it_does(room: Room, action: Action) -> None:
    number = 5 if action in (Action.BET, Action.BACK) else None
    backed = 7 if action is Action.BACK else None
    press = Press(PressAction(action), 1, 2, number, backed)
    menu = press.action.shape is Shape.MENU
    board = room.board(
        {"type": 2, "style": 1, "custom_id": Press(PressAction.JOIN, 1, 2).custom_id},
        {"type": 3 if menu else 2, "style": 1, "custom_id": press.custom_id, "options": MENU["options"]},
    )
    assert (board.table, board.round) == ("1", 2)
    if menu:
        assert board.menus[action] == Menu(press.custom_id, ("hand", "sit_out"))
    else:
        assert press.custom_id in board.buttons[Action.BET if action is Action.PLAY else action]


def test_what_a_menu_offers_is_named_as_buttons_are() -> None:
    assert {Action.HAND, Action.JOIN, Action.BANK, Action.SIT_OUT} <= set(map(str, IN_MENU))


def test_a_player_looks_at_a_hand_first_unless_its_message_has_nothing_to_arrange(room: Room) -> None:
    strategy, board = Strategy(1, Habit.PLAYS, AT_ONCE, None), room.board(button("hand"), button("reveal"))
    memory = TableMemory(joined=True)

    def first(hand: Board | None) -> str:
        (move,) = strategy.moves(board, memory, "", hand)
        return move.action

    assert first(None) == first(room.board(button("reveal"), button("arrange:0"))) == Action.ARRANGE
    assert first(room.board(button("reveal"))) == Action.REVEAL
    memory.done.add((2, Action.ARRANGE))
    assert first(None) == Action.REVEAL


def test_a_message_that_was_about_the_bets_of_a_round_is_not_taken_for_its_hand(room: Room) -> None:
    """It is arranged before it is revealed, also if the message with the hand comes late."""
    human = Person(room.world, room.world.add_user("Human"), Limits(), lambda _: None)
    board = room.board(button("reveal"))
    room.post(button("deal"), channel=human.dm())
    assert own_hand(human, board) is None
    hand = room.post(button("reveal"), channel=human.dm())
    found = own_hand(human, board)
    assert found is not None
    assert found.message is hand


@pytest.mark.parametrize(("backed", "pace"), [("", PACE.hurry), (f" · backed by <@{HUMAN}> (5)", 1.0)])
def test_players_reveal_at_a_persons_pace_if_a_human_backs_one(room: Room, backed: str, pace: float) -> None:
    seat = f"👑 <@{BENG}> banks · 🂠\n`1` <@{SITI}> · 🪙 **5** · 🂠{backed}"
    board = room.board(button("hand"), button("reveal"), text=seat)
    memory = TableMemory(joined=True)
    strategy = Strategy(SITI, Habit.PLAYS, PACE, {BENG, SITI})
    (reveal,) = strategy.moves(board, memory, "", room.board(button("reveal")))
    assert reveal.action == Action.REVEAL
    assert reveal.delay == pytest.approx(PACE.reveal * pace)
