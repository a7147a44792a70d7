"""A server names its currency, and every amount that its members read is in it."""

import re

import pytest

from bot.practice.person import Person
from tests.e2e.answers import form_of, message_of
from tests.e2e.evening import Evening
from tests.e2e.test_house import preview

EGG = "<:egg:123456789012345678>"
SERVER = "Change: Chips and house bank…"
PLAIN = re.compile(r"\d chips?\b")
"""An amount that is not in the server's currency."""


@pytest.fixture
def mei(evening: Evening) -> Person:
    return evening.person("Mei", manage_server=True)


async def name_currency(evening: Evening, admin: Person, knob: str, value: str) -> str:
    """Sets the name or the emoji.

    Returns:
        The text of the preview.
    """
    shown = await preview(evening, admin, "set", rule=knob, value=value)
    text = shown.text
    await admin.click(shown, "Confirm")
    return text


def everything_seen_by(person: Person, evening: Evening) -> str:
    return "\n".join(seen.text for channel in (evening.channel, person.dm()) for seen in person.sees(channel))


async def test_b02_every_amount_of_a_round_is_in_the_currency_of_the_server(
    evening: Evening, mei: Person
) -> None:
    await name_currency(evening, mei, "currency_name", "eggs")
    await name_currency(evening, mei, "currency_emoji", "🥚")
    alice, bob = evening.persons("Alice", "Bob")
    board = await evening.open_table(mei)
    await evening.take_bank(mei, board)
    await alice.click(board, "20")
    await evening.have_cards(alice)
    panel = await evening.panel(alice, board)
    assert "🥚 20 eggs" in panel.text
    assert "🥚 20 eggs" in alice.sees(alice.dm())[0].text
    await evening.reveal(board, alice, mei)
    await evening.board_says(board, "-# 🧾 receipt 1")
    assert "🥚 1,000 eggs" in (await evening.told_alone(bob, "wallet")).text
    await alice.slash(evening.channel, "give", member=bob, amount=5)
    await evening.until(
        lambda: "**🥚 5 eggs**" in everything_seen_by(bob, evening), "everybody reads what was given"
    )
    for person in (alice, bob, mei):
        assert not PLAIN.search(everything_seen_by(person, evening))


async def test_what_is_pressed_by_direct_message_is_answered_in_the_currency_of_the_table(
    evening: Evening, mei: Person
) -> None:
    evening.rules = evening.rules.model_copy(update={"last_call_seconds": 60})
    await name_currency(evening, mei, "currency_name", "eggs")
    alice = evening.person("Alice")
    board = await evening.open_table(mei)
    await evening.take_bank(mei, board)
    await alice.click(board, "20")
    assert "You have bet 20 eggs." in message_of(await alice.slash(alice.dm(), "help")).text
    await evening.press(mei, board, "Deal")
    await evening.have_cards(alice)
    hand = evening.shown_hand(alice)
    await evening.reveal(board, alice, mei)
    await evening.board_says(board, "-# 🧾 receipt 1")
    await evening.can_press(hand, "Bet 20")
    pressed = message_of(await alice.click(hand, "Bet 20"))
    assert re.search(r"Wallet: [\d,]+ eggs free", pressed.text)
    shown = message_of(await alice.slash(alice.dm(), "hand"))
    assert re.search(r"Wallet: [\d,]+ eggs free", shown.text)
    assert not PLAIN.search(everything_seen_by(alice, evening))


async def test_a_currency_is_shown_reset_and_refused_in_one_sentence(evening: Evening, mei: Person) -> None:
    shown = await name_currency(evening, mei, "currency_name", "gold")
    assert "chips → **gold**" in shown
    shown = await name_currency(evening, mei, "currency_emoji", EGG)
    assert f"none → **{EGG}**" in shown
    page = await preview(evening, mei, "show")
    await mei.click(page, "Show server settings")
    assert "Name of the chips **gold** (default: chips)" in page.text
    form = form_of(await mei.choose(page, SERVER, "currency_name"))
    await mei.submit(form, value="silver")
    await evening.board_says(page, "gold → **silver**")
    for knob, value, said in (
        ("currency_name", "**gold**", "A currency can't be called"),
        ("currency_name", "x" * 25, "at most 24 letters"),
        ("currency_emoji", "egg", "“egg” is not one emoji."),
    ):
        refused = await preview(evening, mei, "set", rule=knob, value=value)
        assert said in refused.text
        assert not refused.buttons()
    assert evening.bot.houses.house_of(evening.server.id).currency.name == "gold"
    await name_currency(evening, mei, "currency_name", "chips")
    await name_currency(evening, mei, "currency_emoji", "none")
    assert "**1,000 chips**" in (await evening.told_alone(mei, "wallet")).text


async def test_by_direct_message_each_server_is_told_in_its_own_currency(
    evening: Evening, mei: Person
) -> None:
    await name_currency(evening, mei, "currency_name", "eggs")
    await evening.told_alone(mei, "wallet")
    other = evening.discord.add_server("Other")
    evening.discord.world.join(other, mei.user)
    elsewhere = message_of(await mei.slash(evening.discord.add_channel(other, "general"), "wallet"))
    assert "chips" in elsewhere.text
    assert "eggs" not in elsewhere.text
    for command in ("wallet", "daily"):
        answer = message_of(await mei.slash(mei.dm(), command))
        of_first, of_other = answer.text.split("Other ·")
        assert ("eggs" in of_first, "chips" in of_first) == (True, False)
        assert ("eggs" in of_other, "chips" in of_other) == (False, True)
