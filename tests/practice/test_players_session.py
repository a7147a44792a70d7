"""A practice session without a browser: its users and channels, and rounds of practice players."""

import asyncio
import re
import webbrowser
from contextlib import AbstractAsyncContextManager

import discord
import httpx
import pytest

from bot.games.register import GAMES
from bot.practice.session import PEOPLE, SPECTATOR, NoProgressError, PracticeSession
from bot.run.practising import game_channels
from tests.practice.dealer_bot import Dealer, dealing

CHANNELS = game_channels()


@pytest.fixture(autouse=True)
def addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Restores the two addresses that the dealer sets."""
    monkeypatch.setattr(discord.http.Route, "BASE", "")
    monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", None)


def session_of(dealer: Dealer) -> PracticeSession:
    def start(token: str, api_url: str, gateway_url: str) -> AbstractAsyncContextManager[Dealer]:
        return dealing(dealer, token, api_url, gateway_url)

    return PracticeSession(start, CHANNELS)


def identities(session: PracticeSession) -> set[tuple[str, int]]:
    world = session.discord.world
    found = {(f"user {it.name}", it.id) for it in world.users.values()}
    found |= {(f"server {it.name}", it.id) for it in world.servers.values()}
    return found | {(f"channel {it.name}", it.id) for it in world.channels.values()}


def test_everything_has_the_same_id_in_every_session() -> None:
    one, other = session_of(Dealer()), session_of(Dealer())
    assert identities(one) == identities(other)
    assert len({number for _, number in identities(one)}) == len(identities(one))


def test_users_and_channels_of_a_session() -> None:
    session = session_of(Dealer())
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


@pytest.mark.thorough
async def test_rounds_are_played_and_reported_and_the_table_is_closed() -> None:
    dealer, lines = Dealer(), list[str]()
    await session_of(dealer).run_rounds(3, lines.append, game="gnau")
    assert [line for line in lines if line.startswith("Round 3 ended")]
    assert not [line for line in lines if line.startswith("Round 5")]
    assert dealer.tables == {}
    assert len(dealer.pressed("bank")) == 1


@pytest.mark.thorough
async def test_a_round_without_progress_ends_the_session() -> None:
    dealer = Dealer()
    dealer.refuses = lambda press: press.action == "bet"
    with pytest.raises(NoProgressError, match="a round did not end in 1 seconds"):
        await session_of(dealer).run_rounds(1, lambda _: None, game="gnau", round_seconds=1)


async def test_rounds_of_an_unknown_game_are_refused() -> None:
    with pytest.raises(ValueError, match="no game 'mah-jong'"):
        await session_of(Dealer()).run_rounds(1, lambda _: None, game="mah-jong")


async def test_the_page_opens_and_is_served_until_interrupted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: asyncio.Queue[str] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    monkeypatch.setattr(webbrowser, "open", lambda url: loop.call_soon_threadsafe(opened.put_nowait, url))
    dealer = Dealer()
    serving = asyncio.create_task(session_of(dealer).run_page(open_browser=True))
    url = await asyncio.wait_for(opened.get(), 10)
    assert re.search(r"http://127\.0\.0\.1:\d+", capsys.readouterr().out)
    async with httpx.AsyncClient() as client:
        page = await client.get(url)
    assert page.status_code == 200
    assert "Ah Beng" in page.text
    serving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await serving
    assert dealer.is_closed()
    async with httpx.AsyncClient() as client:
        with pytest.raises(httpx.ConnectError):
            await client.get(url)
