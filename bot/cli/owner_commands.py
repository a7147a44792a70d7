"""`gnau owner`: what its owner decides while the bot runs; every process heeds it within seconds."""

import asyncio
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from bot.cli.database_commands import existing_database_or_refused, ledger_errors_refused
from bot.cli.errors import CommandError
from bot.setting_values import read_duration

LONGEST_TEXT: Final = 3_800
"""The most characters of an announcement: Discord takes 4,000, and a line says who it is from."""

owner: Final = typer.Typer(name="owner", no_args_is_help=True)
ServerId = Annotated[
    int, typer.Argument(metavar="SERVER_ID", help="Discord's id of the server.", min=1, max=2**63 - 1)
]


@owner.command()
def show() -> None:
    """Show what is decided."""
    _decide("show")


@owner.command()
def block(server_id: ServerId) -> None:
    """Have the bot leave a server, again whenever it is invited there."""
    _decide("block", server_id)


@owner.command()
def unblock(server_id: ServerId) -> None:
    """Let a server invite the bot again."""
    _decide("unblock", server_id)


@owner.command()
def maintenance(
    how_long: Annotated[str, typer.Argument(metavar="TIME", help="Such as 30m, 2h or 1d; off ends it.")],
) -> None:
    """Let no new round begin for a time. Rounds that are on are played to the end."""
    try:
        seconds = read_duration(how_long)
    except ValueError:
        expected = "1 to 9999 minutes, hours or days, such as 30m, 2h or 1d, or off"
        raise CommandError(f"the time must be {expected}") from None
    _decide("maintain", seconds)


@owner.command()
def announce(
    file: Annotated[
        Path | None, typer.Argument(help="A file with the message, in Discord's markdown.")
    ] = None,
    stop: Annotated[bool, typer.Option("--stop", help="Post no more of it.")] = False,
) -> None:
    """Post a message in every server, once: where people played last, or in the system channel."""
    if stop is (file is not None):
        raise CommandError("name a file with the message, or --stop")
    _decide("announce", "" if file is None else _message_in(file))


def _message_in(file: Path) -> str:
    try:
        message = file.read_text("utf-8-sig").strip()
    except OSError as failed:
        raise CommandError(f"{file} cannot be read: {failed.strerror}") from None
    except UnicodeDecodeError:
        raise CommandError(f"{file} is not written in UTF-8") from None
    if not 0 < len(message) <= LONGEST_TEXT:
        raise CommandError(f"the message must have 1 to {LONGEST_TEXT:,} characters, not {len(message):,}")
    return message


def _decide(what: str, fact: Any = None) -> None:
    """Lets the bot that has the file open decide it, or this process; prints what holds."""
    from bot.run.host_requests import ask_bot

    database = existing_database_or_refused()
    with ledger_errors_refused():
        told = ask_bot(database.meeting_place(), what, fact)
        holds = told[0] if told else asyncio.run(_decided(database.url, what, fact))
    until, blocked, announced = holds["maintenance_until"], holds["blocked"], holds["announced"]
    ends = until and datetime.fromtimestamp(until, UTC).strftime("%Y-%m-%d %H:%M UTC")
    typer.echo(f"maintenance: {f'until {ends}, no new rounds begin' if ends else 'off'}")
    typer.echo(f"blocked servers: {', '.join(map(str, blocked)) or 'none'}")
    typer.echo(f"announcement: {'none' if announced is None else f'servers that have it: {announced:,}'}")


async def _decided(url: str, what: str, fact: Any) -> dict[str, Any]:
    from bot.croupier.operation import Operation
    from bot.ledger.ledger import open_ledger

    async with open_ledger(url) as ledger:
        return await Operation(ledger, time.time).decide(what, fact)
