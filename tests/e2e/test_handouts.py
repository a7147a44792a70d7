"""`/daily`: what a member gets and is told, and an evening of one who goes broke and comes back."""

import asyncio
import re
import time
from typing import Final
from unittest.mock import AsyncMock

import pytest

from bot.ledger.changes import Change
from bot.ledger.errors import LedgerUnavailable
from bot.ledger.records import Claim
from bot.practice.person import Person
from bot.rules.knobs import MOST_CHIPS, HouseBank
from bot.words.translation import english
from tests.e2e.answers import labels, message_of, offered, press_own, private, said
from tests.e2e.evening import Evening, unlinked
from tests.taking_chips import take_chips

HOUR = 3600
HIGHEST = 1_000_000
TIME = re.compile(r"<t:(\d+):[Rf]>")


async def daily(evening: Evening, person: Person) -> str:
    """What `/daily` tells this person alone."""
    reply = await person.slash(evening.channel, "daily")
    assert reply.message is not None
    assert reply.message.ephemeral
    return unlinked(said(reply))


def times_in(text: str) -> list[int]:
    """The hours from now until each time that a text names."""
    return [round((int(at) - time.time()) / HOUR) for at in TIME.findall(text)]


async def broke(evening: Evening, *people: Person) -> None:
    """Leaves these people without chips."""
    await evening.chips(*people)
    for person in people:
        await take_chips(evening.bot.croupier, evening.server.id, evening.party(person))


async def test_daily_chips_are_given_once_and_the_answer_says_when_the_next_come(evening: Evening) -> None:
    alice = evening.person("Alice")
    told = await daily(evening, alice)
    assert told.startswith("🎁 You get **100 chips**, and have **1,100** now.\nCome back <t:")
    assert ":R> for **110 chips** · bonus ends <t:" in told
    assert times_in(told) == [20, 44]
    assert await evening.chips(alice) == {"Alice": 1100}

    told = await daily(evening, alice)
    assert re.match(r"Not yet\. Your next `/daily` chips are ready <t:\d+:R>\. You have 1,100 chips\.", told)
    assert "If you have fewer than 50 chips before that, `/daily` brings you back to 100." in told
    assert times_in(told) == [20]
    assert await evening.chips(alice) == {"Alice": 1100}
    ledger = said(await alice.slash(evening.channel, "ledger"))
    assert "**+100** Daily chips" in ledger.splitlines()[0]


async def test_daily_chips_lead_back_to_the_table_of_the_channel(evening: Evening) -> None:
    alice = evening.person("Alice")
    await evening.open_table(alice)
    answer = message_of(await alice.slash(evening.channel, "daily"))
    assert offered(answer) == {"My panel", "Remind me of chips"}
    assert "1,100 chips" in said(await alice.click(answer, "My panel"))


async def test_a_wallet_says_what_is_in_bets_and_what_daily_has_now_later_or_for_who_has_few_chips(
    evening: Evening,
) -> None:
    board, (_, alice) = await evening.table_of("Mei", "Alice")

    async def wallet() -> list[str]:
        return unlinked((await evening.told_alone(alice, "wallet")).text).splitlines()

    coming = "-# `/daily` gives you 100 chips now. With fewer than 50 chips, `/daily` brings you back to 100."
    assert await wallet() == ["**1,000 chips** free, none in bets", coming]
    await daily(evening, alice)
    free, later = await wallet()
    assert free == "**1,100 chips** free, none in bets"
    assert re.fullmatch(
        r"-# `/daily` gives you 110 chips <t:\d+:R>\. With fewer than 50 chips, .* back to 100\.", later
    )
    assert times_in(later) == [20]
    await take_chips(evening.bot.croupier, evening.server.id, evening.party(alice), keep=40)
    await evening.press(alice, board, "5")
    free, held, later = await wallet()
    assert free == "**5 chips** free"
    assert "**35 chips** held at table 1" in held
    assert later.endswith("50 chips after the round, `/daily` brings you back to 100.")
    told = await daily(evening, alice)
    assert times_in(told) == [20]
    assert told.endswith(
        "\n-# You have 35 chips in play. Until the round is over, `/daily` does not bring you back to 100."
    )


async def test_relief_that_is_not_due_when_the_round_ends_is_told_with_its_time(evening: Evening) -> None:
    board, (_, alice) = await evening.table_of("Mei", "Alice")
    await daily(evening, alice)
    await broke(evening, alice)
    await daily(evening, alice)
    await take_chips(evening.bot.croupier, evening.server.id, evening.party(alice), keep=40)
    await evening.press(alice, board, "5")
    wallet = unlinked(said(await alice.slash(evening.channel, "wallet")))
    assert re.search(r"fewer than 50 chips <t:\d+:R>, `/daily` brings you back to 100\.$", wallet)
    assert times_in(wallet) == [20, 4]
    told = await daily(evening, alice)
    assert "in play" not in told
    assert times_in(told) == [20, 4]


async def test_who_goes_broke_gets_relief_and_comes_back_the_next_day(evening: Evening) -> None:
    alice = evening.person("Alice")
    await daily(evening, alice)
    await take_chips(evening.bot.croupier, evening.server.id, evening.party(alice), keep=32)
    told = await daily(evening, alice)
    assert told.startswith("🎁 You get **68 chips**, and have **100** now.\n")
    assert times_in(told) == [20]
    told = await daily(evening, alice)
    assert "If you have fewer than 50 chips <t:" in told
    assert times_in(told) == [20, 4]
    await broke(evening, alice)
    assert times_in(await daily(evening, alice)) == [4], "relief has a cooldown"
    assert await evening.chips(alice) == {"Alice": 0}

    tomorrow = 21 * HOUR
    evening.bot.croupier.now = lambda: time.time() + tomorrow
    told = await daily(evening, alice)
    assert told.startswith("🎁 You get **110 chips**, and have **110** now.")
    assert "2 times in a row! That includes a bonus of 10 chips." in told
    assert await evening.chips(alice) == {"Alice": 110}
    ledger = said(await alice.slash(evening.channel, "ledger"))
    assert "**+110** Daily chips" in ledger.splitlines()[0]
    assert "**+68** Relief" in ledger


POINTS: Final = (
    " Or play for points, which needs no chips: choose points in `/table open`, in another channel."
)
"""What works with too few chips in every house, where there is a table."""


async def test_where_free_chips_are_off_it_says_so_and_nobody_is_sent_there(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.chip_settings = {"daily_chips": 0, "relief_chips": 0, "gifts_per_day": 0}
    board, (_, alice) = await evening.table_of("Mei", "Alice")
    told = await daily(evening, alice)
    assert told == "`/daily` is turned off in this server."
    # Relief waits while a tournament cannot be read.
    monkeypatch.setattr(
        evening.bot.croupier.stored_tournaments, "chips_in_pots", AsyncMock(return_value=None)
    )
    evening.chip_settings |= {"relief_chips": 100}
    told = await daily(evening, alice)
    assert told == "`/daily` can't bring you back to 100 right now. Try again later."
    evening.chip_settings |= {"relief_chips": 0}
    await broke(evening, alice)
    refusal = message_of(await alice.click(board, "5"))
    assert unlinked(refusal.text) == f"You need 35 chips to play here; you have 0 free.{POINTS}"
    assert refusal.buttons() == []
    assert "daily" not in said(await alice.slash(evening.channel, "help"))
    assert await evening.chips(alice) == {"Alice": 0}


async def test_who_has_too_few_chips_is_told_of_daily(evening: Evening) -> None:
    board, mei, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    needs = "You need 35 chips to play here; you have 0 free."
    told = f"{needs} Press **Get chips**: it gives you 100 chips."
    assert needs not in (await evening.panel(alice, board)).text
    await take_chips(evening.bot.croupier, evening.server.id, evening.party(alice), keep=40)
    assert (await evening.panel(alice, board)).button("Max: 5")
    await broke(evening, alice)
    for where in (alice.dm(), evening.channel):
        helped = message_of(await alice.slash(where, "help"))
        assert "You have too few chips to bet. Press **Get chips**: it gives you 100 chips." in helped.text
        assert labels(helped)[0] == "Get chips"
    panel = await evening.panel(alice, board)
    assert told in panel.text
    assert panel.button("Bet 5") is None
    assert "Place your bet" not in panel.text
    assert unlinked(said(await alice.click(board, "5"))) == told
    assert unlinked(said(await alice.slash(evening.channel, "bet", amount=5))) == told
    assert unlinked(said(await alice.slash(evening.channel, "play"))) == told
    await bob.click(board, "5")
    mei_told = said(await mei.slash(evening.channel, "bet", amount=5))
    assert "daily" not in mei_told, "who is refused for something else hears nothing of it"
    await alice.click(panel, "Get chips")
    assert "You get **100 chips**" in panel.text
    assert "Place your bet: from 5 to 14 chips (you have 100; a bet can lose 7\xa0× its size)." in panel.text
    assert panel.button("Bet 5")
    await take_chips(evening.bot.croupier, evening.server.id, evening.party(alice), keep=32)
    refusal = message_of(await alice.click(board, "5"))
    needs = "You need 35 chips to play here; you have 32 free."
    assert unlinked(refusal.text) == f"{needs} Press **Get chips**: it gives you 68 chips."
    await alice.click(refusal, "Get chips")
    assert "Place your bet" in refusal.text, "it becomes the panel"
    await take_chips(evening.bot.croupier, evening.server.id, evening.party(alice), keep=32)
    # Both are taken, and relief comes first again.
    refusal = message_of(await alice.slash(evening.channel, "bet", amount=5))
    assert refusal.button("Get chips") is None
    told = unlinked(refusal.text)
    assert re.search(r"`/daily` brings you back to 100 chips <t:\d+:R>, before your daily chips\.", told)
    assert times_in(told) == times_in(said(await alice.slash(alice.dm(), "help"))) == [4]
    panel = await evening.panel(alice, board)
    assert "before your daily chips." in panel.text
    assert "I'll message you" in said(await alice.click(panel, "Remind me of chips"))


NO_DAILY: Final[dict[str, object]] = {"daily_chips": 0, "relief_chips": 0}


async def test_who_is_broke_and_may_close_the_table_has_one_for_points_in_its_place_by_one_press(
    evening: Evening,
) -> None:
    evening.chip_settings = {**NO_DAILY}
    board, (_, alice) = await evening.table_of("Mei", "Alice", lowest=1, highest=10)
    boss = evening.person("Boss", manage_server=True)
    await broke(evening, alice, boss)
    panels = {one: await evening.panel(one, board) for one in (alice, boss)}
    elsewhere, pressed = "in another channel.", "Or press **Play for points**, which needs no chips."
    for told in (panels[alice], message_of(await alice.slash(evening.channel, "bet", amount=1))):
        assert elsewhere in told.text, "who may not close the table opens another elsewhere"
        assert "Play for points" not in offered(told)
    refusal, helped = [
        message_of(await boss.slash(evening.channel, *command)) for command in (("play",), ("help",))
    ]
    for told in (panels[boss], refusal, helped):
        assert pressed in told.text
        assert elsewhere not in told.text
        assert "Play for points" in offered(told)
    question = message_of(await boss.click(panels[boss], "Play for points"))
    assert "Close table 1?" in question.text
    assert labels(question) == ["Close it, open Gnau"]
    opened = message_of(await boss.click(question, "Close it, open Gnau"))
    assert not opened.ephemeral
    assert "Table 2" in opened.text
    assert evening.table().for_points
    assert evening.table().channel_id == evening.channel.id
    await evening.board_says(board, "An admin closed this table.")


@pytest.mark.parametrize("dealt", [False, True])
async def test_play_for_points_asks_before_bets_go_back_and_waits_for_hands_to_be_played(
    evening: Evening, dealt: bool
) -> None:
    evening.chip_settings = {**NO_DAILY}
    board, (mei, alice, bob) = await evening.table_of("Mei", "Alice", "Bob", lowest=1, highest=10)
    boss = evening.person("Boss", manage_server=True)
    await broke(evening, boss)
    await evening.press(bob, board, "Join")
    await alice.click(board, "5")
    panel = await evening.panel(boss, board)
    question = message_of(await boss.click(panel, "Play for points"))
    assert f"These bets go back: <@{alice.id}> (5)" in question.text
    if dealt:
        await bob.click(board, "5")
        await evening.have_cards(alice, bob, mei)
        told = message_of(await boss.click(question, "Close it, open Gnau"))
        assert told.text == "Table 1 closes after this round."
        assert not evening.table().for_points
        assert "Play for points" not in offered(await evening.panel(boss, board)), "nothing would be opened"
        return
    await boss.click(question, "Close it, open Gnau")
    assert evening.table().for_points


@pytest.mark.parametrize("house_banks", [False, True])
async def test_who_is_broke_reads_beside_the_table_that_play_opens_what_works(
    evening: Evening, house_banks: bool
) -> None:
    if house_banks:
        evening.rules = evening.rules.model_copy(update={"house_bank": HouseBank.WHEN_NOBODY_BANKS})
    alice, bob = evening.persons("Alice", "Bob")
    await broke(evening, alice, bob)
    board = message_of(await alice.slash(evening.channel, "play"))
    assert not board.ephemeral
    await evening.until(lambda: private(alice, board), "a refusal follows the board")
    (told,) = private(alice, board)
    assert "You need 7 chips to play here; you have 0 free." in told.text
    assert offered(told) == {"Get chips"}
    await alice.click(told, "Get chips")
    assert "You get **100 chips**" in told.text
    evening.chip_settings = {**NO_DAILY}
    refusal = message_of(await bob.slash(evening.channel, "play"))
    assert refusal.ephemeral
    assert "You need 7 chips to play here; you have 0 free." in refusal.text


@pytest.mark.parametrize("on_panel", [False, True])
async def test_who_cannot_cover_a_bank_reads_why_they_got_no_dice(evening: Evening, on_panel: bool) -> None:
    mei, alice, bob = evening.persons("Mei", "Alice", "Bob")
    board = await evening.open_table(mei, game="tau-ngau")
    for person in (mei, alice, bob):
        await evening.press(person, board, "Join")
    await evening.can_press(board, "Roll for the bank")
    pressed = await evening.panel(alice, board) if on_panel else board
    await take_chips(evening.bot.croupier, evening.server.id, evening.party(alice), keep=0)
    await alice.click(pressed, "Roll for the bank")
    await evening.until(lambda: evening.table().bank is not None, "the dice have picked a banker")
    assert {throw.party for throw in evening.table().throws} == {evening.party(mei), evening.party(bob)}
    await evening.until(lambda: private(alice, board), "a refusal follows the board")
    why = private(alice, board)[-1]
    await evening.board_says(why, "You need 1 chip to play here; you have 0 free.")
    assert "Get chips" in offered(why)


async def test_who_has_to_wait_for_their_next_table_is_offered_none_for_points(evening: Evening) -> None:
    evening.chip_settings = {**NO_DAILY}
    mei = evening.person("Mei")
    board = await evening.open_table(mei)
    await broke(evening, mei)
    assert "Play for points" in offered(await evening.panel(mei, board))
    evening.chip_settings |= {"table_minutes": 5}
    panel = await evening.panel(mei, board)
    assert "Play for points" not in offered(panel), "the table would be closed, and none opened"
    assert "in another channel" in panel.text


async def test_who_is_out_without_chips_gets_some_on_the_panel_but_not_on_a_break(evening: Evening) -> None:
    board, _, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    await broke(evening, alice, bob)
    panel, bobs = [await evening.panel(one, board) for one in (alice, bob)]
    await press_own(alice, panel, "Leave the table")
    assert "You have left the table.\n" in panel.text, "no seat without chips is offered"
    assert offered(panel) == {"Get chips", "Bank next", "My chips", "Refresh"}
    await alice.click(panel, "Get chips")
    assert {"Bet 5", "Join"} <= offered(panel)
    await evening.bot.croupier.barred.take_break(evening.server.id, evening.party(bob), HOUR)
    await press_own(bob, bobs, "Refresh")
    assert "Get chips" not in offered(bobs)


async def test_the_panel_of_who_has_too_few_chips_reads_what_daily_gives_once(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    board, _, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    await broke(evening, alice)
    ledger, read = evening.bot.croupier.ledger, list[int]()
    last_claim = ledger.last_claim

    async def noted(kind: str, server_id: int, party: int, now: float) -> Claim | None:
        read.append(party)
        return await last_claim(kind, server_id, party, now)

    monkeypatch.setattr(ledger, "last_claim", noted)
    panel = await evening.panel(alice, board)
    for amount in ("5", "10", "20"):
        await bob.click(board, amount)
        await evening.settle_down()
    assert "Press **Get chips**: it gives you 100 chips." in panel.text
    assert read == [evening.party(alice)] * 2, "one look at each kind of chips"


async def test_a_giver_is_told_first_what_a_gift_costs_and_who_gets_it(evening: Evening) -> None:
    evening.chip_settings = {"daily_chips": 0, "gifts_per_day": MOST_CHIPS}
    alice, bob, mei = evening.persons("Alice", "Bob", "Mei")
    await evening.chips(alice)
    await take_chips(evening.bot.croupier, evening.server.id, evening.party(alice), keep=43)
    asked = message_of(await alice.slash(evening.channel, "give", member=bob, amount=40, note="good luck"))
    assert asked.ephemeral
    assert unlinked(asked.text) == (
        f"Give <@{bob.id}> **40 chips**? You'll have 3 left.\n"
        "With fewer than 50 chips, `/daily` brings you back to 100. For a day after this gift, it brings "
        "you only to 60."
    )
    assert await evening.chips(alice, bob) == {"Alice": 43, "Bob": 1000}
    for command in ("wallet", "help"):
        await alice.slash(evening.channel, command)
        await evening.settle_down()
    assert asked in alice.sees(evening.channel), "the question stays until it is answered"
    # Twice at once, it is one gift, and the channel sees it once.
    await asyncio.gather(*(alice.click(asked, "Give 40 chips") for _ in range(2)))
    (seen,) = mei.sees(evening.channel)
    assert seen.text == f"<@{alice.id}> gives <@{bob.id}> **40 chips**. “good luck”"
    assert asked.text == "Done. You have 3 chips left."
    assert await evening.chips(alice, bob) == {"Alice": 3, "Bob": 1040}
    told = await daily(evening, alice)
    less = "-# 40 chips less than usual, because you gave that much away in the last day."
    assert f"You get **57 chips**, and have **60** now.\n{less}" in told


async def test_who_gave_all_chips_away_waits_a_day_for_relief_and_is_told_why(evening: Evening) -> None:
    evening.chip_settings = {"daily_chips": 0, "gifts_per_day": MOST_CHIPS}
    alice, bob = evening.persons("Alice", "Bob")
    told = await daily(evening, alice)
    assert told == "With fewer than 50 chips, `/daily` brings you back to 100. You have 1,000."
    asked = message_of(await alice.slash(evening.channel, "give", member=bob, amount=1000))
    assert "You'll have 0 left." in asked.text
    assert unlinked(asked.text).endswith("For a day after this gift, it does not.")
    await alice.click(asked, "Give 1,000 chips")
    told = await daily(evening, alice)
    assert told.endswith("-# You wait longer because you gave chips away in the last day.")
    assert times_in(told) == [24]
    assert await evening.chips(alice) == {"Alice": 0}
    evening.chip_settings = {"gifts_per_day": MOST_CHIPS}
    asked = message_of(await bob.slash(evening.channel, "give", member=alice, amount=2000))
    assert asked.text.endswith("this gift, it does not. Your daily chips stay the same.")


async def test_by_direct_message_it_tells_what_one_server_gave_though_another_failed(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = evening.person("Alice")
    assert said(await alice.slash(alice.dm(), "daily")) == english("reply.no_server")
    await evening.told_alone(alice, "wallet")
    second, third = map(evening.discord.add_server, ("Second", "Third"))
    for server in (second, third):
        evening.discord.world.join(server, alice.user)
        await alice.slash(evening.discord.add_channel(server, "general"), "wallet")
    commit = evening.bot.croupier.ledger.commit

    async def failing(change: Change) -> None:
        if change.server_id == second.id:
            failed = LedgerUnavailable("disk full")
            failed.is_logged = True
            raise failed
        await commit(change)

    monkeypatch.setattr(evening.bot.croupier.ledger, "commit", failing)
    told = said(await alice.slash(alice.dm(), "daily")).splitlines()
    assert [line.split(" · ")[1][:9] for line in told if " · " in line and "Come back" not in line] == [
        "🎁 You get",
        "Chips can",
        "🎁 You get",
    ]
