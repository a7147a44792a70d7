"""The hash chain over a server's transfers: what was written once cannot be changed unseen.

The hash of a transfer is the SHA-256, in lower-case hexadecimal, of these, in UTF-8 and parted by line feeds:
the hash of the server's transfer before it (64 zeros before the first), the server's id, the sequence number,
source, target, chips, reason, table id, round number (both empty where there is none), the time in seconds
since the epoch as the shortest decimal that reads back as the same double, and the command's key. The key
comes last: it is the only text that could hold a line feed, so no two transfers have the same text.
"""

from collections.abc import Callable
from hashlib import sha256
from typing import Final

GENESIS: Final = "0" * 64
"""What stands for the hash before a server's first transfer."""

Hasher = Callable[[str, int, str, str, int, str, int | None], str]
"""Previous hash, sequence number, source, target, chips, reason, round number: the hash of one transfer."""


def transfer_hasher(server_id: int, table_id: int | None, at: float, command_key: str) -> Hasher:
    """The hashes of one command's transfers: what they all have in common is written out once."""
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
    """The hash of one transfer, as said above."""
    hashed = transfer_hasher(server_id, table_id, at, command_key)
    return hashed(previous_hash, sequence, source, target, chips, reason, round_number)
