"""One round with a fault at each instant: repeated requests happen once, and the round ends."""

import asyncio
import secrets
import shutil
import tempfile
from enum import Enum
from pathlib import Path
from random import Random

import pytest

from bot.games.house import House
from bot.games.register import GAMES
from bot.rules.knobs import GameName
from bot.table.commands import Command, Join, PlaceBet, PlaceSideBet, RevealHand, RollForBank, TakeBank
from bot.table.state import Bank, Member, Phase, Seat, TableState
from tests.simulation.bot_process import BotProcess, Clock
from tests.simulation.captured_logs import run_to_end
from tests.simulation.discord_model import DiscordModel, Press
from tests.simulation.disk import Disk, Trouble
from tests.simulation.disk_audit import DiskAudit, disk_audit
from tests.simulation.loop import VirtualLoop
from tests.simulation.press_replies import AllReplies, Reply
from tests.simulation.run import MEMORY
from tests.simulation.trace import Trace
from tests.sizes import sample, sized

HOUSE = House(hosting={"last_call_seconds": 0, "betting_seconds": 3600, "arranging_seconds": 3600})
"""Long times, so that a fault that costs time does not change the round."""
TRIES = 12
"""How often a member asks before giving up."""
EVERY = sized(97, 5)
"""The step between the instants that are tried, with a different start each time."""
PRESSES = 200
"""More presses and idle seconds than a round takes."""
STEPS = 200
"""Steps of the loop after which every command is done."""


class Fault(Enum):
    """A fault at an instant before or after an operation of the disk, or of the member who asks."""

    KILLED = "killed"
    TORN_DOWN = "torn down"
    BROKEN = "broken"
    GONE_AWAY = "gone away"


class Round:
    """A round in which a member who gets no reply asks again with the same key.

    Args:
        game: the game.
        path: the file of the database.
        loop: its loop.
        seed: the seed of all random choices.

    Attributes:
        bot: the bot.
        instants: the number of instants of the disk since the first press.
    """

    def __init__(self, game: GameName, path: Path, loop: VirtualLoop, seed: int) -> None:
        self.instants = 0
        self._game = game
        self._path = path
        self._discord = DiscordModel(Random(seed), trouble=False)
        self._discord.add_server(channels=1, members=4)
        self._replies = AllReplies()
        self.bot = BotProcess(
            path,
            loop,
            Disk(Random(seed)),
            self._discord,
            Trace(loop.time),
            self._replies,
            Random(seed),
            lambda _: HOUSE,
            Clock(loop.time),
        )

    async def play(self, fault: Fault | None = None, at: int = 0) -> list[str]:
        """Plays the round.

        Args:
            fault: what goes wrong.
            at: the instant of the disk; for a member who goes away, the number of steps.

        Returns:
            The kinds of events at the table until it is settled.
        """
        running = asyncio.create_task(self.bot.run())
        await asyncio.sleep(10)
        self.bot.disk.watch = lambda statement: self._instant(fault, at)
        async with disk_audit(self._path) as on_disk:
            patience = at if fault is Fault.GONE_AWAY else None
            for key in range(1, PRESSES):
                table = (await on_disk.open_tables()).get(1)
                if table is not None and table.last is not None:
                    break
                press = self._next(key, table)
                if press is None:
                    await asyncio.sleep(1)
                else:
                    await self._ask(on_disk, press, patience)
            assert self.bot.broken == []
            assert await on_disk.wrong() == []
            self.bot.close()
            await running
            assert await on_disk.wrong_in_all_records() == []
            assert list(self._replies.broken(await on_disk.committed())) == []
            kinds = [kind for kind in await on_disk.kinds(1) if kind != "deadline_set"]
        return kinds[: kinds.index("round_settled") + 1]

    def _instant(self, fault: Fault | None, at: int) -> None:
        self.instants += 1
        if self.instants == at:
            match fault:
                case Fault.KILLED:
                    self.bot.kill()
                case Fault.TORN_DOWN:
                    self.bot.tear_down()
                case Fault.BROKEN:
                    raise Trouble.BROKEN.error()

    async def _ask(self, on_disk: DiskAudit, press: Press, patience: int | None) -> None:
        to_press = self._replies.to(press)
        for _ in range(TRIES):
            replied = len(to_press.replies)
            self.bot.deliver(press, patience)
            patience = None
            for _ in range(100):
                await asyncio.sleep(0.1)
                if len(to_press.replies) > replied:
                    break
            if to_press.replies[replied:] == [Reply.DONE]:
                return
            if to_press.replies[replied:] == [Reply.REFUSED]:
                # It was done before a restart: a member with a seat cannot sit down.
                assert str(press.key) in await on_disk.committed()
                return
            await asyncio.sleep(20)
        raise AssertionError(f"{press} got no reply: {to_press.replies}")

    def _next(self, key: int, table: TableState | None) -> Press | None:
        """The next request, by the state on disk; None if the table acts next."""
        ((channel_id, server_id),) = self._discord.channels.items()
        *seated, spectator = self._discord.members[server_id]
        if table is None:
            return Press(key, seated[0], channel_id, game=self._game)
        wish = _wish(table, seated, spectator)
        return None if wish is None else Press(key, wish[0], channel_id, table.table_id, wish[1])


def _wish(table: TableState, seated: list[Member], spectator: Member) -> tuple[Member, Command] | None:
    first = seated[0]
    if table.bank is None and not table.game.rolls_for_bank:
        return first, TakeBank(first, 1, 50, table.rules)
    for member in seated:
        if not table.has(member.member_id):
            return member, Join(member)
    if table.bank is None:
        return first, RollForBank(first.member_id, (), table.rules)
    if table.phase is Phase.DEALT:
        places: list[Seat | Bank] = [*table.seats, table.bank]
        hidden = [place.member for place in places if place.pieces and not place.revealed]
        return (hidden[0], RevealHand(hidden[0].member_id)) if hidden else None
    if table.bets and not table.side_bets:
        return spectator, PlaceSideBet(spectator, table.bets[0].member.member_id, 3)
    undecided = table.undecided
    return (undecided[0].member, PlaceBet(undecided[0].member, 7)) if undecided else None


def played(game: GameName, fault: Fault | None = None, at: int = 0) -> tuple[list[str], int]:
    """The kinds of events at the table, and the number of instants."""
    folder = Path(tempfile.mkdtemp(prefix="gnau-simulation-", dir=MEMORY if MEMORY.is_dir() else None))
    loop = VirtualLoop(Random(at))  # type: ignore[abstract]  # has what is used here of a loop
    one = Round(game, folder / "gnau.db", loop, at)
    try:
        kinds = run_to_end(one.bot, one.play(fault, at))
        assert loop.complaints == []
        return kinds, one.instants
    finally:
        shutil.rmtree(folder)


@pytest.mark.parametrize("fault", sample(Fault, 2))
@pytest.mark.parametrize("game", sample(GAMES))
def test_a_round_ends_the_same_with_a_fault_at_any_instant(game: GameName, fault: Fault) -> None:
    usual, instants = played(game)
    assert {"bet_placed", "side_bet_placed", "hands_dealt", "hand_revealed", "round_settled"} <= set(usual)
    last = STEPS if fault is Fault.GONE_AWAY else instants
    for at in range(1 + secrets.randbelow(EVERY), last + 1, EVERY):
        kinds, _ = played(game, fault, at)
        assert kinds == usual, f"{fault} at {at}"
