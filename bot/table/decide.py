"""What a command changes at a table, or why it is refused. Pure: no chance, no waiting."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.table.accounts import Move
from bot.table.bank import play_house, roll_for_bank, set_limits
from bot.table.betting import place_bet, place_side_bet, sit_out, withdraw_bet, withdraw_side_bet
from bot.table.commands import (
    Arrange,
    BetLowest,
    CloseTable,
    Command,
    Deal,
    FreeBank,
    GiveUpBank,
    Join,
    KeepOpen,
    Leave,
    MemberLeft,
    OpenTable,
    PlaceBet,
    PlaceSideBet,
    PlayHouse,
    RevealHand,
    RollForBank,
    SetClientSeed,
    SetLimits,
    ShortenWait,
    Showdown,
    SitOut,
    TakeBank,
    WaitAgain,
    WaitForBackers,
    WindUp,
    WithdrawBet,
    WithdrawSideBet,
)
from bot.table.commitment import Entropy, add_entropy, set_client_seed
from bot.table.computer_players import follow_members, may_play
from bot.table.deadlines import NOTHING_NOTED, Attention, deadline_after, deadline_for_backers
from bot.table.dealing import arrange, deal_hands, reveal_hand, showdown
from bot.table.events import DeadlineSet, Event, TableOpened
from bot.table.evolve import Draft
from bot.table.heats import bet_lowest, close_if_over, open_heat
from bot.table.refusals import Refusal, Refused, refuse
from bot.table.seating import (
    close,
    close_table,
    free_bank,
    give_up_bank,
    join,
    keep_open,
    leave,
    member_left,
    take_bank,
)
from bot.table.state import THE_HOUSE, Phase, TableState

_AMOUNTS: Final = ("stake", "lowest", "highest")
"""The fields of commands that are chips: a fraction of one would stay in a table's record for good."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What a command changes.

    Attributes:
        events: what happens, in order; empty if everything is already as asked.
    """

    events: tuple[Event, ...]
    state: TableState
    moves: tuple[Move, ...]


def decide(
    state: TableState | None,
    command: Command,
    now: float,
    wallets: Mapping[int, int],
    entropy: Entropy,
    attention: Attention = NOTHING_NOTED,
) -> Decision | Refused:
    """What a command changes at a table, or why it is refused.

    Args:
        state: the table; None for `OpenTable`, and only for that.
        wallets: free chips of the `wallets_needed`, by payer; a missing one has none.
    """
    for name in _AMOUNTS:
        amount = getattr(command, name, 0)
        if type(amount) is not int:
            raise ValueError(f"{name} is a whole number of chips, not {amount!r}")
    if isinstance(command, OpenTable) != (state is None):
        raise ValueError(f"{type(command).__name__} does not go with {'no' if state is None else 'a'} table")
    draft = Draft(state)
    if refused := _carry_out(draft, command, now, wallets):
        return refused
    if draft.events:
        close_if_over(draft)
        follow_members(draft, wallets)
        add_entropy(draft, entropy)
    if draft.events or isinstance(command, ShortenWait | WaitAgain | WaitForBackers):
        if isinstance(command, WaitForBackers):
            deadline = deadline_for_backers(draft.state, attention)
        else:
            before = None if isinstance(command, WaitAgain) else state
            deadline = deadline_after(before, draft.state, now, attention)
        if deadline != draft.state.deadline:
            draft.add(DeadlineSet(deadline))
    return Decision(tuple(draft.events), draft.state, tuple(draft.moves))


def wallets_needed(state: TableState, command: Command, asker: int | None) -> frozenset[int]:
    """Whose free chips `decide` needs: asker, banker, all if the bank may change, the house.

    Args:
        asker: the member who asks; None if the table does.
    """
    members = {asker} if asker is not None else set()
    if state.bank is not None:
        members.add(state.bank.party)
    if isinstance(command, PlayHouse) or may_play(state, command):
        members.add(THE_HOUSE)
    if isinstance(command, RollForBank | Showdown):
        members.update(seat.party for seat in state.members)
    return frozenset(members)


def _carry_out(draft: Draft, command: Command, now: float, wallets: Mapping[int, int]) -> Refused | None:
    if draft.before is not None and draft.before.phase is Phase.CLOSED:
        return refuse(Refusal.TABLE_CLOSED)
    match command:
        case Join():
            return join(draft, command)
        case Leave():
            return leave(draft, command)
        case TakeBank():
            return take_bank(draft, command, wallets)
        case PlayHouse():
            return play_house(draft, command, wallets)
        case RollForBank():
            return roll_for_bank(draft, command, wallets)
        case SetLimits():
            return set_limits(draft, command, wallets)
        case GiveUpBank():
            return give_up_bank(draft, command)
        case PlaceBet():
            return place_bet(draft, command, wallets)
        case WithdrawBet():
            return withdraw_bet(draft, command)
        case PlaceSideBet():
            return place_side_bet(draft, command, wallets)
        case WithdrawSideBet():
            return withdraw_side_bet(draft, command)
        case SetClientSeed():
            return set_client_seed(draft, command)
        case SitOut():
            return sit_out(draft, command)
        case Deal():
            return deal_hands(draft, command, now)
        case Arrange():
            return arrange(draft, command, now)
        case RevealHand():
            return reveal_hand(draft, command)
        case Showdown():
            return showdown(draft, command, now, wallets)
        case CloseTable():
            return close_table(draft, command)
        case KeepOpen():
            return keep_open(draft, command)
        case FreeBank():
            return free_bank(draft, command, now)
        case BetLowest():
            return bet_lowest(draft, now)
        case MemberLeft():
            member_left(draft, command)
        case WindUp(leave_reason):
            close(draft, leave_reason)
        case OpenTable():
            draft.add(
                TableOpened(
                    command.table_id,
                    command.server_id,
                    command.channel_id,
                    command.number,
                    command.opener,
                    command.rules,
                    command.heat,
                )
            )
            open_heat(draft)
    return None
