"""Made the golden database and its records: `uv run python -m tests.golden.make`.

The format is frozen. A new kind of event goes into `ADDED_LATER` in `test_golden.py`.

It has every kind of event, every game, and both states of whatever a table of the database can be: open and
closed, playing and not, with and without a deadline. Every value that may be missing is there and missing.
Members of it are erased, one by one and as a whole server.
"""

import asyncio
import gzip
import json
import tempfile
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Final

from bot.croupier.houses import HouseChange, Houses, Verb
from bot.croupier.identities import User
from bot.croupier.privacy import SERVER_SECONDS, Privacy
from bot.croupier.rounds import every_settled_round
from bot.ledger.changes import BoardPosted, DirectChannel, HeadPosted, Identity
from bot.ledger.sqlite.integrity import reading
from bot.rules.shuffle import SECRET_SIZE
from bot.table.commands import GiveUpBank, Join, Leave, SetClientSeed, SetLimits, SitOut, TakeBank
from tests.croupier.croupier_house import ALICE, BOB, CHAN, MEI, OTHER_SERVER, SERVER, House
from tests.croupier.long_evening import DORA, LongEvening

GOLDEN: Final = Path(__file__).parent / "gnau.db.gz"
RECORDS: Final = Path(__file__).parent / "records.json"
"""The records of its rounds, which every later version makes of it."""
LEFT_SERVER: Final = 10
"""A server that the bot left long ago."""
ERASED: Final = User(800_000_000_000_000_099, "Erased Erasmus", "en-US")
NAMES: Final = {MEI: "Mei", ALICE: "Alice", BOB: "Bob", CHAN: "Chan", DORA: "Dora"}


async def make(database: Path) -> None:
    """Plays and writes everything.

    Args:
        database: where; there is no file yet.
    """
    random = Random(11)
    async with House(database, lambda: random.randbytes(SECRET_SIZE).hex(), count(1)) as house:
        for party, name in NAMES.items():
            for server_id, number in ((SERVER, party), (OTHER_SERVER, party + 100)):
                user_id = 800_000_000_000_000_000 + party
                await house.ledger.record(Identity(number, server_id, user_id, name, "en-US"))
        await _a_server_that_was_left(house)
        await _what_the_evening_lacks(house)
        await LongEvening(house).play()
        await _facts(house)
        await Privacy(house.croupier).server_left(OTHER_SERVER)
        assert isinstance(await Privacy(house.croupier).erase(SERVER, ERASED.user_id), int)
        await house.check()


async def _what_the_evening_lacks(house: House) -> None:
    table_id = await house.open_with_bank(MEI)
    await house.do(table_id, SetLimits(MEI, 6, 90), MEI)
    erased = await house.croupier.identities.party_of(SERVER, ERASED)
    await house.join(table_id, ALICE, BOB, erased)
    await house.do(table_id, SetClientSeed(erased, "words to forget"), erased)
    await house.do(table_id, SitOut(BOB), BOB)
    await house.bet(table_id, erased, 10)
    dealt = await house.bet(table_id, ALICE, 20)
    assert dealt.pieces_of(erased)
    await house.do(table_id, Leave(ALICE), ALICE)
    await house.do(table_id, GiveUpBank(MEI), MEI)
    house.now = dealt.deadline or house.now
    await house.croupier.go_on()
    await house.do(table_id, Leave(erased), erased)
    await house.do(table_id, TakeBank(BOB, 5, 10, house.rules), BOB)
    elsewhere = await house.open(server_id=OTHER_SERVER)
    await house.do(elsewhere.table_id, Join(ALICE + 100), ALICE + 100)


async def _facts(house: House) -> None:
    houses, now = Houses(house.ledger), house.now
    await houses.load()
    for draft, (knob, text) in enumerate((("seats", "5"), ("betting_seconds", "30"), ("seats", "6")), 9001):
        await houses.draft(draft, SERVER, HouseChange(Verb.SET, knob, text))
        if draft < 9003:
            await houses.confirm(draft, SERVER, MEI)
    first, second, *_ = house.croupier.tables.all()
    await house.ledger.record(BoardPosted(first.table_id, 5001, now))
    await house.ledger.record(BoardPosted(second.table_id, None, None))
    users = [800_000_000_000_000_000 + party for party in NAMES]
    await house.ledger.record(DirectChannel(users[0], 6001, None))
    await house.ledger.record(DirectChannel(users[1], None, now))
    await house.ledger.record(HeadPosted(SERVER, now))


async def _a_server_that_was_left(house: House) -> None:
    privacy = Privacy(house.croupier)
    party = await house.croupier.identities.party_of(LEFT_SERVER, ERASED)
    await house.croupier.wallets.open(LEFT_SERVER, party)
    await privacy.server_left(LEFT_SERVER)
    house.now += SERVER_SECONDS + 1
    await privacy.erase_server(LEFT_SERVER)


def main() -> None:
    """Replaces the golden database."""
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "gnau.db"
        asyncio.run(make(database))
        GOLDEN.write_bytes(gzip.compress(database.read_bytes(), mtime=0))
        RECORDS.write_text(json.dumps(asyncio.run(records_in(database)), ensure_ascii=False, indent=1) + "\n")


async def records_in(database: Path) -> dict[str, Any]:
    """The record of every settled round, by server, table and round."""
    async with reading(database) as ledger:
        return {
            f"{server_id}/{past.number}/{past.result.round_number}": past.record()
            async for server_id, past in every_settled_round(ledger)
        }


if __name__ == "__main__":
    main()
