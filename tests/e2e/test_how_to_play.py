"""*How to play*: one screen with a picture, and a page for each detail that replaces it."""

from functools import partial

import pytest

from bot.games.gnau.rules import GnauRules
from bot.games.lesson import example_hands
from bot.games.register import GAMES
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.rules.knobs import HouseBank
from bot.words.hands import hand_name
from bot.words.rules import game_title, goal_words
from bot.words.translation import NO_BREAK
from tests.e2e.answers import in_menu, message_of
from tests.e2e.evening import Evening
from tests.sizes import sample

PAGES = ("Ranking", "Payouts", "Banker", "Words", "Rules")


def lacks(page: Message, label: str) -> bool:
    """Whether a page has no such button, as it has none that leads to itself."""
    return label not in [button.label for button in page.buttons()]


async def how_to_play(evening: Evening, person: Person, **options: str) -> Message:
    return await evening.told_alone(person, "rules show", **options)


@pytest.mark.parametrize("game", sample(GAMES))
async def test_the_first_page_has_an_example_of_every_hand_and_each_page_replaces_it(
    evening: Evening, game: str
) -> None:
    alice = evening.person("Alice")
    page = await how_to_play(evening, alice, game=game)
    (examples,) = page.gallery()
    hands = example_hands(GAMES[game].rules())
    for place, hand in enumerate(hands, start=1):
        # The number, the hand and what it wins stay on one line.
        assert f"`{place}` **{hand_name(hand)}**".replace(" ", NO_BREAK) in page.text
        assert f"{place}. {hand_name(hand)}: " in (examples.description or "")
    above, below = (part["content"].splitlines() for part in page.components if "content" in part)
    assert above == [f"### How to play {game_title(game)}", goal_words(GAMES[game].rules())]
    assert len(below) > 4
    assert all(line.startswith("- ") for line in below[1:])
    assert "is held: the most you can lose." in below[-1]
    assert [button.label for button in page.buttons()] == [*PAGES, "Learn"]
    texts = {page.text}
    for label in (*PAGES, "How to play"):
        reply = await alice.click(page, label)
        assert reply.kind in ("update", "deferred_update")
        await evening.until(partial(lacks, page, label), f"the page {label} is shown")
        assert bool(page.gallery()) is (label == "How to play")
        texts.add(page.text)
    assert len(texts) == 1 + len(PAGES)
    assert alice.sees(evening.channel) == [page]
    await alice.click(page, "Learn")
    assert "· example 1 of 3" in page.text


async def test_it_shows_what_the_house_plays(evening: Evening) -> None:
    evening.rules = GnauRules(five_small=False, multiple_ngau_tonku=9, multiple_five_dukes=4, ties="push")
    alice = evening.person("Alice")
    page = await how_to_play(evening, alice)
    assert "Five Small" not in page.text
    assert "**Ngau\xa0Tonku**\xa0×9" in page.text
    assert "9\xa0× your bet is held" in page.text
    await alice.click(page, "Ranking")
    assert "**Ngau Tonku** ×9: an ox" in page.text
    await alice.click(page, "Payouts")
    await evening.until(lambda: "On average over all hands" in page.text, "the odds are counted")
    assert "A tie is a push" in page.text
    await alice.click(page, "Words")
    assert "- **Five Dukes**: all five are J, Q or K\n- **Ngau Tonku**: an ox, with A♠ and" in page.text
    assert "Ox of 9" not in page.text, "a number explains itself"


async def test_at_a_table_it_shows_the_rules_of_that_table(evening: Evening) -> None:
    mei, alice = evening.persons("Mei", "Alice")
    board = await evening.open_table(mei, game="gnau", play="points")
    page = message_of(await in_menu(alice, board, "rules"))
    assert "No chips are bet" in page.text
    assert "**Five\xa0Dukes**\xa010" in page.text
    await alice.click(page, "Ranking")
    assert "**Ngau Tonku**, 5 points" in page.text
    await evening.press(mei, board, "Close the table")
    await alice.click(page, "Words")
    await alice.click(page, "Ranking")
    assert "**Five Dukes** ×7" in page.text, "the rules of the house are shown"


@pytest.mark.parametrize("house_bank", sample(HouseBank, 1))
async def test_b07_the_banker_page_names_only_what_can_be_pressed(
    evening: Evening, house_bank: HouseBank
) -> None:
    evening.rules = GnauRules(house_bank=house_bank)
    alice = evening.person("Alice")
    page = await how_to_play(evening, alice)
    await alice.click(page, "Banker")
    assert ("Take the bank" in page.text) is (house_bank is not HouseBank.ONLY)
    assert ("Play the house" in page.text) is (house_bank is not HouseBank.OFF)


async def test_a_button_about_a_table_of_another_server_is_refused(evening: Evening) -> None:
    mei = evening.person("Mei")
    await evening.open_table(mei)
    elsewhere = evening.discord.add_server("Elsewhere")
    channel = evening.discord.add_channel(elsewhere, "general")
    zed = evening.discord.add_person("Zed", [elsewhere])
    page = message_of(await zed.slash(channel, "rules show"))
    answer = message_of(await zed.press_raw(page, f"guide:ranking:gnau:{evening.table().table_id}"))
    assert "server" in answer.text
    assert "strongest first" not in answer.text
