"""What is said of what happens at a table, and of where there is none."""

from collections.abc import Callable, Sequence

from bot.table.seats import SideBet, Throw
from bot.words.speech import either, translate

Show = Callable[[int], str]
"""Shows a member by Discord's id of him, such as by a mention; what it returns is put in as it is."""


def throws_words(throws: Sequence[Throw], banker: int, show: Show) -> str:
    """Who threw what for the bank, and who won it: `A throws 6 and 6, B throws 5 and 3: A is banker`.

    Args:
        throws: the throws, at least one.
        banker: Discord's id of the member whom they made banker.
        show: how a member is shown.
    """
    told = (
        translate(
            "table.throw", who=show(throw.member_id), dice=translate("table.dice").join(map(str, throw.dice))
        )
        for throw in throws
    )
    return translate("table.rolled", throws=", ".join(told), who=show(banker))


def bank_passed_words(old: int, new: int, show: Show) -> str:
    """From whom to whom the bank has passed (B05).

    Args:
        old: Discord's id of the member who was banker.
        new: Discord's id of the member who is.
        show: how a member is shown.
    """
    return translate("table.bank_passed", old=show(old), new=show(new))


def side_bet_words(bet: SideBet, show: Show) -> str:
    """Who backs whom, and with how many chips (B01); `show` is how a member is shown."""
    return translate("table.side_bet", who=show(bet.member.member_id), whom=show(bet.backed), stake=bet.stake)


def held_elsewhere_words(channels: Sequence[int]) -> str:
    """Why no table is opened in a channel, and where one may be (B06).

    Args:
        channels: Discord's ids of the channels that the house allows, at least one.
    """
    return translate(
        "table.held_elsewhere",
        channels=either([translate("setting.channel", channel=channel) for channel in channels]),
    )
