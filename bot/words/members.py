"""Sentences about a member: their chips, gifts, handouts, and what is stored about them."""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, erfc, sqrt
from typing import Final

from bot.table.accounts import OF_PLAY, Reason
from bot.table.standings import MILLION
from bot.words.translation import either, percentage, sentences, signed_points, translate, typed_command


def entry_words(reason: Reason, gained: int, other: str | None) -> str:
    """Why a member's balance changed, who was not the banker. How `other` is shown goes in unescaped."""
    if other is not None and reason in OF_PLAY:
        return translate(f"entry.{reason.value}", other=other)
    if reason is not Reason.GIFT or other is None:
        return translate(f"reason.{reason.value}")
    return translate("gift.from" if gained > 0 else "gift.to", other=other)


NOTHING_UNUSUAL: Final = 1.96
UNUSUAL: Final = 3.0
"""Up to how many standard deviations luck is nothing unusual, as in 95 of 100 cases, and not yet rare."""


def deviations_words(deviations: float) -> str:
    """Standard deviations above or below what was expected."""
    tenths = round(abs(deviations) * 10)
    away = percentage(Fraction(tenths, 1000), 1)
    return translate(
        "luck.below" if deviations < 0 and tenths else "luck.above",
        deviations=away,
    )


def luck_words(deviations: float) -> str:
    """How lucky somebody was: in standard deviations, and how many in 100 chance alone leaves further out."""
    away = abs(deviations)
    share, of = erfc(away / sqrt(2)) / 2, 100
    while share * of < 1 and of < MILLION:
        of *= 10
    judged = "usual" if away <= NOTHING_UNUSUAL else "unusual" if away <= UNUSUAL else "rare"
    return translate(
        "luck.worse" if deviations < 0 else "luck.better",
        luck=deviations_words(deviations),
        judged=translate(f"luck.{judged}"),
        share=max(round(share * of), 1),
        of=of,
    )


def bankroll_words(total: int, free: int, wanted: int | None = None) -> str:
    """What the house banks with, and what that means (B07).

    `wanted` is how many chips it was to have; None if nobody asked for another number.
    """
    held = total - free
    has = translate("bankroll.has", chips=total, free=free, held=held)
    if wanted is None:
        return f"{has}\n{translate('bankroll.means', command=typed_command('house.bankroll'))}"
    return sentences([has, translate("bankroll.still_held", held=held)]) if total > wanted else has


def given_words(giver_id: int, receiver_id: int, chips: int, note: str | None) -> str:
    """Who gives whom how many chips, with the giver's note, for everybody to read."""
    given = translate("gift.given", giver=giver_id, receiver=receiver_id, chips=chips)
    words = "" if note is None else " ".join(note.split())
    return sentences([given, translate("gift.note", note=words)]) if words else given


def daily_words(
    chips: int, owned: int, streak: int, bonus: int, again_at: float, next_bonus: int, until: float
) -> str:
    """What a member gets as daily chips, what they own then, and when they can come back.

    Args:
        bonus: how many of the chips are for the streak.
        next_bonus: how many of the next ones would be, if they take those before `until`.
    """
    lines = [translate("daily.given", chips=chips, owned=owned)]
    if bonus:
        lines.append(translate("daily.bonus", streak=streak, bonus=bonus))
    code = "daily.come_back_for_bonus" if next_bonus else "daily.come_back"
    following = chips - bonus + next_bonus
    lines.append(translate(code, at=ceil(again_at), chips=following, until=int(until)))
    return "\n".join(lines)


def coming_words(
    now: float, daily_at: float | None, daily_chips: int, relief_at: float | None, relief_chips: int
) -> str:
    """What a member can get with `/daily`, now or later, in small print; empty if nothing.

    Args:
        daily_at: when they can take daily chips; None if never.
        relief_at: when they can get relief if they are broke then; None if never.
    """
    parts = [
        translate(f"wallet.{kind}_now" if at <= now else f"wallet.{kind}", chips=chips, at=ceil(at))
        for kind, at, chips in (
            ("daily", daily_at, daily_chips),
            ("relief", relief_at, relief_chips),
        )
        if at is not None and chips
    ]
    return f"-# {' · '.join(parts)}" if parts else ""


def next_chips_words(now: float, *handouts: tuple[float | None, int]) -> str:
    """What `/daily` gives a member now, or when it gives something again; empty if never.

    Args:
        handouts: from when on they can take chips of each kind, None if never, and how many.
    """
    coming = [(max(at, now), chips) for at, chips in handouts if at is not None]
    if not coming:
        return ""
    at, chips = min(coming, key=lambda one: one[0])
    return translate("daily.too_poor" if at > now else "daily.too_poor_now", at=ceil(at), chips=chips)


def relief_words(chips: int, owned: int, daily_at: float | None, given_away: int) -> str:
    """What a member who is broke gets, and has then; `daily_at` is None if daily chips never come."""
    lines = [translate("relief.given", chips=chips, owned=owned)]
    if given_away:
        lines.append(translate("relief.less", chips=given_away))
    if daily_at is not None:
        lines.append(translate("daily.next", at=ceil(daily_at)))
    return "\n".join(lines)


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
        daily_at: when they can take daily chips; None if never.
        relief_at: when they can get relief if they are broke then; None if never.
        owned: their chips, held ones included.
        waits_for_gift: whether relief would come earlier if they had given nothing.
    """
    times = [at for at in (daily_at, relief_at if is_broke else None) if at is not None]
    if not times:
        return translate("daily.off") if relief_at is None else translate("relief.only", owned=owned)
    soonest = min(times)
    lines = [translate("daily.later", at=ceil(soonest), owned=owned)]
    if is_broke and waits_for_gift:
        lines.append(translate("relief.after_gift"))
    if not is_broke and relief_at is not None and relief_at < soonest:
        code = "relief.if_broke" if relief_at <= now else "relief.if_broke_later"
        lines.append(translate(code, at=ceil(relief_at)))
    return "\n".join(lines)


def stored_words(
    *,
    server: str,
    name: str,
    locale: str,
    free: int,
    held: int,
    points: int,
    entries: int,
    words: int,
    reasons: int,
    house_changes: int,
    has_messages: bool,
    squeezes: bool,
    has_standings: bool,
    is_hidden: bool,
    has_plans: bool,
    is_banned: bool,
) -> list[str]:
    """What is stored about a member in a server and why, line by line.

    Args:
        server: the server's name; empty in the server itself.
        entries: how many lines their ledger has.
        words: how many texts they chose with `/seed`.
        reasons: how many they wrote as an admin.
        has_messages: whether it is stored how to reach them by direct message.
        squeezes: whether they see the last piece of their hands by a press of their own.
        has_standings: whether there are standings of theirs.
        is_hidden: whether they are on no leaderboard.
        has_plans: whether there are reminders of theirs.
    """
    lines = [translate("privacy.server", server=server)] if server else []
    lines += [
        translate("privacy.identity", name=name, locale=locale),
        translate("privacy.chips", free=free, held=held, points=signed_points(points)),
        translate("privacy.entries", count=entries),
        translate("privacy.words", count=words),
    ]
    if reasons:
        lines.append(translate("privacy.reasons", count=reasons))
    if house_changes:
        lines.append(translate("privacy.house_changes", count=house_changes))
    if has_messages:
        lines.append(translate("privacy.messages"))
    if squeezes:
        lines.append(translate("privacy.squeezes"))
    if has_standings:
        lines += [translate("privacy.standings"), translate("privacy.achievements")]
    if is_hidden:
        lines.append(translate("privacy.is_hidden"))
    if has_plans:
        lines.append(translate("privacy.plans"))
    if is_banned:
        lines.append(translate("privacy.ban"))
    return [*lines, translate("privacy.rounds")]


def not_erasable_words(code: str, tables: Sequence[int]) -> str:
    """Why a member is not erased, and what works; `tables` are those that they must leave first."""
    if code == "at_a_table":
        return translate("privacy.at_a_table", tables=either(list(map(str, tables))))
    return translate("privacy.nothing" if code == "nothing_stored" else f"privacy.{code}")
