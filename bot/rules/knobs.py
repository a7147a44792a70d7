"""The vocabulary of knobs, the settings of house rules: values, declarations, and what can be wrong."""

from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Annotated, Any, Final

from pydantic import BaseModel, Field
from pydantic.fields import FieldInfo


class WrongRule(StrEnum):
    """What is wrong with a knob, a value or a preset."""

    UNKNOWN_PRESET = "unknown_preset"
    UNKNOWN_KNOB = "unknown_knob"
    LIKELY_TYPO = "likely_typo"
    FIXED_KNOB = "fixed_knob"
    OTHER_GAME = "other_game"
    NO_KNOB = "no_knob"
    NO_VALUE = "no_value"
    NOT_A_SWITCH = "not_a_switch"
    NOT_A_CHOICE = "not_a_choice"
    NOT_A_NUMBER = "not_a_number"
    NOT_CHANNELS = "not_channels"
    TOO_MANY_CHANNELS = "too_many_channels"
    UNKNOWN_CHANNEL = "unknown_channel"
    CATEGORY = "category"
    NO_MESSAGES = "no_messages"
    MAY_NOT_POST = "may_not_post"
    NOT_A_CURRENCY = "not_a_currency"
    NOT_AN_EMOJI = "not_an_emoji"
    NOT_A_ROLE = "not_a_role"
    ROLE_OF_A_BOT = "role_of_a_bot"
    TONKU_TENS_ALONE = "tonku_tens_alone"
    STAKES_CROSSED = "stakes_crossed"


class WrongRuleError(ValueError):
    """Impossible house rules."""

    def __init__(self, code: WrongRule, **facts: int | str) -> None:
        super().__init__(" ".join([code, *map(str, facts.values())]))
        self.code = code
        self.facts = facts


MOST_CHIPS: Final = 1_000_000_000
"""The highest value of a knob that is in chips."""
MOST_CHANNELS: Final = 25
"""The most channels that a house may choose: a menu of Discord offers 25."""

SUITED_TIMES: Final = 2
"""A suited ox wins its multiple times this (G21)."""

Multiple = Annotated[int, Field(ge=1, le=20)]
"""How many times the bet a hand wins."""

GameName = str
"""The name of a game in settings and in what is stored: `gnau`."""


class Play(StrEnum):
    """What a table plays for (G22)."""

    CHIPS = "chips"
    POINTS = "points"
    TOURNAMENT = "tournament"
    """Chips of a tournament, which are apart from a member's own."""


OPENED: Final = (Play.CHIPS, Play.POINTS)
"""What members open tables for; a tournament opens its own."""


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


class HouseBank(StrEnum):
    """When the house itself banks (B07)."""

    OFF = "off"
    WHEN_NOBODY_BANKS = "when-nobody-banks"
    ONLY = "only"


class Arrange(StrEnum):
    """Who arranges a hand (B04)."""

    AUTOMATIC = "automatic"
    ASSISTED = "assisted"
    STRICT = "strict"


class Dealing(StrEnum):
    """How players see their hands."""

    MESSAGES = "messages"
    MY_HAND = "my-hand"


class Language(StrEnum):
    """A language of the bot; `auto` is the one that Discord names."""

    AUTO = "auto"
    ENGLISH = "en"
    SIMPLIFIED_CHINESE = "zh-cn"
    TRADITIONAL_CHINESE = "zh-tw"
    MALAY = "ms"
    GERMAN = "de"
    JAPANESE = "ja"


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
    CHIPS = "chips"
    """The chips of the whole server, whatever is played, and its house bank."""
    SERVER = "server"
    """What else the whole server has: its channels, roles and language."""
    LOG = "log"
    """Where admins read what happens, and what of it."""


_KINDS: Final[dict[Any, str]] = {bool: "on or off", int: "number", str: "text", tuple[int, ...]: "channels"}
_BOUNDS: Final = ("ge", "le", "max_length")
"""What pydantic checks of a number, or of how many channels there are."""

OF_SERVER: Final = (About.CHIPS, About.SERVER, About.LOG)
"""What the whole server has, whatever is played."""
OF_ALL_GAMES: Final = frozenset({About.HOSTING, *OF_SERVER})
"""What is the same for all games of a house."""


@dataclass(frozen=True, slots=True)
class Knob:
    """One knob of one game: everything but its current value.

    Attributes:
        pays: whether it decides what hands pay; tables for points play by a fixed value (G19).
        decides: whether the hands or the result of a round depend on it, so that it is in the round's record.
        for_admins: whether players need not know of a change: where the bot writes, and what it looks like.
        kind: `on or off`, `number`, `one of several`, `channels`, or `text`.
        most: the largest number allowed, or the most channels; None for other kinds.
        empty: the word for no channel, for no text, or for the number 0; empty if there is none.
        games: the games that have a knob of this name. It has the same values in all of them. A server's
            setting has all games.
    """

    name: str
    default: Any
    clause: str
    description: str
    about: About
    pays: bool
    decides: bool
    for_admins: bool
    kind: str
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()
    empty: str = ""
    games: tuple[GameName, ...] = ()


def knob(
    default: Any,
    clause: str,
    description: str,
    about: About,
    *,
    pays: bool = False,
    decides: bool = False,
    for_admins: bool = False,
    empty: str = "",
    **bounds: Any,
) -> Any:
    """A field of house rules that is a knob, as in `Knob`; pydantic checks its bounds, as `ge` and `le`."""
    declared: dict[str, Any] = {
        "clause": clause,
        "about": about,
        "pays": pays,
        "decides": decides,
        "for_admins": for_admins,
        "empty": empty,
    }
    return Field(default=default, description=description, json_schema_extra=declared, **bounds)


worth: Final = partial(knob, about=About.WORTH, decides=True)
"""A knob about what hands are worth."""
pay: Final = partial(knob, about=About.WORTH, pays=True, decides=True)
"""A knob about what hands pay."""
hosting: Final = partial(knob, about=About.HOSTING)
"""A knob about how tables are run."""
chips_setting: Final = partial(knob, about=About.CHIPS)
"""A knob about the chips of the whole server."""
setting: Final = partial(knob, about=About.SERVER)
"""A knob about the whole server."""
log_setting: Final = partial(knob, about=About.LOG, for_admins=True)
"""A knob about what admins read in their channel."""


def declared_knobs(rules: type[BaseModel]) -> tuple[Knob, ...]:
    """The knobs that these rules declare, by what they are about, without the games that share them."""
    knobs = [
        _knob_of(name, field, field.json_schema_extra)
        for name, field in rules.model_fields.items()
        if isinstance(field.json_schema_extra, dict)
    ]
    in_order = tuple(About)
    return tuple(sorted(knobs, key=lambda knob: in_order.index(knob.about)))


def _knob_of(name: str, field: FieldInfo, declared: dict[str, Any]) -> Knob:
    bounds: dict[str, int] = {}
    for constraint in field.metadata:
        bounds |= {key: found for key in _BOUNDS if (found := getattr(constraint, key, None)) is not None}
    choices: tuple[str, ...] = ()
    if isinstance(field.annotation, type) and issubclass(field.annotation, StrEnum):
        choices = tuple(choice.value for choice in field.annotation)
    return Knob(
        name=name,
        default=list(field.default) if isinstance(field.default, tuple) else field.default,
        description=field.description or "",
        kind="one of several" if choices else _KINDS[field.annotation],
        least=bounds.get("ge"),
        most=bounds.get("le", bounds.get("max_length")),
        choices=choices,
        **declared,
    )
