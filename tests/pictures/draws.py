"""What Hypothesis draws for the pictures, and how a PNG is read back."""

from io import BytesIO

from hypothesis import strategies as st
from PIL import Image

from bot.pictures import MOST_HANDS, PicturedHand
from bot.rules.cards import Card, deck, parse_cards
from bot.rules.settle import Outcome

_FIVE = st.lists(st.sampled_from(deck()), min_size=5, max_size=5).map(tuple)


def _grouped(cards: tuple[Card, ...], way: str) -> dict[str, tuple[Card, ...]]:
    ways = {"ox": {"ox": cards[:3], "power": cards[3:]}, "power": {"power": cards}, "rest": {"rest": cards}}
    return ways[way]


def hands(seat: int | None) -> st.SearchStrategy[PicturedHand]:
    """A hand at this seat, in any grouping, face up with any outcome, or face down."""
    outcomes = st.none() if seat is None else st.sampled_from([None, *Outcome])
    return st.builds(
        lambda cards, way, outcome: PicturedHand(**_grouped(cards, way), seat=seat, outcome=outcome),
        _FIVE,
        st.sampled_from(["ox", "power", "rest"]),
        outcomes,
    ) | st.just(PicturedHand.face_down(seat=seat))


def rounds() -> st.SearchStrategy[tuple[PicturedHand, ...]]:
    """The banker's hand and up to 19 players'."""
    return st.integers(0, MOST_HANDS - 1).flatmap(
        lambda players: st.tuples(hands(None), *(hands(seat) for seat in range(1, players + 1)))
    )


def arranged(ox: str, power: str, seat: int | None = None, outcome: Outcome | None = None) -> PicturedHand:
    """A hand with an ox, its cards given as text."""
    return PicturedHand(ox=parse_cards(ox), power=parse_cards(power), seat=seat, outcome=outcome)


def full_round(count: int = MOST_HANDS) -> tuple[PicturedHand, ...]:
    """So many different hands, the banker's first, all with an ox and an outcome."""
    outcomes = tuple(Outcome)
    return tuple(
        PicturedHand(
            ox=tuple(Card((5 * number + card) % 52) for card in range(3)),
            power=tuple(Card((5 * number + card) % 52) for card in (3, 4)),
            seat=number or None,
            outcome=outcomes[number % 3] if number else None,
        )
        for number in range(count)
    )


def decoded(png: bytes) -> Image.Image:
    """The picture that a PNG holds."""
    image = Image.open(BytesIO(png), formats=["PNG"])
    image.load()
    return image
