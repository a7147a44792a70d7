"""The texts about what was remarkable in a round, and about what the evening was like."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from bot.games.settle import largest_multiple
from bot.table.achievements import Achievement
from bot.table.state import Phase, RoundResult, TableState, hand_in, is_member
from bot.table.story import STREAK, Feat, Highlight, Story
from bot.ui.board.results import (
    ACHIEVED_SIGN,
    ALL_IN_SIGN,
    RUN_OVER_SIGN,
    STREAK_SIGN,
    celebrated,
    gained,
    played_by,
    sum_of,
)
from bot.ui.readers import Names
from bot.words.hands import hand_name
from bot.words.translation import listed, number, signed, signed_points, translate

STREAK_TOLD: Final = 3
"""The shortest streak that a closed table, or a member's own message, tells of."""
MOST_WINNERS: Final = 2
"""How many who won the same a closed table names; on a phone that is two lines."""


def headline(result: RoundResult, highlight: Highlight, names: Names) -> str:
    """A heading, and a line about who did it, of a great hand: `50 × 5 = +250`. Each fits a phone."""
    played = played_by(result, highlight.party)
    assert played is not None
    hand = hand_in(result, played)
    code = celebrated(highlight.feat, hand)
    head = translate(code, hand=hand_name(hand), times=highlight.times)
    brought, left = dict(result.gains)[highlight.party], highlight.left or 0
    risked = 0 if isinstance(played, RoundResult) else played.stake * largest_multiple(result.rules)
    chips, way, times = gained(result, brought), "who", highlight.times
    match highlight.feat:
        case Feat.GREAT_HAND:
            chips = sum_of(result, played)
            if isinstance(played, RoundResult):
                way, times = "bank", hand.multiple
        case Feat.ALL_IN:
            chips = f"{number(left - brought)} → {number(left)}"
        case Feat.ALL_IN_LOST if risked > -brought:
            # They did not lose all that they risked, and play on.
            way = "left"
    told = translate(
        # On a phone, one line has no room for both.
        "celebrate.record" if highlight.is_record else f"{code}.{way}",
        who=names.mention(highlight.party, begins_line=not highlight.is_record),
        gained=f"**{chips}**",
        times=times,
        risked=risked,
        left=left,
    )
    return f"## {head.upper()}\n{told}"


def all_in_line(state: TableState, all_in: Collection[int], names: Names) -> str:
    """Whose bet is all that they have, and what it can lose, the highest of several; empty if nobody's is.

    Args:
        all_in: who has bet all that they have.
    """
    bets = {seat.party: seat.stake or 0 for seat in state.bets if seat.party in all_in}
    if not bets:
        return ""
    boldest = max(bets, key=lambda party: bets[party])
    who, held = names.mention(boldest), bets[boldest] * largest_multiple(state.rules)
    told = f"{ALL_IN_SIGN} {translate('board.who_is_all_in', who=who, held=held)}"
    # While bets are open, a phone has no room for larger letters.
    return told if state.phase is Phase.DEALT else f"-# {told}"


def streak_that_ended(state: TableState, story: Story) -> int | None:
    """Whose long streak has ended with the round that the board shows, the longest; None without a line."""
    shown = state.last
    if shown is None or story.round_number != shown.round_number or not story.ended:
        return None
    if state.phase in (Phase.DEALT, Phase.CLOSED):
        return None
    return max(story.ended, key=lambda party: story.ended[party])


def _who_ended(result: RoundResult, party: int) -> int | None:
    """Who ended a member's streak: the banker; of a banker's, who won most; None if nobody beat them."""
    if party != result.banker:
        return result.banker if dict(result.gains)[party] < 0 else None
    best = max(result.players, key=lambda player: player.chips)
    return best.party if best.chips > 0 else None


def end_line(state: TableState, story: Story, names: Names) -> str:
    """Whose long streak has ended, and by whom; empty if none has, or the board tells something else."""
    party, shown = streak_that_ended(state, story), state.last
    if party is None or shown is None:
        return ""
    by, facts = _who_ended(shown, party), {"times": story.ended[party]}
    if by is None:
        told = translate("celebrate.run_over", who=names.mention(party, begins_line=True), **facts)
    else:
        ended_by = names.mention(by, begins_line=True)
        told = translate("celebrate.run_ended", who=names.mention(party), by=ended_by, **facts)
    return f"-# {RUN_OVER_SIGN} {told}"


def name_signs(
    state: TableState, story: Story, achieved: Sequence[tuple[int, Achievement]], *, is_headline: bool
) -> dict[int, str]:
    """What stands at names in a result, one sign each: streaks, and what no line has the room to tell.

    Args:
        is_headline: whether the board has a headline, and so no line about anything else.
    """
    last, told, signs = state.last, streak_that_ended(state, story), dict[int, str]()
    if last is None:
        return signs
    if story.round_number == last.round_number and state.phase is not Phase.CLOSED:
        signs |= dict.fromkeys(story.went_all_in(last), ALL_IN_SIGN)
        for party in (last.banker, *(player.party for player in last.players)):
            if (times := story.streaks.get(party, 0)) >= STREAK and is_member(party):
                signs[party] = f"{STREAK_SIGN}{times}"
            if party in story.ended and (is_headline or party != told):
                signs[party] = f"{RUN_OVER_SIGN}{story.ended[party]}"
    if is_headline or told is not None:
        signs |= dict.fromkeys((party for party, _ in achieved), ACHIEVED_SIGN)
    return signs


def rival_line(state: TableState, story: Story, names: Names) -> str:
    """Who has beaten the banker of the round that the board shows again and again; empty if nobody has."""
    rival, shown = story.rival, state.last
    if rival is None or shown is None or story.round_number != shown.round_number:
        return ""
    if state.phase in (Phase.DEALT, Phase.CLOSED):
        return ""
    who, banker = names.mention(rival.party, begins_line=True), names.mention(rival.banker)
    return f"-# {translate('celebrate.rival', who=who, banker=banker, times=rival.times)}"


ACHIEVED_SHOWN: Final = 3
"""How many achievements a board names; on a phone that is two lines."""
REASONS_SHOWN: Final = 2
"""Of how many achievements a panel says what they are for."""


def achieved_line(state: TableState, achieved: Sequence[tuple[int, Achievement]], names: Names) -> str:
    """Who achieved something in the round that the board shows; empty if nobody did."""
    if not achieved or state.phase is Phase.DEALT:
        return ""
    if len(achieved) == 1:
        ((party, one),) = achieved
        reached = translate(f"achievement.{one}"), translate(f"achievement.{one}.what")
        return f"-# {ACHIEVED_SIGN} {names.mention(party, begins_line=True)}: {' · '.join(reached)}"
    shown = achieved[:ACHIEVED_SHOWN]
    told = [
        f"{names.mention(party, begins_line=not place)}: "
        + listed(translate(f"achievement.{one}") for who, one in shown if who == party)
        for place, party in enumerate(dict(shown))
    ]
    if rest := len(achieved) - len(shown):
        told.append(translate("reply.more_lines", count=rest))
    return f"-# {ACHIEVED_SIGN} {' · '.join(told)}"


def own_streak_lines(
    result: RoundResult, names: Names, party: int, story: Story, feat: Feat | None = None
) -> Iterator[str]:
    """How many rounds in a row a member has won with this one, from `STREAK_TOLD` on; and streaks that end.

    Args:
        feat: what a heading celebrates, which may be the streak.
    """
    if story.round_number != result.round_number or played_by(result, party) is None:
        return
    times = story.streaks.get(party, 0)
    if times >= STREAK_TOLD and feat is not Feat.STREAK:
        told = translate("celebrate.streak", times=times)
        yield f"**{told}**" if times >= STREAK else f"-# {told}"
    if party in story.ended:
        yield f"{RUN_OVER_SIGN} {translate('panel.run_ended', times=story.ended[party])}"
    for other, ended in story.ended.items():
        if _who_ended(result, other) == party:
            told = translate("panel.you_ended", who=names.mention(other), times=ended)
            yield f"{RUN_OVER_SIGN} {told}"


def own_achieved_lines(achieved: Sequence[Achievement]) -> Iterator[str]:
    """What a member achieved in a round, for their own message, and what each is for where there is room."""
    names = [translate(f"achievement.{one}") for one in achieved]
    if len(achieved) > REASONS_SHOWN:
        yield f"{ACHIEVED_SIGN} {' · '.join(names)}"
        return
    told = [
        f"{ACHIEVED_SIGN} {name} · {translate(f'achievement.{one}.what')}"
        for one, name in zip(achieved, names, strict=True)
    ]
    if told:
        # Two are side by side on a desktop, where panels have little height.
        yield f"{'-# ' if len(told) > 1 else ''}{' | '.join(told)}"


def goodbye_lines(state: TableState, story: Story, names: Names, headlined: Highlight | None) -> list[str]:
    """What the evening of a closed table was like; nothing before its first result.

    Args:
        headlined: what the board's headline tells of.
    """
    if not story.rounds:
        return []
    code = "goodbye.rounds_and_called_off" if story.called_off else "goodbye.rounds"
    lines = [translate(code, count=story.rounds, called_off=story.called_off)]
    last, highlight = state.last, story.highlight if headlined is None else None
    if last is not None and highlight is not None and highlight.feat is Feat.BANK_BROKEN:
        who, chips = names.mention(highlight.party), gained(last, last.bank_chips)
        lines.append(translate("goodbye.bust", who=who, gained=chips))
    amount = signed_points if state.for_points else signed
    winners, most = story.most_gained()
    # Of more, nobody stands out.
    if 0 < len(winners) <= MOST_WINNERS:
        who = listed(map(names.mention, winners))
        lines.append(translate("goodbye.most", who=who, gained=amount(most)))
    if (win := story.big_win) is not None:
        # A phone has no room for a streak too, which is the smaller thing.
        lines.append(translate("goodbye.biggest", who=names.mention(win.party), gained=amount(win.chips)))
    elif story.longest is not None and story.longest[1] >= STREAK_TOLD:
        party, times = story.longest
        lines.append(translate("goodbye.streak", who=names.mention(party), times=times))
    if headlined is None and len(winners) < MOST_WINNERS and (unlucky := story.unlucky) is not None:
        # Below a headline, or a second line of winners, a phone has no room for it.
        who, hand, beaten_by = (
            names.mention(unlucky.party),
            hand_name(unlucky.hand),
            hand_name(unlucky.beaten_by),
        )
        lines.append(translate("goodbye.unlucky", who=who, hand=hand, beaten_by=beaten_by))
    if story.best is not None:
        best = story.best
        who, hand = names.mention(best.party), hand_name(best.hand)
        lines.append(translate("goodbye.best", who=who, hand=hand))
    return lines
