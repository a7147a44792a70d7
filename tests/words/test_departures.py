import re

import pytest

from bot.table.seats import LeaveReason
from bot.table.state import Departure, Member
from bot.words import departure_words

MEI = Member(1, "Mei")


@pytest.mark.parametrize(
    ("why", "was_banker", "sentence"),
    [
        (LeaveReason.IDLE, False, "<@1> lost the seat: nothing was heard for 3 rounds."),
        (LeaveReason.GONE, False, "<@1> has left the server."),
        (LeaveReason.IDLE, True, "<@1> lost the bank: nothing was heard for 3 rounds."),
        (
            LeaveReason.CANNOT_COVER,
            True,
            "<@1> gave up the bank: the chips no longer cover the lowest stake.",
        ),
        (
            LeaveReason.NO_SUCCESSOR,
            True,
            "<@1> gave up the bank: it was to pass on, and nobody here could take it.",
        ),
        (LeaveReason.GONE, True, "<@1> has left the server, and with that the bank."),
    ],
)
def test_what_is_said_of_who_is_gone(why: LeaveReason, was_banker: bool, sentence: str) -> None:
    assert departure_words(Departure(MEI, why, was_banker), "<@1>") == sentence


def test_the_rounds_that_cost_a_place_are_those_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.words.departures.ROUNDS_MISSED_IN_A_ROW", 1)

    told = departure_words(Departure(MEI, LeaveReason.IDLE, was_banker=False), "Mei")
    assert told == "Mei lost the seat: nothing was heard for 1 round."


@pytest.mark.parametrize("was_banker", [False, True])
def test_nothing_is_said_of_who_asked_to_go(was_banker: bool) -> None:
    with pytest.raises(KeyError, match=re.escape("departure.")):
        departure_words(Departure(MEI, LeaveReason.ASKED, was_banker), "Mei")


@pytest.mark.parametrize(
    "why", [why for why in LeaveReason if why not in (LeaveReason.ASKED, LeaveReason.DESERTED)]
)
def test_whoever_loses_the_bank_is_told_why(why: LeaveReason) -> None:
    assert departure_words(Departure(MEI, why, was_banker=True), "Mei").startswith("Mei ")
