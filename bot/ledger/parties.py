"""Who has fewer and who has more chips after a transfer: what it is filed under, to be found by his id."""

from bot.table.money import OF_CHIPS, Account


def owner_of(account: Account) -> int | None:
    """The id of the member whose chips are in an account, if anybody's; points are no chips."""
    return account.member_id if account.kind in OF_CHIPS else None


def owner_by_name(account: str) -> int | None:
    """The same, by the account's name as it is stored; None where no account is called so."""
    kind, _, ids = account.partition(":")
    member = ids.rpartition(":")[2]
    return int(member) if kind in OF_CHIPS and member.isdecimal() else None


def loser_and_gainer(source_id: int | None, target_id: int | None) -> tuple[int | None, int | None]:
    """Who has fewer and who has more chips after a transfer between accounts of these members, if anybody."""
    return (None, None) if source_id == target_id else (source_id, target_id)
