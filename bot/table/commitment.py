"""What makes a shuffle checkable: the sealed secret, what members mix into it, and what was drawn from both.

A secret is sealed when a table opens, and anew when one was drawn from. It is drawn from once: for the hands
of a round, or for the dice that pick its banker. `bot.rules.shuffle` has the algorithm.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from bot.rules.shuffle import Contribution
from bot.table.commands import Contribute
from bot.table.draft import Draft
from bot.table.events import (
    BetPlaced,
    Contributed,
    DiceRolled,
    Event,
    RoundSettled,
    SeatTaken,
    ShuffleSealed,
    SideBetPlaced,
    TableOpened,
)
from bot.table.refusals import Refusal, Refused, refuse
from bot.table.results import Opening
from bot.table.state import Phase, Said, TableState

LONGEST_WORDS: Final = 100
"""So many characters a member's own words may have."""


@dataclass(frozen=True, slots=True)
class Fresh:
    """What comes to a table with a command, beside the command itself.

    Attributes:
        secret: a secret that nobody knows yet, in hexadecimal; None where the table is to go on without.
        contribution: what the house could not know before: the id of the interaction; None without one.
    """

    secret: str | None = field(default=None, repr=False)
    contribution: str | None = None


NOTHING_FRESH: Final = Fresh()


def sealing(draft: Draft, fresh: Fresh) -> None:
    """Adds the bettor's client seed, and a new secret where the last one is used.

    Args:
        draft: the table, and what the command changed.
        fresh: what came with the command.
    """
    bettor = next(filter(None, map(_contributor, draft.events)), None)
    used = any(isinstance(event, TableOpened | DiceRolled | RoundSettled) for event in draft.events)
    # A backer who sits down after the deal has a client seed in it already.
    dealt = draft.before is not None and draft.before.phase is Phase.DEALT
    if bettor is not None and fresh.contribution is not None and not dealt:
        draft.add(Contributed(bettor, fresh.contribution))
    if used and fresh.secret is not None:
        draft.add(ShuffleSealed(fresh.secret))


def _contributor(event: Event) -> int | None:
    """Who contributes by what happened; None where nobody does."""
    match event:
        case SeatTaken(member=member) | SideBetPlaced(member):
            return member.member_id
        case BetPlaced(member_id):
            return member_id
        case _:
            return None


def contribute(draft: Draft, command: Contribute) -> Refused | None:
    """Mixes a member's own words into the next shuffle, in place of the id of his interaction."""
    state = draft.state
    if state.phase is Phase.DEALT:
        return refuse(Refusal.CARDS_ARE_OUT)
    words = " ".join(command.text.split())
    if not 1 <= len(words) <= LONGEST_WORDS:
        return refuse(Refusal.WORDS_DO_NOT_FIT, longest=LONGEST_WORDS)
    if state.is_banker(command.member_id):
        return refuse(Refusal.HOLDS_THE_BANK)
    if state.seat_of(command.member_id) is None and not state.side_bets_of(command.member_id):
        return refuse(Refusal.NOTHING_TO_MIX)
    if Said(command.member_id, words, own=True) not in state.contributed:
        draft.add(Contributed(command.member_id, words, own=True))
    return None


def deal_opening(state: TableState) -> Opening | None:
    """What the hands of the round are drawn from; None at a table that has no sealed secret.

    Everybody contributes whose bet stands, on his own hand or on another's.
    """
    betting = {seat.member.member_id for seat in state.bets}
    betting |= {side.member.member_id for side in state.side_bets}
    return _draw(state, (said for said in state.contributed if said.member_id in betting))


def roll_opening(state: TableState, member_id: int, contribution: str) -> Opening | None:
    """What the dice for the bank are drawn from; None at a table that has no sealed secret.

    Args:
        state: the table.
        member_id: who has them thrown.
        contribution: what he contributes by that, unless he has chosen words of his own.

    Everybody contributes who sits at the table.
    """
    sitting = {said.member_id: said for said in state.contributed if state.has(said.member_id)}
    if member_id not in sitting or not sitting[member_id].own:
        sitting[member_id] = Said(member_id, contribution)
    return _draw(state, sitting.values())


def _draw(state: TableState, contributed: Iterable[Said]) -> Opening | None:
    if state.secret is None:
        return None
    return Opening(
        state.secret, tuple(sorted(Contribution(said.member_id, said.text) for said in contributed))
    )
