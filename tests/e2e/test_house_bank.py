"""Playing alone: `/play` and *Play the house*, its bank and bankroll, and computer players (B07)."""

import asyncio
import json
import logging

import pytest

from bot.croupier.handouts import set_bankroll
from bot.games.register import GAMES
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.rules.knobs import HouseBank
from bot.table.round_proof import first_mismatch
from bot.table.state import COMPUTERS, THE_HOUSE, Phase
from bot.words.translation import signed
from tests.e2e.answers import form_of, in_menu, message_of, said
from tests.e2e.evening import Evening, unlinked
from tests.sizes import sample
from tests.taking_chips import take_chips

SHOWN = [f"🤖 Computer {number}" for number in (1, 2, 3)]


async def alone_with_computers(evening: Evening, game: str) -> tuple[Message, Person]:
    """A table where a member alone banks and three computer players have bet."""
    mei = evening.person("Mei")
    board = await evening.open_table(mei, game=game)
    if GAMES[game].rolls_for_bank:
        await evening.press(mei, board, "Join")
        await evening.can_press(board, "Roll for the bank")
        await mei.click(board, "Roll for the bank")
    else:
        await evening.take_bank(mei, board)
    return board, mei


async def house_chips(evening: Evening) -> int:
    """What the house owns, also what is held for computer players."""
    stacks = await evening.bot.croupier.ledger.stacks.of_all(evening.server.id, (THE_HOUSE, *COMPUTERS))
    return sum(stack.free + stack.held for stack in stacks.values())


async def played(evening: Evening, member: Person, **options: str) -> Message:
    """The board that answers the first `/play` in a channel."""
    answer = message_of(await member.slash(evening.channel, "play", **options))
    assert not answer.ephemeral, answer.text
    return answer


@pytest.mark.parametrize("game", sample(sorted(GAMES), 2))
async def test_b07_a_lone_members_first_round_is_settled_after_a_command_and_two_presses(
    evening: Evening, game: str
) -> None:
    alice = evening.person("Alice")

    board = await played(evening, alice, game=game)
    assert "👑 The house banks" in board.text
    assert "Place your bets" in board.text
    await alice.click(board, "20")
    await evening.have_cards(alice)
    assert evening.table().phase is Phase.DEALT
    await alice.click(alice.sees(alice.dm())[0], "Reveal")

    await evening.board_says(board, "🧾 receipt 1 ", "👑 The house ")
    last = evening.last_round()
    (result,) = last.players
    assert await evening.chips(alice) == {"Alice": 1000 + result.chips}


async def test_b07_play_finds_the_table_here_and_asks_for_the_first_bet(evening: Evening) -> None:
    _, (mei, alice) = await evening.table_of("Mei", "Alice")

    own = message_of(await alice.slash(evening.channel, "play"))
    assert own.ephemeral
    assert own.text.startswith("### Table 1 · Round 1 · ")
    await alice.click(own, "Bet 20")
    assert evening.table().bets
    assert evening.table().is_banker(evening.party(mei))


async def test_b07_play_has_the_house_bank_at_a_table_without_a_banker(evening: Evening) -> None:
    mei, alice, bob = evening.persons("Mei", "Alice", "Bob")
    board = await evening.open_table(mei)
    await evening.press(bob, board, "Join")

    assert message_of(await alice.slash(evening.channel, "play")).button("Bet 20")
    await evening.board_says(board, "👑 The house banks")

    await alice.click(board, "20")
    assert "You have bet **20 chips**" in said(await alice.slash(evening.channel, "play"))
    assert "Place your bet" in said(await bob.slash(evening.channel, "play"))


async def test_b07_who_plays_has_a_seat_before_they_bet_unless_they_have_too_few_chips(
    evening: Evening,
) -> None:
    alice, bob, chan, zed = evening.persons("Alice", "Bob", "Chan", "Zed")
    await evening.chips(zed)
    await take_chips(evening.bot.croupier, evening.server.id, evening.party(zed))

    def seated() -> list[int]:
        return [seat.party for seat in evening.table().seats]

    board = await played(evening, alice)
    assert seated() == [evening.party(alice)]
    await bob.slash(evening.channel, "play")
    assert "You need 7 chips" in said(await zed.slash(evening.channel, "play"))
    assert seated() == [evening.party(alice), evening.party(bob)]
    await alice.click(board, "20")
    await evening.board_says(board, "deciding…")
    await bob.click(board, "20")
    await evening.can_press(board, "Reveal")
    assert "You play from the next round." in said(await chan.slash(evening.channel, "play"))
    assert seated()[2:] == [evening.party(chan)]
    other = await evening.open_table(chan, evening.other_channel)
    await evening.press(zed, other, "Play the house")
    assert not evening.table(evening.other_channel).seats
    third = await evening.open_table(chan, evening.discord.add_channel(evening.server, "table-three"))
    await evening.press(bob, third, "Play the house")
    await evening.board_says(third, f"`1` <@{bob.id}>", "👑 The house banks")


async def test_b07_play_at_a_table_for_points_asks_for_no_chips(evening: Evening) -> None:
    alice = evening.person("Alice")
    board = await evening.open_table(alice, play="points")
    own = message_of(await alice.slash(evening.channel, "play"))
    assert "Press **I'm in**" in own.text
    await alice.click(own, "I'm in")
    await evening.board_says(board, "Showdown")


async def test_b07_two_who_play_at_once_are_at_one_table(evening: Evening) -> None:
    alice, bob = evening.persons("Alice", "Bob")

    replies = await asyncio.gather(*(who.slash(evening.channel, "play") for who in (alice, bob)))

    assert evening.table().house_banks
    assert evening.table().number == 1
    assert len(evening.bot.croupier.tables.all()) == 1
    assert all(reply.message is not None for reply in replies)


async def test_b07_where_the_house_does_not_bank_play_says_so_and_opens_a_table(evening: Evening) -> None:
    evening.rules = evening.rules.model_copy(update={"house_bank": HouseBank.OFF})
    alice, bob = evening.persons("Alice", "Bob")

    board = await played(evening, alice)
    assert "Press **Take the bank** to play" in board.text
    for person in (alice, bob):
        again = await person.slash(evening.channel, "play")
        assert said(again) == "The house doesn't bank here. Press **Take the bank**."
    assert evening.table().parties == {evening.party(alice)}, "a member who is refused takes no seat"


async def test_b07_the_bank_is_taken_from_the_house_at_once_or_after_the_round(evening: Evening) -> None:
    alice, mei = evening.persons("Alice", "Mei")
    board = await played(evening, alice)
    await alice.click(board, "20")
    await evening.board_says(board, "Showdown")
    form = form_of(await in_menu(mei, board, "bank"))
    assert "A round can cost all your free chips. With 1,000 chips, bets can total 142." in str(form)
    assert "enough for a lowest bet of 142" in said(await mei.submit(form, lowest="200", highest="300"))
    bank = evening.table().bank
    assert bank is not None
    assert not bank.leaves_after_round, "the house stays if nobody can follow"
    await mei.submit(form, lowest="7", highest="30")
    await evening.board_says(board, "gives up the bank after this round")
    told = "You bank after this round. Your limits: 7–30."
    await evening.until(lambda: any(told in one.text for one in mei.sees(evening.channel)), "Mei is told")
    await evening.board_says(board, f"next: <@{mei.id}>")
    await evening.reveal(board, alice)
    await evening.board_says(board, f"Now: 👑 <@{mei.id}> banks")
    assert evening.table().is_banker(evening.party(mei))
    await mei.slash(evening.channel, "table close")

    second = await played(evening, alice)
    form = form_of(await in_menu(mei, second, "bank"))
    await alice.click(second, "20")
    await evening.can_press(second, "Reveal")
    await mei.submit(form, lowest="5", highest="50")
    await evening.reveal(second, alice)
    await evening.board_says(second, f"Now: 👑 <@{mei.id}> banks")
    await evening.press(mei, second, "Give up the bank")
    await evening.can_press(second, "Play the house")
    await evening.press(alice, second, "Play the house")
    form = form_of(await in_menu(mei, second, "bank"))
    await mei.submit(form, lowest="6", highest="60")
    assert evening.table().is_banker(evening.party(mei))


async def test_b07_whose_press_brings_them_the_bank_has_one_panel_that_follows_the_table(
    evening: Evening,
) -> None:
    alice, mei = evening.persons("Alice", "Mei")
    board = await played(evening, alice)
    await alice.click(board, "20")
    await evening.can_press(board, "My hand")
    panel = message_of(await alice.click(board, "My hand"))
    await alice.submit(form_of(await in_menu(alice, board, "bank")), lowest="5", highest="20")
    # The panel of the bank is there before Discord has taken the answer to this press.
    evening.discord.faults.hold(0.5, method="POST", route="callback")
    await alice.click(panel, "Reveal")
    await evening.board_says(board, f"Now: 👑 <@{alice.id}> banks")
    await mei.click(board, "5")

    def own() -> list[str]:
        return [one.text for one in alice.sees(evening.channel) if one.ephemeral]

    await evening.until(lambda: len(own()) == 1 and "Showdown <t:" in own()[0], "it follows")


async def test_b07_an_admin_sees_and_sets_the_bankroll(evening: Evening) -> None:
    admin, alice = evening.person("Dora", manage_server=True), evening.person("Alice")
    told = said(await admin.slash(evening.channel, "house bankroll"))
    assert told.startswith(
        "The house banks with 10,000 chips: 10,000 free, and 0 held at tables.\n-# The house"
    )
    assert unlinked(told).endswith("Set another amount with `/house bankroll`.")
    await played(evening, alice)
    await alice.slash(evening.channel, "bet", amount=10)
    held = "The house banks with 10,000 chips: 9,930 free, and 70 held at tables."
    assert said(await admin.slash(evening.channel, "house bankroll")).startswith(f"{held}\n")
    lowered = said(await admin.slash(evening.channel, "house bankroll", chips=0))
    assert lowered.startswith("The house banks with 70 chips: 0 free, and 70 held at tables. ")
    assert lowered.endswith("Set the bankroll again after the round.")


async def test_b07_the_admin_is_told_when_the_house_is_out_of_chips(
    evening: Evening, caplog: pytest.LogCaptureFixture
) -> None:
    admin, alice = evening.person("Dora", manage_server=True), evening.person("Alice")
    evening.rules = evening.rules.model_copy(update={"log_channel": (evening.other_channel.id,)})
    await admin.slash(evening.channel, "house bankroll", chips=6)

    with caplog.at_level(logging.WARNING):
        board = await played(evening, alice)
        await evening.until(lambda: admin.sees(evening.other_channel), "the admin is told")

    assert "the house is out of chips" in board.text
    assert f"the house of server {evening.server.id} cannot cover the lowest bet" in caplog.text
    (told,) = [message.text for message in admin.sees(evening.other_channel) if "books" not in message.text]
    assert told.startswith("The house is out of chips: 6 chips free, 0 held. ")
    assert board.button("Play the house") is None
    await alice.slash(evening.channel, "play")
    await evening.settle_down()
    assert len([one for one in admin.sees(evening.other_channel) if "out of chips" in one.text]) == 1

    await admin.slash(evening.channel, "house bankroll", chips=5000)
    await evening.until(lambda: "out of chips" not in board.text, "the board is up to date")
    await alice.click(board, "Play the house")
    await evening.board_says(board, "👑 The house banks")


async def test_the_panel_says_what_the_evening_has_brought(evening: Evening) -> None:
    alice = evening.person("Alice")
    board = await played(evening, alice)
    party = evening.party(alice)
    assert "since you started" not in (await evening.panel(alice, board)).text
    total, number, has_moved = 0, 0, False
    # A tie moves nothing, and so begins no evening.
    while number < 2 or not has_moved:
        number += 1
        await alice.click(board, "20")
        await evening.have_cards(alice)
        during = await evening.panel(alice, board)
        assert "since you started" not in during.text, "a round is on"
        await evening.reveal(board, alice)
        await evening.board_says(board, f"-# 🧾 receipt {number}")
        last = evening.last_round()
        chips = next(player.chips for player in last.players if player.party == party)
        total, has_moved = total + chips, has_moved or chips != 0
        shown = f"all tables since you started: {signed(total)}" in (await evening.panel(alice, board)).text
        assert shown is has_moved
    await evening.restart()
    assert f"all tables since you started: {signed(total)}" in (await evening.panel(alice, board)).text


async def test_b07_the_house_is_offered_again_once_its_chips_are_free(evening: Evening) -> None:
    alice, bob, mei = evening.persons("Alice", "Bob", "Mei")
    await set_bankroll(evening.bot.croupier, evening.server.id, 7 * 20, "1")
    first = await played(evening, alice)
    await evening.press(bob, first, "Join")
    await alice.click(first, "20")
    second = await evening.open_table(mei, evening.other_channel)
    assert second.button("Play the house") is None
    answer = message_of(await mei.slash(evening.other_channel, "help"))
    assert "Play the house" not in answer.text
    assert "/play" not in answer.text
    await evening.press(alice, first, "Take my bet back")
    await evening.can_press(second, "Play the house")


@pytest.mark.parametrize("game", sample(sorted(GAMES), 2))
async def test_b07_a_lone_banker_plays_three_computer_players(evening: Evening, game: str) -> None:
    evening.rules = GAMES[game].rules(last_call_seconds=0, computer_players=3)
    board, mei = await alone_with_computers(evening, game)
    await evening.board_says(board, *SHOWN)
    await evening.press(mei, board, "Deal")
    await evening.have_cards(mei)
    assert evening.table().phase is Phase.DEALT
    assert await house_chips(evening) == 10_000
    await evening.reveal(board, mei)
    last = evening.last_round()
    assert {player.party for player in last.players} == set(COMPUTERS)
    assert await evening.chips(mei) == {"Mei": 1000 + last.bank_chips}
    assert await house_chips(evening) == 10_000 - last.bank_chips
    for seat, name in zip(evening.table().computers, SHOWN, strict=True):
        assert f"`{seat.number}` {name} " in board.text
    assert not mei.sees(mei.dm()), "only their panel has a hand"
    await evening.counted()
    leaders = message_of(await mei.slash(evening.channel, "leaderboard"))
    assert "Computer" not in leaders.text
    assert f"<@{mei.id}>" in leaders.text


async def test_b07_such_a_round_is_shown_again_and_verified(evening: Evening) -> None:
    evening.rules = evening.rules.model_copy(update={"computer_players": 3})
    alice = evening.person("Alice")
    board = await played(evening, alice)
    await alice.click(board, "20")
    await evening.have_cards(alice)
    await evening.reveal(board, alice)
    shown = await evening.told_alone(alice, "round show")
    assert all(name in shown.text for name in SHOWN)
    verdict = await evening.told_alone(alice, "round verify")
    assert "**Verified: " in verdict.text
    text = evening.discord.world.files[verdict.attachments[0].id].decode()
    told = json.loads(text)
    assert first_mismatch(text) is None
    assert [player["client_seed"] for player in told["sheet"]["players"][1:]] == ["0", "0", "0"]
