"""Hands that players arrange, in a direct message or behind "My hand", and "Why this hand?" (B04)."""

import asyncio
import re
from collections.abc import Sequence
from itertools import combinations

import discord
import pytest

from bot.games.hands import declared, evaluate, is_worse
from bot.games.register import GAMES
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.rules.cards import parse_card, parse_cards
from bot.rules.knobs import Arrange, Dealing
from bot.rules.pieces import Hand, Piece
from bot.table.state import Phase, hand_in
from bot.ui.press.custom_ids import ANY_ROUND, Press, PressAction
from bot.words.hands import against_lines, explanation, hand_name
from tests.e2e.answers import id_of, message_of, offered, pieces_in, press_own, said
from tests.e2e.evening import Evening
from tests.sizes import sample

PICKED = discord.ButtonStyle.primary.value

dealings = pytest.mark.parametrize("dealing", list(Dealing))


async def dealt(
    evening: Evening, arrange: Arrange, dealing: Dealing = Dealing.MESSAGES, *, game: str = "gnau"
) -> tuple[Message, list[Person]]:
    """A table where everybody holds a hand that they may arrange, and its people, the banker first."""
    evening.rules = evening.rules.model_copy(update={"arrange": arrange, "dealing": dealing})
    names = ("Mei", "Alice", "Bob") if GAMES[game].rolls_for_bank else ("Mei", "Alice")
    board, banker, players = await evening.seated_table(game, *names)
    for player in players:
        await player.click(board, "20")
    await evening.until(lambda: evening.table().phase is Phase.DEALT, "the hands are dealt")
    return board, [banker, *players]


async def own_hand(evening: Evening, person: Person, board: Message, rounds: int = 1) -> Message:
    """The newest message that shows a person their hand."""
    if evening.rules.dealing is Dealing.MY_HAND:
        return message_of(await person.click(board, "My hand"))
    await evening.have_cards(person, rounds=rounds)
    return person.sees(person.dm())[-1]


async def squeezed(evening: Evening, board: Message, everybody: Sequence[Person]) -> Message:
    """The first player's message with a hand of the second round, squeezed; the bank is the first of all."""
    banker, player, *_ = everybody
    own = await evening.panel(player, board)
    assert "Hope for" not in own.text
    await press_own(player, own, "Squeeze")
    await evening.reveal(board, player, banker)
    await player.click(board, "5")
    await evening.have_cards(player, rounds=2)
    return evening.shown_hand(player)


async def choose(person: Person, message: Message, three: tuple[int, ...]) -> None:
    """Picks three pieces, in place of those that are picked."""
    picked = picked_in(message)
    for at in (*sorted(picked.difference(three)), *sorted(set(three) - picked)):
        assert (await person.click(message, pieces_in(message)[at])).kind == "update"


def picked_in(message: Message) -> set[int]:
    """The places of the pieces that are picked."""
    return {at for at, piece in enumerate(pieces_in(message)) if piece.style == PICKED}


def strongest(evening: Evening, person: Person) -> Hand:
    """The hand in its strongest arrangement."""
    table = evening.table()
    return evaluate(table.pieces_of(evening.party(person)), table.rules)


def declared_by(evening: Evening, person: Person) -> tuple[int, ...] | None:
    """The places of the three that they declared."""
    place = evening.table().place_of(evening.party(person))
    assert place is not None
    return place.declared_ox


def cards_in(message: Message) -> list[str]:
    """The cards that the picture in a message shows."""
    (picture,) = message.gallery()
    return re.findall(r"[\dAJQK]+[♠♥♦♣]", picture.description or "")


@dealings
@pytest.mark.parametrize("game", sample(GAMES))
async def test_b04_a_hand_is_arranged_in_the_message_that_shows_it_and_played_so(
    evening: Evening, game: str, dealing: Dealing
) -> None:
    board, everybody = await dealt(evening, Arrange.STRICT, dealing, game=game)
    alice = everybody[1]
    message = await own_hand(evening, alice, board)
    before = message.gallery()[0].url
    assert "Pick the three" in message.text
    assert game != "tau-ngau" or "together 10, 20 or 30 pips" in message.text
    table = evening.table()
    for three in ((0, 1, 2), (1, 3, 4)):
        await choose(alice, message, three)
        assert declared_by(evening, alice) == three
        hand = declared(table.pieces_of(evening.party(alice)), three, table.rules)
        assert hand_name(hand).lower() in message.text.lower()
    (picture,) = message.gallery()
    assert picture.url != before
    await evening.reveal(board, *everybody)
    # A tie names the highest card too.
    named = rf"[* ]{re.escape(hand_name(hand))}(\xa0\S+)?( ×\d+)?( \([^)]+\))? (\*\*|🎯)"
    assert re.search(named, board.text)


async def test_b04_an_assisted_house_explains_a_wrong_three_and_keeps_the_hand(evening: Evening) -> None:
    board, (mei, alice) = await dealt(evening, Arrange.ASSISTED)
    message = await own_hand(evening, alice, board)
    table, pieces = evening.table(), evening.table().pieces_of(evening.party(alice))
    right = None
    for three in combinations(range(5), 3):
        await choose(alice, message, three)
        if table.game.is_ox([pieces[at] for at in three], table.rules):
            right = three
            is_best = not is_worse(declared(pieces, three, table.rules), strongest(evening, alice))
            assert ("You found it yourself!" in message.text) == is_best
        else:
            assert re.search(r"✖ \S+ \+ \S+ \+ \S+ = \S+\. Look again", message.text)
            assert "Why this hand" not in offered(message) or right, "the player should find it"
        assert declared_by(evening, alice) == right
    old = id_of(message, "Arrange it for me")
    await alice.click(message, pieces_in(message)[0])
    await alice.click(message, "Arrange it for me")
    assert picked_in(message) == set(declared_by(evening, alice) or ()), "her own picks are gone"
    assert hand_name(strongest(evening, alice)).lower() in message.text.lower()
    assert "You found it yourself!" not in message.text

    await alice.click(board, "Reveal")
    assert "already revealed" in said(await alice.press_raw(message, old))
    await evening.reveal(board, mei)
    late = await alice.press_raw(message, old)
    assert said(late).startswith("Too late: round 1 is over. ")


HOPES = parse_cards("10H JS QC 8C")
"""With an 8 a Double-Ox, with a 2 an Ox of 10."""


def deal_last(monkeypatch: pytest.MonkeyPatch, last: str) -> None:
    """Deals the first hand these four and a last card, and the second one the cards of the pack in order."""
    hand = (*HOPES, parse_card(last))

    def shuffled(pack: Sequence[Piece], _below: object) -> tuple[Piece, ...]:
        rest = [card for card in pack if card not in hand]
        together = zip(hand, rest, strict=False)
        return (*(card for pair in together for card in pair), *rest[len(hand) :])

    monkeypatch.setattr("bot.games.hands.shuffled", shuffled)


@pytest.mark.parametrize(
    ("last", "came"),
    [("8D", "There it is: **8♦**!"), ("2D", "There it is: **2♦**!"), ("7D", None)],
    ids=["best", "next", "none"],
)
async def test_who_squeezes_reads_what_last_card_to_hope_for_whatever_it_is(
    monkeypatch: pytest.MonkeyPatch, evening: Evening, last: str, came: str | None
) -> None:
    # The patch comes before the evening, whose hands are verified at its end.
    deal_last(monkeypatch, last)
    board, everybody = await dealt(evening, Arrange.AUTOMATIC, Dealing.MY_HAND)
    alice = everybody[1]
    message = await squeezed(evening, board, everybody)
    assert "🤞 Hope for **8** (3 of 48): Double-Ox 8 ×3\n" in message.text
    assert "or **2** (4 of 48): Ox of 10\n" in message.text
    assert "You already hold an ox." in message.text
    await alice.click(message, "See the last card")
    assert "Hope for" not in message.text
    assert "There it is" not in message.text if came is None else came in message.text
    await evening.reveal(board, alice, everybody[0])
    await evening.until(lambda: "There it is" not in message.text, "the note is gone with the hand")


async def test_b04_who_arranges_their_hand_is_not_told_what_it_can_become(evening: Evening) -> None:
    board, everybody = await dealt(evening, Arrange.ASSISTED, Dealing.MY_HAND)
    alice = everybody[1]
    message = await squeezed(evening, board, everybody)
    assert "One card is still face down: find out yourself" in message.text
    assert "Hope for" not in message.text
    await alice.click(message, "See the last card")
    assert "Pick the three cards of your ox" in message.text


@pytest.mark.parametrize("dealing", sample(list(Dealing), 1))
async def test_who_squeezes_sees_the_last_card_by_a_press_of_their_own(
    evening: Evening, dealing: Dealing
) -> None:
    board, (mei, alice) = await dealt(evening, Arrange.AUTOMATIC, dealing)
    own = await evening.panel(alice, board)
    assert (await press_own(alice, own, "Squeeze")).kind == "update"
    assert "From now on" in own.text
    assert len(set(cards_in(own))) == 5, "they have seen this one"
    await evening.reveal(board, alice, mei)
    await evening.restart()
    for label in ("Don't squeeze", "Squeeze"):
        # Before the deal, it begins with the hand of this round.
        await press_own(alice, own, label)
    await alice.click(board, "5")
    await evening.have_cards(alice, rounds=2)
    message = evening.shown_hand(alice)
    *_, last = (
        evening.table().game.pieces.shown(one) for one in evening.table().pieces_of(evening.party(alice))
    )
    assert "🤞 Hope for " in message.text
    assert len(cards_in(message)) == 4
    assert last not in cards_in(message)
    assert "Why this hand" not in offered(message)
    (shown,) = message.gallery()
    assert (shown.description or "").endswith("face down")
    old = id_of(message, "See the last card")
    assert (await alice.click(message, "See the last card")).kind == "update"
    assert last in cards_in(message)
    assert "Why this hand" in offered(message)
    assert "face down" not in (message.gallery()[0].description or "")
    assert "Your choice to squeeze" in (await evening.told_alone(alice, "privacy show")).text

    message = await next_hand(evening, board, alice, mei, 3)
    await alice.press_raw(message, old)
    assert len(cards_in(message)) == 4, "that button was of another hand"
    await press_own(alice, message, "Don't squeeze")
    await evening.reveal(board, alice, mei)
    assert "face down" not in message.text


async def next_hand(evening: Evening, board: Message, player: Person, banker: Person, rounds: int) -> Message:
    """The player's message with their next hand."""
    await evening.reveal(board, player, banker)
    await player.click(board, "5")
    await evening.have_cards(player, rounds=rounds)
    return evening.shown_hand(player)


@pytest.mark.parametrize("dealing", sample(list(Dealing), 1))
async def test_who_finds_the_ox_reads_what_is_wrong_and_how_many_they_found_at_once(
    monkeypatch: pytest.MonkeyPatch, evening: Evening, dealing: Dealing
) -> None:
    deal_last(monkeypatch, "8D")
    evening.expect_haste()
    board, (mei, alice) = await dealt(evening, Arrange.AUTOMATIC, dealing)
    own = await evening.panel(alice, board)
    assert (await press_own(alice, own, "Find the ox")).kind == "update"
    assert "From now on, you pick the three yourself." in own.text
    assert "Double-Ox 8" in own.text, "they have seen this one"
    assert not pieces_in(own)
    await evening.reveal(board, alice, mei)
    await evening.restart()
    for label in ("Show the ox", "Find the ox"):
        # Before the deal, it begins with the hand of this round.
        await press_own(alice, own, label)
    await alice.click(board, "5")
    await evening.have_cards(alice, rounds=2)
    message = evening.shown_hand(alice)
    told = evening.table().sequence
    assert "Which three make 10, 20 or 30?" in message.text
    assert "**Double-Ox" not in message.text
    assert "### Double-Ox" not in message.text
    assert cards_in(message) == ["10♥", "J♠", "Q♣", "8♣", "8♦"]
    assert offered(message) >= {"No Ox", "Arrange it for me", "Reveal"}
    assert "Why this hand" not in offered(message)
    await choose(alice, message, (0, 3, 4))
    assert "✖ 10 + 8 + 8 = 26. Look again." in message.text
    await alice.click(message, "No Ox")
    assert "✖ There is one. Look again." in message.text
    first, picture = pieces_in(message), message.gallery()[0].url
    assert [one.label for one in first] == ["10♥", "J♠ = 10", "Q♣ = 10", "8♣", "8♦"]
    forged = first[4].custom_id.removesuffix("4") + "5"
    assert "older version" in said(await alice.press_raw(message, forged))
    # Who is quick presses the next before they see the first.
    await asyncio.gather(*(alice.press_raw(message, one.custom_id) for one in first[:2]))
    await alice.click(message, first[3])
    assert "✖" in message.text
    await choose(alice, message, (0, 1, 2))
    assert message.gallery()[0].url != picture
    assert "### Double-Ox 8\n" in message.text
    assert "✔ You found it yourself!" in message.text
    assert "🎯" not in message.text, "at the third try"
    assert {"Why this hand", "Reveal"} <= offered(message)
    assert not {"No Ox", "Arrange it for me"} & offered(message)
    assert evening.table().sequence == told, "the table is told nothing"
    assert "Your choice to find" in (await evening.told_alone(alice, "privacy show")).text

    message = await next_hand(evening, board, alice, mei, 3)
    await choose(alice, message, (0, 1, 2))
    assert "🎯" not in message.text
    message = await next_hand(evening, board, alice, mei, 4)
    assert "Those buttons are from round 2" in said(await alice.press_raw(message, first[0].custom_id))
    for piece in pieces_in(message)[:2]:
        await alice.click(message, piece)
    third = pieces_in(message)[2].custom_id
    twice = [alice.press_raw(message, third) for _ in "12"]
    assert {reply.kind for reply in await asyncio.gather(*twice)} == {"update", "deferred_update"}
    assert "✔ You found it yourself! 🎯 2 right answers in a row" in message.text
    unanswered = await next_hand(evening, board, alice, mei, 5)
    assert "🎯" not in unanswered.text
    message = await next_hand(evening, board, alice, mei, 6)
    await choose(alice, message, (0, 1, 2))
    assert "✔ You found it yourself! 🎯 3 right answers in a row" in message.text
    message = await next_hand(evening, board, alice, mei, 7)
    await alice.click(message, "Arrange it for me")
    assert "### Double-Ox 8\n" in message.text
    assert "found" not in message.text

    message = await next_hand(evening, board, alice, mei, 8)
    await press_own(alice, message, "Show the ox")
    assert "### " not in message.text.partition("\n")[2]
    assert "**Double-Ox 8**" in message.text


async def test_of_equally_strong_ways_the_picture_has_the_one_that_was_found(
    monkeypatch: pytest.MonkeyPatch, evening: Evening
) -> None:
    deal_last(monkeypatch, "KD")
    board, (mei, alice) = await dealt(evening, Arrange.AUTOMATIC, Dealing.MY_HAND)
    own = await evening.panel(alice, board)
    await press_own(alice, own, "Find the ox")
    message = await next_hand(evening, board, alice, mei, 2)
    for three in ((0, 1, 2), (1, 2, 4)):
        dealt_so = cards_in(message)
        await choose(alice, message, three)
        assert "✔ You found it yourself!" in message.text
        assert cards_in(message)[:3] == [dealt_so[at] for at in three]
        message = await next_hand(evening, board, alice, mei, evening.table().round_number + 1)


async def test_who_squeezes_and_finds_the_ox_sees_the_last_card_first_and_knows_no_hopes(
    monkeypatch: pytest.MonkeyPatch, evening: Evening
) -> None:
    deal_last(monkeypatch, "7D")
    board, (mei, alice) = await dealt(evening, Arrange.AUTOMATIC, Dealing.MY_HAND)
    hers = await evening.panel(mei, board)
    for label in ("Find the ox", "Squeeze"):
        await press_own(mei, hers, label)
    await evening.reveal(board, alice, mei)
    await alice.click(board, "5")
    await evening.have_cards(mei, rounds=2)
    message = evening.shown_hand(mei)
    assert "One card is still face down: find out yourself" in message.text
    assert "Hope for" not in message.text
    assert [one.label for one in message.buttons()] == ["See the last card"]
    await mei.click(message, "See the last card")
    assert "Which three make 10" in message.text
    assert "There it is" not in message.text
    await mei.click(message, "No Ox")
    assert "✔ Right: Five Small needs none." in message.text
    assert "## 🔥 FIVE SMALL" in message.text


async def test_why_this_hand_lists_every_arrangement_of_the_newest_hand(evening: Evening) -> None:
    evening.expect_haste()
    board, (mei, alice) = await dealt(evening, Arrange.AUTOMATIC)
    zed = evening.person("Zed")
    without = Press(PressAction.WHY, evening.table().table_id, ANY_ROUND)
    assert "haven't had a hand here" in said(await zed.press_raw(board, without.custom_id))
    message = await own_hand(evening, alice, board)
    old, hand = id_of(message, "Why this hand"), strongest(evening, alice)
    during = said(await alice.click(message, "Why this hand"))
    assert during.splitlines()[0].startswith(f"### Round 1 · {hand_name(hand)} · ")
    why = "\n".join(explanation(hand, evening.table().rules, named=True))
    assert during.partition("\n")[2] == why
    await evening.reveal(board, alice, mei)
    bankers = hand_in(evening.last_round(), evening.last_round())
    told = "\n".join(against_lines(bankers, hand, evening.table().rules))
    against = f"👑 <@{mei.id}> · {told}"
    after = f"{during}\n{against}"
    assert said(await alice.click(message, "Why this hand")) == after
    assert after.partition("\n")[2] in said(await evening.press(alice, board, "Why this hand"))
    hers = said(await evening.press(mei, board, "Why this hand"))
    assert hand_name(bankers) in hers
    assert against not in hers
    for _ in range(2):
        await alice.click(board, "20")
        await evening.until(lambda: evening.table().phase is Phase.DEALT, "the cards are dealt again")
        await evening.reveal(board, alice, mei)
    assert "from an earlier round" in said(await alice.press_raw(message, old))
