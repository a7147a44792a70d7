"""The hand panel: the member's own cards, chips and buttons, and nobody else's cards."""

import random
from dataclasses import fields, replace
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.clock import HOUR_SECONDS
from bot.croupier.open_tables import TableChanged
from bot.games.gnau.rules import GnauRules
from bot.games.hands import evaluate, shuffled_pack
from bot.games.settle import largest_multiple
from bot.ledger.memory import Evening
from bot.ledger.records import Stack
from bot.pictures.alt_text import hand_alt_text
from bot.pictures.pictured_hand import PicturedHand
from bot.practice.component_tree import Kind, buttons, gallery, selects
from bot.rules.cards import Card, card_name, parse_cards
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import BankPasses, Play
from bot.rules.pieces import Piece
from bot.table.betting import largest_stake
from bot.table.commands import (
    CloseTable,
    Command,
    Deal,
    GiveUpBank,
    Join,
    Leave,
    PlaceBet,
    RevealHand,
    SitOut,
    TakeBank,
    WithdrawBet,
)
from bot.table.dealing import hands_to_deal
from bot.table.decide import decide
from bot.table.refusals import Refused
from bot.table.state import ROUNDS_MISSED_IN_A_ROW, Departure, LeaveReason, Phase, TableState
from bot.table.story import Story
from bot.ui.components import GAIN, LOSS
from bot.ui.hand.content import PanelContent
from bot.ui.hand.message import not_announced
from bot.ui.hand.own_hand import PanelFacts, PanelMemory, Parting, last_hand, own_hand
from bot.ui.hand.view import ACCENT, panel_view, resting_panel_view
from bot.ui.press.custom_ids import ANY_ROUND, Press, PressAction
from bot.ui.services import Services
from bot.words.translation import signed, translate
from tests.sizes import sample
from tests.table.trial_table import SEALED
from tests.ui.messages import (
    MOST_ALT_TEXT,
    Components,
    buttons_of,
    is_more,
    options_of_more,
    pressable,
    sent,
    table_press,
    text_of,
)
from tests.ui.sample_names import mention
from tests.ui.sample_tables import (
    BANKER,
    MEMBERS,
    NAMES,
    NENKU,
    NOON,
    PLAYERS,
    PURSE,
    RULES,
    STRANGER,
    Table,
    crowded_evening,
    random_evening,
)

ALICE, BOB, CHAN = PLAYERS[:3]
RICH = Stack(PURSE, dict.fromkeys(range(1, 4), PURSE))
DOUBLE_8, NO_OX, SINGLE_9 = map(parse_cards, ("10H JS QC 8C 8D", "4C 4D 3H 8S 5D", "10C JD QH 4S 5S"))

evenings = pytest.mark.parametrize("seed", sample(range(3)))


LONG_NAME = "*" * 100
"""The longest server name, with every character escaped."""


NO_FACTS = PanelFacts(
    memory=PanelMemory(ALICE),
    stack=RICH,
    own=None,
    most=0,
    chips_left=None,
    evening=None,
    server_name=None,
    picture_text=None,
    note=None,
    unreachable=False,
    squeezes=False,
    feat=None,
)


def own(
    state: TableState,
    member: int,
    stack: Stack = RICH,
    *,
    server_name: str | None = LONG_NAME,
    **others: Any,
) -> Components:
    """The hand panel as Discord receives it, with a picture if the member has cards to see."""
    remembered = {field.name for field in fields(PanelMemory)} - {"note"}
    memory = PanelMemory(member, **{name: others.pop(name) for name in remembered & set(others)})
    hand = own_hand(state, member, framed="feat" in others, bank_hidden=memory.bank_hidden)
    text = None if hand is None else "牛" * MOST_ALT_TEXT
    return sent(
        panel_view(
            state,
            NAMES,
            replace(
                NO_FACTS,
                memory=memory,
                stack=stack,
                own=hand,
                picture_text=text,
                server_name=server_name,
                **others,
            ),
        )
    )


def dealt() -> Table:
    """A table where Alice has bet and has cards, and Bob sits out."""
    table = Table()
    table.do(TakeBank(BANKER, 5, 100, table.rules), Join(BOB), PlaceBet(ALICE, 20))
    together = zip(DOUBLE_8, SINGLE_9, strict=True)
    table.do(Deal(BANKER, tuple(card for pair in together for card in pair)))
    return table


@evenings
def test_every_panel_fits_into_a_message(seed: int) -> None:
    rng = random.Random(seed)
    for state in random_evening(seed):
        for member in rng.sample(MEMBERS, 3):
            own(state, member, unreachable=True, note="牛" * 500)


@pytest.mark.thorough
def test_the_longest_panel_fits_into_a_message() -> None:
    for state in crowded_evening():
        for member in (BANKER, PLAYERS[-1], STRANGER):
            own(state, member, unreachable=True)


@pytest.mark.parametrize("hand", [DOUBLE_8, NO_OX, SINGLE_9])
def test_the_text_of_a_picture_fits_beside_it(hand: tuple[Card, ...]) -> None:
    text = hand_alt_text(PicturedHand.face_up(evaluate(hand, Table().rules)))
    assert 0 < len(text) <= MOST_ALT_TEXT


@evenings
def test_a_panel_never_has_other_peoples_cards(seed: int) -> None:
    """Other people's cards don't change the panel; the member's own cards do."""
    looked_at = 0
    for state in random_evening(seed):
        if state.phase is Phase.DEALT:
            rng = random.Random(seed)
            for member in rng.sample(MEMBERS, 3):
                looked_at += 1
                assert own(state, member) == own(_with_other_cards(state, member, rng), member)
    assert looked_at


def _with_other_cards(state: TableState, member: int, rng: random.Random) -> TableState:
    """The same table, where everybody but this member has other cards."""
    assert state.bank is not None
    pack = state.game.pack(1, state.rules)

    def others() -> tuple[Piece, ...]:
        return tuple(rng.sample(pack, 5))

    seats = tuple(
        replace(seat, pieces=others()) if seat.pieces and seat.party != member else seat
        for seat in state.seats
    )
    bank = state.bank if state.bank.party == member else replace(state.bank, pieces=others())
    return replace(state, seats=seats, bank=bank)


def test_members_see_their_own_cards_and_the_name_of_the_hand_and_others_no_cards() -> None:
    state = dealt().state
    text = text_of(own(state, ALICE))
    assert "Double-Ox 8" in text
    assert all(card_name(card) in text for card in DOUBLE_8)
    assert "Ox of 9" in text_of(own(state, BANKER))
    assert [picture.url for picture in gallery(own(state, ALICE))] == ["attachment://hand-1.png"]
    for member, told in ((BOB, "You are not in this round"), (STRANGER, "You have no seat here")):
        assert told in text_of(own(state, member))
        assert not any(suit in text_of(own(state, member)) for suit in "♣♦♥♠")


def test_cards_sent_in_their_own_message_are_not_in_the_panel() -> None:
    components = sent(resting_panel_view(dealt().state, ALICE, LONG_NAME, hand_below=True))
    assert translate("panel.hand_below.card") in text_of(components)
    assert not any(suit in text_of(components) for suit in "♣♦♥♠")
    assert not list(gallery(components))


def test_a_panel_says_what_the_member_is_doing() -> None:
    table = Table()
    table.do(Join(ALICE))
    assert "There is no banker yet" in text_of(own(table.state, ALICE))
    table.do(TakeBank(BANKER, 5, 1_000, table.rules))
    assert "from 5 to 1,000 chips" in text_of(own(table.state, ALICE, most=1_000))
    assert "from 5 to 42 chips" in text_of(own(table.state, ALICE, most=42)), "what can be covered now"
    assert "Place your bet: 5 chips." in text_of(own(table.state, ALICE, most=5))
    assert "1,000" not in text_of(own(table.state, ALICE)).split("Wallet")[0]
    assert "You are the banker. 0 players have bet" in text_of(own(table.state, BANKER))
    table.do(SitOut(ALICE))
    assert "You are sitting out this round" in text_of(own(table.state, ALICE))
    table.do(PlaceBet(ALICE, 20))
    assert f"You have bet **20 chips** against {mention(BANKER)}" in text_of(own(table.state, ALICE))
    bankers = text_of(own(table.state, BANKER))
    assert "You are the banker. 1 player has bet. Bets and side bets: 20 chips." in bankers
    table.do(CloseTable(BANKER, manages=True))
    closed = own(table.state, ALICE)
    assert "This table is closed" in text_of(closed)
    assert not buttons_of(closed)


def test_a_panel_shows_the_members_last_result() -> None:
    table = dealt()
    table.do(RevealHand(ALICE), RevealHand(BANKER))
    table.go_on()
    assert table.state.phase is Phase.BETTING
    assert "your Double-Ox 8 beats" in text_of(own(table.state, ALICE))
    assert "**20 × 3 = +60**" in text_of(own(table.state, ALICE))
    against = f"against {mention(ALICE)}'s Double-Ox 8: **−60**"
    assert against in text_of(own(table.state, BANKER))
    assert "Round 1:" not in text_of(own(table.state, BOB))
    shown = last_hand(table.state, BANKER)
    assert shown is not None
    assert shown.other is not None
    assert (shown.other.pieces, shown.banks) == (DOUBLE_8, True), "a banker sees whom they met"
    accents = [own(table.state, party)[0]["accent_color"] for party in (ALICE, BANKER, BOB)]
    assert accents == [GAIN, LOSS, ACCENT], "the colour says what it brought"


def test_b05_a_bank_that_goes_round_is_foretold_and_its_next_banker_reads_that_it_came() -> None:
    round_told, came = "The bank goes round", "The bank has come to you"
    rules = RULES.model_copy(update={"bank_passes": BankPasses.EVERY_ROUND})
    table = Table(rules)
    table.do(TakeBank(BANKER, 5, 100, rules), Join(ALICE))
    assert round_told in text_of(own(table.state, ALICE, most=100))
    table.do(PlaceBet(ALICE, 20))
    assert round_told in text_of(own(table.state, ALICE))
    assert round_told not in text_of(own(dealt().state, BOB)), "this one stays"
    together = zip(DOUBLE_8, NO_OX, strict=True)
    table.do(Deal(BANKER, tuple(card for pair in together for card in pair)))
    table.do(RevealHand(ALICE), RevealHand(BANKER))
    table.go_on()
    assert table.state.is_banker(ALICE)
    assert came in text_of(own(table.state, ALICE))
    assert came not in text_of(own(table.state, BANKER))
    assert round_told not in text_of(own(table.state, BANKER, most=100)), "they have played here"


def test_the_first_hand_says_in_plain_words_what_it_is() -> None:
    table = dealt()
    said = "-# The two left are 8♣ 8♦, two of the same rank: **Double-Ox 8**. If it wins, it pays"
    assert said in text_of(own(table.state, ALICE))
    table.do(RevealHand(ALICE), RevealHand(BANKER))
    table.go_on()
    table.do(PlaceBet(ALICE, 20))
    together = zip(NO_OX, SINGLE_9, strict=True)
    table.do(Deal(BANKER, tuple(card for pair in together for card in pair)))
    told = text_of(own(table.state, ALICE))
    assert "**No Ox**" in told
    assert "add up to" not in told, "she has played here: Why this hand says it"


def test_g11_nenku_is_explained_to_whom_it_meets() -> None:
    explained = "-# Nenku: an ox that leaves an ace and a J, Q or K. It counts as an Ox of 1."
    table = Table()
    table.do(TakeBank(BANKER, 5, 100, table.rules), PlaceBet(ALICE, 20))
    together = zip(NENKU, SINGLE_9, strict=True)
    table.do(Deal(BANKER, tuple(card for pair in together for card in pair)))
    assert explained in text_of(own(table.state, ALICE))
    assert explained not in text_of(own(table.state, BANKER)), "they have not seen it yet"
    table.do(RevealHand(ALICE), RevealHand(BANKER))
    table.go_on()
    assert all(text_of(own(table.state, party)).count(explained) == 1 for party in (ALICE, BANKER))


HOLDS = "It holds **400 chips**: 20 × your bet, the most you can lose."


def test_b02_a_bet_says_what_it_holds_and_why_until_its_player_has_played() -> None:
    table = Table()
    table.do(TakeBank(BANKER, 5, 100, table.rules), Join(ALICE))
    for party in (ALICE, BOB):
        assert "Bet 20: win or lose up to **400**" in text_of(own(table.state, party, most=100))
        assert "lose" not in text_of(own(table.state, party)), "they cannot bet"
    table.do(PlaceBet(ALICE, 20))
    assert HOLDS in text_of(own(table.state, ALICE))
    assert "It holds" not in text_of(own(table.state, BANKER))
    table = dealt()
    assert HOLDS in text_of(own(table.state, ALICE))
    table.do(RevealHand(ALICE), RevealHand(BANKER))
    table.go_on()
    assert "lose up to" not in text_of(own(table.state, ALICE, most=100))
    table.do(PlaceBet(ALICE, 20), PlaceBet(BOB, 10))
    assert "It holds" not in text_of(own(table.state, ALICE))
    assert "It holds **200 chips**" in text_of(own(table.state, BOB))


EVEN_MONEY = RULES.model_copy(update={name: 1 for name in GnauRules.model_fields if "multiple" in name})


@pytest.mark.parametrize(
    "rules", [EVEN_MONEY, RULES.model_copy(update={"play": Play.POINTS})], ids=["even money", "points"]
)
def test_b02_a_bet_that_holds_no_more_than_its_size_says_nothing(rules: HouseRules) -> None:
    table = Table(rules)
    table.do(TakeBank(BANKER, 1, 1, rules), PlaceBet(ALICE, 1))
    assert "It holds" not in text_of(own(table.state, ALICE))
    assert "lose up to" not in text_of(own(table.state, BOB, most=1))


def test_a_panel_shows_free_and_held_chips() -> None:
    table = dealt()
    assert "Wallet: 1,000 chips free" in text_of(own(table.state, ALICE, Stack(1000)))
    held = Stack(860, {1: 100, 2: 40})
    assert "Wallet: 860 chips free · 140 chips held" in text_of(own(table.state, ALICE, held))


def test_the_first_hour_of_play_is_told_once_with_its_rounds() -> None:
    table = dealt()
    for seconds, told in (
        (HOUR_SECONDS - 1, "this session, all tables: −120"),
        (HOUR_SECONDS, "an hour of play: 24 rounds won or lost, −120"),
        (HOUR_SECONDS + 60, "this session, all tables: −120"),
    ):
        evening = Evening(-120, 0.0, 24, played=seconds, more=60.0)
        shown = text_of(own(table.state, ALICE, Stack(880), evening=evening))
        assert f"Wallet: 880 chips free · {told}" in shown


def test_an_old_message_bets_in_the_current_round() -> None:
    """Members may read it rounds later. Only the reveal button belongs to one round."""
    buttons = buttons_of(own(dealt().state, ALICE))
    presses = {label: table_press(button.custom_id) for label, button in buttons.items()}
    meant = {label: press.meant_round for label, press in presses.items() if press}
    assert meant == {"Reveal": 1, "Why this hand": 1}
    table = dealt()
    table.do(RevealHand(ALICE), RevealHand(BANKER))
    table.go_on()
    buttons = buttons_of(own(table.state, ALICE, most=40))
    presses = {label: table_press(button.custom_id) for label, button in buttons.items()}
    assert {label: (press.meant_round, press.number) for label, press in presses.items() if press} == {
        "Bet 20": (None, 20),
        "Max: 40": (None, 40),
        "Other…": (None, None),
        "Why this hand": (1, None),
    }
    (more,) = selects(own(table.state, ALICE))
    assert table_press(more.custom_id) == Press(PressAction.MORE, table.state.table_id, ANY_ROUND)


def test_a_panel_offers_what_its_member_can_do_now() -> None:
    table = Table()
    table.do(TakeBank(BANKER, 5, 100, table.rules), Join(ALICE))
    rare = {"Squeeze", "Refresh"}
    assert pressable(own(table.state, BANKER)) == {"Set limits…", "Give up the bank", *rare}
    assert pressable(own(table.state, ALICE, most=0)) == {"Sit out", "Leave the table", *rare}
    table.do(PlaceBet(ALICE, 20))
    assert pressable(own(table.state, BANKER)) == {"Deal", "Set limits…", "Give up the bank", *rare}
    view = own(table.state, ALICE, most=100)
    amounts = {"Bet 5", "Bet 10", "Bet 50", "Max: 100", "Other…"} & pressable(view)
    assert pressable(view) == {*amounts, "Take my bet back", "Leave the table", *rare}
    assert "Max: 100" in amounts
    table = dealt()
    assert "Join" not in buttons_of(own(table.state, STRANGER)), "not outside the server"
    assert "Join" in buttons_of(own(table.state, STRANGER, server_name=None))
    assert "Message me again" in pressable(own(table.state, ALICE, unreachable=True))
    assert "Message me again" not in pressable(own(table.state, ALICE))
    table.do(RevealHand(ALICE), RevealHand(BANKER))
    table.go_on()
    assert "Bet 40" not in buttons_of(own(table.state, ALICE, most=39))
    assert {"Bet 20", "Max: 39"} < set(buttons_of(own(table.state, ALICE, most=39)))
    times = largest_multiple(table.rules)
    affordable = set(buttons_of(own(table.state, ALICE, most=19, chips_left=0)))
    assert {"Bet 5", "Bet 10", f"All in: 19 × {times} = {19 * times}"} < affordable, (
        "the last bet, 20, is too much by now"
    )
    assert not {"Bet 19", "Max: 19"} & affordable
    less = set(buttons_of(own(table.state, ALICE, most=20)))
    assert {"Bet 5", "Bet 10", "Max: 20"} < less, "who bet the most is offered less, too"
    assert {f"All in: 5 × {times} = {5 * times}", "Other…"} < set(
        buttons_of(own(table.state, ALICE, most=5, chips_left=9))
    )
    assert f"Max: 5 × {times} = {5 * times}" in buttons_of(own(table.state, ALICE, most=5, chips_left=11)), (
        "no all-in"
    )
    assert not {"Bet 20", "Bet 40", "Other…"} & set(buttons_of(own(table.state, ALICE, most=0)))


def _command(press: Press, member: int, state: TableState) -> Command | None:
    """What a press asks of the table; None if it only shows something."""
    match press.action:
        case PressAction.BET | PressAction.PLAY:
            return PlaceBet(member, press.number or 1)
        case PressAction.DEAL:
            return Deal(member, shuffled_pack(hands_to_deal(state), state.rules))
    commands: dict[PressAction, Command] = {
        PressAction.REVEAL: RevealHand(member),
        PressAction.WITHDRAW: WithdrawBet(member),
        PressAction.SIT_OUT: SitOut(member),
        PressAction.LEAVE: Leave(member),
        PressAction.GIVE_UP: GiveUpBank(member),
        PressAction.JOIN: Join(member),
    }
    return commands.get(press.action)


@evenings
def test_what_a_panel_offers_is_possible(seed: int) -> None:
    """Each button but those that only show something is one that the table takes from this member."""
    offered = set[PressAction]()
    for state in [*random_evening(seed), *dealt().states]:
        for member in (*MEMBERS, STRANGER):
            wallets = dict.fromkeys((*MEMBERS, STRANGER), PURSE)
            most = largest_stake(state, member, wallets)
            view = own(state, member, most=0 if isinstance(most, Refused) else most, server_name=None)
            shown = [one for one in buttons_of(view).values() if not one.disabled]
            presses = [table_press(one.custom_id) for one in shown]
            presses += [Press(PressAction(one.value), state.table_id) for one in options_of_more(view)]
            for press in presses:
                assert press is not None
                if (command := _command(press, member, state)) is not None:
                    offered.add(press.action)
                    decided = decide(state, command, NOON, wallets, SEALED)
                    assert not isinstance(decided, Refused), (press, decided)
    assert offered >= {PressAction.REVEAL, PressAction.LEAVE, PressAction.GIVE_UP, PressAction.JOIN}


@evenings
def test_no_button_of_a_panel_moves_under_a_finger(seed: int) -> None:
    """Counted from the bottom, where a phone shows it, no place has two buttons that do something.

    Nor does the row of the bets ever get as low as that of *Reveal* and *Deal*.
    """
    places = dict[tuple[bool, int], set[str]]()
    for state in [*random_evening(seed), *dealt().states]:
        for member in MEMBERS:
            if state.place_of(member) is None or state.phase not in (Phase.BETTING, Phase.DEALT):
                continue
            most = 40 if state.phase is Phase.BETTING else 0
            *rows, last = (part for part in own(state, member, most=most) if part["type"] == Kind.ACTION_ROW)
            assert is_more(next(iter(selects([last]))))
            for place, button in enumerate(buttons(rows[-1:])):
                places.setdefault((state.is_banker(member), place), set()).add(button.label)
    shown = {"Why this hand", "Arrange it for me"}
    does = {place: labels - shown for place, labels in places.items() if labels - shown}
    assert does.pop((True, 0)) == {"Deal"}
    assert {(False, 1), (True, 1)} <= does.keys()
    assert all(labels == {"Reveal"} for labels in does.values()), does


def test_a_button_of_a_bet_stays_once_it_is_placed() -> None:
    table = Table()
    table.do(TakeBank(BANKER, 5, 100, table.rules), Join(ALICE))
    before = buttons_of(own(table.state, ALICE, most=100))
    table.do(PlaceBet(ALICE, 5))
    after = buttons_of(own(table.state, ALICE, most=100))
    assert [*after][: len(before) - 1] == [*before][:-1]
    assert after["Bet 5"].disabled
    assert not before["Bet 5"].disabled


@evenings
def test_reveal_is_offered_only_if_possible(seed: int) -> None:
    for state in random_evening(seed):
        for member in MEMBERS:
            revealed = decide(state, RevealHand(member), NOON, {}, SEALED)
            assert ("Reveal" in pressable(own(state, member))) is not isinstance(revealed, Refused)


def partings(table: Table) -> PanelContent:
    """What panels are told of a table's changes, and of its rounds."""
    story = Story()
    services = SimpleNamespace(croupier=SimpleNamespace(stories=SimpleNamespace(of=lambda _: story)))
    content = PanelContent(cast("Services", services), ())
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
    said = f"👑 3 rounds as the banker: **{signed(sum(gained))}**, the best **{signed(max(gained))}**."
    left = Departure(BANKER, LeaveReason.ASKED, was_banker=True)
    assert f"your place at the table. {said} " in text_of(
        own(table.state, BANKER, left=left, parting=parting)
    )
    seated = Table()
    seated.states = [*table.states]
    seated.do(Join(BANKER), TakeBank(ALICE, 5, 100, table.rules))
    assert f"{said}\nPlace your bet" in text_of(own(seated.state, BANKER, most=20, parting=parting))
    seated.do(PlaceBet(BANKER, 5), Deal(ALICE, shuffled_pack(2, table.rules)))
    assert said not in text_of(own(seated.state, BANKER, parting=parting))


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
