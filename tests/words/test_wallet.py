from dataclasses import replace

import pytest

from bot.croupier.gifts import NoGift
from bot.table.accounts import Reason
from bot.table.standings import AS_BANKER, Measure
from bot.ui.leaderboard import Leaders, Shown, leaderboard_words
from bot.words.catalogue import MESSAGES
from bot.words.members import entry_words, given_words
from bot.words.tables import no_gift_words


def test_there_are_words_for_every_reason_and_no_other() -> None:
    said = {code.removeprefix("reason.") for code in MESSAGES if code.startswith("reason.")}

    assert said == {reason.value for reason in Reason}
    assert len({entry_words(reason, 1, None) for reason in Reason}) == len(Reason)


@pytest.mark.parametrize(
    ("reason", "gained", "other", "words"),
    [
        (Reason.GIFT, 50, "<@7>", "Gift from <@7>"),
        (Reason.GIFT, -50, "<@7>", "Gift to <@7>"),
        (Reason.BANKER_WON, -50, "<@7>", "You lost to <@7>"),
        (Reason.OPENING_CHIPS, 1000, None, "Opening chips"),
        (Reason.PLAYER_WON, 50, None, "Player beat the bank"),
    ],
)
def test_a_line_of_the_ledger_says_why_and_names_the_other_member(
    reason: Reason, gained: int, other: str | None, words: str
) -> None:
    assert entry_words(reason, gained, other) == words


@pytest.mark.parametrize(
    ("note", "said"),
    [
        (None, "<@7> gives <@8> **1,500 chips**."),
        ("  ", "<@7> gives <@8> **1,500 chips**."),
        ("for\n# luck", "<@7> gives <@8> **1,500 chips**. “for # luck”"),
        ("<@9> **!**", r"<@7> gives <@8> **1,500 chips**. “\<@9\> \*\*!\*\*”"),
    ],
)
def test_the_note_of_a_gift_is_shown_without_its_markdown(note: str | None, said: str) -> None:
    assert given_words(7, 8, 1500, note) == said


def test_every_refused_gift_has_a_sentence() -> None:
    assert no_gift_words("too_large", chips=400, free=1) == (
        "You can't give 400 chips: you have 1 chip free. Chips held at a table can't be given."
    )
    for code in NoGift:
        assert no_gift_words(code, chips=5, free=2, left=1, resets=1_790_035_200, receiver=8)


def test_a_leaderboard_by_luck_tells_that_of_the_server_too() -> None:
    def last_line(shown: Shown, luck: float | None) -> str:
        return leaderboard_words(shown, Leaders([], luck=luck)).splitlines()[-1]

    by_luck = Shown(Measure.LUCK)
    assert last_line(by_luck, -0.8) == (
        "-# All players of this server together · unluckier than 79 in 100 people: nothing unusual "
        "(0.8 standard deviations below)"
    )
    assert last_line(replace(by_luck, game=AS_BANKER), 3.5) == (
        "-# All banks of this server together · luckier than 9,998 in 10,000 people: very rare "
        "(3.5 standard deviations above)"
    )
    assert "together" not in last_line(by_luck, None)
