"""A practice session: a server of its own, people to be, computer players and the bot, on this machine."""

import asyncio
import contextlib
import logging
import webbrowser
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

from bot.practice.person import Person
from bot.practice.places import Channel
from bot.practice.players import AT_ONCE, ComputerPlayer, Habit, Narrator, Pace
from bot.practice.players.boards import boards_seen_by
from bot.practice.stand_in import StandIn

log = logging.getLogger(__name__)

FOUNDED: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""When the server of practice is said to have been made: its ids, by which chips are kept, come of it."""

SERVER: Final = "Practice"
PEOPLE: Final = ("You", "Alice", "Bob", "Mei Ling")
ONLOOKER: Final = "Auntie Rosnah"
"""A computer player who watches every table, and backs others' hands."""


@dataclass(frozen=True, slots=True)
class Corner:
    """A channel where a game is played.

    Attributes:
        game: the game, as `/table open` names it.
        channel: the channel's name.
        computers: who plays there; the first knows how to bank, where banks are taken.
        opening: the command that opens a table there, as one types it.
        options: the options of that command.
        welcome: what the first says to whoever comes.
    """

    game: str
    channel: str
    computers: tuple[str, ...]
    opening: str
    options: tuple[tuple[str, str], ...]
    welcome: str


GNAU: Final = Corner(
    "gnau",
    "gnau",
    ("Ah Beng", "Siti", "Kumar"),
    "/table open",
    (),
    "Here we play **Gnau**. Type `{opening}`, and we sit down with you: bet, or take the bank before I do.",
)
TAU_NGAU: Final = Corner(
    "tau-ngau",
    "tau-ngau",
    ("Uncle Lim", "Devi", "Farid"),
    "/table open game:Tau Ngau",
    (("game", "tau-ngau"),),
    "Here we play **Tau Ngau** with dominoes. Type `{opening}` and press **Join**: dice say who is banker. "
    "Or only watch, and back one of us with a **Side bet…**",
)
CORNERS: Final = (GNAU, TAU_NGAU)

StartBot = Callable[[str, str, str], AbstractAsyncContextManager[Any]]
"""Starts the bot, given its token, the address of the API and that of the gateway; it is ready inside."""


class NoProgressError(Exception):
    """The computer players did not get on with their round in time."""


class PracticeSession:
    """One session.

    Who and what there is has the same ids in each session, so that the bot's ledger knows it again.

    Args:
        start_bot: starts the bot.
        pace: how fast the computer players are where a human plays along.

    Attributes:
        discord: the stand-in.
        people: who one can be.
    """

    def __init__(self, start_bot: StartBot, *, pace: Pace | None = None) -> None:
        self._start_bot = start_bot
        self._pace = pace or Pace()
        self.discord = StandIn(founded=FOUNDED)
        server = self.discord.add_server(SERVER)
        self._channels = {corner: self.discord.add_channel(server, corner.channel) for corner in CORNERS}
        self.people = [self.discord.add_person(name, [server]) for name in PEOPLE]
        self._computers = {
            corner: [self.discord.add_person(name, [server]) for name in corner.computers]
            for corner in CORNERS
        }
        self._onlooker = self.discord.add_person(ONLOOKER, [server])
        # The server belongs to whoever opens the page, and to no account that nobody can be.
        founder, server.owner = server.owner, self.people[0].user
        self.discord.world.leave(server, founder)
        for person in (*self.people, *self._everybody_else()):
            person.dm()

    async def run_page(self, *, open_browser: bool) -> None:
        """Serves the page until it is cancelled, and prints where it is.

        Args:
            open_browser: whether to open it in the browser.
        """
        # Only here: NiceGUI takes its second to import, and rounds without a page need none of it.
        from bot.practice.page.mount import mount_page

        mount_page(self.discord, self.people, self._channels[GNAU])
        async with self._running():
            for corner, channel in self._channels.items():
                await self._computers[corner][0].say(channel, corner.welcome.format(opening=corner.opening))
            players = [player for corner in CORNERS for player in self._players_at(corner)]
            async with _playing([*players, self._watcher(CORNERS, self._pace)]):
                url = self.discord.url
                print(f"Practice is open at {url} (Ctrl+C ends it).", flush=True)  # noqa: T201 - told in the terminal
                if open_browser:
                    await asyncio.to_thread(webbrowser.open, url)
                await asyncio.Event().wait()

    async def run_rounds(
        self, rounds: int, tell: Callable[[str], None], *, game: str = GNAU.game, patience: float = 60.0
    ) -> None:
        """Lets the computer players play alone at a table that they open, and close when they have done.

        Args:
            rounds: how many rounds.
            tell: takes each line of what happens.
            game: which game, as `/table open` names it.
            patience: how many seconds a round may take.

        Raises:
            NoProgressError: where a round takes longer.
            ValueError: where there is no such game.
        """
        corner = next((it for it in CORNERS if it.game == game), None)
        if corner is None:
            raise ValueError(f"there is no game {game!r} to practise")
        settled: asyncio.Queue[int] = asyncio.Queue()
        world, opener = self.discord.world, self._computers[corner][0]
        narrator = Narrator(self.people[0], tell, lambda table, number: settled.put_nowait(number))
        async with self._running():
            stop_telling = world.on_change(narrator.hear)
            await opener.slash(self._channels[corner], "table open", **dict(corner.options))
            async with _playing([*self._players_alone(corner), self._watcher((corner,), AT_ONCE)]):
                try:
                    for _ in range(rounds):
                        await asyncio.wait_for(settled.get(), patience)
                    stop_telling()
                    await asyncio.wait_for(self._close_tables(self._channels[corner]), patience)
                except TimeoutError as late:
                    raise NoProgressError(f"nothing came of a round in {patience:g} seconds") from late

    def _everybody_else(self) -> list[Person]:
        return [*(one for corner in CORNERS for one in self._computers[corner]), self._onlooker]

    def _players_at(self, corner: Corner) -> list[ComputerPlayer]:
        """Who plays there with whoever comes."""
        computers = {one.id for one in self._everybody_else()}
        return [
            ComputerPlayer(
                person,
                self._pace,
                habit=Habit.PLAYS if at else Habit.BANKS,
                channels=[self._channels[corner]],
                computers=computers,
            )
            for at, person in enumerate(self._computers[corner])
        ]

    def _players_alone(self, corner: Corner) -> list[ComputerPlayer]:
        """Who plays there where no human does."""
        # Each waits a little longer than the one before: they don't all take a bank at once, and who watches
        # can back the first before the last has bet.
        return [
            ComputerPlayer(
                person,
                replace(AT_ONCE, bank=0.5 * at, roll=0.5 * at, bet=0.15 * at),
                habit=Habit.BANKS,
                channels=[self._channels[corner]],
            )
            for at, person in enumerate(self._computers[corner])
        ]

    def _watcher(self, corners: Iterable[Corner], pace: Pace) -> ComputerPlayer:
        channels = [self._channels[corner] for corner in corners]
        return ComputerPlayer(self._onlooker, pace, habit=Habit.WATCHES, channels=channels)

    async def _close_tables(self, channel: Channel) -> None:
        """Closes the table as soon as no hands are out, so that nothing is held for it when all have gone."""
        world, owner = self.discord.world, self.people[0]
        with world.watch() as changes:
            changed = aiter(changes)
            while boards_seen_by(owner):
                reply = await owner.slash(channel, "table close")
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
