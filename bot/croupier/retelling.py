"""The books checked against the tables' own records: every table is told again from its events.

The audit of the ledger takes states and events as they are. Here they are read and followed, by the same code
that made them: what a table has become, what each command moved, what each round brought. So whoever changes
what an event means leaves to those that are stored what they meant, or every old table is told to be wrong.
"""

from contextlib import aclosing

from bot.croupier.postings import wrong_at_no_table
from bot.croupier.telling import Telling
from bot.ledger.audit import Finding
from bot.ledger.journal import deeds, idle_commands
from bot.ledger.queries import Queries


async def retell(ledger: Queries) -> list[Finding]:
    """Checks the record of every table of every server, and each transfer against it.

    Each event can be read, follows from those before it, and is filed as what it is; each table is stored as
    its events leave it; each command moved what its events move, and nothing else; what moved at no table was
    opening chips or a gift; no command did nothing; hands are those that were drawn; each settled round is
    proved by its record, and brought what its bets and hands come to. Where a table's record cannot be
    followed, that is told, and nothing after it.

    Events carry no hashes, as transfers do: what has no effect on chips, hands, or the table as it is now,
    such as a deadline of long ago, could be changed unseen.

    Args:
        ledger: an open ledger; it may be written to meanwhile, one moment of it is looked at.

    Returns:
        What is wrong, by server; empty where all is well.

    Raises:
        LedgerUnavailable: where the storage cannot be read.
    """
    findings: list[Finding] = []
    telling: Telling | None = None
    async with ledger.reading() as connection:
        async with aclosing(deeds(connection)) as every_deed:
            async for deed in every_deed:
                if deed.table is None:
                    findings.extend(wrong_at_no_table(deed))
                    continue
                if telling is None or telling.table.table_id != deed.table.table_id:
                    findings.extend(telling.end() if telling else ())
                    telling = Telling(deed.table, deed.deadline)
                findings.extend(telling.go_on(deed))
        findings.extend(telling.end() if telling else ())
        async with aclosing(idle_commands(connection)) as idle:
            async for server_id, key in idle:
                findings.append(Finding(server_id, f"the command {key} was committed, but did nothing"))
    return sorted(findings, key=lambda finding: finding.server_id)
