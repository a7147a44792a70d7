"""Everything that is stored about one member, as JSON values that contain nothing about anybody else."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final

from bot.croupier.house_changes import altered_json, parse_altered
from bot.ledger.changes import Identity
from bot.ledger.queries import Queries

EVERY_ENTRY: Final = 1 << 31
"""More entries than anybody has."""
_ROLES: Final = ("party", "banker", "opener", "backed", "asked_by")
"""Where an event names a party."""


async def own_data(ledger: Queries, identities: list[Identity]) -> dict[str, Any]:
    """What is stored about a user.

    Ids are strings, since many programs round such long numbers. Times are in UTC.

    Args:
        ledger: the ledger.
        identities: the user in each server that is wanted, at least one.

    Raises:
        LedgerUnavailable: the storage cannot be read.
    """
    user_id = identities[0].user_id
    direct = await ledger.direct_channel(user_id)
    return {
        "user_id": str(user_id),
        "direct_messages": None
        if direct is None
        else {
            "channel_id": None if direct.channel_id is None else str(direct.channel_id),
            "closed_since": None if direct.closed_since is None else _time(direct.closed_since),
        },
        "servers": [await _in_server(ledger, identity) for identity in identities],
    }


async def _in_server(ledger: Queries, identity: Identity) -> dict[str, Any]:
    server_id, party = identity.server_id, identity.party
    purse = await ledger.purse(server_id, party)
    held = () if purse is None else purse.held
    return {
        "server_id": str(server_id),
        "party": str(party),
        "name": identity.name,
        "locale": identity.locale,
        "chips": 0 if purse is None else purse.wallet,
        "points": 0 if purse is None else purse.score,
        "held": [{"table": one.number, "chips": one.chips} for one in held],
        "ledger": [
            {
                "at": _time(one.at),
                "chips": one.chips,
                "reason": one.reason,
                "table": one.table_number,
                "round": one.round_number,
            }
            for one in await ledger.entries(server_id, party, EVERY_ENTRY)
        ],
        "words": [one.words for one in await ledger.words_of(party)],
        "house_changes": [
            {"at": _time(one.at), "changed": json.loads(altered_json(parse_altered(one.what)))}
            for one in await ledger.house_changes_by(server_id, party)
        ],
        "events": [
            {
                "at": _time(event.at),
                "table": number,
                "round": event.round_number,
                "kind": event.kind,
                "own": own,
            }
            for number, event in await ledger.events_naming(server_id, party)
            if (own := list(_own_parts(json.loads(event.body), party)))
        ],
    }


def _own_parts(value: Any, party: int) -> Iterator[dict[str, Any]]:
    """The parts of an event that are about a party: nobody else's hands, and no secret."""
    if isinstance(value, list):
        for part in value:
            yield from _own_parts(part, party)
    elif isinstance(value, dict):
        roles = [role for role in _ROLES if value.get(role) == party]
        if "party" in roles:
            yield {name: part for name, part in value.items() if name not in ("party", "kind", "backed")}
        elif "banker" in roles:
            yield {"role": "banker", "pieces": value["pieces"], "declared_ox": value["declared_ox"]}
        else:
            yield from ({"role": role} for role in roles)
        for part in value.values():
            yield from _own_parts(part, party)


def _time(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")
