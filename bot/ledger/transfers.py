"""What follows from a transfer: its hash in the server's chain, and the members it is indexed under.

A transfer's hash is the lower-case hexadecimal SHA-256 of these values in UTF-8, separated by line feeds:
the hash of the server's previous transfer (64 zeros before the first), the server's id, the sequence number,
source, target, chips, reason, table id, round number (both empty if there is none), the time in seconds since
the epoch as the shortest decimal that reads back as the same double, and the command's key. The key comes
last: it is the only text that could contain a line feed, so no two transfers have the same text.
"""

from collections.abc import Callable
from hashlib import sha256
from typing import Final

from bot.table.accounts import OF_CHIPS, Account

GENESIS: Final = "0" * 64
"""Stands for the previous hash before a server's first transfer."""

Hasher = Callable[[str, int, str, str, int, str, int | None], str]
"""Previous hash, sequence number, source, target, chips, reason, round number: the hash of one transfer."""


def transfer_hasher(server_id: int, table_id: int | None, at: float, command_key: str) -> Hasher:
    """A function that hashes the transfers of one command: formats their common parts only once."""
    server, table = str(server_id), "" if table_id is None else str(table_id)
    end = f"{at!r}\n{command_key}"

    def hashed(
        previous: str, sequence: int, source: str, target: str, chips: int, reason: str, number: int | None
    ) -> str:
        text = (
            f"{previous}\n{server}\n{sequence}\n{source}\n{target}\n{chips}\n{reason}\n"
            f"{table}\n{'' if number is None else number}\n{end}"
        )
        return sha256(text.encode()).hexdigest()

    return hashed


def transfer_hash(
    previous_hash: str,
    server_id: int,
    sequence: int,
    source: str,
    target: str,
    chips: int,
    reason: str,
    table_id: int | None,
    round_number: int | None,
    at: float,
    command_key: str,
) -> str:
    """The hash of one transfer, as the module describes it."""
    hashed = transfer_hasher(server_id, table_id, at, command_key)
    return hashed(previous_hash, sequence, source, target, chips, reason, round_number)


def owner_of(account: Account) -> int | None:
    """The member who owns the chips in an account; None for scores, the house and the mint."""
    return account.member_id if account.kind in OF_CHIPS else None


def owner_by_name(account: str) -> int | None:
    """The same for an account's stored name; None also if no account can have that name."""
    kind, _, ids = account.partition(":")
    member = ids.rpartition(":")[2]
    return int(member) if kind in OF_CHIPS and member.isdecimal() else None


def loser_and_gainer(source_id: int | None, target_id: int | None) -> tuple[int | None, int | None]:
    """The members who have fewer and more chips after a transfer between accounts of these owners.

    Both are None if a member's chips only move between their own accounts.
    """
    return (None, None) if source_id == target_id else (source_id, target_id)
