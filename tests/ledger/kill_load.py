"""A process that commits as fast as it can and says of each change that it is on disk, until it is killed.

Run as `python kill_load.py ADDRESS RUN`: members bet at tables of their own, under keys that begin with the
number of the run. Each key that was acknowledged is a line of the output.
"""

import asyncio
import os
import sys
from itertools import count

from bot.ledger.changes import Change, EventRow, TableRow
from bot.ledger.ledger import Ledger, open_ledger
from bot.table.money import MINT, Move, Reason, hold, wallet

TABLES = 20
SERVERS = 3


async def play(ledger: Ledger, table_id: int, run: str) -> None:
    member, server_id = table_id, table_id % SERVERS
    await ledger.ensure_wallet(server_id, member, 1000, 0.0)
    stored = await ledger.table(table_id)
    sequence = stored.sequence if stored else 0
    for number in count():
        key = f"{run}:{table_id}:{number}"
        playing = sequence % 2 == 0
        move = (
            Move(wallet(member), hold(table_id, member), 7, Reason.BET_HELD)
            if playing
            else Move(hold(table_id, member), wallet(member), 7, Reason.BET_RETURNED)
        )
        minted = Move(MINT, wallet(member), 1, Reason.PLAYER_WON)
        sequence += 1
        table = TableRow(table_id, server_id, table_id, table_id, True, playing, "{}", sequence)
        events = (EventRow(sequence, "turn", "{}"),)
        await ledger.commit(Change(key, server_id, float(number), (move, minted), table, events, 1.0, key))
        os.write(sys.stdout.fileno(), f"{key}\n".encode())


async def main(address: str, run: str) -> None:
    async with open_ledger(address) as ledger:
        await asyncio.gather(*(play(ledger, table_id, run) for table_id in range(1, TABLES + 1)))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
