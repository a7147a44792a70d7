"""Members who ask to be erased, some of them while presses and gifts are on the way."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from tests.simulation.bot_process import BotProcess
from tests.simulation.discord_model import Member
from tests.simulation.visits import Visits

AT_ONCE = 0.02
"""Seconds within which the requests of a crowd arrive."""


@dataclass(slots=True)
class ErasureRequests:
    """Asks for erasures.

    Attributes:
        bot: the bot.
        visits: makes presses.
        random: decides who asks, and when.
    """

    bot: BotProcess
    visits: Visits
    random: Random

    def one(self) -> None:
        """Somebody asks: alone, or in a crowd of other requests."""
        discord = self.visits.discord
        server_id = self.random.choice(list(discord.members))
        user_id = self.random.choice(discord.members[server_id])
        member = server_id, user_id
        requests: list[Callable[[], object]] = [lambda: self._erase(member)]
        if self.random.random() < 0.6:
            requests += self._crowd(member)
        for request in requests:
            self.visits.loop.call_later(self.random.uniform(0, AT_ONCE), request)

    def _erase(self, member: Member) -> None:
        asking = self.bot.erase(member)
        if asking is not None and self.random.random() < 0.05:
            self.visits.loop.call_later(self.random.uniform(0, AT_ONCE), asking.cancel)

    def _crowd(self, member: Member) -> list[Callable[[], object]]:
        """Requests of and about a member."""
        server_id, user_id = member
        discord, visits, bot = self.visits.discord, self.visits, self.bot
        channel_id = next(channel for channel, of in discord.channels.items() if of == server_id)
        other = self.random.choice(discord.members[server_id])
        kinds: list[Callable[[], object]] = [
            lambda: self._erase(member),
            lambda: bot.show_wallet(member),
            lambda: bot.deliver(visits.press(channel_id, user_id)),
            lambda: bot.deliver(visits.gift(channel_id, other, user_id)),
            lambda: bot.deliver(visits.gift(channel_id, user_id, other)),
            lambda: discord.rename(member),
        ]
        return self.random.choices(kinds, k=self.random.randint(1, 6))
