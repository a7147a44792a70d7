"""What a server is told about its house unasked.

The admins read in their log channel what they should know: chips that an admin gave or took, large gifts, new
house rules, a house out of chips (B07), and what keeps tables from being shown. Each kind can be turned off,
and there is at most one message a minute. Channels with open tables read that their house rules have changed.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import Final

import discord
from cachetools import LRUCache

from bot.clock import steady_time
from bot.croupier.gifts import Gift
from bot.croupier.grants import Grant
from bot.croupier.handouts import bankroll
from bot.croupier.houses import Altered
from bot.croupier.open_tables import TableChanged
from bot.games.register import DEFAULT_GAME
from bot.ledger.errors import LedgerError
from bot.rules.knobs import Play
from bot.table.events import BankGivenUp
from bot.table.state import THE_HOUSE, LeaveReason, TableState
from bot.ui.components import text_view
from bot.ui.house.changes import announcement, past_thing
from bot.ui.odds import bank_edge
from bot.ui.press.errors import SENDING_FAILED, log_failure, nonce
from bot.ui.press.replies import whole_lines
from bot.ui.services import Services
from bot.wire.requests import Content, post
from bot.words.translation import listed, speaking_to, translate, typed_command

log = logging.getLogger(__name__)

SILENT_SECONDS: Final = 3600.0
"""How long the admins of a server are not told the same again."""
GATHER_SECONDS: Final = 60.0
"""How long what comes after a message in a log channel waits for the next one."""
MOST_LINES: Final = 200
"""The most lines that wait for a log channel; what is older is dropped."""
KEYS_KEPT: Final = 10_000
"""Of how many commands it is known that their line is in the log: none is there twice."""
OUT_OF_CHIPS: Final = "bankroll.out"
CHANNELS_GONE: Final = "table.channels_gone"


class News(StrEnum):
    """What the log channel tells; each is the setting that turns it off."""

    GRANTS = "log_grants"
    KICKS = "log_kicks"
    GIFTS = "log_gifts"
    RULES = "log_rules"
    HOUSE = "log_house"
    BOARDS = "log_boards"


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
        self._lines: dict[int, list[str]] = {}
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

    def removed(self, table: TableState, admin: int, party: int, key: str) -> None:
        """Tells the admins that one of them removed a member from a table; `key` is as for `granted`."""
        mention = self._services.names.mention
        self._tell(
            table.server_id,
            News.KICKS,
            key,
            lambda: translate("log.removed", who=mention(admin), member=mention(party), number=table.number),
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

    def not_crowned(self, server_id: int, role_id: int) -> None:
        """Tells the admins that the bot may not give the winners of a season their role, unless they know."""
        self._warn(
            server_id, News.BOARDS, f"role.{role_id}", lambda: translate("log.season_role", role=role_id)
        )

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
        if key in self._keys or not self.channel_of(server_id, news):
            return
        self._keys[key] = None
        # Everybody in the channel sees it.
        with speaking_to(self._services.readers.of_server(server_id)):
            line = words()
        waiting = self._lines.get(server_id)
        if waiting is not None:
            waiting.append(line)
            del waiting[:-MOST_LINES]
        else:
            self._lines[server_id] = [line]
            self._services.tasks.start(self._post_lines(server_id), "admin-log")

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

    async def _post_lines(self, server_id: int) -> None:
        """Posts what waits for a log channel, at most once a minute, until nothing waits."""
        while self._lines[server_id]:
            await self._services.stand_back()
            lines, channel = self._lines[server_id], self._channel(server_id)
            self._lines[server_id] = []
            if channel is not None:
                with speaking_to(self._services.readers.of_server(server_id)):
                    content = Content(text_view(whole_lines(lines)))
                try:
                    same = nonce("admin-log", server_id, *lines)
                    await post(self._services.client, channel, content, same)
                except SENDING_FAILED as failed:
                    log_failure(log, failed, "the admins of server %s could not be told about it", server_id)
                    if not isinstance(failed, discord.Forbidden | discord.NotFound):
                        self._lines[server_id][:0] = lines
            await asyncio.sleep(self.gather_seconds)
        del self._lines[server_id]

    def announce(self, server_id: int, draft_id: int, party: int, things: Sequence[Altered]) -> None:
        """Tells every table, and the admins, soon what changed; told twice, each channel reads it once.

        Args:
            party: who made the change.
        """
        if things:
            who = self._services.names.mention
            self._tell(
                server_id,
                News.RULES,
                f"rules/{draft_id}",
                lambda: translate("log.rules", who=who(party), things=listed([*map(past_thing, things)])),
            )
        for table in self._services.croupier.tables.of_server(server_id):
            if concerned := [thing for thing in things if thing.game in (None, table.rules.game)]:
                told = self._announce(table, draft_id, party, concerned)
                self._services.tasks.start(told, "announcement")

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
