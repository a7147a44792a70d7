"""What a line of the ledger says of chips that moved."""

from bot.table.money import Reason
from bot.words.speech import say


def reason_words(reason: Reason) -> str:
    """Why chips moved, in a few words that hold for whoever gave them and whoever got them."""
    return say(f"reason.{reason.value}")
