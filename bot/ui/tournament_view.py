"""What is said of a tournament: on its board, at its tables, and when it is over."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Final

import discord

from bot.croupier.tournaments import THREAD_SECONDS
from bot.table.state import ROUNDS_AWAY, Contender, Phase, TableState
from bot.table.tournament import Group, Progress, Tournament, ranked
from bot.ui.components import Component, Layout, box, button, link_to, row, text
from bot.ui.press.custom_ids import Press, PressAction
from bot.ui.press.errors import MemberError
from bot.ui.readers import Names
from bot.words.rules import game_title
from bot.words.tables import heat_name
from bot.words.translation import listed, translate

ACCENT: Final = 0xF6BE3E
THREAD_MINUTES: Final = int(THREAD_SECONDS // 60)
STARTED: Final = "%Y-%m-%d %H:%M UTC"
"""How the name of a thread says when its tournament started: no name is shown in the reader's time."""


def tournament_view(
    one: Tournament, tables: Mapping[int, TableState], names: Names, *, with_buttons: bool = True
) -> Layout:
    """The board of a tournament.

    Args:
        tables: those of its stage, by their ids.
    """
    lines = [tournament_title(one)]
    buttons: list[Component] = []
    match one.progress:
        case Progress.ENTERING:
            lines += _before(one, names)
            buttons = [
                _button(one, PressAction.ENTER, discord.ButtonStyle.success),
                _button(one, PressAction.WITHDRAW_ENTRY),
                *([_button(one, PressAction.START_EARLY)] if one.has_enough else []),
                _button(one, PressAction.CALL_OFF),
            ]
        case Progress.PLAYING:
            lines += _standings(one, tables, names)
            buttons = [_button(one, PressAction.CALL_OFF)]
        case Progress.OVER:
            lines += [translate("tournament.over"), *result_lines(one, names)]
        case Progress.CANCELLED:
            lines.append(cancelled_words(one))
    return [box([text("\n".join(lines))], ACCENT), *([row(*buttons)] if buttons and with_buttons else [])]


def tournament_title(one: Tournament) -> str:
    """What stands above everything that is said of it."""
    return f"### {translate('tournament.title', game=game_title(one.game))}"


def tournament_line(one: Tournament) -> str:
    """Which tournament it is, how far it has come, and where its board is."""
    parts = [translate("tournament.title", game=game_title(one.game)), stage_words(one)]
    return " · ".join([*parts, link_to(one.server_id, one.channel_id, one.message_id)])


def stage_words(one: Tournament) -> str:
    """How far a tournament has come that is not over."""
    if one.progress is Progress.ENTERING:
        return translate("tournament.entry", entry=one.entry, at=int(one.starts_at))
    code = "tournament.final" if one.is_final else "tournament.stage"
    return translate(code, stage=one.stage, players=one.players, count=one.going_on)


def _before(one: Tournament, names: Names) -> list[str]:
    """What a member should know before they enter, and who has entered."""
    limits = {"lowest": one.rules.lowest_stake, "highest": one.rules.highest_stake}
    who, computers = translate("tournament.nobody"), one.rules.computer_players
    if one.entrants:
        who = translate("tournament.entered", count=len(one.entrants), who=named(one.entrants, names))
    return [
        stage_words(one),
        f"-# {translate('tournament.how', chips=one.chips, rounds=one.rounds, **limits)}",
        f"-# {translate('tournament.ties', rounds=ROUNDS_AWAY)}",
        f"-# {translate('tournament.prizes')}",
        *([f"-# {translate('tournament.computers', count=computers)}"] if computers else []),
        *([translate("tournament.pot", pot=one.pot)] if one.pot else []),
        who,
    ]


def _standings(one: Tournament, tables: Mapping[int, TableState], names: Names) -> list[str]:
    """The tables of a stage, who has how many chips there, and where the line is below which they are out."""
    lines = [stage_words(one), translate("tournament.pot", pot=one.pot)]
    table_of: dict[int, int] = {}
    chips: list[Contender] = []
    for number, group in enumerate(one.groups, 1):
        state = tables.get(group.table_id or 0)
        lines.append(_table_line(one, number, state))
        there = one.heat(number - 1) if state is None else state.heat
        assert there is not None
        chips += there.contenders
        table_of |= dict.fromkeys(group.parties, number)
    for place, player in enumerate(ranked(one, chips), 1):
        code = "tournament.has" if one.is_final else "tournament.has_at"
        facts = {"place": place, "chips": player.chips, "table": table_of[player.party]}
        lines.append(translate(code, who=names.mention(player.party), **facts))
        if place == one.going_on and place < len(chips):
            lines.append(f"-# {translate('tournament.line')}")
    if gone := table_of.keys() - {player.party for player in chips}:
        who = named((party for party in one.entrants if party in gone), names)
        lines.append(f"-# {translate('tournament.out', who=who)}")
    lines.append(f"-# {translate('tournament.ties', rounds=ROUNDS_AWAY)}")
    return lines


def _table_line(one: Tournament, number: int, state: TableState | None) -> str:
    if state is None:
        return translate("tournament.no_table", number=number)
    code = "tournament.table_over" if state.phase is Phase.CLOSED else "tournament.at_table"
    return translate(code, table=state.channel_id, round=state.round_number, rounds=one.rounds)


def result_lines(over: Tournament, names: Names) -> list[str]:
    """Who was at the last table, the first at the top, with their chips there and what they win."""
    lines = []
    for place, player in enumerate(over.ranking, 1):
        who = names.mention(player.party)
        if place <= len(over.prizes) and (prize := over.prizes[place - 1]):
            facts = {"place": place, "prize": prize, "left": player.chips}
            lines.append(translate("tournament.winner", who=who, **facts))
        else:
            lines.append(translate("tournament.placed", place=place, who=who, left=player.chips))
    return lines or [translate("tournament.no_winner")]


def thread_name(one: Tournament, number: int) -> str:
    """What the thread of a table is called; when it started tells it from those of other tournaments."""
    return f"{heat_name(one.heat(number), one.game)} · {datetime.fromtimestamp(one.starts_at, UTC):{STARTED}}"


def ended_words(one: Tournament, ended: Group, names: Names) -> str:
    """What is posted at a table that is over: who of its players goes on, and where, or why nobody does."""
    if one.progress is Progress.CANCELLED:
        return cancelled_words(one)
    if one.progress is Progress.OVER:
        return "\n".join([translate("tournament.over"), *result_lines(one, names)])
    where = {party: group.table_id for group in one.groups for party in group.parties}
    lines = [translate("tournament.stage_over", stage=one.stage - 1, count=one.players)]
    for place, player in enumerate(one.ranking, 1):
        if player.party in ended.parties:
            facts = {"place": place, "chips": player.chips, "table": where.get(player.party) or 0}
            code = "tournament.goes_on" if player.party in where else "tournament.goes_out"
            lines.append(translate(code, who=names.mention(player.party), **facts))
    left = {player.party for player in one.ranking}
    if gone := [party for party in ended.parties if party not in left]:
        lines.append(f"-# {translate('tournament.out', who=named(gone, names))}")
    return "\n".join(lines)


def cancelled_words(one: Tournament) -> str:
    """Why a tournament was cancelled, and that the entries went back."""
    return translate(_cancelled_code(one), minutes=THREAD_MINUTES)


def not_running(one: Tournament) -> MemberError:
    """What is said to who presses something of a tournament that is over or cancelled."""
    if one.progress is Progress.OVER:
        return MemberError("tournament.over")
    return MemberError(_cancelled_code(one), minutes=THREAD_MINUTES)


def _cancelled_code(one: Tournament) -> str:
    return f"tournament.cancelled.{one.cancel_reason}"


def named(parties: Iterable[int], names: Names) -> str:
    """Members as one text."""
    return listed([names.mention(party) for party in parties])


def _button(
    one: Tournament, action: PressAction, style: discord.ButtonStyle = discord.ButtonStyle.secondary
) -> Component:
    press = Press(action, arguments=(str(one.tournament_id),))
    return button(press, translate(f"button.{action}"), style=style)
