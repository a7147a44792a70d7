"""Provable shuffles at a table: the committed secret, the client seeds, and the opening.

A table commits to a new secret when it opens, and after each use of the last one. A secret is used once: for
the hands of a round, or for the dice that pick its banker. `bot.rules.shuffle` has the algorithm.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from bot.rules.shuffle import ClientSeed
from bot.table.commands import SetClientSeed
from bot.table.draft import Draft
from bot.table.events import (
    BetPlaced,
    ClientSeedSet,
    DiceRolled,
    Event,
    RoundSettled,
    SeatTaken,
    SecretCommitted,
    SideBetPlaced,
    TableOpened,
)
from bot.table.refusals import Refusal, Refused, refuse
from bot.table.round_result import Opening
from bot.table.state import MemberSeed, Phase, TableState

LONGEST_CLIENT_SEED: Final = 100
"""The most characters in a client seed that a member chooses."""


@dataclass(frozen=True, slots=True)
class Entropy:
    """What comes with a command that nobody could know before.

    Attributes:
        secret: a new secret, in hexadecimal; None to go on without one.
        client_seed: the id of the interaction, which the host cannot choose; None without one.
    """

    secret: str | None = field(default=None, repr=False)
    client_seed: str | None = None


NO_ENTROPY: Final = Entropy()


def add_entropy(draft: Draft, entropy: Entropy) -> None:
    """Adds the bettor's client seed, and a new secret if the last one is used.

    Args:
        draft: the table, and what the command changed.
        entropy: what came with the command.
    """
    bettor = next(filter(None, map(_bettor, draft.events)), None)
    used = any(isinstance(event, TableOpened | DiceRolled | RoundSettled) for event in draft.events)
    # A backer who sits down after the deal has a client seed in it already.
    dealt = draft.before is not None and draft.before.phase is Phase.DEALT
    if bettor is not None and entropy.client_seed is not None and not dealt:
        draft.add(ClientSeedSet(bettor, entropy.client_seed))
    if used and entropy.secret is not None:
        draft.add(SecretCommitted(entropy.secret))


def _bettor(event: Event) -> int | None:
    """The member who sat down or bet, by Discord's id; None for any other event."""
    match event:
        case SeatTaken(member=member) | SideBetPlaced(member):
            return member.member_id
        case BetPlaced(member_id):
            return member_id
        case _:
            return None


def set_client_seed(draft: Draft, command: SetClientSeed) -> Refused | None:
    """Sets a member's own words as their client seed, in place of an interaction's id."""
    state = draft.state
    if state.phase is Phase.DEALT:
        return refuse(Refusal.ALREADY_DEALT)
    words = " ".join(command.text.split())
    if not 1 <= len(words) <= LONGEST_CLIENT_SEED:
        return refuse(Refusal.CLIENT_SEED_LENGTH, longest=LONGEST_CLIENT_SEED)
    if state.is_banker(command.member_id):
        return refuse(Refusal.HOLDS_THE_BANK)
    if state.seat_of(command.member_id) is None and not state.side_bets_of(command.member_id):
        return refuse(Refusal.NOT_PLAYING)
    if MemberSeed(command.member_id, words, chosen=True) not in state.client_seeds:
        draft.add(ClientSeedSet(command.member_id, words, chosen=True))
    return None


def deal_opening(state: TableState) -> Opening | None:
    """What the hands of the round are shuffled from; None at a table without a secret.

    It has the client seeds of everybody with a bet or a side bet.
    """
    betting = {seat.member.member_id for seat in state.bets}
    betting |= {side.member.member_id for side in state.side_bets}
    return _opening(state, (seed for seed in state.client_seeds if seed.member_id in betting))


def roll_opening(state: TableState, member_id: int, client_seed: str) -> Opening | None:
    """What the dice for the bank are rolled from; None at a table without a secret.

    It has the client seeds of everybody who sits at the table.

    Args:
        state: the table.
        member_id: Discord's id of the member who asks for the dice.
        client_seed: the seed of that member, unless they chose their own.
    """
    seeds = {seed.member_id: seed for seed in state.client_seeds if state.has(seed.member_id)}
    if member_id not in seeds or not seeds[member_id].chosen:
        seeds[member_id] = MemberSeed(member_id, client_seed)
    return _opening(state, seeds.values())


def _opening(state: TableState, seeds: Iterable[MemberSeed]) -> Opening | None:
    if state.secret is None:
        return None
    return Opening(state.secret, tuple(sorted(ClientSeed(seed.member_id, seed.text) for seed in seeds)))
