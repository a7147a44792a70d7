"""What a hand is called, and its pieces in a row."""

from bot.rules.cards import RANKS
from bot.rules.game import Hand
from bot.rules.games import GAMES
from bot.rules.gnau import GnauClass
from bot.rules.knobs import GameName
from bot.rules.pieces import Piece
from bot.words.translation import translate


def hand_name(hand: Hand) -> str:
    """What the hand is called: `Five Dukes`, `Double-Ox K`, `Ox of 10`, `Nenku (Ox of 1)`, `Score 8`."""
    code = "hand.nenku" if hand.nenku else f"hand.{hand.hand_class.name.lower()}"
    rank = RANKS[hand.value - 1] if hand.hand_class is GnauClass.DOUBLE_OX else ""
    name = translate(code, points=hand.value, rank=rank)
    return translate("hand.suited", hand=name) if hand.suited else name


def hand_words(hand: Hand) -> str:
    """The five pieces, ox and power apart where it has them: `6♠ 8♦ A♣ + 8♥ 8♠`, `[6-4] [5-5] … + …`."""
    if not hand.ox:
        return row_of(hand.pieces, hand.game)
    return translate("hand.split", ox=row_of(hand.ox, hand.game), power=row_of(hand.power, hand.game))


def row_of(pieces: tuple[Piece, ...], game: GameName) -> str:
    """Pieces of a game as they are shown, apart by blanks."""
    return " ".join(map(GAMES[game].shown, pieces))
