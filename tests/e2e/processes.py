"""An evening hosted by several processes of the bot, which share a PostgreSQL database and nothing else."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, closing
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import psycopg
import pytest

from bot.practice.limits import Limits
from bot.practice.person import Person
from bot.practice.servers import Channel, Server
from bot.run.serving import running
from bot.ui.bot import GnauBot
from tests.databases import new_postgres_database
from tests.e2e.conftest import PATIENCE
from tests.e2e.evening import Evening
from tests.houses import house_with
from tests.soak.processes import Hands
from tests.stand_in import StandIn
from tests.tcp_proxy import Proxy

SHARDS: Final = 4


def greet(database: str, server_id: int) -> None:
    """Notes in a database that the bot has greeted a server, so that no welcome comes between."""
    with closing(psycopg.connect(database)) as connection, connection:
        connection.execute("INSERT INTO servers (server_id) VALUES (%s)", (server_id,))


def shard_of(server: Server) -> int:
    """The shard of a server."""
    return (server.id >> 22) % SHARDS


class SharedEvening(Evening):
    """An evening whose bot is several processes. `bot` is the one that the test looks at.

    Attributes:
        servers: a server of each shard, by its number; `server` is that of the last.
        hands: the hands that were sent.
        ways: the ways to the database that can be cut, which stay until the end.
    """

    def __init__(self, discord: StandIn, database: Path) -> None:
        self.servers: dict[int, Server] = {}
        made: list[Server] = []
        while len(self.servers) < SHARDS:
            made.append(discord.add_server(f"Server {len(self.servers)}"))
            self.servers.setdefault(shard_of(made[-1]), made[-1])
        super().__init__(discord, database)
        made.append(self.server)
        self.server = self.servers[SHARDS - 1]
        self.channels = {shard: discord.add_channel(one, "table") for shard, one in self.servers.items()}
        self.channel: Channel = self.channels[SHARDS - 1]
        of_all = {"database_url": new_postgres_database(), "shard_count": SHARDS, "shard_ids": None}
        self.settings = self.settings.model_copy(update=of_all)
        for one in made:
            greet(self.settings.database_url, one.id)
        self._processes: dict[GnauBot, AsyncExitStack] = {}
        self.ways = AsyncExitStack()
        self.hands = Hands(discord)

    async def way(self) -> Proxy:
        """A new way to the database, which can be cut."""
        port = urlsplit(self.settings.database_url).port
        assert port is not None
        return await self.ways.enter_async_context(Proxy(port).running())

    def go_to(self, shard: int) -> None:
        """Has everything that follows be about the server of a shard, and the process that hosts it."""
        self.server, self.channel = self.servers[shard], self.channels[shard]
        self.bot = next(one for one in self._processes if one.settings.hosts(self.server.id))

    def everywhere(self, name: str, *, manage_server: bool = False) -> Person:
        """Somebody who is a member of every server."""
        return self.discord.add_person(name, self.servers.values(), manage_server=manage_server)

    async def start(self, *shards: int, way: Proxy | None = None) -> GnauBot:
        """Starts a process with these shards, which reaches the database by this way."""
        self.expect_haste()
        stack = AsyncExitStack()
        settings = self.settings.model_copy(update={"shard_ids": frozenset(shards)})
        if way is not None:
            server, _, rest = settings.database_url.rpartition(":")
            name = rest.partition("/")[2]
            settings = settings.model_copy(update={"database_url": f"{server}:{way.port}/{name}"})
        self.bot, _ = await stack.enter_async_context(
            running(settings, lambda _: house_with(self.rules, **self.chip_settings))
        )
        self._processes[self.bot] = stack
        return self.bot

    async def stop(self, process: GnauBot) -> None:
        """Stops a process as a deploy does."""
        await self._processes.pop(process).aclose()

    async def stop_bot(self) -> None:
        for process in list(self._processes):
            await self.stop(process)


@pytest.fixture
async def evening(
    tmp_path: Path, paced_bot: None, caplog: pytest.LogCaptureFixture
) -> AsyncIterator[SharedEvening]:
    """An evening of several processes, in place of that of one."""
    async with StandIn(limits=Limits(reply_seconds=PATIENCE)) as discord:
        shared = SharedEvening(discord, tmp_path / "unused.db")
        try:
            yield shared
            await shared.end(caplog.get_records("call"))
        finally:
            await shared.stop_bot()
            await shared.ways.aclose()
