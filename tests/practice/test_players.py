"""Practice players at tables without a bot, in virtual time: what they do, and how long they wait."""

import asyncio
from dataclasses import replace

import pytest

from bot.practice.messages import Message
from bot.practice.players.board_reader import Action, Board, Menu, own_hand, read_board
from bot.practice.players.narrator import Narrator
from bot.practice.players.strategy import (
    AT_ONCE,
    FAST,
    MOST_REFUSALS,
    TEMPERAMENTS,
    Habit,
    Pace,
    Strategy,
    TableMemory,
)
from bot.practice.world import World
from bot.ui.press.custom_ids import IN_MENU, Press, PressAction, Shape
from tests.practice.tables import CHIPS, COUNTDOWN, Room, in_virtual_time
from tests.sizes import sample


@pytest.fixture
def room(request: pytest.FixtureRequest) -> Room:
    return Room(getattr(request, "param", 0))


IN_MANY_ROOMS = pytest.mark.parametrize("room", sample(range(20)), indirect=True)


@in_virtual_time
async def test_practice_players_play_rounds(room: Room) -> None:
    for name in ("Beng", "Siti", "Kumar"):
        room.play(name, Habit.BANKS if name == "Beng" else Habit.PLAYS)
    table = room.open()
    await room.until(lambda: table.round > 4)
    assert [press.who for press in room.pressed("bank")] == ["Beng"]
    for number in (1, 2, 3, 4):
        bets = [press for press in room.pressed("bet") if press.round == number]
        reveals = [press for press in room.pressed("reveal") if press.round == number]
        assert sorted(press.who for press in bets) == ["Kumar", "Siti"]
        assert sorted(press.who for press in reveals) == ["Beng", "Kumar", "Siti"]
        assert all(press.argument in {"5", "10", "20"} for press in bets)
    assert not [press for press in room.presses if press.refused]


@in_virtual_time
async def test_a_human_can_take_the_bank_first(room: Room) -> None:
    human = room.person("Human")
    room.play("Beng", Habit.BANKS, replace(AT_ONCE, bank=0.4))
    table = room.open()
    await human.click(table.board, "join")
    await room.until(lambda: room.pressed("join", "Beng"))
    await human.click(table.board, "bank")
    await room.until(lambda: room.pressed("reveal", "Beng"))
    await human.click(table.board, "reveal")
    await room.until(lambda: room.pressed("bet", "Beng")[1:])
    assert [press.who for press in room.pressed("bank")] == ["Human"]


@in_virtual_time
async def test_practice_players_wait_before_they_act(room: Room) -> None:
    room.play("Siti", pace=replace(AT_ONCE, join=0.2, bet=0.4))
    await room.person("Human").click(room.open().board, "bank")
    await room.until(lambda: room.pressed("bet", "Siti"))
    (join,), (bet,) = room.pressed("join"), room.pressed("bet")
    assert join.at == pytest.approx(0.2)
    assert bet.at - join.at == pytest.approx(0.4, abs=0.01)


@IN_MANY_ROOMS
@in_virtual_time
async def test_practice_players_think_like_people_each_as_long_as_they_like(room: Room) -> None:
    room.play("Beng", Habit.BANKS, Pace())
    for name in ("Siti", "Kumar", "Devi"):
        room.play(name, pace=Pace())
    human = room.person("Human")
    table = room.open(seats=[human.id])
    await table.dealt.wait()
    bets = [press.at for press in room.pressed("bet")]
    assert len(set(bets)) == 3
    assert min(bets) > room.pressed("bank")[0].at + 1


@pytest.mark.parametrize("human_does", ["nothing", "bet:5", "sits out", "is not there"])
@IN_MANY_ROOMS
@in_virtual_time
async def test_the_banker_deals_once_no_human_is_deciding_and_else_the_countdown_does(
    room: Room, human_does: str
) -> None:
    room.play("Beng", Habit.BANKS, Pace())
    room.play("Siti", pace=Pace())
    human = room.person("Human")
    table = room.open(seats=[] if human_does == "is not there" else [human.id])
    await room.until(lambda: table.bets)
    await asyncio.sleep(20)
    acted = asyncio.get_running_loop().time()
    if human_does == "bet:5":
        await human.click(table.board, human_does)
    elif human_does == "sits out":
        table.out.add(human.id)
        room.show(table)
    await table.dealt.wait()
    assert not room.pressed("give_up")
    assert table.dealt_by_countdown is (human_does == "nothing")
    assert bool(room.pressed("deal")) is (human_does != "nothing")
    if human_does in ("bet:5", "sits out"):
        assert acted < room.pressed("deal")[0].at <= acted + 2 * Pace().deal


@IN_MANY_ROOMS
@in_virtual_time
async def test_players_wait_for_a_human_to_bet_are_quick_then_and_never_slow_without_one(room: Room) -> None:
    room.play("Beng", Habit.BANKS, Pace())
    for name in ("Siti", "Kumar"):
        room.play(name, pace=Pace())
    human = room.person("Human")
    table = room.open(seats=[human.id])
    await room.until(lambda: table.bank)
    await asyncio.sleep(Pace().bet * 2)
    assert not table.bets, "the countdown has not begun"
    await human.click(table.board, "bet:5")
    acted = asyncio.get_running_loop().time()
    await table.dealt.wait()
    assert asyncio.get_running_loop().time() < acted + 6
    assert len(table.bets) == 3
    await asyncio.sleep(1)
    await human.click(table.board, "reveal")
    acted = asyncio.get_running_loop().time()
    await room.until(lambda: table.round > 1)
    assert asyncio.get_running_loop().time() < acted + 5
    table.seats.remove(human.id)
    room.show(table)
    began = asyncio.get_running_loop().time()
    await room.until(lambda: table.round > 4)
    assert asyncio.get_running_loop().time() < began + 3 * 12, "a human only watches"


@in_virtual_time
async def test_what_players_bet_shows_their_temperament(room: Room) -> None:
    room.play("Beng", Habit.BANKS)
    for temperament in TEMPERAMENTS:
        room.play(temperament.name, temperament=temperament)
    table = room.open()
    await room.until(lambda: table.round > 3)
    bets = {
        one.name: [int(press.argument or 0) for press in room.pressed("bet", one.name)][:3]
        for one in TEMPERAMENTS
    }
    assert sum(bets["careful"]) < sum(bets["superstitious"]) < sum(bets["boastful"])
    assert sorted(bets["superstitious"]) == list(CHIPS[:3]), "always the same three"


@pytest.mark.parametrize("pace", [FAST, AT_ONCE], ids=["fast", "at once"])
@in_virtual_time
async def test_a_fast_banker_waits_for_nobody(room: Room, pace: Pace) -> None:
    room.play("Beng", Habit.BANKS, pace)
    room.play("Siti", pace=pace)
    table = room.open(seats=[room.person("Human").id])
    await table.dealt.wait()
    (deal,), (bet,) = room.pressed("deal"), room.pressed("bet")
    assert deal.who == "Beng"
    assert deal.at - bet.at >= pace.deal * (1 - pace.spread)


@in_virtual_time
async def test_after_a_refused_bet_a_player_tries_the_smallest_and_then_sits_out(room: Room) -> None:
    room.refuses = lambda press: press.action == "bet"
    room.play("Siti")
    await room.person("Human").click(room.open().board, "bank")
    await room.until(lambda: room.pressed("sit_out", "Siti"))
    stakes = [press.argument for press in room.pressed("bet", refused=True)]
    assert stakes[-1] == str(CHIPS[0])
    assert 1 <= len(stakes) <= 2


@in_virtual_time
async def test_a_refused_move_is_not_repeated_while_nothing_changes(room: Room) -> None:
    room.refuses = lambda press: press.action == "reveal" and press.who == "Siti"
    siti, human = room.play("Siti"), room.person("Human")
    await human.click(room.open().board, "bank")
    await room.until(lambda: room.pressed("reveal", "Siti", refused=True))
    for line in range(20):
        await human.write(room.channel, f"{line}, says somebody")
        await asyncio.sleep(10)
    assert len(room.pressed("reveal", "Siti", refused=True)) == 1
    assert not [message for message in siti.sees(room.channel) if message.ephemeral]


@in_virtual_time
async def test_a_move_that_is_refused_too_often_is_never_repeated(room: Room) -> None:
    room.refuses = lambda press: press.action == "bank"
    room.play("Beng", Habit.BANKS)
    table = room.open()
    for time in range(2 * MOST_REFUSALS):
        await asyncio.sleep(10)
        table.told = f"changed {time}"
        room.show(table)
    assert len(room.pressed("bank", "Beng", refused=True)) == MOST_REFUSALS


@in_virtual_time
async def test_no_reply_counts_as_a_refusal(room: Room) -> None:
    room.silent = {"join"}
    room.play("Siti")
    room.open()
    await asyncio.sleep(100)
    assert len(room.pressed("join", "Siti")) == 1


@in_virtual_time
async def test_a_player_sits_at_one_table_and_moves_on_when_it_closes(room: Room) -> None:
    room.play("Siti")
    first = room.open()
    await room.until(lambda: room.pressed("join"))
    second = room.open(room.second)
    await asyncio.sleep(100)
    assert len(room.pressed("join")) == 1
    room.close(first)
    await room.until(lambda: second.seats)


@in_virtual_time
async def test_a_bank_that_nobody_bets_against_is_given_up_and_taken_again(room: Room) -> None:
    room.play("Beng", Habit.BANKS)
    room.open()
    await room.until(lambda: len(room.pressed("bank", "Beng")) == 2)
    assert len(room.pressed("give_up", "Beng")) == 1


def test_a_bank_is_given_up_later_while_a_human_has_not_bet() -> None:
    @in_virtual_time
    async def play(room: Room, seats: list[int]) -> None:
        room.play("Beng", Habit.BANKS, replace(Pace(), spread=0))
        room.open(seats=seats)
        await room.until(lambda: room.pressed("give_up"))

    alone, with_human = Room(), Room()
    play(room=alone, seats=[])
    play(room=with_human, seats=[with_human.person("Human").id])
    assert with_human.pressed("give_up")[0].at > alone.pressed("give_up")[0].at >= COUNTDOWN


@in_virtual_time
async def test_a_banker_leaves_the_bank_to_a_human_who_has_asked_for_it(room: Room) -> None:
    human = room.person("Human").id
    room.play("Beng", Habit.BANKS)
    room.play("Siti")
    table = room.open(seats=[])
    await room.until(lambda: table.round == 2)
    assert not room.pressed("give_up")
    table.next_banker = human
    room.show(table)
    await room.until(lambda: bool(room.pressed("give_up", "Beng")))
    board = read_board(table.board)
    assert board is not None
    assert (board.banker, board.next_banker) == (None, None), "nobody stands next to a bank that is free"
    assert table.round <= 3


@in_virtual_time
async def test_a_player_notices_being_the_banker(room: Room) -> None:
    beng = room.play("Beng", Habit.BANKS, replace(AT_ONCE, join=1, deal=0.1))
    room.play("Siti")
    room.open(bank=beng.id, round=7, seats=[beng.id])
    await room.until(lambda: room.pressed("deal", "Beng"))


@in_virtual_time
async def test_what_a_player_reads_on_a_board(room: Room) -> None:
    human = room.person("Human")
    board = read_board(room.open(bank=human.id, round=3).board)
    assert board is not None
    assert (board.table, board.round, board.banker) == ("1", 3, human.id)
    assert board.buttons["bet"] == [f"gnau:1:3:bet:{chips}" for chips in CHIPS]
    assert "deal" not in board.buttons
    assert board.menu_choices == {"hand": "gnau:1:3:more", "sit_out": "gnau:1:3:more"}
    assert not board.counts_down
    assert read_board(await human.write(room.channel, "no board")) is None


@in_virtual_time
async def test_rounds_are_reported_in_plain_lines(room: Room) -> None:
    lines: list[str] = []
    ended: list[tuple[str, int]] = []
    narrator = Narrator(
        room.person("Human"), lines.append, lambda table, number: ended.append((table, number))
    )
    room.world.on_change(narrator.on_change)
    room.play("Beng", Habit.BANKS)
    room.play("Siti")
    room.open()
    await room.until(lambda: len(ended) == 2)
    bet = room.pressed("bet", "Siti")[0].argument
    assert lines[0] == f"Round 1 · 👑 @Beng banks | 1 @Siti · {bet} · 🂠 deciding…"
    assert lines[1] == f"Round 1 ended · 👑 @Beng pays −{bet} | ▲ @Siti wins +{bet}"
    starts = [line.split(" · ")[0] for line in lines]
    assert starts == ["Round 1", "Round 1 ended", "Round 2", "Round 2 ended"]
    assert ended == [("1", 1), ("1", 2)]


@pytest.mark.parametrize("action", Action)
def test_a_custom_id_of_the_bot_says_to_a_player_what_it_does(action: Action) -> None:
    number = 5 if action in (Action.BET, Action.BACK) else None
    backed = 7 if action is Action.BACK else None
    press = Press(PressAction(action), 1, 2, number, backed)
    world = World()
    message = Message(1, world.add_channel(world.add_server("Practice"), "table"), world.bot, world.now())
    menu = press.action.shape is Shape.MENU
    options = [{"label": "One", "value": "one"}]
    message.components = [
        {"type": 2, "style": 1, "custom_id": Press(PressAction.JOIN, 1, 2).custom_id},
        {"type": 3 if menu else 2, "style": 1, "custom_id": press.custom_id, "options": options},
    ]
    board = read_board(message)
    assert board is not None
    assert (board.table, board.round) == ("1", 2)
    if menu:
        assert board.menus[action] == Menu(press.custom_id, ("one",), 1)
    else:
        assert press.custom_id in board.buttons[Action.BET if action is Action.PLAY else action]


def test_what_a_menu_offers_is_named_as_buttons_are() -> None:
    assert {Action.HAND, Action.JOIN, Action.BANK, Action.SIT_OUT} <= set(map(str, IN_MENU))


def test_a_player_looks_at_a_hand_first_unless_its_message_has_nothing_to_arrange() -> None:
    def shown(*actions: Action) -> Board:
        world = World()
        channel = world.add_channel(world.add_server("Practice"), "table")
        message = Message(1, channel, world.bot, world.now())
        for action in actions:
            kind = 3 if action is Action.ARRANGE else 2
            message.components.append({"type": kind, "style": 1, "custom_id": f"gnau:1:2:{action}"})
        board = read_board(message)
        assert board is not None
        return board

    strategy, board = Strategy(1, Habit.PLAYS, AT_ONCE, None), shown(Action.HAND, Action.REVEAL)
    memory = TableMemory(joined=True)

    def first(hand: Board | None) -> str:
        (move,) = strategy.moves(board, memory, "", hand)
        return move.action

    assert first(None) == first(shown(Action.REVEAL, Action.ARRANGE)) == Action.ARRANGE
    assert first(shown(Action.REVEAL)) == Action.REVEAL
    memory.done.add((2, Action.ARRANGE))
    assert first(None) == Action.REVEAL


@in_virtual_time
async def test_a_message_that_was_about_the_bets_of_a_round_is_not_taken_for_its_hand(room: Room) -> None:
    """It is arranged before it is revealed, also if the message with the hand comes late."""
    human = room.person("Human")
    table = room.open(seats=[human.id])
    board = read_board(table.board)
    assert board is not None
    room.post(human.dm(), table.panel())
    assert own_hand(human, board) is None
    hand = room.post(human.dm(), table.hand())
    found = own_hand(human, board)
    assert found is not None
    assert found.message is hand
