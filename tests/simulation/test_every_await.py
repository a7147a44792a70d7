"""One round with a fault at each instant: repeated requests happen once, and the round ends."""

import asyncio
import secrets
import shutil
import tempfile
from pathlib import Path
from random import Random

import pytest

from bot.games.house import House
from bot.games.register import GAMES
from bot.rules.knobs import GameName
from bot.table.commands import Join, MemberCommand, PlaceBet, PlaceSideBet, RevealHand, RollForBank, TakeBank
from bot.table.seats import NOBODY
from bot.table.state import Bank, Phase, Seat, TableState
from tests.simulation.bot_process import PAUSES, BotProcess, Clock
from tests.simulation.captured_logs import run_to_end
from tests.simulation.discord_model import DiscordModel, Press
from tests.simulation.disk import CALM_SECONDS, Disk
from tests.simulation.disk_audit import DiskAudit, disk_audit
from tests.simulation.erasure_check import ErasureCheck
from tests.simulation.fault_at import Fault, FaultAt
from tests.simulation.loop import VirtualLoop
from tests.simulation.memory_check import wrong_in_memory
from tests.simulation.press_replies import AllReplies, Reply
from tests.simulation.run import MEMORY
from tests.simulation.trace import Trace
from tests.sizes import sample, sized

HOUSE = House(hosting={"last_call_seconds": 0, "betting_seconds": 3600, "arranging_seconds": 3600})
"""Long times, so that a fault that costs time does not change the round."""
TRIES = 12
"""How often a member asks before giving up."""
EVERY = sized(97, 11)
"""The step between the instants that are tried, with a different start each time."""
PRESSES = 200
"""More presses and idle seconds than a round takes."""
STEPS = 200
"""Steps of the loop after which every command is done."""


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
        disk = Disk(Random(seed))
        self.bot = BotProcess(
            path,
            loop,
            disk,
            self._discord,
            Trace(loop.time),
            self._replies,
            ErasureCheck(path, disk, self._discord),
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
        self.bot.disk.watch = watch = FaultAt(self.bot, fault, at)
        async with disk_audit(self._path) as on_disk:
            for key in range(1, PRESSES):
                table = (await on_disk.open_tables()).get(1)
                if table is not None and table.last is not None:
                    break
                press = self._next(key, table)
                if press is None:
                    await asyncio.sleep(1)
                else:
                    await self._ask(on_disk, press, watch.patience)
            assert self.bot.broken == []
            assert await on_disk.wrong() == []
            # A fault at the very end is followed by a start, which may come late.
            await asyncio.sleep(max(PAUSES) + 2 * CALM_SECONDS)
            ui = self.bot.ui
            assert ui is not None
            assert self.bot.disk.settled
            assert wrong_in_memory(self._path, self.bot.disk, ui.croupier.ledger) == []
            self.bot.close()
            await running
            assert await on_disk.wrong_in_all_records() == []
            assert list(self._replies.broken(await on_disk.committed())) == []
            self.instants = watch.instants
            kinds = [kind for kind in await on_disk.kinds(1) if kind != "deadline_set"]
        return kinds[: kinds.index("round_settled") + 1]

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
        users = self._discord.members[server_id]
        if table is None:
            return Press(key, users[0], channel_id, game=self._game)
        parties = [self._discord.parties.get((server_id, user), NOBODY) for user in users]
        wish = _wish(table, parties)
        if wish is None:
            return None
        party, command = wish
        return Press(key, users[parties.index(party)], channel_id, table.table_id, command)


def _wish(table: TableState, parties: list[int]) -> tuple[int, MemberCommand] | None:
    """Who asks for what; of those who never asked for anything, the first."""
    *seated, spectator = parties
    first = seated[0]
    if table.bank is None and not table.game.rolls_for_bank:
        return first, TakeBank(first, 1, 50, table.rules)
    for party in seated:
        if not table.has(party):
            return party, Join(party)
    if table.bank is None:
        return first, RollForBank(first, (), table.rules)
    if table.phase is Phase.DEALT:
        places: list[Seat | Bank] = [*table.seats, table.bank]
        hidden = [place.party for place in places if place.pieces and not place.revealed]
        return (hidden[0], RevealHand(hidden[0])) if hidden else None
    if table.bets and not table.side_bets:
        return spectator, PlaceSideBet(spectator, table.bets[0].party, 3)
    undecided = table.undecided
    return (undecided[0].party, PlaceBet(undecided[0].party, 7)) if undecided else None


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
