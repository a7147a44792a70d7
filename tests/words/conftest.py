from collections.abc import Callable
from pathlib import Path

import pytest

from bot.words import po_files

HEADER = """msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: {plurals}\\n"
"""
GERMAN_PLURALS = "nplurals=2; plural=(n != 1);"

WriteLocale = Callable[..., Path]


@pytest.fixture
def write_locale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WriteLocale:
    """Writes the file of a locale, which the bot then reads instead of those in the repository."""
    monkeypatch.setattr(po_files, "LOCALES", tmp_path / "locales")

    def write(locale: str, *entries: str, plurals: str = GERMAN_PLURALS) -> Path:
        file = tmp_path / "locales" / locale / po_files.FILE
        file.parent.mkdir(parents=True)
        file.write_text("\n".join([HEADER.format(plurals=plurals), *entries]), encoding="utf-8")
        return file

    return write
