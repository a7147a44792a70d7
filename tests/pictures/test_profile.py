from PIL import Image

from bot.games.lesson import example_hands
from bot.games.register import GAMES
from bot.pictures.canvas import Canvas, advance
from bot.pictures.pictured_hand import PicturedHand
from bot.pictures.png import COLOURS, GOLD, LOST, WON
from bot.pictures.profile import MOST_POINTS, ClassOfHand, ProfilePicture, profile_picture
from bot.rules.knobs import GameName

from .strategies import EACH_GAME, decoded

MINUS = "\N{MINUS SIGN}"


def pictured(game: GameName, line: list[int]) -> bytes:
    """A profile with each hand that a game knows; of one, nothing is won, and of the next all."""
    hands = [
        ClassOfHand(PicturedHand.face_up(hand), place % 2, ("1,204/2,913", "+12,345,678"), place % 3 - 1)
        for place, hand in enumerate(example_hands(GAMES[game].rules()))
    ]
    return profile_picture(ProfilePicture(line, hands))


def written(text: str) -> Image.Image:
    """A text as a mask, 40 px tall."""
    canvas = Canvas(60, 60, (0, 0, 0))
    canvas.text(text, 0, 0, 40, 60, (255, 255, 255))
    return canvas.finished().convert("L").point(lambda level: 255 if level > 127 else 0)


def test_a_minus_sign_is_the_bar_of_a_plus() -> None:
    minus, plus = (written(sign).getbbox() for sign in (MINUS, "+"))
    assert minus is not None
    assert plus is not None
    assert (minus[0], minus[2]) == (plus[0], plus[2])
    assert minus[3] - minus[1] < (plus[3] - plus[1]) / 3
    assert plus[1] < minus[1] < minus[3] < plus[3]
    assert advance(MINUS, 40) == advance("+", 40)


@EACH_GAME
def test_a_profile_fits_a_phone_and_shows_line_and_hands(game: GameName) -> None:
    for line in ([0, 0], [1_000, 0], [7, 0, 3], [number % 97 for number in range(MOST_POINTS)]):
        written = pictured(game, line)
        image = decoded(written)
        assert image.mode == "P"
        assert 800 < image.width < 1_000
        assert image.height < 2 * image.width
        assert len(written) < 150_000
        shown = {COLOURS[index] for index in set(image.tobytes())}
        assert {GOLD, WON, LOST} <= shown
