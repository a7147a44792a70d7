"""Practice: the stand-in for Discord and the bot, started together on this machine.

Practice knows the bot only by the wire, and the bot knows nothing of practice: here the two are put together.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Final

from bot.config import Settings
from bot.ledger.audit import audit
from bot.ledger.errors import LedgerUnavailable
from bot.ledger.file_lock import exclusive_lock
from bot.ledger.ledger import open_ledger
from bot.practice.session import NoProgressError, PracticeSession
from bot.rules.house import House
from bot.serving import running, until_stopped

READY_SECONDS: Final = 0.05
"""The stand-in has sent every server by the time it says READY: there is none to wait for."""
HOUSE: Final = House(hosting={"last_call_seconds": 0})
"""Computer players bet as soon as they may: nobody has to be waited for."""


async def practise_on_page(database: Path, *, fresh: bool, open_browser: bool) -> None:
    """Serves the practice page until it is told to stop, by an interrupt or SIGTERM.

    Args:
        database: the file of practice's own chips.
        fresh: whether to begin without any.
        open_browser: whether to open the page.

    Raises:
        bot.ledger.errors.LedgerError: where the file cannot be used.
    """
    _prepare(database, fresh=fresh)
    session = PracticeSession(_bot_on(database))
    await until_stopped(session.run_page(open_browser=open_browser))


async def practise_rounds(
    database: Path, rounds: int, *, game: str, fresh: bool, tell: Callable[[str], None]
) -> list[str]:
    """Lets computer players play rounds among themselves, and audits the books.

    Args:
        database: the file of practice's own chips.
        rounds: how many.
        game: which game, as `/table open` names it.
        fresh: whether to begin without any.
        tell: takes each line of what happens.

    Returns:
        What went wrong, a sentence each: nothing where all rounds were played and the books are sound.

    Raises:
        bot.ledger.errors.LedgerError: where the file cannot be used.
    """
    _prepare(database, fresh=fresh)
    session = PracticeSession(_bot_on(database))
    try:
        await session.run_rounds(rounds, tell, game=game)
    except NoProgressError as stuck:
        return [str(stuck)]
    async with open_ledger(_url(database)) as ledger:
        findings = [str(finding) for finding in await audit(ledger)]
    tell("The audit found the books in order." if not findings else "The audit found the books wrong.")
    return findings


def _url(database: Path) -> str:
    return f"sqlite:///{database}"


def _prepare(database: Path, *, fresh: bool) -> None:
    """Forgets earlier practice where that is wished, unless somebody is practising on it right now."""
    if fresh:
        with exclusive_lock(database):
            try:
                for ending in ("", "-wal", "-shm"):
                    database.with_name(database.name + ending).unlink(missing_ok=True)
            except OSError as failed:
                raise LedgerUnavailable(f"{database} cannot be begun anew: {failed.strerror}") from failed


def _bot_on(database: Path) -> Callable[[str, str, str], AbstractAsyncContextManager[None]]:
    """What starts the bot for a session, given the token and the two addresses."""

    @asynccontextmanager
    async def start_bot(token: str, api_url: str, gateway_url: str) -> AsyncIterator[None]:
        settings = Settings(token, _url(database), api_url, gateway_url)
        async with running(settings, lambda _: HOUSE, guild_ready_seconds=READY_SECONDS):
            yield

    return start_bot
