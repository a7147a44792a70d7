"""A server can call its chips something else; nothing that it types can deform a message."""

import pytest
from pydantic import ValidationError

from bot.rules.server_settings import LONGEST_NAME, ServerSettings

EGG = "<:egg:123456789012345678>"


@pytest.mark.parametrize(
    "name", ["", "gold", "鸡蛋", "duit raya", "Gold-Taler", "D'oh", "RM", "₿", "à la carte", "क्षण", "a" * 24]
)
def test_b02_a_currency_has_a_name_of_letters(name: str) -> None:
    assert ServerSettings(currency_name=name).currency_name == name


@pytest.mark.parametrize(
    "name",
    [
        *("**gold**", "<@1>", "@everyone", "go\nld", "gold`", "[gold](x)", "#gold", "a:b", "a/b"),
        *("\u202egold", "go\u200bld", "go\u2800ld", "g\u0301\u0301\u0301\u0301old"),
        *("42", "🥚", EGG, " gold", "gold ", "a  b", "---", "a" * (LONGEST_NAME + 1), "\U0001d400" * 13),
    ],
)
def test_b02_a_currency_has_no_name_that_could_deform_a_message(name: str) -> None:
    with pytest.raises(ValidationError, match="not_a_currency"):
        ServerSettings(currency_name=name)


@pytest.mark.parametrize("emoji", ["", "🪙", "❤️", "🇲🇾", "👨‍👩‍👧", "1️⃣", EGG, "<a:spin_2:1234567890123456789>"])
def test_b02_an_emoji_is_a_usual_one_or_one_of_a_server(emoji: str) -> None:
    assert ServerSettings(currency_emoji=emoji).currency_emoji == emoji


@pytest.mark.parametrize(
    "emoji",
    [
        *("$", "a", ":egg:", "🥚🥚", "🥚 "),
        *(f"{EGG}{EGG}", "<:egg:1>", "<:é:123456789012345678>", "<@123456789012345678>"),
    ],
)
def test_b02_anything_else_is_no_emoji(emoji: str) -> None:
    with pytest.raises(ValidationError, match="not_an_emoji"):
        ServerSettings(currency_emoji=emoji)
