"""Rounds told again from what the ledger has of them."""

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
        table_id: the table's identity.
        number: what members call the table by.
        result: what the round brought, under the rules it was played by.
        rolled: the dice that picked its banker; None where none did.
    """

    table_id: int
    number: int
    result: RoundResult
    rolled: DiceRolled | None

    def record(self) -> dict[str, Any]:
        """The record that can be given away, as JSON has it.

        Raises:
            ValueError: where the round's shuffle was not sealed, as in versions before seals.
        """
        return record_of(self.table_id, self.number, self.result, self.rolled)


async def past_round(ledger: Queries, table_id: int, number: int, round_number: int) -> PastRound | None:
    """A round as it was settled; None where it was not, or not yet: of what is still sealed nothing is told.

    Args:
        ledger: the ledger.
        table_id: the table's identity.
        number: what members call the table by.
        round_number: which of its rounds.

    Raises:
        pydantic.ValidationError: where the record cannot be read.
        LedgerUnavailable: where the storage cannot be read.
    """
    rolled: DiceRolled | None = None
    for event in await _events(ledger, table_id, round_number):
        if isinstance(event, DiceRolled):
            rolled = event
    # A round is filed with what its last command led to, and that can be the next round.
    for filed_with in (round_number, round_number + 1):
        for event in await _events(ledger, table_id, filed_with):
            if isinstance(event, RoundSettled) and event.result.round_number == round_number:
                return PastRound(table_id, number, event.result, rolled)
    return None


async def _events(ledger: Queries, table_id: int, round_number: int) -> list[Any]:
    return [parse_event(row.body) for row in await ledger.events(table_id, round_number)]
