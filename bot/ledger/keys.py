"""Keys of commands that are made here, and not by Discord."""


def opening_key(server_id: int, party: int) -> str:
    """The key of the command that gives a member their opening chips, once."""
    return f"opening:{server_id}:{party}"
