"""The lines of `/ledger`: one for each entry, but one for all of a round in which the member banked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from bot.ledger.records import Entry
from bot.table.accounts import Reason
from bot.ui.readers import Names
from bot.words.members import entry_words
from bot.words.translation import listed, signed, translate


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """A line of a member's ledger.

    Attributes:
        entries: an entry, or all of a round with the member as the banker; the newest first.
        owned: the chips that the member had after it, held ones included.
    """

    entries: Sequence[Entry]
    owned: int

    def words(self, names: Names) -> str:
        """The line: `7:17 PM **−13** As banker against Siti and Kumar · table 1, round 13 → **971**`."""
        entry, gained = self.entries[0], sum(entry.chips for entry in self.entries)
        others = dict.fromkeys(names.mention(one.other) for one in self.entries if one.other is not None)
        if _as_banker(entry):
            why = translate("entry.banked", others=listed(list(others)))
        else:
            why = entry_words(Reason(entry.reason), gained, next(iter(others), None))
        where = [translate("entry.table", number=entry.table_number)] if entry.table_number else []
        where += [translate("entry.round", number=entry.round_number)] if entry.round_number else []
        line = f"<t:{int(entry.at)}:t> **{signed(gained)}** {why}"
        return translate("entry.owned", line=f"{line} · {listed(where)}" if where else line, owned=self.owned)


def ledger_lines(entries: Sequence[Entry], owned: int) -> Iterator[LedgerLine]:
    """The lines of these entries, the newest first; `owned` is what the member has after them."""
    for _, together in groupby(entries, _round_of):
        line = LedgerLine(list(together), owned)
        owned -= sum(entry.chips for entry in line.entries)
        yield line


def _round_of(entry: Entry) -> tuple[int | None, ...]:
    """What the entries of a banker's round have in common, and no others."""
    return (entry.table_id, entry.round_number) if _as_banker(entry) else (None, entry.link)


def _as_banker(entry: Entry) -> bool:
    """Whether the member gained or lost these chips as the banker of a round."""
    lost, won = (Reason.PLAYER_WON, Reason.SIDE_BET_WON), (Reason.BANKER_WON, Reason.SIDE_BET_LOST)
    return entry.reason in (lost if entry.chips < 0 else won)
