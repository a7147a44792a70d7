from bot.table.seats import SideBet, Throw
from bot.table.state import Member
from bot.words import bank_passed_words, held_elsewhere_words, side_bet_words, throws_words


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


def test_b06_who_may_not_open_a_table_here_is_told_where_he_may() -> None:
    assert held_elsewhere_words([12, 7]) == (
        "This house holds no tables in this channel; open one in <#12> or <#7> instead."
    )
