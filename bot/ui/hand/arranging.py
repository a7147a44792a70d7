"""How a member arranges a hand: a menu of the five pieces, and what a choice makes of them (B04)."""

from collections.abc import Sequence

from bot.games.hands import evaluate, is_ox, is_worse
from bot.games.register import game_of
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import Play
from bot.rules.pieces import OX_SIZE, Hand, Piece
from bot.table.seats import Bank, Seat
from bot.table.state import TableState
from bot.ui.components import Component, button, menu, option, row
from bot.ui.hand.own_hand import arranged, may_arrange
from bot.ui.press.custom_ids import TableAction, TablePress
from bot.words.hands import hand_name, hand_words, why_no_ox_words
from bot.words.translation import either, sentences, translate


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
    pick = menu(_press(state, TableAction.ARRANGE), placeholder, options, choices=OX_SIZE)
    strongest = button(_press(state, TableAction.STRONGEST), translate("button.strongest"), emoji="✨")
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


def _press(state: TableState, action: TableAction) -> TablePress:
    return TablePress(state.table_id, state.round_number, action)
