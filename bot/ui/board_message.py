"""One board: the message that shows a table, and the three ways to change it.

A click on it is answered with what it now shows, which costs nothing. What nobody clicked goes by the newest
click's token, free for fifteen minutes too. Only where there is none the channel is edited, which counts
against the bot's budget: then at once for a new phase or round, and else after a pause.
"""

import asyncio
import logging
from contextlib import suppress
from typing import Any, Final

import discord

from bot.client import GnauBot
from bot.ledger.changes import BoardPosted
from bot.table.state import Phase, TableState
from bot.ui.board_content import board_content
from bot.ui.discord_errors import (
    GONE,
    SENDING_FAILED,
    TOO_OLD_TO_EDIT,
    UNKNOWN_CHANNEL,
    UNKNOWN_MESSAGE,
    age_of,
    is_bad_form,
    is_code,
    nonce,
)
from bot.ui.message_state import Drawn, Shown
from bot.ui.replies import Interaction

log = logging.getLogger(__name__)

TOKEN_SECONDS: Final = 14 * 60
"""An interaction's token is used so long; Discord takes it for a minute more."""
FRESH_SECONDS: Final = 50 * 60
"""A board as old as this is posted anew with the next round: Discord caps edits after an hour."""
FRESH_MESSAGES: Final = 25
"""So many messages below it, and a board is posted anew with the next round: nobody should scroll up."""


class Board:
    """The message that shows a table.

    Args:
        bot: whose message it is.
        state: the table.
        unreachable: members who cannot be written to; shared, and looked at whenever it is drawn.
        message_id: the message; None before it is posted.
        posted_at: when it was, in seconds since the epoch, UTC.

    Attributes:
        state: the table as it is now.
        message_id: as given, then as it is posted anew.
        editing: held while the message is changed.
        wants_fresh: whether it is posted anew at the next change.
        messages_below: how many messages have come after it in its channel.
    """

    def __init__(
        self,
        bot: GnauBot,
        state: TableState,
        unreachable: set[int],
        message_id: int | None = None,
        posted_at: float = 0.0,
    ) -> None:
        self.state = state
        self.message_id = message_id
        self.editing = asyncio.Lock()
        self.wants_fresh = False
        self.messages_below = 0
        self._bot = bot
        self._unreachable = unreachable
        self._posted_at = posted_at
        self._postings = 0
        self._revision = 1
        self._shown = Shown()
        self._click: Interaction | None = None
        self._stirred = asyncio.Event()
        self._posting_in_doubt = False
        self._went: set[int] = set()

    def change(self, state: TableState) -> None:
        """Takes note that the table, or something shown beside it, is other than it was."""
        self.state = state
        self._revision += 1
        self._stirred.set()

    def click(self, interaction: Interaction) -> None:
        """Takes note of a click on the message, by whose token it may be edited."""
        self._click = interaction
        self._stirred.set()

    def message_went(self, message_id: int) -> bool:
        """Takes note of a message that was deleted, and says whether it was this one: it is posted anew.

        While a posting is on its way nobody knows yet which message it is: that is seen when it has arrived.
        """
        if message_id != self.message_id:
            if self.editing.locked():
                self._went.add(message_id)
            return False
        self.message_id, self._click, self.wants_fresh = None, None, True
        self._stirred.set()
        return True

    def round_ended(self) -> None:
        """Takes note of a new round: a board that is old or far up is posted anew with it."""
        old = self._bot.croupier.now() - self._posted_at > FRESH_SECONDS
        self.wants_fresh |= self.message_id is not None and (old or self.messages_below > FRESH_MESSAGES)

    @property
    def is_behind(self) -> bool:
        """Whether the message does not show what it should, and there is one, or should be."""
        outdated = self.message_id is not None and self._shown.is_behind(self._revision)
        return self.wants_fresh or outdated

    async def wait_for_budget(self) -> None:
        """Waits where an edit would cost and nothing presses; a click or a new phase ends the wait."""
        while self.is_behind and not self.wants_fresh:
            pause = self._pause()
            if self._live_click() is not None or not pause:
                return
            self._stirred.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._stirred.wait()

    async def post(self, interaction: Interaction) -> None:
        """Answers a command with the board; where that fails, the channel has to do."""
        async with self.editing:
            drawn = await self._draw()
            message_id = await self._respond(interaction, drawn)
            if message_id is None:
                self.wants_fresh = True
                return
            await self._posted(message_id, interaction)
            self._shown.show(drawn)

    async def answer(self, interaction: Interaction) -> None:
        """Answers a click with what the message now shows; nobody else may hold `editing`."""
        async with self.editing:
            drawn = await self._draw()
            try:
                await interaction.response.edit_message(**self._shown.edits(drawn))
            except discord.HTTPException as failed:
                if drawn.drawing is None or not is_bad_form(failed):
                    raise
                # It may be the picture that is thought to be there already: it comes along this time.
                await interaction.response.edit_message(view=drawn.view, attachments=drawn.files())
            self._shown.show(drawn)
            self.click(interaction)

    async def edit(self) -> None:
        """Has the message show what it should, by whatever way there is.

        Raises:
            One of `SENDING_FAILED`: where none worked.
        """
        async with self.editing:
            if not self.is_behind:
                return
            if (self.wants_fresh or self.message_id is None) and await self._post_anew():
                return
            drawn = await self._draw()
            changes = self._shown.edits(drawn)
            if await self._edit_by_click(changes) or (
                not self._pause() and await self._edit_by_channel(changes)
            ):
                self._shown.show(drawn)

    async def _respond(self, interaction: Interaction, drawn: Drawn) -> int | None:
        """The id of the message that answers; None where there is none."""
        try:
            response = await interaction.response.send_message(view=drawn.view, files=drawn.files())
            return response.message_id
        except SENDING_FAILED as failed:
            log.warning("a board was not taken as an answer: %s", failed)
        try:
            # Discord may have taken it all the same, and only its answer been lost.
            return (await interaction.original_response()).id
        except (*SENDING_FAILED, discord.ClientException):
            return None

    async def _edit_by_click(self, changes: dict[str, Any]) -> bool:
        """Edits by the newest click's token, and says whether that could be done."""
        click = self._live_click()
        if click is None:
            return False
        try:
            await click.edit_original_response(**changes)
        except SENDING_FAILED as failed:
            log.info("the token of interaction %s edits no more: %s", click.id, failed)
            self._click = None
            self._shown.doubt_picture()
            return False
        return True

    async def _edit_by_channel(self, changes: dict[str, Any]) -> bool:
        """Edits by the channel, and says whether there is still a message to edit."""
        assert self.message_id is not None
        try:
            await self._channel().get_partial_message(self.message_id).edit(**changes)
        except SENDING_FAILED as failed:
            self._shown.doubt_picture()
            if is_code(failed, UNKNOWN_MESSAGE, TOO_OLD_TO_EDIT):
                self.wants_fresh = True
                return False
            await self._give_up_if_gone(failed)
            return False
        return True

    async def _post_anew(self) -> bool:
        """Posts the board below everything else, and says whether that is all there is to do.

        Where the channel does not take it, the old message, if there is one, goes on showing the table.
        """
        old, drawn = self.message_id, await self._draw()
        try:
            message = await self._channel().send(
                view=drawn.view,
                files=drawn.files(),
                nonce=nonce("board", self.state.table_id, old, self._postings),
            )
        except SENDING_FAILED as failed:
            self._posting_in_doubt = True
            if old is None:
                await self._give_up_if_gone(failed)
                return True
            log.warning("the board of table %s stays where it is: %s", self.state.table_id, failed)
            self.wants_fresh = False
            return False
        await self._posted(message.id, None)
        if self._posting_in_doubt:
            # By its nonce Discord may have found the message of an earlier try, which shows less.
            self._posting_in_doubt = False
            self._shown.doubt()
        else:
            self._shown.show(drawn)
        if old is not None and old != message.id:
            try:
                await self._channel().get_partial_message(old).delete()
            except SENDING_FAILED as failed:
                log.info("the old board of table %s stays: %s", self.state.table_id, failed)
        return True

    async def _give_up_if_gone(self, failed: Exception) -> None:
        """Winds the table up where its channel is gone; of a closed table no more is to be shown there.

        Raises:
            What failed: where it may work another time.
        """
        if not is_code(failed, *GONE):
            raise failed
        if self.state.phase is not Phase.CLOSED and is_code(failed, UNKNOWN_CHANNEL):
            await self._bot.croupier.wind_up([self.state])
        elif self.state.phase is not Phase.CLOSED:
            raise failed
        self.wants_fresh, self.message_id = False, None

    async def _posted(self, message_id: int, click: Interaction | None) -> None:
        self.message_id, self._click = message_id, click
        self._posted_at = self._bot.croupier.now()
        self._postings += 1
        self.messages_below, self.wants_fresh = 0, False
        posted = BoardPosted(self.state.table_id, message_id, self._posted_at)
        await self._bot.croupier.ledger.record(posted)
        if message_id in self._went:
            self.message_went(message_id)
        self._went.clear()

    async def _draw(self) -> Drawn:
        """What the message is to show; drawn again where the table went on meanwhile."""
        while True:
            revision, stage = self._revision, self._stage()
            view, drawing = await board_content(self._bot, self.state, self._unreachable)
            if revision == self._revision:
                return Drawn(view, drawing, revision, stage)

    def _pause(self) -> float:
        return self._shown.pause(self._stage())

    def _stage(self) -> object:
        """What a spectator must not wait for: a new phase, a new round, another banker."""
        return self.state.phase, self.state.round_number, self.state.bank and self.state.bank.member

    def _live_click(self) -> Interaction | None:
        click = self._click
        return click if click is not None and age_of(click) < TOKEN_SECONDS else None

    def _channel(self) -> discord.PartialMessageable:
        return self._bot.get_partial_messageable(self.state.channel_id, guild_id=self.state.server_id)
