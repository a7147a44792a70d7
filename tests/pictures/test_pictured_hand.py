import pytest

from bot.games.hands import evaluate
from bot.games.knobs import PRESETS
from bot.games.settle import Outcome
from bot.pictures.pictured_hand import PicturedHand
from bot.rules.cards import parse_cards
from bot.rules.tiles import parse_tiles
from tests.games.presets import WIKIPEDIA

TAU_NGAU = PRESETS["tau-ngau"]


def test_g23_an_ox_and_its_power_cards_are_two_groups() -> None:
    hand = evaluate(parse_cards("3S 6D 8H 4C 8D"), WIKIPEDIA)

    shown = PicturedHand.face_up(hand, seat=3, outcome=Outcome.PLAYER)

    assert sorted(shown.ox) == sorted(parse_cards("3S 6D 4C 8H 8D")[:3])
    assert sorted(shown.power) == sorted(parse_cards("8H 8D"))
    assert (shown.rest, shown.seat, shown.outcome) == ((), 3, Outcome.PLAYER)


@pytest.mark.parametrize("cards", ["JS QD KC KH JD", "AS 2D 3C 4H 3D"])
def test_g08_g09_five_dukes_and_five_small_are_one_group_that_counts(cards: str) -> None:
    shown = PicturedHand.face_up(evaluate(parse_cards(cards), WIKIPEDIA))

    assert shown.power == parse_cards(cards)
    assert (shown.ox, shown.rest) == ((), ())


def test_g15_no_ox_is_one_group_that_counts_nothing() -> None:
    shown = PicturedHand.face_up(evaluate(parse_cards("4S 4D 3C 8H 5D"), WIKIPEDIA))

    assert shown.rest == parse_cards("4S 4D 3C 8H 5D")
    assert (shown.ox, shown.power) == ((), ())


def test_t05_t11_a_discard_and_the_two_left_are_two_groups() -> None:
    dealt = parse_tiles("6-5 6-6 5-3 6-1 5-5")
    hand = evaluate(dealt, TAU_NGAU)

    shown = PicturedHand.face_up(hand, seat=2, outcome=Outcome.BANKER)

    assert (shown.ox, shown.power) == (parse_tiles("6-6 5-3 5-5"), parse_tiles("6-5 6-1"))
    assert (shown.rest, shown.seat, shown.outcome) == ((), 2, Outcome.BANKER)
    assert shown.game == "tau-ngau"


def test_t06_no_discard_is_one_group_that_counts_nothing() -> None:
    shown = PicturedHand.face_up(evaluate(parse_tiles("6-6 6-6 6-6 1-1 1-1"), TAU_NGAU))

    assert shown.rest == parse_tiles("6-6 6-6 6-6 1-1 1-1")
    assert (shown.ox, shown.power) == ((), ())


def test_a_hand_face_down_holds_no_cards() -> None:
    shown = PicturedHand.face_down(seat=4)

    assert shown.is_face_down
    assert shown == PicturedHand(seat=4)
    assert not PicturedHand(rest=parse_cards("4S 4D 3C 8H 5D")).is_face_down


def test_the_pieces_of_a_hand_are_in_their_order_on_the_table() -> None:
    shown = PicturedHand(ox=parse_cards("3S 6D AC"), power=parse_cards("8H 8D"))

    assert shown.pieces == parse_cards("3S 6D AC 8H 8D")


@pytest.mark.parametrize("cards", ["4S", "4S 4D 3C 8H", "4S 4D 3C 8H 5D 6D"])
def test_a_hand_of_another_number_of_cards_is_refused(cards: str) -> None:
    with pytest.raises(ValueError, match="5 cards or none"):
        PicturedHand(rest=parse_cards(cards))


def test_a_hand_of_another_number_of_tiles_is_refused() -> None:
    with pytest.raises(ValueError, match="5 tiles or none, not 2"):
        PicturedHand(power=parse_tiles("6-5 6-1"), game="tau-ngau")
