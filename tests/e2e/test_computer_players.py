"""Evenings with computer players: alone against them, in Tau Ngau, on boards and in menus (B07)."""

import json

import pytest

from bot.games.register import GAMES
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.rules.house_rules import HouseRules
from bot.table.round_proof import first_mismatch
from bot.table.seats import COMPUTERS, THE_HOUSE
from bot.table.state import Phase
from tests.e2e.answers import message_of
from tests.e2e.evening import Evening
from tests.sizes import sample

SHOWN = [f"🤖 Computer {number}" for number in (1, 2, 3)]


def with_computers(rules: HouseRules, number: int = 3) -> HouseRules:
    """The rules with so many computer players."""
    return rules.model_copy(update={"computer_players": number})


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


@pytest.mark.parametrize("game", sample(sorted(GAMES), 2))
async def test_b07_a_lone_banker_plays_three_computer_players(evening: Evening, game: str) -> None:
    evening.rules = with_computers(GAMES[game].rules(last_call_seconds=0))
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
    assert len(mei.sees(mei.dm())) == 1
    leaders = message_of(await mei.slash(evening.channel, "leaderboard"))
    assert "Computer" not in leaders.text
    assert f"<@{mei.id}>" in leaders.text


async def test_b07_such_a_round_is_shown_again_and_verified(evening: Evening) -> None:
    evening.rules = with_computers(evening.rules)
    alice = evening.person("Alice")
    answer = message_of(await alice.slash(evening.channel, "play"))
    board = answer
    await alice.click(board, "20")
    await evening.have_cards(alice)
    await evening.reveal(board, alice)
    shown = await evening.told_alone(alice, "round show")
    assert all(name in shown.text for name in SHOWN)
    verdict = await evening.told_alone(alice, "round verify")
    assert "**verified: " in verdict.text
    text = evening.discord.world.files[verdict.attachments[0].id].decode()
    told = json.loads(text)
    assert first_mismatch(text) is None
    assert [player["client_seed"] for player in told["sheet"]["players"][1:]] == ["0", "0", "0"]
