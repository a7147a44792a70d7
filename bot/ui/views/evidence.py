"""What members hold as evidence of a round: its seal, their contribution, and its receipt."""

from bot.table.sheets import client_seed_of, seal_in, seeds_on
from bot.table.state import Phase, TableState
from bot.words import own_seal_words, receipt_words


def evidence(state: TableState, party: int) -> list[str]:
    """What lets the member check this round and the last one: each seal with their contribution to it."""
    betting = {seat.party for seat in state.bets} | {side.party for side in state.side_bets}
    in_round = state.phase is not Phase.OPEN and (state.is_banker(party) or party in betting)
    lines = [evidence_line(state, party)] if in_round else []
    last = state.last
    if last is not None and last.opening is not None and last.receipt is not None and party in last.parties:
        seed = dict(reversed(seeds_on(last.opening.sheet)))[party]
        lines.append(own_seal_words(last.round_number, seal_in(last.opening), seed))
        lines.append(receipt_words(last.round_number, last.receipt))
    return [line for line in lines if line]


def evidence_line(state: TableState, party: int) -> str:
    """The seal of the round, and what the member brings to it; empty if there is none."""
    seed = client_seed_of(state, party)
    if state.seal is None or seed is None:
        return ""
    return own_seal_words(state.round_to_deal, state.seal, seed)
