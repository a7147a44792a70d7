"""The hash chain of a server: every transfer, event and change of house rules, in the order of writing.

Each of them is a *link*, numbered from 1 without gaps. Its hash is the SHA-256 of the hash of the link before
(32 zero bytes before the first), followed by these lines in UTF-8, separated by line feeds:

- a transfer: `transfer`, server id, link, source, target, chips, reason, table id, round number, time, key
- an event: `event`, server id, link, table id, its number at the table, round number, kind, time, key, body
- a house change: `house`, server id, link, its number, party, time, key, what, house

A missing number is an empty line. A time is in seconds since the epoch, as the shortest decimal that reads
back as the same double; whole seconds end in `.0`. A key, or `what`, that is not the last line starts with
its length in Unicode code points and a colon, so that no two links have the same text.

The hash of the last link is the *head*. Who knows it knows everything before it.
"""

from collections.abc import Callable
from hashlib import sha256
from typing import Final

GENESIS: Final = bytes(32)
"""Stands for the hash before a server's first link."""


TransferHasher = Callable[[bytes, int, str, str, int, str, int | None], bytes]
"""Hash before, link, source, target, chips, reason, round number: the hash of a transfer."""
EventHasher = Callable[[bytes, int, int, int | None, str, str], bytes]
"""Hash before, link, number at the table, round number, kind, body: the hash of an event."""


def transfer_hasher(server_id: int, table_id: int | None, at: float, command_key: str) -> TransferHasher:
    """Hashes the transfers of one command: formats what they share only once."""
    start, table = f"transfer\n{server_id}\n", "" if table_id is None else str(table_id)
    end = f"\n{at!r}\n{command_key}"

    def hashed(
        previous: bytes, link: int, source: str, target: str, chips: int, reason: str, number: int | None
    ) -> bytes:
        shown = "" if number is None else number
        text = f"{start}{link}\n{source}\n{target}\n{chips}\n{reason}\n{table}\n{shown}{end}"
        return sha256(previous + text.encode()).digest()

    return hashed


def event_hasher(server_id: int, table_id: int, at: float, command_key: str) -> EventHasher:
    """Hashes the events of one command: formats what they share only once."""
    start, end = f"event\n{server_id}\n", f"\n{at!r}\n{len(command_key)}:{command_key}\n"

    def hashed(previous: bytes, link: int, sequence: int, number: int | None, kind: str, body: str) -> bytes:
        shown = "" if number is None else number
        text = f"{start}{link}\n{table_id}\n{sequence}\n{shown}\n{kind}{end}{body}"
        return sha256(previous + text.encode()).digest()

    return hashed


def transfer_hash(
    previous: bytes,
    server_id: int,
    link: int,
    source: str,
    target: str,
    chips: int,
    reason: str,
    table_id: int | None,
    round_number: int | None,
    at: float,
    command_key: str,
) -> bytes:
    """The hash of a transfer."""
    hashed = transfer_hasher(server_id, table_id, at, command_key)
    return hashed(previous, link, source, target, chips, reason, round_number)


def event_hash(
    previous: bytes,
    server_id: int,
    link: int,
    table_id: int,
    sequence: int,
    round_number: int | None,
    kind: str,
    at: float,
    command_key: str,
    body: str,
) -> bytes:
    """The hash of a table's event."""
    hashed = event_hasher(server_id, table_id, at, command_key)
    return hashed(previous, link, sequence, round_number, kind, body)


def house_hash(
    previous: bytes,
    server_id: int,
    link: int,
    number: int,
    party: int,
    at: float,
    command_key: str,
    what: str,
    house: str,
) -> bytes:
    """The hash of a change of house rules."""
    text = (
        f"house\n{server_id}\n{link}\n{number}\n{party}\n{at!r}\n"
        f"{len(command_key)}:{command_key}\n{len(what)}:{what}\n{house}"
    )
    return sha256(previous + text.encode()).digest()
