"""Errors that end a command: one line on stderr, and an exit status."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import typer

BAD_INPUT: Final = 2
"""The exit status for impossible input, and for what somebody must mend first."""

CRASHED: Final = 1
"""The exit status of `gnau run` after an error in the bot itself."""
TRY_AGAIN: Final = 75
"""The exit status if the same command may work later, as in sysexits.h. A service manager tries it again."""


class CommandError(typer.TyperException):
    """Ends the command. The message is one sentence that says why."""

    exit_code = BAD_INPUT


class UnavailableError(CommandError):
    """Ends the command, because something that it needs does not work now."""

    exit_code = TRY_AGAIN


@contextmanager
def bad_input_refused() -> Iterator[None]:
    """Turns a ValueError into a CommandError. Use it only around code that reads the user's input."""
    from bot.rules.knobs import WrongRuleError

    try:
        yield
    except WrongRuleError as wrong:
        from bot.words.rules import wrong_rule

        raise CommandError(wrong_rule(wrong, with_titles=False)) from None
    except ValueError as wrong:
        raise CommandError(str(wrong)) from None


_PLAINER: Final = {
    "Value error, ": "",
    "Input should be a valid integer, unable to parse string as an integer": "it must be a whole number",
}
"""Typer's words for wrong options, and ours."""


def plain(message: str) -> str:
    """Typer's message about a wrong option in plain words."""
    for typers, ours in _PLAINER.items():
        message = message.replace(typers, ours)
    return message


def in_one_line(text: str) -> str:
    """The text with line breaks and control characters escaped."""
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii") for sign in text
    )
