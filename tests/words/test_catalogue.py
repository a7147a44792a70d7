import pytest

from bot.words.catalogue import MESSAGES
from bot.words.catalogue.message import Message, placeholders

WAYS_TO_SHOW = {"", "chips", "signed", "number", "percent", "exactly", "name", "either"}


def test_every_placeholder_has_a_name_and_a_known_way_to_be_shown() -> None:
    for code in MESSAGES:
        message = MESSAGES[code]

        for text in (message.text, message.plural or ""):
            named = placeholders(text)
            assert all(name.isidentifier() for name in named)
            assert set(named.values()) <= WAYS_TO_SHOW


def test_a_plural_has_the_count_and_every_placeholder_of_the_singular() -> None:
    for code in [code for code, message in MESSAGES.items() if message.plural]:
        message = MESSAGES[code]
        assert message.plural is not None
        plural = placeholders(message.plural)

        assert message.counted in plural
        assert placeholders(message.text).items() <= plural.items()


@pytest.mark.parametrize("half", [{"plural": "{n} geese"}, {"counted": "n"}])
def test_a_plural_without_a_count_or_a_count_without_a_plural_is_refused(half: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="1 goose"):
        Message("1 goose", **half)
