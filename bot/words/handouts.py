"""Sentences about handouts: what a member gets now, or when they can get some."""

from math import ceil

from bot.words.translation import translate


def daily_words(chips: int, streak: int, bonus: int, again_at: float, next_bonus: int, until: float) -> str:
    """What a member gets as daily chips, and when they can come back.

    Args:
        chips: how many, the bonus included.
        streak: how many times in a row they took some.
        bonus: how many of the chips are for that.
        again_at: when they can take the next ones, in seconds since the epoch, UTC.
        next_bonus: the bonus then; 0 if there is none.
        until: until when they must take those for it, in seconds since the epoch, UTC.
    """
    lines = [translate("daily.given", chips=chips, at=ceil(again_at))]
    if bonus:
        lines.append(translate("daily.bonus", streak=streak, bonus=bonus))
    if next_bonus:
        lines.append(translate("daily.next_bonus", bonus=next_bonus, until=int(until)))
    return "\n".join(lines)


def relief_words(chips: int, daily_at: float | None) -> str:
    """What a member who is broke gets.

    Args:
        chips: how many.
        daily_at: when they can take daily chips, in seconds since the epoch, UTC; None if never.
    """
    given = translate("relief.given", chips=chips)
    return given if daily_at is None else f"{given}\n{translate('daily.next', at=ceil(daily_at))}"


def nothing_yet_words(
    now: float,
    daily_at: float | None,
    relief_at: float | None,
    owned: int,
    *,
    is_broke: bool,
    waits_for_gift: bool,
) -> str:
    """Why a member gets no chips now, and when they can get some.

    Args:
        now: the time. All times are in seconds since the epoch, UTC.
        daily_at: when they can take daily chips; None if never.
        relief_at: when they can get relief if they are broke then; None if never.
        owned: their chips, held ones included.
        is_broke: whether they are broke now.
        waits_for_gift: whether relief would come earlier if they had given nothing.
    """
    times = [at for at in (daily_at, relief_at if is_broke else None) if at is not None]
    if not times:
        return translate("daily.off") if relief_at is None else translate("relief.only", owned=owned)
    soonest = min(times)
    lines = [translate("daily.later", at=ceil(soonest))]
    if is_broke and waits_for_gift:
        lines.append(translate("relief.after_gift"))
    if not is_broke and relief_at is not None and relief_at < soonest:
        code = "relief.if_broke" if relief_at <= now else "relief.if_broke_later"
        lines.append(translate(code, at=ceil(relief_at)))
    return "\n".join(lines)
