"""A decision in progress: applies each event once, and collects the chips that it moves."""

from collections.abc import Iterable, Iterator

from bot.table.accounts import Move, Reason, hold, score, wallet
from bot.table.events import (
    BetPlaced,
    BetWithdrawn,
    Event,
    RoundCalledOff,
    RoundSettled,
    SideBetPlaced,
    SideBetWithdrawn,
)
from bot.table.evolve import evolve
from bot.table.state import PlayerResult, RoundResult, SideResult, TableState


def moves_of(state: TableState | None, events: Iterable[Event]) -> tuple[Move, ...]:
    """The chips that these events move, in order, worked out from the events alone.

    At any time a member's exposure is held, which is `TableState.held` (B02).
    """
    draft = Draft(state)
    draft.add(*events)
    return tuple(draft.moves)


def _moves_by(before: TableState, event: Event, after: TableState) -> Iterator[Move]:
    """The chips that one event moves, in order."""
    match event:
        case RoundSettled(result):
            yield from _score_points(result) if before.for_points else _settle_chips(before, result)
        case BetPlaced() | BetWithdrawn() | SideBetPlaced() | SideBetWithdrawn() | RoundCalledOff():
            yield from _hold_difference(before, after)
        case _:
            pass


def _hold_difference(before: TableState, after: TableState) -> Iterator[Move]:
    """Moves the difference between two exposures into each member's hold, or back."""
    was, now = before.held, after.held
    for party in sorted(was.keys() | now.keys()):
        more = now.get(party, 0) - was.get(party, 0)
        if not more:
            continue
        own, held = wallet(party), hold(before.table_id, party)
        bank = before.is_banker(party)
        if more > 0:
            yield Move(own, held, more, Reason.BANK_HELD if bank else Reason.BET_HELD, before.round_number)
        else:
            returned = Reason.BANK_RETURNED if bank else Reason.BET_RETURNED
            yield Move(held, own, -more, returned, before.round_number)


def _score_points(result: RoundResult) -> Iterator[Move]:
    """Moves points from score to score; nothing was held (G22)."""
    banks = score(result.banker)
    for player in result.players:
        own = score(player.party)
        if player.chips > 0:
            yield Move(banks, own, player.chips, Reason.POINTS_WON, result.round_number)
        elif player.chips < 0:
            yield Move(own, banks, -player.chips, Reason.POINTS_LOST, result.round_number)


def _settle_chips(state: TableState, result: RoundResult) -> Iterator[Move]:
    """Moves winnings from hold to wallet; then returns what is left of each hold."""
    held = state.held
    banker_id = result.banker
    outcomes: list[tuple[PlayerResult | SideResult, Reason, Reason]] = [
        *((player, Reason.PLAYER_WON, Reason.BANKER_WON) for player in result.players),
        *((side, Reason.SIDE_BET_WON, Reason.SIDE_BET_LOST) for side in result.side_bets),
    ]
    for one, won, lost in outcomes:
        party = one.party
        if one.chips > 0:
            held[banker_id] -= one.chips
            source, target = hold(state.table_id, banker_id), wallet(party)
            yield Move(source, target, one.chips, won, result.round_number)
        elif one.chips < 0:
            held[party] += one.chips
            source, target = hold(state.table_id, party), wallet(banker_id)
            yield Move(source, target, -one.chips, lost, result.round_number)
    for party, chips in held.items():
        if chips:
            returned = Reason.BANK_RETURNED if party == banker_id else Reason.BET_RETURNED
            yield Move(hold(state.table_id, party), wallet(party), chips, returned, result.round_number)


class Draft:
    """What a command has changed so far."""

    def __init__(self, before: TableState | None) -> None:
        self.before = before
        self.events: list[Event] = []
        self.moves: list[Move] = []
        self._state = before

    @property
    def state(self) -> TableState:
        """The table after the events so far; not there before the event that opens it."""
        assert self._state is not None
        return self._state

    def add(self, *events: Event) -> None:
        """Applies these events, one after another."""
        for event in events:
            before, self._state = self._state, evolve(self._state, event)
            if before is not None:
                self.moves.extend(_moves_by(before, event, self._state))
            self.events.append(event)
