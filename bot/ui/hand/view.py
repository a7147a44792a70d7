"""One member's panel of a table, by direct message or behind *My hand*: their hand, bet and chips."""

from collections.abc import Iterator
from typing import Final

from bot.table.preconditions import banks_after_round
from bot.table.state import Phase, RoundResult, TableState, hand_in
from bot.table.story import Story
from bot.ui.board.results import own_result, played_by
from bot.ui.components import Component, Layout, box, picture, small_print, text
from bot.ui.hand.arranging import arranging_rows
from bot.ui.hand.buttons import panel_rows, played_hand_rows, resting_rows
from bot.ui.hand.evidence import evidence_line, evidence_of, evidence_of_last
from bot.ui.hand.own_hand import OwnHand, PanelFacts, earlier_lines, result_accent, shows_last, wallet_line
from bot.ui.hand.situation import goodbye, remarkable, situation, why_gone
from bot.ui.readers import Names
from bot.words.hands import hand_name
from bot.words.translation import countdown, plain_name, sentences, translate

ACCENT: Final = 0x5865F2


def panel_view(state: TableState, names: Names, facts: PanelFacts) -> Layout:
    """A member's panel, which is edited whenever it would say something else."""
    party, own, place = facts.party, facts.own, state.place_of(facts.party)
    with_last = shows_last(state, facts.memory, celebrated=facts.feat is not None)
    last = _result(state.last, names, facts) if with_last else None
    parts = [text(_heading(state, facts.server_name, _round_shown(state, facts, last)))]
    if facts.picture_text is not None and own is not None:
        parts.append(picture(own.picture_name, facts.picture_text))
    if facts.memory.bank_hidden and state.last is not None:
        return [
            box([*parts, text(_bank_turns(state.last, names, party))], ACCENT),
            *panel_rows(state, facts),
        ]
    if last is not None:
        parts.append(text(last))
    if stands := situation(state, names, facts):
        parts.append(text(stands))
    if facts.bank_turn:
        parts.append(text(_bank_queue(state, facts)))
    if facts.note is not None:
        parts.append(text(facts.note))
    wallet = wallet_line(state, party, facts.stack, facts.evening if with_last else None)
    codes = [*evidence_line(state, party), *_why_sent(state, facts)]
    parts.append(small_print([*_last_round(state, names, facts), *_aliases(own), wallet, *codes]))
    view = [box(parts, result_accent(state.last, party, ACCENT) if with_last else ACCENT)]
    if place is not None and own is not None:
        view += arranging_rows(state, place, own)
    return [*view, *panel_rows(state, facts), *_earlier(facts)]


def _bank_queue(state: TableState, facts: PanelFacts) -> str:
    """When the member who waits for the bank has it, how long they wait, and how to wait no longer."""
    if facts.bank_turn == 1 and banks_after_round(state, facts.party):
        return f"👑 {sentences([translate('reply.bank_after_round'), translate('panel.leave_queue')])}"
    code = "panel.bank_next" if facts.bank_turn == 1 else "panel.bank_in_line"
    when = translate(code, place=facts.bank_turn)
    ends = facts.bank_turn_ends
    until = "" if ends is None else translate("reply.in_queue_until", until=countdown(ends))
    return f"👑 {sentences([when, until, translate('panel.leave_queue')])}"


def resting_panel_view(state: TableState, party: int, server_name: str | None) -> Layout:
    """A panel that is edited no more: all it says stays true.

    Args:
        server_name: the table's server, if the message is not in it.
    """
    # Which round it is by then, it can't say.
    parts = [text(_heading(state, server_name, None)), text(translate("panel.rests"))]
    if lines := evidence_line(state, party):
        parts.append(small_print(lines))
    return [box(parts, ACCENT), *resting_rows(state)]


def moved_panel_view(
    state: TableState,
    last: RoundResult | None,
    names: Names,
    party: int,
    server_name: str | None,
    story: Story,
) -> Layout:
    """What stays of a panel that is in a newer message by now.

    Args:
        last: the last round, if it tells what that brought the member.
        server_name: the table's server, if the message is not in it.
        story: of the table's rounds.
    """
    told = None if last is None else own_result(last, names, party, story=story)
    below = f"{_where(state, server_name, None)} · {translate('panel.below')}"
    evidence = [] if last is None else evidence_of(last, party)
    # The message below quotes how this begins.
    parts = [*([text(told)] if told else []), small_print([below, *(one.line for one in evidence)])]
    return [box(parts, result_accent(last, party, ACCENT))]


def played_hand_view(
    state: TableState,
    names: Names,
    facts: PanelFacts,
    round_number: int,
    settled: TableState | None,
    *,
    has_buttons: bool,
) -> Layout:
    """A message with a hand whose round is over, which is edited again only for another hand or a lost seat.

    Args:
        settled: the table after that round; None if it was called off.
        has_buttons: whether no newer message or panel of theirs has them.
    """
    party, parts = facts.party, [text(_heading(state, facts.server_name, round_number))]
    own, last = facts.own, None if settled is None else settled.last
    if own is not None and facts.picture_text is not None:
        parts.append(picture(own.picture_name, facts.picture_text))
    if result := _result(last, names, facts):
        parts.append(text(result))
    if state.phase is Phase.CLOSED:
        parts.append(text("\n".join(goodbye(state, names, facts))))
    elif settled is None:
        parts.append(text(translate("panel.called_off")))
    if has_buttons and (why := why_gone(state, facts)):
        parts.append(text(why))
    if has_buttons and facts.is_too_poor and facts.note is not None:
        parts.append(text(facts.note))
    lines = [] if settled is None else [one.line for one in evidence_of_last(settled, party)]
    if has_buttons:
        wallet = wallet_line(state, party, facts.stack, facts.evening)
        lines = [wallet, *lines, *_why_sent(state, facts)]
    if lines:
        parts.append(small_print(lines))
    rows = played_hand_rows(state, facts) if has_buttons else []
    return [box(parts, result_accent(last, party, ACCENT)), *rows, *_earlier(facts)]


def _why_sent(state: TableState, facts: PanelFacts) -> Iterator[str]:
    """Why a direct message comes: the first at a table, or for a hand that a panel in the channel has too."""
    if (why := facts.memory.why_sent) is not None:
        yield translate(f"panel.{why}", channel=f"<#{state.channel_id}>")


def _earlier(facts: PanelFacts) -> Iterator[Component]:
    """What the message keeps of earlier rounds: below the buttons, which stay where they are."""
    if lines := earlier_lines(facts.memory.earlier, facts.party):
        yield text(lines)


def _result(last: RoundResult | None, names: Names, facts: PanelFacts) -> str | None:
    """What a round brought the member, and what they reached with it; None if they were not in one."""
    told = None if last is None else own_result(last, names, facts.party, facts.feat, facts.story)
    if last is None or told is None:
        return None
    return "\n".join([told, *remarkable(last, names, facts)])


def _last_round(state: TableState, names: Names, facts: PanelFacts) -> Iterator[str]:
    """The last round in small print: for who has bet since, or has a seat and did not play it."""
    last, party = state.last, facts.party
    seat = state.seat_of(party)
    if last is None or seat is None or state.phase not in (Phase.OPEN, Phase.BETTING):
        return
    told = own_result(last, names, party)
    if told is not None and not shows_last(state, facts.memory, celebrated=facts.feat is not None):
        yield told
    elif told is None and party in state.last_stakes:
        # Who has just come misses nothing.
        yield translate("panel.round_without_you", round=last.round_number)


def _bank_turns(last: RoundResult, names: Names, party: int) -> str:
    """The member's hand of the last round, before the bank's is turned: nothing tells yet what it brought."""
    played = played_by(last, party)
    assert played is not None
    turns = translate("panel.bank_turns", banker=names.mention(last.banker))
    return f"**{hand_name(hand_in(last, played))}**\n{turns}"


def _round_shown(state: TableState, facts: PanelFacts, result: str | None) -> int | None:
    """The round that the heading of a panel names; None beside a result, which names its own.

    The round of the next bets has begun while the bank's hand of the last one is still face down.
    """
    if facts.memory.bank_hidden and state.last is not None:
        return state.last.round_number
    # Of a closed table, the goodbye counts the rounds; the last that was begun may not have been played.
    is_over = state.phase is Phase.CLOSED and state.heat is None
    return None if result is not None or is_over else state.round_number


def _heading(state: TableState, server_name: str | None, round_number: int | None) -> str:
    return f"### {_where(state, server_name, round_number)}"


def _where(state: TableState, server_name: str | None, round_number: int | None) -> str:
    """The table, the round if it is given, the channel, and the server if it is given."""
    parts, heat = [f"<#{state.channel_id}>"], state.heat
    if heat is None:
        number = [translate("table.round", round=round_number)] if round_number else []
        parts = [translate("table.name", number=state.number), *number, *parts]
    elif round_number:
        # Its thread has the name of the table.
        parts.append(translate("board.heat_round", round=round_number, rounds=heat.rounds))
    parts += [plain_name(server_name)] if server_name else []
    return " · ".join(parts)


def _aliases(own: OwnHand | None) -> Iterator[str]:
    """What the names mean that hands on the panel have beside those of their ranks, such as Nenku (G11)."""
    hands = () if own is None else (own.hand, own.other)
    for alias in sorted({hand.rank.alias for hand in hands if hand is not None} - {""}):
        yield translate(f"panel.alias.{alias}")
