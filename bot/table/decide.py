"""What a command makes of a table: events, or a refusal. It draws nothing, never sleeps, writes no prose."""

from collections.abc import Mapping

from bot.table.arranging import arrange
from bot.table.betting import place_bet, sit_out, withdraw_bet
from bot.table.clock import deadline_after
from bot.table.closing import close_table, member_left, wind_up
from bot.table.commands import (
    Arrange,
    CloseTable,
    Command,
    Contribute,
    Deal,
    GiveUpBank,
    Join,
    Leave,
    MemberLeft,
    OpenTable,
    PlaceBet,
    PlaceSideBet,
    RevealHand,
    RollForBank,
    SetLimits,
    Showdown,
    SitOut,
    TakeBank,
    WindUp,
    WithdrawBet,
    WithdrawSideBet,
)
from bot.table.commitment import NOTHING_FRESH, Fresh, contribute, sealing
from bot.table.events import ClockSet, Event, TableOpened
from bot.table.evolve import fold
from bot.table.limits import set_limits
from bot.table.play import deal_hands, reveal_hand, showdown
from bot.table.refusals import Refusal, Refused, refuse
from bot.table.rolling import roll_for_bank
from bot.table.seating import give_up_bank, join, leave, take_bank
from bot.table.side_betting import place_side_bet, withdraw_side_bet
from bot.table.state import Phase, TableState


def decide(
    state: TableState | None,
    command: Command,
    now: float,
    wallets: Mapping[int, int],
    fresh: Fresh = NOTHING_FRESH,
) -> tuple[Event, ...] | Refused:
    """What happens when a command meets a table.

    Args:
        state: the table; None for `OpenTable`, and only for that.
        command: what is asked.
        now: seconds since the epoch, UTC.
        wallets: chips free in the wallet of everybody who is `concerned`; who is missing has none.
        fresh: what comes with the command that nobody could know before.

    Returns:
        The events in their order, none where all is already as asked; or why it is refused.

    Raises:
        ValueError: where a table is missing, or is opened twice.
    """
    if isinstance(command, OpenTable) != (state is None):
        raise ValueError(f"{type(command).__name__} does not go with {'no' if state is None else 'a'} table")
    decided = _opened(command) if state is None else _asked(state, command, now, wallets)
    if isinstance(decided, Refused) or not decided:
        return decided
    decided = (*decided, *sealing(state, decided, fresh))
    after = fold(state, decided)
    deadline = deadline_after(state, after, now)
    return decided if deadline == after.deadline else (*decided, ClockSet(deadline))


def concerned(state: TableState, command: Command, asker: int | None) -> frozenset[int]:
    """Whose wallets `decide` must know: of who asks and of the banker; where the bank changes hands, of all.

    Args:
        state: the table.
        command: what is asked.
        asker: Discord's id of the member who asks; None where no member does.
    """
    members = {asker} if asker is not None else set()
    if state.bank is not None:
        members.add(state.bank.member.member_id)
    if isinstance(command, RollForBank | Showdown):
        members.update(seat.member.member_id for seat in state.seats)
    return frozenset(members)


def _opened(command: Command) -> tuple[Event, ...]:
    assert isinstance(command, OpenTable)
    return (
        TableOpened(
            command.table_id,
            command.server_id,
            command.channel_id,
            command.number,
            command.opener,
            command.rules,
        ),
    )


def _asked(
    state: TableState, command: Command, now: float, wallets: Mapping[int, int]
) -> tuple[Event, ...] | Refused:
    if state.phase is Phase.CLOSED:
        return refuse(Refusal.TABLE_CLOSED)
    match command:
        case Join():
            return join(state, command)
        case Leave():
            return leave(state, command)
        case TakeBank():
            return take_bank(state, command, wallets)
        case RollForBank():
            return roll_for_bank(state, command, wallets)
        case SetLimits():
            return set_limits(state, command, wallets)
        case GiveUpBank():
            return give_up_bank(state, command)
        case PlaceBet():
            return place_bet(state, command, wallets)
        case WithdrawBet():
            return withdraw_bet(state, command)
        case PlaceSideBet():
            return place_side_bet(state, command, wallets)
        case WithdrawSideBet():
            return withdraw_side_bet(state, command)
        case Contribute():
            return contribute(state, command)
        case SitOut():
            return sit_out(state, command)
        case Deal():
            return deal_hands(state, command, now)
        case Arrange():
            return arrange(state, command, now)
        case RevealHand():
            return reveal_hand(state, command)
        case Showdown():
            return showdown(state, command, now, wallets)
        case CloseTable():
            return close_table(state, command)
        case MemberLeft():
            return member_left(state, command)
        case WindUp():
            return wind_up(state, command)
        case OpenTable():
            raise ValueError("a table is opened once")
