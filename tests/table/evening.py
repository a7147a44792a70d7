"""An evening at one table: random commands, each of which is checked."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from bot.games.register import GAMES
from bot.rules.knobs import Arrange as ArrangedBy
from bot.rules.knobs import HouseBank, Play
from bot.rules.shuffle import SECRET_SIZE
from bot.table.accounts import HOUSE, wallet
from bot.table.betting import largest_side_stake, largest_stake
from bot.table.commands import (
    Arrange,
    Command,
    Deal,
    GiveUpBank,
    Join,
    Leave,
    PlaceBet,
    PlaceSideBet,
    PlayHouse,
    RevealHand,
    RollForBank,
    SetLimits,
    Showdown,
    SitOut,
    TakeBank,
    WaitAgain,
    WithdrawBet,
    WithdrawSideBet,
)
from bot.table.commitment import Entropy
from bot.table.deadlines import Attention, deadline_after, due_action
from bot.table.decide import Decision, decide
from bot.table.events import BankPassed, DeadlineSet
from bot.table.evolve import fold, moves_of
from bot.table.refusals import Refused
from bot.table.state import LeaveReason, Phase, is_member

from .invariants import nobody_moved, the_deadline_stayed_or_came_sooner
from .strategies import (
    CHIPS_OF_HOUSE,
    MEMBERS,
    OWNERS,
    anything,
    chips_at_first,
    dice_for,
    endings,
    members,
    own_command,
    owners,
    pieces_for,
    rules_of_a_house,
    seeds,
    threes,
)
from .trial_table import TrialTable, moved, wallets_for

ENTROPY = Entropy("ab" * SECRET_SIZE, "1100220033")
"""Entropy of every command: always the same, so that Hypothesis can repeat an evening."""
ELSEWHERE = HOUSE
"""The account of chips that members win and lose at other tables."""


def at_phase(*phases: Phase) -> Callable[[Any], bool]:
    """Allows a rule only in these phases, so that not everything is refused."""
    return lambda evening: evening.table.state.phase in phases


class Evening(RuleBasedStateMachine):
    """Members give random commands at one table.

    Attributes:
        play: what is played for.
        table: the table.
        total: all chips that there are.
        set_back: by how many seconds the clock is behind the latest time that it showed.
    """

    play: ClassVar = Play.CHIPS

    @initialize(data=st.data(), chips=chips_at_first)
    def open(self, data: st.DataObject, chips: list[int]) -> None:
        """Opens a table of either game; all chips are there from the start."""
        house = data.draw(
            st.sampled_from(sorted(GAMES)).flatmap(lambda game: rules_of_a_house(game, self.play))
        )
        self.table = TrialTable(
            house, dict(zip(OWNERS, [*chips, CHIPS_OF_HOUSE], strict=True)), lambda: ENTROPY
        )
        self.total = sum(self.table.accounts.values())
        self.set_back = 0

    def ask(self, command: Command) -> None:
        """Asks the table, and checks what that changes."""
        before, accounts = self.table.state, self.table.accounts.copy()
        decided = self.table.decided(command)
        answer = self.table.ask(command)
        if isinstance(answer, Refused):
            assert tuple(answer.facts) == answer.code.facts
            assert self.table.state is before
            assert self.table.accounts == accounts
            self._the_largest_possible_bet_is_accepted(command, answer)
            return
        assert isinstance(decided, Decision)
        assert decided.events == answer
        assert decided.state == self.table.state == fold(before, answer)
        assert decided.moves == moves_of(before, answer)
        if isinstance(command, PlaceBet) and not command.takes_seat:
            assert before.has(command.party)
        assert len(self.table.state.seats) <= max(len(before.seats), self.table.state.most_seats)
        assert self.table.state.sequence == before.sequence + len(answer)
        if answer:
            assert self.table.state.deadline == deadline_after(before, self.table.state, self.table.now)
        if any(isinstance(event, BankPassed) for event in answer):
            nobody_moved(before, self.table.state)
        if isinstance(command, Deal | Showdown):
            away_before = {gone.party for gone in before.departures}
            after = self.table.state
            away = {seat.party for seat in after.seats if seat.rounds_missed and isinstance(command, Deal)}
            away |= {gone.party for gone in after.departures if gone.leave_reason is LeaveReason.IDLE}
            assert away - away_before <= set(OWNERS) - command.present
        runs = before.can_be_dealt and self.table.state.can_be_dealt
        if runs and before.phase is self.table.state.phase:
            the_deadline_stayed_or_came_sooner(before, self.table.state, self.table.now)
        self._once_more_moves_nothing(command)

    def _once_more_moves_nothing(self, command: Command) -> None:
        """Checks that a second press moves nothing, before and after what the first made due."""
        state, accounts = self.table.state, self.table.accounts.copy()
        while True:
            again = decide(state, command, self.table.now, wallets_for(state, command, accounts), ENTROPY)
            assert isinstance(again, Refused) or again.moves == ()
            what = due_action(state, self.table.now)
            if what is None:
                return
            follows = own_command(state, what, self.table.house)
            decided = decide(state, follows, self.table.now, wallets_for(state, follows, accounts), ENTROPY)
            assert not isinstance(decided, Refused)
            accounts, state = moved(accounts, decided.moves), decided.state

    def _the_largest_possible_bet_is_accepted(self, command: Command, refused: Refused) -> None:
        """Checks that the `most` of a refusal is the largest accepted bet (B02)."""
        most = refused.facts.get("most")
        if not isinstance(command, PlaceBet | PlaceSideBet) or not isinstance(most, int):
            return
        assert not isinstance(self.table.decided(replace(command, stake=most)), Refused)
        assert isinstance(self.table.decided(replace(command, stake=most + 1)), Refused)

    @rule(data=st.data())
    def do_anything(self, data: st.DataObject) -> None:
        """Gives any command, for this or an earlier round."""
        now = self.table.state.round_number
        self.ask(data.draw(anything(st.sampled_from([None, now, now - 1]), self.table.house)))

    @rule(member=members, seed=st.integers(0, 1000))
    @precondition(at_phase(Phase.OPEN, Phase.BETTING, Phase.DEALT))
    def play_on(self, member: int, seed: int) -> None:
        """Takes one step towards a showdown, which random commands seldom reach."""
        state, house = self.table.state, self.table.house
        if state.bank is None and (house.house_bank is HouseBank.ONLY or seed % 3 == 0):
            self.ask(PlayHouse(member, house))
        elif state.bank is None and not state.game.rolls_for_bank:
            lowest = min(house.lowest_stake + seed % 5, house.highest_stake)
            self.ask(TakeBank(member, lowest, min(lowest + seed % 50, house.highest_stake), house))
        elif state.bank is None:
            self.ask(Join(member))
            self.ask(RollForBank(member, dice_for(seed), house))
        elif state.phase is Phase.BETTING and state.can_be_dealt:
            banker = None if state.house_banks else state.bank.party
            self.ask(Deal(banker, pieces_for(state, seed)))
        elif state.phase is Phase.BETTING:
            self.ask(PlaceBet(member, max(self.largest_stake_of(member), 1)))
        else:
            self.table.now += state.rules.arranging_seconds
            self.ask(Showdown(house))

    @rule(seed=seeds, threes_of_all=st.lists(threes, min_size=len(MEMBERS), max_size=len(MEMBERS)))
    @precondition(at_phase(Phase.OPEN, Phase.BETTING))
    def play_a_round(self, seed: int, threes_of_all: list[tuple[int, ...] | None]) -> None:
        """Plays a whole round in one step, if chips and seats allow it."""
        for member in MEMBERS:
            if self.table.state.bank is None:
                self.play_on(member, seed)
        for member in MEMBERS:
            if self.table.state.phase is Phase.BETTING:
                self.ask(PlaceBet(member, max(self.largest_stake_of(member) - seed % 6, 1)))
        if self.table.state.bank is not None and self.table.state.can_be_dealt:
            self.play_on(MEMBERS[0], seed)
            for member, three in zip(MEMBERS, threes_of_all, strict=True):
                self.ask(Arrange(member, three))
            self.play_on(MEMBERS[0], seed)

    @rule(member=members, below=st.integers(0, 5))
    @precondition(at_phase(Phase.BETTING))
    def bet(self, member: int, below: int) -> None:
        """Places a bet that is accepted, or one chip if none is."""
        self.ask(PlaceBet(member, max(self.largest_stake_of(member) - below, 1)))

    @rule(data=st.data(), below=st.integers(0, 5))
    @precondition(lambda self: self.table.state.phase is Phase.BETTING and self.table.state.bets)
    def back_somebody(self, data: st.DataObject, below: int) -> None:
        """Places a side bet that is accepted, or one chip if none is."""
        on_lookers = [member for member in MEMBERS if not self.table.state.has(member)]
        member = data.draw(st.sampled_from(on_lookers or MEMBERS))
        backed = data.draw(st.sampled_from(self.table.state.bets)).party
        stake = max(self.largest_side_stake_of(member, backed) - below, 1)
        self.ask(PlaceSideBet(member, backed, stake))

    @rule(data=st.data())
    @precondition(lambda self: self.table.state.side_bets)
    def take_a_side_bet_back(self, data: st.DataObject) -> None:
        side = data.draw(st.sampled_from(self.table.state.side_bets))
        self.ask(WithdrawSideBet(side.party, side.backed))

    @rule(data=st.data())
    @precondition(lambda self: self.table.state.phase is Phase.BETTING and self.table.state.members)
    def change_their_mind(self, data: st.DataObject) -> None:
        who = data.draw(st.sampled_from(self.table.state.members)).party
        words: list[Command] = [WithdrawBet(who), SitOut(who)]
        self.ask(data.draw(st.sampled_from(words)))

    @rule(data=st.data())
    @precondition(at_phase(Phase.DEALT))
    def reveal(self, data: st.DataObject) -> None:
        holders = [member for member in MEMBERS if self.table.state.pieces_of(member)]
        self.ask(RevealHand(data.draw(st.sampled_from(holders))))

    @rule(data=st.data(), three=threes)
    @precondition(
        lambda self: (
            self.table.state.phase is Phase.DEALT
            and self.table.state.rules.arrange is not ArrangedBy.AUTOMATIC
        )
    )
    def arrange(self, data: st.DataObject, three: tuple[int, ...] | None) -> None:
        holders = [member for member in MEMBERS if self.table.state.pieces_of(member)]
        self.ask(Arrange(data.draw(st.sampled_from(holders)), three))

    @rule(lowest=st.integers(1, 10), more=st.integers(0, 30))
    @precondition(lambda self: self.table.state.phase is Phase.BETTING and not self.table.state.house_banks)
    def set_limits(self, lowest: int, more: int) -> None:
        bank = self.table.state.bank
        assert bank is not None
        self.ask(SetLimits(bank.party, lowest, lowest + more))

    @rule(data=st.data())
    @precondition(lambda self: not self.table.state.empty)
    def leave(self, data: st.DataObject) -> None:
        who = data.draw(st.sampled_from([m for m in MEMBERS if self.table.state.has(m)]))
        words: list[Command] = [Leave(who), GiveUpBank(who)]
        self.ask(data.draw(st.sampled_from(words)))

    @rule(data=st.data())
    def change_the_house(self, data: st.DataObject) -> None:
        house = self.table.house
        self.table.house = data.draw(rules_of_a_house(house.game, house.play))

    @rule(what=st.tuples(owners, st.integers(-200, 200)) | st.sampled_from([1, 5, 60, 600, -2, -172_800]))
    def let_the_world_go_on(self, what: tuple[int, int] | int) -> None:
        """Moves chips of a member or the house from or to another table, or changes the time."""
        match what:
            case member, chips:
                chips = max(-self.table.wallet(member), min(chips, self.table.accounts[ELSEWHERE]))
                self.table.accounts[wallet(member)] += chips
                self.table.accounts[ELSEWHERE] -= chips
            case seconds:
                self.table.now += seconds
                self.set_back = max(0, self.set_back - seconds)

    @rule(seed=st.integers(0, 1000), away=st.sampled_from([False, False, False, True]))
    @precondition(lambda self: due_action(self.table.state, self.table.now) is not None)
    def go_on(self, seed: int, away: bool) -> None:
        """Carries out what is due: it is never refused, and ends soon.

        Args:
            away: whether the bank came to its banker, who has pressed nothing.
        """
        for _ in range(4):
            bank = self.table.state.bank
            came_to = bank.party if away and bank is not None and is_member(bank.party) else None
            what = due_action(self.table.state, self.table.now, Attention(bank_came_to=came_to))
            if what is None:
                return
            command = own_command(self.table.state, what, self.table.house, seed)
            assert not isinstance(self.table.decided(command), Refused)
            self.ask(command)
        raise AssertionError("something is due again and again")

    @rule()
    @precondition(at_phase(Phase.OPEN, Phase.BETTING, Phase.DEALT))
    def wait_again(self) -> None:
        """Lets the whole time run again, as after an outage of Discord: nothing else changes."""
        answer = self.table.ask(WaitAgain())
        assert not isinstance(answer, Refused)
        assert all(isinstance(event, DeadlineSet) for event in answer)

    # An evening that ends early proves little, so tables are seldom closed.
    @rule(command=endings, really=st.integers(0, 9))
    @precondition(at_phase(Phase.OPEN, Phase.BETTING, Phase.DEALT))
    def end(self, command: Command, really: int) -> None:
        if really == 9:
            self.ask(command)

    @rule()
    @precondition(at_phase(Phase.CLOSED))
    def open_another(self) -> None:
        """Opens a new table for the same members and their chips."""
        self.teardown()
        accounts, now = self.table.accounts, self.table.now
        self.table = TrialTable(self.table.house)
        self.table.accounts, self.table.now = accounts, now

    def largest_stake_of(self, member: int) -> int:
        """The largest bet of this member, as the table computes it."""
        wallets = wallets_for(self.table.state, PlaceBet(member, 1), self.table.accounts)
        most = largest_stake(self.table.state, member, wallets)
        return 0 if isinstance(most, Refused) else most

    def largest_side_stake_of(self, member: int, backed: int) -> int:
        """The largest side bet of this member on that player, as the table computes it."""
        wallets = wallets_for(self.table.state, PlaceSideBet(member, backed, 1), self.table.accounts)
        most = largest_side_stake(self.table.state, member, backed, wallets)
        return 0 if isinstance(most, Refused) else most
