"""The bot does not start with a game that lacks a word, a picture or a row in its ranking."""

from types import MappingProxyType

import pytest

from bot.games.gnau import GNAU
from bot.games.hands import evaluate
from bot.games.lesson import example_hands
from bot.games.register import GAMES
from bot.run import completeness
from bot.run.completeness import IncompleteGameError, check_games, messages_of, what_lacks
from bot.words.catalogue import MESSAGES
from bot.words.catalogue.message import Message

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
    "panel.hand_below.card",
    "panel.choose_three.gnau",
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


def test_a_fact_that_a_message_needs_and_nobody_gives_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = {**MESSAGES, "hand.five_dukes": Message("Five Dukes of {suit}")}
    monkeypatch.setattr(completeness, "MESSAGES", changed)

    assert list(what_lacks(GNAU)) == ["the fact suit of the message hand.five_dukes"]


@pytest.mark.parametrize("code", ["rules.arrange.gnau.strict", "panel.arrange.gnau", "panel.hand_below.card"])
def test_a_fact_of_a_message_that_no_game_gives_facts_is_named_too(
    code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(completeness, "MESSAGES", {**MESSAGES, code: Message("{chips} until <t:{until}>")})

    assert f"the fact chips of the message {code}" in list(what_lacks(GNAU))


def test_a_row_of_the_ranking_without_an_example_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    small = evaluate(GNAU.examples[1], GNAU.rules())
    monkeypatch.setattr(
        completeness,
        "example_hands",
        lambda rules: [hand for hand in example_hands(rules) if hand.rank != small.rank],
    )

    assert list(what_lacks(GNAU)) == ["an example of hand.five_small"]


def test_missing_pictures_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(completeness, "PIECE_ART", {})

    assert list(what_lacks(GNAU)) == ["pictures of its pieces (card)"]


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

    assert of_hands - needed == {"hand.suited", "hand.high", "hand.high_piece", "hand.split"}
