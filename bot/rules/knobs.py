"""House rules: every knob of the games, declared once, with its bounds, its default and its clause."""

from enum import StrEnum
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

Multiple = Annotated[int, Field(ge=1, le=20)]


class Ties(StrEnum):
    """Who wins where banker and player hold equally strong hands (G20)."""

    BANKER = "banker"
    PUSH = "push"


class Direction(StrEnum):
    """Which way the cards go round the table (G03)."""

    CLOCKWISE = "clockwise"
    COUNTER_CLOCKWISE = "counter-clockwise"


def _knob(default: Any, clause: str, description: str, *, hosting: bool = False, **bounds: Any) -> Any:
    """A field that carries its clause, so that text about a rule can name where the rule stands.

    `hosting` marks what concerns how a table is run and not what hands are worth: no preset has a say in it.
    """
    extra: dict[str, Any] = {"clause": clause, "hosting": hosting}
    return Field(default=default, description=description, json_schema_extra=extra, **bounds)


class HouseRules(BaseModel):
    """The rules in force at a table: frozen, so that a round is played out as it was begun (B03).

    The defaults are the preset `wikipedia`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)

    flex_3_6: bool = _knob(True, "G04", "A 3 counts 3 or 6, and a 6 counts 3 or 6.")
    triple_ox: bool = _knob(True, "G07", "Three cards of one rank are an ox, whatever they total.")
    five_dukes_tens: bool = _knob(False, "G08", "Tens count as dukes for Five Dukes.")
    five_small: bool = _knob(True, "G09", "Five cards from ace to 4 are Five Small and rank second.")
    ngau_tonku: bool = _knob(True, "G10", "The ace of spades and a duke as power cards are Ngau Tonku.")
    tonku_tens: bool = _knob(False, "G10", "A ten serves as the duke of Ngau Tonku.")
    mixed_double: bool = _knob(False, "G13", "3 and 6 are a pair: Double-Ox 6.")

    multiple_five_dukes: Multiple = _knob(7, "G18", "Times the stake that Five Dukes win.")
    multiple_five_small: Multiple = _knob(7, "G18", "Times the stake that Five Small win.")
    multiple_ngau_tonku: Multiple = _knob(5, "G18", "Times the stake that Ngau Tonku wins.")
    multiple_double_ox: Multiple = _knob(3, "G18", "Times the stake that a Double-Ox wins.")
    multiple_ox_of_ten: Multiple = _knob(1, "G18", "Times the stake that an Ox of 10 wins.")
    multiple_single_ox: Multiple = _knob(1, "G18", "Times the stake that any other Single-Ox wins.")

    ties: Ties = _knob(Ties.BANKER, "G20", "Who wins a tie: the banker, or nobody.")
    direction: Direction = _knob(Direction.CLOCKWISE, "G03", "Which way the cards go round.", hosting=True)
    decks: int = _knob(
        1, "G02", "The fewest decks in play; more come in as hands need them.", hosting=True, ge=1, le=8
    )

    seats: int = _knob(
        9, "G02", "The most players at a table, the banker not counted.", hosting=True, ge=1, le=19
    )
    betting_seconds: int = _knob(
        60, "B04", "Seconds to bet, from the first bet on.", hosting=True, ge=1, le=3600
    )
    last_call_seconds: int = _knob(
        5,
        "B04",
        "Seconds from the moment everybody has bet until the cards are dealt.",
        hosting=True,
        ge=0,
        le=60,
    )
    arranging_seconds: int = _knob(
        30, "B04", "Seconds to look at the hand before the showdown.", hosting=True, ge=1, le=3600
    )
    opening_chips: int = _knob(
        1000, "B02", "Chips a new member starts with.", hosting=True, ge=1, le=1_000_000_000
    )

    @model_validator(mode="after")
    def _agree(self) -> Self:
        if self.tonku_tens and not self.ngau_tonku:
            raise ValueError("tonku_tens needs ngau_tonku: turn ngau_tonku on, or tonku_tens off")
        return self

    @classmethod
    def hosting(cls) -> frozenset[str]:
        """The names of the knobs that concern how a table is run: presets leave them as they are."""
        fields = cls.model_fields.items()
        extras = {name: field.json_schema_extra for name, field in fields}
        return frozenset(
            name for name, extra in extras.items() if isinstance(extra, dict) and extra["hosting"]
        )

    @property
    def largest_multiple(self) -> int:
        """The largest multiple in force: a bet can lose so many times its stake (B02)."""
        return max(
            self.multiple_five_dukes,
            self.multiple_five_small if self.five_small else 0,
            self.multiple_ngau_tonku if self.ngau_tonku else 0,
            self.multiple_double_ox,
            self.multiple_ox_of_ten,
            self.multiple_single_ox,
        )
