"""Verifies the ledger against the tables' events: replays every table with the code that made the events.

The ledger's audit does not interpret states and events. The replay does: it recomputes each table's state,
each command's transfers, and each round's result. So a later version must not change what a stored event
means, or the tables of earlier versions no longer verify.
"""

from contextlib import aclosing

from bot.croupier.table_replay import TableReplay
from bot.croupier.transfer_check import other_transfer_problems
from bot.ledger.audit import Finding
from bot.ledger.journal import commands_without_effect, stored_commands
from bot.ledger.queries import Queries


async def verify_tables(ledger: Queries) -> list[Finding]:
    """Replays every table of every server, and checks every transfer.

    Each event is readable, possible and stored under the right kind and round. Each table is stored as its
    events leave it. Each command moved exactly what its events move; transfers without a table are opening
    chips or gifts; no command was without effect. Hands come from the table's secret, and each settled round
    is proved by its record. A table's replay stops at the first event that cannot follow.

    Args:
        ledger: an open ledger. It may be written to meanwhile: the replay reads one snapshot.

    Returns:
        The problems, by server; empty if there are none.

    Raises:
        LedgerUnavailable: the storage cannot be read.
    """
    findings: list[Finding] = []
    replay: TableReplay | None = None
    async with ledger.reading() as connection:
        async with aclosing(stored_commands(connection)) as every_command:
            async for command in every_command:
                if command.table is None:
                    findings.extend(other_transfer_problems(command))
                    continue
                if replay is None or replay.table.table_id != command.table.table_id:
                    findings.extend(replay.finish() if replay else ())
                    replay = TableReplay(command.table, command.deadline)
                findings.extend(replay.apply(command))
        findings.extend(replay.finish() if replay else ())
        async with aclosing(commands_without_effect(connection)) as without_effect:
            async for server_id, key in without_effect:
                findings.append(Finding(server_id, f"the command {key} was committed, but had no effect"))
    return sorted(findings, key=lambda finding: finding.server_id)
