"""Checks the transfers of one command: are they exactly what the command must move?"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final, NamedTuple, Self

from bot.ledger.audit import Finding
from bot.ledger.changes import claim_key, claims_of
from bot.ledger.journal import StoredCommand, StoredTransfer
from bot.table.accounts import HANDOUTS, HOUSE, MINT, AccountKind, Move, Reason, wallet
from bot.table.state import THE_HOUSE

MAX_ID_DIGITS: Final = 20
"""The digits of the largest Discord id, which has 64 bits."""


class _Posting(NamedTuple):
    """The content of a transfer, without its number and hash."""

    source: str
    target: str
    chips: int
    reason: str
    table_id: int | None
    round_number: int | None

    @classmethod
    def of(cls, one: Move | StoredTransfer, table_id: int | None) -> Self:
        return cls(str(one.source), str(one.target), one.chips, str(one.reason), table_id, one.round_number)

    def __str__(self) -> str:
        what = "points" if self.source.startswith(AccountKind.SCORE) else "chips"
        text = f"{self.chips} {what} from {self.source} to {self.target} as {self.reason}"
        where = [] if self.table_id is None else [f"at table {self.table_id}"]
        where += [] if self.round_number is None else [f"in round {self.round_number}"]
        return " ".join([text, *where])


def table_transfer_problems(
    server_id: int, table_id: int, moves: Sequence[tuple[int, Move]], transfers: Sequence[StoredTransfer]
) -> Iterator[Finding]:
    """What is wrong with the transfers of a command at a table.

    Args:
        moves: what its events move, in order, each with the number of its event.
    """
    here = [one for one in transfers if one.server_id == server_id]
    for one in transfers:
        if one.server_id != server_id:
            what = f"transfer {one.link} was made at table {table_id}, which is in server {server_id}"
            yield Finding(one.server_id, what)
    due = [_Posting.of(move, table_id) for _, move in moves]
    stored = [_Posting.of(one, one.table_id) for one in here]
    if stored == due:
        return
    extra, missing = _unmatched(stored, due), _unmatched(due, stored)
    if not extra and not missing:
        what = f"transfers {here[0].link} to {here[-1].link} are not in the order of their events"
        yield Finding(server_id, f"{what} at table {table_id}")
    for extra_at, missing_at in zip_longest(extra, missing):
        if extra_at is None:
            what = (
                f"event {moves[missing_at][0]} of table {table_id} moves {due[missing_at]}: no transfer does"
            )
        else:
            what = f"transfer {here[extra_at].link} is of {stored[extra_at]}"
            if missing_at is None:
                what += f", but no event of table {table_id} moves that"
            else:
                what += f", but event {moves[missing_at][0]} of table {table_id} moves {due[missing_at]}"
        yield Finding(server_id, what)


def other_transfer_problems(command: StoredCommand) -> Iterator[Finding]:
    """What is wrong with the transfers of a command without a table.

    It must be exactly one transfer: a gift, a handout to a member, a change of the house's bankroll, the
    opening chips of a member or the house, once per server, or the chips of erased ones. Only erasures can
    be more.
    """
    for earlier, one in enumerate(command.transfers):
        name = f"transfer {one.link}, of {_Posting.of(one, one.table_id)},"
        if not _needs_no_table(one):
            what = f"{name} has no event of a table, and is neither opening chips nor a gift"
            yield Finding(one.server_id, what)
        elif earlier and not _is_erased(one):
            yield Finding(one.server_id, f"{name} was made by {command.key}, which already has a transfer")


def _needs_no_table(one: StoredTransfer) -> bool:
    """Whether a transfer is one of those that no table makes, under the key of its command."""
    if one.table_id is not None or one.round_number is not None:
        return False
    giver, receiver = _member_of(one.source), _member_of(one.target)
    if one.source == str(MINT) and receiver is not None:
        if one.reason == Reason.OPENING_CHIPS:
            return one.command_key == f"opening:{one.server_id}:{receiver}"
        if one.reason in HANDOUTS:
            return receiver != THE_HOUSE and _is_claim(one, receiver)
    match one.reason:
        case Reason.GIFT:
            return giver is not None and receiver is not None and giver != receiver
        case Reason.BANKROLL:
            between = {one.source, one.target} == {str(MINT), str(wallet(THE_HOUSE))}
            return between and one.command_key.startswith("bankroll:")
    return _is_erased(one)


def _is_claim(one: StoredTransfer, member: int) -> bool:
    """Whether the key is that of a handout of this kind to this member."""
    number = one.command_key.removeprefix(claims_of(one.reason, one.server_id, member))
    due = claim_key(one.reason, one.server_id, member, int(number)) if number.isdecimal() else None
    return one.command_key == due


def _is_erased(one: StoredTransfer) -> bool:
    """Whether it moves what an erased member had to the house."""
    to_house = (one.target, one.reason) == (str(HOUSE), Reason.ERASED)
    return to_house and _member_of(one.source) is not None and one.command_key.startswith("erased:")


def _member_of(account: str) -> int | None:
    """The owner of a wallet, by its account name; None for other accounts."""
    number = account.removeprefix(f"{AccountKind.WALLET}:")
    is_id = number.isdecimal() and len(number) <= MAX_ID_DIGITS
    return int(number) if is_id and str(wallet(int(number))) == account else None


def _unmatched(postings: Sequence[_Posting], others: Sequence[_Posting]) -> list[int]:
    """The positions of postings that have no equal among the others."""
    equals, positions = Counter(others), []
    for position, one in enumerate(postings):
        if equals[one]:
            equals[one] -= 1
        else:
            positions.append(position)
    return positions
