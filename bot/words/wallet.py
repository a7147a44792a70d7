"""Sentences about a member's chips: the lines of their history, and gifts."""

from bot.table.accounts import Reason
from bot.words.translation import sentences, translate


def reason_words(reason: Reason) -> str:
    """Why chips moved, in a few words that fit the giver and the receiver."""
    return translate(f"reason.{reason.value}")


def entry_words(reason: Reason, gained: int, other: str | None) -> str:
    """Why a member's balance changed.

    Args:
        reason: why chips moved.
        gained: what the member gained, in chips; below zero for a loss.
        other: how the member on the other side is shown, if there is one; it goes in unescaped.
    """
    if reason is not Reason.GIFT or other is None:
        return reason_words(reason)
    return translate("gift.from" if gained > 0 else "gift.to", other=other)


def bankroll_words(total: int, free: int, wanted: int | None = None) -> str:
    """What the house banks with (B07).

    Args:
        total: all of its chips.
        free: those that are not held at tables.
        wanted: how many it was to have; None if nobody asked for another number.
    """
    held = total - free
    has = translate("bankroll.has_held" if held else "bankroll.has", chips=total, free=free, held=held)
    kept = wanted is not None and total > wanted
    return sentences([has, translate("bankroll.still_held", held=held)]) if kept else has


def given_words(giver_id: int, receiver_id: int, chips: int, note: str | None) -> str:
    """Who gives whom how many chips, with the giver's note, for everybody to read.

    Args:
        giver_id: Discord's id of the giver.
        receiver_id: Discord's id of the receiver.
        chips: how many.
        note: what the giver wrote.
    """
    given = translate("gift.given", giver=giver_id, receiver=receiver_id, chips=chips)
    words = "" if note is None else " ".join(note.split())
    return sentences([given, translate("gift.note", note=words)]) if words else given
