"""A full disk: changes are refused, and go on as soon as there is room, also on a very small disk."""

# ruff: noqa: ASYNC240 - a test may wait for the disk

import errno
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from bot.ledger.audit import audit
from bot.ledger.errors import LedgerUnavailable
from bot.ledger.ledger import Ledger, open_ledger
from bot.table.accounts import HOUSE, wallet
from tests.databases import create_database
from tests.ledger.full_disk import files_no_larger_than
from tests.ledger.sample_changes import SERVER, opening, pay

MANY = 800
SMALL_DISK = 1500 * 1024


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 1.5 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SMALL_DISK}", "tmpfs", str(folder)]
    if sys.platform != "linux" or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("this user may not mount a disk; the tests with a simulated one run everywhere")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


async def pays_to_many(ledger: Ledger, start: int = 0) -> None:
    """Makes many changes, for which the database grows."""
    for number in range(start, start + MANY):
        await ledger.commit(pay(wallet(7), wallet(8 + number), 1))


@pytest.mark.thorough
async def test_on_a_very_small_disk_the_wal_leaves_room_for_the_database(small_disk: Path) -> None:
    async with open_ledger(f"sqlite:///{small_disk}/gnau.db") as ledger:
        await ledger.commit(opening(7, 10_000))
        await pays_to_many(ledger)
        filler = small_disk / "filler"
        with pytest.raises(OSError, match="No space"):
            filler.write_bytes(bytes(SMALL_DISK))
        with pytest.raises(LedgerUnavailable):
            await pays_to_many(ledger, 1000)
        filler.unlink()
        await pays_to_many(ledger, 2000)
        assert await audit(ledger) == []


async def test_the_wal_is_emptied_before_it_takes_the_last_room(
    path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same, with a small disk only in what the system says."""
    wal = path.with_name(f"{path.name}-wal")

    def usage(folder: Path) -> object:
        assert folder == path.parent
        return SimpleNamespace(free=SMALL_DISK - sum(file.stat().st_size for file in folder.iterdir()))

    create_database(path)
    monkeypatch.setattr(shutil, "disk_usage", usage)
    sizes = []
    async with open_ledger(address) as ledger:
        await ledger.commit(opening(7, 10_000))
        for number in range(MANY):
            await ledger.commit(pay(wallet(7), wallet(8 + number), 1))
            sizes.append(wal.stat().st_size)
    assert SMALL_DISK / 4 < max(sizes) < SMALL_DISK / 2
    assert sizes.count(0) > 2


async def test_a_disk_that_does_not_say_what_is_free_hinders_no_change(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(folder: Path) -> None:
        raise OSError(errno.EIO, "Input/output error", str(folder))

    monkeypatch.setattr(shutil, "disk_usage", fails)
    await ledger.commit(opening(7))
    assert await ledger.wallets(SERVER, [7]) == {7: 1000}


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit for the size of a file")
async def test_a_wal_that_cannot_grow_is_emptied_and_the_change_is_written(path: Path, address: str) -> None:
    create_database(path)
    with files_no_larger_than(path.stat().st_size + 200_000):
        async with open_ledger(address) as ledger:
            await ledger.commit(opening(7, 10_000))
            for _ in range(MANY):
                await ledger.commit(pay(wallet(7), HOUSE, 1))
            assert await ledger.wallets(SERVER, [7]) == {7: 10_000 - MANY}
            assert await audit(ledger) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit for the size of a file")
async def test_a_disk_that_is_emptied_again_is_used_again(path: Path, address: str) -> None:
    async with open_ledger(address) as ledger:
        await ledger.commit(opening(7, 10_000))
        refused = 0
        for turn in range(3):
            with files_no_larger_than(4096):
                for _ in range(3):
                    with pytest.raises(LedgerUnavailable):
                        await ledger.commit(pay(wallet(7), HOUSE, 1))
                    refused += 1
            await pays_to_many(ledger, 1000 * turn)
        assert await ledger.wallets(SERVER, [7]) == {7: 10_000 - 3 * MANY}
        assert await audit(ledger) == []
