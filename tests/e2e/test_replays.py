"""Which round a command means, and one clear sentence if there is no round to show."""

from itertools import product

import pytest

from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.servers import Channel
from bot.table.round_record import client_seed_of
from bot.table.state import Phase
from tests.e2e.evening import Evening
from tests.e2e.seated_tables import message_of

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
async def test_a_round_is_found_by_its_table_and_only_in_its_server(evening: Evening) -> None:
    _, alice, _, mei = await settled(evening)
    zed = evening.person("Zed")
    tigers = evening.discord.add_server("Tigers")
    den = evening.discord.add_channel(tigers, "den")
    stranger = evening.discord.add_person("Stranger", [tigers])
    for command in COMMANDS:
        assert "Add the number of a table" in await asked(zed, evening.other_channel, command)
        assert "Seal" in await asked(alice, evening.other_channel, command), "she sits at only one table"
        assert "There is no table 1 here" in await asked(stranger, den, command, table=1)
        assert "Add the number of a table" in await asked(stranger, den, command)
    await mei.slash(evening.channel, "table close")
    await evening.restart()
    for command in COMMANDS:
        assert "Add the number of a table" in await asked(alice, evening.channel, command)
        assert "Seal" in await asked(zed, evening.other_channel, command, table=1)
    assert "verified" in await asked(zed, evening.channel, "round verify", table=1)


async def test_an_unsettled_round_is_not_shown_and_no_secret_is_sent(evening: Evening) -> None:
    board, alice, bob, mei = await betting(evening)
    secret = evening.table().secret
    for command in COMMANDS:
        assert "no settled round yet" in await asked(bob, evening.channel, command)
    await bob.click(board, "20")
    assert evening.table().phase is Phase.DEALT
    for command, number in product(COMMANDS, (1, 2, 999_999)):
        assert "no settled round" in await asked(bob, evening.channel, command, round=number)
    assert "no table 9" in await asked(bob, evening.channel, "round show", table=9)
    assert all(secret not in repr(request.body) for request in evening.discord.requests)
    await evening.reveal(board, mei, alice, bob)
    following = evening.table().secret
    assert following != secret
    await evening.told_alone(bob, "round show")
    assert all(following not in repr(request.body) for request in evening.discord.requests)
    assert any(secret.encode() in file for file in evening.discord.world.files.values())


@pytest.mark.thorough
async def test_a_cancelled_round_is_not_shown_and_its_secret_stays_sealed(evening: Evening) -> None:
    board, alice, _, mei = await betting(evening)
    await alice.slash(evening.channel, "seed", words="eight")
    secret = evening.table().secret
    await evening.press(mei, board, "Give up the bank")
    assert evening.table().phase is Phase.OPEN
    assert evening.table().secret != secret, "a seal is for one round"
    await evening.take_bank(mei, board)
    for command in COMMANDS:
        assert "no settled round 1" in await asked(alice, evening.channel, command, round=1)
    assert any(seed.chosen for seed in evening.table().client_seeds), "words wait for the next shuffle"


async def test_the_messages_hold_the_evidence_of_a_round(evening: Evening) -> None:
    board, alice, bob, mei = await betting(evening)
    seal = evening.table().seal
    assert f"🔒 1 · {seal}" in board.text
    zed = evening.person("Zed")
    side_bets = await evening.back(zed, board, alice, 5)
    line = f"-# 🔒 1 · {seal} · {client_seed_of(evening.table(), evening.party(zed))}"
    assert line in side_bets.text
    assert line in (await evening.told_alone(zed, "hand")).text
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
