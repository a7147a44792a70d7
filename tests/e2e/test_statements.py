"""A press reads no disk: what it needs is in memory, and a change is one batch of the writer."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from structlog.contextvars import get_contextvars

from bot.ledger.reader import Reader
from bot.ledger.writer import Writer
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.ui.press.custom_ids import ANY_ROUND, Press, PressAction
from tests.e2e.evening import Evening
from tests.sizes import sample


@dataclass
class Counted:
    """How often the disk was used.

    Attributes:
        reads: how many snapshots were read.
        batches: how many batches were written.
    """

    reads: int = 0
    batches: int = 0


@contextmanager
def counting() -> Iterator[Counted]:
    """Counts what the block asks of the disk."""
    counted = Counted()
    reading, rows, transact = Reader.reading, Reader.rows, Writer._transact
    with pytest.MonkeyPatch.context() as patch:

        def count_read(self: Reader) -> object:
            # What the bot does on its own, such as its hourly work, is not a press.
            counted.reads += "interaction" in get_contextvars()
            return reading(self)

        async def count_rows(self: Reader, *statement: Any, **values: Any) -> object:
            counted.reads += "interaction" in get_contextvars()
            return await rows(self, *statement, **values)

        async def count_batch(self: Writer, waiting: object) -> object:
            counted.batches += 1
            return await transact(self, waiting)  # type: ignore[arg-type]

        patch.setattr(Reader, "reading", count_read)
        patch.setattr(Reader, "rows", count_rows)
        patch.setattr(Writer, "_transact", count_batch)
        yield counted


async def betting(evening: Evening) -> tuple[Message, Person, Person]:
    """A table that takes bets, where Alice and Bob have played a round."""
    board, (mei, alice, bob) = await evening.table_of("Mei", "Alice", "Bob")
    await evening.press(bob, board, "Join")
    for player in (alice, bob):
        await player.click(board, "20")
    await evening.have_cards(alice, bob, mei)
    await evening.reveal(board, alice, bob, mei)
    await evening.can_press(board, "100")
    return board, alice, bob


@pytest.mark.parametrize("restarted", sample([False, True], 1))
async def test_refusals_looks_and_forms_use_no_disk_and_a_bet_is_one_batch(
    evening: Evening, restarted: bool
) -> None:
    board, alice, bob = await betting(evening)
    if restarted:
        await evening.restart()
        await evening.can_press(board, "100")
    zed = evening.person("Zed")
    # What the bot does on its own writes too, such as which message is the board.
    await evening.settle_down()
    with counting() as counted:
        await evening.panel(zed, board)
        await evening.settle_down()
    assert counted.reads > 0, "the first press of a new member may read"
    assert counted.batches > 0
    with counting() as counted:
        await evening.panel(zed, board)
    assert counted == Counted()

    table = evening.table()
    outdated = Press(PressAction.BET, table.table_id, 99, 20).custom_id
    too_much = Press(PressAction.BET, table.table_id, ANY_ROUND, 100_000).custom_id

    with counting() as counted:
        refused = [await alice.press_raw(board, custom_id) for custom_id in (outdated, too_much)]
        looked = await evening.panel(alice, board)
        form = await alice.click(board, "Other…")
    assert all(reply.message is not None and reply.message.ephemeral for reply in refused)
    assert looked.text.startswith("### Table 1 · <#")
    assert "Round 1: your" in looked.text
    assert form.modal is not None
    assert counted == Counted(reads=0, batches=0)

    await evening.settle_down()
    with counting() as counted:
        await alice.click(board, "100")
    assert counted == Counted(reads=0, batches=1)

    with counting() as counted:
        await bob.click(board, "10")
        await evening.have_cards(alice, bob, rounds=2)
    assert evening.table().phase == "dealt"
    assert counted.reads == 0
