"""`/help` says in a few lines what to do now, wherever somebody stands."""

import re

import pytest

from bot.games.gnau.rules import GnauRules
from bot.practice.person import Person
from bot.practice.servers import Channel
from bot.rules.knobs import MOST_CHIPS, HouseBank
from bot.table.state import Phase
from bot.ui.components import link_to
from bot.words.catalogue import MESSAGES
from tests.e2e.answers import labels, message_of, said
from tests.e2e.evening import Evening
from tests.e2e.test_statements import counting
from tests.sizes import sample
from tests.taking_chips import take_chips

MOST_LINES = 5
MOST_CHARACTERS = 500
LINK = re.compile(r"</(?P<name>[^:>]+):(?P<id>\d+)>")


async def helped(evening: Evening, person: Person, channel: Channel | None = None) -> str:
    """What `/help` tells this person alone, with each command's link as its plain name.

    It is short, every link leads to a command that the person can use there, and what it says to press is
    below it.
    """
    where = channel or evening.channel
    answer = message_of(await person.slash(where, "help"))
    told = answer.text
    to_press = re.findall(r"[Pp]ress \*\*(.+?)\*\*(?:[^.]*? or \*\*(.+?)\*\*)?", told)
    labels = {button.label for button in answer.buttons()}
    on_a_panel = {"Deal"}
    assert {label for pair in to_press for label in pair if label} <= labels | on_a_panel, told
    ids = {raw["name"]: raw["id"] for raw in evening.discord.world.commands.values()}
    usable = {raw["name"] for raw in person.commands(where)}
    for name, command_id in LINK.findall(told):
        assert ids[name.partition(" ")[0]] == command_id, told
        assert name in usable, told
    assert "`/" not in told
    plain = LINK.sub(r"`/\g<name>`", told)
    assert len(plain.splitlines()) <= MOST_LINES, plain
    assert len(plain) <= MOST_CHARACTERS, plain
    return plain


async def lose_chips(evening: Evening, person: Person) -> None:
    """Leaves a person without chips."""
    await evening.chips(person)
    await take_chips(evening.bot.croupier, evening.server.id, evening.party(person))
    assert await evening.chips(person) == {person.name: 0}


async def test_without_a_table_it_says_how_to_open_one(evening: Evening) -> None:
    alice, zed = evening.person("Alice"), evening.person("Zed", manage_server=True)
    told = await helped(evening, alice)
    assert told.startswith("There is no table here. Open one with `/table open`.")
    assert "`/table list`" not in told
    tell = "Tell me of tables here"
    for command in ("help", "table list", "hand"):
        answer = message_of(await alice.slash(evening.channel, command))
        assert labels(answer)[0] == tell, command
    await alice.click(answer, tell)
    *same, more = (await helped(evening, zed)).splitlines()
    assert same == told.splitlines(), "what an admin can do comes last"
    assert re.search("`/house show`.*`/bank grant`", more)
    await evening.open_table(alice, evening.other_channel)
    await evening.settle_down()
    evening.rules = evening.rules.model_copy(update={"channels": (evening.other_channel.id,)})
    assert tell not in labels(message_of(await alice.slash(evening.channel, "hand")))
    evening.rules = evening.rules.model_copy(update={"channels": ()})
    with counting() as counted:
        assert "`/table list` shows the other open table." in await helped(evening, evening.person("Bob"))
    assert counted.batches == 0, "nothing is stored about a newcomer"

    evening.bot.arrivals.links.learn([])
    told = said(await zed.slash(evening.channel, "help"))
    assert "Open one with `/table open`." in told
    assert not LINK.search(told), "until their ids are known, commands are plain"


@pytest.mark.parametrize("house_bank", sample(HouseBank, 1))
async def test_b07_it_offers_the_house_where_nobody_banks(evening: Evening, house_bank: HouseBank) -> None:
    evening.rules = GnauRules(house_bank=house_bank)
    mei, alice = evening.persons("Mei", "Alice")
    offered, offer = house_bank is not HouseBank.OFF, "Or play against the house at once: `/play`."
    assert (offer in await helped(evening, alice)) is offered
    board = await evening.open_table(mei)
    here = "ress **Play the house** to start"
    assert (here in await helped(evening, alice)) is offered
    await evening.press(alice, board, "Join")
    assert ("Play the house" in await helped(evening, alice)) is offered
    refusal = message_of(await alice.slash(evening.channel, "bet", amount=5))
    assert (here in refusal.text) is offered or house_bank is HouseBank.ONLY
    assert ("Play the house" in labels(refusal)) is offered
    await alice.slash(evening.channel, "play")
    assert "Play the house" not in await helped(evening, mei)


async def test_b07_where_only_the_house_banks_nobody_is_told_to_take_the_bank(evening: Evening) -> None:
    evening.rules = GnauRules(house_bank=HouseBank.ONLY)
    mei, alice = evening.persons("Mei", "Alice")
    board = await evening.open_table(mei)
    told = [await helped(evening, alice)]
    await evening.press(alice, board, "Join")
    told.append(await helped(evening, alice))
    bet = message_of(await alice.slash(evening.channel, "bet", amount=5))
    told.append(bet.text)
    assert all("Press **Play the house**" in one for one in told), told
    assert not any("Take the bank" in one for one in told), told


async def test_through_a_round_everybody_is_told_what_to_do_now(evening: Evening) -> None:
    mei, alice, bob, zed = evening.persons("Mei", "Alice", "Bob", "Zed")
    board = await evening.open_table(mei)
    told = await helped(evening, zed)
    assert "Press **Join** to play, or **Take the bank**" in told
    link = link_to(evening.server.id, board.channel.id, board.id)
    assert f"Table 1 is in this channel: {link}" in told
    told = message_of(await alice.slash(alice.dm(), "help")).text
    assert "You aren't at a table. Join one in a server channel." in told
    for player in (alice, bob):
        await player.click(message_of(await player.slash(evening.channel, "help")), "Join")
    assert "There is no banker yet." in await helped(evening, alice)

    await evening.take_bank(mei, board)
    told = await helped(evening, mei)
    assert "You are the banker. Wait for bets" in told
    assert "**Give up the bank**" in told
    assert "You have seat 1. Press **My panel** to bet, or type `/bet`." in await helped(evening, alice)
    # Wherever they ask, it is about the table where they sit.
    told = await helped(evening, alice, evening.other_channel)
    assert "You have seat 1." in told
    assert f"Table 1 is here: {link}" in told
    told = message_of(await alice.slash(alice.dm(), "help")).text
    assert "You have seat 1." in told
    assert str(board.id) in told
    assert "rules show" not in told, "it does not work by direct message"
    assert "Bets are open. Press **Join**, or pick an amount on the board." in await helped(evening, zed)

    await alice.click(board, "20")
    assert "You have bet 20 chips." in await helped(evening, alice)
    assert "You are the banker. Press **Deal**" in await helped(evening, mei)
    await bob.click(board, "20")
    await evening.until(lambda: evening.table().phase is Phase.DEALT, "dealt")
    for person in (mei, alice):
        assert "Press **My hand**" in await helped(evening, person)
    assert "Press **Join** to play in the next one." in await helped(evening, zed)
    await evening.press(zed, board, "Join")
    assert "A round is on. Play in the next one." in await helped(evening, zed)
    await alice.click(board, "Reveal")
    told = await helped(evening, alice)
    assert "Your hand is revealed." in told
    assert re.search(r"^-# .*\*\*.*\*\*", told, re.MULTILINE), "the name of the hand in plain words"


async def test_at_a_table_for_points_nobody_is_sent_to_amounts_or_chips(evening: Evening) -> None:
    mei, alice, bob = evening.persons("Mei", "Alice", "Bob")
    board = await evening.open_table(mei, play="points")
    await evening.can_press(board, "Take the bank")
    await mei.click(board, "Take the bank")
    assert "You are the banker. Wait for players" in await helped(evening, mei)
    told = [await helped(evening, alice)]
    assert "Press **I'm in**" in told[0]
    for person in (alice, bob):
        await evening.press(person, board, "Join")
    told.append(await helped(evening, alice))
    assert "You have seat 1. Press **I'm in** to get a hand." in told[1]
    await alice.click(board, "I'm in")
    told.append(await helped(evening, alice))
    assert "You are in." in told[2]
    assert not any("amount" in one or "`/bet`" in one for one in told)
    # Here they need no chips, so having none is not what matters.
    await lose_chips(evening, bob)
    assert "no chips left" not in await helped(evening, bob)


@pytest.mark.parametrize("at_table", sample([False, True], 1))
async def test_who_is_broke_learns_what_still_works(evening: Evening, at_table: bool) -> None:
    mei, alice, boss = *evening.persons("Mei", "Alice"), evening.person("Boss", manage_server=True)
    if at_table:
        board = await evening.open_table(mei)
        await evening.take_bank(mei, board)
    await lose_chips(evening, alice)
    await lose_chips(evening, boss)
    answer = message_of(await boss.slash(evening.channel, "help"))
    assert "Play for points" not in labels(answer), "chips are there to take"
    await boss.click(answer, "Get chips")
    assert await evening.chips(boss) == {"Boss": 100}
    evening.chip_settings = {"daily_chips": 0, "relief_chips": 0}
    told = await helped(evening, alice)
    assert "You have too few chips to bet." in told
    assert "`/give`" in told
    assert ("choose points in `/table open`, in another channel." in told) is at_table
    assert ("choose points in `/table open`." in told) is not at_table
    assert "Pick an amount" not in told


async def test_chips_held_at_a_table_are_not_gone(evening: Evening) -> None:
    board, (_, alice, bob) = await evening.table_of("Mei", "Alice", "Bob")
    await evening.press(bob, board, "Join")
    evening.chip_settings = {"gifts_per_day": MOST_CHIPS, "relief_chips": 0}
    await alice.slash(evening.channel, "give", member=bob, amount=1000 - 7 * 20)
    await alice.click(board, "20")
    party = evening.party(alice)
    assert (await evening.bot.croupier.wallets.stack(evening.server.id, party)).free == 0
    assert "You have bet 20 chips." in await helped(evening, alice)


async def test_every_command_that_a_text_names_exists(evening: Evening) -> None:
    links = evening.bot.arrivals.links
    texts = [f"{message.text} {message.plural}" for message in MESSAGES.values()]
    # With options, a command has no link.
    named = {name for text in texts for name in re.findall("`/([^`:]+)`", text)}
    assert len(named) > 10
    for name in named:
        assert LINK.fullmatch(links.in_text(f"`/{name}`")), name
    assert links.in_text("`/table rob`, `/table` and `/bet`").startswith("`/table rob`, `/table` and </bet:")
