"""Busy evenings: several members at several tables at once, with restarts; the audit finds nothing."""

import asyncio
import random
from collections import Counter
from pathlib import Path

import pytest

from bot.croupier.open_tables import ChannelTakenError, NoSuchTableError
from bot.games.gnau.rules import GnauRules
from bot.table.commands import (
    CloseTable,
    Command,
    Deal,
    GiveUpBank,
    Join,
    Leave,
    MemberLeft,
    PlaceBet,
    PlaceSideBet,
    RevealHand,
    SitOut,
    TakeBank,
    WindUp,
    WithdrawBet,
    WithdrawSideBet,
)
from bot.table.refusals import Refused
from bot.table.seats import LeaveReason
from bot.table.state import Phase, TableState
from tests.croupier.croupier_house import OTHER_SERVER, SERVER, House, fresh
from tests.sizes import sample

MEMBERS = tuple(range(101, 107))
CHANNELS = {700: SERVER, 701: SERVER, 702: SERVER, 800: OTHER_SERVER}
CHIPS = 400
ROUNDS_OF_REQUESTS = 60


class Evening:
    """Members who make random requests at the same time."""

    def __init__(self, house: House, seed: int) -> None:
        self.house = house
        self.random = random.Random(seed)
        self.seen: Counter[str] = Counter()
        house.rules = GnauRules(seats=3, opening_chips=CHIPS, betting_seconds=20, arranging_seconds=10)

    async def go(self) -> None:
        for _ in range(ROUNDS_OF_REQUESTS):
            requests = [self.somebody_asks() for _ in range(self.random.randint(1, 6))]
            for answer in await asyncio.gather(*requests):
                self.seen[answer] += 1
            self.house.now += self.random.choice([0, 0, 1, 5, 30])
            if self.random.random() < 0.15:
                await self.house.croupier.go_on()
            if self.random.random() < 0.05:
                await self.house.check()
                await self.house.restart()

    async def somebody_asks(self) -> str:
        """Makes one request, perhaps twice, perhaps cancelled; returns the result."""
        member, channel_id, key = self.random.choice(MEMBERS), self.random.choice(list(CHANNELS)), fresh()
        table = self.house.croupier.tables.in_channel(channel_id)
        if table is None:
            return await self.open(member, channel_id, key)
        command = self.something(table, member)
        asking = asyncio.create_task(self.house.ask(table.table_id, command, member, str(key)))
        if self.random.random() < 0.2:
            await asyncio.gather(
                self.house.ask(table.table_id, command, member, str(key)), return_exceptions=True
            )
        if self.random.random() < 0.1:
            asking.cancel()
        try:
            answer = await asking
        except NoSuchTableError:
            return "closed"
        except asyncio.CancelledError:
            return "gone away"
        return answer.code if isinstance(answer, Refused) else type(command).__name__

    async def open(self, member: int, channel_id: int, key: int) -> str:
        try:
            table = await self.house.croupier.open_table(CHANNELS[channel_id], channel_id, member, key)
        except ChannelTakenError:
            return "taken"
        self.house.opened.add(table.table_id)
        return "opened"

    def something(self, table: TableState, member: int) -> Command:
        """A request of this member: usually one that makes sense, sometimes any."""
        pick = self.random.random()
        if pick < 0.02:
            endings: list[Command] = [
                CloseTable(member, manages=True),
                WindUp(LeaveReason.GONE),
                MemberLeft(member),
            ]
            return self.random.choice(endings)
        if pick < 0.15:
            anything: list[Command] = [Join(member), Leave(member), GiveUpBank(member), Deal(member)]
            anything += [WithdrawBet(member), SitOut(member)]
            anything += [WithdrawSideBet(member, side.backed) for side in table.side_bets_of(member)]
            return self.random.choice(anything)
        match table.phase:
            case Phase.OPEN:
                return TakeBank(member, 1, self.random.randint(5, 50), self.house.rules)
            case Phase.DEALT:
                return RevealHand(member, table.round_number)
            case _ if table.bets and not table.has(member) and pick < 0.6:
                backed = self.random.choice(table.bets).party
                return PlaceSideBet(member, backed, self.random.randint(1, 40), table.round_number)
            case _:
                return PlaceBet(member, self.random.randint(1, 40), table.round_number)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", sample(range(3)))
async def test_after_a_busy_evening_memory_disk_events_and_ledger_agree(tmp_path: Path, seed: int) -> None:
    async with House(tmp_path / "gnau.db") as house:
        evening = Evening(house, seed)
        await evening.go()
        await house.check()
        for server_id in (SERVER, OTHER_SERVER):
            chips = [(await house.croupier.purse(server_id, member)).total for member in MEMBERS]
            assert sum(chips) == len(MEMBERS) * CHIPS
            assert min(chips) >= 0
        await house.restart()
        await house.check()
        await house.croupier.wind_up(house.croupier.tables.all())
        await house.check()
    rounds = sum(change.after.last is not (change.before and change.before.last) for change in house.changes)
    told = {change.after.table_id: 0 for change in house.changes}
    for change in house.changes:
        assert (change.before.sequence if change.before else 0) == told[change.after.table_id]
        told[change.after.table_id] = change.after.sequence
    assert rounds > 5, evening.seen
    for what in ("PlaceBet", "PlaceSideBet", "RevealHand", "opened", "gone away"):
        assert evening.seen[what], (what, evening.seen)
    assert evening.seen["player_cannot_cover"] + evening.seen["bank_cannot_cover"], evening.seen
