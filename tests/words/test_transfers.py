import pytest

from bot.table.money import Reason
from bot.words import reason_words
from bot.words.catalogue import MESSAGES


def test_there_are_words_for_every_reason_and_no_other() -> None:
    said = {code.removeprefix("reason.") for code in MESSAGES if code.startswith("reason.")}

    assert said == {reason.value for reason in Reason}
    assert len({reason_words(reason) for reason in Reason}) == len(Reason)


@pytest.mark.parametrize(
    ("reason", "words"),
    [(Reason.OPENING_CHIPS, "Opening chips"), (Reason.PLAYER_WON, "Player beat the bank")],
)
def test_what_a_line_of_the_ledger_says(reason: Reason, words: str) -> None:
    assert reason_words(reason) == words
