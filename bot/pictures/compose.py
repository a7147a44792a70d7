"""Composing a picture: sprites pasted where the layout says, written as an indexed PNG."""

from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO
from typing import Final

from PIL import Image

from bot.pictures import layout
from bot.pictures.cuts import Cut
from bot.pictures.hands import BANK, PicturedHand
from bot.pictures.kinds import KINDS
from bot.pictures.marks import crown_badge, outcome_mark, seat_badge, tray
from bot.pictures.palette import GOLD, TABLE, TRAY, sheet
from bot.pictures.sprites import sprite
from bot.rules.game import HAND_SIZE
from bot.rules.games import GAMES
from bot.rules.pieces import Piece

MOST_HANDS: Final = 1 + max(game.most_players for game in GAMES.values())
"""The most hands in one picture: the banker's and those of as many players as a table can have."""
_HANDS_KEPT: Final = 256
_SHOWDOWNS_KEPT: Final = 64
"""Pictures remembered: at most some 4 MB of single hands, and 10 MB of rounds."""
QUICK: Final = 1
"""zlib's level for what is sent at once: the usual 6 takes twice the time to save a third of the bytes."""


def hand_picture(hand: PicturedHand) -> bytes:
    """One hand as a PNG, 900 × 260 pixels of cards; of whose it is and how it fared it shows nothing."""
    return _hand_png(PicturedHand(hand.ox, hand.power, hand.rest, game=hand.game))


def showdown_picture(hands: Sequence[PicturedHand]) -> bytes:
    """The hands of a round, as a PNG: the banker's first, the others as they come.

    The banker's bears a crown, the others the number of their seat, and the mark of their outcome once
    there is one. Hands not yet turned up show their backs, so that it serves while a round goes on as well.

    Raises:
        ValueError: where there is no hand, more than `MOST_HANDS`, two bankers, or hands of two games.
    """
    if not 1 <= len(hands) <= MOST_HANDS:
        raise ValueError(f"a picture shows 1 to {MOST_HANDS} hands, not {len(hands)}")
    bankers = tuple(hand for hand in hands if hand.seat is BANK)
    if len(bankers) > 1:
        raise ValueError(f"a round has one banker, not {len(bankers)}")
    games = sorted({hand.game for hand in hands})
    if len(games) > 1:
        raise ValueError(f"a round is of one game, not of {' and '.join(games)}")
    return _showdown_png(bankers + tuple(hand for hand in hands if hand.seat is not BANK))


@lru_cache(maxsize=_HANDS_KEPT)
def _hand_png(hand: PicturedHand) -> bytes:
    return png(composed_hand(hand))


@lru_cache(maxsize=_SHOWDOWNS_KEPT)
def _showdown_png(hands: tuple[PicturedHand, ...]) -> bytes:
    return png(composed_showdown(hands))


def composed_hand(hand: PicturedHand) -> Image.Image:
    """The picture of one hand, before it is written."""
    cut = KINDS[hand.game].large
    left, top = layout.HAND_MARGIN
    picture = sheet(layout.hand_width(cut) + 2 * left, layout.tray_height(cut) + 2 * top, TABLE)
    _lay_hand(picture, hand, left, top, cut)
    return picture


def composed_showdown(hands: Sequence[PicturedHand]) -> Image.Image:
    """The picture of a round, before it is written; the banker's hand, if there, comes first in `hands`."""
    bank, kind = hands[0].seat is BANK, KINDS[hands[0].game]
    plan = layout.showdown(kind.large, kind.small, bank=bank, players=len(hands) - bank)
    picture = sheet(plan.width, plan.height, TABLE)
    for hand, place in zip(hands, plan.places, strict=True):
        _lay_badge(picture, hand, place)
        _lay_hand(picture, hand, place.hand_left, place.top, place.cut)
    return picture


def png(picture: Image.Image, level: int = QUICK) -> bytes:
    """The picture as a PNG, deflated at a zlib level from 0 to 9."""
    written = BytesIO()
    picture.save(written, "PNG", compress_level=level)
    return written.getvalue()


def _lay_badge(picture: Image.Image, hand: PicturedHand, place: layout.Place) -> None:
    size, height = place.cut.badge, layout.tray_height(place.cut)
    badge = sprite(crown_badge, size) if hand.seat is BANK else sprite(seat_badge, hand.seat, size)
    if hand.outcome is None:
        picture.paste(badge, (place.left, place.top + (height - size) // 2))
        return
    mark = sprite(outcome_mark, hand.outcome, size)
    gap = (height - 2 * size) // 3
    picture.paste(badge, (place.left, place.top + gap))
    picture.paste(mark, (place.left, place.top + 2 * gap + size))


def _lay_hand(picture: Image.Image, hand: PicturedHand, left: int, top: int, cut: Cut) -> None:
    kind = KINDS[hand.game]
    parts: list[tuple[Piece | None, ...]] = [part for part in (hand.ox, hand.power, hand.rest) if part]
    if hand.is_face_down:
        parts = [(None,) * HAND_SIZE]
    for part, group in zip(parts, layout.groups([len(part) for part in parts], cut), strict=True):
        rim = GOLD if part == hand.power else TRAY
        inlay = sprite(tray, group.width, layout.tray_height(cut), cut.tray_radius, rim)
        picture.paste(inlay, (left + group.left, top))
        for piece, across in zip(part, group.pieces, strict=True):
            drawn = sprite(kind.back, cut) if piece is None else sprite(kind.face, piece, cut)
            picture.paste(drawn, (left + across, top + cut.padding))
