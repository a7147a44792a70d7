"""One member's panel of a table, by direct message or behind *My hand*: their hand, bet and chips."""

from collections.abc import Iterator
from typing import Final

from bot.games.settle import largest_multiple
from bot.rules.knobs import BankPasses
from bot.table.preconditions import Action, passes_on, unmet_precondition
from bot.table.state import Bank, Departure, LeaveReason, Phase, RoundResult, Seat, TableState, hand_in
from bot.ui.board.results import own_result, played_by
from bot.ui.components import GAIN, LOSS, Component, Layout, box, picture, small_print, text
from bot.ui.hand.buttons import arranging_rows, hand_lines, panel_rows, played_hand_rows, resting_rows
from bot.ui.hand.own_hand import (
    OwnHand,
    PanelFacts,
    arranged,
    earlier_lines,
    evidence_line,
    evidence_of_last,
)
from bot.ui.readers import Names
from bot.ui.stakes import can_win_words, quick_stakes
from bot.words.hands import hand_name, hand_words, rule_words
from bot.words.tables import departure_words, refusal
from bot.words.translation import plain_name, sentences, signed, signed_points, translate

ACCENT: Final = 0x5865F2


def panel_view(state: TableState, names: Names, facts: PanelFacts) -> Layout:
    """A member's panel, which is edited whenever it would say something else."""
    party, own = facts.party, facts.own
    parts = [text(_heading(state, facts.server_name))]
    place = state.place_of(party)
    if facts.picture_text is not None and own is not None:
        parts.append(picture(own.picture_name, facts.picture_text))
    if facts.memory.bank_hidden and state.last is not None:
        return [
            box([*parts, text(_bank_turns(state.last, names, party))], ACCENT),
            *panel_rows(state, facts),
        ]
    if state.phase is not Phase.DEALT and (last := _result(state.last, names, facts)) is not None:
        parts.append(text(last))
    if situation := _situation(state, names, facts):
        parts.append(text(situation))
    if facts.note is not None:
        parts.append(text(facts.note))
    parts.append(small_print([*_aliases(own), _stack(state, facts), *evidence_line(state, party)]))
    view = [box(parts, ACCENT if state.phase is Phase.DEALT else _accent(state.last, party))]
    if place is not None and not (own is not None and own.last_hidden):
        view += arranging_rows(state, place)
    return [*view, *panel_rows(state, facts), *_earlier(facts)]


def resting_panel_view(state: TableState, party: int, server_name: str | None, *, hand_below: bool) -> Layout:
    """A panel that is edited no more: all it says stays true.

    Args:
        server_name: the table's server, if the message is not in it.
        hand_below: whether the member's hand is in a newer message.
    """
    said = f"panel.hand_below.{state.game.pieces.name}" if hand_below else "panel.rests"
    # Which round it is by then, it can't say.
    parts = [text(_heading(state, server_name, 0)), text(translate(said))]
    if lines := evidence_line(state, party):
        parts.append(small_print(lines))
    return [box(parts, ACCENT), *([] if hand_below else resting_rows(state))]


def played_hand_view(
    state: TableState,
    names: Names,
    facts: PanelFacts,
    round_number: int,
    settled: TableState | None,
    *,
    is_newest: bool,
) -> Layout:
    """A message with a hand whose round is over, which is edited again only for another hand or a lost seat.

    Args:
        settled: the table after that round; None if it was called off.
        is_newest: whether no newer hand of theirs is in a message, so that it has buttons.
    """
    party, parts = facts.party, [text(_heading(state, facts.server_name, round_number))]
    own, last = facts.own, None if settled is None else settled.last
    if own is not None and facts.picture_text is not None:
        parts.append(picture(own.picture_name, facts.picture_text))
    if result := _result(last, names, facts):
        parts.append(text(result))
    if state.phase is Phase.CLOSED:
        parts.append(text(translate("panel.closed")))
    elif settled is None:
        parts.append(text(translate("panel.called_off")))
    if is_newest and (why := _why_gone(state, facts)):
        parts.append(text(why))
    lines = [_stack(state, facts)] if is_newest else []
    if lines := lines + ([] if settled is None else [one.line for one in evidence_of_last(settled, party)]):
        parts.append(small_print(lines))
    rows = played_hand_rows(state, facts) if is_newest else []
    return [box(parts, _accent(last, party)), *rows, *_earlier(facts)]


def _earlier(facts: PanelFacts) -> Iterator[Component]:
    """What the message keeps of earlier rounds: below the buttons, which stay where they are."""
    if lines := earlier_lines(facts.memory.earlier, facts.party):
        yield text(lines)


def _result(last: RoundResult | None, names: Names, facts: PanelFacts) -> str | None:
    """What a round brought the member; None if there was none, or they were not in it."""
    return None if last is None else own_result(last, names, facts.party, facts.feat)


def _bank_turns(last: RoundResult, names: Names, party: int) -> str:
    """The member's hand of the last round, before the bank's is turned: nothing tells yet what it brought."""
    played = played_by(last, party)
    assert played is not None
    hand = hand_in(last, played)
    turns = translate("panel.bank_turns", banker=names.mention(last.banker))
    return f"**{hand_name(hand)}** · {hand_words(hand)}\n{turns}"


def _accent(last: RoundResult | None, party: int) -> int:
    """The colour of a message: what the round that it shows brought the member."""
    brought = 0 if last is None else sum(chips for who, chips in last.gains if who == party)
    if not brought:
        return ACCENT
    return GAIN if brought > 0 else LOSS


def _heading(state: TableState, server_name: str | None, round_number: int | None = None) -> str:
    number = state.round_number if round_number is None else round_number
    parts = [translate("table.name", number=state.number)]
    parts += [translate("table.round", round=number)] if number else []
    parts.append(f"<#{state.channel_id}>")
    parts += [plain_name(server_name)] if server_name else []
    return f"### {' · '.join(parts)}"


def _situation(state: TableState, names: Names, facts: PanelFacts) -> str:
    """How the member stands in this round; empty if they are to bet and cannot, which a note explains."""
    bank, seat = state.bank, state.seat_of(facts.party)
    if state.phase is Phase.CLOSED:
        return sentences([translate("panel.closed"), *_bank_turn(state, facts)])
    if bank is not None and state.is_banker(facts.party):
        return _bankers_situation(state, bank, facts)
    if seat is None:
        return _onlookers_situation(state, names, facts)
    if state.phase is Phase.DEALT:
        return _hand(state, seat, facts) if seat.pieces else translate("panel.not_in_round")
    if bank is None:
        return translate("panel.no_bank")
    # Who has passed the bank on keeps a seat.
    turn = list(_bank_turn(state, facts))
    if seat.stake is not None:
        code = "panel.plays" if state.for_points else "panel.has_bet"
        said = translate(code, stake=seat.stake, banker=names.mention(bank.party))
        return "\n".join([*turn, said, *_why_held(state, seat), *_bank_goes_round(state, facts.party)])
    if seat.sitting_out:
        return translate("panel.sits_out")
    if state.for_points:
        return translate("panel.press_play")
    if not facts.most:
        return ""
    code = "panel.place_bet" if bank.lowest < facts.most else "panel.place_only_bet"
    place = translate(code, lowest=bank.lowest, highest=facts.most)
    at_stake = _what_is_at_stake(state, facts)
    return "\n".join([*turn, place, *at_stake, *_bank_goes_round(state, facts.party)])


def _onlookers_situation(state: TableState, names: Names, facts: PanelFacts) -> str:
    """How somebody without a seat stands, who may back players (B01)."""
    backs = [
        translate("panel.backs", who=names.mention(side.backed), stake=side.stake)
        for side in state.side_bets_of(facts.party)
    ]
    if backs:
        return "\n".join(backs)
    if why := _why_gone(state, facts):
        return "\n".join([why, *_missed_rounds(state, names, facts)])
    at_stake = _what_is_at_stake(state, facts)
    lines = [_how_to_join(state, facts), *at_stake, *_bank_goes_round(state, facts.party)]
    return "\n".join(filter(None, lines))


def _why_gone(state: TableState, facts: PanelFacts) -> str:
    """Why the member lost their place, and how to sit down; empty if they did not.

    Nobody sits down at a closed table.
    """
    gone = _departures(state, facts)
    if not gone or state.phase is Phase.CLOSED:
        return ""
    turn = _turn_words(state, facts) if any(one.was_banker for one in gone) else []
    told = [departure_words(one, None) for one in gone]
    return sentences([*told, *turn, _how_to_join(state, facts, again=True)])


def _departures(state: TableState, facts: PanelFacts) -> list[Departure]:
    gone = [one for one in state.departures if one.party == facts.party]
    return gone or ([] if facts.memory.left is None else [facts.memory.left])


def _missed_rounds(state: TableState, names: Names, facts: PanelFacts) -> Iterator[str]:
    """What each round brought the member that they missed, unless the message shows it anyway."""
    if all(one.leave_reason is not LeaveReason.IDLE for one in _departures(state, facts)):
        return
    shown = [*facts.memory.earlier, *([] if state.phase is Phase.DEALT else [state.last])]
    for result in facts.parting.missed:
        if result not in shown and (told := own_result(result, names, facts.party)):
            yield f"-# {told}"


def _bank_turn(state: TableState, facts: PanelFacts) -> list[str]:
    """What the member's bank brought that has ended with the last round; nothing of any other."""
    turn, last = facts.parting.turn, state.last
    is_new = turn is not None and last is not None and turn.last_round == last.round_number
    return _turn_words(state, facts) if is_new and state.phase is not Phase.DEALT else []


def _turn_words(state: TableState, facts: PanelFacts) -> list[str]:
    turn = facts.parting.turn
    if turn is None or turn.rounds < 2:
        # The result of a single round says it.
        return []
    gained, best = map(signed_points if state.for_points else signed, (turn.gained, turn.best))
    return [translate("panel.bank_turn", rounds=turn.rounds, gained=gained, best=best)]


def _how_to_join(state: TableState, facts: PanelFacts, *, again: bool = False) -> str:
    """How somebody without a seat gets one; names only buttons that are there. Empty if they may not play."""
    if facts.is_barred:
        return ""
    if facts.server_name is not None:
        code = "panel.join_again_outside" if again else "panel.no_seat_outside"
        return translate(code, channel=f"<#{state.channel_id}>")
    if full := unmet_precondition(state, Action.JOIN):
        return refusal(full)
    if again:
        return translate("panel.join_again")
    if state.phase is Phase.DEALT:
        return translate("panel.no_seat_yet")
    if not facts.most:
        return translate("panel.no_seat_or_bet")
    return translate("panel.no_seat_points" if state.for_points else "panel.no_seat")


def _bankers_situation(state: TableState, bank: Bank, facts: PanelFacts) -> str:
    if state.phase is Phase.DEALT:
        return _hand(state, bank, facts)
    code = "panel.bank_points" if state.for_points else "panel.bank"
    said = translate(code, bets=len(state.bets), chips=state.staked)
    if not state.for_points:
        limits = translate("reply.your_limits", lowest=bank.lowest, highest=bank.highest)
        said = sentences([said, limits])
    last = state.last
    if last is None or last.banker == bank.party or not passes_on(last):
        return said
    return f"{translate('panel.bank_came')}\n{said}"


def _hand(state: TableState, place: Seat | Bank, facts: PanelFacts) -> str:
    pieces = state.game.pieces
    if facts.own is not None and facts.own.last_hidden:
        seen = " ".join(map(pieces.shown, place.pieces[:-1]))
        lines = [f"**{seen}** 🂠", translate(f"panel.squeezed.{pieces.name}")]
    else:
        lines = [hand_lines(state, place)]
        if (hand := arranged(state, place)) is not None and not _played_lately(state, place.party):
            # To a newcomer, the names of hands say nothing.
            lines.append(f"-# {rule_words(hand, state.rules)}")
    if isinstance(place, Seat) and not state.for_points:
        lines += [translate("panel.your_bet", stake=place.stake or 0), *_why_held(state, place)]
    if place.leaves_after_round:
        lines.append(translate("panel.leaves"))
    if place.revealed:
        lines.append(translate("panel.revealed"))
    elif state.deadline is not None:
        lines.append(translate("panel.reveals", until=int(state.deadline)))
    if not (facts.squeezes or place.revealed or _played_lately(state, place.party)):
        lines.append(f"-# {translate('panel.squeeze_hint')}")
    return "\n".join(lines)


def _what_is_at_stake(state: TableState, facts: PanelFacts) -> Iterator[str]:
    """What a bet can win or lose, before it is placed (B02): for members who have not played here lately."""
    if state.bank is None or not facts.most or _played_lately(state, facts.party):
        return
    if words := can_win_words(state.rules, quick_stakes(state.bank.lowest, facts.most)):
        yield words


def _bank_goes_round(state: TableState, party: int) -> Iterator[str]:
    """That everybody banks in turn (B05): for members who have not played here lately."""
    stays = state.rules.bank_passes is BankPasses.STAYS or state.house_banks
    if state.bank is not None and not (stays or _played_lately(state, party)):
        yield translate("panel.bank_goes_round")


def _why_held(state: TableState, seat: Seat) -> Iterator[str]:
    """Why a bet holds more chips than its size (B02): for members who have not played here lately."""
    multiple = largest_multiple(state.rules)
    if state.for_points or multiple == 1 or seat.stake is None:
        return
    if not _played_lately(state, seat.party):
        yield translate("panel.holds", held=multiple * seat.stake, multiple=multiple)


def _played_lately(state: TableState, party: int) -> bool:
    """Whether the member had a hand in the last round."""
    return state.last is not None and played_by(state.last, party) is not None


def _aliases(own: OwnHand | None) -> Iterator[str]:
    """What the names mean that hands on the panel have beside those of their ranks, such as Nenku (G11)."""
    hands = () if own is None else (own.hand, own.other)
    for alias in sorted({hand.rank.alias for hand in hands if hand is not None} - {""}):
        yield translate(f"panel.alias.{alias}")


def _stack(state: TableState, facts: PanelFacts) -> str:
    """What the member has to play with: chips, and how the evening goes, or the running score (G22)."""
    if state.for_points:
        return translate("panel.score", score=signed_points(facts.stack.score))
    held, evening = facts.stack.held, facts.evening
    wallet = translate("panel.wallet_held" if held else "panel.wallet", free=facts.stack.free, held=held)
    if evening is None:
        return wallet
    # Once, until the next round is settled.
    code = "panel.hour" if evening.is_hour else "panel.evening"
    return translate(code, wallet=wallet, gained=signed(evening.chips), rounds=evening.rounds)
