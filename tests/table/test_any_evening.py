"""Random evenings: what must hold of a table and its chips after every step."""

from itertools import product

from hypothesis import settings
from hypothesis.stateful import invariant

from bot.rules.knobs import Play
from bot.table.accounts import AccountKind
from bot.table.betting import A_POINT
from bot.table.commands import PlaceBet, PlaceSideBet
from bot.table.deadlines import DueAction, due_action, seconds_left
from bot.table.decide import decide
from bot.table.events import event_json, parse_event
from bot.table.evolve import fold
from bot.table.preconditions import Action, unmet_precondition
from bot.table.refusals import Refused
from bot.table.state import Phase, parse_state, state_json
from tests.sizes import sized

from .evening import Evening
from .invariants import ALWAYS, is_last_call
from .strategies import MEMBERS, OWNERS, STRANGER, tried_by
from .trial_table import SEALED


class WatchedEvening(Evening):
    """An evening that is checked after every step."""

    @invariant()
    def no_chip_is_made_lost_or_owed(self) -> None:
        chips = dict.fromkeys(AccountKind, 0)
        for account, balance in self.table.accounts.items():
            chips[account.kind] += balance
            assert balance >= 0 or account.kind is AccountKind.SCORE
        assert chips.pop(AccountKind.SCORE) == 0
        assert sum(chips.values()) == self.total

    @invariant()
    def the_holds_are_what_the_table_says(self) -> None:
        assert self.table.holds == self.table.state.held
        assert bool(self.table.holds) == (bool(self.table.state.bets) and not self.table.state.for_points)

    @invariant()
    def the_state_is_consistent(self) -> None:
        for holds in ALWAYS:
            holds(self.table.state)

    @invariant()
    def the_last_call_is_all_that_is_left_once_everybody_has_decided(self) -> None:
        state = self.table.state
        if state.phase is Phase.BETTING and state.can_be_dealt and is_last_call(state):
            assert state.deadline is not None
            left = seconds_left(state, self.table.now)
            assert left is not None
            assert left <= state.rules.last_call_seconds + self.set_back

    @invariant()
    def an_unmet_precondition_is_refused_to_everybody(self) -> None:
        state = self.table.state
        rich = dict.fromkeys((*OWNERS, STRANGER), 1000000)
        for action in Action:
            refused = [
                isinstance(decide(state, command, self.table.now, rich, SEALED), Refused)
                for member in (*MEMBERS, STRANGER)
                for command in tried_by(action, member, state, self.table.house)
            ]
            if unmet_precondition(state, action):
                assert all(refused)
            elif action is Action.SIT_OUT and not any(seat.undecided for seat in state.seats):
                continue
            elif (
                action not in (Action.ARRANGE, Action.REVEAL)
                or due_action(state, self.table.now) is not DueAction.SHOWDOWN
            ):
                assert not all(refused), action

    @invariant()
    def the_largest_bet_is_accepted_and_no_larger_one(self) -> None:
        for member in MEMBERS:
            most = self.largest_stake_of(member)
            tried = [most + 1, most + 2, 1_000] if most else [1, 5, 20, 60, 1_000]
            if self.table.state.bank and not most:
                tried += [self.table.state.bank.lowest, self.table.state.bank.highest]
            assert not most or not isinstance(self.table.decided(PlaceBet(member, most)), Refused)
            if most and self.table.state.for_points:
                assert most == A_POINT
                continue
            assert all(isinstance(self.table.decided(PlaceBet(member, stake)), Refused) for stake in tried)

    @invariant()
    def the_largest_side_bet_is_accepted_and_no_larger_one(self) -> None:
        players = [seat.party for seat in self.table.state.bets] or [STRANGER]
        for member, backed in product(MEMBERS, players):
            most = self.largest_side_stake_of(member, backed)
            fitting, one_more = (PlaceSideBet(member, backed, stake) for stake in (most, most + 1))
            assert not most or not isinstance(self.table.decided(fitting), Refused)
            assert isinstance(self.table.decided(one_more), Refused)

    @invariant()
    def the_state_survives_json(self) -> None:
        assert parse_state(state_json(self.table.state)) == self.table.state

    def teardown(self) -> None:
        """Checks that a replay of the stored events gives the same state."""
        if hasattr(self, "table"):
            record = [parse_event(event_json(event)) for event in self.table.record]
            assert fold(None, record) == self.table.state


class WatchedEveningForPoints(WatchedEvening):
    """The same for points, without chips (G22)."""

    play = Play.POINTS

    @invariant()
    def no_chip_moves_and_none_is_held(self) -> None:
        kinds = {account.kind for account, balance in self.table.accounts.items() if balance}
        assert AccountKind.HOLD not in kinds
        assert not self.table.state.held


TestAnyEvening = WatchedEvening.TestCase
TestAnyEvening.settings = settings(
    max_examples=sized(4, 60),
    stateful_step_count=60,
)
TestAnyEveningForPoints = WatchedEveningForPoints.TestCase
TestAnyEveningForPoints.settings = settings(TestAnyEvening.settings, max_examples=sized(2, 20))
