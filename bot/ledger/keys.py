"""Keys of commands that are made here, and not by Discord."""


def claim_key(kind: str, server_id: int, party: int, number: int) -> str:
    """The key of the command that gives a member free chips of a kind for this time, from 1.

    These keys sort by their numbers.
    """
    return f"{claims_of(kind, server_id, party)}{number:06}"


def claims_of(kind: str, server_id: int, party: int) -> str:
    """What the keys of a member's claims of a kind begin with."""
    return f"{kind}:{server_id}:{party}:"


def opening_key(server_id: int, party: int) -> str:
    """The key of the command that gives a member their opening chips, once."""
    return f"opening:{server_id}:{party}"
