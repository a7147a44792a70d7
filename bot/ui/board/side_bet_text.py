"""The texts about side bets on a board: beside the seats while they stand, then what they won."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from bot.games.settle import Outcome
from bot.table.seats import Seat
from bot.table.state import RoundResult, TableState
from bot.ui.names import Names
from bot.words.translation import listed, translate

SIDE_BETS_SHOWN: Final = 6
"""How many side bets are listed, the earliest first: a crowd would fill the board."""
MARKS: Final[Mapping[Outcome, str]] = MappingProxyType(
    {Outcome.PLAYER: "▲", Outcome.BANKER: "▼", Outcome.PUSH: "▬"}
)
"""The sign of each outcome, as in the pictures."""


def beside_seat(state: TableState, names: Names, seat: Seat) -> str:
    """Who backs a seat: ` · backed by @Zed (10)`; empty if nobody does (B01)."""
    backers = [
        translate("board.backer", who=names.mention(side.party), stake=side.stake)
        for side in state.side_bets[:SIDE_BETS_SHOWN]
        if side.backed == seat.party
    ]
    return f" · {translate('board.backed_by', backers=listed(backers))}" if backers else ""


def side_bets_left_out(state: TableState) -> list[str]:
    """A line about the side bets that are not listed; none if all are."""
    rest = state.side_bets[SIDE_BETS_SHOWN:]
    if not rest:
        return []
    chips = sum(side.stake for side in rest)
    return [f"-# {translate('board.more_side_bets', count=len(rest), chips=chips)}"]


def side_result_lines(result: RoundResult, names: Names) -> list[str]:
    """What each side bet won (B01), a line each, and how many are left out."""
    lines = [
        f"{MARKS[side.outcome]} "
        + translate(
            "board.side_result",
            who=names.mention(side.party),
            backed=names.mention(side.backed),
            chips=side.chips,
        )
        for side in result.side_bets[:SIDE_BETS_SHOWN]
    ]
    if rest := result.side_bets[SIDE_BETS_SHOWN:]:
        chips = sum(side.chips for side in rest)
        lines.append(f"-# {translate('board.more_side_results', count=len(rest), chips=chips)}")
    return lines
