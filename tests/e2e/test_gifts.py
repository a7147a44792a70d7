"""Gifts as members make and see them: in the channel, in the ledger, never twice."""

import asyncio
import logging
import re
import time

import pytest

from bot.clock import DAY_SECONDS
from bot.ledger.sqlite.location import database_path
from bot.practice.payloads import interaction_json
from bot.practice.person import Person
from bot.practice.replies import Reply
from bot.rules.knobs import MOST_CHIPS
from bot.ui.press.arrivals import YOUNG_SECONDS
from tests.e2e.answers import id_of, message_of, said
from tests.e2e.evening import Evening
from tests.taking_chips import take_chips

UNASKED: dict[str, object] = {"relief_chips": 0}
"""Settings with which no gift costs its giver relief, so that it is made at once."""


async def give(evening: Evening, giver: Person, receiver: Person, amount: int, **note: str) -> Reply:
    return await giver.slash(evening.channel, "give", member=receiver, amount=amount, **note)


async def test_a_gift_is_public_mentions_its_receiver_and_is_in_both_ledgers(evening: Evening) -> None:
    evening.chip_settings = UNASKED
    alice, bob, mei = evening.persons("Alice", "Bob", "Mei")
    reply = await give(evening, alice, bob, 150, note="for *luck*")
    (seen,) = mei.sees(evening.channel)
    assert reply.message is seen
    assert seen.text == rf"<@{alice.id}> gives <@{bob.id}> **150 chips**. “for \*luck\*”"
    callback = next(request for request in evening.discord.requests if request.path.endswith("/callback"))
    assert callback.body["data"]["allowed_mentions"]["users"] == [bob.id]
    assert await evening.chips(alice, bob) == {"Alice": 850, "Bob": 1150}
    assert not [request for request in evening.budgeted() if request.path.endswith("/messages")]
    for one, line in (
        (alice, f"**−150** Gift to {bob.name} → **850**"),
        (bob, f"**+150** Gift from {alice.name} → **1,150**"),
    ):
        newest, opening = said(await one.slash(evening.channel, "ledger")).splitlines()
        assert line in newest
        assert "Opening chips → **1,000**" in opening


async def test_gifts_to_yourself_to_a_bot_or_out_of_the_server_are_refused(evening: Evening) -> None:
    alice, bob = evening.persons("Alice", "Bob")
    assert "to yourself" in said(await give(evening, alice, alice, 5))
    bot = evening.discord.world.bot
    assert "Bots have no wallet" in said(await alice.slash(evening.channel, "give", member=bot, amount=5))
    evening.discord.world.leave(evening.server, bob.user)
    assert "Chips stay in this server" in said(await give(evening, alice, bob, 5))
    assert await evening.chips(alice) == {"Alice": 1000}


async def test_above_a_days_limit_a_gift_is_refused_with_what_is_left_and_when_it_starts_again(
    evening: Evening,
) -> None:
    evening.chip_settings = UNASKED | {"gifts_per_day": 100}
    noon = time.time() // DAY_SECONDS * DAY_SECONDS + DAY_SECONDS / 2
    # The day must not end before the test.
    evening.bot.croupier.now = lambda: noon
    alice, bob, mei = evening.persons("Alice", "Bob", "Mei")
    await give(evening, alice, bob, 70)
    for giver, receiver, amount, sentence in (
        (alice, mei, 40, "You can still give 30 chips today. The limit resets"),
        (mei, bob, 40, f"<@{bob.id}> can still get 30 chips in gifts today. The limit resets"),
        (alice, bob, 30, ""),
        (alice, mei, 1, "You have reached today's limit for gifts. It resets"),
        (mei, bob, 1, f"<@{bob.id}> can't get any more gifts today. The limit resets"),
    ):
        given = message_of(await give(evening, giver, receiver, amount))
        assert not sentence or re.fullmatch(re.escape(sentence) + r" <t:\d+:R>\.", given.text), given.text
    assert await evening.chips(alice, bob, mei) == {"Alice": 900, "Bob": 1100, "Mei": 1000}


async def test_where_gifts_are_off_it_says_so_and_nobody_is_told_to_ask_for_one(evening: Evening) -> None:
    evening.chip_settings = {"gifts_per_day": 0}
    alice, bob = evening.persons("Alice", "Bob")
    assert said(await give(evening, alice, bob, 1)) == "Gifts are turned off in this server."
    await take_chips(evening.bot.croupier, evening.server.id, evening.party(alice))
    told = (await evening.told_alone(alice, "help")).text
    assert "too few chips" in told
    assert "/give" not in told


async def test_b02_max_bets_what_the_bank_has_room_for_by_then_and_a_plain_amount_is_exact(
    evening: Evening,
) -> None:
    evening.chip_settings = UNASKED | {"gifts_per_day": MOST_CHIPS}
    board, (mei, bob, chan) = await evening.table_of("Mei", "Bob", "Chan")
    for player in (bob, chan):
        await evening.press(player, board, "Join")
    own = await evening.panel(bob, board)
    most, exact = id_of(own, "Max: 100"), id_of(own, "Bet 20")
    await give(evening, mei, chan, 890)
    assert "15 chips at most. 20 is too high" in said(await bob.press_raw(own, exact))
    await evening.board_says(own, "from 5 to 15 chips (the bank has room for no more)")
    await bob.press_raw(own, most)
    assert "You have bet **15 chips**" in own.text
    assert "Bet 15: the bank has room for no more." in own.text


async def test_a_gift_is_on_the_givers_and_the_receivers_panels_at_once(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Longer than the test waits.
    monkeypatch.setattr("bot.ui.hand.panels.QUIET_SECONDS", 600.0)
    board, (_, bob, chan) = await evening.table_of("Mei", "Bob", "Chan")
    for player in (bob, chan):
        await evening.press(player, board, "Join")
    own, hers = await evening.panel(bob, board), await evening.panel(chan, board)
    asked = message_of(await give(evening, bob, chan, 500))
    await bob.click(asked, "Give 500 chips")
    await evening.board_says(own, "Wallet: 500")
    await evening.board_says(hers, "Wallet: 1,500")


@pytest.mark.thorough
async def test_the_board_shows_the_banks_room_for_bets_after_a_gift_and_daily_chips(evening: Evening) -> None:
    evening.chip_settings = UNASKED | {"gifts_per_day": MOST_CHIPS}
    board, (mei, bob) = await evening.table_of("Mei", "Bob")
    await give(evening, mei, bob, 650)
    await evening.board_says(board, "room for bets: 50")
    await mei.slash(evening.channel, "daily")
    await evening.board_says(board, "room for bets: 64")


@pytest.mark.thorough
@pytest.mark.late
async def test_a_gift_that_discord_delivers_again_after_a_while_is_shown_once(evening: Evening) -> None:
    evening.chip_settings = UNASKED
    alice, bob = evening.persons("Alice", "Bob")
    await give(evening, alice, bob, 100)
    await asyncio.sleep(YOUNG_SECONDS + 0.1)
    discord = evening.discord
    *_, gift = discord.world.interactions.values()
    again = interaction_json(gift, discord.world, discord.limits.attachment_bytes)
    discord.gateway.send_raw("INTERACTION_CREATE", again)
    await evening.settle_down()
    (message,) = alice.sees(evening.channel)
    assert "**100 chips**" in message.text
    assert await evening.chips(alice, bob) == {"Alice": 900, "Bob": 1100}


async def test_gifts_while_the_database_is_away_are_one_line_in_the_log(
    evening: Evening, caplog: pytest.LogCaptureFixture
) -> None:
    alice, bob = evening.persons("Alice", "Bob")
    await give(evening, alice, bob, 5)
    database = database_path(evening.settings.database_url)
    away = database.with_name("away.db")
    database.rename(away)
    for _ in range(3):
        assert said(await give(evening, alice, bob, 5)).startswith("Chips can't be moved right now")
    away.rename(database)
    await give(evening, alice, bob, 5)
    assert await evening.chips(alice, bob) == {"Alice": 990, "Bob": 1010}
    told = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert [record.levelname for record in told] == ["ERROR", "WARNING"], caplog.text
    assert str(database) in told[0].getMessage()
    assert told[1].getMessage().endswith("changes that were refused: 3")
    caplog.clear()
