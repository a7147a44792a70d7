"""Composing pictures: sprites are pasted where the layout says, and written as an indexed PNG."""

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Final, TypeVarTuple

from PIL import Image

from bot.pictures import layout
from bot.pictures.badges import FRAME, crown_badge, frame, outcome_mark, rays, seat_badge, star_mark, tray
from bot.pictures.layout import PieceSize
from bot.pictures.pictured_hand import BANK, PicturedHand
from bot.pictures.piece_art import art_of
from bot.pictures.png import DEEP_GOLD, GILT, GOLD, TABLE, TRAY, WRITTEN_GILT, png, sheet
from bot.rules.knobs import GameName
from bot.rules.pieces import HAND_SIZE, Piece

HANDS_IN_ROW: Final = 2
"""As many hands of many as fit the width of a phone."""
FEW_HANDS: Final = 4
"""As many wide hands as fit the height of a board one below the other."""
FLAT_HANDS: Final = 7
"""As many flat ones; only more hands than these are not in the order of the list below them."""
_What = TypeVarTuple("_What")

SPRITES: Final[dict[tuple[object, ...], Image.Image]] = {}
"""What has been rendered, by what it is of."""
_rendering: Final = Lock()


def hand_picture(hand: PicturedHand) -> bytes:
    """One hand as a PNG, 900 × 260 pixels for cards, without its seat and outcome."""
    size = art_of(hand.game).large
    (left, top), width = layout.HAND_MARGIN, layout.hand_width(size)
    picture = sheet(width + 2 * left, layout.tray_height(size) + 2 * top, TABLE)
    if hand.framed:
        _lay_frame(picture, left, top, width, size)
    lay_hand(picture, hand, left, top, size)
    return png(picture)


def showdown_plan(game: GameName, hands: int) -> layout.Layout:
    """Where a showdown shows its hands: two of them large, up to seven one below the other."""
    art = art_of(game)
    if hands <= HANDS_IN_ROW:
        return layout.showdown(art.large, hands, in_row=1)
    if hands <= FLAT_HANDS:
        return layout.showdown(art.wide if hands <= FEW_HANDS else art.flat, hands, in_row=1)
    return layout.showdown(art.small, hands, HANDS_IN_ROW)


def showdown_picture(hands: Sequence[PicturedHand]) -> bytes:
    """The hands of a round as a PNG, in the order given.

    The banker's hand has a crown. The others have the number of their seat, and the mark of their outcome if
    they have one.
    """
    plan = showdown_plan(hands[0].game, len(hands))
    picture = sheet(plan.width, plan.height, TABLE)
    for hand, place in zip(hands, plan.places, strict=True):
        if hand.framed:
            width = place.hand_left - place.left + layout.hand_width(place.size)
            _lay_frame(picture, place.left, place.top, width, place.size)
        _lay_badge(picture, hand, place)
        lay_hand(picture, hand, place.hand_left, place.top, place.size)
    return png(picture)


def sprite(render: Callable[[*_What], Image.Image], *what: *_What) -> Image.Image:
    """The picture that `render` makes of some hashable values, cached. Paste it, but never change it.

    It is safe to call from several threads: one renders, and the others wait.
    """
    key = (render, *what)
    with _rendering:
        if key not in SPRITES:
            image = render(*what)
            # Pillow completes a palette at the first read: do it here, where only one thread sees it.
            image.load()
            SPRITES[key] = image
        return SPRITES[key]


def _lay_frame(picture: Image.Image, left: int, top: int, width: int, size: PieceSize) -> None:
    """Lays a frame of gold around a hand, and its badge if that is within the width."""
    height = layout.tray_height(size) + 2 * FRAME
    gold = sprite(frame, width + 2 * FRAME, height, size.tray_radius + FRAME)
    picture.paste(gold, (left - FRAME, top - FRAME))


def _lay_badge(picture: Image.Image, hand: PicturedHand, place: layout.Place) -> None:
    badge_size, height = place.size.badge, layout.tray_height(place.size)
    if hand.seat is BANK:
        # It is alone beside its hand, and a crown is flat: it takes the margins too, unless a frame does.
        beyond = 0 if hand.framed else layout.BADGE_BEYOND
        crown_size = badge_size + 2 * beyond
        crown = sprite(crown_badge, crown_size)
        picture.paste(crown, (place.left - beyond, place.top + (height - crown_size) // 2))
        return
    badge = sprite(seat_badge, hand.seat, badge_size)
    if hand.outcome is None:
        picture.paste(badge, (place.left, place.top + (height - badge_size) // 2))
        return
    mark = sprite(star_mark, badge_size) if hand.framed else sprite(outcome_mark, hand.outcome, badge_size)
    gap = (height - 2 * badge_size) // 3
    picture.paste(badge, (place.left, place.top + gap))
    picture.paste(mark, (place.left, place.top + 2 * gap + badge_size))


def lay_hand(picture: Image.Image, hand: PicturedHand, left: int, top: int, size: PieceSize) -> None:
    """Lays a hand in its trays."""
    art, counts = art_of(hand.game), iter(hand.counts)
    parts: list[tuple[Piece | None, ...]] = [part for part in (hand.ox, hand.power, hand.rest) if part]
    if hand.last_hidden:
        parts = [(*hand.rest, None)]
    parts = parts or [(None,) * HAND_SIZE]
    groups = layout.groups(size) if hand.ox else (layout.row(size),)
    for part, group in zip(parts, groups, strict=True):
        rim = (DEEP_GOLD if hand.framed else GOLD) if part == hand.power else TRAY
        inlay = sprite(tray, group.width, layout.tray_height(size), size.tray_radius, rim)
        picture.paste(inlay, (left + group.left, top))
        for piece, across in zip(part, group.pieces, strict=True):
            if piece is None:
                image = sprite(art.back, size)
            else:
                image = sprite(art.face, piece, size, next(counts, None))
            picture.paste(image, (left + across, top + size.padding))
    if hand.framed:
        _gild(picture, left, top, size)


def _gild(picture: Image.Image, left: int, top: int, size: PieceSize) -> None:
    """Makes the trays of a hand gold, with rays from its middle."""
    width, height = layout.hand_width(size), layout.tray_height(size)
    pieces = size.padding + size.height
    lit = sprite(rays, width, height)
    for above, below, gilt in ((0, pieces, GILT), (pieces, height, WRITTEN_GILT)):
        trays = picture.crop((left, top + above, left + width, top + below))
        gold, bright = (trays.point(colours) for colours in gilt)
        gold.paste(bright, mask=lit.crop((0, above, width, below)))
        picture.paste(gold, (left, top + above))
