"""The command line: all commands, and how a command ends."""

import sys
from collections.abc import Sequence
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

from bot.cli import ABORTED, bot_commands, hand_commands, odds_commands, verify_command
from bot.cli.database_commands import db
from bot.cli.errors import BAD_INPUT, in_one_line, plain
from bot.cli.lost_output import ReaderGoneError, watched_output
from bot.cli.privacy_commands import privacy
from bot.cli.round_commands import rounds
from bot.games.register import GAMES
from bot.run.versions import versions
from bot.words.rule_names import game_title


def print_version(asked: bool) -> None:
    """Prints what a report of a fault must name, and ends the command."""
    if asked:
        # Alembic is slow to import.
        from bot.ledger.upgrade import revisions

        typer.echo(f"{versions()}, schema {revisions()[-1]}")
        raise typer.Exit


class OneLineGroup(TyperGroup):
    """A group of commands whose errors are one line each. Typer's own are a box of five lines."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Runs a command, and exits with its status.

        Without a command it prints the help and exits with `BAD_INPUT`.
        """
        words = list(sys.argv[1:] if args is None else args)
        with watched_output() as finish:
            try:
                try:
                    status = super().main(
                        words or ["--help"],
                        prog_name,
                        complete_var,
                        standalone_mode=False,
                        windows_expand_args=windows_expand_args,
                        **extra,
                    )
                finally:
                    finish()
            except ReaderGoneError as gone:
                status = gone.exit_code
            except typer.TyperException as wrong:
                typer.echo(in_one_line(plain(wrong.format_message())), err=True)
                status = wrong.exit_code
            except typer.Abort:
                status = ABORTED
        sys.exit(status or (None if words else BAD_INPUT))


app: Final = typer.Typer(
    name="gnau",
    cls=OneLineGroup,
    help=f"A Discord bot that hosts {', '.join(map(game_title, GAMES))}, for play-money chips.",
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=print_version,
            is_eager=True,
            help="Print the versions of gnau, Python, discord.py, SQLite and the database's schema.",
        ),
    ] = False,
) -> None:
    """The options that need no command."""


app.command()(bot_commands.run)
app.command()(bot_commands.practice)
app.command()(hand_commands.hand)
app.command()(hand_commands.duel)
app.command()(odds_commands.odds)
app.command()(odds_commands.simulate)
app.command()(verify_command.verify)
app.add_typer(db)
app.add_typer(rounds)
app.add_typer(privacy)
