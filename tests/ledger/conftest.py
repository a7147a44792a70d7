"""A ledger on a real file, audited after every test that used it."""

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.ledger.audit import audit
from bot.ledger.ledger import Ledger, open_ledger
from tests.conftest import NOTHING_ABSENT
from tests.databases import create_database
from tests.ledger.mounts import can_mount
from tests.ledger.next_version import fill_every_table, release_next_version

# Nothing may be skipped then, but a container may let nobody mount. Other tests find the same, less real.
collect_ignore = ["test_mounts.py"] if os.environ.get(NOTHING_ABSENT) and not can_mount() else []


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger.db"


@pytest.fixture
def address(path: Path) -> str:
    return f"sqlite:///{path}"


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
async def ledger(path: Path, address: str) -> AsyncIterator[Ledger]:
    create_database(path)
    async with open_ledger(address) as opened:
        yield opened
        assert await audit(opened) == []
