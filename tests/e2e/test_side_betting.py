"""Side bets on Discord: spectators back players, change their mind, and read why not (B01, B02)."""

import pytest

from bot.practice.messages import Message
from bot.practice.person import Person
from bot.ui.press.custom_ids import ANY_ROUND, Press, PressAction
from tests.e2e.answers import id_of, in_menu, message_of, said
from tests.e2e.evening import Evening, taken

MENU = "Whose hand do you back?"
RETURNED = "You took a seat, so your side bets went back to you."


async def begun(evening: Evening) -> tuple[Message, Person, Person, Person, Person]:
    """A table where Mei is banker, Alice and Bob have bet, and Chan looks on."""
    evening.rules = evening.rules.model_copy(update={"last_call_seconds": 60})
    board, (mei, alice, bob, chan) = await evening.table_of("Mei", "Alice", "Bob", "Chan")
    await alice.click(board, "20")
    await bob.click(board, "10")
    return board, alice, bob, chan, mei


async def own_view(evening: Evening, person: Person, board: Message, backed: Person) -> Message:
    """The side bet view with a chosen player."""
    view = message_of(await person.click(board, "Back a player"))
    assert view.ephemeral
    return message_of(await person.choose(view, MENU, str(evening.party(backed))))


async def test_b01_a_side_bet_has_the_outcome_of_the_backed_hand(evening: Evening) -> None:
    board, alice, bob, chan, mei = await begun(evening)
    view = await own_view(evening, chan, board, alice)
    assert f"How much on <@{alice.id}>?" in view.text
    assert (await chan.click(view, "10")).kind == "update"
    assert f"You back <@{alice.id}> with **10 chips**" in view.text
    assert not view.gallery()
    await evening.board_says(board, f"backed by <@{chan.id}> (10)")
    assert evening.table().held[evening.party(chan)] == 70
    await evening.press(mei, board, "Deal")
    await evening.reveal(board, alice, bob, mei)
    await evening.board_says(board, "-# 🧾 receipt 1", f"<@{chan.id}> on <@{alice.id}>")
    last = evening.last_round()
    hers = next(one for one in last.players if one.party == evening.party(alice))
    await evening.board_says(view, f"you backed <@{alice.id}>: ")
    (shown,) = view.gallery()
    assert f"Seat {hers.seat}" in (shown.description or ""), "both hands are pictured, hers and the bank's"
    owned = await evening.chips(alice, bob, chan, mei)
    assert owned["Chan"] - 1000 == hers.chips // 2
    assert sum(owned.values()) == 4000
    assert f"you backed <@{alice.id}>: " in (await evening.panel(chan, board)).text


async def test_b01_a_backer_who_sits_down_can_no_longer_back_and_is_told(evening: Evening) -> None:
    board, alice, _, chan, _ = await begun(evening)
    zed = evening.person("Zed")
    view = await own_view(evening, chan, board, alice)
    await chan.click(view, "10")
    five = id_of(view, "5")
    await evening.back(zed, board, alice, 5)
    await evening.press(chan, board, "Join")
    assert RETURNED in (await evening.told_alone(zed, "bet", amount=10)).text
    assert evening.table().side_bets == ()
    await evening.until(
        lambda: any(one.text == RETURNED for one in chan.sees(evening.channel)), "Chan is told"
    )
    assert "To back somebody else, leave the table first." in said(await chan.press_raw(view, five))
    own = message_of(await chan.click(board, "Back a player"))
    assert "To back somebody else, leave the table first." in own.text
    await chan.click(own, "Leave the table")
    assert f"How much on <@{alice.id}>?" in (await own_view(evening, chan, board, alice)).text


@pytest.mark.thorough
async def test_b01_a_side_bet_is_changed_and_withdrawn(evening: Evening) -> None:
    board, alice, bob, chan, _ = await begun(evening)
    view = await own_view(evening, chan, board, alice)
    await chan.click(view, "10")
    await chan.click(view, "20")
    assert [side.stake for side in evening.table().side_bets] == [20]
    await chan.choose(view, MENU, str(evening.party(bob)))
    await chan.click(view, "5")
    assert [side.stake for side in evening.table().side_bets] == [20, 5]
    to_withdraw = message_of(await in_menu(chan, board, "unback_any"))
    assert f"You back <@{bob.id}>" in to_withdraw.text, "who backs several picks one"
    await chan.click(to_withdraw, "Take it back")
    assert len(evening.table().side_bets) == 1
    assert taken(await in_menu(chan, board, "unback_any"))
    assert evening.table().side_bets == ()
    assert (await evening.chips(chan))["Chan"] == 1000
    back = Press(PressAction.UNBACK_ANY, evening.table().table_id, ANY_ROUND)
    assert "You have no side bet" in said(await chan.press_raw(board, back.custom_id))


@pytest.mark.thorough
async def test_b01_side_bets_close_at_the_deal_and_old_buttons_say_so(evening: Evening) -> None:
    board, alice, bob, chan, mei = await begun(evening)
    view = await own_view(evening, chan, board, alice)
    ten, other = id_of(view, "10"), id_of(view, "Other…")
    zed = evening.person("Zed")
    await evening.back(zed, board, alice, 5)
    await evening.press(mei, board, "Deal")
    assert "Hands are dealt" in said(await chan.press_raw(view, ten))
    assert "Hands are dealt" in said(await chan.press_raw(view, other))
    await evening.press(zed, board, "Join")
    await evening.settle_down()
    assert [side.stake for side in evening.table().side_bets] == [5], "the deal has closed it"
    assert not any(RETURNED in one.text for one in zed.sees(evening.channel))
    await evening.reveal(board, alice, bob, mei)
    assert "Those buttons are from round 1" in said(await chan.press_raw(view, ten))
    assert evening.table().side_bets == ()
