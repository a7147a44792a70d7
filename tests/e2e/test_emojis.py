"""Cards in texts are emojis of the bot's own once it has uploaded them; each is uploaded once."""

import asyncio
import re
from dataclasses import replace

import pytest

from bot.pictures.piece_art import PIECE_ART
from bot.practice.payloads import emoji_json
from bot.practice.players.board_reader import result_of
from bot.practice.rest.account import MOST_EMOJIS
from bot.rules.cards import CARDS
from bot.rules.tiles import TILES
from bot.ui.board.results import MARKS
from bot.ui.emojis import KINDS, PieceEmojis
from tests.e2e.answers import message_of
from tests.e2e.evening import Evening

EMOJIS = sum(len(set(kind.pieces)) for kind in KINDS.values()) + len(MARKS)
ONE_OF_EACH = f"{CARDS.shown(CARDS.pieces[0])} {TILES.shown(TILES.pieces[0])}"
HAND = re.compile(r"(?:<:card_\w+:\d+>(?:\(\d\))?\W*){5}")
MARK = re.compile(r"<:mark_(?:player|banker|push)_\w+:\d+> ")


def uploads(evening: Evening) -> int:
    return sum(one.method == "POST" and one.path.endswith("/emojis") for one in evening.discord.requests)


async def test_hands_are_told_with_emojis_that_are_uploaded_once(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.ui.emojis.PAUSE_SECONDS", 0.025)
    evening.settings = evening.settings.model_copy(update={"piece_emojis": True})
    await evening.restart()
    await evening.until(lambda: "<:card_AS_" in evening.bot.piece_emojis.in_text("A♠"), "all are uploaded")
    assert uploads(evening) == EMOJIS
    evening.rules = evening.rules.model_copy(update={"last_call_seconds": 60})
    board, (mei, alice) = await evening.table_of("Mei", "Alice")
    await alice.click(board, "20")
    await evening.back(evening.person("Zed"), board, alice, 5)
    await evening.press(mei, board, "Deal")
    await evening.have_cards(mei, alice)
    why = message_of(await alice.click(evening.shown_hand(alice), "Why this hand"))
    assert HAND.search(why.text), why.text
    await evening.reveal(board, alice, mei)
    assert "<:" not in str(board.gallery()[0].description)
    told = result_of(board)
    assert told is not None
    assert MARK.match(told[1][2]), "practice players read the line of a side bet"
    shown = (await evening.told_alone(alice, "round show")).text
    assert len(HAND.findall(shown)) == 2
    assert MARK.search(shown)
    lesson = await evening.told_alone(alice, "learn", game="gnau")
    await alice.click(lesson, "Skip")
    await alice.click(lesson, "No Ox")
    assert HAND.search(lesson.text), lesson.text
    # Another picture of a card is another emoji, and what is there is not uploaded again.
    art, changed = PIECE_ART[CARDS.name], CARDS.pieces[0]
    other = replace(art, emoji=lambda card: art.emoji(CARDS.pieces[1] if card == changed else card))
    monkeypatch.setattr("bot.ui.emojis.PIECE_ART", {**PIECE_ART, CARDS.name: other})
    await evening.restart()
    await evening.until(lambda: uploads(evening) == EMOJIS + 1, "the changed one is uploaded")


async def test_without_emojis_hands_are_told_with_the_signs_of_cards(evening: Evening) -> None:
    evening.settings = evening.settings.model_copy(update={"piece_emojis": True})
    evening.expect_fault(403)
    evening.discord.faults.respond(403, method="GET", route="/applications/{application_id}/emojis")
    await evening.restart()
    board, (mei, alice) = await evening.table_of("Mei", "Alice")
    await alice.click(board, "20")
    await evening.have_cards(mei, alice)
    why = message_of(await alice.click(evening.shown_hand(alice), "Why this hand")).text
    assert "<:" not in why
    assert any(suit in why for suit in "♠♥♣♦")


@pytest.fixture
def plain_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures that take no time to draw."""
    plain = {
        name: replace(art, emoji=lambda piece: b"\x89PNG\r\n\x1a\n" + repr(piece).encode())
        for name, art in PIECE_ART.items()
    }
    monkeypatch.setattr("bot.ui.emojis.PIECE_ART", plain)
    monkeypatch.setattr("bot.ui.emojis.PAUSE_SECONDS", 0.0)


def emojis_of(evening: Evening) -> PieceEmojis:
    """What another process knows of the emojis."""
    return PieceEmojis(evening.bot, evening.bot.stand_back, may_upload=True)


@pytest.mark.usefixtures("plain_pictures")
async def test_two_processes_that_upload_at_once_share_what_is_there(evening: Evening) -> None:
    evening.expect_fault(400)
    old, new = emojis_of(evening), emojis_of(evening)
    await asyncio.gather(old.look(), new.look())
    assert old.in_text(ONE_OF_EACH) == new.in_text(ONE_OF_EACH)
    assert old.in_text(ONE_OF_EACH).count("<:") == 2
    assert len(evening.discord.world.emojis) == EMOJIS


@pytest.mark.usefixtures("plain_pictures")
@pytest.mark.parametrize(("status", "carried_out"), [(429, False), (502, True)])
async def test_an_upload_that_is_limited_or_whose_answer_is_lost_is_made_again(
    evening: Evening, status: int, carried_out: bool
) -> None:
    evening.expect_fault(400, status)
    evening.discord.faults.respond(status, carried_out=carried_out, method="POST", route="/emojis")
    emojis = emojis_of(evening)
    await emojis.look()
    assert emojis.in_text(ONE_OF_EACH).count("<:") == 2
    assert len(evening.discord.world.emojis) == EMOJIS


@pytest.mark.usefixtures("plain_pictures")
async def test_of_a_set_that_is_not_there_whole_no_emoji_is_shown(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    world, first = evening.discord.world, next(iter(KINDS.values()))
    room = len(set(first.pieces)) + 1
    world.emojis += [emoji_json(number, f"other_{number}") for number in range(MOST_EMOJIS - room)]
    evening.expect_fault(400)
    emojis = emojis_of(evening)
    await emojis.look()
    for kind in KINDS.values():
        shown = [emojis.in_text(kind.shown(piece)) for piece in kind.pieces]
        assert all(("<:" in one) == (kind is first) for one in shown)
    del world.emojis[0]
    before = uploads(evening)
    # Nothing is drawn again.
    monkeypatch.setattr("bot.ui.emojis.PIECE_ART", {})
    await emojis.look()
    assert uploads(evening) == before + 2, "what is there is not uploaded again"
