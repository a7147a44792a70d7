"""*Open again* on the board of a closed table: another table of the same kind, under the same checks."""

import asyncio
from typing import Any
from unittest.mock import Mock

import pytest

from bot.games.gnau.rules import GnauRules
from bot.games.niu_niu.rules import NiuNiuRules, NiuTies
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.servers import Channel, Permission
from bot.rules.knobs import Play
from bot.table.state import TableState
from bot.ui.components import link_to
from bot.ui.following import FAR_UP
from bot.ui.press.custom_ids import ANY_ROUND, Press, PressAction
from tests.e2e.answers import labels, message_of, said
from tests.e2e.evening import Evening
from tests.sizes import sample

MESSAGES = "/channels/{channel_id}/messages"
OPEN_AGAIN = "Open again"
"""Seconds after which Discord gives up on an interaction."""


async def a_closed_table(evening: Evening, channel: Channel | None = None, **options: Any) -> Message:
    """The board of a table that Mei opened and closed."""
    mei = evening.person("Mei")
    board = await evening.open_table(mei, channel, **options)
    assert "go back" not in said(await mei.slash(board.channel, "table close"))
    await evening.can_press(board, OPEN_AGAIN)
    return board


def boards_seen(person: Person, channel: Channel) -> list[Message]:
    """The messages for everybody in a channel."""
    return [message for message in person.sees(channel) if not message.ephemeral]


def open_tables(evening: Evening) -> list[TableState]:
    return evening.bot.croupier.tables.all()


@pytest.mark.parametrize("celebrates", [True, False])
async def test_a_house_may_celebrate_and_a_closed_table_shows_its_evening(
    evening: Evening, celebrates: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Every round has something remarkable, and each bet is all that its player has.
    monkeypatch.setattr("bot.table.story.GREAT_MULTIPLE", 0)
    monkeypatch.setattr("bot.table.story.STREAK", 1)
    monkeypatch.setattr("bot.croupier.stored_tables.may_celebrate_all_in", lambda *_: True)
    evening.chip_settings = {"celebrations": celebrates}
    # Somebody wins each round.
    evening.rules = NiuNiuRules(niu_ties=NiuTies.BANKER, last_call_seconds=0)
    board, (mei, alice) = await evening.table_of("Mei", "Alice", lowest=1, highest=10, game="niu-niu")
    bob = evening.person("Bob")
    leave = Press(PressAction.LEAVE, evening.table().table_id, ANY_ROUND).custom_id
    for number in (1, 2):
        await alice.click(board, "5")
        if number == 2:
            # Bob has not bet yet.
            await evening.board_says(board, "🔥 **5**" if celebrates else "🪙 **5**")
            await bob.press_raw(board, leave)
        await evening.have_cards(alice, rounds=number)
        await evening.reveal(board, alice, mei)
        await evening.board_says(board, f"-# 🧾 receipt {number}")
        assert board.text.startswith("## ") is celebrates
        # A great hand that won is framed in the message that brought it.
        celebrated = celebrates and any(one.chips > 0 for one in evening.last_round().players)
        own = alice.sees(alice.dm())[-1]
        await evening.board_says(own, f"Round {number}:")
        assert [one.filename for one in own.attachments] == [
            f"hand-{number}-result{'-framed' if celebrated else ''}.png"
        ]
        assert ("\n## " in own.text) is celebrated
        if number == 1:
            await evening.counted()
            await evening.press(bob, board, "Join")
            assert ("🏅 " in board.text) is celebrates
            achieved = evening.bot.croupier.standings.reached_in(evening.table())
            for party in {party for party, _ in achieved}:
                winner = evening.person_of(party)
                shown = message_of(await winner.slash(board.channel, "leaderboard"))
                await winner.click(message_of(await winner.click(shown, "My place")), "Hide me")
            await bob.press_raw(board, leave)
            await evening.press(bob, board, "Join")
            assert "🏅 " not in board.text, "who is hidden has it on their profile only"
            if celebrates:
                await evening.restart()
    await mei.slash(board.channel, "table close")
    await evening.board_says(board, "2 rounds were played this session.", "This table is closed")


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize(
    ("game", "play"), sample([("niu-niu", "points"), ("tau-ngau", "chips"), ("gnau", "points")], 1)
)
async def test_anybody_opens_a_table_of_the_same_game_and_play_again(
    evening: Evening, game: str, play: str, restarted: bool
) -> None:
    old = await a_closed_table(evening, game=game, play=play)
    assert [button.label for button in old.buttons()] == [OPEN_AGAIN, "Tell me of tables here"]
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
    told = f"Table {table.number} is already open in this channel. For another one, use another channel."
    assert [said(reply) for reply in alone] == [f"{told} {evening.bot.boards.link(table.table_id)}"]
    assert str(board.id) in said(alone[0])
    opener, other = (alice, bob) if evening.party(alice) == table.opener else (bob, alice)
    assert labels(await evening.told_alone(other, "table open")) == ["Join", "Play the house"]
    close = await evening.told_alone(opener, "table open")
    assert labels(close) == ["Join", "Play the house", "Close the table"]
    # What it is known by is the click, so a later copy of the click finds it.
    assert board.interaction is not None
    assert (table.number, table.table_id) == (2, board.interaction.interaction_id)
    await opener.click(close, "Close the table")
    assert not open_tables(evening)


async def test_an_admin_who_asks_for_another_game_closes_the_table_that_is_there_and_opens_it(
    evening: Evening,
) -> None:
    boss, zed = evening.person("Boss", manage_server=True), evening.person("Zed")
    board = await evening.open_table(boss)
    asked = {"game": "tau-ngau"}
    assert labels(await evening.told_alone(boss, "table open"))[-1] == "Close the table"
    assert labels(await evening.told_alone(zed, "table open", **asked)) == ["Join", "Play the house"]
    told = await evening.told_alone(boss, "table open", **asked)
    assert labels(told)[-1] == "Close it, open Tau Ngau"
    opened = message_of(await boss.click(told, "Close it, open Tau Ngau"))
    (table,) = open_tables(evening)
    assert (table.number, table.rules.game) == (2, "tau-ngau")
    assert "Table 2" in opened.text
    await evening.board_says(board, "This table is closed")
    # The table that the button names is closed already: nothing else is closed.
    again = message_of(await boss.click(told, "Close it, open Tau Ngau"))
    assert "Table 2 is already open" in again.text
    assert open_tables(evening) == [table]


@pytest.mark.parametrize("why_not", ["maintenance", "channels"])
async def test_where_no_other_table_may_be_opened_the_one_that_is_there_stays(
    evening: Evening, why_not: str
) -> None:
    boss = evening.person("Boss", manage_server=True)
    await evening.open_table(boss)
    told = await evening.told_alone(boss, "table open", game="tau-ngau")
    if why_not == "maintenance":
        await evening.bot.croupier.operation.decide("maintain", 3600)
    else:
        evening.rules = GnauRules(channels=(evening.other_channel.id,))
    refused = said(await boss.click(told, "Close it, open Tau Ngau"))
    assert refused.startswith(("Maintenance: ", "Tables can't be opened here."))
    assert [table.number for table in open_tables(evening)] == [1]


async def test_who_has_to_wait_before_they_open_another_table_keeps_the_one_that_is_there(
    evening: Evening,
) -> None:
    alice = evening.person("Alice")
    board = await evening.open_table(alice)
    (table,) = open_tables(evening)
    for_points = Press(PressAction.OPEN, arguments=("gnau", Play.POINTS, str(table.table_id))).custom_id
    evening.chip_settings = {"table_minutes": 10}
    assert "<t:" in said(await alice.press_raw(board, for_points))
    assert [table.number for table in open_tables(evening)] == [1]


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
    await evening.board_says(board, "1 round was played", "This table is closed", "-# 🧾 receipt 1")
    await evening.can_press(board, OPEN_AGAIN)
    # Somebody sees the board of before.
    board.components = dealt
    for person, told in ((alice, "Round 1: your"), (evening.person("Zed"), "")):
        answer = message_of(await person.click(board, "Reveal"))
        assert "This table is closed. Open a new one" in answer.text
        assert told in answer.text
        assert ("Round 1" in answer.text) is bool(told)


@pytest.mark.parametrize("refused", [False, True])
async def test_a_table_that_closes_below_a_chat_says_goodbye_where_everybody_looks(
    evening: Evening, refused: bool
) -> None:
    board, (mei, alice) = await evening.table_of("Mei", "Alice", lowest=1, highest=10)
    await alice.click(board, "5")
    await evening.can_press(board, "Reveal")
    await evening.press(mei, board, "Give up the bank")
    await evening.reveal(board, alice, mei)
    await evening.board_says(board, "-# 🧾 receipt 1")
    for line in range(FAR_UP + 1):
        await alice.write(evening.channel, f"line {line}")
    told_admins = evening.bot.boards.on_refused = Mock()
    if refused:
        evening.expect_fault(403)
        channel = str(evening.channel.id)
        evening.discord.faults.respond(
            403, times=99, method="POST", route=MESSAGES, when=lambda _, path: channel in path
        )
    asked = message_of(await evening.press(mei, board, "Close the table"))
    assert asked.text == "Close table 1? That ends an evening of 1 round."
    await mei.click(asked, "Close the table")
    assert asked.text == "Table 1 is closed."
    if refused:
        await evening.board_says(board, "1 round was played", "This table is closed")
        assert not told_admins.called, "nobody needs a board of a closed table"
        return
    await evening.until(lambda: board.deleted, "the old board is gone")
    (newest,) = (one for one in alice.sees(evening.channel) if "1 round was played" in one.text)
    assert "This table is closed" in newest.text
    await evening.settle_down()
    assert not newest.deleted


@pytest.mark.parametrize("is_on_its_way", [False, True])
async def test_the_board_of_a_table_that_is_opened_at_once_comes_below_the_goodbye_of_the_one_before(
    evening: Evening, is_on_its_way: bool
) -> None:
    evening.expect_fault(429)
    board, (mei, alice) = await evening.table_of("Mei", "Alice", lowest=1, highest=10)
    await alice.click(board, "5")
    await evening.reveal(board, alice, mei)
    own = await evening.panel(alice, board)
    for line in range(FAR_UP + 1):
        await mei.write(evening.channel, f"line {line}")
    may_show = asyncio.Event()
    if is_on_its_way:
        may_show.set()
        limited = evening.discord.faults.respond(429, method="POST", route=MESSAGES, retry_after=0.5)

    async def until_result_may_show(_: TableState) -> None:
        await may_show.wait()

    evening.bot.boards.until_result_may_show = until_result_may_show
    await mei.slash(board.channel, "table close")
    if is_on_its_way:
        await evening.until(lambda: not limited.times, "the goodbye is on its way")
    await evening.can_press(own, OPEN_AGAIN)
    opened = await alice.click(own, OPEN_AGAIN)
    assert opened.message is not None
    may_show.set()

    def goodbye() -> Message:
        (one,) = (one for one in boards_seen(alice, evening.channel) if "Table 1" in one.text)
        return one

    await evening.until(lambda: "This table is closed" in goodbye().text, "the goodbye is there")
    await evening.settle_down()
    assert goodbye().id < opened.message.id


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
        assert [one.label for one in told.buttons()] == ([] if told.channel.is_dm else [OPEN_AGAIN])
    await evening.until(lambda: not evening.bot.panels._panels, "no panel is kept of a closed table")


@pytest.mark.parametrize("dealt", [False, True])
async def test_a_table_with_bets_is_closed_by_one_yes_however_many_rounds_later(
    evening: Evening, dealt: bool
) -> None:
    board, (mei, alice, bob) = await evening.table_of("Mei", "Alice", "Bob", lowest=1, highest=10)
    await evening.press(bob, board, "Join")
    await alice.click(board, "5")
    asked = await mei.slash(board.channel, "table close")
    assert said(asked) == (
        f"Close table 1 in <#{board.channel.id}>? Bets are down: 5 chips in all. "
        f"These bets go back: <@{alice.id}> (5)."
    )
    assert "There is no table in this channel" in said(await mei.slash(evening.other_channel, "table close"))
    await bob.click(board, "5")
    await evening.reveal(board, mei, alice, bob)
    await evening.until(lambda: evening.table().round_number == 2, "the next round is open")
    before, question = await evening.chips(alice, mei), message_of(asked)
    await alice.click(board, "5")
    if dealt:
        await bob.click(board, "5")
        await evening.have_cards(alice, bob, mei, rounds=2)
    await mei.click(question, "Close the table")
    if dealt:
        assert question.text == "Table 1 closes after this round."
        await evening.board_says(board, "The table closes after this round")
        return
    link = link_to(evening.server.id, board.channel.id, board.id)
    told = f"Round 1 was settled before you pressed. These bets go back: <@{alice.id}> (5)."
    assert question.text == f"Table 1 is closed. {told} How it went: {link}"
    await evening.can_press(board, OPEN_AGAIN)
    assert await evening.chips(alice, mei) == before
