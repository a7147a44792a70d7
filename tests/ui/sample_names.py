"""Names for views without a ledger: the Discord id of every party is the party itself."""

from bot.croupier.identities import Identities
from bot.ledger.changes import Identity
from bot.ui.readers import Names


class _Everybody(Identities):
    """Knows every party."""

    def __init__(self, name: str) -> None:
        self._name = name

    def get(self, party: int) -> Identity | None:
        """A member whose Discord id is the party."""
        return Identity(party, 1, party, self._name, "en-US")


def names(name: str) -> Names:
    """Names by which everybody is called the same."""
    return Names(_Everybody(name))


def mention(party: int) -> str:
    """How such names show a party."""
    return f"<@{party}>"
