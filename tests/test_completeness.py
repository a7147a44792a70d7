"""The bot does not start with a game that lacks a word, a picture or a row in its ranking."""

from types import MappingProxyType

import pytest

from bot.games.register import GAMES
from bot.run import completeness
from bot.run.completeness import IncompleteGameError, check_games, messages_of
from bot.words.catalogue import MESSAGES

EACH_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
SAMPLE = (
    "game.gnau",
    "preset.lodige",
    "choice.preset.points",
    "hand.double_ox",
    "hand.nenku",
    "rules.five_dukes_tens",
    "rules.ties.gnau.push",
    "rules.bank.gnau.after-ox",
    "setting.suited_bonus.five",
    "alt.ox.gnau",
    "panel.squeezed.card",
    "why.wrong_rank",
)
"""Messages of every kind, also some that only some house ever shows."""


def test_every_registered_game_is_complete() -> None:
    check_games()


@pytest.mark.parametrize("code", SAMPLE)
def test_a_missing_message_is_named(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    others = {name: message for name, message in MESSAGES.items() if name != code}
    monkeypatch.setattr(completeness, "MESSAGES", MappingProxyType(others))

    with pytest.raises(IncompleteGameError, match=f"gnau lacks the message {code}"):
        check_games()


def test_words_that_a_language_lacks_are_a_warning(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(completeness, "locales", lambda: ("en", "pl"))

    check_games()

    assert [record.getMessage().split(":")[0] for record in caplog.records] == [
        f"{game} lacks words in pl" for game in GAMES
    ]


def test_every_message_of_a_game_is_needed_by_it() -> None:
    """What no game asks for is nobody's, and would be translated in vain."""
    needed = {code for game in GAMES.values() for code in messages_of(game)}

    of_hands = {code for code in MESSAGES if code.startswith("hand.")}

    of_results = {"hand.high", "hand.suit_decides", "hand.tied", "hand.wins_ties"}
    assert of_hands - needed == {"hand.suited", "hand.split", *of_results}
