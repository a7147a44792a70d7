"""A ledger on a real file, audited after every test that used it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.ledger.audit import audit
from bot.ledger.ledger import Ledger, open_ledger
from tests.databases import create_database
from tests.ledger.mounts import can_mount
from tests.ledger.next_version import fill_every_table, release_next_version

# Containers seldom let anybody mount. Other tests find the same, with less of it real.
collect_ignore = [] if can_mount() else ["test_mounts.py"]


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
