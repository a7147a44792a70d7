"""What members are called: by their newest name, in their language, and by mentions after a restart."""

import json

from bot.practice.messages import Message
from bot.practice.person import Person
from bot.ui.press.custom_ids import ANY_ROUND, Press, PressAction
from tests.e2e.answers import message_of, said
from tests.e2e.evening import Evening
from tests.words.conftest import write_locale as write_locale


async def betting(evening: Evening) -> tuple[Message, Person, Person]:
    """A table where Mei is banker and Alice has bet; returns its board, Alice and Mei."""
    evening.rules = evening.rules.model_copy(update={"last_call_seconds": 60})
    board, (mei, alice) = await evening.table_of("Mei", "Alice")
    await alice.click(board, "20")
    return board, alice, mei


async def hands_to_back(evening: Evening, spectator: Person, board: Message) -> list[str]:
    """What the menu of side bets offers to a spectator."""
    await evening.can_press(board, "Back a player")
    (menu,) = message_of(await spectator.click(board, "Back a player")).selects()
    return [option.label for option in menu.options]


async def test_who_has_left_the_server_is_named_where_the_past_is_told(evening: Evening) -> None:
    """A mention of somebody who is not there any more is a bare number."""
    mei = evening.person("Mei", manage_server=True)
    gone = evening.person("*Zoe* of old", manage_server=True)
    await gone.slash(evening.channel, "give", member=mei, amount=5)
    preview = await evening.told_alone(gone, "house set", rule="ties", value="push")
    await evening.until(lambda: preview.button("Confirm"), "the preview is shown")
    await gone.click(preview, "Confirm")
    evening.discord.world.leave(evening.server, gone.user)
    for command in ("ledger", "house history"):
        shown = message_of(await mei.slash(evening.channel, command))
        assert f"<@{gone.id}>" not in shown.text
        assert r"\*Zoe\* of old" in shown.text, command


async def test_a_changed_name_is_shown_after_the_next_press_and_a_nickname_of_the_server_wins(
    evening: Evening,
) -> None:
    board, alice, mei = await betting(evening)
    zed = evening.person("Zed")
    assert await hands_to_back(evening, zed, board) == ["1 · Alice"]
    alice.user.display_name = "Alicia"
    assert await hands_to_back(evening, zed, board) == ["1 · Alice"], "the bot has not heard of it yet"
    await evening.panel(alice, board)
    assert await hands_to_back(evening, zed, board) == ["1 · Alicia"]

    member = evening.server.member(alice.user)
    assert member is not None
    member.nick = "Lucky Alice"
    await evening.panel(alice, board)
    await zed.slash(evening.channel, "give", member=alice, amount=5)
    await evening.restart()
    assert "995 chips" in said(await zed.slash(evening.channel, "hand"))
    assert await hands_to_back(evening, zed, board) == ["1 · Lucky Alice"]
    await evening.board_says(board, f"<@{mei.id}>", f"<@{alice.id}> · 🪙 **20**")

    await evening.press(mei, board, "Deal")
    await evening.have_cards(alice)
    await evening.reveal(board, alice, mei)
    own = alice.sees(alice.dm())[0]
    await evening.can_press(own, "Bet 20")
    assert (await alice.click(own, "Bet 20")).kind == "update", "a direct message has no nickname"
    assert await hands_to_back(evening, zed, board) == ["1 · Lucky Alice"]


async def test_a_refusal_names_the_banker_or_the_opener(evening: Evening) -> None:
    board, alice, _ = await betting(evening)
    take_bank = Press(PressAction.BANK, evening.table().table_id, ANY_ROUND)

    taken = said(await alice.press_raw(board, take_bank.custom_id))
    assert taken == "Mei is the banker. Bet, or wait until the bank is free."
    deal = Press(PressAction.DEAL, evening.table().table_id, 1)
    assert said(await alice.press_raw(board, deal.custom_id)) == "Only the banker, Mei, can do this."
    assert said(await alice.slash(evening.channel, "table close")).startswith("Only Mei (who opened")


async def test_a_member_who_rolled_and_left_is_named_in_the_round_after_a_restart(evening: Evening) -> None:
    people = evening.persons("Alice", "Bob", "Chan", "Mei")
    board = await evening.open_table(people[0], game="tau-ngau")
    for person in people:
        await evening.press(person, board, "Join")
        await person.slash(evening.channel, "seed", words=f"words of {person.name}")
    await people[0].click(board, "Roll for the bank")
    banker, (*players, leaver) = evening.banker_and_players()
    await evening.press(leaver, board, "Leave the table")
    for player in players:
        await evening.can_press(board, "5")
        await player.click(board, "5")
    await evening.reveal(board, banker, *players)
    parties = {str(evening.party(person)): person.name for person in people}
    await banker.slash(evening.channel, "table close")
    await evening.restart()

    shown = await evening.told_alone(banker, "round show", table=1)

    assert f"{leaver.name} added: words of {leaver.name}" in shown.text
    _, file = shown.attachments
    assert json.loads(evening.discord.world.files[file.id])["names"] == parties
