"""The forms, and what people write into them."""

from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.practice.component_tree import Kind, walk
from bot.ui.views.modals import AMOUNT, HIGHEST, LOWEST, bank_form, bet_form, form_values, parse_chips
from bot.ui.views.presses import ANY_ROUND, Press, PressAction
from tests.cogs.evenings import LAST_ID
from tests.cogs.messages import sent_form

MOST_CHIPS = 10**12 - 1
PRESS = Press(LAST_ID, 999_999_999, PressAction.BET)

chips = st.integers(1, MOST_CHIPS)


def inputs(data: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The inputs of a form, by their custom_id."""
    parts = walk(data["components"])
    return {part["custom_id"]: part for part in parts if part["type"] == Kind.TEXT_INPUT}


@given(chips)
def test_chips_are_read_however_they_are_written(amount: int) -> None:
    for text in (
        f"{amount}",
        f"{amount:,}",
        f" {amount} ",
        f"{amount:,}".replace(",", " "),
        f"{amount:015}"[-12:],
    ):
        assert parse_chips(text) == amount
    assert parse_chips(f"{amount:,}".replace(",", "\N{NO-BREAK SPACE}")) == amount


@given(st.text())
def test_whatever_is_written_is_so_many_chips_or_an_error_in_words(text: str) -> None:
    chips = chips_or_complaint(text)
    if isinstance(chips, int):
        assert 0 < chips <= MOST_CHIPS
    else:
        assert "is not a number of chips" in chips


def chips_or_complaint(text: str) -> int | str:
    try:
        return parse_chips(text)
    except ValueError as wrong:
        return str(wrong)


@pytest.mark.parametrize(
    "text",
    ["", " ", "0", "-5", "+5", "1.5", "five", "٥", "²", "1e3", "0x10", "1_000", "9" * 13, "5 chips", "2,5"],
)
def test_what_is_no_number_of_chips_is_said_back(text: str) -> None:
    with pytest.raises(ValueError, match="write a whole number") as wrong:
        parse_chips(text)
    assert f'"{text.strip()}"' in str(wrong.value)


@given(lowest=chips, most=chips, last_stake=st.none() | chips)
def test_the_form_for_a_bet_is_one_that_discord_takes(lowest: int, most: int, last_stake: int | None) -> None:
    data = sent_form(bet_form(PRESS, lowest, most, last_stake))
    assert data["custom_id"] == PRESS.custom_id
    amount = inputs(data)[AMOUNT]
    assert amount.get("value") == (None if last_stake is None else str(last_stake))
    assert parse_chips(amount["placeholder"]) == lowest
    label = next(part for part in walk(data["components"]) if part["type"] == Kind.LABEL)
    assert label["description"] == f"From {lowest:,} to {most:,}."


@given(lowest=chips, highest=chips, multiple=st.integers(1, 20))
def test_the_form_for_a_bank_is_one_that_discord_takes(lowest: int, highest: int, multiple: int) -> None:
    data = sent_form(bank_form(Press(LAST_ID, ANY_ROUND, PressAction.BANK), lowest, highest, multiple))
    written = {custom_id: parse_chips(part["value"]) for custom_id, part in inputs(data).items()}
    assert written == {LOWEST: lowest, HIGHEST: highest}
    assert f"{multiple} times" in str(data)


def test_a_form_says_what_it_is_for() -> None:
    titles = {
        action: sent_form(bank_form(Press(1, ANY_ROUND, action), 1, 2, 3))["title"]
        for action in (PressAction.BANK, PressAction.LIMITS)
    }
    assert titles == {PressAction.BANK: "Take the bank", PressAction.LIMITS: "Set limits"}
    side = sent_form(bet_form(Press(1, 1, PressAction.BACK, None, LAST_ID), 1, 2, None))
    assert side["title"] != sent_form(bet_form(PRESS, 1, 2, None))["title"]


async def test_a_form_is_not_kept_in_mind_by_the_library() -> None:
    assert bet_form(PRESS, 5, 100, None).is_finished()


def came_back(data: object) -> discord.Interaction[Any]:
    """An interaction that brings this and nothing else."""
    return cast("discord.Interaction[Any]", SimpleNamespace(data=data))


def test_what_was_written_is_read_by_the_name_of_its_input() -> None:
    components = [
        {"type": 18, "id": 1, "component": {"type": 4, "id": 2, "custom_id": LOWEST, "value": "5"}},
        {"type": 18, "id": 3, "component": {"type": 4, "id": 4, "custom_id": HIGHEST, "value": ""}},
        {"type": 10, "id": 5},
    ]
    data = {"custom_id": PRESS.custom_id, "components": components}
    assert form_values(came_back(data)) == {LOWEST: "5", HIGHEST: ""}


@pytest.mark.parametrize("data", [None, {}, {"components": []}])
def test_a_form_that_brings_nothing_has_no_values(data: object) -> None:
    assert form_values(came_back(data)) == {}
