"""What a member can press on their own panel: only what they can do now."""

from collections.abc import Iterator
from typing import Final

import discord

from bot.rules.house_rules import HouseRules
from bot.rules.knobs import Arrange
from bot.table.betting import backs_nobody
from bot.table.preconditions import LIMITS_WAIT, Action, passes_on, unmet_precondition
from bot.table.state import Phase, TableState
from bot.table.story import Story
from bot.ui.board.content import asks_for_bank, explanation, open_again
from bot.ui.board.text import house_can_bank
from bot.ui.components import Component, button, menu, option, row
from bot.ui.hand.evidence import has_evidence
from bot.ui.hand.own_hand import OwnHand, PanelFacts, Unseen, offers_looks
from bot.ui.press.custom_ids import ANY_ROUND, Press, PressAction
from bot.ui.stakes import AGAIN_SIGN, ALL_IN_LABEL, QUICK, bet_words, label_of_most, quick_stakes
from bot.words.translation import translate

_SUCCESS = discord.ButtonStyle.success
_EXPLAINED = {
    PressAction.SIT_OUT,
    PressAction.SQUEEZE,
    PressAction.FIND_OX,
    PressAction.SHOW_OX,
    PressAction.FAIRNESS,
    PressAction.LEAVE_QUEUE,
    PressAction.GIVE_UP,
}
_GETS_A_BANKER: Final = ((PressAction.BANK, Action.TAKE_BANK), (PressAction.ROLL, Action.ROLL))


def panel_rows(state: TableState, facts: PanelFacts) -> list[Component]:
    """The rows of buttons below a member's panel; once the table is closed, what opens another like it.

    *Reveal* never stands where something else was that is pressed in haste: amounts come and go in a row
    above it. The message may be read rounds later: what is pressed is meant for whichever round is on
    by then.
    """
    if state.phase is Phase.CLOSED:
        can_open = state.heat is None and facts.server_name is None
        return [row(open_again(state))] if can_open else []
    if facts.memory.bank_hidden:
        # What they can do next would tell how the round went.
        return _rows(state, facts, [], list(_about_hand(state, facts)))
    seat, above = state.seat_of(facts.party), list[Component]()
    moves = list[Component]()
    if facts.is_too_poor:
        moves = [*facts.ways_on]
    elif state.is_banker(facts.party) and state.phase is Phase.BETTING:
        moves = [_deal(state)]
        if bank_came(state, facts.story):
            # Who has not asked for it finds the way out at once, but not where *Reveal* just was.
            above = [_button(state, PressAction.GIVE_UP)]
        if facts.awaited_banker == facts.party:
            above = [keep_bank(state), *above]
    elif seat is not None:
        above = _bets(state, state.last_stakes.get(facts.party), facts, placed=seat.stake)
        moves = list(ways_to_a_banker(state, facts))
    elif facts.server_name is None and not state.is_banker(facts.party):
        above = _bets(state, state.last_stakes.get(facts.party), facts)
        can_join = unmet_precondition(state, Action.JOIN) is None and not facts.is_barred
        moves = [_button(state, PressAction.JOIN)] if can_join else []
        moves += ways_to_a_banker(state, facts)
    # Pressed once, it goes: above the others, so that none moves.
    looks = [row(*_looks(state))] if offers_looks(state, facts) else []
    return [*looks, *_rows(state, facts, above, [*moves, *_about_hand(state, facts)])]


def _looks(state: TableState) -> Iterator[Component]:
    """Chooses another way to look at the next hands; the house rule may let everybody arrange theirs."""
    yield _button(state, PressAction.SQUEEZE)
    if state.rules.arrange is Arrange.AUTOMATIC:
        yield _button(state, PressAction.FIND_OX, find_label(state.rules))


def find_label(rules: HouseRules) -> str:
    """The code of the button with which members choose to find the ox themselves."""
    return f"button.{PressAction.FIND_OX}.{rules.game}"


def resting_rows(state: TableState) -> list[Component]:
    """The row of a panel that is edited no more: what is pressed there shows how things are by then."""
    return [row(_button(state, PressAction.HAND, "button.look_again", emoji=state.game.pieces.emoji))]


def played_hand_rows(state: TableState, facts: PanelFacts) -> list[Component]:
    """The rows below a hand whose round is over: what works in any round while the member stays."""
    if state.phase is Phase.CLOSED:
        return []
    seat, bets = state.seat_of(facts.party), list[Component]()
    if seat is not None:
        bets = _bets(state, state.usual_stake(facts.party), facts, stays=True)
    why = [] if facts.own is None else [_why(state, facts.own)]
    return _rows(state, facts, bets, [*facts.ways_on, *why])


def _rows(
    state: TableState, facts: PanelFacts, above: list[Component], moves: list[Component]
) -> list[Component]:
    """Two rows of buttons, a player's amounts and what else there is, and the menu.

    On a phone, another amount fits beside the moves, not beside the amounts.
    """
    has_amounts = above and not state.is_banker(facts.party) and not state.for_points
    other = [_button(state, PressAction.OTHER_BET)] if has_amounts else []
    return [*(row(*buttons) for buttons in (above, [*other, *moves]) if buttons), _menu(state, facts)]


def ways_to_a_banker(state: TableState, facts: PanelFacts) -> Iterator[Component]:
    """The board's buttons for a table without a banker, where no bet can be placed."""
    cannot_play = facts.is_barred or facts.is_too_poor or facts.server_name is not None
    if state.bank is not None or cannot_play:
        return
    if house_can_bank(state, facts.house_chips):
        press = Press(PressAction.PLAY_HOUSE, state.table_id, ANY_ROUND)
        yield button(press, translate("button.play_house"), style=_SUCCESS)
    for action, needs in _GETS_A_BANKER:
        if unmet_precondition(state, needs) is None:
            yield _button(state, action)


def _about_hand(state: TableState, facts: PanelFacts) -> Iterator[Component]:
    """Sees the last piece of the hand; once it is seen, says why it is what it is, or reveals it."""
    own, place = facts.own, state.place_of(facts.party)
    if own is None:
        return
    if own.unseen is Unseen.LAST:
        see = Press(PressAction.SEE_LAST, state.table_id, state.round_number)
        label = translate(f"button.see_last.{state.game.pieces.name}")
        yield button(see, label, style=discord.ButtonStyle.primary)
        return
    yield _why(state, own, disabled=own.unseen is not None)
    can_reveal = unmet_precondition(state, Action.REVEAL) is None
    if can_reveal and place is not None and place.pieces and not place.revealed:
        yield button(_press(state, PressAction.REVEAL), translate("button.reveal"), style=_SUCCESS)


def _why(state: TableState, own: OwnHand, *, disabled: bool = False) -> Component:
    why = Press(PressAction.WHY, state.table_id, own.round_number)
    return button(why, translate("button.why"), emoji="❓", disabled=disabled)


def bank_came(state: TableState, story: Story) -> bool:
    """Whether a banker who is to deal did not press for the bank: by dice (T03), or by rule (B05)."""
    is_open = state.phase is Phase.BETTING and state.bank is not None
    return is_open and (bool(state.throws) or bank_passed(state, story))


def bank_passed(state: TableState, story: Story) -> bool:
    """Whether the rule of the last round has passed its bank on to the banker of this one (B05)."""
    last = state.last
    if state.phase is not Phase.BETTING or state.throws or last is None or state.bank is None:
        return False
    if state.is_banker(last.banker) or not passes_on(last):
        return False
    # If nobody could have it, or who had it gave it up, somebody took it: that begins another turn.
    return story.turn.last_round == last.round_number


def keep_bank(state: TableState) -> Component:
    """The press that is asked of a banker to whom the bank came: any other does the same."""
    press = Press(PressAction.HAND, state.table_id, ANY_ROUND)
    return button(press, translate("button.keep_bank"), style=_SUCCESS)


def _deal(state: TableState) -> Component:
    possible = unmet_precondition(state, Action.DEAL) is None
    press = _press(state, PressAction.DEAL)
    return button(press, translate("button.deal"), style=discord.ButtonStyle.primary, disabled=not possible)


def _menu(state: TableState, facts: PanelFacts) -> Component:
    """What is pressed rarely; another number resets the menu in Discord's client."""
    press = Press(PressAction.MORE, state.table_id, ANY_ROUND, facts.memory.menu_uses or None)
    options = [option(label, action, what) for action, label, what in _in_menu(state, facts)]
    return row(menu(press, translate("menu.more"), options))


def _in_menu(state: TableState, facts: PanelFacts) -> Iterator[tuple[PressAction, str, str | None]]:
    """What the menu offers: an action, its name and its explanation."""
    seat, is_banker = state.seat_of(facts.party), state.is_banker(facts.party)
    actions = []
    no_limits = unmet_precondition(state, Action.LIMITS)
    if is_banker and (no_limits is None or no_limits.code in LIMITS_WAIT):
        actions.append(PressAction.LIMITS)
    is_undecided = seat is not None and seat.stake is None and not seat.sitting_out
    if state.phase is Phase.BETTING and is_undecided and state.heat is None:
        actions.append(PressAction.SIT_OUT)
    if state.phase is Phase.BETTING and seat is not None and seat.stake:
        actions.append(PressAction.WITHDRAW)
    if (seat is not None or is_banker) and not offers_looks(state, facts):
        actions.append(PressAction.DONT_SQUEEZE if facts.squeezes else PressAction.SQUEEZE)
        if state.rules.arrange is Arrange.AUTOMATIC:
            actions.append(PressAction.SHOW_OX if facts.finds_ox else PressAction.FIND_OX)
    if has_evidence(state, facts.party):
        actions.append(PressAction.FAIRNESS)
    if facts.unreachable:
        actions.append(PressAction.MESSAGES)
    # By direct message, only who is at the table can press anything.
    if facts.bank_turn and (facts.server_name is None or state.has(facts.party)):
        actions.append(PressAction.LEAVE_QUEUE)
    if seat is not None or (is_banker and not bank_came(state, facts.story)):
        actions.append(PressAction.GIVE_UP if is_banker else PressAction.LEAVE)
    for action in actions:
        explained = action in _EXPLAINED or (action is PressAction.LIMITS and no_limits is not None)
        case = ""
        if action is PressAction.GIVE_UP and state.phase is Phase.DEALT:
            case = "_later"
        elif action is PressAction.GIVE_UP and state.held and state.bets:
            case = "_bets"
        what = translate(f"menu.{action}{case}.what") if explained else None
        label = f"button.{action}"
        if action is PressAction.WITHDRAW and state.for_points:
            label = "button.withdraw_points"
        elif action in (PressAction.FIND_OX, PressAction.SHOW_OX):
            label = f"{label}.{state.rules.game}"
        yield action, translate(label), what
    can_play = not facts.is_barred and facts.server_name is None
    # Also for who has too few chips: while the bank's hand is face down, nothing tells of that.
    for_bank = None if is_banker or facts.bank_turn else asks_for_bank(state)
    if can_play and for_bank is not None:
        yield for_bank, translate(f"menu.{for_bank}"), explanation(state, for_bank)
    if can_play and not facts.is_too_poor and backs_nobody(state, facts.party) is None:
        yield PressAction.SIDE_BETS, translate("button.side_bets"), translate("menu.side_bets.what")
    yield PressAction.WALLET, translate("menu.wallet"), translate("menu.wallet.what")
    yield PressAction.HAND, translate("button.look_again"), None


def _bets(
    state: TableState,
    last_stake: int | None,
    facts: PanelFacts,
    *,
    placed: int | None = None,
    stays: bool = False,
) -> list[Component]:
    """Bets to press, the lowest first: half the last one, the same, twice as much, and the most.

    What of that is not possible leaves its place to what is between the lowest and the most.

    Args:
        last_stake: what the member bet last here before this round, in chips; None if they never did.
        placed: what they have bet in this round, which its button offers no more.
        stays: whether the buttons stay when the member has other chips, so that no bet is called the most.
    """
    most = facts.most
    if not most or state.bank is None:
        return []
    if state.for_points:
        play = Press(PressAction.PLAY, state.table_id, ANY_ROUND)
        return [button(play, translate("button.play"), emoji="✋", disabled=placed is not None)]
    lowest = state.bank.lowest
    stakes = quick_stakes(lowest, most)
    if last_stake is not None and lowest <= last_stake <= most:
        # In a tournament, who is ahead risks as little as they can.
        less = lowest if state.heat is not None else max(lowest, last_stake // 2)
        wished = dict.fromkeys([last_stake, most, less, 2 * last_stake, *stakes])
        stakes = tuple(sorted([stake for stake in wished if stake <= most][:QUICK]))
    if stays:
        offered = [stake for stake in stakes if stake < most or stake in (lowest, last_stake)]
        return [_bet(state, stake, is_again=stake == last_stake) for stake in offered]
    label = label_of_most(state.rules, most, facts.chips_left)
    return [
        _bet(
            state,
            stake,
            label if stake == most else "button.bet_this",
            placed=placed,
            # Who has bet changes that bet: the one before is over.
            is_again=placed is None and stake == last_stake,
        )
        for stake in stakes
    ]


def _bet(
    state: TableState,
    stake: int,
    label: str = "button.bet_this",
    *,
    placed: int | None = None,
    is_again: bool = False,
) -> Component:
    """A button that bets; the last bet again has the sign that *Again* has on the board."""
    action = PressAction.BET if label == "button.bet_this" else PressAction.BET_MOST
    press = Press(action, state.table_id, ANY_ROUND, stake)
    style = discord.ButtonStyle.danger if label == ALL_IN_LABEL else _SUCCESS
    words, emoji = bet_words(state.rules, label, stake), AGAIN_SIGN if is_again else None
    return button(press, words, style=style, disabled=stake == placed, emoji=emoji)


def _button(
    state: TableState, action: PressAction, label: str | None = None, *, emoji: str | None = None
) -> Component:
    """A button that works in any round."""
    press = Press(action, state.table_id, ANY_ROUND)
    return button(press, translate(label or f"button.{action}"), emoji=emoji)


def _press(state: TableState, action: PressAction) -> Press:
    return Press(action, state.table_id, state.round_number)
