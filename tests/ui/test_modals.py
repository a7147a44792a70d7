"""The modals, and what people type into them."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.practice.component_tree import Kind, walk
from bot.table.refusals import Refusal, refuse
from bot.ui.press.custom_ids import ANY_ROUND, Press, PressAction
from bot.ui.press.errors import MemberError, sentence_for
from bot.ui.stakes import (
    AMOUNT,
    HIGHEST,
    LOWEST,
    bank_modal,
    bet_modal,
    entered_chips,
    entered_stake,
    parse_chips,
)
from tests.table.trial_table import banked
from tests.ui.messages import sent_form
from tests.ui.sample_tables import LAST_ID

MOST_CHIPS = 10**15 - 1
PRESS = Press(PressAction.BET_MODAL, LAST_ID, 999_999_999)
BANK_PRESS = Press(PressAction.BANK_MODAL, LAST_ID, ANY_ROUND)

chips = st.integers(1, MOST_CHIPS)


def inputs(data: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The inputs of a modal, by custom_id."""
    parts = walk(data["components"])
    return {part["custom_id"]: part for part in parts if part["type"] == Kind.TEXT_INPUT}


@given(chips)
def test_chips_are_read_in_any_usual_spelling(amount: int) -> None:
    for text in (
        f"{amount}",
        f"{amount:,}",
        f" {amount} ",
        f"{amount:,}".replace(",", " "),
        f"{amount:015}",
    ):
        assert parse_chips(text) == amount
    assert parse_chips(f"{amount:,}".replace(",", "\N{NO-BREAK SPACE}")) == amount


@given(st.text())
def test_any_text_is_a_number_of_chips_or_gets_a_clear_error(text: str) -> None:
    chips = chips_or_complaint(text)
    if isinstance(chips, int):
        assert 0 < chips <= MOST_CHIPS
    else:
        assert "Type a whole number" in chips


def chips_or_complaint(text: str) -> int | str:
    try:
        return parse_chips(text)
    except MemberError as wrong:
        return sentence_for(wrong) or ""


def test_an_amount_comes_from_the_field_of_its_name() -> None:
    press = replace(PRESS, fields={LOWEST: ("5",), HIGHEST: ("",)})
    assert entered_chips(press, LOWEST) == 5
    with pytest.raises(MemberError, match=r"reply\.number_missing"):
        entered_chips(press, HIGHEST)
    with pytest.raises(MemberError, match=r"reply\.incomplete_modal"):
        entered_chips(press, AMOUNT)


def test_what_is_no_bet_is_refused_with_the_limits_of_the_form() -> None:
    table, press = banked().state, replace(PRESS, fields={AMOUNT: ("0",)})
    with pytest.raises(MemberError) as wrong:
        entered_stake(press, table, 14)
    assert sentence_for(wrong.value) == "“0” is not a bet. Type a whole number from 5 to 14."
    with pytest.raises(MemberError, match=r"reply\.no_number"):
        entered_stake(press, table, refuse(Refusal.BANK_EXHAUSTED, lowest=5))
    longest = replace(PRESS, fields={AMOUNT: ("9" * 15,)})
    assert entered_stake(longest, table, 14) == 10**15 - 1, "the table says that it is too high"


@given(own=chips, lowest=chips, most=chips, last_stake=st.none() | chips, multiple=st.integers(1, 20))
def test_b02_discord_accepts_the_bet_modal(
    own: int, lowest: int, most: int, last_stake: int | None, multiple: int
) -> None:
    data = sent_form(bet_modal(PRESS, own, lowest, most, last_stake, multiple))
    assert data["custom_id"] == PRESS.custom_id
    amount = inputs(data)[AMOUNT]
    possible = last_stake is not None and lowest <= last_stake <= most
    assert amount.get("value") == (str(last_stake) if possible else None)
    assert parse_chips(amount["placeholder"]) == lowest
    label = next(part for part in walk(data["components"]) if part["type"] == Kind.LABEL)
    loses = f" You can lose up to {multiple}\xa0× your bet." if multiple > 1 else ""
    assert label["description"] == f"You have {own:,}: bet {lowest:,} to {most:,}.{loses}"


@given(lowest=chips, highest=chips, multiple=st.integers(1, 20))
def test_discord_accepts_the_bank_modal(lowest: int, highest: int, multiple: int) -> None:
    data = sent_form(bank_modal(BANK_PRESS, "Take the bank", str(lowest), str(highest), multiple, 240))
    written = {custom_id: parse_chips(part["value"]) for custom_id, part in inputs(data).items()}
    assert written == {LOWEST: lowest, HIGHEST: highest}
    assert f"{multiple}\\xa0× each" in str(data)


def test_b02_who_takes_the_bank_reads_first_which_bets_it_covers_and_what_a_round_can_cost() -> None:
    banks = sent_form(bank_modal(BANK_PRESS, "Take the bank", "1", "5", 7, 240))
    assert "A round can cost all your free chips. With 240 chips, bets can total 34." in str(banks)
