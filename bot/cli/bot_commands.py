"""The commands `run` and `practice`."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Final, TypeVar

import typer

from bot.cli.errors import CRASHED, CommandError, UnavailableError, in_one_line
from bot.cli.log_output import log_on_stderr, set_log_format, set_log_level
from bot.config import (
    SettingError,
    given_names,
    given_settings,
    misspelt_settings,
    read_settings,
)
from bot.games.register import DEFAULT_GAME, GAMES
from bot.ledger.database import database_at
from bot.ledger.errors import LedgerDamaged, LedgerError, LedgerForeign, LedgerUnusable
from bot.rules.typed_text import quote
from bot.run.process import collect_rarely

log = logging.getLogger(__name__)

PRACTICE_DATABASE: Final = Path("data/practice.db")

Result = TypeVar("Result")


def run() -> None:
    """Run the bot on Discord, with settings from the environment and `.env`."""
    with log_on_stderr():
        try:
            _run()
        except CommandError as wrong:
            log.critical("%s", wrong.format_message())
            raise typer.Exit(wrong.exit_code) from None
        except Exception:
            log.critical("an error in the bot ends it", exc_info=True)
            raise typer.Exit(CRASHED) from None


def _run() -> None:
    """Runs the bot until it is stopped; raises CommandError if it cannot run, or not go on."""
    misspelt: list[str] = []
    try:
        # At once, for wrong settings are logged too.
        set_log_format(given_settings()[0].log_format)
        misspelt += map(in_one_line, misspelt_settings(given_names()))
        settings = read_settings()
        # Discord's library is slow to import: report wrong settings before that.
        from bot.run.completeness import IncompleteGameError
        from bot.run.process import run_async
        from bot.run.serving import serve
        from bot.wire.client import DiscordUnreachableError
    except KeyboardInterrupt:
        return
    except SettingError as wrong:
        raise CommandError(". ".join(filter(None, [str(wrong), " ".join(misspelt)]))) from None
    set_log_level(settings.log_level)
    for sentence in misspelt:
        log.warning("%s", sentence)
    collect_rarely()
    try:
        run_async(serve(settings))
    except KeyboardInterrupt:
        return
    except (IncompleteGameError, SettingError) as wrong:
        raise CommandError(str(wrong)) from None
    except LedgerUnusable as wrong:
        raise CommandError(database_at(settings.database_url).advice(wrong)) from None
    except (LedgerError, DiscordUnreachableError) as failed:
        raise UnavailableError(str(failed)) from None


def practice(
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Start over: forget chips and tables of earlier practice.")
    ] = False,
    fast: Annotated[
        bool,
        typer.Option("--fast", help="Practice players hurry, and bankers deal before the countdown is over."),
    ] = False,
    browser: Annotated[bool, typer.Option(help="Open the page in your browser.")] = True,
    rounds: Annotated[
        int | None, typer.Option(min=1, help="Only practice players play this many rounds, in the terminal.")
    ] = None,
    game: Annotated[
        str, typer.Option(metavar="NAME", help=f"The game of these rounds: {', '.join(GAMES)}.")
    ] = DEFAULT_GAME,
) -> None:
    """Play without Discord: with a stand-in for Discord, the bot, and practice players, on this machine."""
    if game not in GAMES:
        raise CommandError(f'there is no game "{quote(game)}"; games: {", ".join(GAMES)}')
    try:
        from bot.run.practising import practise_on_page, practise_rounds
        from bot.run.process import run_async
    except ModuleNotFoundError as missing:
        raise CommandError(
            f"practice needs {missing.name}, which is not installed here: in a clone of the repository, run "
            "pip install uv && uv run gnau practice"
        ) from None
    with log_on_stderr("WARNING", of_discord=logging.ERROR):
        collect_rarely()
        try:
            if rounds is None:
                run_async(practise_on_page(PRACTICE_DATABASE, fresh=fresh, fast=fast, open_browser=browser))
            elif findings := run_async(
                _printed(partial(practise_rounds, PRACTICE_DATABASE, rounds, game=game, fresh=fresh))
            ):
                typer.echo("\n".join(findings), err=True)
                raise typer.Exit(1)
        except KeyboardInterrupt:
            return
        except (LedgerDamaged, LedgerForeign) as wrong:
            raise CommandError(f"{wrong}. Start over with gnau practice --fresh") from None
        except LedgerError as wrong:
            raise CommandError(str(wrong)) from None


async def _printed(work: Callable[..., Awaitable[Result]]) -> Result:
    """Runs work that reports lines, prints them, and cancels it if one cannot be written."""
    lost: list[typer.TyperException] = []
    working = asyncio.current_task()
    assert working is not None

    def tell(line: str) -> None:
        try:
            typer.echo(line)
        except typer.TyperException as failed:
            # The work may be in the middle of something: raise only after it has ended.
            lost.append(failed)
            working.cancel()

    try:
        return await work(report=tell)
    finally:
        if lost:
            raise lost[0]
