"""How a member stands at their table, in the words of their panel: what they can do, have bet, or hold."""

from collections.abc import Iterator

from bot.games.settle import largest_multiple
from bot.rules.knobs import Arrange, BankPasses, HouseBank
from bot.table.preconditions import Action, unmet_precondition
from bot.table.refusals import Refusal
from bot.table.state import Bank, Departure, LeaveReason, Phase, RoundResult, Seat, TableState
from bot.ui.board.content import asks_for_bank
from bot.ui.board.headlines import own_achieved_lines, own_streak_lines
from bot.ui.board.results import own_result
from bot.ui.board.text import banker_wanted, betting_closes, called_off, closed_words, house_can_bank
from bot.ui.hand.arranging import hand_lines
from bot.ui.hand.buttons import bank_came, bank_passed, find_label, ways_to_a_banker
from bot.ui.hand.own_hand import PanelFacts, Unseen, had_hand, hopes, is_new, may_arrange, offers_looks
from bot.ui.press.custom_ids import PressAction
from bot.ui.readers import Names
from bot.ui.stakes import can_win_words, members_may_take_more, quick_stakes
from bot.words.hands import hope_lines
from bot.words.tables import departure_words, refusal
from bot.words.translation import countdown, listed, sentences, signed, signed_points, translate


def situation(state: TableState, names: Names, facts: PanelFacts) -> str:
    """How the member stands in this round; empty if they are to bet and cannot, which a note explains."""
    bank, seat = state.bank, state.seat_of(facts.party)
    if state.phase is Phase.CLOSED:
        return "\n".join(goodbye(state, names, facts))
    if bank is not None and state.is_banker(facts.party):
        return _bankers_situation(state, bank, names, facts)
    if seat is None:
        return _onlookers_situation(state, names, facts)
    if state.phase is Phase.DEALT:
        if seat.pieces:
            return _hand(state, seat, facts)
        if seat.sitting_out:
            return translate("panel.sits_out")
        next_round = translate("panel.plays_next_round", seat=seat.number)
        return "\n".join([next_round, *_bank_goes_round(state, facts)])
    # Who has passed the bank on, or given it up, keeps a seat.
    turn = [*called_off(state), *_bank_turn(state, facts)]
    if bank is None:
        return "\n".join([*turn, _banker_wanted(state, facts), *_bank_goes_round(state, facts)])
    turn += _who_banks_now(state, names, facts)
    if seat.stake is not None:
        code = "panel.plays" if state.for_points else "panel.has_bet"
        said = translate(code, stake=seat.stake, banker=names.mention(bank.party))
        said = f"{translate('board.all_in')} · {said}" if facts.is_all_in else said
        lines = [*turn, said, *_why_held(state, seat, facts), *_bank_goes_round(state, facts)]
        if facts.awaited_banker is not None:
            lines += _betting_closes(state, names, facts)
        elif state.can_be_dealt:
            # The board has the clock: the last bet cuts the time, and this panel is not edited for that.
            lines.append(translate("panel.dealt_next_in_points" if state.for_points else "panel.dealt_next"))
        return "\n".join([*lines, *_who_leads(state, names, facts.party)])
    if seat.sitting_out:
        return translate("panel.sits_out")
    if state.for_points:
        return "\n".join([translate("panel.press_play"), *_betting_closes(state, names, facts)])
    if not facts.most:
        return ""
    at_stake = _what_is_at_stake(state, facts)
    closes = _betting_closes(state, names, facts)
    is_remarkable = state.last is not None and any(remarkable(state.last, names, facts))
    # On a small desktop, a remarkable result needs the room; the buttons say what can be bet.
    place = [] if is_remarkable else [_place_bet(state, names, bank, facts)]
    lines = [*turn, *_who_leads(state, names, facts.party), *place, *closes, *at_stake]
    return "\n".join([*lines, *_bank_goes_round(state, facts)])


def _banker_wanted(state: TableState, facts: PanelFacts) -> str:
    """What a player can do for a banker."""
    if any(ways_to_a_banker(state, facts)):
        return banker_wanted(state, facts.house_chips)
    no_roll = unmet_precondition(state, Action.ROLL)
    waits_for_players = no_roll is not None and no_roll.code is Refusal.TOO_FEW_SEATED
    return banker_wanted(state, 0) if waits_for_players else translate("panel.no_bank")


def _place_bet(state: TableState, names: Names, bank: Bank, facts: PanelFacts) -> str:
    """What the member can bet, and what allows no more: their chips, those of the bank, or its limits."""
    if bank.lowest >= facts.most:
        return translate("panel.place_only_bet", lowest=bank.lowest)
    times = largest_multiple(state.rules)
    code = "panel.place_bet"
    if facts.bank_limits:
        can_bank = facts.server_name is None and not facts.bank_turn
        takes_over = can_bank and asks_for_bank(state) is PressAction.BANK
        code = "panel.place_bet_or_bank" if takes_over else "panel.place_bet_room"
    elif facts.chips_left is not None and facts.chips_left < times > 1:
        code = "panel.place_bet_holds"
    elif facts.most == bank.highest:
        if is_new(state, facts) and members_may_take_more(state):
            code = "panel.place_bet_house"
        elif is_new(state, facts) and not state.house_banks:
            code = "panel.place_bet_banker"
    elif facts.by_own_limit:
        code = "panel.place_bet_own_limit"
    elif facts.in_play:
        code = "panel.place_bet_in_play"
    return translate(
        code,
        lowest=bank.lowest,
        highest=facts.most,
        times=times,
        own=times * facts.most + (facts.chips_left or 0),
        banker=names.mention(bank.party),
        in_play=sum(facts.in_play.values()),
        where=listed([f"<#{channel}>" for channel in facts.in_play]),
    )


def _betting_closes(state: TableState, names: Names, facts: PanelFacts) -> Iterator[str]:
    """When betting closes, in the words of the board; nothing for members who know it by now.

    A banker who has to show that they are there reads what to do, and until when.
    """
    banker = facts.awaited_banker
    if banker == facts.party:
        until = state.deadline if facts.memory.tells_deadline else None
        keep = "panel.keep_bank"
        yield translate(keep) if until is None else translate(f"{keep}_until", until=countdown(until))
        return
    awaited = "" if banker is None else names.mention(banker)
    has_no_seat = state.seat_of(facts.party) is None
    closes = betting_closes(state, is_last_call=facts.is_last_call, awaited=awaited, others_bet=has_no_seat)
    if closes and facts.memory.tells_deadline:
        yield closes


def _who_leads(state: TableState, names: Names, party: int) -> Iterator[str]:
    """Before the last cards of a final: who is ahead, and by how much."""
    heat = state.heat
    if heat is None or not heat.is_final or len(heat.contenders) < 2 or state.round_number < heat.rounds:
        return
    # With the same chips, the player who entered first is ahead.
    first, second, *_ = sorted(heat.contenders, key=lambda one: -one.chips)
    if party == first.party:
        ahead, who = first.chips - second.chips, names.mention(second.party)
        yield translate("panel.you_lead", chips=first.chips, ahead=ahead, who=who)
        return
    order = [one.party for one in heat.contenders]
    more = first.chips - heat.chips_of(party) + (order.index(party) > order.index(first.party))
    yield translate("panel.who_leads", who=names.mention(first.party), chips=first.chips, more=more)


def _onlookers_situation(state: TableState, names: Names, facts: PanelFacts) -> str:
    """How somebody without a seat stands, who may back players (B01)."""
    backs = [
        translate("panel.backs", who=names.mention(side.backed), stake=side.stake)
        for side in state.side_bets_of(facts.party)
    ]
    if backs:
        return "\n".join(backs)
    closes = list(_betting_closes(state, names, facts)) if facts.most else []
    if why := why_gone(state, facts):
        return "\n".join([why, *closes, *_missed_rounds(state, names, facts)])
    at_stake = _what_is_at_stake(state, facts)
    lines = [_how_to_join(state, facts), *closes, *at_stake, *_bank_goes_round(state, facts)]
    return "\n".join(filter(None, lines))


def why_gone(state: TableState, facts: PanelFacts) -> str:
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


def _who_banks_now(state: TableState, names: Names, facts: PanelFacts) -> list[str]:
    """Who banks now, and why: for who rolled for the bank too, and for the last banker."""
    last, bank = state.last, state.bank
    if state.phase is not Phase.BETTING or bank is None:
        return []
    if any(throw.party == facts.party for throw in state.throws):
        return [translate("panel.other_rolled_highest", banker=names.mention(bank.party))]
    if last is None or last.banker != facts.party:
        return []
    now = translate("panel.bank_passed", banker=names.mention(bank.party, begins_line=True))
    return [now, *([f"-# {_passing_rule(last)}"] if bank_passed(state, facts.story) else [])]


def _passing_rule(last: RoundResult) -> str:
    return translate(f"rules.bank.{last.rules.game}.{last.rules.bank_passes}")


def _turn_words(state: TableState, facts: PanelFacts) -> list[str]:
    turn = facts.parting.turn
    if turn is None or turn.rounds < 2:
        # The result of a single round says it.
        return []
    gained, best = map(signed_points if state.for_points else signed, (turn.gained, turn.best))
    code = "panel.bank_turn" if turn.best > 0 else "panel.bank_turn_without_best"
    return [translate(code, rounds=turn.rounds, gained=gained, best=best)]


def _how_to_join(state: TableState, facts: PanelFacts, *, again: bool = False) -> str:
    """How somebody without a seat gets one; names only buttons that are there. Empty if they cannot play."""
    if facts.is_barred or facts.is_too_poor:
        return ""
    if facts.server_name is not None:
        code = "panel.join_again_outside" if again else "panel.no_seat_outside"
        return translate(code, channel=f"<#{state.channel_id}>")
    if full := unmet_precondition(state, Action.JOIN):
        return refusal(full)
    if again:
        has_amounts = facts.most and not state.for_points
        return translate("panel.bet_again" if has_amounts else "panel.join_again")
    if state.phase is Phase.DEALT:
        return translate("panel.no_seat_yet")
    if not facts.most:
        return translate("panel.no_seat_or_bet")
    return translate("panel.no_seat_points" if state.for_points else "panel.no_seat")


def _bankers_situation(state: TableState, bank: Bank, names: Names, facts: PanelFacts) -> str:
    if state.phase is Phase.DEALT:
        return _hand(state, bank, facts)
    limits, how_it_came = {"lowest": bank.lowest, "highest": bank.highest}, []
    if bank_came(state, facts.story):
        how_it_came = [translate("panel.bank_by_dice" if state.throws else "panel.bank_came")]
    if state.for_points:
        said = translate("panel.bank_points", bets=len(state.bets))
    elif not state.bets:
        said = translate("panel.bank_came_limits" if how_it_came else "panel.bank_before_bets", **limits)
    else:
        said = _bets_against_bank("panel.bank", state, **limits)
    closes = list(_betting_closes(state, names, facts))
    if state.last is not None and bank_passed(state, facts.story) and not closes:
        # A banker who is waited for reads what to do instead.
        closes = [f"-# {_passing_rule(state.last)}"]
    return "\n".join([*how_it_came, said, *closes])


def _bets_against_bank(code: str, state: TableState, **limits: int) -> str:
    """How many bets and side bets the banker plays against, and their chips in all.

    Args:
        code: of the sentence without side bets.
    """
    bets, chips = len(state.bets), state.staked_in_all
    if not (count := len(state.side_bets)):
        return translate(code, bets=bets, chips=chips, **limits)
    side_bets = translate("panel.side_bets", count=count)
    return translate(f"{code}_and_side_bets", bets=bets, side_bets=side_bets, chips=chips, **limits)


def _hand(state: TableState, place: Seat | Bank, facts: PanelFacts) -> str:
    if facts.own is not None and facts.own.unseen is Unseen.LAST:
        # Hopes would tell too much to who is to find what the hand is worth.
        is_found = facts.finds_ox or may_arrange(state, place)
        hidden = [translate(f"panel.squeezed.{state.game.pieces.name}")]
        lines = hidden if is_found else hope_lines(hopes(state, place), state.rules)
    else:
        lines = [hand_lines(state, place, facts)]
    if isinstance(place, Seat) and not state.for_points:
        bet = translate("panel.your_bet", stake=place.stake or 0)
        bet = f"{bet} · {translate('board.all_in')}" if facts.is_all_in else bet
        lines += [bet, *_why_held(state, place, facts)]
    is_bank = isinstance(place, Bank)
    if is_bank and state.for_points:
        lines.append(translate("panel.banks_points", bets=len(state.bets)))
    elif is_bank:
        lines.append(_bets_against_bank("panel.banks", state))
    if is_bank and facts.memory.counts_revealed and (players := len(state.bets)) > 1:
        revealed = sum(seat.revealed for seat in state.bets)
        lines.append(translate("panel.have_revealed", revealed=revealed, players=players))
    if place.leaves_after_round:
        stays = place.leave_reason is LeaveReason.BANK_GIVEN_UP
        lines.append(translate("panel.gives_up_bank" if stays else "panel.leaves"))
    if state.deadline is not None:
        code = "panel.reveals_soon" if facts.is_last_call else "board.dealt_until"
        code = "panel.revealed" if place.revealed else code
        lines.append(translate(code, until=countdown(state.deadline)))
    if offers_looks(state, facts):
        offered = [translate(f"panel.squeeze_offer.{state.game.pieces.name}")]
        if state.rules.arrange is Arrange.AUTOMATIC:
            offered.append(translate("panel.find_offer", button=translate(find_label(state.rules))))
        lines.append(f"-# {sentences(offered)}")
    return "\n".join(lines)


def _what_is_at_stake(state: TableState, facts: PanelFacts) -> Iterator[str]:
    """What a bet can win or lose, before it is placed (B02): for members who begin to play."""
    if state.bank is None or not facts.most or not is_new(state, facts):
        return
    if words := can_win_words(state.rules, quick_stakes(state.bank.lowest, facts.most)):
        yield words


def _bank_goes_round(state: TableState, facts: PanelFacts) -> Iterator[str]:
    """That they may become banker, in turn (B05) or by dice (T03): for who had no hand in the last round."""
    if had_hand(state, facts.party):
        return
    house = state.house_banks or house_can_bank(state, facts.house_chips)
    if state.rules.bank_passes is not BankPasses.STAYS and not house:
        yield translate("panel.bank_goes_round")
    elif state.bank is None and state.game.rolls_for_bank and state.rules.house_bank is not HouseBank.ONLY:
        yield translate("panel.dice_pick")


def _why_held(state: TableState, seat: Seat, facts: PanelFacts) -> Iterator[str]:
    """Why a bet holds more chips than its size (B02): for who begins to play, or risks it all."""
    multiple = largest_multiple(state.rules)
    if state.for_points or multiple == 1 or seat.stake is None:
        return
    if facts.is_all_in or is_new(state, facts):
        yield f"-# {translate('panel.holds', held=multiple * seat.stake, multiple=multiple)}"


def goodbye(state: TableState, names: Names, facts: PanelFacts) -> list[str]:
    """That the table is closed, what its rounds brought the member, and who won most there.

    At a table of a tournament they brought chips of the tournament, which nobody has after it.
    """
    story, said = facts.story, [closed_words(state)]
    if state.heat is not None:
        return [sentences([*said, *_bank_turn(state, facts)])]
    amount = signed_points if state.for_points else signed
    if facts.party in story.gains:
        gained = amount(story.gains[facts.party])
        said.append(translate("panel.goodbye", count=story.played[facts.party], gained=gained))
    lines = [sentences([*said, *_bank_turn(state, facts)])]
    winners, most = story.most_gained()
    if winners == (facts.party,):
        lines.append(translate("panel.won_most"))
    elif winners:
        who = listed(map(names.mention, winners))
        lines.append(translate("goodbye.most", who=who, gained=amount(most)))
    return lines


def remarkable(last: RoundResult, names: Names, facts: PanelFacts) -> Iterator[str]:
    """How many rounds in a row the member has won, and what they achieved in the last."""
    yield from own_streak_lines(last, names, facts.party, facts.story, facts.feat)
    yield from own_achieved_lines(facts.achieved)
