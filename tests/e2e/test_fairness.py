"""Provable shuffles through real discord.py: client seeds, replays, and verifying a round."""

import json
import re
from dataclasses import replace

import pytest

from bot.games.register import GAMES
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.rules.knobs import GameName
from bot.table.round_proof import first_mismatch
from bot.table.round_record import parties_on, seal_in
from tests.e2e.evening import Evening
from tests.sizes import sample


async def dealt(evening: Evening, *people: Person) -> tuple[Message, Person]:
    """A table with cards dealt, and its people, the banker first."""
    mei = evening.person("Mei")
    board = await evening.open_table(mei)
    await evening.take_bank(mei, board)
    for person in people:
        await evening.press(person, board, "Join")
    for person in people:
        await person.slash(evening.channel, "bet", amount=10)
    await evening.have_cards(mei, *people)
    return board, mei


@pytest.mark.thorough
async def test_a_round_is_replayed_and_its_file_verified(evening: Evening) -> None:
    alice, bob = evening.persons("Alice", "Bob")
    board, mei = await dealt(evening, alice, bob)
    seal = evening.table().seal
    assert f"🔒 1 · {seal}" in board.text
    await evening.reveal(board, mei, alice, bob)

    shown = await evening.told_alone(bob, "round show")

    last = evening.last_round()
    assert seal == seal_in(last.opening)
    assert f"🧾 1 · {last.receipt}" in board.text
    assert f"🔒 2 · {evening.table().seal}" in board.text
    assert f"`{seal}`" in shown.text
    assert f"`{last.receipt}`" in shown.text
    assert "on your screenshot" in shown.text
    assert re.match(r"### Gnau · Table 1 · Round 1 · <t:\d+:f>\n", shown.text)
    assert (shown.gallery()[0].description or "").startswith("Bank: ")
    _, file = shown.attachments
    assert file.filename == "table-1-round-1.json"
    text = evening.discord.world.files[file.id].decode()
    assert first_mismatch(text) is None
    record = json.loads(text)
    assert (record["seal"], record["receipt"]) == (seal, last.receipt)
    assert parties_on(last.opening.sheet) == set(map(evening.party, (alice, bob, mei)))
    assert record["names"] == {str(evening.party(person)): person.name for person in (alice, bob, mei)}
    verdict = await evening.told_alone(alice, "round verify", table=1, round=1)
    assert "verified: every card" in verdict.text
    assert [file.filename for file in verdict.attachments] == ["table-1-round-1.json", "verify.html"]
    assert "The house can still refuse to deal" in verdict.text


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
    for piece in set(table.game.pack(len(people), table.rules)) - known:
        assert table.game.pieces.shown(piece) not in sent
    for piece in known:
        assert table.game.pieces.shown(piece) in sent
    assert not any(table.game.pieces.shown(piece) in caplog.text for piece in known)
    for person in people:
        own = "\n".join(message.text for message in person.sees(person.dm()))
        for piece in known - dealt[person.id]:
            assert table.game.pieces.shown(piece) not in own
    for piece in known:
        assert table.game.pieces.shown(piece) not in board.text


@pytest.mark.thorough
async def test_a_host_who_serves_the_page_has_it_linked_and_not_attached(evening: Evening) -> None:
    evening.settings = replace(evening.settings, verifier_url="https://example.org/verify.html")
    await evening.restart()
    alice, bob = evening.persons("Alice", "Bob")
    board, mei = await dealt(evening, alice, bob)
    await evening.reveal(board, mei, alice, bob)

    for command in ("round show", "round verify"):
        reply = await evening.told_alone(bob, command)
        assert "<https://example.org/verify.html>" in reply.text
        assert reply.attachments[-1].filename == "table-1-round-1.json"
