"""The results of recent requests, refusals included, to reply to repeats as before."""

from collections import OrderedDict
from typing import Final, Generic, TypeVar

CAPACITY: Final = 1024
"""How many results are remembered; Discord repeats a request within seconds."""

Result = TypeVar("Result")


class RecentResults(Generic[Result]):
    """The newest results, by the keys of their requests."""

    def __init__(self) -> None:
        self._results: OrderedDict[str, Result] = OrderedDict()

    def get(self, key: str) -> Result | None:
        """The result of this request, or None if it is unknown or too old."""
        return self._results.get(key)

    def add(self, key: str, result: Result) -> None:
        """Remembers a result, and forgets the oldest ones beyond the capacity."""
        self._results[key] = result
        while len(self._results) > CAPACITY:
            self._results.popitem(last=False)
