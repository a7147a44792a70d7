"""Goes on with tournaments, and posts what they have come to: boards, threads of their tables, results."""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

import discord

from bot.croupier.decisions import TRIES
from bot.croupier.tournaments import Tournaments
from bot.ledger.errors import LedgerError
from bot.ledger.records import is_recent
from bot.shards import Shards
from bot.table.state import Phase, TableState, parse_state
from bot.table.tournament import Progress, Tournament
from bot.ui.components import picture, text
from bot.ui.pictures import render_podium
from bot.ui.press.errors import SENDING_FAILED, FailedLately, is_temporary, log_failure, nonce
from bot.ui.services import Services
from bot.ui.tournament_view import (
    ended_words,
    named,
    result_lines,
    thread_name,
    tournament_title,
    tournament_view,
)
from bot.wire.requests import Content, edit, post
from bot.words.translation import listed, signed, speaking_to, translate

log = logging.getLogger(__name__)

NO_TABLES: Final[Mapping[int, TableState]] = MappingProxyType({})
ANSWER_SECONDS: Final = 15.0
"""How long the answer of the command that opens a tournament may take: it is the board."""
WAIT_SECONDS: Final = 30.0
"""How long Discord is not asked again for a tournament after it refused something."""


Marks = tuple[tuple[int, bool], ...]
"""Of each table of a stage, its last settled round, and whether it is over."""


def _marks(tables: Mapping[int, TableState]) -> Marks:
    """What changes on a board with its tables: once a round of a table, so it is edited no more often."""
    return tuple(
        (0 if table.last is None else table.last.round_number, table.phase is Phase.CLOSED)
        for table in tables.values()
    )


class TournamentBoards:
    """Goes on with tournaments, and shows what they have come to."""

    def __init__(self, services: Services, hosts: Shards) -> None:
        self._services = services
        self._hosts = hosts
        self.tournaments = Tournaments(services.croupier)
        # As far as it is known.
        self._shown: dict[int, tuple[Tournament, Marks]] = {}
        self._failed: FailedLately[int] = FailedLately(lambda: services.croupier.now(), WAIT_SECONDS)

    async def look(self) -> None:
        """Does what is due in every tournament, and brings their boards up to date."""
        try:
            running = await self._services.croupier.stored_tournaments.running()
        except LedgerError as failed:
            log_failure(log, failed, "tournaments go on later")
            return
        for one in running:
            server = self._services.client.get_guild(one.server_id)
            if not self._hosts(one.server_id) or server is None or server.unavailable:
                continue
            try:
                await self._go_on(one)
            except LedgerError as failed:
                log_failure(log, failed, "tournament %s goes on later", one.tournament_id)
            except Exception:
                # One that fails holds up no other.
                log.exception("tournament %s cannot go on now", one.tournament_id)

    async def _go_on(self, before: Tournament) -> None:
        one = await self.tournaments.go_on(before, self._thread)
        await self._services.croupier.identities.load(one.entrants)
        if one.tournament_id in self._failed:
            return
        if one.message_id is None:
            opened_at = discord.utils.snowflake_time(one.tournament_id).timestamp()
            if not is_recent(opened_at, ANSWER_SECONDS, self._services.croupier.now()):
                one = await self.post(one)
        else:
            tables = await self.tournaments.tables(one) if one.progress is Progress.PLAYING else {}
            if self._shown.get(one.tournament_id) != (one, _marks(tables)):
                one = await self._edit(one, tables)
        if one.ended and (not one.is_running or all(group.table_id for group in one.groups)):
            one = await self._tell_ended(one)
        if not one.is_running and not one.is_told:
            await self._tell(one)

    def shows(self, one: Tournament, tables: Mapping[int, TableState] = NO_TABLES) -> None:
        """Notes what a board shows now."""
        self._shown[one.tournament_id] = one, _marks(tables)

    async def note_board(self, one: Tournament, message_id: int) -> Tournament:
        """Notes which message is the board, also if members enter meanwhile; returns the tournament then."""
        for _ in range(TRIES):
            after = replace(one, message_id=message_id)
            if await self.tournaments.note(one, after):
                return after
            one = await self.tournaments.get(one.tournament_id) or one
        return one

    async def post(self, one: Tournament) -> Tournament:
        """Posts a board that is not there, or not any more, and notes it."""
        tables = await self.tournaments.tables(one)
        # Discord would not post a board again with the nonce of a deleted one.
        same = nonce("tournament", one.tournament_id, one.message_id)
        try:
            content = self.content(one, tables)
            posted = await post(self._services.client, one.channel_id, content, same)
        except SENDING_FAILED as failed:
            log_failure(log, failed, "the board of tournament %s could not be posted", one.tournament_id)
            self._failed.add(one.tournament_id)
            return one
        one = await self.note_board(one, posted.message_id)
        self.shows(one, tables)
        return one

    async def _edit(self, one: Tournament, tables: Mapping[int, TableState]) -> Tournament:
        """Brings a board up to date; posts another one if it was deleted."""
        assert one.message_id is not None
        try:
            await edit(self._services.client, one.channel_id, one.message_id, self.content(one, tables))
        except SENDING_FAILED as failed:
            if isinstance(failed, discord.NotFound) and one.is_running:
                return await self.post(one)
            log_failure(log, failed, "the board of tournament %s could not be edited", one.tournament_id)
            self._failed.add(one.tournament_id)
            if is_temporary(failed):
                return one
        self.shows(one, tables)
        return one

    def content(self, one: Tournament, tables: Mapping[int, TableState] = NO_TABLES) -> Content:
        """What the board says, in the words of its server."""
        with speaking_to(self._services.readers.of_server(one.server_id)):
            return Content(tournament_view(one, tables, self._services.names))

    async def _thread(self, one: Tournament, number: int) -> int | None:
        """The thread of a table, which its players are told of; None if it cannot be made now."""
        client, group = self._services.client, one.groups[number]
        server = client.get_guild(one.server_id)
        await self._services.croupier.identities.load(group.parties)
        channel = None if server is None else server.get_channel(one.channel_id)
        if server is None or not isinstance(channel, discord.TextChannel):
            return None
        may = channel.permissions_for(server.me)
        is_allowed = may.create_public_threads and may.send_messages_in_threads
        if not is_allowed or one.tournament_id in self._failed:
            return None
        with speaking_to(self._services.readers.of_server(one.server_id)):
            name = thread_name(one, number)
            who = named(group.parties, self._services.names)
            words = translate("tournament.called", who=who, chips=one.chips)
        try:
            for thread in channel.threads:
                is_ours = thread.name == name and thread.owner_id == server.me.id
                if is_ours and await self._is_own(one, thread.id):
                    # It was made before a kill, which may have come before the call.
                    break
            else:
                thread = await channel.create_thread(name=name, type=discord.ChannelType.public_thread)
            call = Content([text(words)], mentions=self._users(group.parties))
            await post(client, thread.id, call, nonce("heat", thread.id))
        except SENDING_FAILED as failed:
            log_failure(log, failed, "a table of tournament %s has no thread yet", one.tournament_id)
            self._failed.add(one.tournament_id)
            return None
        return thread.id

    async def _is_own(self, one: Tournament, thread_id: int) -> bool:
        """Whether a thread has no table yet, or that of this tournament."""
        row = await self._services.croupier.ledger.table(thread_id)
        if row is None:
            return await self._services.croupier.table_in(thread_id) is None
        heat = parse_state(row.state).heat
        return heat is not None and heat.tournament_id == one.tournament_id

    async def _tell_ended(self, one: Tournament) -> Tournament:
        """Posts at tables that are over who goes on, and where, or why not; once, as far as it can be."""
        for group in one.ended:
            with speaking_to(self._services.readers.of_server(one.server_id)):
                content = Content([text(ended_words(one, group, self._services.names))])
            try:
                if group.table_id is not None:
                    same = nonce("ended", group.table_id)
                    await post(self._services.client, group.table_id, content, same)
            except SENDING_FAILED as failed:
                log_failure(log, failed, "a table of tournament %s is not told", one.tournament_id)
                if is_temporary(failed):
                    self._failed.add(one.tournament_id)
                    return one
        told = replace(one, ended=())
        if not await self.tournaments.note(one, told):
            return one
        if one.tournament_id in self._shown:
            self._shown[one.tournament_id] = told, self._shown[one.tournament_id][1]
        return told

    async def _tell(self, one: Tournament) -> None:
        """Posts who has won; if a kill comes before that is noted, Discord drops the second message."""
        if one.progress is Progress.OVER:
            same = nonce("result", one.tournament_id)
            try:
                await post(self._services.client, one.channel_id, await self._result(one), same)
            except SENDING_FAILED as failed:
                log_failure(log, failed, "the result of tournament %s could not be posted", one.tournament_id)
                self._failed.add(one.tournament_id)
                if is_temporary(failed):
                    return
        if await self.tournaments.note(one, replace(one, is_told=True)):
            self._shown.pop(one.tournament_id, None)

    async def _result(self, one: Tournament) -> Content:
        with speaking_to(self._services.readers.of_server(one.server_id)):
            lines = [tournament_title(one), *result_lines(one, self._services.names)]
            layout, files = [text("\n".join(lines))], []
            winners = [player.party for player in one.ranking[: len(one.prizes)]]
            figures = [signed(prize) for prize in one.prizes if prize]
            if winners and figures:
                who = map(self._services.names.name, winners)
                alt = translate(
                    "tournament.alt", figures=listed(map(" ".join, zip(who, figures, strict=False)))
                )
                podium = await render_podium(figures, alt)
                layout.append(picture(podium.name, alt))
                files.append(podium)
        return Content(layout, files, self._users(winners))

    def _users(self, parties: Iterable[int]) -> list[int]:
        """Whom a message mentions."""
        identities = map(self._services.croupier.identities.get, parties)
        return [identity.user_id for identity in identities if identity is not None]
