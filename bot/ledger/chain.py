"""The hash chain over a server's transfers: what was written once cannot be changed unseen.

The hash of a transfer is the SHA-256, in lower-case hexadecimal, of these, in UTF-8 and parted by line feeds:
the hash of the server's transfer before it (64 zeros before the first), the server's id, the sequence number,
source, target, chips, reason, table id, round number (both empty where there is none), the time in seconds
since the epoch as the shortest decimal that reads back as the same double, and the command's key. The key
comes last: it is the only text that could hold a line feed, so no two transfers have the same text.
"""

from hashlib import sha256
from typing import Final

GENESIS: Final = "0" * 64
"""What stands for the hash before a server's first transfer."""


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
    text = (
        f"{previous_hash}\n{server_id}\n{sequence}\n{source}\n{target}\n{chips}\n{reason}\n"
        f"{'' if table_id is None else table_id}\n{'' if round_number is None else round_number}\n"
        f"{at!r}\n{command_key}"
    )
    return sha256(text.encode()).hexdigest()
