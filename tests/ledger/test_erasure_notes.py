"""The notes of who was erased: what a kill leaves in them is normal, what else is wrong there is said."""

import logging
from pathlib import Path

import pytest

from bot.ledger.errors import LedgerUnusable
from bot.ledger.sqlite.erasure import has_notes, note_erasures, noted_erasures, notes_path


@pytest.fixture
def notes(path: Path) -> Path:
    path.touch()
    return notes_path(path)


@pytest.fixture(autouse=True)
def logged(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.INFO, "bot.ledger")
    return caplog


def test_lines_that_a_kill_leaves_are_no_fault(
    path: Path, notes: Path, logged: pytest.LogCaptureFixture
) -> None:
    assert not has_notes(path)
    assert noted_erasures(path) == []
    note_erasures(path, [7, 8])
    for cut in ("\n", "\n123"):
        notes.write_text(notes.read_text() + cut)
        note_erasures(path, [9])
    assert noted_erasures(path) == [7, 8, 9, 123]
    assert has_notes(path)
    assert logged.messages == []


@pytest.mark.parametrize(
    "garbage",
    ["seven", "7 8", "-7", "0", "7.0", "\N{ARABIC-INDIC DIGIT SEVEN}", "\0\0", str(1 << 63), "9" * 10_000],
)
def test_a_warning_says_how_many_lines_are_no_party(
    path: Path, notes: Path, garbage: str, logged: pytest.LogCaptureFixture
) -> None:
    notes.write_text(f"1\n{garbage}\n\n{(1 << 63) - 1}\r\n{garbage}\n", "utf-8")
    assert noted_erasures(path) == [1, (1 << 63) - 1]
    assert logged.messages == [
        f"{notes}: lines that are no party, so whom they stood for is not erased again: 2"
    ]


def test_notes_that_cannot_be_read_are_refused(path: Path, notes: Path) -> None:
    notes.mkdir()
    for read in (has_notes, noted_erasures):
        with pytest.raises(LedgerUnusable, match=r"\.erased cannot be read: Is a directory"):
            read(path)
