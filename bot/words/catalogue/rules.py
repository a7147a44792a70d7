"""Messages that tell how the games go."""

from typing import Final

from bot.words.catalogue.message import Message

RULES: Final = {
    "rules.points_of_cards": Message(
        "An ace counts as 1, 2 to 9 count as their number, and 10, J, Q and K count as 10."
    ),
    "rules.better": Message("The better hand wins the bet × its multiple."),
    "rules.held": Message(
        "Until your bet is settled, its size is held: the most you can lose.",
        "Until your bet is settled, {most:number} × its size is held: the most you can lose.",
        "most",
    ),
    "rules.points": Message(
        "No chips are bet: the loser gives the winner the points that the winner's hand is worth, "
        "and a score can go below zero."
    ),
    "rules.hand": Message("{place}. **{name}** ×{multiple}: {what}"),
    "rules.hand_points": Message(
        "{place}. **{name}**, {multiple:number} point: {what}",
        "{place}. **{name}**, {multiple:number} points: {what}",
        "multiple",
    ),
    "rules.loses": Message("{place}. **{name}**: {what}; it wins nothing"),
    "rules.knob": Message("- **{setting}** · {what}"),
}
