"""A ledger on a real file, audited after every test that used it."""

import os
from collections.abc import AsyncIterator
from inspect import signature
from pathlib import Path
from typing import Final

import pytest

from bot.ledger.audit import audit
from bot.ledger.ledger import Ledger, open_ledger
from tests.conftest import NOTHING_ABSENT
from tests.databases import create_database, new_postgres_database
from tests.ledger.mounts import can_mount
from tests.ledger.next_version import fill_every_table, release_next_version

# Nothing may be skipped then, but a container may let nobody mount. Other tests find the same, less real.
collect_ignore = ["test_mounts.py"] if os.environ.get(NOTHING_ABSENT) and not can_mount() else []


ON_BOTH: Final = ("test_scores", "test_stacks")
"""What a quick run also tests on PostgreSQL, besides the tests of both engines and of two ledgers."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger.db"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Runs tests of a ledger on both engines, but for those that look at the file; in a quick run, some."""
    asked = set(signature(metafunc.function).parameters)
    if not {"ledger", "either"} & set(metafunc.fixturenames) or asked & {"path", "tmp_path"}:
        return
    by_default = Path(metafunc.module.__file__).stem in ON_BOTH
    on_server = pytest.param("postgres", marks=() if by_default else pytest.mark.thorough)
    metafunc.parametrize("address", ["sqlite", on_server], indirect=True)


@pytest.fixture
def address(request: pytest.FixtureRequest, path: Path) -> str:
    """The address of an empty database: a SQLite file at the path, or on a PostgreSQL server."""
    if getattr(request, "param", "sqlite") == "postgres":
        return new_postgres_database()
    return f"sqlite:///{create_database(path)}"


@pytest.fixture
def either(address: str) -> str:
    """The same, for tests that open the ledger themselves and look at no file."""
    return address


@pytest.fixture
def older(path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A filled database that is one version behind the program."""
    fill_every_table(path)
    release_next_version(monkeypatch)
    return path


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A path for a copy of a database, in a separate folder."""
    (tmp_path / "backups").mkdir()
    return tmp_path / "backups" / "gnau.backup"


@pytest.fixture
async def ledger(address: str) -> AsyncIterator[Ledger]:
    async with open_ledger(address) as opened:
        yield opened
        assert await audit(opened) == []
