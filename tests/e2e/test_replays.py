"""Provable shuffles: which round a command shows, what proves it, and that nothing sealed is told."""

import json
import re
from itertools import product

import pytest

from bot.games.register import GAMES
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.servers import Channel
from bot.rules.knobs import GameName
from bot.rules.shuffle import ticket_of
from bot.table.round_proof import first_mismatch
from bot.table.round_record import client_seed_of, seal_in, seeds_on
from bot.table.state import Phase, TableState
from tests.e2e.answers import message_of, press_own
from tests.e2e.evening import Evening
from tests.sizes import sample

COMMANDS = ("round show", "round verify")


async def asked(person: Person, channel: Channel, command: str, **options: object) -> str:
    """The reply to a command that only this person sees."""
    answer = message_of(await person.slash(channel, command, **options))
    assert answer.ephemeral
    return answer.text


def codes(fairness: Message) -> list[str]:
    """The codes that *Fairness* shows, in its order."""
    return re.findall(r"^-# Round \d+ `(.+)`$", fairness.text, re.MULTILINE)


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


# Of a push, the ledger has no line by which it is found.
@pytest.mark.usefixtures("dealt_in_turn")
async def test_who_was_not_in_the_last_round_is_shown_their_own_last_one(evening: Evening) -> None:
    board, alice, bob, mei = await settled(evening)
    panel = await evening.told_alone(bob, "hand")
    await press_own(bob, panel, "Leave the table")
    await evening.press(alice, board, "20")
    await evening.reveal(board, alice, mei)
    for command in COMMANDS:
        assert "Round 2" in await asked(alice, evening.channel, command)
        assert "Round 1" in await asked(bob, evening.channel, command)
        assert "Round 2" in await asked(evening.person("Zed"), evening.channel, command)


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
    assert "Verified: " in await asked(zed, evening.channel, "round verify", table=1)


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
    assert f"🔒 seal 1 `{seal}`" in board.text
    zed = evening.person("Zed")
    side_bets = await evening.back(zed, board, alice, 5)

    def ticket(person: Person) -> str:
        """What their messages show until the result, all of it."""
        contribution = client_seed_of(evening.table(), evening.party(person)) or ""
        return f"🎟️ ticket 1 `{ticket_of(seal, contribution)}`"

    line = f"-# {ticket(zed)}"
    assert line in side_bets.text
    assert line in (await evening.told_alone(zed, "hand")).text
    await bob.click(board, "20")
    await evening.board_says(board, f"🔒 seal 1 `{seal}`")
    brought = {}
    for person in (alice, bob, mei):
        brought[person.name] = contribution = client_seed_of(evening.table(), evening.party(person))
        shown = await evening.told_alone(person, "hand")
        assert shown.text.endswith(f"-# {ticket(person)}")
        fairness = message_of(await press_own(person, shown, "Fairness"))
        mine = ticket_of(seal, contribution or "")
        assert codes(fairness) == [seal, contribution, mine]
        assert not fairness.buttons(), "nothing can be checked yet"
    await evening.reveal(board, alice, bob, mei)
    last = evening.last_round()
    assert f"🧾 receipt 1 `{last.receipt}`" in board.text
    for person in (alice, bob, mei):
        panel = await evening.told_alone(person, "hand")
        assert panel.text.endswith(f"-# 🧾 receipt 1 `{last.receipt}`")
        fairness = message_of(await press_own(person, panel, "Fairness"))
        assert {seal, brought[person.name], last.receipt} <= {*codes(fairness)}
        verdict = message_of(await person.click(fairness, "Check round 1"))
        assert "Verified: every hand" in verdict.text
        assert ticket_of(seal, brought[person.name] or "") in verdict.text
    # The banker is in round 2 already: Fairness has both.
    panel = await evening.told_alone(mei, "hand")
    fairness = message_of(await press_own(mei, panel, "Fairness"))
    assert codes(fairness)[:2] == [evening.table().seal, seal]

    told = (await asked(bob, evening.channel, "round verify")).splitlines()

    # A code has a line of its own, which a phone does not break.
    assert {f"`{seal}`", f"`{last.receipt}`"} <= {*told}
    mine = ticket_of(seal, brought["Bob"] or "")
    assert f"-# 🎟️ ticket 1 `{mine}`" in told
    assert "🎟️" not in await asked(evening.person("Dora"), evening.channel, "round verify")
    assert any("with your screenshots" in line for line in told)

    await mei.slash(evening.channel, "table close")
    await evening.board_says(board, "closed")
    await evening.restart()
    assert "Verified: every hand" in message_of(await mei.click(fairness, "Check round 1")).text


@pytest.mark.thorough
async def test_a_round_is_replayed_and_its_file_verified(evening: Evening) -> None:
    board, alice, bob, mei = await settled(evening)
    shown = await evening.told_alone(bob, "round show")

    last = evening.last_round()
    seal = seal_in(last.opening)
    assert f"🧾 receipt 1 `{last.receipt}`" in board.text
    assert f"🔒 seal 2 `{evening.table().seal}`" in board.text
    assert f"`{seal}`" in shown.text
    assert f"`{last.receipt}`" in shown.text
    assert "with your screenshots" in shown.text
    assert re.match(r"### Gnau · Table 1 · Round 1 · <t:\d+:f>\n", shown.text)
    assert (shown.gallery()[0].description or "").startswith("Bank: ")
    _, file = shown.attachments
    assert file.filename == "table-1-round-1.json"
    text = evening.discord.world.files[file.id].decode()
    assert first_mismatch(text) is None
    record = json.loads(text)
    assert (record["seal"], record["receipt"]) == (seal, last.receipt)
    assert dict(seeds_on(last.opening.sheet)).keys() == set(map(evening.party, (alice, bob, mei)))
    assert record["names"] == {str(evening.party(person)): person.name for person in (alice, bob, mei)}
    verdict = await evening.told_alone(alice, "round verify", table=1, round=1)
    assert "Verified: every hand" in verdict.text
    assert [file.filename for file in verdict.attachments] == ["table-1-round-1.json", "verify.html"]
    assert "Nobody can change the secret after your bet" in verdict.text
    assert "the house can decide not to deal" in verdict.text


@pytest.mark.parametrize("game", sample(GAMES))
async def test_the_bot_never_sends_or_logs_an_undealt_piece(
    evening: Evening, game: GameName, caplog: pytest.LogCaptureFixture
) -> None:
    board, banker, players = await evening.seated_table(game, "Alice", "Bob", "Chan")
    people = [banker, *players]
    for person in players:
        await person.slash(evening.channel, "bet", amount=5)
    await evening.have_cards(banker, *players)
    await evening.told_alone(players[0], "hand")

    table = evening.table()
    dealt = {person.id: set(table.pieces_of(evening.party(person))) for person in people}
    known = set().union(*dealt.values())
    sent = "\n".join(json.dumps(request.body, ensure_ascii=False) for request in evening.discord.requests)
    alt_texts = " ".join(re.findall(r'"filename": "[^"]*", "description": "([^"]*)"', sent))
    for piece in set(table.game.pack(len(people), table.rules)) - known:
        assert table.game.pieces.shown(piece) not in sent
        assert in_alt_text(table, piece) not in alt_texts
    for piece in known:
        assert in_alt_text(table, piece) in alt_texts
    assert not any(table.game.pieces.shown(piece) in caplog.text for piece in known)
    for person in people:
        own = " ".join(f"{message.text} {message.gallery()}" for message in person.sees(person.dm()))
        for piece in known - dealt[person.id]:
            assert table.game.pieces.shown(piece) not in own
    for piece in known:
        assert table.game.pieces.shown(piece) not in board.text


def in_alt_text(table: TableState, piece: int) -> str:
    """A piece as alternative texts have it: tiles without their frame."""
    return table.game.pieces.shown(piece).strip("[]").replace("\u2011", "-")


@pytest.mark.thorough
async def test_a_host_who_serves_the_page_has_it_linked_and_not_attached(evening: Evening) -> None:
    evening.settings = evening.settings.model_copy(update={"verifier_url": "https://example.org/verify.html"})
    await evening.restart()
    _, _, bob, _ = await settled(evening)
    for command in COMMANDS:
        reply = await evening.told_alone(bob, command)
        assert "<https://example.org/verify.html>" in reply.text
        assert reply.attachments[-1].filename == "table-1-round-1.json"
