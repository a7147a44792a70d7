"""`/bank audit`: a server's chips by week, and what went between members, for admins. It judges nobody."""

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fractions import Fraction
from io import StringIO
from itertools import groupby
from typing import Final, Self

from bot.pictures.supply import WeekOfChips, supply_picture
from bot.table.accounts import OF_TOURNAMENTS, Reason
from bot.table.audit import (
    Evidence,
    GiftSeen,
    GrantSeen,
    Newcomer,
    Pair,
    Supply,
    is_beyond_chance,
    is_beyond_mistakes,
    week_start,
)
from bot.ui.components import Layout, button, file, picture, row, text
from bot.ui.ledger import harmless
from bot.ui.pictures import rendered
from bot.ui.press.custom_ids import AUDIT_WEEKS, AuditPage, Press, PressAction
from bot.ui.press.replies import whole_lines
from bot.ui.readers import Names
from bot.wire.requests import Attachment, Content
from bot.words.translation import listed, number, percentage, signed, translate, typed_command

PICTURE: Final = "chips.png"
ON_PAGE: Final = 4
"""How many pairs, or new members, are on a page."""
GRANTS_SHOWN: Final = 5
"""How many grants and takes the weeks name; the file has them all."""
SIGNS: Final = ("🟡", "🟢", "⚪", "🟠")
"""Of the parts of the picture, in its colours."""


@dataclass(frozen=True, slots=True)
class AuditShown:
    """Which page of an audit, and of how many weeks."""

    page: AuditPage = AuditPage.WEEKS
    weeks: int = 13
    part: int = 0

    @classmethod
    def of(cls, press: Press) -> Self:
        """What a button asks for."""
        page, weeks, part = press.arguments
        return cls(AuditPage(page), int(weeks), int(part))

    @property
    def press(self) -> Press:
        """What asks for it."""
        return Press(PressAction.AUDIT, arguments=(self.page, str(self.weeks), str(self.part)))


def audit_controls(shown: AuditShown, parts: int = 1) -> Layout:
    """What shows the other pages, other spans of weeks, and the parts beside this one."""
    first = replace(shown, part=0)
    pages = [
        button(replace(first, page=page).press, translate(f"audit.page.{page}"))
        for page in AuditPage
        if page is not shown.page
    ]
    spans = [
        button(replace(first, weeks=int(weeks)).press, _span(int(weeks)))
        for weeks in AUDIT_WEEKS
        if int(weeks) != shown.weeks
    ]
    turning = [
        button(replace(shown, part=part).press, f"{part * ON_PAGE + 1}–{(part + 1) * ON_PAGE}")
        for part in (shown.part - 1, shown.part + 1)
        if 0 <= part < parts
    ]
    return [row(*pages), row(*spans, *turning)]


def _title(shown: AuditShown) -> str:
    return f"## {translate(f'audit.page.{shown.page}')} · {_span(shown.weeks)}"


def _span(weeks: int) -> str:
    return translate("audit.span", weeks=weeks)


async def weeks_content(
    shown: AuditShown,
    weeks: Sequence[Supply],
    grants: Sequence[GrantSeen],
    names: Names,
    users: Mapping[int, int],
    *,
    is_counted: bool,
) -> Content:
    """Where the chips of members came from in each week, as a picture, a text and files.

    Args:
        grants: what admins gave and took in these weeks, the largest first.
        users: the members' ids of Discord's, by party; without those who were erased.
    """
    is_shorter = len(weeks) < shown.weeks
    # Before the first chips there is nothing to see.
    begun = next((at for at, one in enumerate(weeks) if one.owned or one.change), len(weeks) - 1)
    weeks, figure = weeks[begun:], number(weeks[-1].owned)
    alt = translate("audit.alt", weeks=len(weeks), now=weeks[-1].owned, then=weeks[0].owned - weeks[0].change)
    parts = [(one, _parts(one)) for one in weeks]
    png = await rendered(_drawn, ([WeekOfChips(one.owned, part) for one, part in parts], figure))
    lines = [_title(shown), translate("audit.owned", chips=weeks[-1].owned)]
    sums = [(reason, sum(one.changes[reason] for one in weeks)) for reason in weeks[0].changes]
    house = -sum(one.house for one in weeks)
    told = [f"{translate(f'reason.{reason}')} {signed(chips)}" for reason, chips in sums if chips]
    told += [f"{translate('audit.house')} {signed(house)}"] if house else []
    lines.append(translate("audit.sources", weeks=len(weeks), sources=listed(told) or signed(0)))
    gifts = sum(one.gifts for one in weeks)
    lines.append(translate("audit.gifts", chips=gifts))
    lines += _grant_lines(grants, names)
    legend = [f"{sign} {translate(f'audit.part.{at}')}" for at, sign in enumerate(SIGNS)]
    lines.append(f"-# {' · '.join(legend)}")
    for one, part in reversed(parts):
        changes = [f"{sign} {signed(chips)}" for sign, chips in zip(SIGNS, part, strict=True) if chips]
        lines.append(" · ".join([f"<t:{week_start(one.week)}:d> **{number(one.owned)}**", *changes]))
    if is_shorter:
        lines.append(f"-# {translate('audit.shorter', weeks=len(weeks))}")
    written = csv_file(
        "audit-weeks.csv",
        ["week", "owned", *weeks[0].changes, "house_gained", "gifts"],
        ([_day(one.week), one.owned, *one.changes.values(), one.house, one.gifts] for one in weeks),
    )
    tables = [written, *([_grants_file(grants, names, users)] if grants else [])]
    shown_tables = [file(table.name) for table in tables]
    layout = [picture(PICTURE, alt), text(_with_counting(lines, is_counted)), *shown_tables]
    return Content([*layout, *audit_controls(shown)], files=[Attachment(PICTURE, png, alt), *tables])


def _grant_lines(grants: Sequence[GrantSeen], names: Names) -> list[str]:
    """A line about each of the largest grants and takes, below how many there are."""
    lines = [translate("audit.grants", count=len(grants))] if grants else []
    for one in grants[:GRANTS_SHOWN]:
        code = "audit.grant" if one.chips > 0 else "audit.take"
        admin, who = _admin_name(one, names.mention), names.mention(one.party)
        told = translate(code, at=int(one.at), admin=admin, who=who, chips=abs(one.chips))
        lines.append(" · ".join([told, *([translate("gift.note", note=one.reason)] if one.reason else [])]))
    return lines


def _grants_file(grants: Sequence[GrantSeen], names: Names, users: Mapping[int, int]) -> Attachment:
    return csv_file(
        "audit-admins.csv",
        ["time", "admin", "admin_id", "member", "member_id", "chips", "reason"],
        (
            [
                datetime.fromtimestamp(one.at, UTC).isoformat(timespec="seconds"),
                *(_admin_name(one, names.name), "" if one.admin is None else users.get(one.admin, "")),
                *(names.name(one.party), users.get(one.party, "")),
                *(one.chips, one.reason or ""),
            ]
            for one in grants
        ),
    )


def _admin_name(one: GrantSeen, name: Callable[[int], str]) -> str:
    """Who gave or took; once one of the two was erased, nobody knows any more."""
    return translate("audit.some_admin") if one.admin is None else name(one.admin)


def _drawn(what: tuple[Sequence[WeekOfChips], str]) -> bytes:
    return supply_picture(*what)


def _parts(one: Supply) -> tuple[int, ...]:
    """The changes of a week in the order of the picture's parts."""
    of = one.changes
    return (
        of[Reason.OPENING_CHIPS],
        of[Reason.DAILY] + of[Reason.RELIEF],
        of[Reason.GRANTED] + of[Reason.TAKEN] + of[Reason.SEASON],
        of[Reason.ERASED] - one.house + sum(of[reason] for reason in OF_TOURNAMENTS),
    )


@dataclass(frozen=True, slots=True)
class FlowsPage:
    """Some of the pairs of an audit.

    Attributes:
        pairs: all of them, in the order in which they are shown.
        of: how many pairs of the server have bets.
        rounds: of the pairs on the page, those in which most went from one to the other.
    """

    pairs: Sequence[Pair]
    of: int
    rounds: Mapping[tuple[int, int], Sequence[Evidence]]


def in_order(pairs: Iterable[Pair], of: int) -> list[Pair]:
    """Pairs as they are shown: first those beyond chance, then by what went from one to the other."""
    turned = [pair.turned() for pair in pairs]
    return sorted(turned, key=lambda pair: (not _is_named(pair, of), -pair.moved, pair.one, pair.other))


def _is_named(pair: Pair, of: int) -> bool:
    return is_beyond_chance(pair, of) or is_beyond_mistakes(pair, of)


def flows_content(
    shown: AuditShown, page: FlowsPage, names: Names, users: Mapping[int, int], *, is_counted: bool
) -> Content:
    """What went between two members, beside what chance explains, as text and a file.

    Args:
        users: the members' ids of Discord's, by party; without those who were erased.
    """
    lines = [_title(shown), f"-# {translate('audit.flows_how', pairs=page.of)}"]
    start = shown.part * ON_PAGE
    for place, pair in enumerate(page.pairs[start : start + ON_PAGE], start + 1):
        lines += _pair_lines(place, pair, page, names)
    if not page.pairs:
        lines.append(translate("audit.nothing"))
    written = csv_file(
        "audit-members.csv",
        [
            *("from", "from_id", "to", "to_id", "chips", "rounds", "by_bets", "by_side_bets", "gifts"),
            *("beyond_expected", "standard_deviations", "chance_at_most", "mistakes_at_most"),
            *("pairs", "more_than_chance", "by_weaker_hands"),
            *("weaker_from", "hands_from", "all_weaker_from", "all_hands_from"),
            *("weaker_to", "hands_to", "all_weaker_to", "all_hands_to"),
        ],
        (_pair_cells(pair, page.of, names, users) for pair in page.pairs),
    )
    parts = -(-len(page.pairs) // ON_PAGE)
    layout = [text(_with_counting(lines, is_counted)), file(written.name)]
    return Content([*layout, *audit_controls(shown, parts)], files=[written])


def _pair_lines(place: int, pair: Pair, page: FlowsPage, names: Names) -> list[str]:
    one, other = names.mention(pair.one), names.mention(pair.other)
    lines = [translate("audit.pair", place=place, one=one, other=other, chips=pair.moved)]
    lines.append(
        translate("audit.by", bets=pair.net - pair.side, side=pair.side, gifts=pair.gifts, count=pair.rounds)
    )
    if (deviations := pair.deviations) is not None:
        tenths = percentage(Fraction(round(abs(deviations) * 10), 1000), 1)
        code = "audit.beyond" if is_beyond_chance(pair, page.of) else "audit.within"
        sign = "\N{MINUS SIGN}" if deviations < 0 else "+"
        lines.append(translate(code, ahead=round(pair.ahead), deviations=f"{sign}{tenths}"))
    for who, hands, of_all in zip((one, other), pair.hands, pair.hands_of_all, strict=True):
        if hands.weaker:
            lines.append(
                translate(
                    "audit.weaker",
                    who=who,
                    weaker=hands.weaker,
                    of=hands.arranged,
                    others=of_all.weaker - hands.weaker,
                    of_others=of_all.arranged - hands.arranged,
                )
            )
    if pair.arranged:
        lines.append(translate("audit.arranged", arranged=pair.arranged))
    if is_beyond_mistakes(pair, page.of):
        lines.append(translate("audit.mistakes"))
    return [*lines, *_rounds_line(page.rounds.get((pair.one, pair.other), ()))]


def _rounds_line(shown: Sequence[Evidence]) -> list[str]:
    """The line with rounds, if there are any."""
    rounds = [
        f"`{typed_command('round.show', table=at.table, round=at.round_number)}` {signed(at.chips)}"
        for at in shown
    ]
    return [f"-# {translate('audit.rounds', rounds=listed(rounds))}"] if rounds else []


def _pair_cells(pair: Pair, pairs: int, names: Names, users: Mapping[int, int]) -> list[object]:
    deviations = pair.deviations
    return [
        names.name(pair.one),
        users.get(pair.one, ""),
        names.name(pair.other),
        users.get(pair.other, ""),
        pair.moved,
        pair.rounds,
        pair.net - pair.side,
        pair.side,
        pair.gifts,
        round(pair.ahead, 2),
        "" if deviations is None else round(deviations, 2),
        f"{pair.by_chance:.3g}",
        f"{pair.by_mistake:.3g}",
        pairs,
        int(_is_named(pair, pairs)),
        pair.arranged,
        *(
            number
            for hands, of_all in zip(pair.hands, pair.hands_of_all, strict=True)
            for number in (hands.weaker, hands.arranged, of_all.weaker, of_all.arranged)
        ),
    ]


@dataclass(frozen=True, slots=True)
class NewcomersPage:
    """Some of the new members of an audit.

    Attributes:
        found: all of them by who got their chips, in the order in which they are shown.
        rounds: of those on the page, each with who got their chips: the rounds in which most went there.
        gifts: of the same, the largest gifts.
    """

    found: Mapping[int, Sequence[Newcomer]]
    rounds: Mapping[tuple[int, int], Sequence[Evidence]]
    gifts: Mapping[tuple[int, int], Sequence[GiftSeen]]


def newcomers_on(shown: AuditShown, found: Mapping[int, Sequence[Newcomer]]) -> list[Newcomer]:
    """The new members on a page, of all by who got their chips."""
    start = shown.part * ON_PAGE
    return [one for some in found.values() for one in some][start : start + ON_PAGE]


def newcomers_content(
    shown: AuditShown, page: NewcomersPage, names: Names, users: Mapping[int, int], *, is_counted: bool
) -> Content:
    """The new members of whose chips most went to one other, by who got them, as text and a file.

    Args:
        users: the members' ids of Discord's, by party; without those who were erased.
    """
    lines = [_title(shown), f"-# {translate('audit.new_how')}"]
    for to, some in groupby(newcomers_on(shown, page.found), key=lambda one: one.to):
        of = page.found[to]
        given = sum(one.given for one in of)
        lines.append(translate("audit.fed", who=names.mention(to), chips=given, count=len(of)))
        for one in some:
            lines += _newcomer_lines(one, page, names)
    if not page.found:
        lines.append(translate("audit.nothing"))
    everybody = [one for some in page.found.values() for one in some]
    written = csv_file(
        "audit-new-members.csv",
        ["from", "from_id", "to", "to_id", "handed", "chips", "gifts", "by_weaker_hands"],
        (
            [
                *(names.name(one.party), users.get(one.party, ""), names.name(one.to), users.get(one.to, "")),
                *(one.handed, one.given, one.gifts, one.arranged),
            ]
            for one in everybody
        ),
    )
    layout = [text(_with_counting(lines, is_counted)), file(written.name)]
    return Content([*layout, *audit_controls(shown, -(-len(everybody) // ON_PAGE))], files=[written])


def _newcomer_lines(one: Newcomer, page: NewcomersPage, names: Names) -> list[str]:
    pair = one.party, one.to
    told = translate(
        "audit.newcomer",
        who=names.mention(one.party),
        given=one.given,
        handed=one.handed,
        gifts=one.gifts,
        arranged=one.arranged,
    )
    gifts = [f"<t:{int(at)}:d> {signed(chips)}" for at, chips in page.gifts.get(pair, ())]
    dated = [f"-# {translate('audit.gifts_on', gifts=listed(gifts))}"] if gifts else []
    return [told, *dated, *_rounds_line(page.rounds.get(pair, ()))]


def _with_counting(lines: list[str], is_counted: bool) -> str:
    """The lines that fit; with one that says so if rounds are missing."""
    return whole_lines(lines if is_counted else [*lines, f"-# {translate('leaderboard.counting')}"])


def csv_file(name: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> Attachment:
    """A table as a file for spreadsheets; no text in a cell is a formula."""
    written = StringIO(newline="")
    writer = csv.writer(written)
    writer.writerows(
        [head, *([harmless(cell) if isinstance(cell, str) else cell for cell in cells] for cells in rows)]
    )
    return Attachment(name, written.getvalue().encode("utf-8-sig"))


def _day(week: int) -> str:
    """The Monday with which a week begins."""
    return datetime.fromtimestamp(week_start(week), UTC).date().isoformat()
