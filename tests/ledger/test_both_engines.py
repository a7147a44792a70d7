"""The same commands and facts leave the same on both engines: heads of chains, answers, refusals, rows."""

import asyncio
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from bot.ledger.audit import audit
from bot.ledger.chain import every_link
from bot.ledger.changes import (
    BoardPosted,
    Change,
    DirectChannel,
    Erasure,
    Fact,
    HeadPosted,
    HouseDraft,
    LocaleChosen,
    OpeningsOutdated,
    OwnApplication,
    OwnerNote,
    Plan,
    PlanChanged,
    Season,
    SeasonChanged,
    SeedWords,
    ServerErasure,
    ServerGreeted,
    WeekPosted,
)
from bot.ledger.ledger import open_ledger
from bot.ledger.schema import keys, metadata
from bot.rules.shuffle import words_code
from bot.table.accounts import MINT, Move, Reason, wallet
from tests.databases import new_postgres_database
from tests.ledger.counted_ledger import all_of
from tests.ledger.sample_changes import change, identity
from tests.ledger.test_model import MEMBERS, Model, Request, requests
from tests.sizes import examples

times = st.floats(allow_nan=False, allow_infinity=False, width=64)
texts = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)
members = st.sampled_from(MEMBERS)
ids = st.integers(-(1 << 63), (1 << 63) - 1)
facts: st.SearchStrategy[Change | Fact] = st.one_of(
    st.builds(BoardPosted, st.integers(100, 300), st.none() | ids, st.none() | times),
    st.builds(DirectChannel, members.map(lambda member: member * 100), st.none() | ids, st.none() | times),
    st.builds(HouseDraft, st.integers(0, 2), ids, times, ids, texts),
    st.builds(lambda member, name: replace(identity(member), name=name), members, texts),
    st.builds(LocaleChosen, members.map(lambda member: member * 100), texts),
    st.builds(ServerErasure, st.integers(1, 3), st.none() | times),
    st.builds(HeadPosted, st.integers(1, 3), times),
    st.builds(ServerGreeted, st.integers(1, 3)),
    st.builds(OpeningsOutdated, times, times),
    st.builds(
        WeekPosted, st.sampled_from([1, 2]), st.none() | st.just("2026-W48"), st.none() | st.just("2026-W48")
    ),
    st.builds(OwnApplication, st.none() | ids),
    st.builds(OwnerNote, st.sampled_from(["decided", "announced 1"]), st.none() | texts),
    st.builds(
        lambda member, at, what: PlanChanged(None, Plan(f"daily:{member}", 1, member, "daily", 5, at, what)),
        members,
        st.none() | times,
        texts,
    ),
    st.builds(
        lambda number, name, is_over: SeasonChanged(
            None, Season(1, number, name, True, None, None, 1.0, is_over=is_over)
        ),
        st.integers(1, 9),
        texts,
        st.booleans(),
    ),
    st.builds(
        lambda member, text: replace(
            change(), words=(SeedWords(words_code("salt", text), member, "salt", text),)
        ),
        members,
        texts,
    ),
    st.builds(
        lambda member, at: replace(change(), erasures=(Erasure(member, member * 100, b"hash", at),)),
        members,
        times,
    ),
)


@dataclass(frozen=True)
class Left:
    """What some work leaves: refusals, what the audit finds, each link's hash, and all rows by table."""

    refusals: list[str | None]
    found: list[str]
    hashes: list[bytes]
    rows: dict[str, Sequence[Any]]


async def left_by(address: str, batches: list[list[Change | Fact]]) -> Left:
    refusals: list[str | None] = []
    async with open_ledger(address) as ledger:
        for batch in batches:
            outcomes = await all_of(ledger, *batch)
            refusals += [None if outcome is None else type(outcome).__name__ for outcome in outcomes]
        rows: dict[str, Sequence[Any]] = {}
        async with ledger.reading() as connection:
            hashes = [link.hash async for link in every_link(connection)]
            for name, table in metadata.tables.items():
                query = select(table).order_by(*table.primary_key.columns)
                rows[name] = [tuple(row) for row in await connection.execute(query)]
        # The first one is random.
        rows[keys.name] = [row for row in rows[keys.name] if row[0] != "spent openings"]
        return Left(refusals, sorted(map(str, await audit(ledger))), hashes, rows)


@given(wanted=st.lists(st.lists(requests | facts, min_size=1, max_size=8), min_size=1, max_size=8))
@examples(4, 30)
def test_both_engines_are_left_alike(wanted: list[list[Request | Change | Fact]]) -> None:
    model = Model()
    opening = tuple(Move(MINT, wallet(member), 100, Reason.OPENING_CHIPS) for member in MEMBERS)
    first: list[Request | Change | Fact] = [
        Request(-server_id, server_id, opening, None, 0, 0, None) for server_id in (1, 2)
    ]
    batches: list[list[Change | Fact]] = []
    for batch in (first, *wanted):
        batches.append([])
        for one in batch:
            if isinstance(one, Request):
                made = model.change(one)
                model.commit(made)
                batches[-1].append(made)
            else:
                batches[-1].append(one)
    with tempfile.TemporaryDirectory() as folder:
        sqlite = asyncio.run(left_by(f"sqlite:///{folder}/ledger.db", batches))
    assert asyncio.run(left_by(new_postgres_database(), batches)) == sqlite


async def test_each_engine_says_how_large_it_is() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for url in (f"sqlite:///{folder}/gnau.db", new_postgres_database()):
            async with open_ledger(url) as ledger:
                storage = await ledger.storage()
                assert storage.database > 10_000
                # What is beside a file is known only there.
                is_file = url.startswith("sqlite")
                assert (storage.wal is not None, storage.free is not None) == (is_file, is_file)
