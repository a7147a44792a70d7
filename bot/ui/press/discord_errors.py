"""Discord's refusals of a message as kinds that can be told apart, and nonces against duplicates.

discord.py sends a request again after 500, 502, 504 or 524, although Discord may have carried it out. What
keeps each kind of message from being there twice:

- a message in a channel: its nonce, which Discord remembers for some minutes;
- the first answer to an interaction: there is only one, and the second is refused (40060);
- an edit, or what fills a deferred answer: it says the same the second time;
- a follow-up: nothing, because it has no nonce. So follow-ups are only sentences to one person about what
  went wrong after the first answer, and answers where the bot may not write messages of its own.
"""

import logging
from hashlib import blake2b
from typing import Final

import aiohttp
import discord

from bot.wire.requests import CONNECTION_BROKE

MESSAGES_CLOSED: Final = frozenset({50007, 50278})
"""Direct messages to this member are refused: theirs are closed, or no server is shared with the bot."""
NO_SHARED_SERVER: Final = 50278
SENDING_FAILED: Final = (discord.HTTPException, *CONNECTION_BROKE)
"""What sending or editing a message raises: Discord's refusal, or a broken connection."""
UNKNOWN_CHANNEL: Final = 10003
NOT_IN_SERVER: Final = frozenset({10004, 50001})
"""The server is deleted, or the bot is not in it. Of a channel, the bot may not see it."""
GONE: Final = frozenset({UNKNOWN_CHANNEL, *NOT_IN_SERVER})
"""The channel or its server is gone, or the bot may not see it any more."""
UNKNOWN_MESSAGE: Final = 10008
NOT_OUR_MESSAGE: Final = 50005
"""The message is of another bot: the one that the host had before."""
UNKNOWN_INTERACTION: Final = 10062
"""The interaction is too old to be answered."""
INVALID_BODY: Final = 50035
TOO_OLD_TO_EDIT: Final = 30046
THREAD_ARCHIVED: Final = 50083
"""Nothing in the thread can be changed, but a new message opens it again, unless it is locked."""


def nonce(*parts: object) -> str:
    """A word by which Discord drops the second of two equal messages; at most 25 characters.

    Args:
        parts: what identifies the message, the same at each try.
    """
    return blake2b("/".join(map(str, parts)).encode(), digest_size=12).hexdigest()


def is_outage(failed: Exception) -> bool:
    """Whether Discord was out of reach or failed itself, so that an answer may or may not be there."""
    # A TimeoutError is an OSError, but comes from our own code, unless it is aiohttp's.
    broke = isinstance(failed, OSError) and not isinstance(failed, TimeoutError)
    return broke or isinstance(failed, aiohttp.ClientError | discord.DiscordServerError)


def level_of(failed: Exception) -> int:
    """The level at which it is logged; an outage has lines of its own (`bot/wire/discord_outage.py`)."""
    return logging.DEBUG if is_outage(failed) else logging.WARNING


def log_failure(log: logging.Logger, failed: Exception, what: str, *about: object) -> None:
    """Logs what could not be done, and why; `about` fills the placeholders of `what`."""
    log.log(level_of(failed), f"{what}: %s", *about, failed)


def is_invalid_body(failed: Exception) -> bool:
    """Whether Discord refused the contents of a message."""
    return isinstance(failed, discord.HTTPException) and failed.status == 400 and failed.code == INVALID_BODY


def is_code(failed: Exception, *codes: int) -> bool:
    """Whether Discord refused for one of these reasons."""
    return isinstance(failed, discord.HTTPException) and failed.code in codes
