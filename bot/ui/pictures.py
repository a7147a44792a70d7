"""Pictures for messages: what a table shows, rendered off the event loop."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Final, TypeVar

from cachetools import LRUCache

from bot.games.hands import counts, odd_counts, own_points
from bot.games.lesson import example_hands
from bot.pictures.alt_text import AltWords, hand_alt_text, showdown_alt_text
from bot.pictures.compose import hand_picture, showdown_picture
from bot.pictures.pictured_hand import PicturedHand
from bot.pictures.podium import podium_picture
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import GameName
from bot.rules.pieces import Hand, Piece
from bot.table.state import RoundResult, hand_in
from bot.ui.hand.own_hand import OwnHand, Unseen
from bot.wire.requests import Attachment
from bot.words.hands import rank_name
from bot.words.translation import Reader, reader, translate

What = TypeVar("What")

PICTURES_KEPT: Final = 512
"""How many pictures of hands are kept: about 6 MB."""
_RENDERING: Final = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pictures")
"""A single thread: each would hold memory of its own for pictures in progress."""


async def render_showdown(result: RoundResult, name: str, celebrated: int | None = None) -> Attachment:
    """All hands of a round as they were played, the banker's first; that of the party `celebrated` framed."""
    rules = result.rules
    hands = [replace(_face_up(hand_in(result, result), rules), framed=result.banker == celebrated)]
    hands += [
        replace(
            _face_up(hand_in(result, player), rules),
            seat=player.seat,
            outcome=player.outcome,
            framed=player.party == celebrated,
        )
        for player in result.players
    ]
    png = await rendered(showdown_picture, hands)
    return Attachment(name, png, showdown_alt_text(hands, _alt_words(rules.game)))


async def render_examples(rules: HouseRules) -> Attachment:
    """A hand for each row of the ranking, numbered from the strongest."""
    hands = example_hands(rules)
    pictured = [replace(_face_up(hand, rules), seat=place) for place, hand in enumerate(hands, start=1)]
    words = _alt_words(rules.game)
    text = "\n".join(
        translate(
            "guide.alt",
            place=place,
            name=rank_name(hand.rank, hand.game),
            pieces=hand_alt_text(_face_up(hand, rules), words),
        )
        for place, hand in enumerate(hands, start=1)
    )
    return Attachment("hands.png", await rendered(showdown_picture, pictured), text)


async def render_podium(figures: Sequence[str], text: str) -> Attachment:
    """The figures of the three first of a leaderboard; `text` says so to those who cannot see it."""
    return Attachment("podium.png", await rendered(podium_picture, figures), text)


async def render_dealt(pieces: tuple[Piece, ...], rules: HouseRules) -> Attachment:
    """A hand as it was dealt, which gives nothing away."""
    return await _render_hand(OwnHand(rules, 0, pieces, None, None, Unseen.OX))


async def render_arranged(hand: Hand, rules: HouseRules, *, framed: bool = False) -> Attachment:
    """A hand as it is arranged."""
    return await _render_hand(OwnHand(rules, 0, hand.pieces, None, hand, framed=framed))


async def render_counted(hand: Hand, rules: HouseRules) -> Attachment:
    """A hand with what each piece counts printed on it; without an ox, each piece's own points."""
    printed = counts(hand, rules) or own_points(hand.pieces, rules)
    pictured = PicturedHand.face_up(hand, counts=printed)
    return await _attached("hand-0.png", pictured)


class HandPictures:
    """The newest pictures of hands: each is made once, for a direct message and every look behind it."""

    def __init__(self) -> None:
        self._pictures: LRUCache[tuple[int, int, str, Reader], asyncio.Task[Attachment]]
        self._pictures = LRUCache(PICTURES_KEPT)

    async def of(self, table_id: int, party: int, own: OwnHand) -> Attachment:
        """The hand of a member at a table; as it was dealt if they still have to arrange it (B04)."""
        key = table_id, party, own.picture_name, reader()
        rendering = self._pictures.get(key)
        if rendering is None:
            # A task, so that looks at the same moment wait for one rendering.
            rendering = self._pictures[key] = asyncio.create_task(_render_hand(own))
        try:
            return await asyncio.shield(rendering)
        except Exception:
            self._pictures.pop(key, None)
            raise


async def _render_hand(own: OwnHand) -> Attachment:
    if own.hand is None:
        dealt = PicturedHand.dealt(own.pieces, own.rules.game, last_hidden=own.unseen is Unseen.LAST)
        return await _attached(own.picture_name, dealt, arranged=False)
    hand = replace(_face_up(own.hand, own.rules), framed=own.framed)
    if own.played is None:
        return await _attached(own.picture_name, hand)
    other = PicturedHand(game=own.hand.game) if own.other is None else _face_up(own.other, own.rules)
    outcome = None if own.other is None else own.played.outcome
    if own.banks:
        duel = [hand, replace(other, seat=own.played.seat, outcome=outcome)]
    else:
        duel = [replace(hand, seat=own.played.seat, outcome=outcome), other]
    text = showdown_alt_text(duel, _alt_words(own.hand.game))
    return Attachment(own.picture_name, await rendered(showdown_picture, duel), text)


def _face_up(hand: Hand, rules: HouseRules) -> PicturedHand:
    """A hand face up, marked where a piece counts something else than it shows."""
    return PicturedHand.face_up(hand, counts=odd_counts(hand, rules))


async def _attached(name: str, hand: PicturedHand, *, arranged: bool = True) -> Attachment:
    text = hand_alt_text(hand, _alt_words(hand.game, arranged=arranged))
    return Attachment(name, await rendered(hand_picture, hand), text)


async def rendered(render: Callable[[What], bytes], what: What) -> bytes:
    """A picture, rendered off the event loop."""
    return await asyncio.get_running_loop().run_in_executor(_RENDERING, render, what)


def _alt_words(game: GameName, *, arranged: bool = True) -> AltWords:
    """The words of a picture's alternative text, in the reader's language."""
    return AltWords(
        bank=translate("alt.bank"),
        # The placeholder is filled in where the text is made.
        seat=translate("alt.seat", seat="{seat}"),
        ox=translate(f"alt.ox.{game}"),
        power=translate(f"alt.power.{game}"),
        rest=translate(f"alt.rest.{game}" if arranged else "alt.unarranged"),
        wild=translate("alt.wild"),
        face_down=translate("alt.face_down"),
        won=translate("alt.won"),
        lost=translate("alt.lost"),
        push=translate("alt.push"),
    )
