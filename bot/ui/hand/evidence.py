"""What members hold of a round's shuffle, so that they can check it: codes, and what these are."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.rules.shuffle import ticket_of
from bot.table.round_record import client_seed_of, seal_in, seeds_on
from bot.table.state import Phase, RoundResult, TableState
from bot.words.translation import translate


@dataclass(frozen=True, slots=True)
class Evidence:
    """What lets a member check a round: its seal, their contribution, and once it is settled the receipt."""

    round_number: int
    seal: str
    client_seed: str
    receipt: str | None = None

    @property
    def line(self) -> str:
        """The one code that binds the bot at this moment, for small print; a phone has room for no second.

        The receipt is of the whole round, with the seal and the contribution.
        """
        if self.receipt is not None:
            return translate("board.receipt", round=self.round_number, receipt=self.receipt)
        return self.ticket

    @property
    def ticket(self) -> str:
        """The code for seal and contribution."""
        return translate(
            "proof.ticket", round=self.round_number, ticket=ticket_of(self.seal, self.client_seed)
        )


def explained_codes(held: Sequence[Evidence]) -> list[str]:
    """What each kind of code is, with the codes of these rounds below it; a phone fits each on one line."""
    codes = {
        "seal": [(one.round_number, one.seal) for one in held],
        "own": [(one.round_number, one.client_seed) for one in held],
        "ticket": [(one.round_number, ticket_of(one.seal, one.client_seed)) for one in held],
        "receipt": [(one.round_number, one.receipt) for one in held if one.receipt is not None],
    }
    lines = []
    for kind, of_rounds in codes.items():
        if of_rounds:
            lines.append(translate(f"proof.what.{kind}"))
        lines += [f"-# {translate('table.round', round=number)} `{code}`" for number, code in of_rounds]
    return lines


def evidence(state: TableState, party: int) -> list[Evidence]:
    """What the member holds of this round, and of the last one."""
    return [*_evidence_of_this(state, party), *evidence_of_last(state, party)]


def has_evidence(state: TableState, party: int) -> bool:
    """Whether the member holds any."""
    was_in_last = state.last is not None and party in state.last.parties
    return was_in_last or bool(_evidence_of_this(state, party))


def _evidence_of_this(state: TableState, party: int) -> list[Evidence]:
    """What the member holds of the round that is on; nothing if they are not in it."""
    betting = {seat.party for seat in state.bets} | {side.party for side in state.side_bets}
    in_round = state.phase is not Phase.OPEN and (state.is_banker(party) or party in betting)
    seed = client_seed_of(state, party) if in_round else None
    return [] if seed is None else [Evidence(state.round_to_deal, state.seal, seed)]


def evidence_line(state: TableState, party: int) -> list[str]:
    """The code of one round, for small print: of the one that the member plays, else of their last.

    Between rounds the banker has both, and sees the receipt of the last one.
    """
    if state.is_banker(party) and state.phase is not Phase.DEALT:
        held = evidence_of_last(state, party) or _evidence_of_this(state, party)
    else:
        held = _evidence_of_this(state, party) or evidence_of_last(state, party)
    return [one.line for one in held]


def evidence_of_last(state: TableState, party: int) -> list[Evidence]:
    """What the member holds of the last round; nothing if they were not in it."""
    return [] if state.last is None else evidence_of(state.last, party)


def evidence_of(settled: RoundResult, party: int) -> list[Evidence]:
    """What the member holds of a settled round; nothing if they were not in it."""
    if party not in settled.parties:
        return []
    seed = dict(reversed(seeds_on(settled.opening.sheet)))[party]
    return [Evidence(settled.round_number, seal_in(settled.opening), seed, settled.receipt)]
