"""Busy evenings at the real croupier's tables, each in a process of its own that can be killed at any time.

Run as `python -m tests.ledger.kill_load DATABASE LOG`. Each line of its input, the number of a run, begins an
evening in a fork of this process: importing everything again would take longer than most of them last. It
says the fork's process id in a line, and when that has ended, in another, with which status.

Members bet, back others, withdraw, reveal their hands, open and close tables, as fast as they are answered.
Some leave and are erased. Guests come who play little, and are erased too. What commands were answered is in
the log, an `Acknowledged` a line: whatever is there was done, and is on disk. What members heard is in a log
of its own, see `kill_members`.
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
    Leave,
    PlaceBet,
    PlaceSideBet,
    RevealHand,
    SetClientSeed,
    TakeBank,
    WithdrawBet,
    WithdrawSideBet,
)
from bot.table.refusals import Refused
from bot.table.state import Phase, TableState
from tests.houses import house_with
from tests.ledger.kill_members import Members
from tests.simulation.discord_model import Member
from tests.simulation.marks import USERS, new_words

RULES: Final = GnauRules(opening_chips=100_000, last_call_seconds=1, betting_seconds=1)
HOUSE: Final = house_with(RULES)
VOLUNTEERED: Final = [name for name, game in GAMES.items() if not game.rolls_for_bank]
"""The games whose bank a member takes, as the first of each table here does."""
CHANNELS: Final = range(700, 706)
PLAYERS: Final = 3
GUESTS: Final = 3
"""How many guests there are at once, beside those at tables."""
LEAVING: Final = 0.01
"""The share of requests at which a player leaves, to be erased."""
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
        self.members = Members(self.croupier, log)
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
        await self.members.start()
        await self.croupier.go_on()
        for done in self._before:
            await self._ask_again(done)
        members = [self._play(channel, at) for channel in CHANNELS for at in range(PLAYERS + 2)]
        guests = [self._receive_guests() for _ in range(GUESTS)]
        await asyncio.gather(*members, *guests)

    async def _play(self, channel_id: int, at: int) -> None:
        """A member's evening: the first of a table is its banker, the last looks on, and does so at each.

        A player who is erased is followed by another.
        """
        user_ids = [
            USERS + at if at > PLAYERS else USERS + n * 10_000 + channel_id * 10 + at for n in range(1000)
        ]
        while os.getppid() == self._parent:
            member = self.members.first_of(server_of(channel_id), user_ids)
            party = await self.members.party_of(member)
            table = self.croupier.tables.in_channel(channel_id)
            if table is None and at == 0:
                await self._open(channel_id, party)
            elif table is not None and 0 < at <= PLAYERS and self.random.random() < LEAVING:
                await self._ask(table, Leave(party), party)
                await self._try_to_erase(member, 1)
            elif table is not None and (wish := self._wish(table, party, at)):
                await self._ask(table, wish, party)
            await self._think()

    async def _receive_guests(self) -> None:
        """Members come one after the other: some have chips, some back a player, most are erased."""
        while os.getppid() == self._parent:
            channel_id = self.random.choice(CHANNELS)
            member = self.members.stranger(server_of(channel_id))
            party = await self.members.party_of(member)
            if self.random.random() < 0.3:
                await self.members.write_to(member)
            if self.random.random() < 0.5:
                await self.croupier.purse(member[0], party)
            for _ in range(self.random.choice([0, 0, 1, 2, 5])):
                table = self.croupier.tables.in_channel(channel_id)
                if table is not None and (wish := self._wish(table, party, PLAYERS + 1)):
                    await self._ask(table, wish, party)
                await self._think()
            if self.random.random() < 0.8:
                await self._try_to_erase(member, 30)

    async def _try_to_erase(self, member: Member, times: int) -> None:
        """Erases a member as soon as that is not refused, if it is before they give up."""
        for _ in range(times):
            if await self.members.erase(member):
                return
            await self._think()

    async def _think(self) -> None:
        await asyncio.sleep(self.random.random() * THINKING_SECONDS)

    async def _open(self, channel_id: int, member: int) -> None:
        key = self._fresh()
        await self.croupier.open_table(
            server_of(channel_id), channel_id, member, key, VOLUNTEERED[channel_id % len(VOLUNTEERED)]
        )
        self._acknowledge(str(key), channel_id)

    async def _ask(self, table: TableState, command: Command, member: int) -> None:
        key = str(self._fresh())
        times = 2 if self.random.random() < 0.1 else 1
        asked = [self.croupier.ask(table.table_id, command, member, key) for _ in range(times)]
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
        member = await self.members.party_of((done.server_id, USERS + PLAYERS + 1))
        try:
            if done.first == 1:
                await self.croupier.open_table(
                    server_of(done.channel_id), done.channel_id, member, int(done.key)
                )
            else:
                wish = CloseTable(member, manages=True)
                await self.croupier.ask(done.table_id, wish, member, done.key)
        except (ChannelTakenError, NoSuchTableError):
            pass
        assert done.key not in self.committed, f"{done} happened twice"

    def _wish(self, table: TableState, member: int, at: int) -> Command | None:
        pick = self.random.random()
        match table.phase:
            case Phase.OPEN:
                return TakeBank(member, 1, 50, HOUSE.rules(table.rules.game)) if at == 0 else None
            case Phase.DEALT:
                place = table.place_of(member)
                return (
                    RevealHand(member) if place and not place.revealed and table.pieces_of(member) else None
                )
            case _ if at == 0:
                if len(table.bets) > 1 and pick < 0.15:
                    return Deal(member)
                return CloseTable(member, manages=False) if pick > 0.99 else None
            case _ if at <= PLAYERS:
                seat = table.seat_of(member)
                if pick < 0.02:
                    return SetClientSeed(member, new_words(self.random))
                if seat is None or not seat.stake or pick < 0.1:
                    return PlaceBet(member, self.random.randint(1, 50))
                return WithdrawBet(member) if pick < 0.2 else None
            case _ if table.side_bets_of(member) and pick < 0.3:
                return WithdrawSideBet(member, table.side_bets_of(member)[0].backed)
            case _ if table.bets:
                backed = self.random.choice(table.bets).party
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
