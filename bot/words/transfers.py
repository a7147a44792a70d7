"""What is said of chips that moved: a line of the ledger, and gifts."""

from bot.table.money import Reason
from bot.words.translation import translate


def reason_words(reason: Reason) -> str:
    """Why chips moved, in a few words that hold for whoever gave them and whoever got them."""
    return translate(f"reason.{reason.value}")


def entry_words(reason: Reason, gained: int, other_id: int | None) -> str:
    """Why a member's chips became more or fewer.

    Args:
        reason: why they moved.
        gained: what he gained, in chips; below zero where he lost.
        other_id: whom they came from or went to, if to a member.
    """
    if reason is not Reason.GIFT or other_id is None:
        return reason_words(reason)
    return translate("gift.from" if gained > 0 else "gift.to", other=other_id)


def given_words(giver_id: int, receiver_id: int, chips: int, note: str | None) -> str:
    """Who gives whom how many chips, and the words that go with them, for all to read."""
    given = translate("gift.given", giver=giver_id, receiver=receiver_id, chips=chips)
    words = "" if note is None else " ".join(note.split())
    return f"{given} {translate('gift.note', note=words)}" if words else given


def no_gift_words(code: str, **facts: int) -> str:
    """Why nothing is given, and what would be right.

    Args:
        code: why: `to_oneself`, `to_bot`, `to_stranger`, `too_large`.
        **facts: for `too_large`, how many `chips` were to be given, and how many are `free`.
    """
    return translate(f"gift.{code}", **facts)
