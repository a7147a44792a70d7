"""`/ledger`: a member's gains and losses, page by page, and all of them in a file."""

import csv
import io
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import groupby
from typing import Final, Self

from bot.clock import HOUR_SECONDS
from bot.games.register import GAMES
from bot.ledger.queries import Queries
from bot.ledger.records import Entry
from bot.rules.knobs import GameName
from bot.rules.typed_text import text_length
from bot.table.accounts import LedgerPart, Reason
from bot.ui.components import Layout, button, menu, option, row
from bot.ui.press.custom_ids import LARGEST_NUMBER, Press, PressAction
from bot.ui.press.next_steps import wallet_button
from bot.ui.readers import Names
from bot.wire.requests import LONGEST_TEXT
from bot.words.members import entry_words
from bot.words.translation import listed, signed, translate

LINES: Final = 12
"""How many lines a page has: on a phone they fit the screen, two rows of text each, with the buttons."""
ENTRIES_READ: Final = 50
"""How many entries of a ledger are read first: a banker's round has one for each player and side bet."""
LINES_IN_FILE: Final = 20_000
"""The most lines of a file: about two megabytes, read in about a second on a busy machine."""
LATELY_SECONDS: Final = 20 * HOUR_SECONDS
"""How long ago an entry was made at the most whose line has no date."""
ROOM_LEFT: Final = 200
"""The characters of a message that are for other words than a page's lines."""
_COLUMNS: Final = ("at", "chips", "owned", "why", "table", "round", "other", "note")
_FORMULA: Final = tuple("=+-@\t\r\n＝＋－＠")
"""What a cell begins with that a spreadsheet may take for a formula."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Which lines of a ledger are asked for: the newest, or those just before or after an entry.

    Attributes:
        part: or a game, for the rounds of that.
        beside: the link of that entry, which is not among them.
        owned: what the member had between that entry and the lines; used only where no line is left out.
    """

    server_id: int
    part: LedgerPart | GameName = LedgerPart.ALL
    newer: bool = False
    beside: int = LARGEST_NUMBER
    owned: int = 0

    @classmethod
    def of(cls, press: Press) -> Self:
        """What a button asks for."""
        server, part, way, beside, owned = press.arguments
        return cls(int(server), part, way == "newer", int(beside), int(owned))

    def press(self) -> Press:
        """What asks for it."""
        way = "newer" if self.newer else "older"
        return Press(
            PressAction.LEDGER,
            arguments=(str(self.server_id), self.part, way, str(self.beside), str(self.owned)),
        )


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """A line of a member's ledger.

    Attributes:
        entries: an entry, or all of a round with the member as the banker; the newest first.
        owned: the chips that the member had after it, held ones included; None if that is not known.
    """

    entries: Sequence[Entry]
    owned: int | None

    @property
    def gained(self) -> int:
        """What the member gained; negative if they lost."""
        return sum(entry.chips for entry in self.entries)

    @property
    def owned_before(self) -> int | None:
        """What they had before it."""
        return None if self.owned is None else self.owned - self.gained

    def words(self, names: Names, now: float) -> str:
        """The line: `7:17 PM **−13** As banker against Siti and Kumar · table 1, round 13 → **971**`."""
        entry, gained = self.entries[0], self.gained
        others = dict.fromkeys(names.mention(one.other) for one in self.entries if one.other is not None)
        if _as_banker(entry):
            why = translate("entry.banked", others=listed(list(others)))
        else:
            why = entry_words(Reason(entry.reason), gained, next(iter(others), None))
        if entry.note is not None:
            why = translate("entry.note", why=why, note=entry.note)
        where = [translate("entry.table", number=entry.table_number)] if entry.table_number else []
        where += [translate("entry.round", number=entry.round_number)] if entry.round_number else []
        at = int(entry.at)
        when = f"<t:{at}:t>" if now - at < LATELY_SECONDS else f"<t:{at}:d> <t:{at}:t>"
        line = " · ".join([f"{when} **{signed(gained)}** {why}", *([listed(where)] if where else [])])
        return line if self.owned is None else translate("entry.owned", line=line, owned=self.owned)


def ledger_lines(entries: Sequence[Entry], owned: int | None) -> Iterator[LedgerLine]:
    """The lines of these entries, the newest first; `owned` is what the member has after them, if known."""
    for _, together in groupby(entries, _round_of):
        line = LedgerLine(list(together), owned)
        owned = line.owned_before
        yield line


def _round_of(entry: Entry) -> tuple[int | None, ...]:
    """What the entries of a banker's round have in common, and no others."""
    return (entry.table_id, entry.round_number) if _as_banker(entry) else (None, entry.link)


def _as_banker(entry: Entry) -> bool:
    """Whether the member gained or lost these chips as the banker of a round."""
    lost, won = (Reason.PLAYER_WON, Reason.SIDE_BET_WON), (Reason.BANKER_WON, Reason.SIDE_BET_LOST)
    return entry.reason in (lost if entry.chips < 0 else won)


@dataclass(frozen=True, slots=True)
class Page:
    """Lines of a ledger, newest first, and what asks for those before and after them, if there are any."""

    lines: Sequence[LedgerLine]
    newer: Asked | None
    older: Asked | None


async def read_page(ledger: Queries, party: int, asked: Asked) -> Page:
    """The lines that are asked for, each whole."""
    limit = ENTRIES_READ
    while True:
        entries, owned = await _read(ledger, party, asked, limit)
        lines = list(ledger_lines(entries, owned))
        # A line at the far end may lack some of its entries.
        if len(lines) > LINES or len(entries) < limit:
            break
        limit *= ENTRIES_READ
    is_end = len(lines) <= LINES
    if asked.newer:
        if is_end:
            return await read_page(ledger, party, Asked(asked.server_id, asked.part))
        return _page(asked, lines[-LINES:], has_newer=True, has_older=True)
    return _page(asked, lines[:LINES], has_newer=asked.beside != LARGEST_NUMBER, has_older=not is_end)


def _page(asked: Asked, lines: Sequence[LedgerLine], *, has_newer: bool, has_older: bool) -> Page:
    if not lines:
        return Page(lines, None, None)
    newest, oldest = lines[0], lines[-1]
    newer = Asked(asked.server_id, asked.part, True, newest.entries[0].link, newest.owned or 0)
    older = Asked(asked.server_id, asked.part, False, oldest.entries[-1].link, oldest.owned_before or 0)
    return Page(lines, newer if has_newer else None, older if has_older else None)


async def _read(ledger: Queries, party: int, asked: Asked, limit: int) -> tuple[list[Entry], int | None]:
    """Some entries, and what the member had after them; None where it would take all entries to know."""
    read = partial(
        ledger.entries,
        *(asked.server_id, party, limit),
        part=asked.part,
        beside=asked.beside,
        newer=asked.newer,
    )
    if asked.part != LedgerPart.ALL:
        return await read(), None
    if asked.beside == LARGEST_NUMBER:
        return await with_owned(ledger, asked.server_id, party, read)
    entries = await read()
    return entries, asked.owned + (sum(entry.chips for entry in entries) if asked.newer else 0)


async def with_owned(
    ledger: Queries, server_id: int, party: int, read: Callable[[], Awaitable[list[Entry]]]
) -> tuple[list[Entry], int]:
    """The newest entries, and what the member has after them, though chips may move meanwhile."""
    while True:
        entries = await read()
        purse = await ledger.purse(server_id, party)
        newest = await ledger.entries(server_id, party, 1)
        if [one.link for one in newest] == [one.link for one in entries[:1]]:
            return entries, purse.total


def page_words(asked: Asked, page: Page, names: Names, now: float) -> tuple[Page, list[str]]:
    """As many lines of a page as fit into a message, at least one, and their words."""
    words = [line.words(names, now) for line in page.lines]
    room, fit = LONGEST_TEXT - ROOM_LEFT, 0
    # A page of newer lines ends at those that were shown before.
    for one in words[::-1] if asked.newer and page.newer else words:
        room -= text_length(one) + 1
        if room < 0 and fit:
            break
        fit += 1
    if fit == len(words):
        return page, words
    if asked.newer and page.newer:
        return _page(asked, page.lines[-fit:], has_newer=True, has_older=True), words[-fit:]
    return _page(asked, page.lines[:fit], has_newer=page.newer is not None, has_older=True), words[:fit]


def part_name(part: LedgerPart | GameName) -> str:
    """What a part of the ledger is called in menus."""
    return translate(f"game.{part}" if part in GAMES else f"choice.{part}")


def page_controls(asked: Asked, page: Page) -> Layout:
    """What shows other pages and other parts of the ledger, and all of this part in a file."""
    if not page.lines and asked.part == LedgerPart.ALL:
        return [row(wallet_button())]
    server = str(asked.server_id)
    parts = [option(part_name(one), one, default=one == asked.part) for one in (*LedgerPart, *GAMES)]
    turns = (("button.newer", page.newer), ("button.older", page.older))
    buttons = [button(to.press(), translate(code)) for code, to in turns if to is not None]
    filing = Press(PressAction.LEDGER_FILE, arguments=(server, asked.part))
    in_file = button(filing, translate("button.csv"))
    picking = menu(Press(PressAction.LEDGER_OF, arguments=(server,)), translate("entry.of"), parts)
    return [row(picking), row(*buttons, in_file, wallet_button())]


def csv_file(entries: Sequence[Entry], owned: int | None, names: Names) -> bytes:
    """Entries as a CSV file, the newest first; `owned` is what the member has after them.

    It begins with a mark by which spreadsheets know UTF-8. Times are UTC, and numbers plain.
    """
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(translate(f"csv.{name}") for name in _COLUMNS if owned is not None or name != "owned")
    for entry in entries:
        at = datetime.fromtimestamp(int(entry.at), UTC).isoformat().replace("+00:00", "Z")
        chips: list[int] = [entry.chips] if owned is None else [entry.chips, owned]
        other = "" if entry.other is None else names.name(entry.other)
        where = entry.table_number, entry.round_number
        why = translate(f"reason.{entry.reason}")
        writer.writerow([at, *chips, why, *where, harmless(other), harmless(entry.note or "")])
        owned = None if owned is None else owned - entry.chips
    return file.getvalue().encode("utf-8-sig")


def harmless(words: str) -> str:
    """Words of members as a cell that no spreadsheet takes for a formula."""
    return f"'{words}" if words.lstrip(" ").startswith(_FORMULA) else words
