"""Keeps a database of this version: `uv run python -m tests.releases.make`, before the tag of a release.

An evening is played through `gnau run`, as members play it. At its end nobody has revealed the dealt hands.
The settings beside the database are written by hand, as hosts do; what they mean to this version is noted.
"""

import asyncio
import gzip
import json
import signal
import tempfile
from contextlib import chdir
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from bot.config import Settings, read_settings
from bot.ledger.sqlite.integrity import reading
from bot.rules.hashing import short_code
from tests.e2e.evening import MENU
from tests.gnau_process import GnauProcess

from .club import Club

RELEASES: Final = Path(__file__).parent
DATABASE: Final = "gnau.db.gz"
FACTS: Final = "facts.json"
"""The last head of the books, and what each file of settings means."""


def settings_of(file: Path) -> dict[str, Any]:
    """What a file of settings means, by their names, with the defaults."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder), patch.dict("os.environ", clear=True):
        for other in file.parent.glob("*.txt"):
            Path(other.name).write_bytes(other.read_bytes())
        Path(".env").write_bytes(file.read_bytes())
        meant = read_settings().model_dump(mode="json")
    titles = {name: field.title for name, field in Settings.model_fields.items()}
    return {title: meant[name] for name, title in titles.items() if title}


async def evening(club: Club) -> None:
    """Chips, points, side bets, gifts, free chips, house rules, every game, an erased member, dealt hands."""
    mei, alice, bob, chan, erased = club.mei, club.alice, club.bob, club.chan, club.erased
    for rule, value in (("currency_name", "eggs"), ("gifts_per_day", "300"), ("betting_seconds", "120")):
        await mei.click(await club.ask(mei, "house set", rule=rule, value=value), "Confirm")
    await club.ask(bob, "language", language="Bahasa Melayu")
    await club.ask(chan, "daily")

    await club.open(club.chips, mei, game="gnau")
    await club.ask(alice, "seed", words="eight eight eight")
    await club.press(club.chips, "Join", alice, bob, erased)
    await club.press(club.chips, "10", alice)
    await chan.click(await club.view(club.chips, "Back a player", chan), "5")
    await club.press(club.chips, "20", bob, erased)
    await club.reveal(club.chips, 1, mei, alice, bob, erased)
    await chan.slash(club.chips, "give", member=bob, amount=12, note="for luck")
    await alice.choose(await club.view(club.chips, "My panel", alice), MENU, "Squeeze")
    await erased.choose(await club.view(club.chips, "My panel", erased), MENU, "Leave the table")
    await erased.click(await club.ask(erased, "privacy erase"), "Erase my data")
    await club.says(club.chips, "Deleted member")
    await club.play(club.chips, 2, "20", mei, alice, bob)

    await club.open(club.points, chan, play="points")
    await club.play(club.points, 1, "I'm in", chan, alice)
    await club.open(club.bulls, bob, game="niu-niu")
    await club.play(club.bulls, 1, "10", bob, mei)
    await mei.slash(club.tiles, "table open", game="tau-ngau")
    await club.press(club.tiles, "Join", mei, alice, bob, chan)
    await club.press(club.tiles, "Roll for the bank", mei)
    await club.play(club.tiles, 1, "20", *club.banker_first(club.tiles, mei, alice, bob, chan))

    await club.press(club.chips, "20", alice, bob)
    await club.says(club.chips, "deciding…")


async def head_after(database: Path) -> str:
    """The head of the books after the evening.

    Args:
        database: the file, which is not there yet.
    """
    club = Club()
    async with club.discord:
        bot = GnauProcess(club.discord, database.parent)
        await bot.start()
        try:
            await evening(club)
        finally:
            status = await bot.end(signal.SIGTERM)
    assert status == 0, bot.log
    async with reading(database) as ledger:
        head = await ledger.head(club.server.id)
    assert head is not None
    return short_code(head[1])


def main() -> None:
    """Keeps those of this version."""
    release = RELEASES / f"v{version('gnau')}"
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "gnau.db"
        head = asyncio.run(head_after(database))
        (release / DATABASE).write_bytes(gzip.compress(database.read_bytes(), mtime=0))
    settings = {file.name: settings_of(file) for file in sorted(release.glob("*.env"))}
    facts = json.dumps({"head": head, "settings": settings}, indent=1)
    (release / FACTS).write_text(facts + "\n")


if __name__ == "__main__":
    main()
