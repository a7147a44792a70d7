"""Provable shuffles through real discord.py: client seeds, replays, and verifying a round."""

import json

import pytest

from bot.games.register import GAMES
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.rules.knobs import GameName
from bot.rules.shuffle import commitment_to
from bot.table.round_proof import first_mismatch
from tests.e2e.evening import Evening
from tests.sizes import sample


async def dealt(evening: Evening, *people: Person) -> tuple[Message, Person]:
    """A table with cards dealt, and its people, the banker first."""
    mei = evening.person("Mei")
    board = await evening.open_table(mei)
    await evening.take_bank(mei, board)
    for person in people:
        await person.click(board, "Join")
    for person in people:
        await person.slash(evening.channel, "bet", amount=10)
    await evening.have_cards(mei, *people)
    return board, mei


@pytest.mark.thorough
async def test_a_round_is_replayed_and_its_file_verified(evening: Evening) -> None:
    alice, bob = evening.persons("Alice", "Bob")
    board, mei = await dealt(evening, alice, bob)
    seal = evening.table().seal
    assert f"`{seal}`" in board.text
    await evening.reveal(board, mei, alice, bob)

    shown = await evening.told_alone(bob, "round show")

    last = evening.table().last
    assert last is not None
    assert last.opening is not None
    assert seal == commitment_to(last.opening.secret)
    assert f"`{last.opening.secret}`" in board.text
    assert f"`{evening.table().seal}`" in board.text
    assert f"`{seal}`" in shown.text
    assert f"`{last.opening.secret}`" in shown.text
    assert "noted before you bet" in shown.text
    (file,) = shown.attachments
    assert file.filename == "table-1-round-1.json"
    text = evening.discord.world.files[file.id].decode()
    assert first_mismatch(text) is None
    record = json.loads(text)
    assert [said["member"] for said in record["opening"]["client_seeds"]] == sorted((alice.id, bob.id))
    verdict = await evening.told_alone(alice, "round verify", table=1, round=1)
    assert "verified: everything follows" in verdict.text
    assert "What the house could still do" in verdict.text


@pytest.mark.thorough
async def test_own_words_are_mixed_in_and_shown_with_the_result(evening: Evening) -> None:
    alice, bob, mei, zed = evening.persons("Alice", "Bob", "Mei", "Zed")
    board = await evening.open_table(mei)
    await evening.take_bank(mei, board)
    for person in (alice, bob):
        await person.click(board, "Join")
    await alice.slash(evening.channel, "bet", amount=10)
    assert "eight eight" in (await evening.told_alone(alice, "seed", words="eight eight")).text
    assert "Bet first" in (await evening.told_alone(zed, "seed", words="nine")).text
    assert "You are the banker" in (await evening.told_alone(mei, "seed", words="nine")).text
    await bob.slash(evening.channel, "bet", amount=10)
    await evening.have_cards(mei, alice, bob)
    assert "Hands are dealt" in (await evening.told_alone(alice, "seed", words="nine")).text
    await evening.reveal(board, mei, alice, bob)

    last = evening.table().last
    assert last is not None
    assert last.opening is not None
    assert {one.member_id: one.text for one in last.opening.client_seeds}[alice.id] == "eight eight"
    assert "verified" in (await evening.told_alone(zed, "round verify")).text


@pytest.mark.thorough
async def test_the_bot_never_sends_a_sealed_secret_or_an_undealt_card(evening: Evening) -> None:
    alice, bob = evening.persons("Alice", "Bob")
    board, mei = await dealt(evening, alice, bob)
    secret = evening.table().secret
    assert secret is not None

    refused = await evening.told_alone(bob, "round show", table=1, round=1)
    assert "no settled round 1" in refused.text
    assert "no settled round yet" in (await evening.told_alone(bob, "round verify")).text
    assert "no table 9" in (await evening.told_alone(bob, "round show", table=9)).text
    assert all(secret not in repr(request.body) for request in evening.discord.requests)
    await evening.reveal(board, mei, alice, bob)
    following = evening.table().secret
    assert following not in (None, secret)
    await evening.told_alone(bob, "round show")
    assert all(str(following) not in repr(request.body) for request in evening.discord.requests)
    assert any(secret in repr(request.body) for request in evening.discord.requests)


@pytest.mark.parametrize("game", sample(GAMES))
async def test_the_bot_never_sends_or_logs_an_undealt_piece(
    evening: Evening, game: GameName, caplog: pytest.LogCaptureFixture
) -> None:
    people = evening.persons("Alice", "Bob", "Chan")
    board = await evening.open_table(people[0], game=game)
    if GAMES[game].rolls_for_bank:
        banker, players = await evening.roll_dice(board, *people)
    else:
        banker, *players = people
        await evening.take_bank(banker, board)
        for person in players:
            await person.click(board, "Join")
    for person in players:
        await person.slash(evening.channel, "bet", amount=5)
    await evening.have_cards(banker, *players)
    await evening.told_alone(players[0], "hand")

    table = evening.table()
    dealt = {person.id: set(table.pieces_of(person.id)) for person in people}
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
async def test_a_round_verifies_after_a_restart_and_after_its_table_closes(evening: Evening) -> None:
    alice, bob = evening.persons("Alice", "Bob")
    board, mei = await dealt(evening, alice, bob)
    await evening.stop_bot()
    await evening.start_bot()
    await evening.reveal(board, mei, alice, bob)
    await mei.slash(evening.channel, "table close")

    assert "verified" in (await evening.told_alone(bob, "round verify", table=1)).text
