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
from tests.e2e.evening import Evening
from tests.e2e.seated_tables import message_of, said
from tests.e2e.test_house import preview
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


async def test_t02_b07_two_members_and_a_computer_player_play_tau_ngau(evening: Evening) -> None:
    evening.rules = with_computers(GAMES["tau-ngau"].rules(last_call_seconds=0), 1)
    alice, bob = evening.persons("Alice", "Bob")
    board = await evening.open_table(alice, game="tau-ngau")
    banker, (player,) = await evening.roll_dice(board, alice, bob)
    await evening.board_says(board, SHOWN[0])
    await player.slash(evening.channel, "bet", amount=5)
    await evening.have_cards(banker, player)
    await evening.reveal(board, banker, player)
    last = evening.last_round()
    assert {one.party for one in last.players} == {COMPUTERS[0], evening.party(player)}
    after = evening.table()
    assert after.bank is not None
    assert after.bank.party in {evening.party(alice), evening.party(bob)}


async def test_b07_a_watcher_backs_a_computer_player(evening: Evening) -> None:
    evening.rules = with_computers(evening.rules.model_copy(update={"last_call_seconds": 60}))
    board, mei = await alone_with_computers(evening, "gnau")
    zed = evening.person("Zed")
    await evening.can_press(board, "Side bet…")
    own = message_of(await zed.click(board, "Side bet…"))
    menu = own.select("Whose hand do you back?")
    assert menu is not None
    assert [option.label for option in menu.options] == [f"{at} · {name}" for at, name in enumerate(SHOWN, 1)]
    await zed.choose(own, "Whose hand do you back?", str(COMPUTERS[1]))
    assert f"{SHOWN[1]}" in own.text
    await zed.click(own, "5")
    await evening.board_says(board, f"backed by <@{zed.id}> (5)")
    await evening.press(mei, board, "Deal")
    await evening.reveal(board, mei)
    last = evening.last_round()
    (side,) = last.side_bets
    assert await evening.chips(zed) == {"Zed": 1000 + side.chips}


async def test_b03_b07_an_admin_brings_computer_players_for_the_next_round(evening: Evening) -> None:
    admin = evening.person("Dora", manage_server=True)
    shown = await preview(evening, admin, "set", rule="computer_players", value="3")
    assert "**Computer players**: off → **3**" in shown.text
    assert "Applies from the next round." in shown.text
    await admin.click(shown, "Confirm")
    page = await preview(evening, admin, "show")
    await admin.click(page, "Show server settings")
    assert "✏️ Computer players **3** (default: off)" in page.text
    assert "bet the house's chips" in page.text
    refused = await preview(evening, admin, "set", rule="computer_players", value="4")
    assert "Computer players: a whole number from 0 to 3" in refused.text
    off = await preview(evening, admin, "set", rule="computer_players", value="off")
    assert "**Computer players**: 3 → **off**" in off.text


async def test_b07_a_board_names_computer_players_in_the_language_of_its_server(evening: Evening) -> None:
    evening.rules = with_computers(evening.rules)
    evening.chip_settings = {"language": "zh-cn"}
    alice = evening.person("Alice")
    answer = message_of(await alice.slash(evening.channel, "play"))
    await alice.click(answer, "20")
    await evening.board_says(answer, "🤖 电脑 1", "🤖 电脑 3")


async def test_b07_play_goes_on_after_a_restart(evening: Evening) -> None:
    evening.rules = with_computers(evening.rules)
    board, mei = await alone_with_computers(evening, "gnau")
    await evening.press(mei, board, "Deal")
    await evening.have_cards(mei)
    await evening.restart()
    await evening.reveal(board, mei)
    await evening.board_says(board, *SHOWN)


async def test_b07_how_to_play_says_whose_chips_computer_players_bet(evening: Evening) -> None:
    evening.rules = with_computers(evening.rules)
    alice = evening.person("Alice")
    guide = message_of(await alice.slash(evening.channel, "rules show"))
    await alice.click(guide, "Banker")
    assert "They bet the house's chips" in guide.text
    wallet = said(await alice.slash(evening.channel, "wallet"))
    assert "1,000" in wallet
