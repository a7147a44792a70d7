"""The words about side bets on a table's board: beside the seats while they stand, then what they brought."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from bot.rules.settle import Outcome
from bot.table.state import RoundResult, Seat, TableState
from bot.ui.views.mentions import mention
from bot.words import chips, signed

SIDE_BETS_SHOWN: Final = 6
"""So many are told one by one, the first that were placed; a crowd of on-lookers would fill the board."""
MARKS: Final[Mapping[Outcome, str]] = MappingProxyType(
    {Outcome.PLAYER: "▲", Outcome.BANKER: "▼", Outcome.PUSH: "▬"}
)
"""The sign of each outcome, as in the pictures."""


def beside_seat(state: TableState, seat: Seat) -> str:
    """What stands behind a seat: `· + 10 from @Zed beside him`; empty where nobody backs it (B01)."""
    told = [
        f"{side.stake:,} from {mention(side.member.member_id)}"
        for side in state.side_bets[:SIDE_BETS_SHOWN]
        if side.backed == seat.member.member_id
    ]
    return f" · + {', '.join(told)} beside him" if told else ""


def side_bets_left_out(state: TableState) -> list[str]:
    """A line about the side bets that are not told beside their seats; none where all are."""
    rest = state.side_bets[SIDE_BETS_SHOWN:]
    if not rest:
        return []
    bets = "side bet" if len(rest) == 1 else "side bets"
    return [f"-# and {len(rest)} more {bets}, {chips(sum(side.stake for side in rest))}"]


def side_result_lines(result: RoundResult) -> list[str]:
    """What the round brought those who backed a player (B01), a line each, and how many are left out."""
    lines = [
        f"{MARKS[side.outcome]} {mention(side.member.member_id)} beside {mention(side.backed)} · "
        f"**{signed(side.chips)}**"
        for side in result.side_bets[:SIDE_BETS_SHOWN]
    ]
    if rest := result.side_bets[SIDE_BETS_SHOWN:]:
        bets = "side bet" if len(rest) == 1 else "side bets"
        lines.append(f"-# and {len(rest)} more {bets}: {signed(sum(side.chips for side in rest))} together")
    return lines
