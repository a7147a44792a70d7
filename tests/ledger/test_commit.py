"""What one commit does, and every reason to refuse it."""

import re
import sqlite3
from dataclasses import replace
from math import inf

import psycopg
import pytest

from bot.ledger.changes import BoardPosted, Change, DirectChannel, EventRow, NotAfter
from bot.ledger.errors import AlreadyDone, InsufficientChips, StaleTable, TooLate, Unstorable
from bot.ledger.ledger import Ledger
from bot.table.accounts import HOUSE, MINT, Move, Reason, wallet
from tests.ledger.sample_changes import (
    NOW,
    SERVER,
    TABLE,
    at_table,
    bet,
    change,
    fresh_key,
    identity,
    opening,
    pay,
    row,
)


async def test_chips_move_from_one_account_to_another(ledger: Ledger) -> None:
    await ledger.commit(opening(7))
    await ledger.commit(pay(wallet(7), wallet(8), 300))
    assert await ledger.wallets(SERVER, [7, 8, 9]) == {7: 700, 8: 300}


async def test_a_table_its_events_its_deadline_and_its_holds_are_stored_together(ledger: Ledger) -> None:
    await ledger.commit(opening(7))
    await ledger.commit(at_table(row(2), bet(7, 400), events=2, deadline=NOW + 30.125))
    stored = await ledger.table(TABLE)
    assert stored is not None
    assert (stored.sequence, stored.state, stored.opened_at) == (2, '{"phase": "betting"}', NOW)
    assert stored.closed_at is None
    assert [event.sequence for event in await ledger.events(TABLE)] == [1, 2]
    assert await ledger.deadlines() == {TABLE: NOW + 30.125}
    purse = await ledger.purse(SERVER, 7)
    assert (purse.wallet, [held.chips for held in purse.held], purse.total) == (600, [400], 1000)


async def test_a_repeated_key_changes_nothing_and_gets_its_first_answer(ledger: Ledger) -> None:
    await ledger.commit(opening(7))
    first = Change(
        "click", SERVER, NOW, (bet(7, 100),), row(1), (EventRow(1, "bet", "{}"),), None, '{"a": 1}'
    )
    await ledger.commit(first)
    with pytest.raises(AlreadyDone) as refused:
        await ledger.commit(Change("click", SERVER, NOW, (bet(7, 100),), answer='{"a": 2}'))
    assert refused.value.answer == '{"a": 1}'
    assert str(refused.value) == "click was already done"
    assert await ledger.wallets(SERVER, [7]) == {7: 900}


async def test_an_overdraft_is_refused_with_what_is_missing(ledger: Ledger) -> None:
    await ledger.commit(opening(7, 100))
    with pytest.raises(InsufficientChips) as refused:
        await ledger.commit(at_table(row(1), bet(7, 150), key="again"))
    assert refused.value.balance == 100
    assert str(refused.value) == "wallet:7 has 100 chips, 50 too few"
    assert await ledger.wallets(SERVER, [7]) == {7: 100}
    assert await ledger.table(TABLE) is None
    await ledger.commit(at_table(row(1), bet(7, 100), key="again"))
    assert await ledger.wallets(SERVER, [7]) == {7: 0}


async def test_the_moves_of_a_change_count_together(ledger: Ledger) -> None:
    await ledger.commit(opening(7, 100))
    through = change(
        Move(wallet(8), HOUSE, 40, Reason.BANKER_WON), Move(wallet(7), wallet(8), 40, Reason.PLAYER_WON)
    )
    await ledger.commit(through)
    assert await ledger.wallets(SERVER, [7, 8]) == {7: 60, 8: 0}


@pytest.mark.parametrize("sequence", [1, 3])
async def test_events_that_do_not_follow_the_stored_ones_are_refused(ledger: Ledger, sequence: int) -> None:
    await ledger.commit(at_table(row(1)))
    await ledger.commit(opening(7))
    with pytest.raises(StaleTable) as refused:
        await ledger.commit(at_table(row(sequence), bet(7, 10)))
    assert str(refused.value) == f"table 77 has 1 events, the change follows number {sequence - 1}"
    assert await ledger.wallets(SERVER, [7]) == {7: 1000}


async def test_a_change_that_comes_too_late_is_refused_with_its_key(ledger: Ledger) -> None:
    late = replace(opening(7), key="a click", not_after=NotAfter(-inf))
    with pytest.raises(TooLate, match="a click came too late"):
        await ledger.commit(late)
    assert await ledger.wallets(SERVER, [7]) == {}


async def test_two_open_tables_in_one_channel_are_refused(ledger: Ledger) -> None:
    await ledger.commit(at_table(row(1, 1, channel_id=50)))
    with pytest.raises(Unstorable, match="channel"):
        await ledger.commit(at_table(row(1, 2, channel_id=50)))
    await ledger.commit(at_table(row(2, 1, channel_id=50, is_open=False, is_playing=False)))
    await ledger.commit(at_table(row(1, 2, channel_id=50)))


async def test_an_unstorable_change_is_reported_with_its_key_and_the_rule(ledger: Ledger) -> None:
    await ledger.commit(at_table(row(1, 1, number=3)))
    assert await ledger.next_table_number(SERVER) == 4
    with pytest.raises(Unstorable) as refused:
        await ledger.commit(at_table(row(1, 2, number=3), key="a click"))
    assert re.match("a click cannot be stored: .*tables.*number", str(refused.value))
    assert isinstance(refused.value.__cause__, sqlite3.IntegrityError | psycopg.IntegrityError)


async def test_a_wallet_is_not_opened_again_after_the_opening_chips_changed(
    ledger: Ledger,
) -> None:
    assert await ledger.ensure_wallet(SERVER, 7, 1000, NOW)
    assert not await ledger.ensure_wallet(SERVER, 7, 1000, NOW)
    assert not await ledger.ensure_wallet(SERVER, 7, 1000, NOW + 86_400)
    assert not await ledger.ensure_wallet(SERVER, 7, 5000, NOW)
    assert await ledger.wallets(SERVER, [7]) == {7: 1000}


async def test_an_empty_wallet_is_not_opened_again(ledger: Ledger) -> None:
    await ledger.ensure_wallet(SERVER, 7, 5, NOW)
    await ledger.commit(pay(wallet(7), HOUSE, 5))
    assert not await ledger.ensure_wallet(SERVER, 7, 5, NOW)
    assert await ledger.wallets(SERVER, [7]) == {7: 0}


async def test_a_member_paid_before_their_wallet_was_opened_still_gets_opening_chips(
    ledger: Ledger,
) -> None:
    await ledger.commit(pay(MINT, wallet(7), 5))
    assert await ledger.ensure_wallet(SERVER, 7, 1000, NOW)
    assert await ledger.wallets(SERVER, [7]) == {7: 1005}


async def test_the_newest_fact_counts(ledger: Ledger) -> None:
    await ledger.commit(at_table(row(1)))
    await ledger.record(BoardPosted(TABLE, 900, NOW))
    await ledger.record(BoardPosted(TABLE, 901, NOW + 1))
    await ledger.record(identity(7))
    await ledger.record(DirectChannel(700, 701))
    await ledger.record(DirectChannel(700, 701, NOW))
    await ledger.commit(at_table(row(2)))
    stored = await ledger.table(TABLE)
    assert stored is not None
    assert (stored.message_id, stored.posted_at) == (901, NOW + 1)
    assert await ledger.direct_channel(700) == DirectChannel(700, 701, NOW)
    assert await ledger.direct_channel(800) is None


async def test_ids_of_64_bits_and_any_text_come_back_unchanged(ledger: Ledger) -> None:
    largest = 2**63 - 1
    body = '{"name": "牛牛 \\u0000 \'; DROP TABLE events; --\n🐂"}'
    await ledger.commit(opening(largest))
    event = EventRow(1, "spoke", body)
    await ledger.commit(Change("line\nfeed", SERVER, NOW, (), row(1, state=body), (event,), answer=body))
    assert await ledger.wallets(SERVER, [largest]) == {largest: 1000}
    assert [(stored.body, stored.command_key) for stored in await ledger.events(TABLE)] == [
        (body, "line\nfeed")
    ]


def test_a_change_that_contradicts_itself_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="key"):
        change(key="")
    with pytest.raises(ValueError, match="need a table"):
        Change(fresh_key(), SERVER, NOW, events=(EventRow(1, "x", "{}"),))
    with pytest.raises(ValueError, match="another server"):
        Change(fresh_key(), SERVER + 1, NOW, table=row(0))
    with pytest.raises(ValueError, match="lead to"):
        Change(
            fresh_key(), SERVER, NOW, table=row(3), events=(EventRow(1, "x", "{}"), EventRow(3, "x", "{}"))
        )
