"""*Open again* on the board of a closed table: another table of the same kind, under the same checks."""

import asyncio
from typing import Any

import pytest

from bot.games.gnau.rules import GnauRules
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.servers import Channel, Permission
from bot.rules.knobs import Play
from bot.table.state import TableState
from tests.e2e.answers import message_of, said
from tests.e2e.evening import Evening
from tests.sizes import sample

OPEN_AGAIN = "Open again"
"""Seconds after which Discord gives up on an interaction."""


async def a_closed_table(evening: Evening, channel: Channel | None = None, **options: Any) -> Message:
    """The board of a table that Mei opened and closed."""
    mei = evening.person("Mei")
    board = await evening.open_table(mei, channel, **options)
    await mei.slash(board.channel, "table close")
    await evening.can_press(board, OPEN_AGAIN)
    return board


def boards_seen(person: Person, channel: Channel) -> list[Message]:
    """The messages for everybody in a channel."""
    return [message for message in person.sees(channel) if not message.ephemeral]


def open_tables(evening: Evening) -> list[TableState]:
    return evening.bot.croupier.tables.all()


@pytest.mark.parametrize("restarted", sample([False, True], 1))
async def test_a_house_may_celebrate_and_a_closed_table_shows_its_evening(
    evening: Evening, restarted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Every round has something remarkable.
    monkeypatch.setattr("bot.table.story.GREAT_MULTIPLE", 0)
    monkeypatch.setattr("bot.table.story.STREAK", 1)
    evening.chip_settings = {"celebrations": restarted}
    board, (mei, alice) = await evening.table_of("Mei", "Alice", lowest=1, highest=10)
    for number in (1, 2):
        await alice.click(board, "5")
        await evening.have_cards(alice, rounds=number)
        await evening.reveal(board, alice, mei)
        await evening.board_says(board, f"-# 🧾 receipt {number}")
        assert ("\n## " in board.text) is (restarted and "±0" not in board.text)
        # A great hand that won is framed in the message that brought it.
        celebrated = restarted and any(one.chips > 0 for one in evening.last_round().players)
        own = alice.sees(alice.dm())[-1]
        await evening.board_says(own, f"Round {number}:")
        assert [one.filename for one in own.attachments] == [
            f"hand-{number}-result{'-framed' if celebrated else ''}.png"
        ]
        assert ("\n## " in own.text) is celebrated
        if restarted and number == 1:
            await evening.restart()
    await mei.slash(board.channel, "table close")
    await evening.board_says(board, "2 rounds were played.", "This table is closed")


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize(
    ("game", "play"), sample([("niu-niu", "points"), ("tau-ngau", "chips"), ("gnau", "points")], 1)
)
async def test_anybody_opens_a_table_of_the_same_game_and_play_again(
    evening: Evening, game: str, play: str, restarted: bool
) -> None:
    old = await a_closed_table(evening, game=game, play=play)
    assert [button.label for button in old.buttons()] == [OPEN_AGAIN, "Tell me"]
    if restarted:
        await evening.restart()
    alice = evening.person("Alice")

    reply = await alice.click(old, OPEN_AGAIN)

    board = reply.message
    assert board is not None
    assert not board.ephemeral
    assert "Table 2" in board.text
    table = evening.table()
    assert (table.number, table.rules.game, table.rules.play) == (2, game, Play(play))
    assert table.opener == evening.party(alice)
    # The new board is in use: Alice's press changes that message.
    await evening.press(alice, board, "Join")
    await evening.board_says(board, f"<@{alice.id}>")
    assert "This table is closed" in old.text


async def test_of_two_clicks_at_once_one_opens_a_table_and_the_other_is_pointed_to_it(
    evening: Evening,
) -> None:
    old = await a_closed_table(evening)
    alice, bob = evening.persons("Alice", "Bob")
    evening.expect_fault(400)
    evening.discord.faults.duplicate("INTERACTION_CREATE")
    evening.discord.faults.hold(0.3, times=1, method="POST", route="callback")

    replies = await asyncio.gather(alice.click(old, OPEN_AGAIN), bob.click(old, OPEN_AGAIN))

    (table,) = open_tables(evening)
    await evening.settle_down()
    _, board = boards_seen(alice, evening.channel)
    alone = [reply for reply in replies if reply.message is not None and reply.message.ephemeral]
    assert [said(reply) for reply in alone] == [
        f"Table {table.number} is already open in this channel. {evening.bot.boards.link(table.table_id)}"
    ]
    assert str(board.id) in said(alone[0])
    # What it is known by is the click, so a later copy of the click finds it.
    assert board.interaction is not None
    assert (table.number, table.table_id) == (2, board.interaction.interaction_id)


async def test_where_the_bot_may_not_keep_a_board_none_is_opened(evening: Evening) -> None:
    thread = evening.discord.add_thread(evening.channel, "a thread")
    closed = [await a_closed_table(evening, channel) for channel in (evening.channel, thread)]
    denied = Permission.SEND_MESSAGES | Permission.SEND_MESSAGES_IN_THREADS | Permission.ATTACH_FILES
    evening.channel.denied[evening.discord.world.bot.id] = denied
    alice = evening.person("Alice")
    missing = ("send messages and attach files", "attach files and send messages in threads")
    for old, names in zip(closed, missing, strict=True):
        assert said(await alice.click(old, OPEN_AGAIN)) == f"I can't show a board here. Allow me to {names}."
    assert not open_tables(evening)


async def test_a_house_that_allows_other_channels_only_says_which(evening: Evening) -> None:
    old = await a_closed_table(evening)
    thread = evening.discord.add_thread(evening.other_channel, "a thread")
    in_thread = await a_closed_table(evening, thread)
    evening.rules = GnauRules(channels=(evening.other_channel.id,))
    alice = evening.person("Alice")

    told = said(await alice.click(old, OPEN_AGAIN))

    assert f"<#{evening.other_channel.id}>" in told
    assert not open_tables(evening)
    # A house that allows a channel allows its threads.
    assert (await alice.click(in_thread, OPEN_AGAIN)).kind == "message"
    assert evening.table(thread).number == 3


async def test_what_no_board_offers_is_refused(evening: Evening) -> None:
    old = await a_closed_table(evening)
    alice = evening.person("Alice")
    for forged in (
        "channel:open",
        "channel:open:poker:chips",
        "channel:open:gnau:money",
        "channel:close:gnau",
    ):
        reply = await alice.press_raw(old, forged)
        assert said(reply) == "That button is from an older version. Use the latest message."
    by_message = message_of(
        await alice.press_raw(await alice.write(alice.dm(), "hello"), "channel:open:gnau:chips")
    )
    assert by_message.text == "Use this in a server."
    assert not open_tables(evening)


async def test_a_table_that_is_closed_after_the_deal_says_goodbye_after_the_settlement(
    evening: Evening,
) -> None:
    board, (mei, alice) = await evening.table_of("Mei", "Alice", lowest=1, highest=10)
    await alice.click(board, "5")
    await evening.have_cards(alice, mei)
    for _ in range(2):
        assert said(await mei.slash(board.channel, "table close")) == "Table 1 closes after this round."
    await evening.board_says(board, "The table closes after this round")
    await evening.press(mei, board, "Keep the table open")
    await evening.until(lambda: "closes after" not in board.text, "the table stays open")
    await evening.press(mei, board, "Close the table")
    await evening.board_says(board, "The table closes after this round")
    dealt = board.components
    await evening.reveal(board, alice, mei)
    await evening.board_says(board, "1 round was played.", "This table is closed", "-# 🧾 receipt 1")
    await evening.can_press(board, OPEN_AGAIN)
    # Somebody sees the board of before.
    board.components = dealt
    for person, told in ((alice, "Round 1: your"), (evening.person("Zed"), "")):
        answer = message_of(await person.click(board, "Reveal"))
        assert "This table is closed. Open a new one" in answer.text
        assert told in answer.text
        assert ("Round 1" in answer.text) is bool(told)


@pytest.mark.parametrize("by_message", sample([False, True], 1))
async def test_who_reveals_last_at_a_table_that_closes_sees_the_result_in_their_own_message(
    evening: Evening, by_message: bool
) -> None:
    board, (mei, alice) = await evening.table_of("Mei", "Alice", lowest=1, highest=10)
    await alice.click(board, "5")
    await evening.have_cards(alice, mei)
    await mei.slash(board.channel, "table close")
    await mei.click(board, "Reveal")
    (sent,) = alice.sees(alice.dm())
    own = sent if by_message else message_of(await alice.click(board, "My hand"))
    await alice.click(own, "Reveal")
    await evening.board_says(board, "This table is closed")
    for told in {own, sent}:
        await evening.board_says(told, "Round 1: your", "This table is closed.")
        assert not told.buttons()
    await evening.until(lambda: not evening.bot.panels._panels, "no panel is kept of a closed table")


async def test_a_table_with_bets_is_closed_only_when_asked_again_and_returns_them(evening: Evening) -> None:
    board, (mei, alice, bob) = await evening.table_of("Mei", "Alice", "Bob", lowest=1, highest=10)
    await evening.press(bob, board, "Join")
    before, questions = await evening.chips(alice, mei), []
    for _ in range(2):
        await alice.click(board, "5")
        asked = await mei.slash(board.channel, "table close")
        assert said(asked) == "Bets are down: 5 chips in all. Closing the table returns them."
        questions.append(message_of(asked))
        if len(questions) == 1:
            await bob.click(board, "5")
            await evening.reveal(board, mei, alice, bob)
            await evening.until(lambda: evening.table().round_number == 2, "the next round is open")
            # The question of a round closes no later one, but asks about it.
            await mei.click(questions[0], "Close the table")
            told = "That round is over. Closing the table returns the bets of round 2."
            assert questions[0].text == told
            before = await evening.chips(alice, mei)
    assert evening.table().bets
    assert "There is no table in this channel" in said(await mei.slash(evening.other_channel, "table close"))
    await mei.click(questions[1], "Close the table")
    await evening.can_press(board, OPEN_AGAIN)
    assert "All bets are returned" in questions[1].text
    assert await evening.chips(alice, mei) == before
