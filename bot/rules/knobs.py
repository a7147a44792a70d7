"""House rules: every knob, declared once, with its bounds, default and clause."""

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, Final, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from bot.rules.wrong_rules import WrongRule, WrongRuleError

MOST_CHIPS: Final = 1_000_000_000
"""The highest value of a knob that is in chips."""
MOST_CHANNELS: Final = 25
"""The most channels that a house may choose: a menu of Discord offers 25."""

EVEN_MONEY: Final = 1
"""The multiple that wins in Tau Ngau (T09)."""
SUITED_TIMES: Final = 2
"""A suited ox wins its multiple times this (G21)."""

Multiple = Annotated[int, Field(ge=1, le=20)]


class GameName(StrEnum):
    """The games."""

    GNAU = "gnau"
    TAU_NGAU = "tau-ngau"


class Play(StrEnum):
    """What a table plays for (G22)."""

    CHIPS = "chips"
    POINTS = "points"


class Ties(StrEnum):
    """Who wins if the hands of banker and player are equally strong (G20, T09)."""

    BANKER = "banker"
    PUSH = "push"


class SuitedBonus(StrEnum):
    """Which cards must be of one suit, so that a hand with an ox pays double (G21)."""

    OFF = "off"
    OX = "ox"
    POWER = "power"
    FIVE = "five"


class BankPasses(StrEnum):
    """When the bank passes to the banker's right (B05, T10)."""

    STAYS = "stays"
    EVERY_ROUND = "every-round"
    AFTER_OX = "after-ox"
    AFTER_NO_OX = "after-no-ox"


class Arrange(StrEnum):
    """Who arranges a hand (B04)."""

    AUTOMATIC = "automatic"
    ASSISTED = "assisted"
    STRICT = "strict"


class Dealing(StrEnum):
    """How players see their hands."""

    MESSAGES = "messages"
    MY_HAND = "my-hand"


class Direction(StrEnum):
    """Which way the cards go round the table (G03)."""

    CLOCKWISE = "clockwise"
    COUNTER_CLOCKWISE = "counter-clockwise"


class About(StrEnum):
    """What a knob is about."""

    TABLE = "table"
    """What a table was opened for. A house cannot set it."""
    WORTH = "worth"
    """How hands rank and what they win. Presets set it, and the odds depend on it."""
    ROUND = "round"
    """How a round goes. Presets set it; the odds do not depend on it."""
    HOSTING = "hosting"
    """How tables are run. It is the same for all games of a house; presets do not set it."""


_GNAU: Final = (GameName.GNAU,)
_TAU_NGAU: Final = (GameName.TAU_NGAU,)
_BOTH: Final = tuple(GameName)


def _knob(
    default: Any, clause: str, description: str, about: About, games: tuple[GameName, ...], **bounds: Any
) -> Any:
    """A field of `HouseRules`, with the extra facts that `Knob` lists."""
    extra: dict[str, Any] = {"clause": clause, "about": about, "games": games}
    return Field(default=default, description=description, json_schema_extra=extra, **bounds)


def _worth(default: Any, clause: str, description: str, games: tuple[GameName, ...] = _GNAU) -> Any:
    return _knob(default, clause, description, About.WORTH, games)


def _hosting(
    default: Any, clause: str, description: str, games: tuple[GameName, ...] = _BOTH, **bounds: Any
) -> Any:
    return _knob(default, clause, description, About.HOSTING, games, **bounds)


class HouseRules(BaseModel):
    """The rules in force at a table. They are frozen, so they cannot change during a round (B03).

    The defaults are the preset `wikipedia`. Stored rules may be older than the knobs: pass a `PassedOver` as
    pydantic's context, and it skips and notes outdated keys and values.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)

    game: GameName = _knob(GameName.GNAU, "G01", "Which game is played.", About.TABLE, _BOTH)
    play: Play = _knob(Play.CHIPS, "G22", "What is played for: chips or points.", About.TABLE, _BOTH)

    flex_3_6: bool = _worth(True, "G04", "A 3 counts 3 or 6, and so does a 6.")
    triple_ox: bool = _worth(True, "G07", "Three cards of the same rank are an ox, whatever they total.")
    five_dukes_tens: bool = _worth(False, "G08", "Tens count as dukes for Five Dukes.")
    five_small: bool = _worth(True, "G09", "Five cards from ace to 4 are Five Small, which ranks second.")
    ngau_tonku: bool = _worth(True, "G10", "The ace of spades and a duke as power cards are Ngau Tonku.")
    tonku_tens: bool = _worth(False, "G10", "A ten can be the duke of Ngau Tonku.")
    mixed_double: bool = _worth(False, "G13", "3 and 6 count as a pair: Double-Ox 6.")

    multiple_five_dukes: Multiple = _worth(7, "G18", "How many times the bet Five Dukes wins.")
    multiple_five_small: Multiple = _worth(7, "G18", "How many times the bet Five Small wins.")
    multiple_ngau_tonku: Multiple = _worth(5, "G18", "How many times the bet Ngau Tonku wins.")
    multiple_double_ox: Multiple = _worth(3, "G18", "How many times the bet a Double-Ox wins.")
    multiple_ox_of_ten: Multiple = _worth(
        1, "G18", "How many times the bet an Ox of 10 wins; if not set, as any other Single-Ox."
    )
    multiple_single_ox: Multiple = _worth(1, "G18", "How many times the bet any other Single-Ox wins.")
    suited_bonus: SuitedBonus = _worth(
        SuitedBonus.OFF, "G21", "Which cards must have one suit for a hand with an ox to pay double."
    )

    wild_in_score: bool = _worth(True, "T08", "4-2 and 2-1 count 3 or 6 in the score too.", _TAU_NGAU)
    ties: Ties = _worth(Ties.BANKER, "G20", "Who wins a tie: the banker, or nobody (a push).", _BOTH)

    bank_passes: BankPasses = _knob(
        BankPasses.STAYS, "B05", "When the bank passes to the banker's right.", About.ROUND, _BOTH
    )

    arrange: Arrange = _hosting(
        Arrange.AUTOMATIC,
        "B04",
        "Who arranges a hand: the bot, you with help, or you alone (mistakes count).",
    )
    direction: Direction = _hosting(
        Direction.CLOCKWISE, "G03", "Which way cards are dealt around the table.", _GNAU
    )
    decks: int = _hosting(
        1, "G02", "The fewest decks in play; more are added when the hands need them.", _GNAU, ge=1, le=8
    )
    seats: int = _hosting(
        9,
        "G02",
        "The most players at a table, not counting the banker; Tau Ngau has two to five.",
        ge=1,
        le=19,
    )
    lowest_stake: int = _hosting(1, "T03", "The lowest bet that a banker may allow.", ge=1, le=MOST_CHIPS)
    highest_stake: int = _hosting(
        MOST_CHIPS, "T03", "The highest bet that a banker may allow.", ge=1, le=MOST_CHIPS
    )
    betting_seconds: int = _hosting(60, "B04", "Seconds to bet, counted from the first bet.", ge=1, le=3600)
    last_call_seconds: int = _hosting(5, "B04", "Seconds until the deal once everybody has bet.", ge=0, le=60)
    arranging_seconds: int = _hosting(
        30, "B04", "Seconds to look at your hand before the showdown.", ge=1, le=3600
    )
    opening_chips: int = _hosting(1000, "B02", "Chips that a new member starts with.", ge=1, le=MOST_CHIPS)
    dealing: Dealing = _hosting(
        Dealing.MESSAGES, "B04", "How hands are dealt: by direct message, or only by My hand."
    )
    channels: tuple[int, ...] = _hosting(
        (), "B06", "The channels that may hold tables; all, if none is named.", max_length=MOST_CHANNELS
    )

    @field_validator("channels")
    @classmethod
    def _each_once(cls, channels: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(set(channels)))

    @model_validator(mode="after")
    def _agree(self) -> Self:
        if self.tonku_tens and not self.ngau_tonku:
            raise WrongRuleError(WrongRule.TONKU_TENS_ALONE)
        if self.lowest_stake > self.highest_stake:
            raise WrongRuleError(
                WrongRule.STAKES_CROSSED, lowest=self.lowest_stake, highest=self.highest_stake
            )
        return self

    @model_validator(mode="before")
    @classmethod
    def _read(cls, stored: Any, info: ValidationInfo) -> Any:
        """Skips outdated values if asked to. An unset Ox of 10 wins what other singles win."""
        if not isinstance(stored, Mapping):
            return stored
        readable = info.context.readable(stored) if isinstance(info.context, PassedOver) else dict(stored)
        if "multiple_single_ox" in readable:
            readable.setdefault("multiple_ox_of_ten", readable["multiple_single_ox"])
        return readable

    @property
    def largest_multiple(self) -> int:
        """The largest multiple in force: the most that a bet can lose, in stakes (B02)."""
        if self.game is GameName.TAU_NGAU:
            return EVEN_MONEY
        with_ox = [self.multiple_double_ox, self.multiple_ox_of_ten, self.multiple_single_ox]
        if self.ngau_tonku:
            with_ox.append(self.multiple_ngau_tonku)
        without = [self.multiple_five_dukes]
        if self.five_small:
            without.append(self.multiple_five_small)
        bonus = 1 if self.suited_bonus is SuitedBonus.OFF else SUITED_TIMES
        return max(bonus * max(with_ox), *without)


class PassedOver:
    """Skips outdated keys and values of stored rules; for pydantic's context.

    Attributes:
        notes: a sentence for each key or value that was skipped.
    """

    def __init__(self) -> None:
        self.notes: list[str] = []

    def readable(self, stored: Mapping[str, Any]) -> dict[str, Any]:
        """The knobs that exist and whose values are allowed."""
        kept = {}
        for name, value in stored.items():
            field = HouseRules.model_fields.get(name)
            if field is None:
                self.notes.append(f"{name} is not a knob of these rules (any more)")
                continue
            try:
                _adapter_of(name).validate_python(value)
            except ValidationError:
                self.notes.append(f"{name} cannot be {value!r} (any more)")
            else:
                kept[name] = value
        return kept


@cache
def _adapter_of(name: str) -> TypeAdapter[object]:
    """Validates the value of one knob alone."""
    field = HouseRules.model_fields[name]
    kind: Any = Annotated[field.annotation, field]
    return TypeAdapter(kind)
