"""House rules: the knobs that games share, each declared once, with its bounds, default and clause.

Every game has a subclass of `HouseRules` with its own knobs. Games of cards share the knobs of `CardRules`.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from math import ceil
from typing import Annotated, Any, ClassVar, Final, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from bot.rules.cards import DECK_SIZE
from bot.rules.knobs import (
    MOST_CHANNELS,
    MOST_CHIPS,
    About,
    Arrange,
    BankPasses,
    Dealing,
    Direction,
    GameName,
    HouseBank,
    Play,
    WrongRule,
    WrongRuleError,
    chips_setting,
    declared_knobs,
    hosting,
    knob,
    log_setting,
    setting,
)
from bot.rules.pieces import HAND_SIZE

MOST_DECKS: Final = 8
"""The most decks that a house may play with."""
MOST_COMPUTERS: Final = 3
"""The most computer players at a table."""

_IDENTITY: Final = frozenset({"game", "game_version"})
"""What stored rules always have, and what is never passed over: other games and versions have other rules."""
_HASH: Final = "_hash"


class HouseRules(BaseModel):
    """The rules in force at a table. They are frozen, so they cannot change during a round (B03).

    A subclass gives `game` its name as a literal and as the default. The other defaults are the default
    preset of the game. Stored rules may be older than the knobs: pass a `PassedOver` as pydantic's context,
    and it skips and notes outdated keys and values.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)

    fallbacks: ClassVar[Mapping[str, str]] = {}
    """Knobs that, if not given, have the value of another one, by name."""
    at_once: ClassVar[frozenset[str]] = frozenset({"channels", "log_channel", "opening_chips"})
    """Knobs by which no round is played: a change counts at once."""

    game: GameName
    game_version: int
    play: Play = knob(
        Play.CHIPS,
        "G22",
        "What is played for: chips, points, or the chips of a tournament.",
        About.TABLE,
        decides=True,
    )

    bank_passes: BankPasses = knob(
        BankPasses.STAYS, "B05", "When the bank passes to the player on the banker's right.", About.ROUND
    )

    arrange: Arrange = hosting(
        Arrange.AUTOMATIC,
        "B04",
        "Who arranges a hand: the bot, its player with help, or its player alone (mistakes stand).",
        decides=True,
    )
    direction: Direction = hosting(
        Direction.CLOCKWISE, "G03", "Which way hands are dealt around the table.", decides=True
    )
    seats: int = hosting(
        9,
        "G02",
        "The most players at a table, without the banker; tournament tables seat what their game allows.",
        ge=1,
        le=19,
    )
    lowest_stake: int = hosting(1, "T03", "The lowest bet that a banker may allow.", ge=1, le=MOST_CHIPS)
    highest_stake: int = hosting(
        MOST_CHIPS, "T03", "The highest bet that a banker may allow.", ge=1, le=MOST_CHIPS
    )
    house_bank: HouseBank = chips_setting(
        HouseBank.WHEN_NOBODY_BANKS, "B07", "When the house itself is the banker."
    )
    house_highest: int = chips_setting(
        150,
        "B07",
        "The highest bet that the house takes as banker, or a computer player makes.",
        ge=1,
        le=MOST_CHIPS,
    )
    computer_players: int = chips_setting(
        0,
        "B07",
        "How many computer players keep you company at a table, betting the house's chips.",
        empty="off",
        ge=0,
        le=MOST_COMPUTERS,
    )
    betting_seconds: int = hosting(60, "B04", "Seconds to bet, counted from the first bet.", ge=1, le=3600)
    last_call_seconds: int = hosting(
        5,
        "B04",
        "Seconds to the deal once all have bet; twice that for a banker (5 or more) or backer (12 or more).",
        ge=0,
        le=60,
    )
    arranging_seconds: int = hosting(
        40, "B04", "Seconds to look at your hand before the showdown.", ge=1, le=3600
    )
    opening_chips: int = chips_setting(
        1000, "B02", "Chips that a new member starts with.", ge=1, le=MOST_CHIPS
    )
    dealing: Dealing = hosting(
        Dealing.MESSAGES,
        "B04",
        "How hands are dealt: on an open panel or by direct message, or only with My hand.",
    )
    channels: tuple[int, ...] = setting(
        (),
        "B06",
        "The channels that may hold tables.",
        empty="all",
        max_length=MOST_CHANNELS,
        for_admins=True,
    )
    log_channel: tuple[int, ...] = log_setting(
        (),
        "B06",
        "Where the bot posts the code of the books daily, and tells admins what they should know.",
        empty="off",
        max_length=1,
    )

    def __hash__(self) -> int:
        """Made once: rules are the key of all that is worked out for them, many times for each press."""
        known: int | None = self.__dict__.get(_HASH)
        if known is None:
            # pydantic looks only at fields, as it does with cached properties.
            fields = type(self).model_fields
            known = self.__dict__[_HASH] = hash(tuple(self.__dict__[name] for name in fields))
        return known

    def __copy__(self) -> Self:
        copied = super().__copy__()
        copied.__dict__.pop(_HASH, None)
        return copied

    @field_validator("channels")
    @classmethod
    def _each_once(cls, channels: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(set(channels)))

    @model_validator(mode="after")
    def _stakes_in_order(self) -> Self:
        if self.lowest_stake > self.highest_stake:
            raise WrongRuleError(
                WrongRule.STAKES_CROSSED, lowest=self.lowest_stake, highest=self.highest_stake
            )
        return self

    @model_validator(mode="before")
    @classmethod
    def _read(cls, stored: Any, info: ValidationInfo) -> Any:
        """Skips outdated values if asked to, and fills in fallbacks."""
        if not isinstance(stored, Mapping):
            return stored
        passed_over = info.context
        if isinstance(passed_over, PassedOver) and not stored.keys() >= _IDENTITY:
            raise ValueError("stored rules name their game and its version")
        readable = passed_over.readable(cls, stored) if isinstance(passed_over, PassedOver) else dict(stored)
        for name, other in cls.fallbacks.items():
            if other in readable:
                readable.setdefault(name, readable[other])
        return readable


class CardRules(HouseRules):
    """The rules of a game of cards."""

    decks: int = hosting(
        1,
        "G02",
        "The fewest decks in play; more are added when the hands need them.",
        decides=True,
        ge=1,
        le=MOST_DECKS,
    )


class PassedOver:
    """Skips outdated keys and values of stored rules; for pydantic's context."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def readable(self, rules: type[HouseRules], stored: Mapping[str, Any]) -> dict[str, Any]:
        """The knobs that these rules have and whose values they allow; always the game and its version."""
        return {
            name: value
            for name, value in stored.items()
            if name in _IDENTITY or self.reads(rules, name, value)
        }

    def reads(self, rules: type[BaseModel], name: str, value: object) -> bool:
        """Whether these rules have the knob and allow the value; notes it if not."""
        if name not in rules.model_fields:
            self.notes.append(f"{name} is not a knob of these rules (any more)")
            return False
        try:
            _adapter_of(rules, name).validate_python(value)
        except ValidationError:
            self.notes.append(f"{name} cannot be {value!r} (any more)")
            return False
        return True


@cache
def _adapter_of(rules: type[BaseModel], name: str) -> TypeAdapter[object]:
    """Validates the value of one knob alone."""
    field = rules.model_fields[name]
    kind: Any = Annotated[field.annotation, field]
    return TypeAdapter(kind)


HANDS_A_DECK: Final = DECK_SIZE // HAND_SIZE
"""One deck serves ten hands, the banker's included (G02)."""


def decks_for(hands: int, rules: CardRules) -> int:
    """How many decks are in play for this many hands, the banker's included (G02)."""
    return max(rules.decks, ceil(hands / HANDS_A_DECK))


def with_each_choice(rules: HouseRules) -> Iterator[HouseRules]:
    """These rules, and these with each other choice of each knob that is a switch or one of several."""
    yield rules
    for own in declared_knobs(type(rules)):
        present = getattr(rules, own.name)
        choices = (True, False) if own.kind == "on or off" else map(type(present), own.choices)
        yield from (rules.model_copy(update={own.name: choice}) for choice in choices if choice != present)
