"""The buttons of the hand panel: each is possible, and none moves."""

from dataclasses import replace
from typing import Any

from bot.games.hands import shuffled_pack
from bot.games.settle import largest_multiple
from bot.practice.component_tree import Kind, buttons, selects
from bot.rules.knobs import HouseBank
from bot.table.betting import largest_stake
from bot.table.commands import (
    Command,
    Deal,
    GiveUpBank,
    Join,
    Leave,
    PlaceBet,
    PlayHouse,
    RevealHand,
    SitOut,
    TakeBank,
    WithdrawBet,
)
from bot.table.dealing import hands_to_deal
from bot.table.decide import decide
from bot.table.refusals import Refused
from bot.table.state import Phase, TableState
from bot.ui.press.custom_ids import ANY_ROUND, Press, PressAction
from tests.table.trial_table import SEALED
from tests.ui.hand_panels import ALICE, BOB, CHAN, LONG_NAME, dealt, evenings, own
from tests.ui.messages import buttons_of, is_more, options_of_more, pressable, table_press, text_of
from tests.ui.sample_names import mention
from tests.ui.sample_tables import BANKER, MEMBERS, NOON, PURSE, STRANGER, Table, random_evening


def test_until_the_banks_hand_is_turned_the_buttons_do_not_tell_who_has_lost_everything() -> None:
    table = dealt()
    table.do(RevealHand(ALICE), RevealHand(BANKER))
    table.go_on()

    def offered(**facts: Any) -> set[str]:
        return pressable(own(table.state, ALICE, server_name=None, **facts))

    broke, rich = {"is_too_poor": True}, {"most": 100}
    assert offered(bank_hidden=True, **broke) == offered(bank_hidden=True, **rich)
    assert offered(**broke) != offered(**rich)


def test_who_has_no_place_any_more_leaves_the_queue_in_the_server() -> None:
    state = dealt().state
    for server_name, member, can_leave in (
        (LONG_NAME, ALICE, True),
        (LONG_NAME, CHAN, False),
        (None, CHAN, True),
    ):
        shown = own(state, member, server_name=server_name, bank_turn=1)
        assert ("Leave the queue" in pressable(shown)) is can_leave


def test_an_old_message_bets_in_the_current_round() -> None:
    """Members may read it rounds later. Only the reveal button belongs to one round."""
    buttons = buttons_of(own(dealt().state, ALICE))
    presses = {label: table_press(button.custom_id) for label, button in buttons.items()}
    meant = {label: press.meant_round for label, press in presses.items() if press}
    assert meant == {"Squeeze": None, "Find the ox": None, "Reveal": 1, "Why this hand": 1}
    table = dealt()
    table.do(RevealHand(ALICE), RevealHand(BANKER))
    table.go_on()
    buttons = buttons_of(own(table.state, ALICE, most=40))
    presses = {label: table_press(button.custom_id) for label, button in buttons.items()}
    assert {label: (press.meant_round, press.number) for label, press in presses.items() if press} == {
        "Bet 5": (None, 5),
        "Bet 10": (None, 10),
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
    rare = {"Squeeze", "Find the ox", "My chips", "Refresh"}
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
    assert {"Bet 5", "Bet 10", "Bet 20", "Max: 39"} < set(buttons_of(own(table.state, ALICE, most=39))), (
        "who cannot bet twice as much is offered less, too"
    )
    times = largest_multiple(table.rules)
    affordable = set(buttons_of(own(table.state, ALICE, most=19, chips_left=0)))
    assert {"Bet 5", "Bet 10", f"All in: bet 19, risk {19 * times}"} < affordable, (
        "the last bet, 20, is too much by now"
    )
    assert not {"Bet 19", "Max: 19"} & affordable
    why = f"from 5 to 19 chips (you have {19 * times}; a bet can lose {times}\u00a0× its size)."
    assert why in text_of(own(table.state, ALICE, most=19, chips_left=0))
    assert "a bet can lose" not in text_of(own(table.state, ALICE, most=39)), "the bank allows no more"
    less = set(buttons_of(own(table.state, ALICE, most=20)))
    assert {"Bet 5", "Bet 10", "Max: 20"} < less, "who bet the most is offered less, too"
    all_in = buttons_of(own(table.state, ALICE, most=5, chips_left=9))
    assert {f"All in: bet 5, risk {5 * times}", "Other…"} < set(all_in)
    assert "Max: 5" in buttons_of(own(table.state, ALICE, most=5, chips_left=11)), "no all-in"
    assert not {"Bet 20", "Bet 40", "Other…"} & set(buttons_of(own(table.state, ALICE, most=0)))
    table.do(PlaceBet(CHAN, 5), Deal(BANKER, shuffled_pack(2, table.rules)))
    table.do(RevealHand(CHAN), RevealHand(BANKER))
    table.go_on()
    assert [*buttons_of(own(table.state, ALICE, most=100))][:4] == [
        "Bet 10",
        "Bet 20",
        "Bet 40",
        "Max: 100",
    ], "also after a round that was not played, and there is a way back to less"
    table.do(Leave(ALICE))
    again = buttons_of(own(table.state, ALICE, most=100, server_name=None))
    assert {"Bet 10", "Bet 20", "Bet 40"} < set(again), "they bet without a seat"
    nearly_lowest = replace(table.state, last_stakes={ALICE: 6})
    assert [*buttons_of(own(nearly_lowest, ALICE, most=100, server_name=None))][:3] == [
        "Bet 5",
        "Bet 6",
        "Bet 12",
    ]


def test_squeeze_is_a_button_above_the_first_hand_until_it_is_pressed_or_the_hand_revealed() -> None:
    table, offer = dealt(), "**Squeeze** hides the last card of your next hands until you look."

    def offers(member: int, **facts: Any) -> bool:
        shown = own(table.state, member, **facts)
        labels = [*buttons_of(shown)]
        assert ("Squeeze" in labels) is (offer in text_of(shown))
        assert "Squeeze" not in labels or labels[0] == "Squeeze"
        return "Squeeze" in labels

    assert offers(ALICE)
    assert offers(BANKER)
    assert not offers(BOB), "no hand"
    assert not offers(ALICE, has_played=True)
    assert not offers(ALICE, squeezes=True)
    table.do(RevealHand(ALICE))
    assert not offers(ALICE)
    table.do(RevealHand(BANKER))
    table.go_on()
    assert not offers(ALICE), "with a result, there is enough to press"


def test_where_the_bank_has_room_for_no_larger_bet_the_panel_says_so_and_how_to_bank_oneself() -> None:
    of_member, of_house = Table(), Table()
    of_member.do(TakeBank(BANKER, 5, 100, of_member.rules), Join(ALICE))
    of_house.do(PlayHouse(ALICE, of_house.rules), Join(ALICE))

    def told(table: Table, **facts: Any) -> str:
        return text_of(own(table.state, ALICE, most=14, chips_left=500, bank_limits=True, **facts))

    no_more = "to 14 chips (the bank has room for no more)."
    assert no_more in told(of_member, server_name=None)
    takes_over = "to 14 chips (the house has room for no more; **Take the bank** is in the menu)."
    assert takes_over in told(of_house, server_name=None)
    assert "Take the bank" in pressable(own(of_house.state, ALICE, server_name=None))
    assert no_more in told(of_house), "outside the server, nobody can ask for it"


def test_a_panel_says_who_allows_no_larger_bet() -> None:
    of_member, of_house, of_house_only = Table(), Table(), Table()
    only = of_house.rules.model_copy(update={"house_bank": HouseBank.ONLY})
    of_member.do(TakeBank(BANKER, 5, 100, of_member.rules), Join(ALICE))
    of_house.do(PlayHouse(ALICE, of_house.rules), Join(ALICE))
    of_house_only.do(PlayHouse(ALICE, only), Join(ALICE))

    def told(table: Table, most: int = 100, **facts: Any) -> str:
        return text_of(own(table.state, ALICE, most=most, chips_left=500, **facts))

    assert "to 150 chips (the house takes no more; a member who banks may)." in told(of_house, 150)
    assert "to 150 chips." in told(of_house, 150, has_played=True), "who has played knows it"
    assert "to 150 chips." in told(of_house_only, 150), "nobody else can bank"
    assert f"to 100 chips (limits of {mention(BANKER)})." in told(of_member)
    assert "to 100 chips." in told(of_member, has_played=True)
    assert "to 51 chips (949 are in play in <#7>)." in told(of_house, 51, in_play={7: 949})
    assert "to 51 chips (949 are in play in <#7>, <#8>)." in told(of_house, 51, in_play={7: 900, 8: 49})
    assert "(by your own limit of losses)." in told(of_house, 51, in_play={7: 949}, by_own_limit=True)
    assert "in play" not in told(of_house, 150, in_play={7: 300}), "the house takes no more anyway"


def _command(press: Press, member: int, state: TableState) -> Command | None:
    """What a press asks of the table; None if it only shows something."""
    match press.action:
        case PressAction.BET | PressAction.BET_MOST | PressAction.PLAY:
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

    Nor does the row of the amounts ever get as low as that of *Reveal* and *Deal*.
    """
    places = dict[tuple[str, int], set[str]]()
    for state in [*random_evening(seed), *dealt().states]:
        for member in MEMBERS:
            if state.place_of(member) is None or state.phase not in (Phase.BETTING, Phase.DEALT):
                continue
            most = 40 if state.phase is Phase.BETTING else 0
            *rows, last = (part for part in own(state, member, most=most) if part["type"] == Kind.ACTION_ROW)
            assert is_more(next(iter(selects([last]))))
            for place, button in enumerate(buttons(rows[-1:])):
                who = "bank" if state.is_banker(member) else "points" if state.for_points else "chips"
                places.setdefault((who, place), set()).add(button.label)
    shown = {"Why this hand"}
    does = {place: labels - shown for place, labels in places.items() if labels - shown}
    assert does.pop(("bank", 0)) == {"Deal"}
    assert does.pop(("chips", 0)) == {"Other…"}
    assert does.pop(("points", 0), {"I'm in"}) == {"I'm in"}
    assert {("chips", 1), ("bank", 1)} <= does.keys()
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


def test_bets_on_a_panel_ascend_with_half_the_last_one_the_same_twice_as_much_and_the_most() -> None:
    table = Table()
    table.do(TakeBank(BANKER, 5, 1_000, table.rules), Join(ALICE))

    times = largest_multiple(table.rules)

    def offered(last: int, most: int, left: int | None = None) -> list[str]:
        state = replace(table.state, last_stakes={ALICE: last})
        labels = [*buttons_of(own(state, ALICE, most=most, chips_left=left))]
        return labels[: labels.index("Other…")]

    assert offered(20, 100) == ["Bet 10", "Bet 20", "Bet 40", "Max: 100"]
    assert offered(20, 100, left=3) == [
        "Bet 10",
        "Bet 20",
        "Bet 40",
        f"All in: bet 100, risk {100 * times:,}",
    ]
    assert offered(5, 100) == ["Bet 5", "Bet 10", "Bet 20", "Max: 100"], "half is less than the lowest"
    assert offered(90, 100) == ["Bet 5", "Bet 45", "Bet 90", "Max: 100"], "twice is too much"
    assert offered(100, 100) == ["Bet 5", "Bet 10", "Bet 50", "Max: 100"]
    assert offered(200, 100) == ["Bet 5", "Bet 10", "Bet 20", "Max: 100"], "too much by now"


def test_the_last_bet_again_has_the_sign_of_again_until_the_member_has_bet() -> None:
    table = Table()
    table.do(TakeBank(BANKER, 5, 1_000, table.rules), Join(ALICE))

    def again(last: int, *, has_bet: bool = False) -> list[str]:
        state = replace(table.state, last_stakes={ALICE: last} if last else {})
        if has_bet:
            state = replace(state, seats=tuple(replace(seat, stake=10) for seat in state.seats))
        shown = buttons_of(own(state, ALICE, most=100)).items()
        return [label for label, one in shown if str(one.emoji) == "🔁"]

    assert again(20) == ["Bet 20"]
    assert again(100) == ["Max: 100"]
    assert again(0) == again(200) == again(20, has_bet=True) == []
