"""Practice players at the tables of a real bot."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from random import Random

import discord
import pytest

from bot.practice.limits import Limits
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.players.board_reader import Action, Board, Menu, boards_seen_by, read_board
from bot.practice.players.narrator import Narrator
from bot.practice.players.player import PracticePlayer
from bot.practice.players.strategy import AT_ONCE, MOST_REFUSALS, Habit, Pace, Strategy, TableMemory
from bot.practice.servers import Channel
from bot.practice.world import World
from bot.ui.press.custom_ids import IN_MENU, Press, PressAction, Shape
from tests.practice.dealer_bot import CHIPS, Dealer, dealing
from tests.stand_in import StandIn


@dataclass
class Scene:
    """A stand-in with a dealer, a human, and channels for tables."""

    stand_in: StandIn
    dealer: Dealer
    human: Person
    channel: Channel
    second: Channel
    play: Callable[..., Awaitable[Person]]

    async def until(self, look: Callable[[], object], timeout: float = 5.0) -> None:  # noqa: ASYNC109 - a test's own
        """Waits until a condition is true; checks at each change of the world."""
        await self.stand_in.world.wait_for(look, timeout)

    async def press(self, action: str) -> None:
        """The human presses a button of the first table and submits its modal."""
        # The board may not show the latest action yet.
        await self.until(
            lambda: any(action in board.buttons for board in boards_seen_by(self.human).values())
        )
        (board, *_) = boards_seen_by(self.human).values()
        reply = await self.human.click(board.message, board.buttons[action][0])
        if reply.modal is not None:
            await self.human.submit(reply.modal)


@pytest.fixture
async def scene(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Scene]:
    stand_in, dealer = StandIn(limits=Limits(rate_limits=False)), Dealer()
    server = stand_in.add_server("Practice")
    first, second = (stand_in.add_channel(server, name) for name in ("first", "second"))
    human = stand_in.add_person("Human", [server])
    # The dealer sets these two; this restores them.
    monkeypatch.setattr(discord.http.Route, "BASE", "")
    monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", None)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(stand_in)
        await stack.enter_async_context(
            dealing(dealer, stand_in.token, stand_in.api_url, stand_in.gateway_url)
        )

        async def play(
            name: str,
            *,
            habit: Habit = Habit.PLAYS,
            pace: Pace = AT_ONCE,
            channels: list[Channel] | None = None,
        ) -> Person:
            person = stand_in.add_person(name, [server])
            player = PracticePlayer(person, pace, habit=habit, channels=channels, chance=Random(1))
            task = asyncio.create_task(player.play())
            stack.push_async_callback(asyncio.wait, [task])
            stack.callback(task.cancel)
            return person

        yield Scene(stand_in, dealer, human, first, second, play)


async def test_practice_players_play_rounds(scene: Scene) -> None:
    for name in ("Beng", "Siti", "Kumar"):
        await scene.play(name, habit=Habit.BANKS if name == "Beng" else Habit.PLAYS)
    await scene.human.slash(scene.channel, "table open")
    await scene.until(lambda: scene.dealer.tables[1].round > 4)
    assert [press.who for press in scene.dealer.pressed("bank")] == ["Beng"]
    for number in (1, 2, 3, 4):
        bets = [press for press in scene.dealer.pressed("bet") if press.round == number]
        reveals = [press for press in scene.dealer.pressed("reveal") if press.round == number]
        assert sorted(press.who for press in bets) == ["Kumar", "Siti"]
        assert sorted(press.who for press in reveals) == ["Beng", "Kumar", "Siti"]
        assert all(press.argument in {"5", "10", "20"} for press in bets)
    assert not [press for press in scene.dealer.presses if press.refused]


async def test_a_human_can_take_the_bank_first(scene: Scene) -> None:
    await scene.play("Beng", habit=Habit.BANKS, pace=replace(AT_ONCE, bank=0.4))
    await scene.human.slash(scene.channel, "table open")
    await scene.press("join")
    await scene.until(lambda: scene.dealer.pressed("join", "Beng"))
    await scene.press("bank")
    await scene.until(lambda: scene.dealer.pressed("bet", "Beng"))
    await scene.press("reveal")
    await scene.until(lambda: scene.dealer.tables[1].round == 2)
    await asyncio.sleep(0.5)
    assert [press.who for press in scene.dealer.pressed("bank")] == ["Human"]


async def test_the_banker_deals_when_a_human_does_not_bet(scene: Scene) -> None:
    await scene.play("Beng", habit=Habit.BANKS, pace=replace(AT_ONCE, deal=0.3))
    await scene.play("Siti")
    await scene.human.slash(scene.channel, "table open")
    await scene.press("join")
    await scene.until(lambda: scene.dealer.pressed("deal"))
    (bet, *_), (deal, *_) = scene.dealer.pressed("bet"), scene.dealer.pressed("deal")
    assert deal.who == "Beng"
    assert deal.at - bet.at >= 0.25


async def test_practice_players_wait_before_they_act(scene: Scene) -> None:
    await scene.play("Siti", pace=replace(AT_ONCE, join=0.2, bet=0.4))
    before = asyncio.get_running_loop().time()
    await scene.human.slash(scene.channel, "table open")
    await scene.press("bank")
    await scene.until(lambda: scene.dealer.pressed("bet", "Siti"))
    (join,), (bet,) = scene.dealer.pressed("join"), scene.dealer.pressed("bet")
    assert join.at - before >= 0.2
    assert bet.at - join.at >= 0.4


async def test_after_a_refused_bet_a_player_tries_the_smallest_and_then_sits_out(scene: Scene) -> None:
    scene.dealer.refuses = lambda press: press.action == "bet"
    await scene.play("Siti")
    await scene.human.slash(scene.channel, "table open")
    await scene.press("bank")
    await scene.until(lambda: scene.dealer.pressed("sit_out", "Siti"))
    stakes = [press.argument for press in scene.dealer.pressed("bet", refused=True)]
    assert stakes[-1] == str(CHIPS[0])
    assert 1 <= len(stakes) <= 2


async def test_a_refused_move_is_not_repeated_while_nothing_changes(scene: Scene) -> None:
    scene.dealer.refuses = lambda press: press.action == "reveal" and press.who == "Siti"
    siti = await scene.play("Siti")
    await scene.human.slash(scene.channel, "table open")
    await scene.press("bank")
    await scene.until(lambda: scene.dealer.pressed("reveal", "Siti", refused=True))
    for line in range(20):
        await scene.human.write(scene.channel, f"{line}, says somebody")
        await asyncio.sleep(0.01)
    assert len(scene.dealer.pressed("reveal", "Siti", refused=True)) == 1
    assert not [message for message in siti.sees(scene.channel) if message.ephemeral]


async def test_a_move_that_is_refused_too_often_is_never_repeated(scene: Scene) -> None:
    scene.dealer.refuses = lambda press: press.action == "bank" and press.who == "Beng"
    await scene.play("Beng", habit=Habit.BANKS)
    await scene.human.slash(scene.channel, "table open")

    def refusals() -> int:
        return len(scene.dealer.pressed("bank", "Beng", refused=True))

    for time in range(1, MOST_REFUSALS + 1):
        await scene.until(lambda: refusals() == time)  # noqa: B023 - it is waited for at once
        table, board = scene.dealer.tables[1], scene.dealer.boards[1]
        table.told = f"changed {time}"
        await board.edit(view=table.view())
    await asyncio.sleep(0.2)
    assert refusals() == MOST_REFUSALS


async def test_no_reply_counts_as_a_refusal(scene: Scene) -> None:
    scene.dealer.silent = {"join"}
    await scene.play("Siti")
    await scene.human.slash(scene.channel, "table open")
    await scene.until(lambda: scene.dealer.pressed("join", "Siti"))
    await asyncio.sleep(0.8)
    assert len(scene.dealer.pressed("join", "Siti")) == 1


@pytest.mark.thorough
async def test_a_player_sits_at_one_table_and_moves_on_when_it_closes(scene: Scene) -> None:
    await scene.play("Siti")
    await scene.human.slash(scene.channel, "table open")
    await scene.until(lambda: scene.dealer.pressed("join"))
    await scene.human.slash(scene.second, "table open")
    await asyncio.sleep(0.2)
    assert len(scene.dealer.pressed("join")) == 1
    await scene.human.slash(scene.channel, "table close")
    await scene.human.slash(scene.channel, "table open")
    await scene.until(lambda: len(scene.dealer.pressed("join")) == 2)
    assert 3 in scene.dealer.tables


async def test_a_bank_that_nobody_bets_against_is_given_up(scene: Scene) -> None:
    await scene.play("Beng", habit=Habit.BANKS, pace=replace(AT_ONCE, give_up_bank=0.2, bank=0.1))
    await scene.human.slash(scene.channel, "table open")
    await scene.until(lambda: scene.dealer.pressed("give_up", "Beng"))
    await scene.until(lambda: len(scene.dealer.pressed("bank", "Beng")) == 2)


@pytest.mark.thorough
async def test_a_player_notices_being_the_banker(scene: Scene) -> None:
    await scene.human.slash(scene.channel, "table open")
    table = scene.dealer.tables[1]
    beng = await scene.play("Beng", habit=Habit.BANKS, pace=replace(AT_ONCE, join=1, deal=0.1))
    table.bank, table.round, table.seats = beng.id, 7, [beng.id, 2]
    await scene.until(lambda: 1 in scene.dealer.boards)
    await scene.dealer.boards[1].edit(view=table.view())
    await scene.play("Siti")
    await scene.until(lambda: scene.dealer.pressed("deal", "Beng"))


async def test_what_a_player_reads_on_a_board(scene: Scene) -> None:
    await scene.human.slash(scene.channel, "table open")
    await scene.press("bank")
    (message,) = scene.human.sees(scene.channel)
    board = read_board(message)
    assert board is not None
    assert (board.table, board.round) == ("1", 1)
    assert board.buttons["bet"] == [f"gnau:1:1:bet:{chips}" for chips in CHIPS]
    assert "deal" not in board.buttons
    assert board.menu_choices == {"hand": "gnau:1:1:more", "sit_out": "gnau:1:1:more"}
    assert not board.counts_down
    said = await scene.human.write(scene.channel, "no board")
    assert read_board(said) is None


async def test_rounds_are_reported_in_plain_lines(scene: Scene) -> None:
    lines: list[str] = []
    ended: list[tuple[str, int]] = []
    narrator = Narrator(scene.human, lines.append, lambda table, number: ended.append((table, number)))
    stop = scene.stand_in.world.on_change(narrator.on_change)
    await scene.play("Beng", habit=Habit.BANKS)
    await scene.play("Siti")
    await scene.human.slash(scene.channel, "table open")
    await scene.until(lambda: len(ended) == 2)
    stop()
    bet = scene.dealer.pressed("bet", "Siti")[0].argument
    assert lines[0] == f"Round 1 · 👑 @Beng banks | 1 @Siti · {bet} · ✓"
    assert lines[1] == f"Round 1 ended · 👑 @Beng pays −{bet} | ▲ @Siti wins +{bet}"
    assert [line.split(" · ")[0] for line in lines[:4]] == [
        "Round 1",
        "Round 1 ended",
        "Round 2",
        "Round 2 ended",
    ]
    assert ended[:2] == [("1", 1), ("1", 2)]


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
