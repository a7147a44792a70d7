"""One fault at one instant of the disk, or of the member who asks."""

from dataclasses import dataclass
from enum import Enum

from tests.simulation.bot_process import BotProcess
from tests.simulation.disk import Trouble


class Fault(Enum):
    """A fault at an instant before or after an operation of the disk, or of the member who asks."""

    KILLED = "killed"
    TORN_DOWN = "torn down"
    BROKEN = "broken"
    GONE_AWAY = "gone away"


@dataclass(slots=True)
class FaultAt:
    """Watches a disk.

    Attributes:
        bot: the bot.
        fault: what goes wrong; None if nothing does.
        at: the instant of the disk; for a member who goes away, the number of steps.
        instants: the number of instants so far.
    """

    bot: BotProcess
    fault: Fault | None
    at: int
    instants: int = 0

    @property
    def patience(self) -> int | None:
        """The steps of the loop after which the member goes away; None if they wait for the answer."""
        return self.at if self.fault is Fault.GONE_AWAY else None

    def __call__(self, _statement: str) -> None:
        """Counts an instant, and lets the fault happen if it is the one."""
        self.instants += 1
        if self.instants == self.at:
            match self.fault:
                case Fault.KILLED:
                    self.bot.kill()
                case Fault.TORN_DOWN:
                    self.bot.tear_down()
                case Fault.BROKEN:
                    raise Trouble.BROKEN.error()
