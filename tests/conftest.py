"""What holds for every test: the quick ones run first, and in CI nothing is skipped for absence."""

import os
from collections.abc import Iterator

import pytest

NOTHING_ABSENT = "GNAU_NOTHING_ABSENT"
LATER = ("slow", "browser")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: [item.get_closest_marker(name) is not None for name in reversed(LATER)])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if os.environ.get(NOTHING_ABSENT) and terminalreporter.stats.get("skipped"):
        terminalreporter.write_line(f"{NOTHING_ABSENT} is set, and yet tests were skipped", red=True)


@pytest.hookimpl(wrapper=True)
def pytest_sessionfinish(session: pytest.Session) -> Iterator[None]:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    assert isinstance(reporter, pytest.TerminalReporter)
    if os.environ.get(NOTHING_ABSENT) and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    yield
