"""Trying faults: copies of the tree, the tests in them, and the verdict on each fault."""

import compileall
import os
import shutil
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from py_compile import PycInvalidationMode
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import Final

from tests.mutants import witness
from tests.mutants.faults import Fault, RottedError
from tests.mutants.pytest_process import run_pytest
from tests.mutants.witness import Testimony, read_testimony

ROOT: Final = Path(__file__).resolve().parents[2]
PARTS: Final = (
    *("bot", "cogs", "tests", "docs", "pyproject.toml"),
    *("Dockerfile", ".dockerignore", "README.md", "requirements.lock", "build.lock"),
)
"""What the tests need of the tree."""
TEST_SECONDS: Final = 200
"""A test that takes longer is ended. Those named beside a fault are quick, also on a slow machine."""
RUN_SECONDS: Final = 1800
"""A run that hangs is ended. Without a fault it has every second of the tests, beside a soak in CI."""
UNWANTED: Final = ("PYTEST", "GNAU", "CI", "BUILD_NUMBER")
"""How variables begin that a trial goes without.

With `CI` or `BUILD_NUMBER`, pytest explains a failed assertion in full: minutes, for two large boards.
"""


class Verdict(StrEnum):
    """What came of a trial."""

    CAUGHT = "caught"
    """A test failed by an assertion of its own, or by the error that is named."""
    SURVIVED = "SURVIVED"
    """Every test passed."""
    BROKEN = "BROKEN"
    """Something else failed: that proves nothing."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A fault that was tried.

    Attributes:
        fault: which one.
        verdict: what came of it.
        by: the test that caught it, or what failed instead.
        seconds: how long it took.
    """

    fault: Fault
    verdict: Verdict
    by: str
    seconds: float

    def __str__(self) -> str:
        by = f" · {self.by}" if self.by else ""
        return f"{self.verdict:8} {self.fault.name}{by} ({self.seconds:.1f} s)"


class Copies:
    """Copies of the tree, each for one run of tests at a time.

    Args:
        folder: where they go; the caller removes it.
        count: how many.
        root: the tree.
    """

    def __init__(self, folder: Path, count: int, root: Path = ROOT) -> None:
        self._free: SimpleQueue[Path] = SimpleQueue()
        for number in range(count):
            copy = folder / f"copy{number}"
            copy.mkdir(parents=True)
            for part in PARTS:
                _copy(root / part, copy / part)
            # Two faults in one file can be of one size and one second: the text itself must say what is new.
            compileall.compile_dir(copy, quiet=1, invalidation_mode=PycInvalidationMode.CHECKED_HASH)
            self._free.put(copy)

    @contextmanager
    def one(self) -> Iterator[Path]:
        """A copy that nobody else has meanwhile."""
        copy = self._free.get()
        try:
            yield copy
        finally:
            self._free.put(copy)


def unmutated(copies: Copies, tests: Iterable[str]) -> str | None:
    """Runs tests where nothing is wrong; says what failed all the same, or None."""
    with copies.one() as copy:
        code, told, output = _run(copy, tests)
    return None if code == 0 and _is_of(copy, told) else output


def tried(copies: Copies, fault: Fault) -> Trial:
    """Runs a fault's tests where it is committed.

    Raises:
        RottedError: where the fault does not fit the source.
    """
    begun = time.monotonic()
    with copies.one() as copy, fault.committed(copy):
        code, told, output = _run(copy, fault.tests)
        verdict, by = _verdict(fault, code, told if _is_of(copy, told) else None)
    return Trial(fault, verdict, by or output, time.monotonic() - begun)


def try_all(faults: Iterable[Fault], at_once: int, root: Path = ROOT) -> Iterator[Trial | str]:
    """Tries every fault, some at once; first the tests themselves, whose failure ends it.

    Args:
        faults: which ones.
        at_once: how many at once.
        root: the tree.

    Yields:
        Trials, in the order of the faults; or, where tests fail with no fault at all, what failed.

    Raises:
        RottedError: where faults do not fit the source: then none is tried.
    """
    wanted = list(faults)
    with TemporaryDirectory(prefix="mutants-") as folder, ThreadPoolExecutor(at_once) as pool:
        copies = Copies(Path(folder), at_once, root)
        with copies.one() as copy:
            rotted = [wrong for fault in wanted if (wrong := fault.rotted(copy))]
        if rotted:
            raise RottedError("\n".join(rotted))
        tests = sorted({test for fault in wanted for test in fault.tests})
        shares = [share for at in range(at_once) if (share := tests[at::at_once])]
        failed = [wrong for wrong in pool.map(lambda share: unmutated(copies, share), shares) if wrong]
        if failed:
            yield "\n".join(failed)
            return
        yield from pool.map(lambda fault: tried(copies, fault), wanted)


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    elif source.is_file():
        shutil.copy2(source, target)


def _run(copy: Path, tests: Iterable[str]) -> tuple[int, Testimony | None, str]:
    """Exit status, testimony and output of a run of tests in a copy."""
    testimony = copy / "testimony.json"
    testimony.unlink(missing_ok=True)
    options = ["-x", "-q", "-n0", "--no-header", "-p", "no:cacheprovider", "-p", witness.__name__]
    options += [f"--timeout={TEST_SECONDS}", f"{witness.OPTION}={testimony}"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(UNWANTED)}
    environment |= {
        "GNAU_THOROUGH": "1",
        "PYTHONPATH": str(copy),
        "HYPOTHESIS_STORAGE_DIRECTORY": str(copy / ".hypothesis"),
    }
    output = copy / "output.txt"
    code = run_pytest(copy, [*options, *tests], environment, output, RUN_SECONDS)
    if code is None:
        return -1, None, f"no end within {RUN_SECONDS} s"
    return code, read_testimony(testimony), output.read_text().strip()


def _is_of(copy: Path, told: Testimony | None) -> bool:
    """Whether the tests ran on the copy: the tree itself is installed too, and would pass them all."""
    return told is not None and Path(told.source) == copy.resolve()


def _verdict(fault: Fault, code: int, told: Testimony | None) -> tuple[Verdict, str]:
    if told is None:
        return Verdict.BROKEN, ""
    if code == 0:
        return Verdict.SURVIVED, f"none of {', '.join(fault.tests)} failed"
    if told.test is None:
        return Verdict.BROKEN, ""
    expected = told.by_assertion if fault.error is None else set(told.errors) == {fault.error}
    if expected and not told.timed_out:
        return Verdict.CAUGHT, told.test
    return Verdict.BROKEN, f"{told.test} failed by {', '.join(told.errors)}: {told.why}"
