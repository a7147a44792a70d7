"""What Hypothesis draws for a table: who comes, what a house wants, what is asked, which cards fall."""

import random

from hypothesis import strategies as st

from bot.rules.cards import Card, deck
from bot.rules.gnau import decks_for
from bot.rules.knobs import Direction, HouseRules, Ties
from bot.rules.shuffle import shuffled
from bot.table.clock import Due
from bot.table.commands import (
    CloseTable,
    Command,
    Deal,
    GiveUpBank,
    Join,
    Leave,
    MemberGone,
    PlaceBet,
    ShowDown,
    ShowHand,
    SitOut,
    TakeBank,
    WindUp,
    WithdrawBet,
)
from bot.table.events import Farewell
from bot.table.obstacles import Action
from bot.table.play import hands_to_deal
from bot.table.state import Member, TableState

MEMBERS = tuple(Member(number, f"Member {number}") for number in range(1, 6))
STRANGER = Member(99, "Stranger")
SEVERAL_DECKS = deck(3)

members = st.sampled_from(MEMBERS)
whose = members.map(lambda member: member.member_id)
chips_at_first = st.lists(st.sampled_from([34, 140, 700, 3000]), min_size=len(MEMBERS), max_size=len(MEMBERS))
rules_of_a_house = st.builds(
    HouseRules,
    seats=st.sampled_from([1, 2, 3, 19]),
    multiple_five_dukes=st.sampled_from([1, 7, 20]),
    multiple_double_ox=st.integers(min_value=1, max_value=4),
    ties=st.sampled_from(Ties),
    direction=st.sampled_from(Direction),
    decks=st.sampled_from([1, 2]),
    betting_seconds=st.sampled_from([5, 60]),
    last_call_seconds=st.sampled_from([0, 3, 10]),
    arranging_seconds=st.sampled_from([5, 30]),
)


def anything(rounds: st.SearchStrategy[int | None], house: HouseRules) -> st.SearchStrategy[Command]:
    """Whatever a member, or a table's clock, could ask at any time, sensible or not."""
    stakes = st.integers(min_value=-1, max_value=60)
    return st.one_of(
        st.builds(Join, members),
        st.builds(Leave, whose),
        st.builds(TakeBank, members, st.integers(0, 20), st.integers(0, 60), st.just(house)),
        st.builds(GiveUpBank, whose),
        st.builds(PlaceBet, members, stakes, rounds, st.booleans()),
        st.builds(WithdrawBet, whose, rounds),
        st.builds(SitOut, whose, rounds),
        st.builds(Deal, st.none() | whose, st.just(SEVERAL_DECKS), rounds),
        st.builds(ShowHand, whose, rounds),
        st.builds(ShowDown, st.just(house)),
        st.builds(MemberGone, whose),
    )


endings = st.one_of(st.builds(CloseTable, whose, st.booleans()), st.builds(WindUp, st.sampled_from(Farewell)))


def cards_for(state: TableState, seed: int) -> tuple[Card, ...]:
    """A shuffle that reaches for the round, the same for the same seed."""
    cards = deck(decks_for(hands_to_deal(state), state.rules.decks))
    return shuffled(cards, random.Random(seed).randrange)


def own_command(state: TableState, what: Due, house: HouseRules, seed: int = 0) -> Command:
    """What a table is told to do when that is due."""
    match what:
        case Due.DEAL:
            return Deal(None, cards_for(state, seed))
        case Due.SHOW_DOWN:
            return ShowDown(house)
        case Due.WIND_UP:
            return WindUp(Farewell.DESERTED)


def tried_by(action: Action, member: Member, state: TableState, house: HouseRules) -> tuple[Command, ...]:
    """Every command that an action's button can stand for, in this member's hand."""
    who = member.member_id
    match action:
        case Action.JOIN:
            return (Join(member),)
        case Action.TAKE_BANK:
            return (TakeBank(member, 1, 10, house),)
        case Action.BET:
            stake = state.bank.lowest if state.bank else 1
            return (PlaceBet(member, stake), PlaceBet(member, stake, state.round_number), SitOut(who))
        case Action.DEAL:
            return (Deal(who, SEVERAL_DECKS), Deal(None, SEVERAL_DECKS, state.round_number))
        case Action.SHOW:
            return (ShowHand(who), ShowHand(who, state.round_number))
