"""What a command asks of the bot that has the same file open: to erase a user, or what its owner decides.

They meet at a socket beside the file, which only those can open who may read the file.
"""

import asyncio
import json
import logging
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bot.ledger.errors import LedgerError, LedgerUnavailable
from bot.ledger.files import OWNER_ONLY

if TYPE_CHECKING:
    # A command needs no library of Discord's.
    from bot.ui.bot import GnauBot

log = logging.getLogger(__name__)

ERASE: Final = "erase"
ANSWER_SECONDS: Final = 120.0


@asynccontextmanager
async def requests_answered(bot: "GnauBot", place: Path | None) -> AsyncIterator[None]:
    """Does what commands ask at this place while the block runs."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            what, fact = json.loads(await reader.readline())
            try:
                if what == ERASE:
                    told: object = [await bot.privacy.erase_everywhere(fact)]
                else:
                    told = [await bot.croupier.operation.decide(what, fact)]
            except LedgerError as failed:
                log.error("what the host asked for failed: %s", failed)
                told = str(failed)
            writer.write(json.dumps(told).encode())
            await writer.drain()
        finally:
            writer.close()

    with _listening(place) as meeting:
        if meeting is None:
            yield
            return
        server = await asyncio.start_unix_server(
            lambda *ends: bot.tasks.start(answer(*ends), "request"), sock=meeting
        )
        try:
            yield
        finally:
            server.close()


@contextmanager
def _listening(place: Path | None) -> Iterator[socket.socket | None]:
    """A socket for its owner alone; None where there can be none."""
    if place is None:
        yield None
        return
    try:
        # One of a bot that was killed.
        place.unlink(missing_ok=True)
        meeting = socket.socket(socket.AF_UNIX)
        meeting.bind(str(place))
        place.chmod(OWNER_ONLY)
    except (OSError, AttributeError) as failed:
        # Not every system or file system has such sockets, and their addresses must be short.
        log.info(
            "gnau privacy erase and gnau owner need a stopped bot: there can be no socket %s: %s",
            place,
            failed,
        )
        yield None
        return
    try:
        with meeting:
            yield meeting
    finally:
        place.unlink(missing_ok=True)


def ask_bot(place: Path | None, what: str, fact: Any) -> list[Any] | None:
    """Has the bot at this place do something; returns what came of it, or None if there is no bot.

    Args:
        what: `ERASE` with a user's id, or what `Operation.decide` takes.

    Raises:
        LedgerError: it could not, or not in time.
    """
    if place is None or not hasattr(socket, "AF_UNIX"):
        return None
    with socket.socket(socket.AF_UNIX) as asking:
        asking.settimeout(ANSWER_SECONDS)
        try:
            asking.connect(str(place))
        except OSError:
            return None
        try:
            asking.sendall(json.dumps([what, fact]).encode() + b"\n")
            told: list[Any] | str = json.loads(asking.makefile().read())
        except (OSError, ValueError):
            raise LedgerUnavailable("the bot has not answered: see whether it runs, and try again") from None
    if isinstance(told, str):
        raise LedgerUnavailable(told)
    return told
