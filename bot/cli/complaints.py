"""How the command line says what is wrong: in one line on stderr, and by its status."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import typer
from typer.core import TyperGroup

from bot.cli import ABORTED
from bot.cli.output import NobodyReadsError, watched_output

BAD_INPUT: Final = 2
"""The status where what was asked for cannot be."""


class GaveUpError(typer.TyperException):
    """The command ends here; its text is one sentence that says why."""

    exit_code = BAD_INPUT


@contextmanager
def complaining() -> Iterator[None]:
    """Gives up with the sentence of a ValueError: for what reads the user's own words, and that alone.

    Raises:
        GaveUpError: where what is done inside raises a ValueError.
    """
    try:
        yield
    except ValueError as wrong:
        raise GaveUpError(str(wrong)) from None


class OneLineGroup(TyperGroup):
    """Commands that are wrong in one line each, where Typer by itself draws a box of five."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Runs the command that is asked for, and ends the process by its status.

        Without a command it shows the help, and the status says that a command is wanted.
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
            except NobodyReadsError as gone:
                status = gone.exit_code
            except typer.TyperException as wrong:
                typer.echo(in_one_line(wrong.format_message()), err=True)
                status = wrong.exit_code
            except typer.Abort:
                status = ABORTED
        sys.exit(status or (None if words else BAD_INPUT))


def in_one_line(text: str) -> str:
    """The text with what would break the line, or play with the terminal, written out."""
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii") for sign in text
    )
