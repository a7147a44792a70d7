"""Settings for every test: how much it tries, where bytecode goes, and that CI skips nothing."""

import asyncio
import gc
import os
import pkgutil
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

import bot
import cogs
import scripts
from bot.run.process import new_event_loop
from bot.table import deadlines
from tests.sizes import THOROUGH, sized

NOTHING_ABSENT = "GNAU_NOTHING_ABSENT"
MEMORY = Path("/dev/shm")
ENOUGH_BYTES = 1 << 30

for name, examples in (("quick", 15), ("thorough", 100)):
    settings.register_profile(
        name,
        max_examples=examples,
        # Both depend on the clock, so a busy machine fails them without any bug.
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
        print_blob=True,
    )
settings.load_profile("thorough" if THOROUGH else "quick")
# Node.js, which drives the browser, needs a home, and a user without a name has none.
os.environ.setdefault("HOME", tempfile.gettempdir())


def pytest_xdist_auto_num_workers() -> int:
    """Two workers more than there are cores: tests wait for timers and other processes half the time."""
    return (os.cpu_count() or 1) + 2


def pytest_asyncio_loop_factories() -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Tests run on the event loop that the bot runs on, whose timers and clock differ from asyncio's."""
    return {"the bot's": new_event_loop}


def pytest_configure() -> None:
    """Puts databases into memory, where nothing waits for a disk. A thorough run uses a real disk.

    And lets no banker have time to read, and no spectator to choose, but what the last call gives.

    Until tests run, the garbage collector only loses time: what is imported stays.
    """
    gc.disable()
    # Nobody reads here, and most tests let a round be dealt once all have bet.
    deadlines.LEAST_SECONDS_TO_READ = 0  # type: ignore[misc]
    deadlines.LEAST_SECONDS_TO_CHOOSE = 0  # type: ignore[misc]
    if not THOROUGH and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ENOUGH_BYTES:
        tempfile.tempdir = str(MEMORY)


def pytest_collection(session: pytest.Session) -> None:
    """Imports all tests, in each worker from another one on: what one has compiled, the others only read.

    Workers would otherwise collect in step, and in a fresh clone each would compile every file itself.
    """
    worker, workers = os.environ.get("PYTEST_XDIST_WORKER"), os.environ.get("PYTEST_XDIST_WORKER_COUNT")
    if worker is None or workers is None or session.config.args != session.config.getini("testpaths"):
        return
    tests = Path(__file__).parent
    files = sorted(tests.rglob("test_*.py"))
    first = int(worker.removeprefix("gw")) * len(files) // int(workers)
    for file in files[first:] + files[:first]:
        # What is wrong or skipped with a module is told when it is collected.
        with suppress(Exception, pytest.skip.Exception):
            import_module(".".join(file.relative_to(tests.parent).with_suffix("").parts))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out long tests, or in a thorough run marks those that do more than by default."""
    if config.getoption("hypothesis_seed") is not None:
        _import_everything()
    if THOROUGH:
        for item in filter(_does_more_in_full, items):
            item.add_marker("longer")
        return
    long = [item for item in items if item.get_closest_marker("thorough")]
    config.hook.pytest_deselected(items=long)
    items[:] = [item for item in items if not item.get_closest_marker("thorough")]


def _import_everything() -> None:
    """Imports all our modules: a seed of Hypothesis then finds the same examples in each process.

    It also tries constants that stand in modules, and knows those that are imported.
    """
    for package in (bot, cogs, scripts):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            # Alembic alone can load its environment.
            if not module.name.startswith("bot.ledger.migrations."):
                import_module(module.name)


def _does_more_in_full(item: pytest.Item) -> bool:
    """Whether a test is marked, uses Hypothesis, or its module or a helper of it asks how much to try.

    Cases that `sample` leaves out are marked. Those that it chose have run by default, the same way.
    """
    assert isinstance(item, pytest.Function)
    if item.get_closest_marker("thorough") or is_hypothesis_test(item.obj):
        return True
    names = {getattr(value, "__module__", None) for value in vars(item.module).values()} - {sized.__module__}
    helpers = [sys.modules[name] for name in names if name in sys.modules and name.startswith("tests.")]
    return any(hasattr(asking, name) for asking in (item.module, *helpers) for name in ("sized", "THOROUGH"))


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    """Freezes all imported objects: the garbage collector would take long to go through them."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000)


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
