import re

import pytest

from bot.table.state import THE_HOUSE, Departure, LeaveReason
from bot.words.tables import departure_words

MEI = 1


@pytest.mark.parametrize(
    ("why", "was_banker", "sentence"),
    [
        (LeaveReason.IDLE, False, "<@1> was away for 3 rounds, so the seat is free."),
        (LeaveReason.GONE, False, "<@1> has left the server."),
        (LeaveReason.IDLE, True, "<@1> was away for 3 rounds, so the bank is free."),
        (
            LeaveReason.CANNOT_COVER,
            True,
            "<@1> lost the bank: not enough chips to cover the lowest bet.",
        ),
        (
            LeaveReason.NO_SUCCESSOR,
            True,
            "<@1> had to pass the bank, but nobody here could take it.",
        ),
        (LeaveReason.GONE, True, "<@1> has left the server, so the bank is free."),
        (LeaveReason.AWAY, True, "<@1> was away, so the bank is free."),
    ],
)
def test_the_board_says_who_is_gone_and_why(why: LeaveReason, was_banker: bool, sentence: str) -> None:
    assert departure_words(Departure(MEI, why, was_banker), "<@1>") == sentence


def test_the_rounds_missed_are_those_that_the_table_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.words.tables.ROUNDS_MISSED_IN_A_ROW", 1)

    told = departure_words(Departure(MEI, LeaveReason.IDLE, was_banker=False), "Mei")
    assert told == "Mei was away for 1 round, so the seat is free."


NOT_ANNOUNCED = (LeaveReason.ASKED, LeaveReason.OWN_LIMIT)
NO_DEPARTURE = (
    LeaveReason.BANK_GIVEN_UP,
    LeaveReason.BY_ADMIN,
    LeaveReason.DESERTED,
    LeaveReason.HEAT_OVER,
    LeaveReason.HEAT_CANCELLED,
)


@pytest.mark.parametrize("why", NOT_ANNOUNCED)
@pytest.mark.parametrize("was_banker", [False, True])
def test_nobody_who_asked_to_leave_or_has_a_limit_is_announced(why: LeaveReason, was_banker: bool) -> None:
    with pytest.raises(KeyError, match=re.escape("departure.")):
        departure_words(Departure(MEI, why, was_banker), "Mei")


@pytest.mark.parametrize("why", [why for why in LeaveReason if why not in (*NOT_ANNOUNCED, *NO_DEPARTURE)])
def test_every_loss_of_the_bank_has_its_reason(why: LeaveReason) -> None:
    assert departure_words(Departure(MEI, why, was_banker=True), "Mei").startswith("Mei ")


def test_members_are_spoken_to_about_their_own_departure() -> None:
    everything = {why for why in LeaveReason if why not in NO_DEPARTURE}
    of_a_seat = everything - {LeaveReason.HOUSE_BANKS, LeaveReason.NO_SUCCESSOR, LeaveReason.OWN_LIMIT}
    for was_banker, reasons in ((True, everything), (False, of_a_seat)):
        for why in reasons:
            assert departure_words(Departure(MEI, why, was_banker), None).startswith("You ")


def test_b07_the_board_says_that_the_house_is_out_of_chips() -> None:
    gone = Departure(THE_HOUSE, LeaveReason.CANNOT_COVER, was_banker=True)

    assert departure_words(gone, "the house") == (
        "The house can't cover the lowest bet, so the bank is free."
    )
