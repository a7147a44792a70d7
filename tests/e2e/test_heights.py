"""How tall boards, *How to play* and lessons are on a phone: measured in a browser at 390 px."""

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from playwright.async_api import Page, ViewportSize

from bot.games.hands import evaluate
from bot.games.lesson import LESSON
from bot.games.register import GAMES, game_of
from bot.pictures.cards import FLAT
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.rules.knobs import BankPasses
from bot.table.story import Feat, Highlight, Story, UnluckyHand
from tests.e2e.evening import Evening
from tests.e2e.phone import NEEDS_CHROMIUM, NEEDS_FONT, Phone, evening_on_a_phone
from tests.e2e.test_house_bank import alone_with_computers

pytestmark = [pytest.mark.thorough, NEEDS_CHROMIUM, NEEDS_FONT]

WITH_RESULT = {3: 600, 4: 600, 6: 700}
"""The most pixels of a board with the last result, headline or not, by the number of players."""
WITHOUT_RESULT = {3: 480, 4: 480, 6: 530}
"""The most pixels of a board without a picture."""
LINE = 22
"""How many pixels more a board with side bets and house rules may have: each has a line, and a backed
player's may break."""
GAMES_AND_SEATS = [
    (name, seats) for name, game in GAMES.items() for seats in (4, 6) if seats <= game.most_players
]
ORDINARY_HANDS = {"gnau": 85, "tau-ngau": 17, "niu-niu": 219}
"""Seeds that deal hands with short names, of which none tie."""
WINNING_HANDS = {"gnau": 5, "tau-ngau": 0, "niu-niu": 3}
"""Seeds with which a player beats the house."""
DESK: ViewportSize = {"width": 1280, "height": 800}
ROOM_ON_DESK = 680
"""A small desktop screen, and how much of its height a panel has at most beside what is around it."""
ONE_SCREEN = 700
"""The most pixels that a phone shows of a message at once."""
NARROWEST_CARD = 45
"""The fewest pixels of a card in a picture of a result."""


@pytest.fixture
async def discord(tmp_path: Path) -> AsyncIterator[tuple[Evening, Page]]:
    async with evening_on_a_phone(tmp_path / "gnau.db") as both:
        yield both


def deal_by(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Lets a seed deal, since a long hand beside a long name breaks a line of a board."""
    monkeypatch.setattr(
        "bot.games.hands.shuffled", lambda pack, _: tuple(Random(seed).sample(pack, len(pack)))
    )


async def begin(
    evening: Evening, phone: Phone, game: str, seats: int
) -> tuple[Message, Person, list[Person]]:
    """A table where a banker and this many players sit, measured before it has a banker."""
    names = ("Alexander", "Bernadette", "Chandra", "Dominique", "Ed", "Fatimah")[:seats]
    people = evening.persons(*names, "Mei")
    board = await evening.open_table(people[-1], game=game)
    for player in people[:-1]:
        await evening.press(player, board, "Join")
    if not evening.table().game.rolls_for_bank:
        await phone.measure(board, "open")
        await evening.take_bank(people[-1], board)
        return board, people[-1], people[:-1]
    await evening.press(people[-1], board, "Join")
    await evening.can_press(board, "Roll for the bank")
    await phone.measure(board, "open")
    await people[0].click(board, "Roll for the bank")
    banker, players = evening.banker_and_players()
    return board, banker, players


@pytest.mark.parametrize("game", GAMES)
async def test_b07_a_board_of_a_banker_and_three_computer_players_fits_a_phone(
    discord: tuple[Evening, Page], monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    evening, page = discord
    deal_by(monkeypatch, ORDINARY_HANDS[game])
    evening.rules = GAMES[game].rules(last_call_seconds=60, computer_players=3)
    evening.chip_settings = {"celebrations": False}
    phone = Phone(evening, page, f"{game}-computers")
    board, banker = await alone_with_computers(evening, game)
    await phone.measure(board, "betting")
    await evening.press(banker, board, "Deal")
    await evening.can_press(board, "Reveal")
    await phone.measure(board, "dealt")
    await evening.reveal(board, banker)
    await phone.measure(board, "result-betting")
    within(phone, 3)


@pytest.mark.parametrize(("game", "seats"), GAMES_AND_SEATS)
async def test_a_board_fits_a_phone(
    discord: tuple[Evening, Page], monkeypatch: pytest.MonkeyPatch, game: str, seats: int
) -> None:
    evening, page = discord
    deal_by(monkeypatch, ORDINARY_HANDS[game])
    evening.rules = GAMES[game].rules(last_call_seconds=0)
    evening.chip_settings = {"celebrations": False}
    phone = Phone(evening, page, f"{game}-{seats}")
    board, banker, players = await begin(evening, phone, game, seats)
    # A closed table tells of a streak too, and of a hand that lost.
    monkeypatch.setattr("bot.ui.board.headlines.STREAK_TOLD", 1)
    stories, told = evening.bot.croupier.stories, evening.bot.croupier.stories.of
    unlucky = unlucky_hand(evening, evening.party(players[0]))
    monkeypatch.setattr(stories, "of", lambda table_id: replace(told(table_id), unlucky=unlucky))
    await phone.measure(board, "betting-first")
    for player in players[:-1]:
        await player.click(board, "5")
    await phone.measure(board, "betting")
    await players[-1].click(board, "5")
    await evening.can_press(board, "Reveal")
    await phone.measure(board, "dealt")
    for player in players:
        await player.click(board, "Reveal")
    await phone.measure(board, "revealed")
    await banker.click(board, "Reveal")
    await evening.board_says(board, "-# 🧾 receipt 1")
    await phone.measure(board, "result")
    if GAMES[game].pieces.name == "card":
        assert await card_width(page) >= NARROWEST_CARD
    for player in players[:-1]:
        await player.click(board, "5")
    await phone.measure(board, "result-betting")
    await close(evening, phone, board)
    within(phone, seats)


@pytest.mark.parametrize("game", GAMES)
async def test_b01_a_board_with_side_bets_in_both_rounds_fits_a_phone(
    discord: tuple[Evening, Page], monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    evening, page = discord
    deal_by(monkeypatch, ORDINARY_HANDS[game])
    # Where the bank has passed, the board has most to tell.
    evening.rules = GAMES[game].rules(last_call_seconds=0, bank_passes=BankPasses.EVERY_ROUND)
    evening.chip_settings = {"celebrations": False}
    phone = Phone(evening, page, f"{game}-side-bets")
    board, banker, players = await begin(evening, phone, game, 4)
    backer = evening.person("Gustavo")
    for number in (1, 2):
        for player in players[:-1]:
            await player.click(board, "5")
        await evening.back(backer, board, players[0], 5)
        await phone.measure(board, "betting" if number == 1 else "result-betting")
        if number == 1:
            await players[-1].click(board, "5")
            await evening.reveal(board, *players, banker)
            await evening.board_says(board, "-# 🧾 receipt 1")
    within(phone, 4, LINE)


@pytest.mark.parametrize(("game", "seats"), GAMES_AND_SEATS)
async def test_a_board_with_any_headline_fits_a_phone(
    discord: tuple[Evening, Page], monkeypatch: pytest.MonkeyPatch, game: str, seats: int
) -> None:
    evening, page = discord
    evening.rules = GAMES[game].rules(last_call_seconds=0)
    deal_by(monkeypatch, ORDINARY_HANDS[game])
    phone = Phone(evening, page, f"{game}-headline-{seats}")
    board, banker, players = await begin(evening, phone, game, seats)
    longest = max(players[:-1], key=lambda player: len(player.name))
    stories, long = evening.bot.croupier.stories, evening.party(longest)
    told, shown = stories.of, list[Highlight | None]([Highlight(Feat.STREAK, long, 5), None])
    ended = min(map(evening.party, players), key=lambda party: party == long)

    def story(table_id: int) -> Story:
        """One with a long streak, and the end of another, in every round; and rounds that were called off."""
        marked = replace(told(table_id), streaks={long: 11}, ended={ended: 12}, longest=(long, 12))
        return replace(marked, highlight=shown[-1], called_off=20)

    monkeypatch.setattr(stories, "of", story)
    all_in = {evening.party(players[0])}
    monkeypatch.setattr(stories, "all_in", lambda _: all_in)

    for player in players[:-1]:
        await player.click(board, "5")
    await phone.measure(board, "betting-all-in")
    await players[-1].click(board, "5")
    await evening.can_press(board, "Reveal")
    await phone.measure(board, "dealt-all-in")
    await evening.reveal(board, *players, banker)
    # Boards have most to tell in a server's first rounds, in which many achieve something.
    await evening.counted()
    # The bank may have passed.
    banker, players = evening.banker_and_players()
    for player in players[:-1]:
        await player.click(board, "5")
    await evening.board_says(board, " 🏅 ")
    bets = [label for button in board.buttons() if (label := button.label or "").isdecimal()]
    await phone.measure(board, "result-all-in")
    all_in.clear()
    await players[0].click(board, bets[-1])
    await phone.measure(board, "result-ended")
    for feat in Feat:
        who = banker if feat is Feat.BANK_BROKEN else longest
        left = 900 if feat in (Feat.ALL_IN, Feat.ALL_IN_LOST) else None
        is_record = feat in (Feat.ALL_IN, Feat.GREAT_HAND, Feat.COMEBACK, Feat.STREAK)
        shown.append(Highlight(feat, evening.party(who), 5, left, is_record))
        # Each bet shows the board again.
        await players[0].click(board, bets[len(shown) % 2])
        await phone.measure(board, f"result-{feat}")
    await players[-1].click(board, "5")
    await evening.can_press(board, "Reveal")
    await evening.press(evening.person_of(evening.table().opener), board, "Close the table")
    await evening.reveal(board, *players, banker)
    await evening.board_says(board, "2 rounds, 20 more called off.")
    await phone.measure(board, "closed")
    within(phone, seats)


async def test_a_private_message_has_one_line_of_codes(discord: tuple[Evening, Page]) -> None:
    evening, page = discord
    zed, mei, ann = watcher(evening), evening.person("Mei"), evening.person("Ann")
    board = await evening.open_table(mei)
    await evening.take_bank(mei, board)
    await evening.press(ann, board, "Join")
    await zed.click(board, "20")
    panel = await evening.panel(zed, board)
    await one_line(page, panel, "🎟️")
    await ann.click(board, "20")
    await evening.can_press(board, "Reveal")
    await evening.board_says(panel, "Your bet: **20 chips**")
    await one_line(page, panel, "🎟️")
    await evening.reveal(board, zed, ann, mei)
    await evening.board_says(panel, "🧾 receipt 1")
    await one_line(page, panel, "🧾")


@pytest.mark.parametrize("game", GAMES)
async def test_a_panel_with_its_result_fits_a_desktop(
    discord: tuple[Evening, Page], monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    evening, page = discord
    evening.rules = GAMES[game].rules(last_call_seconds=0)
    # A panel has most to tell of a first win that is a streak too.
    monkeypatch.setattr("bot.ui.board.headlines.STREAK_TOLD", 1)
    deal_by(monkeypatch, WINNING_HANDS[game])
    await page.set_viewport_size(DESK)
    phone = Phone(evening, page, f"{game}-desk")
    zed = watcher(evening)
    board = await evening.open_table(zed, game=game)
    await zed.click(board, "Play the house")
    panel = await evening.panel(zed, board)
    for number in (1, 2):
        await evening.can_press(panel, "Bet 20")
        await phone.measure(panel, f"betting-{number}")
        await zed.click(panel, "Bet 20")
        await evening.can_press(panel, "Reveal")
        await phone.measure(panel, f"dealt-{number}")
        await zed.click(panel, "Reveal")
        await evening.board_says(panel, f"🧾 receipt {number}")
        await evening.counted()
        await evening.can_press(panel, "Bet 40")
        await phone.measure(panel, f"result-{number}")
    assert "🏅" in panel.text or "⚡" in panel.text
    assert max(phone.heights.values()) <= ROOM_ON_DESK, phone.heights


async def one_line(page: Page, message: Message, sign: str) -> None:
    """Checks that a message has one line of codes, with room for a round of three digits."""
    line = page.locator(f"[data-message-id='{message.id}'] small").filter(has_text=re.compile("🔒|🎟|🧾"))
    await line.filter(has_text=sign).wait_for()
    assert await line.count() == 1
    # A hundred rounds are told by two more signs.
    await line.evaluate("line => line.firstChild.before('99')")
    height, per_line = await line.evaluate(
        "line => [line.getBoundingClientRect().height, parseFloat(getComputedStyle(line).lineHeight)]"
    )
    assert height < 1.5 * per_line, await line.text_content()
    await line.evaluate("line => line.firstChild.remove()")


def unlucky_hand(evening: Evening, party: int) -> UnluckyHand:
    """A hand with a long name that has lost to another."""
    better, good = (evaluate(hand, evening.rules) for hand in game_of(evening.rules).first_hands[:2])
    return UnluckyHand(party, good, better)


async def close(evening: Evening, phone: Phone, board: Message) -> None:
    """Closes the table, whatever bets are down, and measures what the board says of its evening."""
    opener = evening.person_of(evening.table().opener)
    asked = await evening.press(opener, board, "Close the table")
    if asked.message is not None and asked.message.ephemeral:
        await opener.click(asked.message, "Close the table")
    await evening.board_says(board, "1 round was played this session.")
    await phone.measure(board, "closed")


async def card_width(page: Page) -> float:
    """How wide a card is in the picture of a result, in pixels."""
    picture = await page.locator(".body img[src*='round-']").first.element_handle()
    await page.wait_for_function("image => image.complete && image.naturalWidth > 0", arg=picture)
    assert picture is not None
    shown, drawn = await picture.evaluate("image => [image.clientWidth, image.naturalWidth]")
    return float(shown) * FLAT.width / float(drawn)


def within(phone: Phone, seats: int, more: int = 0) -> None:
    """Checks that no board was too tall."""
    most = {
        phase: (WITH_RESULT if phase.startswith(("result", "closed")) else WITHOUT_RESULT)[seats] + more
        for phase in phone.heights
    }
    too_tall = {phase: height for phase, height in phone.heights.items() if height > most[phase]}
    assert not too_tall, phone.heights


def watcher(evening: Evening) -> Person:
    """Zed, who has the page open."""
    return next(person for person in evening.discord.persons.values() if person.name == "Zed")


@pytest.mark.parametrize("game", GAMES)
async def test_how_to_play_is_one_screen(discord: tuple[Evening, Page], game: str) -> None:
    evening, page = discord
    phone = Phone(evening, page, f"{game}-guide")
    zed = watcher(evening)
    guide = await evening.told_alone(zed, "rules show", game=game)
    await phone.measure(guide, "How to play")
    for label in ("Ranking", "Payouts", "Banker", "Words"):
        await zed.click(guide, label)
        await phone.measure(guide, label)
    assert max(phone.heights.values()) <= ONE_SCREEN, phone.heights


@pytest.mark.parametrize("game", GAMES)
async def test_a_question_of_a_lesson_is_one_screen(discord: tuple[Evening, Page], game: str) -> None:
    evening, page = discord
    phone = Phone(evening, page, f"{game}-lesson")
    zed = watcher(evening)
    # Who has a seat also reads what happens at the table meanwhile.
    board = await evening.open_table(evening.person("Mei"))
    await evening.press(zed, board, "Join")
    lesson = await evening.told_alone(zed, "learn", game=game)
    assert "⏳ Table 1 goes on" in lesson.text
    for number in range(1, len(GAMES[game].first_hands) + 1):
        await phone.measure(lesson, f"example-{number}")
        await zed.click(lesson, lesson.buttons()[0])
    for number in range(1, len(LESSON) + 1):
        await phone.measure(lesson, f"question-{number}")
        await zed.click(lesson, lesson.buttons()[0])
        await phone.measure(lesson, f"answer-{number}")
        await zed.click(lesson, lesson.buttons()[0])
    await phone.measure(lesson, "result")
    assert max(phone.heights.values()) <= ONE_SCREEN, phone.heights
