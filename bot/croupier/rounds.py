"""Settled rounds, read from the ledger."""

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from bot.ledger.changes import SeedWords
from bot.ledger.queries import Queries
from bot.table.events import RoundSettled, parse_event
from bot.table.round_record import record_of, seeds_on
from bot.table.state import RoundResult


@dataclass(frozen=True, slots=True)
class PastRound:
    """A settled round.

    Attributes:
        number: what members call the table by.
        words: the words that members chose for it, by client seed; without those of erased members.
    """

    table_id: int
    number: int
    result: RoundResult
    at: float
    words: Mapping[str, SeedWords] = field(default_factory=dict)

    @property
    def parties(self) -> frozenset[int]:
        """Everybody whom the round names, also those who only rolled for its bank."""
        return self.result.parties | {party for party, _ in seeds_on(self.result.opening.sheet)}

    def record(self, names: Mapping[int, str] = MappingProxyType({})) -> dict[str, Any]:
        """The public record of the round, as JSON values."""
        words = {text: (chosen.salt, chosen.words) for text, chosen in self.words.items()}
        return record_of(self.result, names, words)


async def past_round(ledger: Queries, table_id: int, number: int, round_number: int) -> PastRound | None:
    """The settled round, or None. Never returns sealed data."""
    # A command's events have the round number after it, which can be the next round's.
    for stored_number in (round_number, round_number + 1):
        for row in await ledger.events(table_id, stored_number):
            event = parse_event(row.body)
            if isinstance(event, RoundSettled) and event.result.round_number == round_number:
                return await _with_words(ledger, PastRound(table_id, number, event.result, row.at))
    return None


async def every_settled_round(ledger: Queries) -> AsyncIterator[tuple[int, PastRound]]:
    """Every settled round of every server, each with its server's id, by server and table."""
    for server_id, table_id, number in await ledger.every_table():
        for row in await ledger.events(table_id):
            event = parse_event(row.body)
            if isinstance(event, RoundSettled):
                yield server_id, await _with_words(ledger, PastRound(table_id, number, event.result, row.at))


def settled_in(rows: Iterable[tuple[Any, ...]]) -> Iterator[PastRound]:
    """The rounds that `newest_settled` returned, without the words that members chose."""
    for table_id, number, at, body in rows:
        event = parse_event(body)
        if isinstance(event, RoundSettled):
            yield PastRound(table_id, number, event.result, at)


async def _with_words(ledger: Queries, past: PastRound) -> PastRound:
    """The round with the words that members chose for it."""
    seeds = [seed for _, seed in seeds_on(past.result.opening.sheet)]
    return replace(past, words=await ledger.seed_words(seeds))
