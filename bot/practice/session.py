"""A practice session: a server of its own, people to be, computer players and the bot, on this machine."""

import asyncio
import contextlib
import logging
import webbrowser
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

from bot.practice.places import Channel
from bot.practice.players import AT_ONCE, ComputerPlayer, Narrator, Pace
from bot.practice.players.boards import boards_seen_by
from bot.practice.stand_in import StandIn

log = logging.getLogger(__name__)

FOUNDED: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""When the server of practice is said to have been made: its ids, by which chips are kept, come of it."""

SERVER: Final = "Practice"
CHANNELS: Final = ("gnau-table", "second-table")
PEOPLE: Final = ("You", "Alice", "Bob", "Mei Ling")
COMPUTERS: Final = ("Ah Beng", "Siti", "Kumar")

StartBot = Callable[[str, str, str], AbstractAsyncContextManager[Any]]
"""Starts the bot, given its token, the address of the API and that of the gateway; it is ready inside."""


class NoProgressError(Exception):
    """The computer players did not get on with their round in time."""


class PracticeSession:
    """One session.

    Who and what there is has the same ids in each session, so that the bot's ledger knows it again.

    Args:
        start_bot: starts the bot.
        people: the names one can be on the page; the first is who opens it, and owns the server.
        computers: the names of the computer players.
        pace: how fast these are where a human plays along.

    Attributes:
        discord: the stand-in.
        people: who one can be.
        table: the channel that is open first.
    """

    def __init__(
        self,
        start_bot: StartBot,
        *,
        people: tuple[str, ...] = PEOPLE,
        computers: tuple[str, ...] = COMPUTERS,
        pace: Pace | None = None,
    ) -> None:
        self._start_bot = start_bot
        self._pace = pace or Pace()
        self.discord = StandIn(founded=FOUNDED)
        server = self.discord.add_server(SERVER)
        channels: list[Channel] = [self.discord.add_channel(server, name) for name in CHANNELS]
        self.table = channels[0]
        self.people = [self.discord.add_person(name, [server]) for name in people]
        self._computers = [self.discord.add_person(name, [server]) for name in computers]
        # The server belongs to whoever opens the page, and to no account that nobody can be.
        founder, server.owner = server.owner, self.people[0].user
        self.discord.world.leave(server, founder)
        for person in (*self.people, *self._computers):
            person.dm()

    async def run_page(self, *, open_browser: bool) -> None:
        """Serves the page until it is cancelled, and prints where it is.

        Args:
            open_browser: whether to open it in the browser.
        """
        # Only here: NiceGUI takes its second to import, and rounds without a page need none of it.
        from bot.practice.page.mount import mount_page

        mount_page(self.discord, self.people, self.table)
        async with self._running():
            players = [
                ComputerPlayer(person, self._pace, may_bank=at == 0)
                for at, person in enumerate(self._computers)
            ]
            async with _playing(players):
                url = self.discord.url
                print(f"Practice is open at {url} (Ctrl+C ends it).", flush=True)  # noqa: T201 - told in the terminal
                if open_browser:
                    await asyncio.to_thread(webbrowser.open, url)
                await asyncio.Event().wait()

    async def run_rounds(self, rounds: int, tell: Callable[[str], None], *, patience: float = 60.0) -> None:
        """Lets the computer players play alone at a table that they open, and close when they have done.

        Args:
            rounds: how many rounds.
            tell: takes each line of what happens.
            patience: how many seconds a round may take.

        Raises:
            NoProgressError: where a round takes longer.
        """
        settled: asyncio.Queue[int] = asyncio.Queue()
        world = self.discord.world
        # Each waits a little longer for a bank than the one before, so that they don't all take it at once.
        players = [
            ComputerPlayer(person, replace(AT_ONCE, bank=0.5 * at), may_bank=True)
            for at, person in enumerate(self._computers)
        ]
        narrator = Narrator(self.people[0], tell, lambda table, number: settled.put_nowait(number))
        async with self._running():
            stop_telling = world.on_change(narrator.hear)
            await self._computers[0].slash(self.table, "table open")
            async with _playing(players):
                try:
                    for _ in range(rounds):
                        await asyncio.wait_for(settled.get(), patience)
                    stop_telling()
                    await asyncio.wait_for(self._close_tables(), patience)
                except TimeoutError as late:
                    raise NoProgressError(f"nothing came of a round in {patience:g} seconds") from late

    async def _close_tables(self) -> None:
        """Closes the table as soon as no cards are out, so that nothing is held for it when all have gone."""
        world, owner = self.discord.world, self.people[0]
        with world.watch() as changes:
            changed = aiter(changes)
            while boards_seen_by(owner):
                reply = await owner.slash(self.table, "table close")
                if reply.message is not None:
                    await owner.dismiss(reply.message)
                if boards_seen_by(owner):
                    await anext(changed)

    @contextlib.asynccontextmanager
    async def _running(self) -> AsyncIterator[None]:
        """The stand-in and the bot, connected."""
        discord = self.discord
        async with discord, self._start_bot(discord.token, discord.api_url, discord.gateway_url):
            yield


@contextlib.asynccontextmanager
async def _playing(players: list[ComputerPlayer]) -> AsyncIterator[None]:
    """Has these players play meanwhile; one that fails is told of, and the others play on."""
    tasks = [asyncio.create_task(player.play(), name=player.person.name) for player in players]
    for task in tasks:
        task.add_done_callback(_tell_failure)
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _tell_failure(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (failed := task.exception()):
        log.error("the computer player %s stopped", task.get_name(), exc_info=failed)
