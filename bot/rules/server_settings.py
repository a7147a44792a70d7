"""What a server sets beside the rules of its tables: language, currency, handouts and gifts.

No table has these: they are read when they are needed, and are in no record of a round.
"""

from typing import Final

from pydantic import BaseModel, ConfigDict

from bot.rules.currency import CurrencyEmoji, CurrencyName
from bot.rules.knobs import MOST_CHIPS, Language, setting

MOST_HOURS: Final = 30 * 24
"""The longest wait for a handout."""


class ServerSettings(BaseModel):
    """The settings of a server that are no rules of a table."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    language: Language = setting(
        Language.AUTO, "B01", "The language of boards and of everything else in channels."
    )

    currency_name: CurrencyName = setting(
        "", "B02", "What this server calls its chips, such as gold.", empty="chips"
    )
    currency_emoji: CurrencyEmoji = setting(
        "", "B02", "The emoji before an amount: a standard one, or one of this server's own.", empty="none"
    )

    daily_chips: int = setting(
        100, "B02", "How many daily chips a member gets.", empty="off", ge=0, le=MOST_CHIPS
    )
    daily_hours: int = setting(
        20, "B02", "Hours until a member can take daily chips again.", ge=1, le=MOST_HOURS
    )
    daily_bonus: int = setting(
        10,
        "B02",
        "How much the daily bonus grows each time in a row, until the seventh; then it stays the same.",
        empty="off",
        ge=0,
        le=MOST_CHIPS,
    )
    relief_chips: int = setting(
        100,
        "B02",
        "How many chips a member who has run out of them gets.",
        empty="off",
        ge=0,
        le=MOST_CHIPS,
    )
    relief_hours: int = setting(4, "B02", "Hours from one relief to the next.", ge=1, le=MOST_HOURS)
    gifts_per_day: int = setting(
        500,
        "B02",
        "The most chips a member can give, and get, as gifts in a day.",
        empty="off",
        ge=0,
        le=MOST_CHIPS,
    )

    @property
    def gives_handouts(self) -> bool:
        """Whether members get any handouts."""
        return bool(self.daily_chips or self.relief_chips)
