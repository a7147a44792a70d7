"""Signs in as `Client.login` of discord.py does, but goes on without what only some of the bot needs."""

import asyncio
import logging
from typing import Final

import aiohttp
import discord

from bot.wire.discord_outage import reason

log = logging.getLogger(__name__)

ANSWER_SECONDS: Final = 30.0
"""How long a request at the start may take."""
UNANSWERED: Final = (discord.HTTPException, aiohttp.ClientError, OSError, KeyError, TypeError, ValueError)
"""What a request raises that gets no answer, or none as Discord gives it."""


async def sign_in(client: discord.Client, token: str) -> bool:
    """Signs in; returns whether Discord said which application this is. If not, READY says it.

    Raises:
        discord.LoginFailure: Discord refuses the token.
        One of `UNANSWERED`: otherwise; it can be called again.
    """
    http = client.http
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            user = await http.static_login(token)
        int(user["id"])
    except UNANSWERED:
        # Called again, it would leave its session open.
        await http.close()
        http.connector = discord.utils.MISSING
        raise
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            application = await client.application_info()
    except UNANSWERED as failed:
        log.warning(
            "Discord did not say which application this is, so commands are registered later: %s",
            reason(failed),
        )
        return False
    client._connection.application_id = application.id
    if application.interactions_endpoint_url is not None:
        log.warning("no press reaches the bot: remove the interactions endpoint URL in Discord's portal")
    return True
