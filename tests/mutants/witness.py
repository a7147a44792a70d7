"""A pytest plugin that says by what the first test failed, and whether the right copy was imported."""

import json
from collections.abc import Generator, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, Phase, settings

import bot

OPTION: Final = "--testimony"
"""The file that the testimony goes to."""
PROFILE: Final = "mutants"

settings.register_profile(
    PROFILE,
    database=None,
    # The same examples each time, so that a fault is caught always or never; and none is made smaller.
    derandomize=True,
    phases=(Phase.explicit, Phase.generate),
    report_multiple_bugs=False,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


@dataclass(slots=True)
class Testimony:
    """What a run of tests can tell.

    Attributes:
        source: where the package `bot` was imported from.
        test: the first test that failed, or None.
        errors: the names of the errors by which it failed: several, where they came as a group.
        why: what the errors say, in short.
        timed_out: whether it just took too long.
    """

    source: str
    test: str | None = None
    errors: tuple[str, ...] = ()
    why: str = ""
    timed_out: bool = False

    @property
    def by_assertion(self) -> bool:
        """Whether the test failed because something was not as it says, and by nothing else."""
        return bool(self.errors) and set(self.errors) <= {AssertionError.__name__, "Failed"}


class Witness:
    """Watches a run of tests.

    Args:
        path: where the testimony goes.
    """

    __test__ = False

    def __init__(self, path: Path) -> None:
        self._path = path
        self._testimony = Testimony(str(Path(bot.__file__).resolve().parent.parent))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Takes down the first failure."""
        report = yield
        if report.failed and call.excinfo is not None and self._testimony.test is None:
            errors = list(_leaves(call.excinfo.value))
            self._testimony.test = item.nodeid
            self._testimony.errors = tuple(type(error).__name__ for error in errors)
            self._testimony.why = "; ".join(str(error).partition("\n")[0] for error in errors)
            self._testimony.timed_out = any(map(_timed_out, errors))
        return report

    def pytest_sessionfinish(self) -> None:
        """Leaves the testimony."""
        self._path.write_text(json.dumps(asdict(self._testimony)))


def read_testimony(path: Path) -> Testimony | None:
    """What a run told; None where it ended before it could."""
    if not path.is_file():
        return None
    told: dict[str, Any] = json.loads(path.read_text())
    return Testimony(**told | {"errors": tuple(told["errors"])})


def pytest_addoption(parser: pytest.Parser) -> None:
    """Takes the file that the testimony goes to."""
    parser.addoption(OPTION, type=Path, required=True, help="the file that the testimony goes to")


def pytest_configure(config: pytest.Config) -> None:
    """Sets the witness to work."""
    # Here, since tests/conftest.py loads a profile of its own.
    settings.load_profile(PROFILE)
    config.pluginmanager.register(Witness(config.getoption(OPTION)))


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for one in error.exceptions:
            yield from _leaves(one)
    else:
        yield error


def _timed_out(error: BaseException) -> bool:
    """Whether a test took too long, as pytest-timeout or the test itself says."""
    by_plugin = isinstance(error, pytest.fail.Exception) and str(error).startswith("Timeout")
    return by_plugin or isinstance(error, TimeoutError)
