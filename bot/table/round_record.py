"""The public record of a round, as JSON; `round_proof` verifies one, `docs/FAIRNESS.md` describes it."""

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from bot.games.register import AnyHouseRules, game_of
from bot.games.settle import Outcome
from bot.rules.canonical import LARGEST, canonical
from bot.rules.hand import HAND_SIZE, OX_SIZE
from bot.rules.house_rules import HouseRules
from bot.rules.pieces import Piece
from bot.rules.short_codes import CODE, LONGEST_NUMBER
from bot.rules.shuffle import FACES_OF_A_DIE, FORMAT, code_of
from bot.table.dice_roll import DICE
from bot.table.round_result import RoundResult
from bot.table.sheets import rules_on_sheet, seal_in

OUTSIDE_RECEIPT: Final = frozenset({"receipt", "names", "words"})
"""The parts of a record that its receipt leaves out: names and words can be erased."""
LONGEST_RECORD: Final = 1 << 20
"""The most characters of a record: a board has no room for more hands."""

_STRICT: Final = ConfigDict(frozen=True, extra="forbid", strict=True)
_Code = Annotated[str, Field(pattern=rf"^{CODE}$")]
_Id = Annotated[str, Field(pattern=r"^(0|[1-9][0-9]{0,18})$")]
_ClientSeed = Annotated[str, Field(pattern=rf"^([0-9]{{1,{LONGEST_NUMBER}}}|{CODE})$")]
_Number = Annotated[int, Field(ge=1, le=LARGEST)]
_Chips = Annotated[int, Field(ge=-LARGEST, le=LARGEST)]
_Die = Annotated[int, Field(ge=1, le=FACES_OF_A_DIE)]
_OxPlaces = Annotated[
    list[Annotated[int, Field(ge=0, lt=HAND_SIZE)]], Field(min_length=OX_SIZE, max_length=OX_SIZE)
]


class SheetBanker(BaseModel):
    """The banker, and what they brought."""

    model_config = _STRICT

    party: _Id
    client_seed: _ClientSeed


class SheetPlayer(SheetBanker):
    """A player's seat and bet, and what they brought."""

    seat: _Number
    stake: _Number


class SheetSideBet(SheetBanker):
    """A side bet on the player `backed`, and what the backer brought."""

    backed: _Id
    stake: _Number


class SheetSeat(SheetBanker):
    """A seat when dice were rolled for the bank, what its player brought, and whether they rolled."""

    seat: _Number
    rolls: bool


class DiceSheet(BaseModel):
    """What was fixed before the dice were rolled."""

    model_config = _STRICT

    format: Literal["gnau/2"]
    purpose: Literal["dice"]
    table: _Id
    number: _Number
    round: _Number
    seats: Annotated[list[SheetSeat], Field(min_length=1)]


class RecordedThrow(BaseModel):
    """What a member rolled for the bank."""

    model_config = _STRICT

    party: _Id
    dice: Annotated[list[_Die], Field(min_length=DICE, max_length=DICE)]


class RecordedDice(BaseModel):
    """The dice that picked the round's banker (T03), and the secret that they came from."""

    model_config = _STRICT

    sheet: DiceSheet
    seal: _Code
    secret: str
    throws: list[RecordedThrow]


class DealSheet(BaseModel):
    """What was fixed before the hands were dealt."""

    model_config = _STRICT

    format: Literal["gnau/2"]
    purpose: Literal["deal"]
    table: _Id
    number: _Number
    round: _Number
    rules: dict[str, bool | int | str]
    banker: SheetBanker
    players: Annotated[list[SheetPlayer], Field(min_length=1)]
    side_bets: list[SheetSideBet]
    dice: RecordedDice | None


class BankerHand(BaseModel):
    """The banker's hand; `declared_ox` has the places of the ox that the banker declared."""

    model_config = _STRICT

    pieces: Annotated[list[str], Field(min_length=HAND_SIZE, max_length=HAND_SIZE)]
    declared_ox: _OxPlaces | None
    chips: _Chips


class PlayerHand(BankerHand):
    """A player's hand and gain."""

    outcome: Outcome


class SideOutcome(BaseModel):
    """What a side bet brought its backer."""

    model_config = _STRICT

    outcome: Outcome
    chips: _Chips


class RecordedResult(BaseModel):
    """What came after the deal: players and side bets are in the order of the sheet."""

    model_config = _STRICT

    banker: BankerHand
    players: list[PlayerHand]
    side_bets: list[SideOutcome]


class RecordedWords(BaseModel):
    """Words that a member chose: `shuffle.words_code` makes their client seed of them."""

    model_config = _STRICT

    salt: str
    words: str


class RoundRecord(BaseModel):
    """A round, in the format `gnau/2`.

    `seal` is the commitment to `secret`, and `sheet` what the shuffle was mixed with. `receipt` is the code
    of the rest of the record, without `names` and `words`. A party is the random number that stands for a
    member. `names` says who it was when the record was made, and `words` has the words that members chose,
    by client seed. Members who were erased are in neither.
    """

    model_config = _STRICT

    format: Literal["gnau/2"]
    sheet: DealSheet
    seal: _Code
    secret: str
    result: RecordedResult
    receipt: _Code
    names: dict[str, str] = Field(default_factory=dict)
    words: dict[str, RecordedWords] = Field(default_factory=dict)

    @property
    def rules(self) -> HouseRules:
        """The rules of the round; the knobs that decide nothing in it have their defaults."""
        return _RULES.validate_python(self.sheet.rules)


_RULES: Final[TypeAdapter[HouseRules]] = TypeAdapter(AnyHouseRules)


def record_of(
    result: RoundResult,
    names: Mapping[int, str] = MappingProxyType({}),
    words: Mapping[str, tuple[str, str]] = MappingProxyType({}),
) -> dict[str, Any]:
    """The record of a settled round, as JSON values.

    Args:
        result: what the round brought.
        names: the names of members, by party.
        words: salt and words that members chose, by client seed.

    Raises:
        ValueError: if the round was dealt without a secret.
    """
    told = _without_receipt(result)
    told["receipt"] = result.receipt
    if names:
        told["names"] = {str(party): name for party, name in names.items()}
    if words:
        told["words"] = {seed: {"salt": salt, "words": text} for seed, (salt, text) in words.items()}
    return told


def receipt_of(result: RoundResult) -> str:
    """The receipt of a round: the code of its record.

    Raises:
        ValueError: if the round was dealt without a secret.
    """
    return code_of(canonical(_without_receipt(result)))


def receipt_in(told: Mapping[str, Any]) -> str:
    """The receipt that a record should have."""
    return code_of(canonical({name: part for name, part in told.items() if name not in OUTSIDE_RECEIPT}))


def read_record(text: str) -> tuple[RoundRecord, dict[str, Any]]:
    """Reads a record.

    Returns:
        The record, and its JSON values, of which everything is hashed.

    Raises:
        ValueError: if it is no record of a format that this version knows; the text is a sentence.
    """
    if len(text) > LONGEST_RECORD:
        raise ValueError(f"a record of a round has at most {LONGEST_RECORD} characters, not {len(text)}")
    try:
        record = RoundRecord.model_validate_json(text)
    except ValidationError as wrong:
        raise _no_record(wrong) from None
    told = json.loads(text, object_pairs_hook=_each_once)
    try:
        rules = record.rules
    except ValidationError as wrong:
        raise _no_record(wrong, "sheet.rules") from None
    # Strict about types, and about knobs that are missing.
    if canonical(rules_on_sheet(rules)) != canonical(told["sheet"]["rules"]):
        raise ValueError(f"this is no record of a round: sheet.rules are not the rules of {rules.game}")
    return record, told


def _no_record(wrong: ValidationError, *within: str) -> ValueError:
    first = wrong.errors(include_url=False)[0]
    where = ".".join([*within, *map(str, first["loc"])]) or "the text"
    return ValueError(f"this is no record of a round: {where}: {first['msg']}")


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object whose names are unique: of two, a program reads the last, a person the first.

    Raises:
        ValueError: if a name is there twice.
    """
    told: dict[str, Any] = {}
    for name, value in pairs:
        if name in told:
            raise ValueError(f"this is no record of a round: {name} is there twice in one place")
        told[name] = value
    return told


def _without_receipt(result: RoundResult) -> dict[str, Any]:
    """The part of a record that its receipt is of."""
    if result.opening is None:
        raise ValueError("this round was dealt without a secret")
    text = game_of(result.rules).pieces.text

    def hand(pieces: Sequence[Piece], declared_ox: Sequence[int] | None, chips: int) -> dict[str, Any]:
        return {
            "pieces": [text(piece) for piece in pieces],
            "declared_ox": None if declared_ox is None else list(declared_ox),
            "chips": chips,
        }

    return {
        "format": FORMAT,
        "sheet": json.loads(result.opening.sheet),
        "seal": seal_in(result.opening),
        "secret": result.opening.secret,
        "result": {
            "banker": hand(result.pieces, result.declared_ox, result.bank_chips),
            "players": [
                hand(player.pieces, player.declared_ox, player.chips) | {"outcome": player.outcome.value}
                for player in result.players
            ],
            "side_bets": [{"outcome": side.outcome.value, "chips": side.chips} for side in result.side_bets],
        },
    }
