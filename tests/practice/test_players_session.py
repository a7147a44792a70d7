"""A practice session without a browser: its users and channels, and rounds of practice players."""

import asyncio
import re
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from bot.games.register import GAMES
from bot.practice.servers import Channel, ChannelKind
from bot.practice.session import PEOPLE, SPECTATOR, NoProgressError, PracticeSession
from bot.run.practising import game_channels

CHANNELS = game_channels()
GAME = {"type": 3, "name": "game", "description": "What to play"}
OPEN = {"type": 1, "name": "open", "description": "Opens a table", "options": [GAME]}
TABLE = {"type": 1, "id": "1", "name": "table", "description": "Tables", "options": [OPEN]}
PLAY = {"type": 1, "id": "2", "name": "play", "description": "Plays"}


class Started:
    """Stands in for a bot that never answers: whether it runs."""

    def __init__(self) -> None:
        self.runs = False
        self.session = PracticeSession(self.start, CHANNELS)

    @asynccontextmanager
    async def start(self, token: str, api_url: str, gateway_url: str) -> AsyncIterator[None]:
        self.session.discord.world.commands |= {1: TABLE, 2: PLAY}
        self.runs = True
        try:
            yield
        finally:
            self.runs = False


def identities(session: PracticeSession) -> set[tuple[str, int]]:
    world = session.discord.world
    found = {(f"user {it.name}", it.id) for it in world.users.values()}
    found |= {(f"server {it.name}", it.id) for it in world.servers.values()}
    return found | {(f"channel {it.name}", it.id) for it in world.channels.values()}


def server_channel(session: PracticeSession) -> Channel:
    return next(one for one in session.discord.world.channels.values() if one.name == CHANNELS[0].game)


def test_everything_has_the_same_id_in_every_session() -> None:
    one, other = Started().session, Started().session
    assert identities(one) == identities(other)
    assert len({number for _, number in identities(one)}) == len(identities(one))


def test_a_thread_is_there_in_the_next_session(tmp_path: Path) -> None:
    file = tmp_path / "threads.json"

    def thread_names() -> list[str]:
        session = PracticeSession(Started().start, CHANNELS, threads=file)
        world = session.discord.world
        found = [channel.name for channel in world.channels.values() if channel.is_thread]
        parent = next(one for one in world.channels.values() if one.kind is ChannelKind.TEXT)
        number = len(found) + 1
        name = f"table {number}"
        world.insert_channel(Channel(number, ChannelKind.PUBLIC_THREAD, name, parent.server, parent))
        return found

    assert [thread_names() for _ in range(3)] == [[], ["table 1"], ["table 1", "table 2"]]
    file.write_text("not json")
    assert thread_names() == []


def test_users_and_channels_of_a_session() -> None:
    session = Started().session
    (server,) = session.discord.world.servers.values()
    names = {member.user.display_name for member in server.members.values()}
    practice_players = {name for channel in CHANNELS for name in channel.practice_players}
    assert names == {*PEOPLE, *practice_players, SPECTATOR, session.discord.world.bot.display_name}
    assert [channel.name for channel in server.channels.values()] == [channel.game for channel in CHANNELS]
    assert server.owner.display_name == "You"
    assert [person.name for person in session.people] == list(PEOPLE)


def test_every_game_has_a_channel_and_practice_players_of_its_own() -> None:
    assert [channel.game for channel in CHANNELS] == list(GAMES)
    practice_players = [name for channel in CHANNELS for name in channel.practice_players]
    assert len(set(practice_players)) == len(practice_players) == 3 * len(GAMES)


async def test_a_round_without_progress_ends_the_session() -> None:
    session = Started().session
    session.discord.limits.reply_seconds = 0.1
    with pytest.raises(NoProgressError, match="a round did not end"):
        await session.run_rounds(1, lambda _: None, game="gnau", round_seconds=0.1)


async def test_rounds_of_an_unknown_game_are_refused() -> None:
    with pytest.raises(ValueError, match="no game 'mah-jong'"):
        await Started().session.run_rounds(1, lambda _: None, game="mah-jong")


async def test_the_page_opens_and_is_served_until_interrupted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: asyncio.Queue[str] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    monkeypatch.setattr(webbrowser, "open", lambda url: loop.call_soon_threadsafe(opened.put_nowait, url))
    bot = Started()
    serving = asyncio.create_task(bot.session.run_page(open_browser=True))
    url = await asyncio.wait_for(opened.get(), 60)
    assert re.search(r"http://127\.0\.0\.1:\d+", capsys.readouterr().out)
    async with httpx.AsyncClient() as client:
        page = await client.get(url)
    assert page.status_code == 200
    assert bot.runs
    assert "Ah Beng" in page.text
    said = [message.text for message in bot.session.people[0].sees(server_channel(bot.session))]
    serving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await serving
    assert not bot.runs
    async with httpx.AsyncClient() as client:
        with pytest.raises(httpx.ConnectError):
            await client.get(url)
    assert [text for text in said if "or type </play:2>: we join you." in text], said
