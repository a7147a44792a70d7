"""Side bets on Discord: spectators back players, change their mind, and read why not (B01, B02)."""

from functools import partial
from math import ceil

import pytest

from bot.practice.messages import Message
from bot.practice.person import Person
from bot.table.state import Phase, TableState
from bot.ui.press.custom_ids import ANY_ROUND, Press, PressAction
from tests.e2e.answers import form_of, id_of, in_menu, message_of, offered, press_own, private, said
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
    session = " · all tables since you started: " if hers.chips else "\n"
    await evening.board_says(view, f"-# Wallet: {owned['Chan']:,} chips free{session}")
    assert sum(owned.values()) == 4000
    for player in (alice, bob):
        await player.click(board, "10")
    await evening.press(mei, board, "Deal")
    await evening.board_says(view, "Hands are dealt", f"you backed <@{alice.id}>: ")
    assert view.gallery(), "the result stays while others play on"
    await evening.reveal(board, alice, bob, mei)
    await evening.until(lambda: evening.table().round_number == 3, "the next round")
    await alice.click(board, "10")
    await evening.board_says(view, f"How much on <@{alice.id}>?", f"Round 1: you backed <@{alice.id}>: ")
    await chan.click(view, "5")
    assert "you backed" not in view.text
    assert not view.gallery()


async def test_b01_a_panel_has_a_page_for_side_bets_in_its_place_for_members_without_a_seat(
    evening: Evening,
) -> None:
    board, alice, bob, chan, mei = await begun(evening)
    panels = [await evening.panel(person, board) for person in (alice, mei, chan)]
    assert ["Back a player" in offered(panel) for panel in panels] == [False, False, True]
    own = panels[-1]
    for stake in ("10", "5"):
        assert (await press_own(chan, own, "Back a player")).kind == "update"
        await chan.choose(own, MENU, str(evening.party(alice)))
        assert (await chan.click(own, stake)).kind == "update"
        assert f"How much on <@{alice.id}>?" in own.text
        assert (await chan.click(own, "My panel")).kind == "update"
        await evening.board_says(own, f"You back <@{alice.id}> with **{stake} chips**", "Wallet: ")
    await press_own(chan, own, "Back a player")
    assert private(chan, board) == [own], "all that happens on one message"
    await evening.press(mei, board, "Deal")
    await evening.board_says(own, "your result comes with the showdown")
    await evening.reveal(board, alice, bob, mei)
    await evening.board_says(own, f"you backed <@{alice.id}>: ")
    await evening.press(chan, board, "Join")
    await evening.until(lambda: "Side bets · " not in own.text, "who sits down has their panel again")


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
    await chan.click(own, "Leave, and back a player")
    assert f"How much on <@{alice.id}>?" in own.text, "they choose at once"


async def test_b01_who_leaves_to_back_a_player_chooses_before_the_deal_and_deals_by_choosing(
    evening: Evening,
) -> None:
    evening.rules = evening.rules.model_copy(update={"last_call_seconds": 1})
    alice, bob = evening.persons("Alice", "Bob")
    board = await evening.open_table(alice)
    await evening.press(alice, board, "Play the house")
    await evening.press(bob, board, "Join")
    said(await in_menu(bob, board, "hand"))
    await alice.click(board, "20")
    refused = message_of(await bob.click(board, "Back a player"))
    await bob.click(refused, "Leave, and back a player")
    assert f"How much on <@{alice.id}>?" in refused.text
    await evening.settle_down()
    table = evening.table()
    assert table.phase is Phase.BETTING
    assert not evening.bot.croupier.attention.is_last_call(table), "as if they were still to bet"
    await evening.until(lambda: private(bob, board) == [refused], "it takes the panel's place")
    await bob.click(refused, "5")
    await evening.until(lambda: evening.table().phase is Phase.DEALT, "the house deals")
    assert [side.stake for side in evening.table().side_bets] == [5]


async def test_b01_the_page_for_side_bets_says_how_long_a_spectator_surely_has_and_a_press_within_it_counts(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.ui.hand.panels.QUIET_SECONDS", 60.0)
    monkeypatch.setattr("bot.table.deadlines.LEAST_SECONDS_TO_CHOOSE", 12)
    evening.rules = evening.rules.model_copy(update={"last_call_seconds": 1})
    board, _, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    chan, croupier = evening.person("Chan"), evening.bot.croupier
    croupier.now = partial(float, croupier.now())
    await alice.click(board, "20")
    view = message_of(await chan.click(board, "Back a player"))
    until = croupier.now() + 12
    assert f"Your time to choose ends <t:{ceil(until)}:R>" in view.text
    await bob.click(board, "10")
    await evening.board_says(view, f"Last call: closes <t:{ceil(until)}:R>")
    assert evening.table().deadline == until
    croupier.now = partial(float, until - 1)
    await croupier.go_on()
    await chan.click(view, "10")
    assert [side.stake for side in evening.table().side_bets] == [10]


async def test_b04_panels_say_at_once_that_the_last_call_began(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.ui.hand.panels.QUIET_SECONDS", 60.0)
    evening.rules = evening.rules.model_copy(update={"last_call_seconds": 10})
    board, mei, (alice, bob) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    await alice.click(board, "20")
    own, looks_on = [await evening.panel(person, board) for person in (mei, evening.person("Chan"))]
    await bob.click(board, "5")
    for panel in (own, looks_on):
        await evening.board_says(panel, f"Last call: closes <t:{ceil(evening.table().deadline or 0)}:R>")
    assert "You bank: 2 bets" in own.text


async def test_b01_the_page_for_side_bets_names_no_time_that_is_over(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.table.deadlines.LEAST_SECONDS_TO_CHOOSE", 1)
    evening.rules = evening.rules.model_copy(update={"last_call_seconds": 0})
    board, _, (alice, _) = await evening.seated_table("gnau", "Mei", "Alice", "Bob")
    await alice.click(board, "20")
    view = message_of(await evening.person("Chan").click(board, "Back a player"))
    assert "Your time to choose ends" in view.text
    latest = ceil(evening.table().deadline or 0)
    await evening.board_says(view, f"Betting closes when everybody has bet, <t:{latest}:R> at the latest")
    assert "Your time to choose" not in view.text


async def test_b01_who_would_leave_to_back_a_player_plays_on_if_the_deal_comes_first(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    board, _, _, chan, mei = await begun(evening)
    await chan.click(board, "5")
    own = message_of(await chan.click(board, "Back a player"))
    wait_for_backer, table_id = evening.bot.croupier.wait_for_backer, evening.table().table_id

    async def dealt_meanwhile(table: TableState, party: int, key: str) -> None:
        await wait_for_backer(table, party, key)
        await mei.press_raw(board, Press(PressAction.DEAL, table_id, 1).custom_id)

    monkeypatch.setattr(evening.bot.croupier, "wait_for_backer", dealt_meanwhile)
    assert "Hands are dealt" in said(await chan.click(own, "Leave, and back a player"))
    seat = evening.table().seat_of(evening.party(chan))
    assert seat is not None
    assert seat.pieces
    assert not seat.leaves_after_round


async def test_an_old_button_that_only_opens_something_or_leaves_works_in_any_round(evening: Evening) -> None:
    board, alice, bob, chan, mei = await begun(evening)
    view = await own_view(evening, chan, board, alice)
    back, other = id_of(board, "Back a player"), id_of(board, "Other…")
    back_other = id_of(view, "Other…")
    zed, eve = evening.persons("Zed", "Eve")
    await evening.press(eve, board, "Join")
    refused = message_of(await eve.click(board, "Back a player"))
    await evening.press(mei, board, "Deal")
    await evening.reveal(board, alice, bob, mei)
    await evening.until(lambda: evening.table().phase is Phase.BETTING, "the next round")
    await alice.click(board, "20")
    form = form_of(await chan.press_raw(view, back_other))
    backed = message_of(await chan.submit(form, amount="5"))
    assert f"You back <@{alice.id}>" in backed.text
    form = form_of(await alice.press_raw(board, other))
    await alice.submit(form, amount="30")
    assert [seat.stake for seat in evening.table().bets] == [30]
    assert f"How much on <@{alice.id}>?" in said(await zed.press_raw(board, back))

    await eve.click(refused, "Leave, and back a player")
    await evening.board_says(refused, "You have no seat here.")
    assert evening.table().seat_of(evening.party(eve)) is None


async def test_who_joins_while_hands_are_dealt_reads_their_seat_and_when_they_play(evening: Evening) -> None:
    board, _, _, chan, mei = await begun(evening)
    await evening.press(mei, board, "Deal")
    await in_menu(chan, board, "join")
    told = "You have seat 3. You play from the next round."
    await evening.until(lambda: private(chan, board)[-1:] and private(chan, board)[-1].text == told, "told")
    assert told in (await evening.panel(chan, board)).text


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
    assert taken(await chan.press_raw(board, back.custom_id)), "it is so already"


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
