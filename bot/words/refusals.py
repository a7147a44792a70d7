"""The sentence for each reason to say no."""

from bot.table.refusals import Refused
from bot.words.translation import translate


def refusal(refused: Refused) -> str:
    """What is wrong and what would be right, in one sentence of Discord markdown for whoever asked."""
    return translate(f"refusal.{refused.code.value}", **refused.facts)
