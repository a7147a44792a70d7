"""The command `doctor`: looks at all that the bot needs."""

from typing import Annotated

import typer

from bot.cli.errors import in_one_line


def doctor(
    server: Annotated[
        int | None,
        typer.Option(metavar="ID", help="Look also where the bot may open tables in this server.", min=1),
    ] = None,
) -> None:
    """Look at all that the bot needs; the exit status is 1 if something is wrong. The bot may run."""
    from bot.run.doctor import examine
    from bot.run.process import run_async

    wrong: list[str] = []

    def report(is_well: bool, text: str) -> None:
        typer.echo(f"{'✓' if is_well else '✗'} {in_one_line(text)}")
        if not is_well:
            wrong.append(text)

    run_async(examine(report, server))
    if wrong:
        raise typer.Exit(1)
