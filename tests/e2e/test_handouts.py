"""`/daily`: what a member gets and is told, and an evening of one who goes broke and comes back."""

import asyncio
import re
import time
from typing import Final

import pytest

from bot.ledger.changes import Change
from bot.ledger.errors import LedgerUnavailable
from bot.ledger.records import Claim
from bot.practice.person import Person
from bot.rules.knobs import MOST_CHIPS
from bot.words.translation import english
from tests.e2e.answers import message_of, said
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
    assert told.startswith("You get **100 chips**, and have **1,100** now.\nCome back <t:")
    assert ":R> for **110 chips**: they wait until <t:" in told
    assert times_in(told) == [20, 44]
    assert await evening.chips(alice) == {"Alice": 1100}

    told = await daily(evening, alice)
    assert re.match(r"Not yet\. Your next `/daily` chips are ready <t:\d+:R>\. You have 1,100 chips\.", told)
    assert "If you run out of chips before that, use `/daily` again." in told
    assert times_in(told) == [20]
    assert await evening.chips(alice) == {"Alice": 1100}
    ledger = said(await alice.slash(evening.channel, "ledger"))
    assert "**+100** Daily chips" in ledger.splitlines()[0]


async def test_a_wallet_says_what_is_in_bets_and_what_daily_has_now_later_or_for_who_runs_out(
    evening: Evening,
) -> None:
    board, (_, alice) = await evening.table_of("Mei", "Alice")

    async def wallet() -> list[str]:
        return unlinked((await evening.told_alone(alice, "wallet")).text).splitlines()

    coming = "-# `/daily`: 100 chips now · if you run out: 100 chips"
    assert await wallet() == ["**1,000 chips** free, none in bets", coming]
    await daily(evening, alice)
    free, later = await wallet()
    assert free == "**1,100 chips** free, none in bets"
    assert re.fullmatch(r"-# `/daily`: 110 chips <t:\d+:R> · if you run out: 100 chips", later)
    assert times_in(later) == [20]
    await evening.press(alice, board, "20")
    free, held, _ = await wallet()
    assert free.endswith("chips** free")
    assert " held at table 1" in held


async def test_who_goes_broke_gets_relief_and_comes_back_the_next_day(evening: Evening) -> None:
    alice = evening.person("Alice")
    await daily(evening, alice)
    await broke(evening, alice)
    told = await daily(evening, alice)
    assert told.startswith("You had too few chips to bet. You get **100 chips**, and have **100** now.")
    assert times_in(told) == [20]
    told = await daily(evening, alice)
    assert "you can use `/daily` again <t:" in told
    assert times_in(told) == [20, 4]
    await broke(evening, alice)
    assert times_in(await daily(evening, alice)) == [4], "relief has a cooldown"
    assert await evening.chips(alice) == {"Alice": 0}

    tomorrow = 21 * HOUR
    evening.bot.croupier.now = lambda: time.time() + tomorrow
    told = await daily(evening, alice)
    assert told.startswith("You get **110 chips**, and have **110** now.")
    assert "2 times in a row! That includes a bonus of 10 chips." in told
    assert await evening.chips(alice) == {"Alice": 110}
    ledger = said(await alice.slash(evening.channel, "ledger"))
    assert "**+110** Daily chips" in ledger.splitlines()[0]
    assert "**+100** Relief" in ledger


POINTS: Final = (
    " Or play for points, which needs no chips: choose points in `/table open`, in another channel."
)
"""What works with too few chips in every house, where there is a table."""


async def test_where_free_chips_are_off_it_says_so_and_nobody_is_sent_there(evening: Evening) -> None:
    evening.chip_settings = {"daily_chips": 0, "relief_chips": 0, "gifts_per_day": 0}
    board, (_, alice) = await evening.table_of("Mei", "Alice")
    told = await daily(evening, alice)
    assert told == "`/daily` is turned off in this server."
    await broke(evening, alice)
    refusal = message_of(await alice.click(board, "5"))
    assert unlinked(refusal.text) == f"You need 35 chips to play here; you have 0 free.{POINTS}"
    assert refusal.buttons() == []
    assert "daily" not in said(await alice.slash(evening.channel, "help"))
    assert await evening.chips(alice) == {"Alice": 0}


async def test_who_has_too_few_chips_is_told_of_daily(evening: Evening) -> None:
    board, mei, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    needs = "You need 35 chips to play here; you have 0 free."
    told = f"{needs} `/daily` gives you 100 chips now. Anybody can give you some with `/give`.{POINTS}"
    assert needs not in (await evening.panel(alice, board)).text
    await take_chips(evening.bot.croupier, evening.server.id, evening.party(alice), keep=40)
    assert (await evening.panel(alice, board)).button("Max: 5 × 7 = 35")
    await broke(evening, alice)
    assert "`/daily` gives you 100 chips now." in unlinked(said(await alice.slash(alice.dm(), "help")))
    panel = await evening.panel(alice, board)
    assert told in unlinked(panel.text)
    assert "</daily:" in panel.text, "a press runs it"
    assert panel.button("Bet 5") is None
    assert "Place your bet" not in panel.text
    assert unlinked(said(await alice.click(board, "5"))) == told
    assert unlinked(said(await alice.slash(evening.channel, "bet", amount=5))) == told
    assert unlinked(said(await alice.slash(evening.channel, "play"))) == told
    await bob.click(board, "5")
    mei_told = said(await mei.slash(evening.channel, "bet", amount=5))
    assert "daily" not in mei_told, "who is refused for something else hears nothing of it"
    refusal = message_of(await alice.click(board, "5"))
    assert said(await alice.click(refusal, "Get chips")).startswith("You get **100 chips**")
    await evening.until(lambda: panel.button("Bet 5"), "the panel knows of the chips")
    assert "Place your bet" in panel.text
    await broke(evening, alice)
    await daily(evening, alice)
    await broke(evening, alice)
    # Both are taken, and relief comes first again.
    refusal = message_of(await alice.slash(evening.channel, "bet", amount=5))
    assert refusal.button("Get chips") is None
    told = unlinked(refusal.text)
    assert told.startswith(f"{needs} `/daily` gives you chips <t:")
    assert times_in(told) == times_in(said(await alice.slash(alice.dm(), "help"))) == [4]


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
    assert "`/daily` gives you 100 chips now." in unlinked(panel.text)
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
        "If you run out of chips, `/daily` gives you 100 chips of relief. For a day after this gift, it "
        "would be only 60."
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
    await broke(evening, alice)
    told = await daily(evening, alice)
    less = "-# 40 chips less than usual, because you gave that much away in the last day."
    assert f"You get **60 chips**, and have **60** now.\n{less}" in told


async def test_who_gave_all_chips_away_waits_a_day_for_relief_and_is_told_why(evening: Evening) -> None:
    evening.chip_settings = {"daily_chips": 0, "gifts_per_day": MOST_CHIPS}
    alice, bob = evening.persons("Alice", "Bob")
    told = await daily(evening, alice)
    assert told == "`/daily` is for members with too few chips to bet. You have 1,000 chips."
    asked = message_of(await alice.slash(evening.channel, "give", member=bob, amount=1000))
    assert "You'll have 0 left." in asked.text
    assert unlinked(asked.text).endswith("there would be none.")
    await alice.click(asked, "Give 1,000 chips")
    told = await daily(evening, alice)
    assert told.endswith("-# You wait longer because you gave chips away in the last day.")
    assert times_in(told) == [24]
    assert await evening.chips(alice) == {"Alice": 0}
    evening.chip_settings = {"gifts_per_day": MOST_CHIPS}
    asked = message_of(await bob.slash(evening.channel, "give", member=alice, amount=2000))
    assert asked.text.endswith("there would be none. Your daily chips stay the same.")


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
    assert [line.split(" · ")[1][:9] for line in told if " · " in line] == [
        "You get *",
        "Chips can",
        "You get *",
    ]
