"""Every message in English, by its code: the one catalogue, and the source of all translations.

Placeholders have names, so that a translation may change their order, and say how they are shown:
`{stake:chips}`, `{gain:signed}`, `{round:number}`, `{edge:percent}`, `{edge:exactly}`, `{banker:name}`,
`{totals:either}`; one without a way is put in as it is. A message whose text depends on a number has a
plural, and names the fact to count. Each module here has the messages about one subject.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from bot.words.catalogue.board import BOARD
from bot.words.catalogue.commands import COMMANDS
from bot.words.catalogue.gnau import GNAU
from bot.words.catalogue.guide import GUIDE
from bot.words.catalogue.house import HOUSE
from bot.words.catalogue.knob_titles import KNOB_TITLES
from bot.words.catalogue.members import MEMBERS
from bot.words.catalogue.message import Message
from bot.words.catalogue.niu_niu import NIU_NIU
from bot.words.catalogue.proofs import PROOFS, VERIFIED_PLACES
from bot.words.catalogue.refusals import REFUSALS
from bot.words.catalogue.replies import REPLIES
from bot.words.catalogue.rules import RULES
from bot.words.catalogue.site import SITE
from bot.words.catalogue.tau_ngau import TAU_NGAU
from bot.words.catalogue.tournaments import TOURNAMENTS

__all__ = ["MESSAGES", "Message"]

_SUBJECTS: Final = (
    MEMBERS,
    RULES,
    PROOFS,
    REFUSALS,
    HOUSE,
    KNOB_TITLES,
    BOARD,
    REPLIES,
    TOURNAMENTS,
    GUIDE,
    VERIFIED_PLACES,
    SITE,
    COMMANDS,
    GNAU,
    TAU_NGAU,
    NIU_NIU,
)

MESSAGES: Final[Mapping[str, Message]] = MappingProxyType(
    {code: message for subject in _SUBJECTS for code, message in subject.items()}
)
"""Every message by its code."""
