"""`/table open` without a game opens the one that the channel played last."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.practice.person import Person
from bot.practice.servers import Channel
from tests.e2e.answers import message_of
from tests.e2e.evening import Evening
from tests.sizes import sample


async def opened_and_closed(evening: Evening, who: Person, channel: Channel, **options: str) -> str:
    """Opens a table in a channel, and closes it again; returns its game."""
    await evening.open_table(who, channel, **options)
    game = evening.table(channel).rules.game
    await who.slash(channel, "table close")
    return game


@pytest.mark.parametrize("restarted", sample([False, True], 1))
async def test_a_channel_is_offered_the_game_that_it_played_last(evening: Evening, restarted: bool) -> None:
    mei, alice = evening.persons("Mei", "Alice")
    assert await opened_and_closed(evening, mei, evening.channel) == "gnau"
    await opened_and_closed(evening, mei, evening.channel, game="niu-niu", play="points")
    await opened_and_closed(evening, mei, evening.other_channel, game="tau-ngau")
    if restarted:
        await evening.restart()

    # Another channel's newer table makes no difference, and who asks makes none.
    assert await opened_and_closed(evening, alice, evening.channel) == "niu-niu"
    assert await opened_and_closed(evening, mei, evening.other_channel) == "tau-ngau"
    # A thread is a place of its own.
    thread = evening.discord.add_thread(evening.other_channel, "a thread")
    assert await opened_and_closed(evening, mei, thread) == "gnau"
    await evening.open_table(mei)
    assert not evening.table().for_points, "only the game is remembered"
    await mei.slash(evening.channel, "table close")
    # The option wins, and is what was played last from now on.
    assert await opened_and_closed(evening, mei, evening.channel, game="gnau") == "gnau"
    assert await opened_and_closed(evening, mei, evening.channel) == "gnau"


async def test_a_channel_that_is_named_after_a_game_begins_with_it(evening: Evening) -> None:
    mei = evening.person("Mei")
    den = evening.discord.add_channel(evening.server, "our-niu-niu-den")
    assert await opened_and_closed(evening, mei, den) == "niu-niu"
    await opened_and_closed(evening, mei, den, game="tau-ngau")
    assert await opened_and_closed(evening, mei, den) == "tau-ngau", "it played that last"
    for command in ("rules show", "house show"):
        shown = message_of(await evening.person("Admin", manage_server=True).slash(den, command))
        await evening.board_says(shown, "Tau Ngau")
    other = evening.discord.add_channel(evening.server, "tau-ngau")
    await mei.slash(other, "play")
    assert evening.table(other).rules.game == "tau-ngau"


async def test_a_channel_whose_last_table_cannot_be_read_is_offered_the_default(
    evening: Evening, tmp_path: Path
) -> None:
    mei = evening.person("Mei")
    await opened_and_closed(evening, mei, evening.channel, game="niu-niu")
    with closing(sqlite3.connect(tmp_path / "gnau.db")) as database:
        (state,) = database.execute("SELECT state FROM tables").fetchone()
        database.execute("""UPDATE tables SET state = '{"game": "poker"}'""")
        database.commit()
        assert await opened_and_closed(evening, mei, evening.channel) == "gnau"
        # The audit after the test reads it again.
        database.execute("UPDATE tables SET state = ? WHERE number = 1", (state,))
        database.commit()
