"""What was answered lately: the newest answers are kept, and no more than there is room for."""

import pytest

from bot.croupier import answers
from bot.croupier.answers import Answers


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Answers[int]:
    """Room for three answers."""
    monkeypatch.setattr(answers, "KEPT", 3)
    return Answers()


def test_what_was_never_asked_has_no_answer(kept: Answers[int]) -> None:
    kept.keep("a", 1)
    assert (kept.get("a"), kept.get("b")) == (1, None)


def test_the_oldest_answer_makes_room_for_the_newest(kept: Answers[int]) -> None:
    for number, key in enumerate("abcde"):
        kept.keep(key, number)
    assert [kept.get(key) for key in "abcde"] == [None, None, 2, 3, 4]


def test_discord_repeats_itself_long_before_an_answer_is_forgotten() -> None:
    kept = Answers[int]()
    for number in range(1000):
        kept.keep(str(number), number)
    assert kept.get("0") == 0
