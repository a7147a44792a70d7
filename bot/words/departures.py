"""What a board says of who is no longer at its table, without having asked to go."""

from bot.table.state import ROUNDS_MISSED_IN_A_ROW, Departure
from bot.words.speech import translate


def departure_words(departure: Departure, who: str) -> str:
    """Who is gone, and why, in one sentence of Discord markdown.

    Args:
        departure: one of a table's `departures`.
        who: the member as the sentence shows him, such as a mention; it is put in as it is.

    Raises:
        KeyError: where nobody goes from that place for that reason.
    """
    place = "bank" if departure.was_banker else "seat"
    return translate(
        f"departure.{place}_{departure.leave_reason.value}", who=who, rounds=ROUNDS_MISSED_IN_A_ROW
    )
