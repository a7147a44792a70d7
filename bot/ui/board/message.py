"""One board: the message that shows a table, and the three ways to change it.

A click on it is answered with the new board, which is free. Other changes use the newest click's token, free
for 15 minutes. Without a token the message is edited through its channel, which counts against the bot's
budget: at once for a new phase or round, otherwise after a pause.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from typing import Final

import discord

from bot.clock import steady_time
from bot.ledger.changes import BoardPosted
from bot.ledger.records import is_recent
from bot.table.achievements import Achievement
from bot.table.state import Phase, TableState
from bot.ui.board.content import BoardContent
from bot.ui.board.text import BoardFacts
from bot.ui.components import Layout
from bot.ui.following import FAR_UP
from bot.ui.press.arrivals import made_at, token_lives
from bot.ui.press.errors import (
    GONE,
    NOT_OUR_MESSAGE,
    SENDING_FAILED,
    THREAD_ARCHIVED,
    TOO_OLD_TO_EDIT,
    UNKNOWN_CHANNEL,
    UNKNOWN_MESSAGE,
    is_code,
    is_invalid_body,
    level_of,
    log_failure,
    nonce,
)
from bot.ui.press.replies import reply
from bot.ui.services import Services
from bot.wire.requests import (
    Attachment,
    Content,
    Interaction,
    Response,
    edit,
    edit_response,
    post,
    respond_with_id,
    update,
)
from bot.words.translation import translate

log = logging.getLogger(__name__)

POST_INSTEAD: Final = frozenset({UNKNOWN_MESSAGE, NOT_OUR_MESSAGE, TOO_OLD_TO_EDIT, THREAD_ARCHIVED})
"""Why a message cannot be edited, but another one can be posted in its place."""
BUDGET_SECONDS: Final = 15.0
"""The pause between edits that cost, within one stage."""
FRESH_SECONDS: Final = 50 * 60
"""The age at which a board is posted again with the next round: Discord caps edits after an hour."""
FRESH_MESSAGES: Final = 8
"""With more messages below it, a board is posted again with the next round: nobody should scroll up."""
THUMB_SECONDS: Final = 0.4
"""A bet so soon after the buttons for hands are gone was aimed at one of them: nobody finds another one, and
hits it, in less time."""
Stage = tuple[Phase, int, int | None]
"""A phase, the number of the round, and who banks."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """What a message is to show.

    Attributes:
        revision: the number of the change after which it was rendered.
        stage: what a spectator must not wait for, as it was then.
    """

    layout: Layout
    picture: Attachment | None
    revision: int
    stage: Stage

    def whole(self) -> Content:
        """All of it, with its picture, as in a new message."""
        return Content(self.layout, files=[self.picture] if self.picture else [])


class Board:
    """The message that shows a table.

    Args:
        unreachable: members whose direct messages are closed; shared by all boards.
        on_moved: is called when it was posted again below other messages.
        on_refused: is called when Discord does not let it be posted in its channel, while its table is open.
        until_result_may_show: returns once it may show what a round brought.

    Attributes:
        message_id: the newest message; None before it is posted.
        editing: held while the message is changed.
        needs_posting: whether it is posted again at the next change.
        messages_below: how many messages have come after it in its channel.
        menu_uses: how often the menu was used; a new number resets it in Discord's client.
    """

    def __init__(
        self,
        services: Services,
        state: TableState,
        unreachable: set[int],
        on_moved: Callable[[TableState], object],
        on_refused: Callable[[TableState], object],
        until_result_may_show: Callable[[TableState], Awaitable[None]],
        message_id: int | None = None,
        posted_at: float = 0.0,
    ) -> None:
        self.state = state
        self.message_id = message_id
        self.editing = asyncio.Lock()
        self.needs_posting = False
        self.messages_below = 0
        self.menu_uses = 0
        self._services = services
        self._croupier = services.croupier
        self._content = BoardContent(
            services.croupier.ledger.stacks, services.croupier.wallets.may_lose, services.names
        )
        self._unreachable = unreachable
        self._on_moved = on_moved
        self._on_refused = on_refused
        self._until_result_may_show = until_result_may_show
        self._rendered: Rendered | None = None
        self._posted_at = posted_at
        # Also once it is deleted: of processes that post again in its place, Discord takes the first.
        self._newest_id = message_id
        self._unrecorded: BoardPosted | None = None
        self._revision = 1
        # What the message shows, as far as that is known, and since when.
        self._shown: Rendered | None = None
        self._shown_at = -BUDGET_SECONDS
        self._hands_gone_at = -inf
        self._has_picture = False
        self._click: Interaction | None = None
        self._stirred = asyncio.Event()
        self._deleted: set[int] = set()

    @property
    def table_id(self) -> int:
        """Which table it shows."""
        return self.state.table_id

    def change(self, state: TableState) -> None:
        """Notes that the table, or something shown beside it, has changed."""
        self.state = state
        self._revision += 1
        self._stirred.set()

    def doubt(self) -> None:
        """Notes that the message may be gone, or show less than was thought."""
        self._shown, self._has_picture = None, False
        self._stirred.set()

    def forget_names(self) -> None:
        """Notes that a member whom the board names is erased."""
        self._content.forget_names()
        self.change(self.state)

    def had_hands(self, interaction: Interaction) -> bool:
        """Whether a press on the message was aimed at what it showed before a round ended."""
        return made_at(interaction) < self._hands_gone_at + THUMB_SECONDS

    def click(self, interaction: Interaction) -> None:
        """Notes a click on the message, whose token can edit it."""
        self._click = interaction
        self._stirred.set()

    def message_deleted(self, message_id: int) -> bool:
        """Notes a deleted message, and returns whether it was this one, which is then posted again.

        While a posting is on its way its id is not known yet, so the deleted id is kept until it arrives.
        """
        if message_id != self.message_id:
            if self.editing.locked():
                self._deleted.add(message_id)
            return False
        self.message_id, self._click, self.needs_posting = None, None, True
        self._stirred.set()
        return True

    def round_ended(self) -> None:
        """Notes a new round: a board that is old or far up is posted again with it."""
        old = not is_recent(self._posted_at, FRESH_SECONDS, self._croupier.now())
        self.needs_posting |= self.message_id is not None and (old or self.messages_below > FRESH_MESSAGES)

    def table_closed(self) -> None:
        """Notes the end: a board that is not in sight is posted again once, if it has rounds to tell of."""
        tells = self.message_id is not None and self.state.last is not None
        self.needs_posting = tells and self.messages_below > FAR_UP

    @property
    def _is_followed(self) -> bool:
        """Whether its table is closed and has a goodbye, and its channel has another table by now."""
        is_over = self.state.phase is Phase.CLOSED and self.message_id is not None
        return is_over and self._croupier.tables.in_channel(self.state.channel_id) is not None

    @property
    def is_behind(self) -> bool:
        """Whether the message needs an edit, or needs to be posted, or to be stored."""
        outdated = self.message_id is not None and (
            self._shown is None or self._shown.revision < self._revision
        )
        return self.needs_posting or outdated or self._unrecorded is not None

    async def wait_for_budget(self) -> None:
        """Waits while an edit would cost and is not urgent; a click or a new phase ends the wait."""
        while self.is_behind and not self.needs_posting:
            pause = self._pause()
            if self._live_click() is not None or not pause:
                return
            self._stirred.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._stirred.wait()

    async def post(self, interaction: Interaction) -> bool:
        """Answers a command or a press with the board; if that fails, it is posted in the channel.

        Returns:
            Whether it was not there already. If it was, nothing is answered: a table has one board.
        """
        if self.message_id is not None:
            # Nobody waits for an edit on its way.
            return False
        async with self.editing:
            if self.message_id is not None:
                return False
            rendered = await self._render()
            message_id = await self._respond(interaction, rendered)
            if message_id is None:
                self.needs_posting = True
                return True
            self._posted(message_id, interaction)
            self._shows(rendered)
            await self._record()
            return True

    async def reply(self, interaction: Interaction) -> None:
        """Answers a click with the new board; nobody else may hold `editing`."""
        async with self.editing:
            rendered = await self._render()
            try:
                is_there = await update(interaction, self._edits(rendered))
            except discord.HTTPException as failed:
                if rendered.picture is None or not is_invalid_body(failed):
                    raise
                # The picture that should be there already may be missing: it is sent this time.
                is_there = await update(interaction, rendered.whole())
            if is_there:
                self._shows(rendered)
                self.click(interaction)

    async def edit(self) -> None:
        """Brings the message up to date, by the cheapest way there is."""
        async with self.editing:
            await self._record()
            if not self.is_behind:
                return
            result = await self._render()
        # Without the lock: a click meanwhile is answered with the board.
        await self._until_result_may_show(self.state)
        async with self.editing:
            if not self.is_behind:
                return
            rendered = await self._render_after(result)
            if self._is_followed:
                # The goodbye stays above the board of the table that is open now.
                self.needs_posting = False
            post_first = self.needs_posting or self.message_id is None
            if post_first and await self._post_again(rendered):
                return
            changes = self._edits(rendered)
            if await self._edit_by_click(changes) or (
                not self._pause() and await self._edit_by_channel(changes, may_post=not post_first)
            ):
                self._shows(rendered)

    def _shows(self, rendered: Rendered) -> None:
        """Notes that the message shows this."""
        if self._shown is not None and Phase.DEALT in self._shown.stage and Phase.DEALT not in rendered.stage:
            self._hands_gone_at = steady_time()
        self._shown, self._has_picture = rendered, True
        self._shown_at = asyncio.get_running_loop().time()

    def _edits(self, rendered: Rendered) -> Content:
        """What an edit to this sends; a picture that is there already is not sent again."""
        there = self._shown.picture if self._shown is not None and self._has_picture else None
        if rendered.picture is not None and there is not None and rendered.picture.name == there.name:
            return Content(rendered.layout)
        return rendered.whole()

    async def _respond(self, interaction: Interaction, rendered: Rendered) -> int | None:
        """The id of the message that answers; None if there is none."""
        try:
            message_id = await respond_with_id(interaction, rendered.whole())
            if message_id is None:
                await reply(interaction, translate("reply.done"))
            return message_id
        except SENDING_FAILED as failed:
            log_failure(log, failed, "a board could not be sent as an answer")
            return None

    async def _edit_by_click(self, changes: Content) -> bool:
        """Edits by the newest click's token, and returns whether that worked."""
        click = self._live_click()
        if click is None:
            return False
        try:
            await edit_response(Response(click), changes)
        except SENDING_FAILED as failed:
            log.log(
                min(level_of(failed), logging.INFO),
                "the board of table %s could not be edited by the token of interaction %s: %s",
                self.state.table_id,
                click.id,
                failed,
            )
            self._click = None
            self._has_picture = False
            return False
        return True

    async def _edit_by_channel(self, changes: Content, *, may_post: bool) -> bool:
        """Edits through the channel, and returns whether nothing is left to do.

        Args:
            may_post: whether the board may be posted again instead: not if that has just failed.
        """
        if self.message_id is None:
            # It was deleted while something else was tried.
            return False
        try:
            await edit(self._services.client, self.state.channel_id, self.message_id, changes)
        except SENDING_FAILED as failed:
            self._has_picture = False
            idle = self.state.phase is not Phase.DEALT and not self.state.staked
            if is_code(failed, THREAD_ARCHIVED) and (idle or not may_post):
                # The bot opens no thread for nothing, and none that is locked: the board is edited once
                # somebody opens it again.
                return True
            if may_post and is_code(failed, *POST_INSTEAD):
                self.needs_posting = True
                return False
            await self._wind_up_if_gone(failed)
            return False
        return True

    async def _post_again(self, rendered: Rendered) -> bool:
        """Posts the board below all other messages, and returns whether nothing is left to do.

        If the channel does not take it, the old message, if any, keeps showing the table.
        """
        old = self.message_id
        try:
            posted = await post(
                self._services.client,
                self.state.channel_id,
                rendered.whole(),
                nonce("board", self.state.table_id, self._newest_id),
            )
        except SENDING_FAILED as failed:
            if isinstance(failed, discord.Forbidden) and self.state.phase is not Phase.CLOSED:
                self._on_refused(self.state)
            if old is None:
                await self._wind_up_if_gone(failed)
                return True
            log_failure(log, failed, "the board of table %s could not be posted again", self.state.table_id)
            self.needs_posting = False
            return False
        self._posted(posted.message_id, None)
        self._on_moved(self.state)
        if posted.is_as_sent:
            self._shows(rendered)
        else:
            # The nonce has matched the message of an earlier try, or of another process.
            self.doubt()
        if old is not None and old != posted.message_id:
            channel = self._services.client.get_partial_messageable(self.state.channel_id)
            try:
                await channel.get_partial_message(old).delete()
            except SENDING_FAILED as failed:
                log.info("the old board of table %s could not be deleted: %s", self.state.table_id, failed)
        await self._record()
        return True

    async def _wind_up_if_gone(self, failed: Exception) -> None:
        """Closes the table if its channel is gone.

        Raises:
            What failed: if it may work another time.
        """
        if not is_code(failed, *GONE):
            raise failed
        if self.state.phase is not Phase.CLOSED and is_code(failed, UNKNOWN_CHANNEL):
            await self._croupier.wind_up([self.state])
        elif self.state.phase is not Phase.CLOSED:
            raise failed
        self.needs_posting, self.message_id = False, None

    def _posted(self, message_id: int, click: Interaction | None) -> None:
        self.message_id, self._newest_id, self._click = message_id, message_id, click
        self._posted_at = self._croupier.now()
        self.messages_below, self.needs_posting = 0, False
        self._unrecorded = BoardPosted(self.state.table_id, message_id, self._posted_at)
        if message_id in self._deleted:
            self.message_deleted(message_id)
        self._deleted.clear()

    async def _record(self) -> None:
        """Stores which message shows the table, unless that is stored already."""
        if self._unrecorded is not None:
            await self._croupier.ledger.record(self._unrecorded)
            self._unrecorded = None

    async def _render(self) -> Rendered:
        """What the message should show; rendered again if the table changed meanwhile."""
        while True:
            revision, stage = self._revision, self._stage()
            if self._rendered is not None and self._rendered.revision == revision:
                return self._rendered
            reader = self._services.readers.of_server(self.state.server_id)
            story = self._croupier.stories.of(self.table_id)
            achieved, all_in = self._achieved(), self._croupier.stories.all_in(self.state)
            if not self._croupier.house_of(self.state.server_id).server.celebrations:
                story, achieved, all_in = story.quiet(), [], frozenset()
            following = next(iter(self._croupier.bank_queue.waiting(self.table_id)), None)
            facts = BoardFacts(
                unreachable=self._unreachable,
                next_banker=following,
                story=story,
                achieved=achieved,
                all_in=all_in,
                is_last_call=self._croupier.attention.is_last_call(self.state),
                awaited_banker=self._croupier.attention.awaited_banker(self.state),
                menu_uses=self.menu_uses,
            )
            layout, picture = await self._content.made_of(self.state, reader, facts)
            if revision == self._revision:
                self._rendered = Rendered(layout, picture, revision, stage)
                return self._rendered

    async def _render_after(self, result: Rendered) -> Rendered:
        """As `_render`; but a result that nobody has seen comes before hands dealt meanwhile."""
        rendered = await self._render()
        is_unseen = self._shown is None or self._shown.revision < result.revision
        hides_result = Phase.DEALT in rendered.stage and Phase.DEALT not in result.stage
        return result if is_unseen and hides_result else rendered

    def _achieved(self) -> list[tuple[int, Achievement]]:
        """What members achieved in the last round; those who are hidden see theirs on their profile only."""
        identities = self._croupier.identities
        return [
            (party, one)
            for party, one in self._croupier.standings.reached_in(self.state)
            if (identity := identities.get(party)) is not None and not identity.is_hidden
        ]

    def _pause(self) -> float:
        """Seconds until an edit that costs may be made; 0 for a new stage."""
        if self._shown is None or self._shown.stage != self._stage():
            return 0.0
        return max(0.0, self._shown_at + BUDGET_SECONDS - asyncio.get_running_loop().time())

    def _stage(self) -> Stage:
        """What a spectator must not wait for: a new phase, a new round, another banker."""
        bank = self.state.bank
        return self.state.phase, self.state.round_number, bank.party if bank else None

    def _live_click(self) -> Interaction | None:
        click = self._click
        return click if click is not None and token_lives(click) else None
