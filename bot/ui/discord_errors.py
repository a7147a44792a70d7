"""What Discord says when a message cannot be sent or edited, as kinds that can be told apart; and nonces.

The library sends again what Discord answered with 500, 502, 504 or 524, though it may have been taken. What
keeps each kind of message from being there twice:

- a message sent to a channel, direct or not: its nonce, which Discord checks for some minutes;
- the first answer to an interaction: there is but one, and the second is refused as `ALREADY_ANSWERED`;
- an edit, and what fills in for a promised answer: it says the same the second time;
- a follow-up: nothing, as Discord has no nonce for what is sent by an interaction's token. So follow-ups are
  left for a sentence to one person about what went wrong after he was answered.
"""

from hashlib import blake2b
from typing import Any, Final

import aiohttp
import discord

MESSAGES_CLOSED: Final = frozenset({50007, 50278})
"""Discord will not write to this member: he has closed his messages, or shares no server with the bot."""
NO_SHARED_SERVER: Final = 50278
CONNECTION_BROKE: Final = (aiohttp.ClientError, OSError)
"""What a request raises of which nobody knows whether it arrived."""
SENDING_FAILED: Final = (discord.HTTPException, *CONNECTION_BROKE)
"""What a message that could not be sent or edited raises: Discord's refusal, or a connection that broke."""
UNKNOWN_CHANNEL: Final = 10003
GONE: Final = frozenset({UNKNOWN_CHANNEL, 10004, 50001})
"""The channel or its server is gone, or the bot may not look at it any more."""
UNKNOWN_MESSAGE: Final = 10008
INVALID_FORM: Final = 50035
ALREADY_ANSWERED: Final = 40060
"""The interaction has its first answer: this one came a second time."""
TOO_OLD_TO_EDIT: Final = 30046


def nonce(*parts: object) -> str:
    """A word by which Discord drops the second of two equal sends; at most 25 characters.

    Args:
        parts: what makes the message the one it is, the same each time it is tried.
    """
    return blake2b("/".join(map(str, parts)).encode(), digest_size=12).hexdigest()


def age_of(interaction: discord.Interaction[Any]) -> float:
    """Seconds since the interaction was made."""
    return (discord.utils.utcnow() - interaction.created_at).total_seconds()


def is_bad_form(failed: Exception) -> bool:
    """Whether Discord did not take what a message was made of."""
    return isinstance(failed, discord.HTTPException) and failed.status == 400 and failed.code == INVALID_FORM


def is_code(failed: Exception, *codes: int) -> bool:
    """Whether Discord refused for one of these reasons."""
    return isinstance(failed, discord.HTTPException) and failed.code in codes
