"""A command that no link shows has its names in the reader's language."""

import pytest

from bot.words.translation import Reader, speaking_to, typed_command


@pytest.mark.parametrize(
    ("locale", "typed"),
    [
        ("en", "/round verify round:1200"),
        ("de", "/runde prüfen runde:1200"),
        ("ms", "/round verify round:1200"),
    ],
)
def test_a_command_is_as_the_reader_types_it(locale: str, typed: str) -> None:
    with speaking_to(Reader(locale)):
        assert typed_command("round.verify", round=1200) == typed


def test_a_command_that_there_is_not_is_an_error() -> None:
    with pytest.raises(KeyError, match=r"name\.rounds"):
        typed_command("rounds")
