"""The parties that a transfer is indexed under: who lost and who gained chips."""

from bot.table.accounts import OF_CHIPS, Account, payer


def owner_of(account: Account) -> int | None:
    """Whose chips are in an account; None for scores, the house's own and the mint's."""
    return payer(account.party) if account.kind in OF_CHIPS and account.party is not None else None


def owner_by_name(account: str) -> int | None:
    """The same for an account's stored name; None also if no account can have that name."""
    kind, _, ids = account.partition(":")
    party = ids.rpartition(":")[2]
    return payer(int(party)) if kind in OF_CHIPS and party.isdecimal() else None


def loser_and_gainer(source: int | None, target: int | None) -> tuple[int | None, int | None]:
    """The parties that have fewer and more chips after a transfer between accounts of these owners.

    Both are None if a member's chips only move between their own accounts.
    """
    return (None, None) if source == target else (source, target)
