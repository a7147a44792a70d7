"""Practice: runs the stand-in for Discord and the bot together on this machine.

Practice knows the bot only over the wire, and the bot does not know practice. Only this module imports both.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from itertools import count, islice
from pathlib import Path
from typing import Final

from bot.config import Settings
from bot.games.house import House
from bot.games.register import GAMES
from bot.ledger.audit import audit
from bot.ledger.database import database_in
from bot.ledger.ledger import open_ledger
from bot.practice.players.strategy import FAST, Pace
from bot.practice.session import GameChannel, NoProgressError, PracticeSession
from bot.run.serving import running, until_stopped
from bot.words.rules import game_title
from bot.words.talk import table_talk

READY_SECONDS: Final = 0.05
"""The stand-in sends every server right after READY, so the bot need not wait for more."""
PRACTICE_PLAYERS: Final = (
    "Ah Beng",
    "Siti",
    "Kumar",
    "Uncle Lim",
    "Devi",
    "Farid",
    "Mei Fong",
    "Rashid",
    "Priya",
)
"""The names of practice players."""
PLAYERS_A_CHANNEL: Final = 3
HURRIED: Final = House(hosting={"last_call_seconds": 0})
"""House rules for a fast pace: a table needs no last call where practice players bet as soon as they can."""


async def practise_on_page(database: Path, *, fresh: bool, fast: bool, open_browser: bool) -> None:
    """Serves the practice page until an interrupt or SIGTERM.

    Args:
        fresh: delete that file first.
        fast: whether practice players hurry, and do not wait for the deadlines on the board.
    """
    threads = database.with_suffix(".threads.json")
    if fresh:
        database_in(database).delete()
        threads.unlink(missing_ok=True)
    house, pace = (HURRIED, FAST) if fast else (House(), Pace())
    session = PracticeSession(
        _bot_on(database, house), game_channels(), pace=pace, talk=table_talk(), threads=threads
    )
    await until_stopped(session.run_page(open_browser=open_browser))


async def practise_rounds(
    database: Path, rounds: int, *, game: str, fresh: bool, report: Callable[[str], None]
) -> list[str]:
    """Lets practice players play rounds by themselves, and audits the ledger.

    Args:
        game: the game, as `/table open` names it.

    Returns:
        One sentence for each problem; empty if all rounds were played and the ledger is sound.
    """
    if fresh:
        database_in(database).delete()
    session = PracticeSession(_bot_on(database, HURRIED, has_emojis=False), game_channels())
    try:
        await session.run_rounds(rounds, report, game=game)
    except NoProgressError as stuck:
        return [str(stuck)]
    async with open_ledger(database_in(database).url) as ledger:
        findings = [str(finding) for finding in await audit(ledger)]
    report("The audit found no errors." if not findings else "The audit found errors.")
    return findings


def game_channels() -> tuple[GameChannel, ...]:
    """A channel for each game, with practice players of its own."""
    # Where the names run out, they come again with a number.
    names = (name if turn == 1 else f"{name} {turn}" for turn in count(1) for name in PRACTICE_PLAYERS)
    return tuple(
        GameChannel(
            game=name,
            practice_players=tuple(islice(names, PLAYERS_A_CHANNEL)),
            open_options=(("game", name),),
            # The bot's own greeting has a button to open one; after a restart, it is not there again.
            welcome=f"Here we play **{game_title(name)}**. Open a table, or type `/play`: we join you.",
        )
        for name in GAMES
    )


def _bot_on(
    database: Path, house: House, *, has_emojis: bool = True
) -> Callable[[str, str, str], AbstractAsyncContextManager[None]]:
    """Returns what starts the bot with these house rules, given the token and the two URLs.

    Args:
        has_emojis: whether cards and tiles are emojis, which no terminal shows.
    """

    @asynccontextmanager
    async def start_bot(token: str, api_url: str, gateway_url: str) -> AsyncIterator[None]:
        url = database_in(database).url
        settings = Settings(
            token=token,
            database_url=url,
            api_url=api_url,
            gateway_url=gateway_url,
            guild_ready_seconds=READY_SECONDS,
            piece_emojis=has_emojis,
        )
        async with running(settings, lambda _: house):
            yield

    return start_bot
