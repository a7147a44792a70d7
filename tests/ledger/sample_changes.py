"""Changes for tests: one server, one table, members with small ids."""

from collections.abc import Sequence
from itertools import count

from bot.ledger.changes import Change, EventRow, Identity, RoundsCounted, TableRow
from bot.ledger.records import Leaderboard
from bot.table.accounts import MINT, Account, Move, Reason, hold, wallet
from bot.table.standings import AS_BANKER, EVERY, Measure, Standing, Tally

SERVER = 1
TABLE = 77
NOW = 1_790_000_000.25
_numbers = count(1)


def fresh_key() -> str:
    return f"key {next(_numbers)}"


def change(*moves: Move, key: str | None = None, server_id: int = SERVER) -> Change:
    return Change(fresh_key() if key is None else key, server_id, NOW, moves)


def pay(source: Account, target: Account, chips: int, key: str | None = None) -> Change:
    return change(Move(source, target, chips, Reason.PLAYER_WON), key=key)


def opening(party: int, chips: int = 1000, server_id: int = SERVER) -> Change:
    return change(Move(MINT, wallet(party), chips, Reason.OPENING_CHIPS), server_id=server_id)


def identity(party: int, server_id: int = SERVER) -> Identity:
    return Identity(party, server_id, party * 100, f"Member {party}", "en-US")


BY_CHIPS = Leaderboard(SERVER, Measure.CHIPS, EVERY, EVERY, 0.0)


def counted(party: int, server_id: int = SERVER) -> RoundsCounted:
    """Who has played a round is on leaderboards."""
    standing = Standing(server_id, EVERY, EVERY, party, 1, 0, None, None, None, NOW)
    tally = Tally(server_id, party, AS_BANKER, 0, 1, 0, 0)
    return RoundsCounted(server_id, (), (standing,), (tally,))


def row(sequence: int, table_id: int = TABLE, **differing: object) -> TableRow:
    usual: dict[str, object] = {
        "table_id": table_id,
        "server_id": SERVER,
        "channel_id": table_id + 5000,
        "number": table_id,
        "is_open": True,
        "is_playing": True,
        "state": '{"phase": "betting"}',
        "sequence": sequence,
        "game": "gnau",
    }
    return TableRow(**(usual | differing))  # type: ignore[arg-type]  # the names are those of the fields


def at_table(
    table: TableRow, *moves: Move, events: int = 1, deadline: float | None = None, key: str | None = None
) -> Change:
    last = table.sequence
    rows = tuple(EventRow(n, "happened", f'{{"n": {n}}}', 1) for n in range(last - events + 1, last + 1))
    return Change(key or fresh_key(), table.server_id, NOW, moves, table, rows, deadline)


def bet(party: int, chips: int, table_id: int = TABLE) -> Move:
    return Move(wallet(party), hold(table_id, party), chips, Reason.BET_HELD, 1)


def returned(party: int, chips: int, table_id: int = TABLE) -> Move:
    return Move(hold(table_id, party), wallet(party), chips, Reason.BET_RETURNED, 1)


def lost(party: int, banker_id: int, chips: int, table_id: int = TABLE) -> Move:
    return Move(hold(table_id, party), wallet(banker_id), chips, Reason.BANKER_WON, 1)


def failures(outcomes: Sequence[object]) -> list[BaseException]:
    return [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
