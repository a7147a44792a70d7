"""Client seeds from `/seed words`: any words count in the shuffle, and everybody can read them."""

import asyncio
import json

import pytest

from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.replies import NotPossibleError
from bot.rules.shuffle import words_code
from bot.rules.typed_text import text_length
from bot.table.commitment import LONGEST_CLIENT_SEED
from bot.table.round_proof import first_mismatch
from bot.table.round_record import seeds_on
from tests.e2e.evening import Evening

pytestmark = pytest.mark.thorough

LONGEST_MESSAGE = 4_000
STRANGE = {
    "🎲🐂": "🎲🐂",
    "**bold** `code` ~~no~~": r"\*\*bold\*\* \`code\` \~\~no\~\~",
    "<@1> <#2> <:ox:3> @everyone": r"\<@1\> \<#2\> \<:ox:3\> @everyone",
    "שלום \u202eabc": "שלום abc",
    "two\nlines\n# and a heading": "two lines # and a heading",
    "  lucky   eight  ": "lucky eight",
    "8": "8",
}
"""The words that a player types, and how they are shown."""


async def betting(evening: Evening, *players: Person) -> tuple[Message, Person]:
    """A table where all but the last of these players have bet; returns its board and the banker."""
    mei = evening.person("Mei")
    board = await evening.open_table(mei)
    await evening.take_bank(mei, board)
    for player in players:
        await evening.press(player, board, "Join")
    for player in players[:-1]:
        await player.click(board, "5")
    return board, mei


async def mixed_in(evening: Evening) -> dict[str, str | None]:
    """The words that each player of the last round mixed in, by their name; None if they chose none."""
    last = evening.last_round()
    seeds = dict(seeds_on(last.opening.sheet))
    del seeds[last.banker]
    words = await evening.bot.croupier.ledger.seed_words(seeds.values())
    for seed, chosen in words.items():
        assert seed == words_code(chosen.salt, chosen.words)
    return {
        evening.person_of(party).name: words[seed].words if seed in words else None
        for party, seed in seeds.items()
    }


async def test_any_words_are_mixed_in_and_shown_as_plain_text(evening: Evening) -> None:
    players = evening.persons(*(f"Player {number}" for number in range(len(STRANGE))), "Bob")
    board, mei = await betting(evening, *players)
    *talkers, bob = players
    for player, (words, shown_as) in zip(talkers, STRANGE.items(), strict=True):
        assert shown_as in (await evening.told_alone(player, "seed", words=words)).text
    await bob.click(board, "5")
    await evening.reveal(board, mei, *players)
    typed = {player.name: " ".join(words.split()) for player, words in zip(talkers, STRANGE, strict=True)}
    assert await mixed_in(evening) == {**typed, "Bob": None}
    shown = await evening.told_alone(bob, "round show")
    for player, shown_as in zip(talkers, STRANGE.values(), strict=True):
        assert f"{player.name} added: {shown_as}\n" in shown.text
    assert f"{bob.name} added" not in shown.text
    _, file = shown.attachments
    record = evening.discord.world.files[file.id].decode()
    assert first_mismatch(record) is None
    assert {chosen["words"] for chosen in json.loads(record)["words"].values()} == set(typed.values())


async def test_the_last_words_of_who_bets_count_and_outlast_a_change_of_the_bet(evening: Evening) -> None:
    alice, bob = evening.persons("Alice", "Bob")
    board, mei = await betting(evening, alice, bob)
    zed = evening.person("Zed")
    assert "Join the table first" in (await evening.told_alone(zed, "seed", words="nine")).text
    for words in ("", "x" * (LONGEST_CLIENT_SEED + 1)):
        with pytest.raises(NotPossibleError):
            await alice.slash(evening.channel, "seed", words=words)
    assert str(LONGEST_CLIENT_SEED) in (await evening.told_alone(alice, "seed", words=" \t ")).text
    for words in ("first", "second", "second"):
        assert words in (await evening.told_alone(alice, "seed", words=words)).text
    assert "if you bet" in (await evening.told_alone(bob, "seed", words="eight")).text
    assert "if you bet" not in (await evening.told_alone(alice, "seed", words="nine")).text
    await alice.click(board, "10")
    await evening.press(bob, board, "Sit out")
    await evening.have_cards(alice)
    assert "Hands are dealt" in (await evening.told_alone(alice, "seed", words="ten")).text
    await evening.reveal(board, mei, alice)
    assert await mixed_in(evening) == {"Alice": "nine"}


async def test_seated_members_words_are_mixed_into_the_dice(evening: Evening) -> None:
    people = evening.persons("Alice", "Bob", "Chan")
    board = await evening.open_table(people[0], game="tau-ngau")
    for person in people:
        await evening.press(person, board, "Join")

    assert "for the dice" in (await evening.told_alone(people[1], "seed", words="six")).text

    dice_seal = evening.table().seal
    assert f"🎲 dice seal 1 `{dice_seal}`" in board.text
    await people[0].click(board, "Roll for the bank")
    await evening.board_says(board, f"🔒 seal 1 `{evening.table().seal}`")
    banker, players = evening.banker_and_players()
    assert not any(seed.chosen for seed in evening.table().client_seeds), "the words were for the dice"
    for player in players:
        await player.click(board, "5")
    await evening.reveal(board, banker, *players)
    shown = await evening.told_alone(banker, "round show")
    assert f"{people[1].name} added: six" in shown.text
    assert f"Dice for the bank**\nSeal, shown before the roll:\n`{dice_seal}`" in shown.text
    _, file = shown.attachments
    record = json.loads(evening.discord.world.files[file.id])
    ((seed, chosen),) = record["words"].items()
    assert chosen["words"] == "six"
    seats = record["sheet"]["dice"]["sheet"]["seats"]
    assert {seat["party"]: seat["client_seed"] for seat in seats}[str(evening.party(people[1]))] == seed


async def test_everybodys_longest_words_leave_room_for_the_proof(evening: Evening) -> None:
    players = evening.persons(*(f"Player {number}" for number in range(1, 8)))
    spectators = evening.persons(*(f"Spectator {number}" for number in range(1, 9)))
    board, mei = await betting(evening, *players)
    for spectator in spectators:
        await evening.back(spectator, board, players[0], 5)
    talkers = [*players, *spectators]
    await asyncio.gather(
        *(evening.told_alone(one, "seed", words="🎲" * LONGEST_CLIENT_SEED) for one in talkers)
    )
    await players[-1].click(board, "5")
    await evening.reveal(board, mei, *players)

    shown = await evening.told_alone(mei, "round show")

    assert text_length(shown.text) <= LONGEST_MESSAGE
    assert "more in the file" in shown.text
    assert "with your screenshots" in shown.text
    _, file = shown.attachments
    assert first_mismatch(evening.discord.world.files[file.id].decode()) is None
