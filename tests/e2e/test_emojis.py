"""Cards in texts are emojis of the bot's own once it has uploaded them; each is uploaded once."""

import re
from dataclasses import replace

import pytest

from bot.pictures.piece_art import PIECE_ART
from bot.rules.cards import CARDS
from bot.ui.emojis import KINDS
from tests.e2e.evening import Evening

PIECES = sum(len(set(kind.pieces)) for kind in KINDS.values())
HAND = re.compile(r"(?:<:card_\w+:\d+>\W*){5}")


def uploads(evening: Evening) -> int:
    return sum(one.method == "POST" and one.path.endswith("/emojis") for one in evening.discord.requests)


async def test_hands_are_told_with_emojis_that_are_uploaded_once(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.ui.emojis.PAUSE_SECONDS", 0.025)
    evening.settings = evening.settings.model_copy(update={"piece_emojis": True})
    await evening.restart()
    await evening.until(lambda: "<:card_AS_" in evening.bot.piece_emojis.in_text("A♠"), "all are uploaded")
    assert uploads(evening) == PIECES
    board, (mei, alice) = await evening.table_of("Mei", "Alice")
    await alice.click(board, "20")
    await evening.have_cards(mei, alice)
    hand = evening.shown_hand(alice)
    await evening.until(lambda: HAND.search(hand.text), "the hand has emojis")
    await evening.reveal(board, alice, mei)
    assert "<:" not in str(board.gallery()[0].description)
    # Another picture of a card is another emoji, and what is there is not uploaded again.
    art, changed = PIECE_ART[CARDS.name], CARDS.pieces[0]
    other = replace(art, emoji=lambda card: art.emoji(CARDS.pieces[1] if card == changed else card))
    monkeypatch.setattr("bot.ui.emojis.PIECE_ART", {**PIECE_ART, CARDS.name: other})
    await evening.restart()
    await evening.until(lambda: uploads(evening) == PIECES + 1, "the changed one is uploaded")


async def test_without_emojis_hands_are_told_with_the_signs_of_cards(evening: Evening) -> None:
    evening.settings = evening.settings.model_copy(update={"piece_emojis": True})
    evening.expect_fault(403)
    evening.discord.faults.respond(403, method="GET", route="/applications/{application_id}/emojis")
    await evening.restart()
    board, (mei, alice) = await evening.table_of("Mei", "Alice")
    await alice.click(board, "20")
    await evening.have_cards(mei, alice)
    assert "<:" not in evening.shown_hand(alice).text
