"""What the writer reads before it computes a batch."""

from typing import Any, Final

from sqlalchemy import Select, exists, func, literal_column, select

from bot.ledger.batch import MOST_RESET
from bot.ledger.schema import accounts, chains, commands, events, house_changes, parties, tables, transfers
from bot.ledger.sql import BIGINT, TEXT, element, elements, listed
from bot.table.accounts import AccountKind, Reason

_asked: Final = elements("names")
"""The names to look up."""
_later_changes: Final = house_changes.alias()
_OF_ACCOUNT: Final = (
    *(accounts.c.server_id, accounts.c.kind, accounts.c.party),
    *(accounts.c.table_id, accounts.c.balance),
)

READS: Final[dict[str, Select[Any]]] = {
    "answers": select(commands.c.key, commands.c.answer).where(commands.c.key.in_(listed("names", TEXT))),
    "last_events": (
        select(tables.c.server_id, tables.c.table_id, tables.c.sequence, events.c.hash)
        .join(events, (events.c.table_id == tables.c.table_id) & (events.c.sequence == tables.c.sequence))
        .where(tables.c.table_id.in_(listed("names")))
    ),
    # Where others write too, nobody else moves these heads from then on until the batch is committed.
    "heads": (
        select(chains)
        .where(chains.c.server_id.in_(listed("names")))
        .order_by(chains.c.server_id)
        .with_for_update()
    ),
    "houses": (
        select(house_changes.c.server_id, house_changes.c.number, house_changes.c.hash).where(
            house_changes.c.server_id.in_(listed("names")),
            ~exists().where(
                _later_changes.c.server_id == house_changes.c.server_id,
                _later_changes.c.number > house_changes.c.number,
            ),
        )
    ),
    "gifts": (
        select(transfers.c.server_id, func.max(transfers.c.link))
        .select_from(
            _asked.join(
                transfers,
                (transfers.c.server_id == element(_asked, BIGINT, 0))
                & (transfers.c.link > element(_asked, BIGINT, 1)),
            )
        )
        .where(transfers.c.reason == literal_column(f"'{Reason.GIFT}'"))
        .group_by(transfers.c.server_id)
    ),
    # An erased member has a wallet still, and no identity. One more row than is reset: there are others.
    "resets": (
        select(*_OF_ACCOUNT)
        .select_from(
            _asked.join(accounts, accounts.c.server_id == element(_asked, BIGINT, 0)).join(
                parties,
                (parties.c.party == accounts.c.party) & (parties.c.server_id == accounts.c.server_id),
            )
        )
        .where(
            accounts.c.kind == literal_column(f"'{AccountKind.WALLET}'"),
            accounts.c.balance != element(_asked, BIGINT, 1),
        )
        .limit(literal_column(str(MOST_RESET + 1)))
        .offset(literal_column("0"))
    ),
    "holds": select(*_OF_ACCOUNT).where(
        accounts.c.server_id.in_(listed("names")),
        accounts.c.kind == literal_column(f"'{AccountKind.HOLD}'"),
        accounts.c.balance != literal_column("0"),
    ),
    "balances": (
        # With IN and pairs, SQLite would scan all accounts; with a join, it looks each one up.
        select(accounts.c.server_id, accounts.c.account, accounts.c.balance).select_from(
            _asked.join(
                accounts,
                (accounts.c.server_id == element(_asked, BIGINT, 0))
                & (accounts.c.account == element(_asked, TEXT, 1)),
            )
        )
    ),
}
"""What is read, by the cache's attribute that it fills."""
