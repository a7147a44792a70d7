"""How a member arranges his own hand: a menu of the five pieces, and what a choice makes of them (B04)."""

from collections.abc import Sequence
from typing import Any

import discord

from bot.rules.game import OX_SIZE, Hand
from bot.rules.games import game_of
from bot.rules.hands import evaluate
from bot.rules.knobs import HouseRules, Play
from bot.rules.pieces import Piece
from bot.table.arranging import hand_of
from bot.table.preconditions import Action, unmet_precondition
from bot.table.state import Bank, Seat, TableState
from bot.ui.views.presses import Press, PressAction, table_button, table_menu
from bot.words import hand_name, hand_words, why_no_ox_words


def arranged(state: TableState, place: Seat | Bank) -> Hand | None:
    """The hand as its player is shown it; None while he is still to arrange it himself (B04).

    What it is worth unarranged is not said before he asks, so that finding it is left to him.
    """
    if may_arrange(state, place) and place.declared_ox is None:
        return None
    return hand_of(place.pieces, place.declared_ox, state.rules)


def may_arrange(state: TableState, place: Seat | Bank) -> bool:
    """Whether the member can arrange the hand himself now, or otherwise than he did."""
    return bool(place.pieces) and not place.revealed and unmet_precondition(state, Action.ARRANGE) is None


def hand_picture_name(state: TableState, place: Seat | Bank) -> str:
    """The file of a hand's picture as a message carries it: another for each way it is arranged."""
    if place.declared_ox is not None:
        way = f"-{''.join(map(str, place.declared_ox))}"
    else:
        way = "-dealt" if arranged(state, place) is None else ""
    return f"hand-{state.round_number}{way}.png"


def is_hand_picture(name: str, round_number: int) -> bool:
    """Whether the file is a picture of a hand of that round."""
    return name.split(".")[0].split("-")[:2] == ["hand", str(round_number)]


def hand_lines(state: TableState, place: Seat | Bank) -> str:
    """What the member's hand is, or that it is for him to say, and what a wrong choice makes of it."""
    hand = arranged(state, place)
    word = state.game.ox_word
    if hand is None:
        pieces = " ".join(map(state.game.shown, place.pieces))
        return (
            f"**{pieces}**\nChoose the three of your {word}. If you choose none, your hand is arranged for "
            "you, the strongest way."
        )
    lines = [f"**{hand_name(hand)}** · {hand_words(hand)}{_wins(hand, state.rules)}"]
    if place.declared_ox is not None:
        lines.append(_chosen(place.pieces, place.declared_ox, hand, state.rules))
    return "\n".join(lines)


def arranging_rows(state: TableState, place: Seat | Bank) -> list[discord.ui.ActionRow[Any]]:
    """The menu of the five pieces, and the button that leaves it to the bot; none where he cannot arrange."""
    if not may_arrange(state, place):
        return []
    options = [
        discord.SelectOption(
            label=state.game.shown(piece),
            value=str(at),
            description=f"counts {' or '.join(map(str, state.game.points(piece, state.rules)))}",
            default=at in (place.declared_ox or ()),
        )
        for at, piece in enumerate(place.pieces)
    ]
    word = state.game.ox_word
    menu = table_menu(
        _press(state, PressAction.ARRANGE), f"The three of your {word}…", options, choices=OX_SIZE
    )
    strongest = table_button(_press(state, PressAction.STRONGEST), "Arrange it for me", emoji="✨")
    return [discord.ui.ActionRow(menu), discord.ui.ActionRow(strongest)]


def chosen_places(values: Sequence[str]) -> tuple[int, ...] | None:
    """The places that a choice in the menu names; None where it names no three of a hand."""
    places = {int(value) for value in values if value in {"0", "1", "2", "3", "4"}}
    return tuple(sorted(places)) if len(places) == OX_SIZE == len(values) else None


def strongest_three(pieces: Sequence[Piece], rules: HouseRules) -> tuple[int, ...] | None:
    """The places of the ox in the strongest arrangement; None where that has none."""
    places, ox = list[int](), list(evaluate(pieces, rules).ox)
    for at, piece in enumerate(pieces):
        if piece in ox:
            ox.remove(piece)
            places.append(at)
    return tuple(places) or None


def why_no_ox(pieces: Sequence[Piece], three: Sequence[int], rules: HouseRules) -> str:
    """What is said of three that are no ox where these are refused."""
    wrong = why_no_ox_words([pieces[at] for at in three], rules)
    return f"✖ {wrong}. Choose another three."


def _chosen(pieces: Sequence[Piece], three: Sequence[int], hand: Hand, rules: HouseRules) -> str:
    """What the choice has made of a hand."""
    chosen = [pieces[at] for at in three]
    if not game_of(rules).is_ox(chosen, rules):
        # Only a strict house lets that stand; what needs no ox is what it is all the same.
        stands = "" if hand.multiple else " In this house that stands."
        return f"-# ✖ {why_no_ox_words(chosen, rules)}.{stands}"
    return "-# As you arranged it; you may choose otherwise until it is turned up."


def _wins(hand: Hand, rules: HouseRules) -> str:
    if not hand.multiple:
        return ""
    if rules.play is Play.POINTS:
        return f" · wins {hand.multiple} {'point' if hand.multiple == 1 else 'points'}"
    return f" · wins ×{hand.multiple}"


def _press(state: TableState, action: PressAction) -> Press:
    return Press(state.table_id, state.round_number, action)
