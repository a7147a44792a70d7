"""What a board says of something remarkable, and of the whole evening of a closed table."""

from typing import Final

from bot.table.state import Phase, RoundResult, TableState, hand_in
from bot.table.story import Feat, Highlight, Story
from bot.ui.board.result_text import played_by, sum_of
from bot.ui.readers import Names
from bot.words.hands import hand_name
from bot.words.translation import signed, signed_points, translate

STREAK_TOLD: Final = 3
"""The shortest streak that a closed table tells of."""


def headline(result: RoundResult, highlight: Highlight, names: Names) -> str:
    """A heading, and a line about who did it: `50 × 5 = +250`."""
    played = played_by(result, highlight.party)
    assert played is not None
    hand = hand_in(result, played)
    code = f"celebrate.{highlight.feat}"
    is_bank = highlight.feat is Feat.GREAT_HAND and isinstance(played, RoundResult)
    head = translate(code, hand=hand_name(hand), times=highlight.times)
    who = translate(
        f"{code}.{'bank' if is_bank else 'who'}",
        who=names.mention(highlight.party, begins_line=True),
        gained=f"**{sum_of(result, played)}**",
        times=hand.multiple if is_bank else highlight.times,
    )
    return f"## {head.upper()}\n{who}"


def rival_line(state: TableState, story: Story, names: Names) -> str:
    """Who has beaten the banker of the round that the board shows again and again; empty if nobody has."""
    rival, shown = story.rival, state.last
    if rival is None or shown is None or story.round_number != shown.round_number:
        return ""
    if story.highlight is not None or state.phase in (Phase.DEALT, Phase.CLOSED):
        return ""
    who, banker = names.mention(rival.party, begins_line=True), names.mention(rival.banker)
    return f"-# {translate('celebrate.rival', who=who, banker=banker, times=rival.times)}"


def goodbye_lines(state: TableState, story: Story, names: Names) -> list[str]:
    """What the evening of a closed table was like; nothing before its first result."""
    if not story.rounds:
        return []
    lines = [translate("goodbye.rounds", count=story.rounds)]
    if (most := story.most_gained()) is not None:
        chips = signed_points(most[1]) if state.for_points else signed(most[1])
        lines.append(translate("goodbye.most", who=names.mention(most[0]), gained=chips))
    if story.longest is not None and story.longest[1] >= STREAK_TOLD:
        party, times = story.longest
        lines.append(translate("goodbye.streak", who=names.mention(party), times=times))
    if story.best is not None:
        best = story.best
        who, hand = names.mention(best.party), hand_name(best.hand)
        lines.append(translate("goodbye.best", who=who, hand=hand))
    return lines
