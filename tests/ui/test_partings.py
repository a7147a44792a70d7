"""Who has left a table reads on their hand panel why, and what they missed."""

from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace
from typing import cast

import pytest

from bot.croupier.open_tables import TableChanged
from bot.games.hands import shuffled_pack
from bot.table.commands import Deal, GiveUpBank, Join, Leave, PlaceBet, RevealHand, TakeBank
from bot.table.state import ROUNDS_MISSED_IN_A_ROW, Departure, LeaveReason, Phase
from bot.table.story import BankTurn, Story
from bot.ui.hand.content import PanelContent
from bot.ui.hand.looking import Looks
from bot.ui.hand.own_hand import Parting, not_announced
from bot.ui.services import Services
from bot.words.translation import signed
from tests.ui.hand_panels import ALICE, BOB, CHAN, LONG_NAME, dealt, own
from tests.ui.messages import text_of
from tests.ui.sample_names import mention
from tests.ui.sample_tables import BANKER, RULES, Table


def partings(table: Table) -> PanelContent:
    """What panels are told of a table's changes, and of its rounds."""
    story = Story()
    services = SimpleNamespace(croupier=SimpleNamespace(stories=SimpleNamespace(of=lambda _: story)))
    content = PanelContent(cast("Services", services), cast("Looks", None), ())
    for before, after in pairwise(table.states):
        if after.last is not None and after.last.round_number > story.round_number:
            story = story.after(after.last)
        content.follow(TableChanged(before, (), after, ()))
    return content


def test_who_was_away_reads_what_the_rounds_brought_in_which_they_had_a_bet() -> None:
    table = dealt()
    table.do(Leave(BOB), RevealHand(BANKER))
    table.now += table.state.rules.arranging_seconds
    table.go_on()
    while table.state.seat_of(ALICE) is not None:
        table.do(PlaceBet(CHAN, 5), Deal(BANKER, shuffled_pack(2, table.rules)))
        table.do(RevealHand(BANKER), RevealHand(CHAN))
        table.go_on()
    content = partings(table)
    assert table.state.departures == (Departure(ALICE, LeaveReason.IDLE, was_banker=False),)
    parting = content.parting(table.state, ALICE)
    assert [one.round_number for one in parting.missed] == [1]
    shown = text_of(own(table.state, ALICE, parting=parting))
    assert "You can join again in <#" in shown
    assert "\n-# Round 1: your Double-Ox 8 " in shown
    content.forget_party(ALICE)
    assert content.parting(table.state, ALICE) == Parting()


def test_a_banker_reads_what_their_bank_has_brought_once_it_ends() -> None:
    table, gained = Table(), []
    table.do(TakeBank(BANKER, 5, 100, table.rules))
    for _ in range(3):
        table.do(PlaceBet(ALICE, 5), Deal(BANKER, shuffled_pack(2, table.rules)))
        table.do(RevealHand(ALICE), RevealHand(BANKER))
        table.go_on()
        assert table.state.last is not None
        gained.append(table.state.last.bank_chips)
    table.do(GiveUpBank(BANKER))
    parting = partings(table).parting(table.state, BANKER)
    assert parting.turn == BankTurn(BANKER, 3, sum(gained), max(gained), 3)
    left = Departure(BANKER, LeaveReason.ASKED, was_banker=True)
    for brought, best, words in (
        (120, 80, "**+120**, the best **+80**."),
        (-15, 5, "**−15**, the best **+5**."),
        (-50, -5, "**−50**."),
    ):
        told = replace(parting, turn=replace(parting.turn, gained=brought, best=best))
        said = f"👑 This turn as the banker: 3 rounds, {words}"
        assert f"{said}\n" in text_of(own(table.state, BANKER, parting=told)), "they keep a seat"
    table.do(Leave(BANKER))
    for gained_in_all in (120, -50):
        told = replace(parting, turn=replace(parting.turn, gained=gained_in_all, best=-5))
        said = f"👑 This turn as the banker: 3 rounds, **{signed(gained_in_all)}**."
        assert f"your place at the table. {said} " in text_of(
            own(table.state, BANKER, left=left, parting=told)
        )
    seated = Table()
    seated.states = [*table.states]
    seated.do(Join(BANKER), TakeBank(ALICE, 5, 100, table.rules))
    assert f"{said}\n👑 {mention(ALICE)} banks now.\nPlace your bet" in text_of(
        own(seated.state, BANKER, most=20, parting=told)
    )
    seated.do(PlaceBet(BANKER, 5), Deal(ALICE, shuffled_pack(2, table.rules)))
    assert said not in text_of(own(seated.state, BANKER, parting=told))


def test_a_banker_whose_own_limit_ends_the_bank_reads_that_and_who_asked_to_go_does_not() -> None:
    table = Table()
    table.do(TakeBank(BANKER, 5, 100, table.rules))
    asked = not_announced(table.state, BANKER)
    assert asked == Departure(BANKER, LeaveReason.ASKED, was_banker=True)
    table.do(PlaceBet(ALICE, 5), Deal(BANKER, shuffled_pack(2, table.rules)))
    assert not_announced(table.state, ALICE) == Departure(ALICE, LeaveReason.ASKED, was_banker=False)
    assert not_announced(table.state, BOB) is None
    left = not_announced(table.state, BANKER)
    table.do(GiveUpBank(BANKER))
    assert not_announced(table.state, BANKER) == asked
    without = replace(table.state, bank=None, seats=(), phase=Phase.OPEN)
    assert "by your own limit, you may lose too little today" in text_of(own(without, BANKER, left=left))
    assert "own limit" not in text_of(own(without, BANKER, left=asked))


@pytest.mark.parametrize("place", ["seat", "bank"])
def test_who_lost_their_place_reads_why_and_how_to_sit_down(place: str) -> None:
    table = Table(RULES)
    table.do(TakeBank(BANKER, 5, 100, table.rules), Join(ALICE))
    gone = Departure(ALICE, LeaveReason.IDLE, was_banker=place == "bank")
    without = replace(table.state, seats=(), departures=(gone,))
    free = "your seat is free again." if place == "seat" else "the bank is free again."
    for server_name, how in (
        (None, "Press **Join** to sit down again."),
        (LONG_NAME, "You can join again in <#"),
    ):
        panel = text_of(own(without, ALICE, server_name=server_name))
        assert f"You were away for {ROUNDS_MISSED_IN_A_ROW} rounds, so {free} {how}" in panel
        assert "You have no seat here" not in panel
        assert mention(ALICE) not in panel
        barred = text_of(own(without, ALICE, server_name=server_name, is_barred=True))
        assert free in barred
        assert how not in barred
    assert "away" not in text_of(own(without, BOB))
