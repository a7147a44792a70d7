"""What members hold as evidence of a round: its seal, their contribution, and its receipt."""

from bot.table.round_record import client_seed_of, seal_in, seeds_on
from bot.table.state import Phase, TableState
from bot.words.proofs import own_seal_words, receipt_words


def evidence(state: TableState, party: int) -> list[str]:
    """What lets the member check this round and the last one: each seal with their contribution to it."""
    betting = {seat.party for seat in state.bets} | {side.party for side in state.side_bets}
    in_round = state.phase is not Phase.OPEN and (state.is_banker(party) or party in betting)
    lines = [evidence_line(state, party)] if in_round else []
    return [line for line in [*lines, *evidence_of_last(state, party)] if line]


def evidence_of_last(state: TableState, party: int) -> list[str]:
    """What lets the member check the last round; nothing if they were not in it."""
    last = state.last
    if last is None or last.opening is None or last.receipt is None or party not in last.parties:
        return []
    seed = dict(reversed(seeds_on(last.opening.sheet)))[party]
    return [
        own_seal_words(last.round_number, seal_in(last.opening), seed),
        receipt_words(last.round_number, last.receipt),
    ]


def evidence_line(state: TableState, party: int) -> str:
    """The seal of the round, and what the member brings to it; empty if there is none."""
    seed = client_seed_of(state, party)
    if state.seal is None or seed is None:
        return ""
    return own_seal_words(state.round_to_deal, state.seal, seed)
