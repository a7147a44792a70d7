"""Members with names, words and rounds, and all files that may have them; shared by tests of privacy."""

from pathlib import Path

from bot.croupier.identities import User
from bot.table.commands import Leave, RevealHand, SetClientSeed

from .croupier_house import SERVER, House

ZOE = User(800_000_000_000_000_017, "Zoe Quillfeather", "de-DE")
YAN = User(800_000_000_000_000_018, "Yan Underbough", "en-US")
WORDS = "grandmother's  garden gate"


async def enter(house: House, user: User = ZOE, server_id: int = SERVER) -> int:
    """Stores a user, and opens their wallet."""
    party = await house.croupier.identities.party_of(server_id, user)
    await house.croupier.wallets.open(server_id, party)
    return party


async def play_round(house: House, player: int) -> int:
    """A round at a table with Mei as banker, with words of the player; returns the table's id."""
    table_id = await house.open_with_bank(players=(player,))
    await house.do(table_id, SetClientSeed(player, WORDS), player)
    dealt = await house.bet(table_id, player, 10)
    for party in (1, player):
        assert dealt.pieces_of(party)
        await house.do(table_id, RevealHand(party), party)
    assert house.table(table_id).last is not None
    return table_id


def bytes_beside(database: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in database.parent.iterdir() if file.is_file()}


async def leave(house: House, table_id: int, party: int) -> None:
    await house.do(table_id, Leave(party), party)
