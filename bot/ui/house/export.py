"""`/house export`: what a server has set and played, as files in one zip for its admins."""

import asyncio
import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZipFile

from bot.croupier.rounds import PastRound, settled_in
from bot.games.house import house_json
from bot.ledger.changes import Identity
from bot.ledger.records import Transfer
from bot.rules.typed_text import json_text
from bot.table.standings import Standing
from bot.ui.bot import GnauBot
from bot.ui.components import file, text_view
from bot.ui.ledger import harmless
from bot.ui.readers import Names
from bot.wire.requests import Attachment, Content, Interaction, defer, fulfil
from bot.words.translation import translate

FILE: Final = "server.zip"
SETTINGS: Final = "settings.json"
"""The file in it that `gnau house import` reads."""
MOST_LINES: Final = 20_000
"""The most lines of the ledger, and of the standings."""
MOST_ROUNDS: Final = 500
LARGEST: Final = 8_000_000
"""The bytes after which no more rounds are added; Discord takes 10 MiB."""
_STANDING: Final = ("period", "game", "member", "rounds", "chips_won", "biggest_win", "points_won", "luck")
_TRANSFER: Final = ("at", "chips", "reason", "from", "to", "table", "round", "admin", "why")


@dataclass(frozen=True, slots=True)
class Exported:
    """What is exported of a server, the newest first."""

    settings: str
    standings: Sequence[Standing]
    transfers: Sequence[Transfer]
    rounds: Sequence[tuple[Any, ...]]


async def export(bot: GnauBot, interaction: Interaction, server_id: int) -> None:
    """Sends the zip to an admin alone."""
    # Reading months may take longer than Discord waits for a first answer.
    await defer(interaction)
    ledger = bot.croupier.ledger
    exported = Exported(
        house_json(bot.croupier.house_of(server_id)),
        await ledger.standings_in(server_id, MOST_LINES),
        await ledger.transfers_in(server_id, MOST_LINES),
        await ledger.newest_settled(server_id, MOST_ROUNDS),
    )
    rounds = await asyncio.to_thread(lambda: list(settled_in(exported.rounds)))
    parties = {party for past in rounds for party in past.parties}
    parties.update(one.party for one in exported.standings)
    parties.update(
        party for one in exported.transfers for party in (one.loser, one.gainer, one.admin) if party
    )
    # Not into the memory of the bot, where members who play now are.
    members = await ledger.identities(parties)
    written, count = await asyncio.to_thread(_zipped, exported, rounds, members)
    told = translate("house.exported", rounds=count, lines=len(exported.transfers))
    layout = [*text_view(told), file(FILE)]
    await fulfil(interaction, Content(layout, [Attachment(FILE, written)]))


def _zipped(
    exported: Exported, rounds: Sequence[PastRound], members: Mapping[int, Identity]
) -> tuple[bytes, int]:
    """The zip, and how many rounds are in it."""
    names = Names(members, of_past=True)
    written, count = io.BytesIO(), 0
    with ZipFile(written, "w", ZIP_DEFLATED) as made:
        made.writestr(SETTINGS, exported.settings)
        made.writestr("standings.csv", _csv(_STANDING, (_standing(one, names) for one in exported.standings)))
        made.writestr("ledger.csv", _csv(_TRANSFER, (_transfer(one, names) for one in exported.transfers)))
        for past in rounds:
            if written.tell() > LARGEST:
                break
            record = past.record(
                {party: members[party].name for party in sorted(past.parties & members.keys())}
            )
            made.writestr(
                f"rounds/table-{past.number}-round-{past.result.round_number}.json", json_text(record)
            )
            count += 1
    return written.getvalue(), count


def _csv(columns: Sequence[str], lines: Iterable[Iterable[object]]) -> bytes:
    """A CSV file by whose first mark spreadsheets know UTF-8."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows(lines)
    return text.getvalue().encode("utf-8-sig")


def _standing(one: Standing, names: Names) -> Iterator[object]:
    yield from (one.period, one.game, harmless(names.name(one.party)))
    yield from (one.rounds, one.net, one.biggest, one.points, one.deviations)


def _transfer(one: Transfer, names: Names) -> Iterator[object]:
    yield datetime.fromtimestamp(int(one.at), UTC).isoformat().replace("+00:00", "Z")
    yield from (one.chips, one.reason)
    for party, account in ((one.loser, one.source), (one.gainer, one.target)):
        # Beside members, chips come from the mint and from the house.
        yield account.partition(":")[0] if party is None else harmless(names.name(party))
    yield from (one.table_number, one.round_number)
    yield None if one.admin is None else harmless(names.name(one.admin))
    yield harmless(one.note or "")
