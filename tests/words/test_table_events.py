import re

import pytest

from bot.table.leave_reason import LeaveReason
from bot.table.places import SideBet, Throw
from bot.table.state import Departure, Member
from bot.words import bank_passed_words, departure_words, side_bet_words, throws_words

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
    monkeypatch.setattr("bot.words.table_events.ROUNDS_MISSED_IN_A_ROW", 1)

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


def mention(member_id: int) -> str:
    return f"<@{member_id}>"


def test_t03_the_board_tells_who_threw_what_and_who_is_banker() -> None:
    throws = [Throw(1, (6, 6)), Throw(2, (5, 3)), Throw(3, (6, 6)), Throw(1, (2, 1)), Throw(3, (1, 4))]

    assert throws_words(throws, 3, mention) == (
        "<@1> throws 6 and 6, <@2> throws 5 and 3, <@3> throws 6 and 6, <@1> throws 2 and 1, "
        "<@3> throws 1 and 4: <@3> is banker."
    )


def test_b05_the_board_tells_from_whom_to_whom_the_bank_passed() -> None:
    assert bank_passed_words(1, 2, mention) == "The bank passes from <@1> to <@2>."


def test_b01_the_board_tells_who_backs_whom() -> None:
    bet = SideBet(Member(1, "Zed"), 2, 1000)

    assert side_bet_words(bet, mention) == "<@1> backs <@2> with 1,000 chips"
