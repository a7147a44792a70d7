"""What goes wrong in an interaction: one sentence for the member, one log record for the host."""

import logging
from fractions import Fraction

from discord import app_commands

from bot.croupier.open_tables import ChannelNotAllowedError, MemberErasedError, NoSuchTableError
from bot.ledger.errors import LedgerError, LedgerUnavailable, MemberErased, TooLate
from bot.rules.typed_text import quote
from bot.table.refusals import Refusal, Refused
from bot.ui.press.arrivals import LateInteractionError
from bot.ui.press.discord_errors import UNKNOWN_INTERACTION, is_code, is_outage, log_failure
from bot.words.tables import held_elsewhere_words, refusal
from bot.words.translation import sentences, translate

log = logging.getLogger(__name__)


class MemberError(Exception):
    """Something a member asked for is not possible."""

    def __init__(self, code: str, **facts: int | str | Fraction) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


class RefusedError(Exception):
    """A table refused what a member asked for.

    Args:
        refused: why, with names in place of parties.
        handouts: whether the server gives chips with `/daily`, as members are told who have too few.
        for_points: whether the table plays for points.
    """

    def __init__(self, refused: Refused, *, handouts: bool = False, for_points: bool = False) -> None:
        super().__init__(refused.code)
        self.refused = refused
        self.handouts = handouts
        self.for_points = for_points

    @property
    def sentence(self) -> str:
        """What the member is told."""
        told = refusal(self.refused, for_points=self.for_points)
        if self.handouts and self.refused.code is Refusal.PLAYER_TOO_POOR:
            return sentences([told, translate("daily.too_poor")])
        return told


def outcome_of(error: Exception) -> str:
    """What the log calls an error: its name, and why a member was refused."""
    name = type(error).__name__
    match error:
        case MemberError():
            return f"{name} {error.code}"
        case RefusedError():
            return f"{name} {error.refused.code}"
        case _:
            return name


def sentence_for(error: Exception) -> str | None:
    """The sentence a member is told about an error, which is logged if the host should know.

    Returns:
        The sentence; None if Discord takes no answer any more.
    """
    if isinstance(error, app_commands.CommandInvokeError):
        return sentence_for(error.original)
    match error:
        case MemberError():
            return translate(error.code, **error.facts)
        case RefusedError():
            return error.sentence
        case ChannelNotAllowedError():
            return held_elsewhere_words(error.channels)
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
