"""Members who write direction overrides, invisible characters and far too much: what others then read."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from bot.practice.person import Person
from bot.practice.replies import Modal, Reply
from bot.table.round_proof import first_mismatch
from bot.ui.press.custom_ids import ANY_ROUND, Press, PressAction
from tests.e2e.answers import message_of, said
from tests.e2e.evening import Evening

OVERRIDES = "\u202e\u2066\u200f"
HIDDEN = f"{OVERRIDES}\u200b\ufeff\u00ad\u3164\x07"
ZALGO = "\u0301" * 30
HOSTILE = f"{OVERRIDES}Al\u200bi{ZALGO}ce*\ufeff\u3164\x07"
SHOWN = "Ali\u0301\u0301\u0301ce"
LONGEST_FORM = 4_000


def without_limits(modal: Modal) -> Modal:
    """The form as a client that was tampered with fills it in."""
    for top in modal.components:
        top.get("component", {}).pop("max_length", None)
    return modal


async def learn_names(evening: Evening) -> None:
    """Has the bot hear of new names of servers and channels."""
    await evening.restart()


async def fill_in(person: Person, opened: Reply, **values: str) -> str:
    assert opened.modal is not None, opened
    return said(await person.submit(without_limits(opened.modal), **values))


def strings_in(value: Any) -> Iterator[str]:
    """Every text in a JSON value."""
    match value:
        case str():
            yield value
        case dict():
            for one in value.values():
                yield from strings_in(one)
        case list():
            for one in value:
                yield from strings_in(one)


def check_what_arrived(evening: Evening) -> None:
    """Nothing that the bot sent has a hidden character or a stack of marks."""
    sent = [text for request in evening.discord.requests for text in strings_in(request.body)]
    assert any(SHOWN in text for text in sent)
    for text in sent:
        assert not set(text) & set(HIDDEN), ascii(text)
        assert "\u0301" * 4 not in text, ascii(text)


async def test_names_notes_words_and_forms_are_shown_clean_and_short(evening: Evening) -> None:
    evening.server.name = f"{HOSTILE} {'🐂' * 80}"
    evening.channel.name = f"{HOSTILE}{'x' * 90}"
    await learn_names(evening)
    alice, mei, zed = evening.persons(HOSTILE, "Mei", "Zed")
    board = await evening.open_table(alice)
    await evening.take_bank(alice, board)
    await evening.can_press(board, "Other…")

    form = await fill_in(mei, await mei.click(board, "Other…"), amount=HOSTILE * 60)
    assert form.startswith(f"“{SHOWN}*")
    assert len(form) < 120
    assert len(await fill_in(mei, await mei.click(board, "Other…"), amount="9" * LONGEST_FORM)) < 120
    bank = Press(PressAction.BANK, evening.table().table_id, ANY_ROUND)
    assert said(await mei.press_raw(board, bank.custom_id)).startswith(f"{SHOWN}\\* is the banker")

    given = message_of(await zed.slash(evening.channel, "give", member=mei, amount=5, note=f"{HOSTILE} luck"))
    assert f"“{SHOWN}\\* luck”" in given.text

    await evening.press(zed, board, "Join")
    await mei.click(board, "20")
    words = f"{HOSTILE} words"
    assert f"“{SHOWN}\\* words”" in (await evening.told_alone(mei, "seed", words=words)).text
    assert f"“{SHOWN}" in (await evening.told_alone(mei, "seed", words="8", table=HOSTILE * 60)).text
    wallet = message_of(await mei.slash(mei.dm(), "wallet"))
    assert f"{SHOWN}\\*" in wallet.text
    stored = message_of(await zed.slash(zed.dm(), "privacy show"))
    assert f"{SHOWN}\\*" in stored.text
    (choice,) = await mei.suggest(mei.dm(), "seed", "table")
    assert choice.name.startswith(f"Table 1 · #{SHOWN}*")

    await zed.click(board, "5")
    await evening.reveal(board, alice, mei, zed)
    check_what_arrived(evening)

    # The words count as they were typed: the file has them, with what cannot be seen escaped.
    shown = await evening.told_alone(mei, "round show")
    assert f"added: {SHOWN}\\* words" in shown.text
    _, file = shown.attachments
    record = evening.discord.world.files[file.id].decode()
    assert not set(record) & set(HIDDEN)
    (chosen,) = json.loads(record)["words"].values()
    assert chosen["words"] == " ".join(words.split())
    assert first_mismatch(record) is None
    check_what_arrived(evening)


@pytest.mark.thorough
async def test_the_question_which_table_fits_into_a_message_whatever_its_channels_are_called(
    evening: Evening,
) -> None:
    channels = [evening.discord.add_channel(evening.server, f"{number}{'_' * 99}") for number in range(5)]
    evening.server.name = "*" * 100
    await learn_names(evening)
    alice = evening.person("Alice")
    for channel in channels:
        board = await evening.open_table(alice, channel)
        await evening.press(alice, board, "Join")

    asked = await alice.slash(alice.dm(), "seed", words="8")

    assert "Which table?" in said(asked)
