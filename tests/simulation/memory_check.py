"""Compares what the bot has in memory of members with the disk, while nothing is being written."""

from contextlib import closing
from pathlib import Path
from sqlite3 import Connection

from bot.ledger.changes import DirectChannel
from bot.ledger.ledger import Ledger
from bot.ledger.records import Stack
from bot.ledger.sqlite.connections import reading_connection
from bot.ledger.stacks import Place
from tests.simulation.disk import Disk


def wrong_in_memory(database: Path, disk: Disk, ledger: Ledger) -> list[str]:
    """Where memory and disk disagree; empty while something is written, or soon after a fault.

    Args:
        database: the file of the database.
        disk: its disk.
        ledger: the bot's, whose memory is compared.
    """
    if not disk.settled:
        return []
    with closing(reading_connection(database)) as connection:
        stored, channels = _stacks(connection), _direct_channels(connection)
    stacks = ledger.stacks
    wrong = [
        f"user {user_id} is reached by {channel} in memory, and by {channels.get(user_id)} on disk"
        for user_id, channel in ledger.direct_channels.values.items()
        if channel != channels.get(user_id)
    ]
    return wrong + [
        f"{place} has {stack} in memory, and {there} on disk"
        for place, stack in stacks.values.items()
        if (there := stored.get(place, Stack())) != Stack(stack.wallet, stack.holds, stack.score)
    ]


def _direct_channels(connection: Connection) -> dict[int, DirectChannel]:
    return {row[0]: DirectChannel(*row) for row in connection.execute("SELECT * FROM direct_channels")}


def _stacks(connection: Connection) -> dict[Place, Stack]:
    wallets: dict[Place, int] = {}
    scores: dict[Place, int] = {}
    holds: dict[Place, dict[int, int]] = {}
    query = "SELECT server_id, party, kind, table_id, balance FROM accounts WHERE party IS NOT NULL"
    for server_id, party, kind, table_id, balance in connection.execute(query):
        place = server_id, party
        if kind == "wallet":
            wallets[place] = balance
        elif kind == "score":
            scores[place] = balance
        elif balance:
            holds.setdefault(place, {})[table_id] = balance
    return {
        place: Stack(wallets.get(place), holds.get(place, {}), scores.get(place, 0))
        for place in {*wallets, *scores, *holds}
    }
