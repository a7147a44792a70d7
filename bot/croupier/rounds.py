"""Settled rounds, read from the ledger."""

from dataclasses import dataclass
from typing import Any

from bot.ledger.queries import Queries
from bot.table.events import DiceRolled, RoundSettled, parse_event
from bot.table.round_record import record_of
from bot.table.round_result import RoundResult


@dataclass(frozen=True, slots=True)
class PastRound:
    """A settled round.

    Attributes:
        table_id: the table.
        number: what members call the table by.
        result: the round's result, with the rules it was played by.
        rolled: the dice that picked its banker, or None.
    """

    table_id: int
    number: int
    result: RoundResult
    rolled: DiceRolled | None

    def record(self) -> dict[str, Any]:
        """The public record of the round, as JSON values.

        Raises:
            ValueError: the round's shuffle was not sealed.
        """
        return record_of(self.table_id, self.number, self.result, self.rolled)


async def past_round(ledger: Queries, table_id: int, number: int, round_number: int) -> PastRound | None:
    """The settled round, or None. Never returns sealed data.

    Args:
        ledger: the ledger.
        table_id: the table.
        number: what members call the table by.
        round_number: which of its rounds.

    Raises:
        pydantic.ValidationError: an event cannot be read.
        LedgerUnavailable: the storage cannot be read.
    """
    rolled: DiceRolled | None = None
    for event in await _events(ledger, table_id, round_number):
        if isinstance(event, DiceRolled):
            rolled = event
    # A command's events have the round number after it, which can be the next round's.
    for stored_number in (round_number, round_number + 1):
        for event in await _events(ledger, table_id, stored_number):
            if isinstance(event, RoundSettled) and event.result.round_number == round_number:
                return PastRound(table_id, number, event.result, rolled)
    return None


async def _events(ledger: Queries, table_id: int, round_number: int) -> list[Any]:
    return [parse_event(row.body) for row in await ledger.events(table_id, round_number)]
