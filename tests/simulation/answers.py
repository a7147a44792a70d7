"""What came of each press: whether it was acknowledged, refused, or not answered; and what that promises."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from bot.table.commands import Command
from bot.table.decide import Decision, decide, wallets_needed
from bot.table.state import TableState
from tests.simulation.town import Press

PLENTY: Final = 10**9
"""Chips enough for everything."""
STATES: Final = 30
"""A press has met one of so many states of its table since it came in."""


class Answer(Enum):
    """What the bot said to a press."""

    DONE = "done"
    REFUSED = "refused"
    UNKNOWN = "unknown"


@dataclass(slots=True)
class Given:
    """Everything that was said to one press, which may have been delivered more than once.

    Attributes:
        press: the press.
        answers: what was said.
    """

    press: Press
    answers: list[Answer] = field(default_factory=list)
    _met: list[tuple[list[TableState], int, float]] = field(default_factory=list)

    def met(self, past: list[TableState], at: float) -> None:
        """Takes down that it came in.

        Args:
            past: the states of its table so far, to which those that follow are added.
            at: when, in seconds since the epoch, UTC.
        """
        self._met.append((past, max(len(past) - 1, 0), at))

    def broken(self, committed: bool) -> str | None:
        """How what was said is not what is: what was acknowledged is there, what was refused is not."""
        if Answer.DONE in self.answers and not committed and not self._nothing_to_do():
            return f"{self.press} was acknowledged, but never happened"
        if committed and self.answers and all(answer is Answer.REFUSED for answer in self.answers):
            return f"{self.press} was refused, and yet happened"
        return None

    def _nothing_to_do(self) -> bool:
        """Whether the table was, at some moment meanwhile, already as it was asked to be."""
        command = self.press.command
        if command is None:
            return False
        decided = (
            decide(state, command, at, _rich(state, command, self.press))
            for past, first, at in self._met
            for state in past[first : first + STATES]
        )
        return any(isinstance(one, Decision) and not one.events for one in decided)


def _rich(state: TableState, command: Command, press: Press) -> dict[int, int]:
    return dict.fromkeys(wallets_needed(state, command, press.member.member_id), PLENTY)


class AnswerBook:
    """What was said to whom."""

    def __init__(self) -> None:
        self._given: dict[int, Given] = {}

    def to(self, press: Press) -> Given:
        """What was said to a press so far."""
        return self._given.setdefault(press.key, Given(press))

    def broken(self, committed: set[str]) -> Iterator[str]:
        """Every promise that was not kept.

        Args:
            committed: the keys of all commands that are on disk.
        """
        for key, given in self._given.items():
            if what := given.broken(str(key) in committed):
                yield what
