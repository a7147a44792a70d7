"""What a hand of Gnau is called, and its cards in a row."""

from bot.rules.cards import RANKS, Card, card_name
from bot.rules.gnau import Hand, HandClass
from bot.words.speech import say


def hand_name(hand: Hand) -> str:
    """What the hand is called: `Five Dukes`, `Double-Ox K`, `Ox of 10`, `Nenku (Ox of 1)`, `No Ox`."""
    if hand.nenku:
        return say("hand.nenku", points=hand.value)
    code = f"hand.{hand.hand_class.name.lower()}"
    match hand.hand_class:
        case HandClass.DOUBLE_OX:
            return say(code, rank=RANKS[hand.value - 1])
        case HandClass.SINGLE_OX:
            return say(code, points=hand.value)
        case _:
            return say(code)


def hand_words(hand: Hand) -> str:
    """The five cards, ox and power apart where it has them: `6♠ 8♦ A♣ + 8♥ 8♠`."""
    if not hand.ox:
        return _row(hand.cards)
    return say("hand.split", ox=_row(hand.ox), power=_row(hand.power))


def _row(cards: tuple[Card, ...]) -> str:
    return " ".join(map(card_name, cards))
