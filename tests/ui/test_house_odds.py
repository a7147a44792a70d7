"""The odds for cogs: off the event loop, computed once, and never slower than a click allows."""

import asyncio
import threading
import time
from collections import Counter

import pytest

from bot.odds.odds import Odds, odds_of
from bot.rules.house_rules import HouseRules
from bot.ui import odds as ui_odds
from bot.ui.odds import bank_edge, odds_for
from tests.games.presets import LODIGE, POINTS, WIKIPEDIA


async def test_odds_use_the_number_of_decks_of_the_house() -> None:
    two = WIKIPEDIA.model_copy(update={"decks": 2})
    assert await odds_for(two) == odds_of(two, 2) != odds_of(two, 1)


async def test_odds_that_cannot_be_computed_are_unknown(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_: object) -> Odds:
        raise ValueError("beyond counting")

    monkeypatch.setattr(ui_odds, "odds_of", fails)
    assert await odds_for(WIKIPEDIA) is None
    assert await bank_edge(WIKIPEDIA) is None
    assert "cannot be counted" in caplog.text


async def test_a_slow_edge_is_not_waited_for_and_is_there_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counted = threading.Event()

    def slow(rules: HouseRules, decks: int) -> Odds:
        counted.wait(60)
        return odds_of(rules, decks)

    monkeypatch.setattr(ui_odds, "odds_of", slow)
    monkeypatch.setattr(ui_odds, "WAIT_SECONDS", 0.02)
    assert await bank_edge(POINTS) is None
    assert not counted.is_set(), "nobody waits for the count"
    counted.set()
    monkeypatch.setattr(ui_odds, "WAIT_SECONDS", 60.0)
    assert await bank_edge(POINTS) == odds_of(POINTS).bank_edge


async def test_odds_are_computed_one_after_another_and_off_the_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at_work: Counter[str] = Counter()
    threads = set()

    def watched(rules: HouseRules, decks: int) -> Odds:
        at_work["now"] += 1
        at_work["most"] = max(at_work["most"], at_work["now"])
        threads.add(threading.current_thread())
        time.sleep(0.01)
        at_work["now"] -= 1
        return odds_of(rules, decks)

    monkeypatch.setattr(ui_odds, "odds_of", watched)
    await asyncio.gather(*(odds_for(rules) for rules in (WIKIPEDIA, POINTS, LODIGE)))
    assert at_work["most"] == 1
    assert threading.main_thread() not in threads
