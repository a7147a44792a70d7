"""Edits that count against Discord's limit for the whole bot: one after another, and not too many."""

import asyncio

import pytest

from bot.ui import following
from bot.ui.following import CostlyEdits


async def test_of_more_edits_than_may_wait_the_rest_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(following, "MOST_WAITING", 2)
    costly = CostlyEdits()
    assert await asyncio.gather(*(costly.turn() for _ in range(4))) == [True, True, False, False]
    assert await costly.turn()
