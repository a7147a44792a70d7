"""The reply to each press: done, refused or none; and whether the bot kept to it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from bot.table.commands import MemberCommand
from bot.table.decide import Decision, decide, wallets_needed
from bot.table.state import TableState
from tests.simulation.discord_model import Press

PLENTY: Final = 10**9
"""Enough chips for everything."""
STATES: Final = 30
"""The most states of its table that a press can meet while it is carried out."""


class Reply(Enum):
    """The bot's reply to a press."""

    DONE = "done"
    REFUSED = "refused"
    LATE = "late"
    """None: Discord told the member before that it failed."""
    UNKNOWN = "unknown"


@dataclass(slots=True)
class PressReplies:
    """All replies to one press, which may be delivered more than once.

    Attributes:
        press: the press.
        replies: the replies so far.
    """

    press: Press
    replies: list[Reply] = field(default_factory=list)
    _met: list[tuple[MemberCommand, list[TableState], int, float]] = field(default_factory=list)

    def met(self, command: MemberCommand, past: list[TableState], at: float) -> None:
        """Records that the press was delivered.

        Args:
            command: what it asks for, by the party of its member.
            past: the states of its table so far, to which those that follow are added.
            at: when, in seconds since the epoch, UTC.
        """
        self._met.append((command, past, max(len(past) - 1, 0), at))

    def broken(self, committed: bool) -> str | None:
        """How the replies disagree with the disk; None if they do not."""
        if Reply.DONE in self.replies and not committed and not self._nothing_to_do():
            return f"{self.press} was acknowledged, but never happened"
        if committed and self.replies and set(self.replies) <= {Reply.REFUSED, Reply.LATE}:
            return f"{self.press} was refused or late, and yet happened"
        return None

    def _nothing_to_do(self) -> bool:
        """Whether there was a moment when the press had nothing to change."""
        decided = (
            decide(state, command, at, _rich(state, command))
            for command, past, first, at in self._met
            for state in past[first : first + STATES]
        )
        return any(isinstance(one, Decision) and not one.events for one in decided)


def _rich(state: TableState, command: MemberCommand) -> dict[int, int]:
    return dict.fromkeys(wallets_needed(state, command, command.party), PLENTY)


class AllReplies:
    """The replies to all presses."""

    def __init__(self) -> None:
        self._by_press: dict[int, PressReplies] = {}

    def to(self, press: Press) -> PressReplies:
        """The replies to a press so far."""
        return self._by_press.setdefault(press.key, PressReplies(press))

    def broken(self, committed: set[str]) -> Iterator[str]:
        """Every reply that disagrees with the disk.

        Args:
            committed: the keys of all commands that are on disk.
        """
        for key, replies in self._by_press.items():
            if what := replies.broken(str(key) in committed):
                yield what
