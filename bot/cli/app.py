"""The command line: all commands, and how a command ends."""

import sys
from collections.abc import Sequence
from importlib import import_module, metadata
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup
from typer.main import get_group

from bot.cli import ABORTED
from bot.cli.errors import BAD_INPUT, in_one_line, plain
from bot.cli.lost_output import watched_output

COMMANDS: Final = {
    "run": ("bot_commands", "Run the bot on Discord, with settings from the environment and `.env`."),
    "practice": (
        "bot_commands",
        "Play without Discord: with a stand-in for Discord, the bot, and practice players, on this machine.",
    ),
    "health": (
        "health_command",
        "Ask the running bot whether it is ready; the exit status is 1 if not, and the lines say why.",
    ),
    "doctor": (
        "doctor_command",
        "Look at all that the bot needs; the exit status is 1 if something is wrong. The bot may run.",
    ),
    "hand": ("rules_commands", "Evaluate five cards or tiles, and show every way to arrange them."),
    "duel": ("rules_commands", "Settle a player's hand (first) against the banker's (second)."),
    "odds": (
        "rules_commands",
        "Count exactly how often a player wins, and the edge of the bank, over every pair of hands.",
    ),
    "simulate": ("rules_commands", "Play random rounds, and show the results beside the exact odds."),
    "verify": (
        "verify_command",
        "Recompute a round from its record: deck, hands and settlement. The exit status is 1 if they differ.",
    ),
    "db": (
        "database_commands",
        "Manage the database in DATABASE_URL, from the environment or `.env`.",
    ),
    "rounds": ("database_commands", "Records of settled rounds."),
    "site": (
        "site_command",
        "Write a static site of a server: rules with odds, leaderboards, and rounds with their proof.",
    ),
    "house": ("house_command", "House rules."),
    "owner": (
        "owner_commands",
        "Maintenance, blocked servers, and a message to all servers. The bot may run.",
    ),
    "privacy": (
        "database_commands",
        "What is stored about a user, for those who cannot ask the bot itself.",
    ),
}
"""By name, the module of `bot.cli` that has the command or group of that name, and what its help says.

A module is imported only when its command runs: a question about a hand does not wait for the database.
"""


def print_version(asked: bool) -> None:
    """Prints what a report of a fault must name, and ends the command."""
    if asked:
        from bot.ledger.upgrade import revisions
        from bot.run.process import versions

        typer.echo(f"{versions()}, schema {revisions()[-1]}")
        raise typer.Exit


class Commands(TyperGroup):
    """The commands. An error is one line; Typer's own are a box of five."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Finds the command that the arguments begin with, and imports it."""
        name, _, rest = super().resolve_command(ctx, args)
        return name, name and _imported(name), rest

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
            except typer.TyperException as wrong:
                if message := in_one_line(plain(wrong.format_message())):
                    typer.echo(message, err=True)
                status = wrong.exit_code
            except typer.Abort:
                status = ABORTED
        sys.exit(status or (None if words else BAD_INPUT))


app: Final = typer.Typer(
    name="gnau",
    cls=Commands,
    help=metadata.metadata("gnau")["Summary"],
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
            help="Print the versions of gnau, of what it runs on, and of the database's schema.",
        ),
    ] = False,
) -> None:
    """The options that need no command."""


def _imported(name: str) -> Any:
    module, summary = COMMANDS[name]
    found = getattr(import_module(f"bot.cli.{module}"), name)
    only = typer.Typer()
    if isinstance(found, typer.Typer):
        only.add_typer(found, help=summary)
    else:
        only.command(help=summary)(found)
    return get_group(only).commands[name]


for _name, (_, _summary) in COMMANDS.items():
    app.command(_name, help=_summary)(lambda: None)
