"""What the ledger moved, against what should have moved: the transfers of one command, gone through."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final, Self

from bot.ledger.audit import Finding
from bot.ledger.journal import Deed, StoredTransfer
from bot.table.money import MINT, AccountKind, Move, Reason, wallet

LONGEST_ID: Final = 20
"""So many digits the ids of Discord have at most: they are of 64 bits."""


@dataclass(frozen=True, slots=True)
class _Posting:
    """What a transfer says of itself, and what a move makes one say."""

    source: str
    target: str
    chips: int
    reason: str
    table_id: int | None
    round_number: int | None

    @classmethod
    def of_move(cls, move: Move, table_id: int) -> Self:
        return cls(
            str(move.source), str(move.target), move.chips, move.reason.value, table_id, move.round_number
        )

    @classmethod
    def of_transfer(cls, one: StoredTransfer) -> Self:
        return cls(one.source, one.target, one.chips, one.reason, one.table_id, one.round_number)

    def __str__(self) -> str:
        what = "points" if self.source.startswith(AccountKind.SCORE) else "chips"
        said = f"{self.chips} {what} from {self.source} to {self.target} as {self.reason}"
        where = [] if self.table_id is None else [f"at table {self.table_id}"]
        where += [] if self.round_number is None else [f"in round {self.round_number}"]
        return " ".join([said, *where])


def wrong_at_table(
    server_id: int, table_id: int, moves: Sequence[tuple[int, Move]], transfers: Sequence[StoredTransfer]
) -> Iterator[Finding]:
    """What is wrong with the transfers of a command that was done at a table.

    Args:
        server_id: the server of the table.
        table_id: the table.
        moves: what its events move, in order, each with the number of its event.
        transfers: what is stored as moved, in order.
    """
    here = [one for one in transfers if one.server_id == server_id]
    for one in transfers:
        if one.server_id != server_id:
            what = f"transfer {one.sequence} was made at table {table_id}, which is of server {server_id}"
            yield Finding(one.server_id, what)
    due = [_Posting.of_move(move, table_id) for _, move in moves]
    made = [_Posting.of_transfer(one) for one in here]
    if made == due:
        return
    extra, missing = _beside(made, due), _beside(due, made)
    if not extra and not missing:
        what = f"transfers {here[0].sequence} to {here[-1].sequence} are not in the order of the events"
        yield Finding(server_id, f"{what} of table {table_id} that they follow from")
    for one_more, one_less in zip_longest(extra, missing):
        if one_more is None:
            what = f"event {moves[one_less][0]} of table {table_id} moves {due[one_less]}: no transfer does"
        else:
            what = f"transfer {here[one_more].sequence} is of {made[one_more]}"
            if one_less is None:
                what += f", but no event of table {table_id} moves that"
            else:
                what += f", but event {moves[one_less][0]} of table {table_id} moves {due[one_less]}"
        yield Finding(server_id, what)


def wrong_at_no_table(deed: Deed) -> Iterator[Finding]:
    """What is wrong with the transfers of a command that was done at no table.

    It opened a wallet, once for each member of a server, or made a gift: by one transfer, either way.
    """
    for before, one in enumerate(deed.transfers):
        posting = _Posting.of_transfer(one)
        name = f"transfer {one.sequence}, of {posting},"
        if not (_is_opening(posting, one) or _is_gift(posting)):
            what = f"{name} follows from no event of a table, and is neither opening chips nor a gift"
            yield Finding(one.server_id, what)
        elif before:
            yield Finding(one.server_id, f"{name} was made by {deed.key}, which had moved its chips already")


def _is_opening(posting: _Posting, one: StoredTransfer) -> bool:
    member = _member_of(posting.target)
    return (
        member is not None
        and one.command_key == f"opening:{one.server_id}:{member}"
        and posting == _Posting(str(MINT), posting.target, one.chips, Reason.OPENING_CHIPS.value, None, None)
    )


def _is_gift(posting: _Posting) -> bool:
    giver, receiver = _member_of(posting.source), _member_of(posting.target)
    given = (posting.reason, posting.table_id, posting.round_number) == (Reason.GIFT.value, None, None)
    return given and giver is not None and receiver is not None and giver != receiver


def _member_of(account: str) -> int | None:
    """Whose wallet an account is, by its name; None where it is none."""
    number = account.removeprefix(f"{AccountKind.WALLET}:")
    is_id = number.isdecimal() and len(number) <= LONGEST_ID
    return int(number) if is_id and str(wallet(int(number))) == account else None


def _beside(ones: Sequence[_Posting], others: Sequence[_Posting]) -> list[int]:
    """The places of those that have no equal among the others."""
    equals, places = Counter(others), []
    for place, one in enumerate(ones):
        if equals[one]:
            equals[one] -= 1
        else:
            places.append(place)
    return places
