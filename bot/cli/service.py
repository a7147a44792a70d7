"""The commands that serve tables: to members on Discord, and to whoever practises without it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, Final, TypeVar

import typer
from rich.console import Console
from rich.logging import RichHandler

from bot.cli.complaints import GaveUpError
from bot.cli.environment import environment
from bot.config import SettingError, read_settings
from bot.gc import collect_rarely
from bot.ledger.errors import LedgerError
from bot.rules.knobs import GameName

PRACTICE_DATABASE: Final = Path("data/practice.db")

Result = TypeVar("Result")


def run() -> None:
    """Run the bot on Discord, with settings from the environment and `.env`."""
    try:
        settings = read_settings(environment())
        # Discord's library takes its time to import: what is wrong with the settings is told before that.
        from bot.client import DiscordUnreachableError
        from bot.serving import serve
    except KeyboardInterrupt:
        return
    except SettingError as wrong:
        raise GaveUpError(str(wrong)) from None
    _log_to_terminal(settings.log_level)
    collect_rarely()
    try:
        asyncio.run(serve(settings))
    except KeyboardInterrupt:
        return
    except (SettingError, LedgerError, DiscordUnreachableError) as wrong:
        raise GaveUpError(str(wrong)) from None


def practice(
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Forget the chips and tables of earlier practice.")
    ] = False,
    browser: Annotated[bool, typer.Option(help="Open the page in the browser.")] = True,
    rounds: Annotated[
        int | None, typer.Option(min=1, help="Let computer players alone play so many rounds, told here.")
    ] = None,
    game: Annotated[GameName, typer.Option(help="Which game these rounds are of.")] = GameName.GNAU,
) -> None:
    """Play without Discord: a stand-in for it, the bot, and computer players, all on this machine."""
    try:
        from bot.practising import practise_on_page, practise_rounds
    except ModuleNotFoundError as missing:
        raise GaveUpError(
            f"practice needs {missing.name}: install it by pip install 'gnau[practice]'"
        ) from None
    _log_to_terminal("WARNING", of_discord=logging.ERROR)
    collect_rarely()
    try:
        if rounds is None:
            asyncio.run(practise_on_page(PRACTICE_DATABASE, fresh=fresh, open_browser=browser))
        elif findings := asyncio.run(
            _told_in_lines(
                lambda tell: practise_rounds(
                    PRACTICE_DATABASE, rounds, game=game.value, fresh=fresh, report=tell
                )
            )
        ):
            typer.echo("\n".join(findings), err=True)
            raise typer.Exit(1)
    except KeyboardInterrupt:
        return
    except LedgerError as wrong:
        raise GaveUpError(str(wrong)) from None


async def _told_in_lines(work: Callable[[Callable[[str], None]], Awaitable[Result]]) -> Result:
    """Does what tells of itself, and breaks it off where that cannot be written.

    Raises:
        typer.TyperException: where it cannot.
    """
    lost: list[typer.TyperException] = []
    working = asyncio.current_task()
    assert working is not None

    def tell(line: str) -> None:
        try:
            typer.echo(line)
        except typer.TyperException as failed:
            # Whoever tells may be in the middle of something that this is no fault of.
            lost.append(failed)
            working.cancel()

    try:
        return await work(tell)
    finally:
        if lost:
            raise lost[0]


def _log_to_terminal(level: str, *, of_discord: int = logging.INFO) -> None:
    """Writes log lines of this level and above; of libraries none that tell what is sent to whom.

    At DEBUG Discord's library logs whatever goes over the wire, and at INFO the database's whatever is
    written: tokens of interactions, and hands.
    """
    console = Console(stderr=True)
    if console.is_terminal:
        shown: logging.Handler = RichHandler(console=console, show_path=False, log_time_format="%X")
        shown.setFormatter(logging.Formatter("%(name)s: %(message)s"))
    else:
        # Whatever keeps a log, or searches it, wants each thing in a line, however long that is.
        shown = logging.StreamHandler()
        shown.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=level, handlers=[shown])
    limits = {"discord": of_discord, "aiosqlite": logging.WARNING, "sqlalchemy": logging.WARNING}
    for library, least in limits.items():
        logging.getLogger(library).setLevel(max(least, logging.getLogger().level))
