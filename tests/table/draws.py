"""What Hypothesis draws for a table: who comes, what a house wants, what is asked, which cards fall."""

import random

from hypothesis import strategies as st

from bot.rules.cards import Card, deck
from bot.rules.knobs import Direction, HouseRules, Ties
from bot.rules.shuffle import decks_for, shuffled
from bot.table.clock import Due
from bot.table.commands import Command, Deal, Join, PlaceBet, ShowDown, ShowHand, SitOut, TakeBank, WindUp
from bot.table.events import Farewell
from bot.table.obstacles import Action
from bot.table.play import hands_to_deal
from bot.table.state import Member, TableState

MEMBERS = tuple(Member(number, f"Member {number}") for number in range(1, 7))
STRANGER = Member(99, "Stranger")

members = st.sampled_from(MEMBERS)
stakes = st.integers(min_value=-1, max_value=60)
rules_of_a_house = st.builds(
    HouseRules,
    seats=st.sampled_from([1, 2, 3, 19]),
    multiple_five_dukes=st.sampled_from([1, 7, 20]),
    multiple_double_ox=st.integers(min_value=1, max_value=4),
    ties=st.sampled_from(Ties),
    direction=st.sampled_from(Direction),
    decks=st.sampled_from([1, 2]),
    betting_seconds=st.sampled_from([5, 60]),
    arranging_seconds=st.sampled_from([5, 30]),
)
rounds_meant = st.sampled_from([None, 0, 0, -1])
"""None where a command does not say for which round it is meant, else how far from the one that is on."""


def cards_for(state: TableState, seed: int) -> tuple[Card, ...]:
    """A shuffle that reaches for the round, the same for the same seed."""
    return shuffled(deck(decks_for(hands_to_deal(state), state.rules.decks)), random.Random(seed).randrange)


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
            return (Deal(who, cards_for(state, 0)), Deal(None, cards_for(state, 0), state.round_number))
        case Action.SHOW:
            return (ShowHand(who), ShowHand(who, state.round_number))
