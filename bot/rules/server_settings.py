"""What a server sets beside the rules of its tables: language, currency, handouts, gifts, who may bank.

No table has these: they are read when they are needed, and are in no record of a round.
"""

import re
from dataclasses import dataclass
from math import ceil
from typing import Annotated, Final
from unicodedata import category

from pydantic import AfterValidator, BaseModel, ConfigDict

from bot.rules.knobs import (
    MOST_CHIPS,
    Language,
    WrongRule,
    WrongRuleError,
    chips_setting,
    log_setting,
    setting,
)
from bot.rules.typed_text import clean, quote, text_length

LONGEST_NAME: Final = 24
"""The most characters of a currency's name: it stands behind many numbers on a phone."""
LONGEST_EMOJI: Final = 64
"""The most characters of an emoji: one of a server is its name of 32 and its id."""
SERVER_EMOJI: Final = re.compile(r"<a?:\w{2,32}:\d{15,20}>", re.ASCII)
ROLE: Final = re.compile(r"<@&(\d{15,20})>", re.ASCII)
"""The mention of a role, by its id."""
_IN_NAMES: Final = frozenset(" -.'’·\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}")


@dataclass(frozen=True, slots=True)
class Currency:
    """What a server calls its chips.

    Attributes:
        name: the word for any number of them; empty for chips, in the reader's language.
    """

    name: str = ""
    emoji: str = ""


CHIPS: Final = Currency()


def _name(text: str) -> str:
    if not text:
        return text
    letters = sum(category(char)[0] == "L" or category(char) == "Sc" for char in text)
    known = all(category(char)[0] in "LMN" or category(char) == "Sc" or char in _IN_NAMES for char in text)
    if not letters or not known or text_length(text) > LONGEST_NAME or clean(text, LONGEST_NAME) != text:
        raise WrongRuleError(WrongRule.NOT_A_CURRENCY, text=quote(text), most=LONGEST_NAME)
    return text


def _emoji(text: str) -> str:
    # A large table, which a question about a hand must not wait for.
    from emoji import is_emoji

    if not text or is_emoji(text) or SERVER_EMOJI.fullmatch(text):
        return text
    raise WrongRuleError(WrongRule.NOT_AN_EMOJI, text=quote(text))


def _role(text: str) -> str:
    if not text or ROLE.fullmatch(text):
        return text
    raise WrongRuleError(WrongRule.NOT_A_ROLE, text=quote(text))


def role_id(mention: str) -> int | None:
    """The id of the role that a setting mentions; None without one."""
    found = ROLE.fullmatch(mention)
    return None if found is None else int(found[1])


CurrencyName = Annotated[str, AfterValidator(_name)]
CurrencyEmoji = Annotated[str, AfterValidator(_emoji)]
RoleMention = Annotated[str, AfterValidator(_role)]


MOST_MINUTES: Final = 24 * 60
"""The longest wait for the next table."""
MOST_HOURS: Final = 30 * 24
"""The longest wait for a handout."""


class ServerSettings(BaseModel):
    """The settings of a server that are no rules of a table."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    language: Language = setting(
        Language.AUTO,
        "B01",
        "The language of boards and of everything else in channels.",
        for_admins=True,
    )

    celebrations: bool = setting(
        True,
        "B01",
        "Whether boards celebrate great hands, big wins, streaks, all-ins and banks that go bust.",
        for_admins=True,
    )

    currency_name: CurrencyName = chips_setting(
        "", "B02", "What this server calls its chips, such as gold.", empty="chips"
    )
    currency_emoji: CurrencyEmoji = chips_setting(
        "",
        "B02",
        "The emoji before an amount: a standard one, or one of this server's own.",
        empty="none",
        for_admins=True,
    )

    daily_chips: int = chips_setting(
        100, "B02", "How many daily chips a member gets.", empty="off", ge=0, le=MOST_CHIPS
    )
    daily_hours: int = chips_setting(
        20, "B02", "Hours until a member can take daily chips again.", ge=1, le=MOST_HOURS
    )
    daily_bonus: int = chips_setting(
        10,
        "B02",
        "How much the daily bonus grows for each time in a row, up to the seventh.",
        empty="off",
        ge=0,
        le=MOST_CHIPS,
    )
    relief_chips: int = chips_setting(
        100,
        "B02",
        "Relief brings a member with fewer than half of this back to it.",
        empty="off",
        ge=0,
        le=MOST_CHIPS,
    )
    relief_hours: int = chips_setting(4, "B02", "Hours from one relief to the next.", ge=1, le=MOST_HOURS)
    gifts_per_day: int = chips_setting(
        500,
        "B02",
        "The most chips a member can give, and get, as gifts in a day.",
        empty="off",
        ge=0,
        le=MOST_CHIPS,
    )

    weekly_board: tuple[int, ...] = setting(
        (),
        "B06",
        "Where the bot posts each Monday who won the most in the past week.",
        empty="off",
        max_length=1,
        for_admins=True,
    )

    week_role: RoleMention = setting(
        "",
        "B06",
        "The role that the bot gives each Monday to the member who won the most in the past week.",
        empty="off",
        for_admins=True,
    )
    rounds_role: RoleMention = setting(
        "",
        "B06",
        "The role that the bot gives each Monday to the member who played the most rounds in the past week.",
        empty="off",
        for_admins=True,
    )

    open_role: RoleMention = setting(
        "",
        "B06",
        "Who may open a table: members with this role, and server managers.",
        empty="everyone",
        for_admins=True,
    )
    bank_role: RoleMention = setting(
        "",
        "B05",
        "Who may bank: members with this role, and server managers; a banker keeps the bank.",
        empty="everyone",
    )
    table_minutes: int = setting(
        0,
        "B06",
        "Minutes from one table of a member to the next that they open; server managers need not wait.",
        empty="off",
        ge=0,
        le=MOST_MINUTES,
        for_admins=True,
    )
    log_grants: bool = log_setting(
        True,
        "B06",
        "Whether the log channel says when an admin gives chips or takes some.",
    )
    log_kicks: bool = log_setting(
        True,
        "B06",
        "Whether the log channel says when an admin closes others' tables, removes or bans members.",
    )
    log_gifts: int = log_setting(
        250,
        "B06",
        "The smallest gift that the log channel tells of.",
        empty="off",
        ge=0,
        le=MOST_CHIPS,
    )
    log_rules: bool = log_setting(
        True,
        "B06",
        "Whether the log channel says who changes rules, seasons, tournaments or schedules, and who exports.",
    )
    log_house: bool = log_setting(
        True, "B06", "Whether the log channel says when the house runs out of chips."
    )
    log_boards: bool = log_setting(True, "B06", "Whether the log channel says where no board can be posted.")

    @property
    def relief_below(self) -> int:
        """Who has fewer chips than this gets relief: half of it, so nobody spends it on a chip or two."""
        return ceil(self.relief_chips / 2)


ROLE_SETTINGS: Final = frozenset(
    name for name, field in ServerSettings.model_fields.items() if AfterValidator(_role) in field.metadata
)
"""The settings that are a role."""
