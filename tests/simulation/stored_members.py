"""Reads what the database says about members at one instant, while no task of the loop gets its turn."""

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from bot.ledger.changes import Identity
from bot.ledger.sqlite.connections import reading_connection
from bot.ledger.sqlite.erasure_notes import noted_erasures
from tests.simulation.discord_model import Member
from tests.simulation.marks import Marks, marks_in


@dataclass(frozen=True, slots=True)
class StoredMembers:
    """What is stored.

    Attributes:
        members: who each party is.
        words: the words of all members.
        free: the chips in each wallet that has some, by party.
        held: the chips that are held for bets, by party.
        noted: the parties that are noted as erased, beside the database.
    """

    members: dict[int, Identity]
    words: frozenset[str]
    free: dict[int, int]
    held: dict[int, int]
    noted: frozenset[int]

    @property
    def marks(self) -> Marks:
        """What may be found of members in the files."""
        members = self.members.values()
        return Marks(
            frozenset(one.name for one in members), self.words, frozenset(one.user_id for one in members)
        )

    def owner_of(self, party: int) -> Member | None:
        """The member behind a party; None if they are not stored."""
        identity = self.members.get(party)
        return None if identity is None else (identity.server_id, identity.user_id)

    def party_of(self, member: Member) -> int | None:
        """The party of a member; None if they are not stored."""
        return next((party for party in self.members if self.owner_of(party) == member), None)


def stored_members(database: Path) -> StoredMembers:
    """What is stored now."""
    with closing(reading_connection(database)) as connection:
        members = [Identity(*row) for row in connection.execute("SELECT * FROM parties")]
        words = frozenset(words for (words,) in connection.execute("SELECT words FROM seed_words"))
        chips = "SELECT party, sum(balance) FROM accounts WHERE kind = ? AND balance <> 0 GROUP BY party"
        free, held = (dict(connection.execute(chips, (kind,)).fetchall()) for kind in ("wallet", "hold"))
    noted = frozenset(noted_erasures(database))
    return StoredMembers({one.party: one for one in members}, words, free, held, noted)


def marks_on_disk(database: Path) -> dict[str, Marks]:
    """What the bytes of each file of the database say about members, by the file's name."""
    files = sorted(database.parent.glob(f"{database.name}*"))
    return {file.name: marks_in(file.read_bytes()) for file in files}


def chips_moved(database: Path, reason: str) -> list[tuple[int, int]]:
    """Each move for this reason from or to a wallet: its party, and the chips."""
    query = "SELECT source, target, chips FROM transfers WHERE reason = ? ORDER BY server_id, link"
    with closing(reading_connection(database)) as connection:
        moves = connection.execute(query, (reason,)).fetchall()
    wallets = [(source if source.startswith("wallet:") else target, chips) for source, target, chips in moves]
    return [(int(wallet.removeprefix("wallet:")), chips) for wallet, chips in wallets]
