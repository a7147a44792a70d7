"""What members are told of free chips: what `/daily` gives, now or next, and what else works."""

from dataclasses import dataclass
from math import ceil, inf
from typing import Final, NamedTuple

from cachetools import TTLCache
from discord import ButtonStyle

from bot.croupier.croupier import Croupier
from bot.croupier.handouts import Due, Handout, Handouts
from bot.croupier.identities import MANAGER
from bot.croupier.open_tables import ChipsMoved, TableChanged
from bot.ledger.errors import LedgerUnavailable
from bot.table.accounts import owner_of
from bot.table.commands import CloseTable
from bot.table.refusals import Refusal, Refused
from bot.table.seating import may_not_close
from bot.table.state import Phase, TableState
from bot.ui.components import Component, button
from bot.ui.press.custom_ids import ANY_ROUND, Press, PressAction
from bot.ui.press.errors import RefusedError
from bot.ui.press.next_steps import points_button
from bot.ui.readers import Names
from bot.ui.stakes import members_may_take_more
from bot.words.translation import sentences, translate

PARTIES_KEPT: Final = 10_000
KEPT_SECONDS: Final = 60.0
"""How long it is known what `/daily` gives next: another process, or another setting, may change it."""


@dataclass(frozen=True, slots=True)
class ComingChips:
    """The next free chips of a member.

    Attributes:
        at: from when on they can take them.
        relief_to: if it is relief that comes before their daily chips, what it brings them back to; else 0.
        are_there: whether they can take them now.
        can_remind: whether a reminder makes sense: daily chips are off here, or there already, if not.
    """

    at: float
    chips: int
    relief_to: int
    are_there: bool
    can_remind: bool


class WaysOn(NamedTuple):
    """What works for a member with too few chips, in sentences, and the buttons for it."""

    words: str = ""
    buttons: tuple[Component, ...] = ()


class NextChips:
    """What a member with too few chips can do; what `/daily` gives next is read once until their chips move.

    A panel, which says it to a member with too few chips, is rendered at every change of its table.
    """

    def __init__(self, croupier: Croupier, names: Names) -> None:
        self._croupier = croupier
        self._names = names
        self._handouts = Handouts(croupier)
        self._known: TTLCache[int, Due] = TTLCache(PARTIES_KEPT, KEPT_SECONDS)
        croupier.listeners.add(self._on_table, self._on_chips)

    async def refused(
        self,
        refused: Refused,
        table: TableState,
        party: int,
        *,
        outside: bool = False,
        only_words: bool = False,
    ) -> RefusedError:
        """The error for a table's refusal; to a member with too few chips it says what works for them."""
        refused = await self._croupier.wallets.explained(refused, table, party)
        ways = WaysOn()
        if refused.code is Refusal.PLAYER_TOO_POOR:
            ways = await self.ways(table.server_id, party, table, outside=outside, only_words=only_words)
        elif refused.code is Refusal.STAKE_ABOVE_HIGHEST and members_may_take_more(table):
            ways = WaysOn(translate("reply.house_takes_no_more"))
        error = RefusedError(self._names.in_refusal(refused), ways.words, for_points=table.for_points)
        error.next_steps = ways.buttons
        return error

    async def ways(
        self,
        server_id: int,
        party: int,
        table: TableState | None,
        *,
        outside: bool = False,
        only_words: bool = False,
    ) -> WaysOn:
        """What works for a member with too few chips: free chips if they are there, else all that there is.

        Args:
            table: the one of the channel, if any; one for points opens elsewhere, or in its place.
            outside: whether the member reads it elsewhere than in the server.
            only_words: whether no buttons can stand beside it.
        """
        coming = await self.coming(server_id, party)
        server = (str(server_id),)
        if coming is not None and coming.are_there and not only_words:
            press = Press(PressAction.TAKE_DAILY, arguments=server)
            if table is not None and not outside:
                press = Press(PressAction.DAILY, table.table_id, ANY_ROUND)
            take = button(press, translate("button.daily"), style=ButtonStyle.success)
            return WaysOn(translate("daily.press", chips=coming.chips), (take,))
        buttons, points = [], "help.points_here"
        if table is not None:
            points = "help.points_elsewhere"
            if not (outside or only_words) and self._can_play_points(table, party):
                points = "help.points_pressed"
                buttons.append(points_button(table))
        if coming is not None and coming.can_remind and not only_words:
            buttons.append(button(Press(PressAction.REMIND, arguments=server), translate("button.remind")))
        gifts = self._croupier.house_of(server_id).server.gifts_per_day
        words = [
            "" if coming is None else _words(coming),
            translate("help.ask_for_gift") if gifts else "",
            translate(points),
        ]
        return WaysOn(sentences(words), tuple(buttons))

    def _can_play_points(self, table: TableState, party: int) -> bool:
        """Whether a member may close this table at once, and then open one for points without a wait."""
        manages = self._croupier.identities.has_role(party, MANAGER)
        settings = self._croupier.house_of(table.server_id).server
        opens = manages or not (settings.table_minutes or settings.open_role)
        if not opens or table.phase is Phase.DEALT:
            return False
        return may_not_close(table, CloseTable(party, manages)) is None

    async def coming(self, server_id: int, party: int) -> ComingChips | None:
        """What a member can take next; None if nothing, or if it is not known now."""
        due, now = self._known.get(party), self._croupier.now()
        if due is None:
            try:
                due = self._known[party] = await self._handouts.coming(server_id, party)
            except LedgerUnavailable:
                return None
        handouts = (
            (due.daily_at, due.daily_chips, 0),
            (due.relief_at if due.relief_chips else None, due.relief_chips, due.relief_to),
        )
        there = [(max(at, now), chips, to) for at, chips, to in handouts if at is not None]
        if not there:
            return None
        at, chips, relief_to = min(there, key=lambda one: one[0])
        daily_waits = due.daily_at is not None and due.daily_at > now
        return ComingChips(at, chips, relief_to if daily_waits else 0, at <= now, daily_waits)

    def _on_table(self, change: TableChanged) -> None:
        """Forgets also who lost what was held: they have as many free chips as before, and none in play."""
        for move in change.moves:
            for party in (owner_of(move.source), owner_of(move.target)):
                if party is not None:
                    self._known.pop(party, None)

    def _on_chips(self, moved: ChipsMoved) -> None:
        for party in moved.more:
            self._known.pop(party, None)


def _words(coming: ComingChips) -> str:
    """What `/daily` gives a member now, or when it gives something again."""
    code = "daily.too_poor_before" if coming.relief_to else "daily.too_poor"
    if coming.are_there:
        code = "daily.too_poor_now"
    return translate(code, at=ceil(coming.at), chips=coming.chips, to=coming.relief_to)


def handout_words(given: Handout, owned: int) -> str:
    """What a member gets, what they own then, and when they can come back."""
    lines = [translate("daily.given", chips=given.chips, owned=owned)]
    if given.bonus:
        lines.append(translate("daily.bonus", streak=given.streak, bonus=given.bonus))
    if given.given_away:
        lines.append(translate("relief.less", chips=given.given_away))
    if given.streak_until is not None:
        assert given.daily_at is not None
        code = "daily.come_back_for_bonus" if given.next_bonus else "daily.come_back"
        following = given.chips - given.bonus + given.next_bonus
        until = int(given.streak_until)
        lines.append(translate(code, at=ceil(given.daily_at), chips=following, until=until))
    elif given.daily_at is not None:
        lines.append(translate("daily.next", at=ceil(given.daily_at)))
    return "\n".join(lines)


def coming_words(due: Due, now: float, relief_below: int, owned: int) -> str:
    """What a member can get with `/daily`, now or later, in small print; empty if nothing.

    Args:
        relief_below: with fewer chips than these the server's settings give relief.
        owned: the member's chips, held ones included.
    """
    parts = []
    if due.daily_at is not None:
        code = "wallet.daily_now" if due.daily_at <= now else "wallet.daily"
        parts.append(translate(code, chips=due.daily_chips, at=ceil(due.daily_at)))
    if due.relief_at is not None:
        below, code = min(relief_below, due.relief_to), "wallet.relief"
        if due.relief_at <= now:
            code = f"wallet.relief_{_no_relief_for(due, below, owned) or 'now'}"
        parts.append(translate(code, below=below, to=due.relief_to, at=ceil(due.relief_at)))
    return f"-# {sentences(parts)}" if parts else ""


def nothing_yet_words(due: Due, now: float, relief_below: int, owned: int) -> str:
    """Why a member gets no chips now, and when they can get some; arguments as of `coming_words`."""
    below, gets_relief = min(relief_below, due.relief_to), due.relief_chips > 0
    times = (due.daily_at, due.relief_at if gets_relief else None)
    soonest = min((at for at in times if at is not None), default=inf)
    if soonest < inf:
        lines = [translate("daily.later", at=ceil(soonest), owned=owned)]
    elif due.relief_at is not None:
        code = "relief.only" if due.relief_at <= now else "relief.only_later"
        lines = [translate(code, below=below, to=due.relief_to, owned=owned, at=ceil(due.relief_at))]
    elif due.relief_to:
        return translate("relief.not_now", to=due.relief_to)
    else:
        return translate("daily.off")
    if gets_relief and due.waits_for_gift:
        lines.append(translate("relief.after_gift"))
    if not gets_relief and due.relief_at is not None and due.relief_at < soonest:
        where = _no_relief_for(due, below, owned)
        if where and due.relief_at <= now:
            chips = due.in_tournaments or due.in_play
            lines.append(translate(f"relief.{where}", chips=chips, to=due.relief_to))
        elif soonest < inf:
            code = "relief.if_fewer" if due.relief_at <= now else "relief.if_fewer_later"
            lines.append(translate(code, below=below, to=due.relief_to, at=ceil(due.relief_at)))
    return "\n".join(lines)


def _no_relief_for(due: Due, below: int, owned: int) -> str:
    """The code of where the chips are that keep a member from relief; empty if none do."""
    if owned >= below:
        return ""
    return "in_tournament" if due.in_tournaments else "in_play" if due.in_play else ""
