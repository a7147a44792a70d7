"""What a server is told about its house unasked.

The admins read in their log channel what they should know: what one of them did to chips, members, tables,
tournaments, seasons or house rules, or exported; large gifts, a house out of chips (B07), and what keeps
tables from being shown. Each kind can be turned off, and there is at most one message a minute. Who turns one
off, or moves the log, is named in the channel that it was in. Channels with open tables read that their house
rules have changed.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from cachetools import LRUCache

from bot.clock import steady_time
from bot.croupier.gifts import Gift
from bot.croupier.grants import Grant
from bot.croupier.handouts import bankroll
from bot.croupier.houses import Altered
from bot.croupier.open_tables import TableChanged
from bot.games.knobs import KNOBS, parse_knob
from bot.games.register import DEFAULT_GAME
from bot.ledger.changes import Plan, Season
from bot.ledger.errors import LedgerError
from bot.rules.knobs import Play
from bot.table.events import BankGivenUp
from bot.table.state import THE_HOUSE, LeaveReason, TableState
from bot.ui.components import text_view
from bot.ui.house.changes import announcement, past_thing
from bot.ui.odds import bank_edge
from bot.ui.press.errors import SENDING_FAILED, is_temporary, log_failure, nonce
from bot.ui.press.replies import whole_lines
from bot.ui.services import Services
from bot.wire.requests import Content, post
from bot.words.translation import listed, speaking_to, translate, typed_command

log = logging.getLogger(__name__)

SILENT_SECONDS: Final = 3600.0
"""How long the admins of a server are not told the same again."""
GATHER_SECONDS: Final = 60.0
"""How long what comes after a message in a log channel waits for the next one."""
CLOSING_SECONDS: Final = 2.0
"""How long the bot stops later so that the lines that wait are posted."""
MOST_LINES: Final = 200
"""The most lines that wait for a log channel; what is older is dropped."""
KEYS_KEPT: Final = 10_000
"""Of how many commands it is known that their line is in the log: none is there twice."""
OUT_OF_CHIPS: Final = "bankroll.out"
CHANNELS_GONE: Final = "table.channels_gone"
LOG_CHANNEL: Final = "log_channel"


class News(StrEnum):
    """What the log channel tells; each is the setting that turns it off."""

    GRANTS = "log_grants"
    KICKS = "log_kicks"
    GIFTS = "log_gifts"
    RULES = "log_rules"
    HOUSE = "log_house"
    BOARDS = "log_boards"


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a log, and when what it tells happened; its key is that of the command, or of the event."""

    key: str
    at: float
    words: str


class HouseNotices:
    """Writes the log of a server's admins, and announces changes of house rules.

    Attributes:
        gather_seconds: how long lines of a log are gathered.
    """

    def __init__(self, services: Services) -> None:
        self._services = services
        self.gather_seconds = GATHER_SECONDS
        self._told: dict[tuple[int, str], float] = {}
        self._keys: LRUCache[str, None] = LRUCache(KEYS_KEPT)
        # By server and channel: lines stay in the channel that was the log when they came up.
        self._lines: dict[tuple[int, int], list[_Line]] = {}
        self._posting: set[asyncio.Task[None]] = set()
        self._closing = asyncio.Event()
        services.croupier.listeners.add(self._on_bank_given_up, of=(BankGivenUp,))

    def granted(self, grant: Grant, party: int, key: str) -> None:
        """Tells the admins that one of them gave a member chips, or took some.

        Args:
            party: the member.
            key: of the command; of two lines with the same one, the first is told.
        """
        mention = self._services.names.mention
        self._tell(
            grant.server_id,
            News.GRANTS,
            key,
            lambda: translate(
                "log.taken" if grant.takes else "log.granted",
                who=mention(grant.admin),
                member=mention(party),
                chips=grant.chips,
                reason=grant.reason,
            ),
        )

    def removed(self, table: TableState, admin: int, party: int, reason: str, key: str) -> None:
        """Tells the admins that one of them removed a member from a table; `key` is as for `granted`.

        Args:
            reason: empty if they gave none.
        """
        mention = self._services.names.mention
        self._tell(
            table.server_id,
            News.KICKS,
            key,
            lambda: translate(
                "log.removed_why" if reason else "log.removed",
                who=mention(admin),
                member=mention(party),
                number=table.number,
                reason=reason,
            ),
        )

    def acted(self, server_id: int, news: News, code: str, admin: int, key: str, **facts: int | str) -> None:
        """Tells the admins what one of them did; `key` is as for `granted`.

        Args:
            code: the sentence, which names the admin as `who`.
            facts: what else it says.
        """
        mention = self._services.names.mention
        self._tell(server_id, news, key, lambda: translate(code, who=mention(admin), **facts))

    def closed(self, table: TableState, admin: int) -> None:
        """Tells the admins that one of them closed a table, once a round, unless it was their own.

        Args:
            table: as it was before.
        """
        if not table.belongs_to(admin):
            key = f"closed/{table.table_id}/{table.round_number}"
            facts = {"number": table.number, "channel": table.channel_id}
            self.acted(table.server_id, News.KICKS, "log.closed", admin, key, **facts)

    def not_opened(self, plan: Plan, refused: str) -> None:
        """Tells the admins why a scheduled table did not open, as `schedule.refused.…` says it."""
        self._tell(
            plan.server_id,
            News.RULES,
            f"{plan.name}/{plan.at}",
            lambda: f"📅 {translate(f'schedule.refused.{refused}', channel=plan.channel_id or 0)}",
        )

    def season_over(self, season: Season, chips: int) -> None:
        """Tells the admins that a season is over, and what chips everybody has if it resets them."""
        self._tell(
            season.server_id,
            News.RULES,
            f"season/{season.server_id}/{season.number}",
            lambda: translate(
                "log.season_reset" if season.resets else "log.season_over", name=season.name, chips=chips
            ),
        )

    def banned(
        self, server_id: int, admin: int, party: int, reason: str, until: float | None, key: str
    ) -> None:
        """Tells the admins that one of them banned a member; `key` is as for `granted`."""
        mention = self._services.names.mention
        self._tell(
            server_id,
            News.KICKS,
            key,
            lambda: translate(
                "log.banned" if until is None else "log.banned_until",
                who=mention(admin),
                member=mention(party),
                reason=reason,
                until=int(until or 0),
            ),
        )

    def unbanned(self, server_id: int, admin: int, party: int, key: str) -> None:
        """Tells the admins that one of them lifted a member's ban; `key` is as for `granted`."""
        mention = self._services.names.mention
        self._tell(
            server_id,
            News.KICKS,
            key,
            lambda: translate("log.unbanned", who=mention(admin), member=mention(party)),
        )

    def given(self, gift: Gift, party: int, key: str) -> None:
        """Tells the admins of a large gift to a party; `key` is as for `granted`."""
        least = self._services.croupier.house_of(gift.server_id).server.log_gifts
        mention = self._services.names.mention
        if gift.chips >= least:
            self._tell(
                gift.server_id,
                News.GIFTS,
                key,
                lambda: translate(
                    "log.gift", who=mention(gift.giver), member=mention(party), chips=gift.chips
                ),
            )

    def not_posted(self, table: TableState) -> None:
        """Tells the admins that Discord lets no board be posted for a table, unless they know."""
        self._warn(
            table.server_id,
            News.BOARDS,
            f"board.{table.table_id}",
            lambda: translate("log.board", number=table.number, channel=table.channel_id),
        )

    def role_refused(self, server_id: int, role_id: int) -> None:
        """Tells the admins that the bot may not give or take a role, unless they know."""
        self._warn(server_id, News.BOARDS, f"role.{role_id}", lambda: translate("log.role", role=role_id))

    def out_of_chips(self, server_id: int) -> None:
        """Tells the admins soon that the house cannot cover the lowest bet, unless they know."""
        if self._is_told(server_id, OUT_OF_CHIPS):
            return
        log.warning("the house of server %s cannot cover the lowest bet", server_id)
        self._services.tasks.start(self._tell_bankroll(server_id), "house-alarm")

    def channels_gone(self, server_id: int) -> None:
        """Tells the admins soon that no table can be opened anywhere, unless they know."""
        if self._warn(
            server_id,
            News.BOARDS,
            CHANNELS_GONE,
            lambda: translate(CHANNELS_GONE, command=typed_command("house.set")),
        ):
            log.warning("server %s allows tables only in channels that are deleted", server_id)

    def refilled(self, server_id: int) -> None:
        """Lets the admins be told again, because they have set the bankroll."""
        self._told.pop((server_id, OUT_OF_CHIPS), None)

    def _on_bank_given_up(self, change: TableChanged) -> None:
        if BankGivenUp(THE_HOUSE, LeaveReason.CANNOT_COVER) in change.events:
            self.out_of_chips(change.after.server_id)

    async def _tell_bankroll(self, server_id: int) -> None:
        try:
            has = await bankroll(self._services.croupier, server_id)
        except LedgerError as failed:
            log_failure(log, failed, "the admins of server %s could not be told about it", server_id)
            return
        command = typed_command("house.bankroll")
        same = f"{server_id}/{OUT_OF_CHIPS}/{self._told[server_id, OUT_OF_CHIPS]}"
        self._tell(
            server_id,
            News.HOUSE,
            same,
            lambda: translate(OUT_OF_CHIPS, free=has.free, held=has.held, command=command),
        )

    def _is_told(self, server_id: int, what: str) -> bool:
        """Whether the admins were told something lately; if not, that they are now is noted."""
        now = steady_time()
        is_told = now - self._told.get((server_id, what), -SILENT_SECONDS) < SILENT_SECONDS
        if not is_told:
            self._told[server_id, what] = now
        return is_told

    def _warn(self, server_id: int, news: News, what: str, words: Callable[[], str]) -> bool:
        """Tells the admins something; returns False if they were told it lately."""
        if self._is_told(server_id, what):
            return False
        self._tell(server_id, news, f"{server_id}/{what}/{self._told[server_id, what]}", words)
        return True

    def _tell(self, server_id: int, news: News, key: str, words: Callable[[], str]) -> None:
        """Adds a line to the log of a server's admins, which is posted soon."""
        channel = self.channel_of(server_id, news)
        if channel is not None and key not in self._keys:
            self._keys[key] = None
            self._add_line(server_id, channel, key, words)

    def _add_line(self, server_id: int, channel: int, key: str, words: Callable[[], str]) -> None:
        # Everybody in the channel sees it.
        with speaking_to(self._services.readers.of_server(server_id)):
            line = _Line(key, self._services.croupier.now(), words())
        log_of = server_id, channel
        waiting = self._lines.get(log_of)
        if waiting is not None:
            waiting.append(line)
            del waiting[:-MOST_LINES]
        else:
            self._lines[log_of] = [line]
            posting = self._services.tasks.start(self._post_lines(server_id, channel), "admin-log")
            self._posting.add(posting)
            posting.add_done_callback(self._posting.discard)

    async def close(self) -> None:
        """Posts the lines that wait, as far as that takes no longer than `CLOSING_SECONDS`."""
        self._closing.set()
        if self._posting:
            await asyncio.wait(self._posting, timeout=CLOSING_SECONDS)

    def channel_of(self, server_id: int, news: News) -> int | None:
        """The log channel, if it tells this."""
        is_told = getattr(self._services.croupier.house_of(server_id).server, news)
        return self._channel(server_id) if is_told else None

    def grants_words(self, server_id: int) -> str:
        """Where what admins gave and took is found."""
        channel = self.channel_of(server_id, News.GRANTS)
        if channel is None:
            return translate("bank.not_logged")
        return translate("bank.logged", channel=channel)

    def _channel(self, server_id: int) -> int | None:
        channels = self._services.croupier.house_of(server_id).rules(DEFAULT_GAME).log_channel
        return channels[0] if channels else None

    async def _post_lines(self, server_id: int, channel: int) -> None:
        """Posts what waits for a log channel, at most once a minute, until nothing waits.

        Once the bot stops, it posts the rest at once. A message that is on its way arrives first. One that
        Discord refuses is dropped, and holds up no other. One that failed otherwise is tried again as it was:
        it may be there, so that with more lines some would be there twice.
        """
        log_of = server_id, channel
        lines: list[_Line] = []
        while lines or self._lines[log_of]:
            await self._services.stand_back()
            if not lines:
                lines, self._lines[log_of] = self._lines[log_of], []
            with speaking_to(self._services.readers.of_server(server_id)):
                content = Content(text_view(whole_lines(_with_times(lines))))
            try:
                same = nonce("admin-log", *log_of, *(line.key for line in lines))
                await post(self._services.client, channel, content, same)
                lines = []
            except SENDING_FAILED as failed:
                log_failure(log, failed, "the admins of server %s could not be told about it", server_id)
                if self._closing.is_set():
                    break
                if not is_temporary(failed):
                    lines = []
            with suppress(TimeoutError):
                async with asyncio.timeout(self.gather_seconds):
                    await self._closing.wait()
        del self._lines[log_of]

    def announce(self, server_id: int, draft_id: int, party: int, things: Sequence[Altered]) -> None:
        """Tells the admins soon what changed, and every table what its players should know of it.

        Told twice, each channel reads it once.

        Args:
            party: who made the change.
        """
        key = f"rules/{draft_id}"
        if things and key not in self._keys:
            self._keys[key] = None
            who = self._services.names.mention
            for channel in self._told_of(server_id, things):
                self._add_line(
                    server_id,
                    channel,
                    key,
                    lambda: translate("log.rules", who=who(party), things=listed([*map(past_thing, things)])),
                )
        rules = [thing for thing in things if thing.knob is None or _is_for_players(thing.knob)]
        for table in self._services.croupier.tables.of_server(server_id):
            if concerned := [thing for thing in rules if thing.game in (None, table.rules.game)]:
                told = self._announce(table, draft_id, party, concerned)
                self._services.tasks.start(told, "announcement")

    def _told_of(self, server_id: int, things: Sequence[Altered]) -> set[int]:
        """The log channels that are told of a change: of one to the log itself, the old and the new one."""
        told = {self.channel_of(server_id, News.RULES)}
        for thing in things:
            if thing.knob == LOG_CHANNEL:
                told |= {self._channel(server_id), *parse_knob(LOG_CHANNEL, thing.old)[1]}
            elif thing.knob in [*News]:
                told.add(self._channel(server_id))
        return {channel for channel in told if channel is not None}

    async def _announce(
        self, table: TableState, draft_id: int, party: int, things: Sequence[Altered]
    ) -> None:
        services = self._services
        await services.stand_back()
        # Everybody in the channel sees it.
        edges = await self._edges(table) if any(thing.game is not None for thing in things) else None
        with speaking_to(services.readers.of_server(table.server_id)):
            text = announcement(things, services.names.mention(party), table.round_number + 1, edges)
        content, same = Content(text_view(text), silent=True), nonce("rules", draft_id, table.table_id)
        try:
            await post(services.client, table.channel_id, content, same)
        except SENDING_FAILED as failed:
            log_failure(log, failed, "table %s could not be told of its new rules", table.table_id)

    async def _edges(self, table: TableState) -> tuple[Fraction, Fraction] | None:
        """The bank's edge now and from the next round on; None if it stays or is not known, or for points."""
        if table.rules.play is Play.POINTS:
            return None
        old = await bank_edge(table.rules)
        new = await bank_edge(self._services.croupier.rules_for(table))
        return None if old is None or new is None or old == new else (old, new)


def _with_times(lines: Sequence[_Line]) -> list[str]:
    """What lines say, each with its time if several stand in one message, which has a time of its own."""
    if len(lines) == 1:
        return [lines[0].words]
    return [f"<t:{int(line.at)}:T> {line.words}" for line in lines]


def _is_for_players(knob: str) -> bool:
    """Whether players read of its changes; not of a knob of another version, as nothing is known of it."""
    return knob in KNOBS and not KNOBS[knob].for_admins
