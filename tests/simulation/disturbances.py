"""Everything that goes wrong or changes while people play, one task for each."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from bot.croupier.house_changes import HouseChange, Verb
from bot.games.presets import PRESETS
from bot.table.state import EMPTY_TABLE_SECONDS
from tests.simulation.bot_process import HOUR, BotProcess
from tests.simulation.disk import Trouble
from tests.simulation.erasure_requests import ErasureRequests

KNOBS = (
    ("multiple_double_ox", ("1", "2", "4")),
    ("multiple_five_dukes", ("5", "20")),
    ("suited_bonus", ("off", "ox", "five")),
    ("ties", ("banker", "push")),
    ("bank_passes", ("stays", "every-round", "after-ox", "after-no-ox")),
    ("computer_players", ("0", "1", "3")),
    ("arrange", ("automatic", "assisted", "strict")),
    ("direction", ("clockwise", "counter-clockwise")),
    ("decks", ("1", "3")),
    ("seats", ("2", "5", "19")),
    ("lowest_stake", ("1", "4")),
    ("highest_stake", ("8", "30", "1000")),
    ("betting_seconds", ("5", "60", "300")),
    ("last_call_seconds", ("0", "5")),
    ("arranging_seconds", ("5", "30", "120")),
)


@dataclass(slots=True)
class Disturbances:
    """Makes trouble until it is cancelled.

    Attributes:
        bot: the bot.
        random: decides what happens, and when.
        pause: seconds from one trouble of each kind to the next, on average.
        confirmed: the acknowledged changes of house rules.
        erasures: asks for erasures.
        calm_since: the virtual time since which neither disk nor clock nor a stop caused a delay.
    """

    bot: BotProcess
    random: Random
    pause: float
    confirmed: list[int]
    erasures: ErasureRequests
    calm_since: float = 0.0

    def start(self) -> list[asyncio.Task[None]]:
        """Starts the tasks."""
        kinds = (
            self._kills,
            self._disk,
            self._clock,
            self._stops,
            self._departures,
            self._houses,
            self._reconnects,
            self._erasures,
        )
        return [asyncio.create_task(kind()) for kind in kinds]

    async def _wait(self, times: float = 1.0) -> None:
        await asyncio.sleep(self.random.expovariate(1 / (self.pause * times)))

    async def _kills(self) -> None:
        """Kills the bot at an operation of the disk or while it idles, or stops it cleanly."""
        while True:
            await self._wait()
            end = self.random.choice([self.bot.kill, self.bot.kill, self.bot.tear_down])
            match self.random.randrange(4):
                case 0:
                    self.bot.stop()
                case 1:
                    end()
                case _:
                    self._end_after(self.random.randrange(1, 200), end)

    def _end_after(self, instants: int, end: Callable[[], None]) -> None:
        """Ends the process after this number of instants of the disk."""
        left = instants

        def watch(_: str) -> None:
            nonlocal left
            left -= 1
            if left == 0:
                self.bot.disk.watch = None
                end()

        self.bot.disk.watch = watch

    async def _disk(self) -> None:
        """Makes the disk fail for a while, or lie about one commit."""
        disk, trace = self.bot.disk, self.bot.trace
        while True:
            await self._wait()
            if self.random.random() < 0.3:
                disk.forgets = True
                trace.note("disk forgets")
                continue
            disk.trouble = self.random.choice(list(Trouble))
            trace.note("disk", disk.trouble.name)
            await asyncio.sleep(self.random.choice([0.01, 1.0, 20.0, 300.0]))
            disk.trouble = None
            self.calm_since = max(self.calm_since, self.bot.loop.time())
            trace.note("disk well")

    async def _clock(self) -> None:
        """Changes the clock, by an hour or by a little."""
        while True:
            await self._wait(4)
            jump = self.random.choice([-HOUR, HOUR, -2.0, 2.0])
            self.bot.clock.set_by(jump)
            # A table that waits may wait once more as long as it does at most, which is not an error.
            self.calm_since = max(self.calm_since, self.bot.loop.time() + EMPTY_TABLE_SECONDS)
            self.bot.trace.note("clock", jump)

    async def _stops(self) -> None:
        """Stops the process for a while; it knows nothing of it when it goes on."""
        loop, bot = self.bot.loop, self.bot
        while True:
            await self._wait(2)
            process = bot.process
            bot.trace.note("process stopped", process)
            loop.halt(process)
            try:
                await asyncio.sleep(self.random.choice([0.5, 6.0, 60.0]))
            finally:
                loop.resume(process)
                self.calm_since = max(self.calm_since, loop.time())
                bot.trace.note("process goes on", process)

    async def _departures(self) -> None:
        """Removes channels, members and servers; the bot is not always notified."""
        discord, bot = self.bot.discord, self.bot
        while True:
            await self._wait()
            ui, told = bot.ui, self.random.random() < 0.8
            pick = self.random.random()
            if pick < 0.45:
                channel_id = self.random.choice(list(discord.channels))
                discord.add_channel(discord.channels[channel_id])
                discord.remove_channel(channel_id)
                bot.trace.note("channel gone", channel_id)
                if ui and told:
                    bot.loop.spawn(bot.process, ui.channel_gone(channel_id))
            elif pick < 0.95:
                server_id = self.random.choice(list(discord.members))
                gone = discord.members[server_id].pop(self.random.randrange(len(discord.members[server_id])))
                discord.add_member(server_id)
                bot.trace.note("member gone", gone)
                if ui and told:
                    key = f"gone:{discord.new_id()}"
                    leaving = ui.member_left((server_id, gone), key)
                    bot.loop.spawn(bot.process, leaving)
            else:
                server_id = self.random.choice(list(discord.members))
                channels = [one for one, of in discord.channels.items() if of == server_id]
                discord.add_server(len(channels), len(discord.members[server_id]))
                discord.remove_server(server_id)
                bot.trace.note("server gone", server_id)
                if ui and told:
                    bot.loop.spawn(bot.process, ui.server_gone(server_id))

    async def _houses(self) -> None:
        """Changes house rules."""
        discord, bot = self.bot.discord, self.bot
        while True:
            await self._wait()
            server_id = self.random.choice(list(discord.members))
            if bot.ui is not None:
                draft_id, user_id = discord.new_id(), self.random.choice(discord.members[server_id])
                change = self._change()
                bot.trace.note("house", server_id, change)
                member = server_id, user_id
                changing = bot.ui.change_house(draft_id, member, change, self.confirmed)
                bot.loop.spawn(bot.process, changing)

    def _change(self) -> HouseChange:
        pick = self.random.random()
        if pick < 0.1:
            return HouseChange(Verb.RESET)
        if pick < 0.3:
            return HouseChange(Verb.PRESET, text=self.random.choice(list(PRESETS)))
        knob, values = self.random.choice(KNOBS)
        return HouseChange(Verb.SET, knob, self.random.choice(values))

    async def _reconnects(self) -> None:
        """Reconnects to Discord, which notifies the bot again that it is ready."""
        while True:
            await self._wait()
            if self.bot.ui is not None:
                self.bot.trace.note("ready again")
                self.bot.loop.spawn(self.bot.process, self.bot.ui.ready())

    async def _erasures(self) -> None:
        """Lets members ask to be erased."""
        while True:
            await self._wait(0.5)
            self.erasures.one()
