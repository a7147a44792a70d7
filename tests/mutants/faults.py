"""A fault as it is declared, and how it gets into a copy of the source."""

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

DECLARED: Final = Path(__file__).with_name("faults.toml")
"""Where the faults stand."""


class RottedError(Exception):
    """A fault does not fit the source any more; its text says which, and why."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One deliberate fault.

    Attributes:
        name: what is wrong then, in words.
        file: the file that has it, from the root of the tree.
        before: the text as it should be; it stands once in the file.
        after: what stands there instead.
        tests: those that have to find out, as pytest takes them.
        error: the name of the error by which they fail where it is no assertion.
    """

    name: str
    file: str
    before: str
    after: str
    tests: tuple[str, ...]
    error: str | None = None

    def rotted(self, tree: Path) -> str | None:
        """Why the fault does not fit a tree (any more); None where it does."""
        path = tree / self.file
        times = path.read_text().count(self.before) if path.is_file() else 0
        if times != 1:
            return f"{self.name}: its text stands {times} times in {self.file}, not once"
        return f"{self.name}: it changes nothing" if self.before == self.after else None

    @contextmanager
    def committed(self, tree: Path) -> Iterator[None]:
        """Has a tree carry the fault for a while.

        Raises:
            RottedError: where it does not fit.
        """
        if rotted := self.rotted(tree):
            raise RottedError(rotted)
        path = tree / self.file
        right = path.read_text()
        path.write_text(right.replace(self.before, self.after))
        try:
            yield
        finally:
            path.write_text(right)


def faults(declared: Path = DECLARED) -> tuple[Fault, ...]:
    """Every fault that is declared, in order.

    Raises:
        RottedError: where one is not declared as it should be, or two have one name.
    """
    found: dict[str, Fault] = {}
    for told in tomllib.loads(declared.read_text())["fault"]:
        try:
            fault = Fault(**told | {"tests": tuple(told["tests"])})
        except (KeyError, TypeError) as wrong:
            raise RottedError(f"{told.get('name', 'a fault without a name')}: {wrong}") from None
        if fault.name in found:
            raise RottedError(f"{fault.name}: two faults have this name")
        if not fault.tests:
            raise RottedError(f"{fault.name}: no test is named")
        found[fault.name] = fault
    return tuple(found.values())
