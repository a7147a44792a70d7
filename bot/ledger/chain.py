"""The hash chain of a server: every transfer, event and change of house rules, in the order of writing.

Each of them is a *link*, numbered from 1 without gaps. Its hash is the SHA-256 of the hash of the link before
and of the link's lines, which docs/STORAGE.md describes. The hash of the last link is the *head*: who knows
it knows everything before it.
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
HouseHasher = Callable[[bytes, int, int, int, str, str], bytes]
"""Hash before, link, number, party, what, house: the hash of a change of house rules."""


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


def house_hasher(server_id: int, at: float, command_key: str) -> HouseHasher:
    """Hashes the changes of house rules of one command."""
    start, end = f"house\n{server_id}\n", f"\n{at!r}\n{len(command_key)}:{command_key}\n"

    def hashed(previous: bytes, link: int, number: int, party: int, what: str, house: str) -> bytes:
        text = f"{start}{link}\n{number}\n{party}{end}{len(what)}:{what}\n{house}"
        return sha256(previous + text.encode()).digest()

    return hashed
