"""What goes wrong: one sentence for the member, one log record for the host; and Discord's refusals by kind.

discord.py sends a request again after 500, 502, 504 or 524, although Discord may have carried it out. What
keeps each kind of message from being there twice:

- a message in a channel: its nonce, which Discord remembers for some minutes;
- the first answer to an interaction: there is only one, and the second is refused (40060);
- an edit, or what fills a deferred answer: it says the same the second time;
- a follow-up: nothing, because it has no nonce. So follow-ups are only sentences to one person about what
  went wrong after the first answer, a panel that comes again, and answers where the bot may not write
  messages of its own.
"""

import logging
from collections.abc import Callable, Hashable
from fractions import Fraction
from hashlib import blake2b
from math import ceil
from typing import Final, Generic, Literal, NamedTuple, TypeVar

import aiohttp
import discord
from discord import app_commands

from bot.clock import HOUR_SECONDS
from bot.croupier.barred import BarredError
from bot.croupier.open_tables import (
    ChannelNotAllowedError,
    MemberErasedError,
    NoSuchTableError,
    OpenedLatelyError,
    RoleNeededError,
)
from bot.croupier.operation import NoNewRoundsError
from bot.croupier.seasons import SeasonEndsError
from bot.ledger.errors import LedgerError, LedgerUnavailable, MemberErased, TooLate
from bot.ledger.records import is_recent
from bot.rules.typed_text import quote
from bot.table.refusals import Refusal, Refused
from bot.ui.components import Component
from bot.wire.requests import CONNECTION_BROKE, TakenElsewhereError
from bot.words.tables import held_elsewhere_words, refusal
from bot.words.translation import sentences, translate

log = logging.getLogger(__name__)

Key = TypeVar("Key", bound=Hashable)

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
LEFT_SERVER: Final = frozenset({10007, 10013})
"""The user is no member of the server, or there is no such user any more."""
UNKNOWN_MESSAGE: Final = 10008
UNKNOWN_ROLE: Final = 10011
NOT_OUR_MESSAGE: Final = 50005
"""The message is of another bot: the one that the host had before."""
UNKNOWN_INTERACTION: Final = 10062
"""The interaction is too old to be answered."""
INVALID_BODY: Final = 50035
TOO_OLD_TO_EDIT: Final = 30046
THREAD_ARCHIVED: Final = 50083
"""Nothing in the thread can be changed, but a new message opens it again, unless it is locked."""


_REFUSALS: Final = (
    BarredError,
    ChannelNotAllowedError,
    NoNewRoundsError,
    SeasonEndsError,
    OpenedLatelyError,
    RoleNeededError,
    NoSuchTableError,
    MemberErasedError,
    MemberErased,
    app_commands.CheckFailure,
    app_commands.TransformerError,
    app_commands.CommandNotFound,
    app_commands.CommandSignatureMismatch,
)
"""What is not possible, beside those that have a code."""


def nonce(*parts: object) -> str:
    """A word of 24 characters for what identifies a message: Discord drops the second with the same."""
    return blake2b("/".join(map(str, parts)).encode(), digest_size=12).hexdigest()


def is_outage(failed: BaseException) -> bool:
    """Whether Discord was out of reach or failed itself, so that an answer may or may not be there."""
    # A TimeoutError is an OSError, but comes from our own code, unless it is aiohttp's.
    broke = isinstance(failed, OSError) and not isinstance(failed, TimeoutError)
    return broke or isinstance(failed, aiohttp.ClientError | discord.DiscordServerError)


def may_pass(failed: BaseException) -> bool:
    """Whether Discord or the database was out of reach, so that the same may work another time."""
    return isinstance(failed, LedgerUnavailable) or is_outage(failed)


def level_of(failed: BaseException) -> int:
    """The level at which it is logged; an outage of Discord or of the database has lines of its own."""
    is_logged = is_outage(failed) or (isinstance(failed, LedgerUnavailable) and failed.is_logged)
    return logging.DEBUG if is_logged else logging.WARNING


def log_failure(log: logging.Logger, failed: BaseException, what: str, *about: object) -> None:
    """Logs what could not be done, and why; `about` fills the placeholders of `what`."""
    log.log(level_of(failed), f"{what}: %s", *about, failed)


def is_invalid_body(failed: Exception) -> bool:
    """Whether Discord refused the contents of a message."""
    return isinstance(failed, discord.HTTPException) and failed.status == 400 and failed.code == INVALID_BODY


def is_code(failed: Exception, *codes: int) -> bool:
    """Whether Discord refused for one of these reasons."""
    return isinstance(failed, discord.HTTPException) and failed.code in codes


SERVER_ERROR: Final = 500
TOO_MANY_REQUESTS: Final = 429
TEMPORARY_SECONDS: Final = 120.0
"""How long the bot waits after a temporary failure, such as a broken connection; Discord knows the nonce."""


def is_temporary(failed: Exception) -> bool:
    """Whether what failed may work within minutes: Discord does not refuse it for good."""
    status = failed.status if isinstance(failed, discord.HTTPException) else SERVER_ERROR
    return status >= SERVER_ERROR or status == TOO_MANY_REQUESTS


class FailedLately(Generic[Key]):
    """What has failed within the last hour, or seconds, so that Discord is not asked again meanwhile."""

    def __init__(self, now: Callable[[], float], seconds: float = HOUR_SECONDS) -> None:
        self._now = now
        self._seconds = seconds
        self._failed: dict[Key, tuple[float, float]] = {}

    def __contains__(self, key: Key) -> bool:
        at, seconds = self._failed.get(key, (0.0, self._seconds))
        return is_recent(at, seconds, self._now())

    def add(self, key: Key, failed: Exception | None = None) -> None:
        """Notes that it has just failed.

        Args:
            failed: what went wrong. Unless Discord refuses it, that is temporary: it is tried again within
                minutes. None for what lasts.
        """
        is_short = failed is not None and is_temporary(failed)
        seconds = min(self._seconds, TEMPORARY_SECONDS) if is_short else self._seconds
        self._failed[key] = self._now(), seconds


class LateInteractionError(Exception):
    """Discord takes no answer to this interaction any more, so what it asked for is not carried out."""


class MemberError(Exception):
    """Something a member asked for is not possible.

    Attributes:
        next_steps: the buttons for what works instead.
        is_question: whether it asks for a yes: then that is done.
    """

    def __init__(self, code: str, **facts: int | str | Fraction) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts
        self.next_steps: tuple[Component, ...] = ()
        self.is_question = False


class RefusedError(Exception):
    """A table refused what a member asked for.

    Args:
        refused: why, with names in place of parties.
        more: what works beside that, if anything.

    Attributes:
        next_steps: the buttons for what works instead.
    """

    def __init__(self, refused: Refused, more: str = "", *, for_points: bool = False) -> None:
        super().__init__(refused.code)
        self.refused = refused
        self.more = more
        self.for_points = for_points
        self.next_steps: tuple[Component, ...] = ()

    @property
    def is_question(self) -> bool:
        """Whether it asks for a yes: then the table does what it has refused."""
        return self.refused.code is Refusal.BETS_ARE_DOWN

    @property
    def sentence(self) -> str:
        """What the member is told."""
        return sentences([refusal(self.refused, for_points=self.for_points), self.more])


class Outcome(NamedTuple):
    """How an interaction ended.

    Attributes:
        kind: done, refused, late (no answer could arrive in time), unanswered (Discord failed), or failed.
        name: what the log calls it.
    """

    kind: Literal["done", "refused", "late", "unanswered", "failed"]
    name: str


DONE: Final = Outcome("done", "done")


def outcome_of(error: Exception) -> Outcome:
    """The outcome of an error: its name, and why a member was refused."""
    name = type(error).__name__
    match error:
        case MemberError():
            return Outcome("refused", f"{name} {error.code}")
        case RefusedError():
            return Outcome("refused", f"{name} {error.refused.code}")
        case _ if isinstance(error, _REFUSALS):
            return Outcome("refused", name)
        case LateInteractionError() | TooLate():
            return Outcome("late", name)
        case _ if is_code(error, UNKNOWN_INTERACTION) or is_outage(error):
            return Outcome("unanswered", name)
        case _:
            return Outcome("failed", name)


def sentence_for(error: Exception) -> str | None:
    """What a member is told about an error, which is logged for the host; None if no answer can arrive."""
    if isinstance(error, app_commands.CommandInvokeError):
        return sentence_for(error.original)
    match error:
        case MemberError():
            return translate(error.code, **error.facts)
        case RefusedError():
            return error.sentence
        case ChannelNotAllowedError():
            return held_elsewhere_words(error.channels)
        case BarredError():
            said = translate(f"barred.{error.why}", until=int(error.until or 0))
            why = translate("barred.reason", reason=error.reason) if error.reason else ""
            return sentences([said, why])
        case NoNewRoundsError():
            if error.until is None:
                return translate("reply.server_blocked")
            return translate("reply.maintenance", until=int(error.until))
        case SeasonEndsError():
            return translate("season.ends_now")
        case RoleNeededError():
            return translate("reply.open_needs_role", role=error.role)
        case OpenedLatelyError():
            return translate("reply.opened_lately", at=ceil(error.again_at))
        case NoSuchTableError():
            return translate("reply.table_closed")
        case MemberErasedError() | MemberErased():
            return translate("reply.try_again")
        case app_commands.NoPrivateMessage():
            return translate("reply.only_in_server")
        case app_commands.CheckFailure():
            return translate("reply.not_allowed")
        case app_commands.TransformerError():
            return translate("reply.wrong_option", value=quote(str(error.value)))
        case app_commands.CommandNotFound() | app_commands.CommandSignatureMismatch():
            log.warning("a command of an older version was used: %s", error)
            return translate("reply.outdated_command")
        case TakenElsewhereError():
            return None
        case LateInteractionError():
            log.warning("came too late to be carried out")
            return None
        case TooLate():
            log.warning("%s", error)
            return translate("reply.too_late")
        case LedgerUnavailable(is_logged=True):
            return translate("reply.books_closed")
        case LedgerError():
            log.error("the ledger failed: %s", error)
            return translate("reply.books_closed")
        case _ if is_code(error, UNKNOWN_INTERACTION) or is_outage(error):
            log_failure(log, error, "an answer could not be sent")
            return None
        case _:
            log.error("an interaction failed", exc_info=error)
            return translate("reply.failed")
