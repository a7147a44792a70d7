"""A practice session on this machine: a server, people to play as, practice players, and the bot."""

import asyncio
import contextlib
import json
import logging
import webbrowser
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

from bot.practice.changes import Change
from bot.practice.command_input import available_commands
from bot.practice.person import Person
from bot.practice.players.board_reader import boards_seen_by
from bot.practice.players.entrants import Entrants
from bot.practice.players.narrator import Narrator
from bot.practice.players.player import PracticePlayer
from bot.practice.players.strategy import AT_ONCE, Habit, Pace, temperament_of
from bot.practice.players.talk import Lines, TableTalk, TalkMemory
from bot.practice.servers import Channel, ChannelKind
from bot.practice.stand_in import StandIn

log = logging.getLogger(__name__)

SETUP_TIME: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""The creation time in the ids of the practice server; the ledger knows accounts by these ids."""

SERVER: Final = "Practice"
PEOPLE: Final = ("You", "Alice", "Bob", "Mei Ling")
SPECTATOR: Final = "Auntie Rosnah"
"""A practice player who watches every table and backs players."""


@dataclass(frozen=True, slots=True)
class GameChannel:
    """A channel for one game.

    Attributes:
        game: the game, as `/table open` names it; also the channel's name.
        practice_players: who plays there; only the first takes a free bank.
        open_options: the options of the command that opens a table.
        welcome: the first player's message to visitors, with commands in backticks.
    """

    game: str
    practice_players: tuple[str, ...]
    open_options: tuple[tuple[str, str], ...]
    welcome: str


StartBot = Callable[[str, str, str], AbstractAsyncContextManager[Any]]
"""Starts the bot, given its token, the API URL and the gateway URL; it is ready inside the context."""


class NoProgressError(Exception):
    """A round of the practice players took too long."""


class PracticeSession:
    """One session. Users, servers and channels have the same ids in every session, so the ledger knows them.

    The page opens the first of the channels.

    Args:
        talk: what practice players say, by language; None if they are silent.
        threads: the file that keeps the threads until the next session; None if that has none of them.
    """

    def __init__(
        self,
        start_bot: StartBot,
        game_channels: Sequence[GameChannel],
        *,
        pace: Pace | None = None,
        talk: Mapping[str, Lines] | None = None,
        threads: Path | None = None,
    ) -> None:
        self._threads = threads
        self._start_bot = start_bot
        self._pace = pace or Pace()
        self._talk = talk
        self.discord = StandIn(setup_time=SETUP_TIME)
        server = self.discord.add_server(SERVER)
        self.people = [self.discord.add_person(name, [server]) for name in PEOPLE]
        self._spectator = self.discord.add_person(SPECTATOR, [server])
        # Channels come last: another game then changes no id that the ledger knows.
        self._channels: dict[GameChannel, Channel] = {}
        self._practice_players: dict[GameChannel, list[Person]] = {}
        for game_channel in game_channels:
            self._channels[game_channel] = self.discord.add_channel(server, game_channel.game)
            self._practice_players[game_channel] = [
                self.discord.add_person(name, [server]) for name in game_channel.practice_players
            ]
        # The first person owns the server; a separate owner account would be nobody's.
        founder, server.owner = server.owner, self.people[0].user
        self.discord.world.leave(server, founder)
        for person in (*self.people, *self._all_practice_players()):
            person.dm()
        if threads is not None:
            self._recall_threads(threads)
            self.discord.world.on_change(partial(self._keep_threads, threads))

    def _recall_threads(self, file: Path) -> None:
        """Adds the threads of the last session, which the bot knows; none if they cannot be read."""
        world = self.discord.world
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            for one in json.loads(file.read_text(encoding="utf-8")):
                parent = world.channels[one["parent"]]
                thread = Channel(one["id"], ChannelKind.PUBLIC_THREAD, one["name"], parent.server, parent)
                thread.creator = world.bot
                world.insert_channel(thread)

    def _keep_threads(self, file: Path, change: Change) -> None:
        if change.channel is None or not change.channel.is_thread or change.message is not None:
            return
        threads = [one for one in self.discord.world.channels.values() if one.is_thread and one.parent]
        kept = [{"id": one.id, "name": one.name, "parent": one.parent.id} for one in threads if one.parent]
        file.write_text(json.dumps(kept), encoding="utf-8")

    async def run_page(self, *, open_browser: bool) -> None:
        """Serves the page until it is cancelled, and prints its URL."""
        # Imported here: NiceGUI takes a second to import, and rounds without a page don't need it.
        from bot.practice.page.mount import mount_page

        mount_page(self.discord, self.people, next(iter(self._channels.values())))
        async with self._running():
            for game_channel, channel in self._channels.items():
                person = self._practice_players[game_channel][0]
                await person.write(channel, _with_links(game_channel.welcome, person, channel))
            players = [player for game_channel in self._channels for player in self._players(game_channel)]
            players.append(self._spectator_player(self._channels, self._pace))
            async with _playing(players), self._talking():
                url = self.discord.url
                print(f"Practice is open at {url} (Ctrl+C ends it).", flush=True)  # noqa: T201 - for the terminal
                if open_browser:
                    await asyncio.to_thread(webbrowser.open, url)
                await asyncio.Event().wait()

    async def run_rounds(
        self, rounds: int, report: Callable[[str], None], *, game: str, round_seconds: float = 60.0
    ) -> None:
        """Lets the practice players open a table, play rounds by themselves, and close it.

        Raises:
            NoProgressError: if a round takes longer than `round_seconds`.
            ValueError: if there is no such game.
        """
        game_channel = next((it for it in self._channels if it.game == game), None)
        if game_channel is None:
            raise ValueError(f"there is no game {game!r} to practise")
        settled: asyncio.Queue[int] = asyncio.Queue()
        world, opener = self.discord.world, self._practice_players[game_channel][0]
        narrator = Narrator(self.people[0], report, lambda table, number: settled.put_nowait(number))
        async with self._running():
            stop_reporting = world.on_change(narrator.on_change)
            await opener.slash(self._channels[game_channel], "table open", **dict(game_channel.open_options))
            players = self._players(game_channel, alone=True)
            async with _playing([*players, self._spectator_player((game_channel,), AT_ONCE)]):
                try:
                    for _ in range(rounds):
                        await asyncio.wait_for(settled.get(), round_seconds)
                    stop_reporting()
                    await asyncio.wait_for(self._close_tables(self._channels[game_channel]), round_seconds)
                except TimeoutError as late:
                    raise NoProgressError(f"a round did not end in {round_seconds:g} seconds") from late

    @contextlib.asynccontextmanager
    async def _talking(self) -> AsyncIterator[None]:
        """Lets practice players talk about rounds in their channels, and enter tournaments there."""
        memory = TalkMemory()
        talks = [
            TableTalk(self._channels[game_channel], players, self.people, self._talk, memory)
            for game_channel, players in self._practice_players.items()
            if self._talk is not None
        ]
        entrants = [
            Entrants(self._channels[game_channel], players)
            for game_channel, players in self._practice_players.items()
        ]
        listeners: list[TableTalk | Entrants] = [*talks, *entrants]
        stops = [self.discord.world.on_change(one.on_change) for one in listeners]
        try:
            yield
        finally:
            for stop, one in zip(stops, listeners, strict=True):
                stop()
                await one.close()

    def _all_practice_players(self) -> list[Person]:
        return [
            *(one for game_channel in self._channels for one in self._practice_players[game_channel]),
            self._spectator,
        ]

    def _players(self, game_channel: GameChannel, *, alone: bool = False) -> list[PracticePlayer]:
        """The practice players of a channel, at a pace for humans, or for rounds without any."""
        # Alone, each waits a little longer than the one before. So they don't all take a bank at once, and
        # the spectator can back the first before the last has bet.
        return [
            PracticePlayer(
                person,
                replace(AT_ONCE, bank=0.5 * at, roll=0.5 * at, bet=0.15 * at) if alone else self._pace,
                habit=Habit.BANKS if alone or not at else Habit.PLAYS,
                temperament=temperament_of(at),
                channels=[self._channels[game_channel]],
                practice_players=None if alone else {one.id for one in self._all_practice_players()},
            )
            for at, person in enumerate(self._practice_players[game_channel])
        ]

    def _spectator_player(self, game_channels: Iterable[GameChannel], pace: Pace) -> PracticePlayer:
        channels = [self._channels[game_channel] for game_channel in game_channels]
        return PracticePlayer(self._spectator, pace, habit=Habit.WATCHES, channels=channels)

    async def _close_tables(self, channel: Channel) -> None:
        """Closes the tables as soon as no round is running, so that no chips stay on hold."""
        world, owner = self.discord.world, self.people[0]
        while boards := boards_seen_by(owner):
            shown = [board.content for board in boards.values()]
            reply = await owner.slash(channel, "table close")
            if reply.message is not None:
                await owner.dismiss(reply.message)

            def changed(before: list[str] = shown) -> bool:
                return [board.content for board in boards_seen_by(owner).values()] != before

            with contextlib.suppress(TimeoutError):
                await world.wait_for(changed)

    @contextlib.asynccontextmanager
    async def _running(self) -> AsyncIterator[None]:
        """Runs the stand-in with the bot connected."""
        discord = self.discord
        async with discord, self._start_bot(discord.token, discord.api_url, discord.gateway_url):
            yield


def _with_links(text: str, person: Person, channel: Channel) -> str:
    """A text with a link in place of each command in backticks."""
    for command in available_commands(person.world, person.user, channel):
        text = text.replace(f"`/{command.name}`", f"</{command.name}:{command.path[0]['id']}>")
    return text


@contextlib.asynccontextmanager
async def _playing(players: list[PracticePlayer]) -> AsyncIterator[None]:
    """Runs these players meanwhile. If one fails, that is logged and the others play on."""
    tasks = [asyncio.create_task(player.play(), name=player.person.name) for player in players]
    for task in tasks:
        task.add_done_callback(_log_failure)
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _log_failure(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (failed := task.exception()):
        log.error("the practice player %s stopped", task.get_name(), exc_info=failed)
