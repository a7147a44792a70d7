"""Busy evenings at the real croupier's tables, each in a process of its own that can be killed at any time.

Run as `python -m tests.ledger.kill_load DATABASE LOG`. Each line of its input, the number of a run, begins an
evening in a fork of this process: importing everything again would take longer than most of them last. It
says the fork's process id in a line, and when that has ended, in another, with which status.

Members bet, back others, withdraw, turn up their hands, open and close tables, as fast as they are answered.
What they were answered is in the log, an `Acknowledged` a line: whatever is there was done, and is on disk.
"""

import asyncio
import json
import os
import random
import sys
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Final

from bot.croupier import ChannelTakenError, Croupier, NoSuchTableError
from bot.games.gnau.rules import GnauRules
from bot.games.register import GAMES
from bot.ledger.changes import Change
from bot.ledger.ledger import Ledger, open_ledger
from bot.table.commands import (
    CloseTable,
    Command,
    Deal,
    PlaceBet,
    PlaceSideBet,
    RevealHand,
    TakeBank,
    WithdrawBet,
    WithdrawSideBet,
)
from bot.table.refusals import Refused
from bot.table.state import Member, Phase, TableState
from tests.houses import house_with

RULES: Final = GnauRules(opening_chips=100_000, last_call_seconds=1, betting_seconds=1)
HOUSE: Final = house_with(RULES)
VOLUNTEERED: Final = [name for name, game in GAMES.items() if not game.rolls_for_bank]
"""The games whose bank a member takes, as the first of each table here does."""
CHANNELS: Final = range(700, 706)
PLAYERS: Final = 3
ASKED_AGAIN: Final = 20
"""How many of the last acknowledged commands come in again after a start, as Discord repeats itself."""
THINKING_SECONDS: Final = 0.01
"""The longest pause between two requests of a member, in seconds."""
KEYS_A_RUN: Final = 1_000_000
"""Each run numbers its requests from its number times this on."""


@dataclass(frozen=True)
class Acknowledged:
    """An acknowledged command.

    Attributes:
        key: the command's.
        channel_id: where.
        table_id: at which table.
        first: the number of its first event there.
        last: that of its last.
        moves: how many transfers it made.
    """

    key: str
    channel_id: int
    table_id: int
    first: int
    last: int
    moves: int

    @property
    def server_id(self) -> int:
        return server_of(self.channel_id)


def server_of(channel_id: int) -> int:
    return channel_id % 2


def acknowledged_in(log: Path) -> list[Acknowledged]:
    """Everything in the log, in order; an incomplete last line was not acknowledged."""
    lines = log.read_text().splitlines(keepends=True) if log.exists() else []
    return [Acknowledged(*json.loads(line)) for line in lines if line.endswith("\n")]


class Evening:
    """Everybody at every table."""

    def __init__(self, ledger: Ledger, run: int, log: Path) -> None:
        self.croupier = Croupier(ledger, lambda _: HOUSE)
        self.random = random.Random()
        self.committed: dict[str, Change] = {}
        self._number = run * KEYS_A_RUN
        # If the parent process is killed too, nobody else ends this one.
        self._parent = os.getppid()
        self._before = acknowledged_in(log)[-ASKED_AGAIN:]
        self._log = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        commit = ledger.commit

        async def noting(change: Change) -> None:
            await commit(change)
            self.committed[change.key] = change

        ledger.commit = noting  # type: ignore[method-assign]  # who is told nothing of keys looks over a shoulder

    async def go(self) -> None:
        """Continues an earlier run, until it is killed."""
        await self.croupier.load()
        await self.croupier.go_on()
        for done in self._before:
            await self._ask_again(done)
        members = [self._play(channel, at) for channel in CHANNELS for at in range(PLAYERS + 2)]
        await asyncio.gather(*members)

    async def _play(self, channel_id: int, at: int) -> None:
        """A member's evening: the first of a table is its banker, the last looks on, and does so at each."""
        looks_on = at == PLAYERS + 1
        member = Member(99 if looks_on else channel_id * 10 + at, "somebody")
        while os.getppid() == self._parent:
            table = self.croupier.tables.in_channel(channel_id)
            if table is None and at == 0:
                await self._open(channel_id, member)
            elif table is not None and (wish := self._wish(table, member, at)):
                await self._ask(table, wish, member)
            await asyncio.sleep(self.random.random() * THINKING_SECONDS)

    async def _open(self, channel_id: int, member: Member) -> None:
        key = self._fresh()
        await self.croupier.open_table(
            server_of(channel_id), channel_id, member, key, VOLUNTEERED[channel_id % len(VOLUNTEERED)]
        )
        self._acknowledge(str(key), channel_id)

    async def _ask(self, table: TableState, command: Command, member: Member) -> None:
        key = str(self._fresh())
        times = 2 if self.random.random() < 0.1 else 1
        asked = [self.croupier.ask(table.table_id, command, member.member_id, key) for _ in range(times)]
        for answer in await asyncio.gather(*asked, return_exceptions=True):
            if isinstance(answer, NoSuchTableError):
                return
            if isinstance(answer, BaseException):
                raise answer
            if isinstance(answer, Refused):
                return
        self._acknowledge(key, table.channel_id)

    async def _ask_again(self, done: Acknowledged) -> None:
        """Repeats a key that was acknowledged before the kill: it must have no effect."""
        member = Member(99, "somebody")
        try:
            if done.first == 1:
                await self.croupier.open_table(
                    server_of(done.channel_id), done.channel_id, member, int(done.key)
                )
            else:
                wish = CloseTable(member.member_id, manages=True)
                await self.croupier.ask(done.table_id, wish, member.member_id, done.key)
        except (ChannelTakenError, NoSuchTableError):
            pass
        assert done.key not in self.committed, f"{done} happened twice"

    def _wish(self, table: TableState, member: Member, at: int) -> Command | None:
        who, pick = member.member_id, self.random.random()
        match table.phase:
            case Phase.OPEN:
                return TakeBank(member, 1, 50, HOUSE.rules(table.rules.game)) if at == 0 else None
            case Phase.DEALT:
                place = table.place_of(who)
                return RevealHand(who) if place and not place.revealed and table.pieces_of(who) else None
            case _ if at == 0:
                if len(table.bets) > 1 and pick < 0.15:
                    return Deal(who)
                return CloseTable(who, manages=False) if pick > 0.99 else None
            case _ if at <= PLAYERS:
                seat = table.seat_of(who)
                if seat is None or not seat.stake or pick < 0.1:
                    return PlaceBet(member, self.random.randint(1, 50))
                return WithdrawBet(who) if pick < 0.2 else None
            case _ if table.side_bets_of(who) and pick < 0.3:
                return WithdrawSideBet(who, table.side_bets_of(who)[0].backed)
            case _ if table.bets:
                backed = self.random.choice(table.bets).member.member_id
                return PlaceSideBet(member, backed, self.random.randint(1, 50))
        return None

    def _acknowledge(self, key: str, channel_id: int) -> None:
        change = self.committed.get(key)
        if change is None or change.table is None:
            return
        last = change.table.sequence
        first = last - len(change.events) + 1
        done = Acknowledged(key, channel_id, change.table.table_id, first, last, len(change.moves))
        os.write(self._log, f"{json.dumps(astuple(done))}\n".encode())

    def _fresh(self) -> int:
        self._number += 1
        return self._number


async def evening(database: Path, run: int, log: Path) -> None:
    async with open_ledger(f"sqlite:///{database}") as ledger:
        await Evening(ledger, run, log).go()


def main(database: Path, log: Path) -> None:
    for line in sys.stdin:
        process = os.fork()
        if process == 0:
            asyncio.run(evening(database, int(line), log))
            return
        tell(process)
        tell(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))


def tell(number: int) -> None:
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
