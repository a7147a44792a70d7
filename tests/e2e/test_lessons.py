"""`/learn`: three examples, five hands with questions, answers explained, and no chips that move."""

import re
from dataclasses import replace
from typing import Final

import discord
import pytest

from bot.games.gnau.rules import GnauRules
from bot.games.hands import evaluate
from bot.games.lesson import LESSON, has_three_alike, is_right_rank, is_right_three
from bot.games.register import GAMES
from bot.practice.component_tree import Button
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.servers import Channel
from bot.rules.house_rules import HouseRules
from bot.table.state import Heat
from bot.ui.guide.lesson import NO_SERVER, Question, meanwhile_line, question_of
from bot.ui.press.custom_ids import parse_custom_id
from bot.words.hands import explanation, hand_name, rule_words
from bot.words.translation import NO_BREAK
from tests.e2e.answers import in_menu, message_of, said
from tests.e2e.evening import Evening
from tests.e2e.test_statements import counting
from tests.sizes import sample

WON_AND_LOST: Final = {
    "gnau": "- Best hands: `1` **Five Dukes** ×7 · `2` **Five Small** ×7 · `3` **Ngau Tonku** ×5\n"
    "- A loss costs the bet × the **banker's** multiple: up to ×7.\n- The banker wins a tie, but two Five",
    "niu-niu": "- Best hands: `1` **Five Small** ×8 · `2` **Bomb K–A** ×6 · `3` **Five Flowers** ×5\n"
    "- A loss costs the bet × the **banker's** multiple: up to ×8.\n- Between equal hands the highest card",
    "tau-ngau": "**\n- You win or lose what you bet, never more.\n- Equal scores are a push: nobody wins.\n",
}
"""What the end of a lesson says of winning and losing."""


async def learn(person: Person, channel: Channel, **options: str) -> Message:
    """Begins a lesson, and skips its examples."""
    message = message_of(await person.slash(channel, "learn", **options))
    await person.click(message, "Skip")
    return message


def carried(button: Button) -> Question:
    press = parse_custom_id(button.custom_id or "")
    assert press is not None
    return question_of(press)


def is_right(chosen: Question, rules: HouseRules) -> bool:
    if chosen.three is not None:
        return is_right_three(chosen.pieces, chosen.three, rules)
    assert chosen.strength is not None
    return is_right_rank(chosen.pieces, chosen.strength, rules)


async def answer(person: Person, lesson: Message, rules: HouseRules, *, right: bool) -> Question:
    """Presses a right or a wrong answer."""
    button = next(one for one in lesson.buttons() if is_right(carried(one), rules) is right)
    chosen = carried(button)
    await person.click(lesson, button)
    return chosen


@pytest.mark.parametrize(
    ("game", "told", "last_counts"),
    [
        (
            "gnau",
            (
                "= 20**.\nThe other two: **5 + 9 = 14**. The last digit counts: **Ox of 4**.\n",
                "**Double-Ox 8**. If it wins, it pays 3 times the bet.\nThree cards of the same rank, such",
                "3♥ counts as 6: a 3 can count as a 6, and a 6 as a 3.",
            ),
            ["10", "4", "6", "8", "1"],
        ),
        (
            "tau-ngau",
            ("Your discard: **10 + 8 + 2 = 20**.", "[2\u20111] counts as 6", "**No discard**"),
            ["11", "7", "9", "5", "7"],
        ),
        (
            "niu-niu",
            (
                "Your niu: **10 + 8 + 2 = 20**.",
                "0, the best number: **Niu Niu**",
                "as they are.\n**Bomb 8**: four cards of the same rank",
            ),
            [],
        ),
    ],
)
async def test_three_examples_with_points_on_the_cards_come_first(
    evening: Evening, game: str, told: tuple[str, ...], last_counts: list[str]
) -> None:
    alice = evening.person("Alice")
    lesson = message_of(await alice.slash(evening.channel, "learn", game=game))
    for number, words in enumerate(told, start=1):
        assert f"example {number} of 3" in lesson.text
        assert words in lesson.text
        (shown,) = lesson.gallery()
        for sum_ in re.findall(r"\*\*(\d[\d +]+) = ", lesson.text):
            assert all(f"({count})" in (shown.description or "") for count in sum_.split(" + "))
        await alice.click(lesson, "Try it" if number == len(told) else "Next example")
    assert re.findall(r"\((\d+)\)", shown.description or "") == last_counts
    assert "hand 1 of 5" in lesson.text


@pytest.mark.parametrize("game", sample(GAMES))
async def test_t12_five_right_answers_are_explained_and_lead_to_a_table(evening: Evening, game: str) -> None:
    alice = evening.person("Alice")
    rules = GAMES[game].rules()
    lesson = await learn(alice, evening.channel, game=game)
    assert lesson.ephemeral
    for number in range(1, len(LESSON) + 1):
        assert f"hand {number} of {len(LESSON)}" in lesson.text
        pieces = carried(lesson.buttons()[0]).pieces
        # What else is an ox is told where it is in sight.
        is_told = "Three cards of the same rank" in lesson.text
        assert is_told is (game == "gnau" and has_three_alike(pieces, rules))
        (dealt,) = lesson.gallery()
        assert "not arranged yet" in (dealt.description or "")
        chosen = await answer(alice, lesson, rules, right=True)
        assert "✅ Right" in lesson.text
        assert f"**{hand_name(evaluate(chosen.pieces, rules))}**" in lesson.text
        (arranged,) = lesson.gallery()
        assert "not arranged yet" not in (arranged.description or "")
        await alice.click(lesson, "See your result" if number == len(LESSON) else "Next hand")
    assert "**5 of 5 right.** You are ready." in lesson.text
    if game == "tau-ngau":
        assert "in a hand without wild tiles:\n- five odd: no discard" in lesson.text
    assert WON_AND_LOST[game] in lesson.text.replace(NO_BREAK, " ")
    assert "Press **Play now** for a real round." in lesson.text
    assert lesson.gallery() == []
    green = [button.label for button in lesson.buttons() if button.style == discord.ButtonStyle.success.value]
    assert green == ["Play now"]
    await alice.click(lesson, "Play now")
    table = evening.table()
    assert (table.rules.game, table.house_banks) == (game, True)
    if game == "gnau":
        # With a board in the channel, the lesson becomes the member's panel.
        await alice.click(lesson, "Play now")
        await evening.board_says(lesson, "Place your bet")


async def test_wrong_answers_are_explained_and_not_counted(evening: Evening) -> None:
    alice, rules = evening.person("Alice"), evening.rules
    lesson = await learn(alice, evening.channel)
    for number in range(1, len(LESSON) + 1):
        chosen = await answer(alice, lesson, rules, right=False)
        (verdict,) = [line for line in lesson.text.splitlines() if "❌" in line]
        # That three of the same rank are an ox too is told with the second hand.
        assert number > 1 or "same rank" not in verdict
        assert f"**{hand_name(evaluate(chosen.pieces, rules))}**" in lesson.text
        assert explanation(evaluate(chosen.pieces, rules), rules)[0] in lesson.text
        hand = evaluate(chosen.pieces, rules)
        assert rule_words(hand, rules) in lesson.text
        await alice.click(lesson, lesson.buttons()[0])
    assert "**0 of 5 right.** Try five more" in lesson.text
    await alice.click(lesson, "Five more")
    assert "hand 1 of 5" in lesson.text


async def test_the_lesson_goes_by_the_rules_of_the_server(evening: Evening) -> None:
    """A 3 that counts 3 only makes other oxen."""
    evening.rules = GnauRules(flex_3_6=False, five_small=False, triple_ox=False)
    alice = evening.person("Alice")
    for then in ("Press **Play now** for", "Table 1 is open here: press **Play now** to play there."):
        lesson = await learn(alice, evening.channel)
        for _ in LESSON:
            await answer(alice, lesson, evening.rules, right=True)
            assert "✅" in lesson.text
            await alice.click(lesson, lesson.buttons()[0])
        assert "5 of 5" in lesson.text
        assert "`2` **Ngau Tonku** ×5 · `3` **Double-Ox K–A** ×3\n" in lesson.text.replace(NO_BREAK, " ")
        assert then in lesson.text
        assert not re.search("same rank|count as a 6", lesson.text), "no such tip"
        await alice.slash(evening.channel, "play")


async def test_a_lesson_works_by_direct_message_and_after_a_restart(evening: Evening) -> None:
    alice = evening.person("Alice")
    lesson = await learn(alice, alice.dm())
    rules = GnauRules()
    assert carried(lesson.buttons()[0]).server_id == NO_SERVER
    await answer(alice, lesson, rules, right=True)
    await evening.restart()
    for _ in LESSON[1:]:
        await alice.click(lesson, "Next hand")
        await answer(alice, lesson, rules, right=True)
    await alice.click(lesson, "See your result")
    assert "**5 of 5 right.**" in lesson.text
    assert "type **/play** in a channel on your server" in lesson.text


async def test_it_teaches_the_game_that_is_played_where_one_is(evening: Evening) -> None:
    mei, alice = evening.persons("Mei", "Alice")
    board = await evening.open_table(mei, game="niu-niu")
    assert "### Niu Niu" in (await learn(alice, evening.channel)).text
    assert "### Gnau" in (await learn(alice, evening.other_channel)).text
    await evening.press(mei, board, "Join")
    lesson = await learn(mei, mei.dm())
    assert "### Niu Niu" in lesson.text
    assert carried(lesson.buttons()[0]).server_id == evening.server.id
    assert "### Niu Niu" in (await learn(mei, evening.other_channel)).text, "she has a seat elsewhere"
    await evening.press(mei, board, "Close the table")
    assert "### Niu Niu" in (await learn(alice, evening.channel)).text


async def test_who_has_a_part_in_a_round_reads_what_happens_there_during_the_lesson(evening: Evening) -> None:
    board, mei, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    zed, yan = evening.persons("Zed", "Yan")
    await alice.click(board, "20")
    await evening.back(zed, board, alice, 5)
    for person, told in (
        (mei, "once others bet, hands are dealt and revealed automatically. After 3 rounds away, your bank"),
        (alice, "hands reveal automatically, and nothing is bet for you. After 3 rounds away, your seat is"),
        (bob, "nothing is bet for you"),
        (zed, "your side bet is settled with the round."),
    ):
        lesson = await evening.told_alone(person, "learn")
        assert re.search(rf"^-# ⏳ Table 1 goes on: .*{told}", lesson.text, re.MULTILINE), lesson.text
        await person.click(lesson, "Next example")
        assert "⏳" not in lesson.text, "the first page has said it"
    assert "⏳" not in (await evening.told_alone(yan, "learn")).text
    table, banker = evening.table(), evening.party(mei)
    assert "press a button there" in meanwhile_line(table, banker, awaited=banker)
    heat = Heat(1, 1, 1, 5, 0, ())
    assert "I bet the lowest for you" in meanwhile_line(replace(table, heat=heat), banker, awaited=None)


async def test_the_first_board_and_later_its_menu_offer_a_lesson_that_only_its_presser_sees(
    evening: Evening,
) -> None:
    alice, bob = evening.persons("Alice", "Bob")
    board = await evening.open_table(alice, game="niu-niu")
    lesson = message_of(await bob.click(board, "Learn"))
    assert lesson.ephemeral
    assert "Niu Niu · example 1 of 3" in lesson.text
    await evening.can_press(board, "Learn")
    await bob.click(lesson, "Next example")
    assert "example 2 of 3" in lesson.text, "it takes the place of the one before"
    await evening.take_bank(alice, board)
    await bob.click(board, "5")
    await evening.can_press(board, "Reveal")
    assert "Niu Niu · example 1 of 3" in said(await in_menu(bob, board, "learn"))


async def test_a_lesson_stores_nothing_and_stays_until_the_next(evening: Evening) -> None:
    alice = evening.person("Alice")
    await evening.settle_down()
    with counting() as counted:
        lesson = await learn(alice, evening.channel)
        await answer(alice, lesson, evening.rules, right=True)
        await alice.click(lesson, "Next hand")
    assert counted.batches == 0
    assert await evening.bot.croupier.identities.find(evening.server.id, alice.id) == 0
    for command in ("help", "wallet", "rules show"):
        await evening.told_alone(alice, command)
    await evening.settle_down()
    assert lesson in alice.sees(evening.channel)
    second = await learn(alice, evening.channel)
    await evening.until(lambda: lesson not in alice.sees(evening.channel), "the first is gone")
    assert second in alice.sees(evening.channel)


OLD_BUTTONS = (
    "learn:answer:0:poker:1:1:0:1-2-3-4-5:r7",
    "learn:answer:0:gnau:1:1:0:1-2-3-4-5:r999",
    "learn:answer:0:gnau:1:6:0:1-2-3-4-5:r7",
    "learn:answer:0:gnau:1:1:0:1-2-3-4-52:r7",
    "learn:answer:0:tau-ngau:1:1:0:1-2-3-4-21:r7",
    "learn:answer:0:gnau:1:1:0:1-2-3-4-5:t011",
    "learn:answer:0:gnau:1:1:0:1-2-3-4-5:t015",
    "learn:teach:0:gnau:1:4",
    "learn:next:0:gnau:1:0:0",
    "learn:next:0:gnau:1:7:0",
    "learn:next:0:gnau:1:1:1",
    "learn:answer:0:gnau:1:1:0:1-2-3-4-5",
    "learn:next:0:gnau:1:9:0",
    "guide:ranking:poker",
)


async def test_an_old_button_gets_a_sentence(evening: Evening) -> None:
    alice = evening.person("Alice")
    lesson = await learn(alice, evening.channel)
    for custom_id in OLD_BUTTONS:
        assert "older version" in said(await alice.press_raw(lesson, custom_id)), custom_id
