"""The command `health`: asks the running bot whether it is well."""

from http.client import HTTPConnection, HTTPException
from typing import Annotated, Final

import typer

from bot.cli.errors import CommandError
from bot.config import SettingError, read_settings

ANSWER_SECONDS: Final = 4.0
EVERYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - it asks, and does not listen
"""Where to ask a bot that listens on all addresses."""


def health(
    live: Annotated[
        bool, typer.Option("--live", help="Ask only whether it lives, for what restarts it if not.")
    ] = False,
) -> None:
    """Ask the running bot whether it is ready; the exit status is 1 if not, and the lines say why."""
    try:
        address = read_settings("METRICS_ADDRESS").metrics_address
    except SettingError as wrong:
        raise CommandError(str(wrong)) from None
    if address is None:
        raise CommandError("METRICS_ADDRESS is off: set it, such as to 9464, so that the bot can be asked")
    host, port = address
    asked = HTTPConnection(EVERYWHERE.get(host, host), port, timeout=ANSWER_SECONDS)
    try:
        asked.request("GET", "/livez" if live else "/readyz")
        answer = asked.getresponse()
        told = answer.read().decode(errors="replace").strip()
    except (OSError, HTTPException) as failed:
        typer.echo(f"no bot answers at {host} port {port}: {failed or type(failed).__name__}", err=True)
        raise typer.Exit(1) from None
    finally:
        asked.close()
    typer.echo(told, err=answer.status != 200)
    if answer.status != 200:
        raise typer.Exit(1)
