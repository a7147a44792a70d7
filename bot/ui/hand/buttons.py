"""What a member can press on their own panel: only what they can do now; and how they arrange a hand."""

from collections.abc import Iterator, Sequence

import discord

from bot.games.hands import evaluate, is_ox, is_worse
from bot.games.register import game_of
from bot.games.settle import largest_multiple
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import Play
from bot.rules.pieces import OX_SIZE, Hand, Piece
from bot.table.preconditions import Action, unmet_precondition
from bot.table.seats import Bank, Seat
from bot.table.state import Phase, TableState
from bot.ui.components import Component, button, menu, option, row
from bot.ui.hand.own_hand import OwnHand, PanelFacts, arranged, evidence, may_arrange
from bot.ui.press.custom_ids import ANY_ROUND, Press, PressAction
from bot.ui.stakes import quick_stakes
from bot.words.hands import hand_name, hand_words, why_no_ox_words
from bot.words.translation import either, sentences, translate

_SUCCESS = discord.ButtonStyle.success


def panel_rows(state: TableState, facts: PanelFacts, own: OwnHand | None) -> list[Component]:
    """The rows of buttons below a member's panel; none once the table is closed.

    The message may be read rounds later: a bet from it is meant for whichever round is on by then.

    Args:
        own: the hand that the panel shows; None if it shows none.
    """
    if state.phase is Phase.CLOSED:
        return []
    seat, outside = state.seat_of(facts.party), facts.server_name is not None
    bets: list[Component] = []
    if state.is_banker(facts.party):
        moves = [*_bankers(state), _button(state, PressAction.GIVE_UP)]
    elif seat is not None:
        moves = [*_players(state, seat), _button(state, PressAction.LEAVE)]
        bets = [] if seat.stake is not None else _bets(state, seat.last_stake, facts)
    else:
        moves = [*_onlookers(state, outside=outside)]
        bets = [] if outside else _bets(state, None, facts)
    if own is not None and own.last_hidden:
        see = Press(PressAction.SEE_LAST, state.table_id, state.round_number)
        label = translate(f"button.see_last.{state.game.pieces.name}")
        moves.insert(0, button(see, label, style=discord.ButtonStyle.primary))
    look: list[Component] = []
    if not outside or state.phase is Phase.DEALT:
        # A message with a hand keeps it and its result, where a look would show what is on now.
        look.append(_button(state, PressAction.HAND, "button.look_again", emoji=state.game.pieces.emoji))
    if own is not None and (facts.offers_why or own.hand is not None):
        look.append(_why(state, own))
    if evidence(state, facts.party):
        look.append(_button(state, PressAction.FAIRNESS, emoji="🔒"))
    if state.phase is Phase.DEALT and own is not None:
        look.append(
            _button(state, PressAction.DONT_SQUEEZE if facts.squeezes else PressAction.SQUEEZE, emoji="🤏")
        )
    if facts.unreachable:
        look.append(_button(state, PressAction.MESSAGES, emoji="✉️"))
    return [row(*buttons) for buttons in (bets, moves, look) if buttons]


def resting_rows(state: TableState) -> list[Component]:
    """The row of a panel that is edited no more: what is pressed there shows how things are by then."""
    return [row(_button(state, PressAction.HAND, "button.look_again", emoji=state.game.pieces.emoji))]


def played_hand_rows(state: TableState, facts: PanelFacts, own: OwnHand | None) -> list[Component]:
    """The rows below a hand whose round is over: what works in any round while the member stays.

    Args:
        own: the hand; None if the round was called off.
    """
    if state.phase is Phase.CLOSED:
        return []
    seat, bets, moves = state.seat_of(facts.party), [], []
    if seat is not None:
        bets = _bets(state, seat.stake or seat.last_stake, facts, stays=True)
        moves.append(_button(state, PressAction.LEAVE))
    elif state.is_banker(facts.party):
        moves.append(_button(state, PressAction.GIVE_UP))
    if own is not None:
        moves += [_why(state, own), _button(state, PressAction.FAIRNESS, emoji="🔒")]
    return [row(*buttons) for buttons in (bets, moves) if buttons]


def _why(state: TableState, own: OwnHand) -> Component:
    why = Press(PressAction.WHY, state.table_id, own.round_number)
    return button(why, translate("button.why"), emoji="❔")


def _bankers(state: TableState) -> Iterator[Component]:
    assert state.bank is not None
    if _can_reveal(state, revealed=state.bank.revealed):
        yield _reveal(state)
    if unmet_precondition(state, Action.DEAL) is None:
        deal = Press(PressAction.DEAL, state.table_id, state.round_number)
        yield button(deal, translate("button.deal"), style=discord.ButtonStyle.primary)
    if unmet_precondition(state, Action.LIMITS) is None:
        yield _button(state, PressAction.LIMITS)


def _players(state: TableState, seat: Seat) -> Iterator[Component]:
    if seat.pieces and _can_reveal(state, revealed=seat.revealed):
        yield _reveal(state)
    if state.phase is not Phase.BETTING:
        return
    if seat.stake is not None:
        yield _button(state, PressAction.WITHDRAW, "button.withdraw_points" if state.for_points else None)
        if not state.for_points:
            yield _button(state, PressAction.OTHER_BET)
    elif not seat.sitting_out:
        yield _button(state, PressAction.SIT_OUT)


def _onlookers(state: TableState, *, outside: bool) -> Iterator[Component]:
    if not outside and unmet_precondition(state, Action.JOIN) is None:
        yield _button(state, PressAction.JOIN)


def _bets(
    state: TableState, last_stake: int | None, facts: PanelFacts, *, stays: bool = False
) -> list[Component]:
    """Bets to press: the same again and twice as much, or a few from the lowest on; the most; and any other.

    Who can no longer afford the same again gets the few as well.

    Args:
        last_stake: what the member bet last here, in chips; None if they have not bet yet.
        stays: whether the buttons stay when the member has other chips, so that no bet is called the most.
    """
    most = facts.most
    if not most or state.bank is None:
        return []
    if state.for_points:
        return [_button(state, PressAction.PLAY, emoji="✋")]
    again = () if last_stake is None else (last_stake, 2 * last_stake)
    stakes = [one for one in again if state.bank.lowest <= one <= most]
    stakes = stakes or list(quick_stakes(state.bank.lowest, most))
    if stays:
        return [*(_bet(state, stake) for stake in stakes), _button(state, PressAction.OTHER_BET)]
    # Who bet the most last time is offered less, too.
    below = [one for one in stakes if one < most]
    below = below or [one for one in quick_stakes(state.bank.lowest, most) if one < most][-2:]
    bets = [_bet(state, stake) for stake in below]
    bets.append(_bet(state, most, _label_of_most(state, facts)))
    return [*bets, _button(state, PressAction.OTHER_BET)]


def _bet(state: TableState, stake: int, label: str = "button.bet_this") -> Component:
    press = Press(PressAction.BET, state.table_id, ANY_ROUND, stake)
    style = discord.ButtonStyle.danger if label.startswith("button.all_in") else _SUCCESS
    multiple = largest_multiple(state.rules)
    words = translate(label, stake=stake, multiple=multiple, held=multiple * stake)
    return button(press, words, style=style)


def _label_of_most(state: TableState, facts: PanelFacts) -> str:
    """What the button of the largest bet says: also what that holds, if it is all that the member has."""
    if not facts.all_in:
        return "button.most"
    return "button.all_in" if largest_multiple(state.rules) == 1 else "button.all_in_holds"


def _can_reveal(state: TableState, *, revealed: bool) -> bool:
    return not revealed and unmet_precondition(state, Action.REVEAL) is None


def _reveal(state: TableState) -> Component:
    press = Press(PressAction.REVEAL, state.table_id, state.round_number)
    return button(press, translate("button.reveal"), style=_SUCCESS)


def _button(
    state: TableState, action: PressAction, label: str | None = None, *, emoji: str | None = None
) -> Component:
    """A button that works in any round."""
    press = Press(action, state.table_id, ANY_ROUND)
    return button(press, translate(label or f"button.{action}"), emoji=emoji)


def hand_lines(state: TableState, place: Seat | Bank) -> str:
    """What the member's hand is, or the question which three to choose."""
    hand = arranged(state, place)
    if hand is None:
        pieces = " ".join(map(state.game.pieces.shown, place.pieces))
        lines = [f"**{pieces}**", translate(f"panel.arrange.{state.rules.game}")]
        if state.side_bets_on(place.party):
            lines.append(translate("panel.backed"))
        return "\n".join(lines)
    lines = [f"**{hand_name(hand)}** · {hand_words(hand)}{_wins(hand, state.rules)}"]
    if place.declared_ox is not None:
        lines.append(_chosen(place.pieces, place.declared_ox, hand, state.rules))
    return "\n".join(lines)


def arranging_rows(state: TableState, place: Seat | Bank) -> list[Component]:
    """The menu of the five pieces and a button for the strongest way; empty if neither is possible."""
    if not may_arrange(state, place):
        return []
    options = [
        option(
            state.game.pieces.shown(piece),
            str(at),
            translate(
                "panel.piece_counts", points=either(list(map(str, state.game.points(piece, state.rules))))
            ),
            default=at in (place.declared_ox or ()),
        )
        for at, piece in enumerate(place.pieces)
    ]
    placeholder = translate(f"panel.choose_three.{state.rules.game}")
    pick = menu(_press(state, PressAction.ARRANGE), placeholder, options, choices=OX_SIZE)
    strongest = button(_press(state, PressAction.STRONGEST), translate("button.strongest"), emoji="✨")
    return [row(pick), row(strongest)]


def chosen_places(values: Sequence[str]) -> tuple[int, ...] | None:
    """The places that were picked in the menu; None if they are not three places of a hand."""
    places = {int(value) for value in values if value in {"0", "1", "2", "3", "4"}}
    return tuple(sorted(places)) if len(places) == OX_SIZE == len(values) else None


def strongest_three(pieces: Sequence[Piece], rules: HouseRules) -> tuple[int, ...] | None:
    """The places of the ox in the strongest arrangement; None if it has none."""
    places, ox = list[int](), list(evaluate(pieces, rules).ox)
    for at, piece in enumerate(pieces):
        if piece in ox:
            ox.remove(piece)
            places.append(at)
    return tuple(places) or None


def why_no_ox(pieces: Sequence[Piece], three: Sequence[int], rules: HouseRules) -> str:
    """Why three pieces are no ox, in a house that refuses them."""
    wrong = why_no_ox_words([pieces[at] for at in three], rules)
    return translate("panel.wrong_three", why=wrong)


def why_not_backed(pieces: Sequence[Piece], three: Sequence[int], rules: HouseRules, refused: str) -> str:
    """Why a choice is refused for a backed hand; what is wrong with the three comes first."""
    chosen = [pieces[at] for at in three]
    if is_ox(chosen, rules):
        return f"✖ {refused}"
    return sentences([translate("panel.wrong", why=why_no_ox_words(chosen, rules)), refused])


def _chosen(pieces: Sequence[Piece], three: Sequence[int], hand: Hand, rules: HouseRules) -> str:
    """What the choice has made of a hand."""
    chosen = [pieces[at] for at in three]
    if not is_ox(chosen, rules):
        # Only a strict house accepts that; a hand that needs no ox keeps its class.
        wrong, stands = translate("panel.wrong", why=why_no_ox_words(chosen, rules)), ""
        if hand.rank == game_of(rules).no_ox:
            stands = translate("panel.wrong_stands", hand=hand_name(hand))
        return f"-# {sentences([wrong, stands])}"
    # The strongest way may also be the bot's: the text must be true of both.
    worse = is_worse(hand, evaluate(pieces, rules))
    return f"-# {translate('panel.arranged' if worse else 'panel.arranged_strongest')}"


def _wins(hand: Hand, rules: HouseRules) -> str:
    if not hand.multiple:
        return ""
    if rules.play is Play.POINTS:
        return f" · {translate('panel.wins_points', points=hand.multiple)}"
    return f" · {translate('panel.wins_times', times=hand.multiple)}"


def _press(state: TableState, action: PressAction) -> Press:
    return Press(action, state.table_id, state.round_number)
