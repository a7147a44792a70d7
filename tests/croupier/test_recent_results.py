"""Recent results: the newest ones are remembered, up to the capacity."""

import pytest

from bot.croupier import open_tables
from bot.croupier.open_tables import RecentResults


@pytest.fixture
def results(monkeypatch: pytest.MonkeyPatch) -> RecentResults[int]:
    """Has a capacity of three."""
    monkeypatch.setattr(open_tables, "CAPACITY", 3)
    return RecentResults()


def test_an_unknown_request_has_no_result(results: RecentResults[int]) -> None:
    results.add("a", 1)
    assert (results.get("a"), results.get("b")) == (1, None)


def test_the_oldest_result_is_forgotten_first(results: RecentResults[int]) -> None:
    for number, key in enumerate("abcde"):
        results.add(key, number)
    assert [results.get(key) for key in "abcde"] == [None, None, 2, 3, 4]


def test_a_thousand_requests_later_a_result_is_still_known() -> None:
    results = RecentResults[int]()
    for number in range(1000):
        results.add(str(number), number)
    assert results.get("0") == 0
