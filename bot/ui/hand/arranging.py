"""What a member reads of the hand that they hold, and how they find its ox or arrange it (B04)."""

from collections.abc import Sequence

import discord

from bot.games.hands import evaluate, hand_of, is_ox, is_worse
from bot.games.lesson import Three, Verdict
from bot.games.register import game_of
from bot.games.settle import largest_multiple
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import Arrange, Play
from bot.rules.pieces import Hand, Piece
from bot.table.state import Bank, Seat, TableState
from bot.table.story import GREAT_MULTIPLE, Feat
from bot.ui.components import Component, button, row
from bot.ui.hand.own_hand import OwnHand, PanelFacts, Unseen, is_new, may_arrange
from bot.ui.press.custom_ids import Press, PressAction
from bot.words.hands import hand_name, made_words, power_sum, rank_name, ways_to_add, why_no_ox_words
from bot.words.translation import sentences, translate


def hand_lines(state: TableState, place: Seat | Bank, facts: PanelFacts) -> str:
    """What the member's hand is, or the question which three to choose; the picture above has the pieces.

    Who is new reads what makes it: its name may say nothing to them yet. A hand that can win much is a
    heading, and so is each that its member has squeezed, or found.
    """
    assert facts.own is not None
    hand = facts.own.hand
    if hand is None:
        if not may_arrange(state, place):
            also = game_of(state.rules).display.also_ox(state.rules)
            question = f"**{translate(f'learn.find.{state.rules.game}')}**"
            return "\n".join([question, *([] if also is None else [f"-# {translate(f'{also}.short')}"])])
        lines = [translate(f"panel.arrange.{state.rules.game}")]
        if state.side_bets_on(place.party):
            lines.append(translate("panel.backed"))
        elif state.rules.arrange is Arrange.STRICT:
            lines.append(translate("panel.find_it"))
        return "\n".join(lines)
    is_great = hand.multiple >= GREAT_MULTIPLE
    made = made_words(hand, state.rules) if is_new(state, facts) or is_great else power_sum(hand, state.rules)
    told = list(filter(None, (made, _wins(hand, state.rules))))
    as_line = " · ".join(told)
    as_line = f"{as_line[:1].upper()}{as_line[1:]}"
    if is_great and facts.celebrates:
        name = translate(f"celebrate.{Feat.GREAT_HAND}", hand=hand_name(hand))
        lines = [f"## {name.upper()}", as_line]
    elif facts.squeezes or facts.finds_ox:
        lines = [f"### {hand_name(hand)}", *([as_line] if told else [])]
    else:
        lines = [" · ".join([f"**{hand_name(hand)}**", *told])]
    if place.declared_ox is not None:
        lines.append(_chosen(place.pieces, place.declared_ox, hand, state.rules))
    return "\n".join(lines)


def says_why(hand: Hand, rules: HouseRules) -> bool:
    """Whether `hand_lines` say to every reader what makes a hand."""
    return bool(power_sum(hand, rules)) or hand.multiple >= GREAT_MULTIPLE


def arranging_rows(state: TableState, place: Seat | Bank, own: OwnHand) -> list[Component]:
    """The five pieces to pick three of, and the other answers; empty if there is nothing to find or arrange.

    They are above *Reveal*, which moves for none of them.
    """
    if own.unseen is Unseen.LAST or not (own.unseen or may_arrange(state, place)):
        return []
    pieces = [_piece(state, piece, at, is_picked=at in own.picked) for at, piece in enumerate(place.pieces)]
    # Where mistakes stand, finding it is the game; but a backed hand allows nothing else (B08).
    if state.rules.arrange is Arrange.STRICT and not state.side_bets_on(place.party):
        return [row(*pieces)]
    none = rank_name(game_of(state.rules).no_ox, state.rules.game)
    no_ox = button(_press(state, PressAction.NO_OX), none, disabled=own.unseen is None)
    help_me = button(_press(state, PressAction.STRONGEST), translate("button.strongest"), emoji="✨")
    return [row(*pieces), row(no_ox, help_me)]


def _piece(state: TableState, piece: Piece, at: int, *, is_picked: bool) -> Component:
    """A piece of the hand to pick; what it counts is said where its name does not say it."""
    shown, points = state.game.pieces.shown(piece), "/".join(map(str, state.game.points(piece, state.rules)))
    label = shown if shown.startswith(points) else f"{shown} = {points}"
    style = discord.ButtonStyle.primary if is_picked else discord.ButtonStyle.secondary
    return button(_press(state, PressAction.ARRANGE, at), label, style=style)


def _press(state: TableState, action: PressAction, at: int | None = None) -> Press:
    return Press(action, state.table_id, state.round_number, at)


def strongest_three(pieces: Sequence[Piece], rules: HouseRules) -> tuple[int, ...] | None:
    """The places of the ox in the strongest arrangement; None if it has none."""
    places, ox = list[int](), list(evaluate(pieces, rules).ox)
    for at, piece in enumerate(pieces):
        if piece in ox:
            ox.remove(piece)
            places.append(at)
    return tuple(places) or None


def answer_words(said: Verdict, pieces: Sequence[Piece], three: Three, rules: HouseRules) -> str:
    """A verdict, in words, on the three that a member takes for the ox, or on saying that there is none."""
    match said:
        case Verdict.RIGHT if three:
            return translate("panel.found")
        case Verdict.RIGHT:
            hand = evaluate(pieces, rules)
            has_none = hand.rank == game_of(rules).no_ox
            return translate("panel.right_none" if has_none else "panel.needs_none", hand=hand_name(hand))
        case Verdict.WEAKER:
            return translate("panel.weaker_three", hand=hand_name(hand_of(pieces, three, rules)))
        case Verdict.NOT_AN_OX:
            return translate("panel.wrong_three", sum=ways_to_add([pieces[at] for at in three], rules))
        case Verdict.MISSED:
            return translate("panel.missed_ox")


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
        return translate("panel.wins_nothing")
    # Where every hand pays its bet, that goes without saying.
    if largest_multiple(rules) == 1:
        return ""
    if rules.play is Play.POINTS:
        return translate("panel.wins_points", points=hand.multiple)
    return translate("panel.wins_times", times=hand.multiple)
