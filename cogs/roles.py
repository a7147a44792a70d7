"""Asks for the roles of who sat at a table, or waited for its bank, before the start, if banking needs one.

Discord tells roles with each press in a server, and none by direct message. Without them a member who presses
nothing in the server would not get a bank that goes round or that they wait for, and no dice would choose
them.
"""

import logging
from typing import Final

from bot.croupier.identities import MANAGER
from bot.rules.server_settings import role_id
from bot.table.state import TableState
from bot.ui.bot import BotCog, GnauBot
from bot.ui.press.errors import LEFT_SERVER, SENDING_FAILED, FailedLately, is_code

log = logging.getLogger(__name__)

LOOK_SECONDS: Final = 60.0
"""How often it looks for members at tables whose roles are not known."""


class Roles(BotCog):
    """Learns the roles of members at tables. Everybody else presses in the server to sit down."""

    def __init__(self, bot: GnauBot) -> None:
        super().__init__(bot)
        self._left_lately: FailedLately[int] = FailedLately(lambda: bot.croupier.now())

    async def cog_load(self) -> None:
        """Starts to look for members whose roles are not known."""
        self.bot.tasks.repeat(self.look, LOOK_SECONDS, "roles")

    async def look(self) -> None:
        """Asks about one member after another."""
        await self.bot.wait_until_ready()
        for table in self.bot.croupier.tables.all():
            house = self.bot.croupier.house_of(table.server_id)
            if role_id(house.server.bank_role) is not None:
                await self._ask_about(table)
                await self.bot.croupier.offer_bank(table.table_id)

    async def _ask_about(self, table: TableState) -> None:
        server, identities = self.bot.get_guild(table.server_id), self.bot.croupier.identities
        parties = table.parties.union(self.bot.croupier.bank_queue.waiting(table.table_id))
        for identity in filter(None, map(identities.get, parties)):
            party = identity.party
            if server is None or identities.knows_roles(party) or party in self._left_lately:
                continue
            await self.bot.stand_back()
            try:
                member = await server.fetch_member(identity.user_id)
            except SENDING_FAILED as failed:
                log.info("the roles of party %s are not known: %s", party, failed)
                if is_code(failed, *LEFT_SERVER):
                    self._left_lately.add(party)
                    await self.bot.croupier.bank_queue.leave_all(party)
                continue
            manages = {MANAGER} if member.guild_permissions.manage_guild else set[int]()
            identities.learn_roles(party, frozenset(role.id for role in member.roles) | manages)
