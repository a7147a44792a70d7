"""What was answered lately, in case the question comes again: the disk knows only of what was done."""

from collections import OrderedDict
from typing import Final, Generic, TypeVar

KEPT: Final = 1024
"""So many answers are kept for questions that come twice; Discord repeats itself within seconds."""

Answer = TypeVar("Answer")


class Answers(Generic[Answer]):
    """The newest answers, by the keys of their questions."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Answer] = OrderedDict()

    def get(self, key: str) -> Answer | None:
        """What was answered to this question; None where it never came, or too long ago."""
        return self._kept.get(key)

    def keep(self, key: str, answer: Answer) -> None:
        """Keeps an answer, and lets go of the oldest where there are too many."""
        self._kept[key] = answer
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
