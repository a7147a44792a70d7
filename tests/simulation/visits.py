"""Members who come to a channel, and press what they see there: mostly sensibly, sometimes late or twice."""

import asyncio
from dataclasses import dataclass, field, replace
from random import Random

from bot.games.register import GAMES
from bot.rules.knobs import Play
from bot.table.seats import NOBODY
from bot.table.state import Phase
from tests.simulation.bot_process import BotProcess
from tests.simulation.discord_model import DiscordModel, Member, Press
from tests.simulation.loop import VirtualLoop
from tests.simulation.member_strategy import MemberStrategy


@dataclass(slots=True)
class Visits:
    """Makes presses.

    Attributes:
        bot: the bot.
        discord: where members are.
        loop: where it runs.
        random: decides who comes and when.
        strategy: decides what they do.
        pause: seconds between the groups in a channel, on average.
    """

    bot: BotProcess
    discord: DiscordModel
    loop: VirtualLoop
    random: Random
    strategy: MemberStrategy
    pause: float
    _visits: dict[asyncio.Task[None], None] = field(default_factory=dict)

    async def in_channel(self, slot: int) -> None:
        """Lets groups of members play in one of the channels, again and again."""
        while True:
            await asyncio.sleep(self.random.expovariate(1 / self.pause))
            channels = list(self.discord.channels)
            channel_id = channels[slot % len(channels)]
            company = self.discord.company(channel_id, self.random.randint(2, 6))
            visits = [asyncio.create_task(self._visit(channel_id, user_id)) for user_id in company]
            for visit in visits:
                self._visits[visit] = None
            done, _ = await asyncio.wait(visits)
            for visit in done:
                self._visits.pop(visit)
                visit.result()

    def end(self) -> None:
        """Ends all visits."""
        for visit in self._visits:
            visit.cancel()

    def press(self, channel_id: int, user_id: int) -> Press:
        """What a member does in a channel, by what the board shows."""
        key = self.discord.new_id()
        server_id = self.discord.channels.get(channel_id)
        if self.random.random() < 0.03 and server_id is not None:
            return self.gift(channel_id, user_id, self.random.choice(self.discord.members[server_id]))
        seen = self.discord.boards.get(channel_id)
        if seen is None or seen.phase is Phase.CLOSED:
            game = self.random.choice(list(GAMES))
            play = Play.POINTS if self.random.random() < 0.25 else Play.CHIPS
            return Press(key, user_id, channel_id, game=game, play=play)
        party = self.discord.parties.get((seen.server_id, user_id), NOBODY)
        command = self.strategy.of(party, seen)
        self.bot.trace.note("press", key, user_id, command)
        return Press(key, user_id, channel_id, seen.table_id, command)

    def gift(self, channel_id: int, giver: int, receiver: int) -> Press:
        """A gift of one user to another."""
        press = Press(
            self.discord.new_id(),
            giver,
            channel_id,
            receiver=receiver,
            chips=self.random.choice([1, 50, 2000]),
        )
        self.bot.trace.note("gift", press)
        return press

    async def _visit(self, channel_id: int, user_id: int) -> None:
        """A member plays for a while."""
        thinks = self.random.choice([2.0, 8.0, 25.0])
        for _ in range(self.random.randint(3, 20)):
            await asyncio.sleep(self.random.expovariate(1 / thinks))
            server_id = self.discord.channels.get(channel_id)
            if server_id is not None:
                self._by_the_way((server_id, user_id))
            self._deliver(self.press(channel_id, user_id))

    def _by_the_way(self, member: Member) -> None:
        """What members do now and then while they play."""
        pick = self.random.random()
        if pick < 0.02:
            self.discord.rename(member)
        elif pick < 0.03:
            self.bot.erase(member)

    def _deliver(self, press: Press) -> None:
        """Sends a press, which may arrive late, twice, never, or after others."""
        press = replace(press, made=self.loop.time())
        pick = self.random.random()
        self._later(self.random.uniform(0.03, 0.4), press)
        if pick < 0.04:
            self._later(self.random.uniform(0.03, 2), press)
        elif pick < 0.06:
            self._later(self.random.expovariate(1 / 600), press)
        elif pick < 0.07:
            self._later(self.random.expovariate(1 / 60), replace(press, key=self.discord.new_id()))

    def _later(self, seconds: float, press: Press) -> None:
        self.loop.call_later(seconds, self.bot.deliver, press)
