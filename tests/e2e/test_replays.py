"""Which round a command means, and one clear sentence if there is no round to show."""

import json

import pytest

from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.servers import Channel
from bot.table.round_proof import first_mismatch
from bot.table.round_record import client_seed_of
from bot.table.state import Phase
from tests.e2e.evening import Evening
from tests.e2e.seated_tables import message_of
from tests.sizes import sample

COMMANDS = ("round show", "round verify")


async def asked(person: Person, channel: Channel, command: str, **options: object) -> str:
    """The reply to a command that only this person sees."""
    answer = message_of(await person.slash(channel, command, **options))
    assert answer.ephemeral
    return answer.text


async def betting(evening: Evening) -> tuple[Message, Person, Person, Person]:
    """A table where Mei is banker, Alice has bet and Bob has not."""
    board, (mei, alice, bob) = await evening.table_of("Mei", "Alice", "Bob")
    await evening.press(bob, board, "Join")
    await alice.click(board, "20")
    return board, alice, bob, mei


async def settled(evening: Evening) -> tuple[Message, Person, Person, Person]:
    """The same table, after its first round."""
    board, alice, bob, mei = await betting(evening)
    await bob.click(board, "20")
    await evening.reveal(board, alice, bob, mei)
    return board, alice, bob, mei


@pytest.mark.thorough
@pytest.mark.parametrize("command", sample(COMMANDS))
async def test_without_an_open_table_the_reply_asks_for_its_number(evening: Evening, command: str) -> None:
    _, alice, _, mei = await settled(evening)
    zed = evening.person("Zed")
    assert "Add the number of a table" in await asked(zed, evening.other_channel, command)
    assert "Seal" in await asked(alice, evening.other_channel, command), "she sits at only one table"
    await mei.slash(evening.channel, "table close")

    assert "Add the number of a table" in await asked(alice, evening.channel, command)
    assert "Seal" in await asked(zed, evening.other_channel, command, table=1)


@pytest.mark.parametrize("command", sample(COMMANDS))
async def test_an_unsettled_round_is_not_shown(evening: Evening, command: str) -> None:
    board, alice, bob, _ = await betting(evening)
    secret = evening.table().secret
    said = [await asked(bob, evening.channel, command)]
    await bob.click(board, "20")
    assert evening.table().phase is Phase.DEALT
    said += [await asked(bob, evening.channel, command, round=number) for number in (1, 2, 999_999)]

    assert "no settled round yet" in said[0]
    assert ["no settled round" in text for text in said] == [True] * 4
    hands = evening.table().pieces_of(evening.party(alice))
    for text in said:
        assert secret not in text
        assert not any(evening.table().game.pieces.shown(piece) in text for piece in hands)


@pytest.mark.thorough
@pytest.mark.parametrize("command", sample(COMMANDS))
async def test_a_cancelled_round_is_not_shown_and_its_secret_stays_sealed(
    evening: Evening, command: str
) -> None:
    board, alice, _, mei = await betting(evening)
    await alice.slash(evening.channel, "seed", words="eight")
    secret = evening.table().secret
    await evening.press(mei, board, "Give up the bank")
    assert evening.table().phase is Phase.OPEN
    assert evening.table().secret != secret, "a seal is for one round"
    await evening.take_bank(mei, board)

    assert "no settled round 1" in await asked(alice, evening.channel, command, round=1)
    assert any(seed.chosen for seed in evening.table().client_seeds), "words wait for the next shuffle"


@pytest.mark.thorough
@pytest.mark.parametrize("command", sample(COMMANDS))
async def test_rounds_of_one_server_are_not_shown_in_another(evening: Evening, command: str) -> None:
    await settled(evening)
    elsewhere = evening.discord.add_server("Tigers")
    channel = evening.discord.add_channel(elsewhere, "den")
    stranger = evening.discord.add_person("Stranger", [elsewhere])

    assert "There is no table 1 here" in await asked(stranger, channel, command, table=1)
    assert "Add the number of a table" in await asked(stranger, channel, command)


@pytest.mark.thorough
async def test_a_round_for_points_is_shown_and_verified(evening: Evening) -> None:
    alice, mei = evening.persons("Alice", "Mei")
    board = await evening.open_table(mei, play="points")
    await mei.click(board, "Take the bank")
    await alice.click(board, "I'm in")
    await evening.reveal(board, alice, mei)

    answer = message_of(await alice.slash(evening.channel, "round show"))
    assert "point" in answer.text
    _, file = answer.attachments
    record = evening.discord.world.files[file.id].decode()
    assert first_mismatch(record) is None
    assert json.loads(record)["sheet"]["rules"]["play"] == "points"
    assert "verified" in await asked(mei, evening.channel, "round verify")


async def test_the_messages_hold_the_evidence_of_a_round(evening: Evening) -> None:
    board, alice, bob, mei = await betting(evening)
    seal = evening.table().seal
    assert f"🔒 1 · {seal}" in board.text
    await bob.click(board, "20")
    await evening.board_says(board, f"🔒 1 · {seal}")
    brought = {}
    for person in (alice, bob, mei):
        brought[person.name] = contribution = client_seed_of(evening.table(), evening.party(person))
        shown = await evening.told_alone(person, "hand")
        assert f"-# 🔒 1 · {seal} · {contribution}" in shown.text
        fairness = message_of(await person.click(shown, "Fairness"))
        assert f"Round 1 · seal `{seal}` · your contribution `{contribution}`" in fairness.text
    await evening.reveal(board, alice, bob, mei)
    last = evening.last_round()
    assert f"🧾 1 · {last.receipt}" in board.text
    for person in (alice, bob, mei):
        panel = await evening.told_alone(person, "hand")
        assert f"-# 🔒 1 · {seal} · {brought[person.name]} · 🧾 {last.receipt}" in panel.text
        fairness = message_of(await person.click(panel, "Fairness"))
        assert f"Receipt of round 1: `{last.receipt}`" in fairness.text
    # The banker is in round 2 already: Fairness has both.
    panel = await evening.told_alone(mei, "hand")
    fairness = message_of(await mei.click(panel, "Fairness"))
    assert f"Round 2 · seal `{evening.table().seal}` · your contribution " in fairness.text

    told = (await asked(bob, evening.channel, "round verify")).splitlines()

    assert f"Seal, shown before you bet: `{seal}`" in told
    assert f"Receipt: `{last.receipt}`" in told
    assert any("on your screenshot" in line for line in told)


async def test_a_backer_holds_the_evidence_of_their_side_bet(evening: Evening) -> None:
    board, alice, _, _ = await betting(evening)
    zed = evening.person("Zed")
    own = await evening.back(zed, board, alice, 5)
    contribution = client_seed_of(evening.table(), evening.party(zed))
    line = f"-# 🔒 1 · {evening.table().seal} · {contribution}"
    assert line in own.text

    assert line in (await evening.told_alone(zed, "hand")).text
