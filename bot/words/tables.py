"""Sentences for every reason to say no, and about who left a table or got the bank."""

from collections.abc import Sequence

from bot.rules.knobs import GameName
from bot.table.refusals import Refusal, Refused
from bot.table.state import ROUNDS_AWAY, ROUNDS_MISSED_IN_A_ROW, THE_HOUSE, Departure, Heat, LeaveReason
from bot.words.catalogue import MESSAGES
from bot.words.rules import game_title
from bot.words.translation import either, translate, typed_command


def refusal(refused: Refused, *, for_points: bool = False) -> str:
    """What is wrong and what works, in one sentence of Discord markdown."""
    facts = dict(refused.facts)
    if refused.code is Refusal.PLAYER_CANNOT_COVER:
        facts["times"] = int(facts["needed"]) // max(int(facts["stake"]), 1)
    code = f"refusal.{refused.code.value}"
    at_points = f"{code}_points"
    return translate(at_points if for_points and at_points in MESSAGES else code, **facts)


def held_elsewhere_words(channels: Sequence[int]) -> str:
    """Why no table opens in a channel, and in which of `channels` one may (B06)."""
    if not channels:
        return translate("table.channels_gone", command=typed_command("house.set"))
    return translate(
        "table.held_elsewhere",
        channels=either([translate("setting.channel", channel=channel) for channel in channels]),
    )


def no_gift_words(code: str, **facts: int) -> str:
    """Why nothing is given, and what works.

    Args:
        code: why: `to_oneself`, `to_bot`, `to_stranger`, `too_large`, `given_enough`, `got_enough`, `off`.
        **facts: for `too_large`, how many `chips` were to be given, and how many are `free`. For a day's
            limit, how many are `left`, when it `resets`, and Discord's id of the `receiver`.
    """
    if code.endswith("_enough") and not facts["left"]:
        code = code.replace("_enough", "_all")
    return translate(f"gift.{code}", **facts)


def departure_words(departure: Departure, who: str | None) -> str:
    """Who is gone and why, in one sentence of Discord markdown.

    Args:
        departure: one of a table's `departures`.
        who: the member as the sentence shows them, such as a mention; it goes in unescaped. None to speak
            to the member, who may also have asked to leave.
    """
    place = "bank" if departure.was_banker else "seat"
    if departure.party == THE_HOUSE:
        place = "house"
    code = f"{place}_{departure.leave_reason.value}"
    rounds = ROUNDS_AWAY if departure.leave_reason is LeaveReason.AWAY else ROUNDS_MISSED_IN_A_ROW
    if who is None:
        return translate(f"panel.gone.{code}", rounds=rounds)
    return translate(f"departure.{code}", who=who, rounds=rounds)


def heat_name(heat: Heat, game: GameName) -> str:
    """What a table of a tournament is called, as its thread is."""
    if heat.is_final:
        return translate("tournament.final_thread", game=game_title(game))
    return translate("tournament.thread", game=game_title(game), stage=heat.stage, table=heat.number)
