"""What an event moves between accounts: holds, what comes back of them, and what was won."""

from collections.abc import Iterable, Iterator

from bot.table.events import BetPlaced, BetWithdrawn, Event, RoundCalledOff, RoundSettled
from bot.table.evolve import evolve
from bot.table.money import Move, Reason, hold, wallet
from bot.table.state import TableState


def moves_of(state: TableState | None, events: Iterable[Event]) -> tuple[Move, ...]:
    """The chips that move when these events happen to this table, in order.

    What is held of a member at any time is `TableState.held`: the most he can lose (B02).

    Args:
        state: the table before the first event; None where that opens it.
        events: what happens, one after another.
    """
    moves: list[Move] = []
    for event in events:
        if state is not None:
            moves.extend(_moves(state, event))
        state = evolve(state, event)
    return tuple(moves)


def _moves(state: TableState, event: Event) -> Iterator[Move]:
    match event:
        case RoundSettled():
            yield from _settled(state, event)
        case BetPlaced() | BetWithdrawn() | RoundCalledOff():
            yield from _held_anew(state, evolve(state, event))
        case _:
            pass


def _held_anew(before: TableState, after: TableState) -> Iterator[Move]:
    """From each member's wallet what is held in addition, and back what is held no more."""
    was, now = before.held, after.held
    for member_id in sorted(was.keys() | now.keys()):
        more = now.get(member_id, 0) - was.get(member_id, 0)
        own, held = wallet(member_id), hold(before.table_id, member_id)
        bank = before.is_banker(member_id)
        if more > 0:
            yield Move(own, held, more, Reason.BANK_HELD if bank else Reason.BET_HELD, before.round_number)
        elif more < 0:
            returned = Reason.BANK_RETURNED if bank else Reason.BET_RETURNED
            yield Move(held, own, -more, returned, before.round_number)


def _settled(state: TableState, event: RoundSettled) -> Iterator[Move]:
    """What was won goes from hold to wallet; then what is left of each hold comes back."""
    held = state.held
    result = event.result
    banker_id = result.banker.member_id
    for player in result.players:
        member_id = player.member.member_id
        if player.chips > 0:
            held[banker_id] -= player.chips
            won = Move(
                hold(state.table_id, banker_id),
                wallet(member_id),
                player.chips,
                Reason.PLAYER_WON,
                result.round_number,
            )
            yield won
        elif player.chips < 0:
            held[member_id] += player.chips
            lost = Move(
                hold(state.table_id, member_id),
                wallet(banker_id),
                -player.chips,
                Reason.BANKER_WON,
                result.round_number,
            )
            yield lost
    for member_id, chips in held.items():
        if chips:
            returned = Reason.BANK_RETURNED if member_id == banker_id else Reason.BET_RETURNED
            yield Move(
                hold(state.table_id, member_id), wallet(member_id), chips, returned, result.round_number
            )
