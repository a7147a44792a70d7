import random

import pytest

from bot.games.gnau.rules import GnauRules
from bot.rules.cards import Card, card_text, deck
from bot.rules.house_rules import decks_for
from bot.rules.knobs import Direction
from bot.rules.pieces import HAND_SIZE
from bot.rules.shuffle import shuffled
from bot.table.commands import Deal, Join, RevealHand, SitOut
from bot.table.dealing import hands_to_deal
from bot.table.events import HandRevealed, HandsDealt
from bot.table.refusals import Refusal

from .trial_table import ALICE, BOB, CHAN, DOUBLE_8, MEI, NO_OX, SINGLE_1, SINGLE_9, TrialTable, banked

IN_ORDER = deck()


@pytest.mark.parametrize(
    ("direction", "served"),
    [
        (Direction.CLOCKWISE, (ALICE, BOB, CHAN, MEI)),
        (Direction.COUNTER_CLOCKWISE, (CHAN, BOB, ALICE, MEI)),
    ],
)
def test_g03_the_cards_go_round_one_at_a_time_the_banker_last(
    direction: Direction, served: tuple[int, ...]
) -> None:
    table = banked(GnauRules(direction=direction))
    table.bet_all(10, ALICE, BOB, CHAN)

    (dealt,) = table.do(Deal(MEI, IN_ORDER))

    assert isinstance(dealt, HandsDealt)
    assert [hand.party for hand in dealt.hands] == list(served)
    assert [table.state.pieces_of(member) for member in served] == [
        tuple(IN_ORDER[start : 4 * HAND_SIZE : 4]) for start in range(4)
    ]


def test_g03_the_order_is_that_of_the_seats_not_of_the_bets() -> None:
    table = banked()
    table.do(Join(ALICE))
    table.bet(BOB, 10)
    table.bet(ALICE, 10)

    table.deal(SINGLE_9, SINGLE_1, NO_OX)

    assert " ".join(map(card_text, map(Card, table.seat(ALICE).pieces))) == SINGLE_9
    assert " ".join(map(card_text, map(Card, table.seat(BOB).pieces))) == SINGLE_1


def test_g01_each_with_a_bet_gets_five_cards_and_so_does_the_banker() -> None:
    table = banked()
    table.join(BOB, CHAN)
    table.do(SitOut(CHAN))
    table.bet(ALICE, 10)
    table.do(Deal(MEI, IN_ORDER))

    dealt = [len(table.state.pieces_of(member)) for member in (MEI, ALICE, BOB, CHAN)]
    assert dealt == [5, 5, 0, 0]


@pytest.mark.parametrize(("players", "decks"), [(1, 1), (9, 1), (10, 2), (19, 2)])
def test_g02_the_eleventh_hand_brings_a_second_deck(players: int, decks: int) -> None:
    guests = [100 + number for number in range(players)]
    table = banked(GnauRules(seats=19), dict.fromkeys((MEI, *guests), 10_000))
    for guest in guests:
        table.bet(guest, 5)

    hands = hands_to_deal(table.state)
    assert (hands, decks_for(hands, GnauRules())) == (players + 1, decks)
    table.do(Deal(MEI, shuffled(deck(decks_for(hands, GnauRules())), random.Random(players).randrange)))

    dealt = [card for member in (MEI, *guests) for card in table.state.pieces_of(member)]
    assert len(dealt) == HAND_SIZE * hands
    assert max(dealt.count(card) for card in dealt) <= decks


def test_g02_too_few_cards_are_not_dealt() -> None:
    table = banked(bets={ALICE: 10})

    with pytest.raises(ValueError, match="2 hands of 5 need 10"):
        table.do(Deal(MEI, IN_ORDER[:9]))


def test_the_banker_alone_asks_for_the_deal_once_and_with_a_bank_and_a_bet() -> None:
    table = TrialTable()
    assert table.refused(Deal(MEI, IN_ORDER)) == (Refusal.NO_BANK, {})
    table.bank(MEI)
    assert table.refused(Deal(MEI, IN_ORDER)) == (Refusal.NOBODY_HAS_BET, {})
    table.do(Join(BOB))
    table.bet(ALICE, 10)
    assert table.refused(Deal(ALICE, IN_ORDER)) == (Refusal.NOT_BANKER, {"banker": MEI})
    assert table.wait(0) is None, "Bob has not bet"
    table.do(Deal(MEI, IN_ORDER, round_number=1))
    assert table.refused(Deal(MEI, IN_ORDER)) == (Refusal.ALREADY_DEALT, {})


def test_a_table_deals_without_the_banker_only_when_it_is_due() -> None:
    table = banked()
    table.do(Join(BOB))
    table.bet(ALICE, 10)

    assert table.refused(Deal(None, IN_ORDER)) == (Refusal.NOT_DUE, {})
    table.do(SitOut(BOB))
    assert table.refused(Deal(None, IN_ORDER)) == (Refusal.NOT_DUE, {})
    table.wait(table.state.rules.last_call_seconds)
    table.do(Deal(None, IN_ORDER))


def test_everybody_reveals_a_hand_once() -> None:
    table = banked()
    table.do(Join(BOB))
    assert table.refused(RevealHand(ALICE)) == (Refusal.NOT_DEALT, {})
    table.bet(ALICE, 10)
    assert table.refused(RevealHand(ALICE)) == (Refusal.NOT_DEALT, {})
    table.deal(NO_OX, DOUBLE_8)

    assert table.do(RevealHand(ALICE, 1)) == (HandRevealed(ALICE),)
    assert table.refused(RevealHand(ALICE)) == (Refusal.ALREADY_REVEALED, {})
    assert table.refused(RevealHand(BOB)) == (Refusal.NO_HAND, {})
    assert table.refused(RevealHand(CHAN)) == (Refusal.NO_HAND, {})
    assert table.do(RevealHand(MEI)) == (HandRevealed(MEI),)
    assert table.refused(RevealHand(MEI)) == (Refusal.ALREADY_REVEALED, {})
