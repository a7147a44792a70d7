"""The public record of a round, and the sheet of its shuffle: everything that is fixed before it.

A shuffle is mixed with its sheet, so nothing on it can be changed later without changing the cards. Records
have numbers of 64 bits as strings. `round_proof` verifies one, `docs/FAIRNESS.md` describes it.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from bot.games.knobs import knobs_of
from bot.games.register import AnyHouseRules, game_of
from bot.games.settle import Outcome
from bot.rules.hashing import CODE, LARGEST, LONGEST_NUMBER, canonical
from bot.rules.house_rules import HouseRules
from bot.rules.pieces import HAND_SIZE, OX_SIZE
from bot.rules.shuffle import FACES_OF_A_DIE, FORMAT, Use, code_of, seal_of
from bot.table.state import DICE, Opening, PlayerResult, RoundResult, TableState

OUTSIDE_RECEIPT: Final = frozenset({"receipt", "names", "words"})
"""The parts of a record that its receipt leaves out: names and words can be erased."""
NO_SEED: Final = "0"
"""The client seed of somebody who adds nothing."""
LONGEST_RECORD: Final = 1 << 20
"""The most characters of a record: a board has no room for more hands."""
_SHEETS_KEPT: Final = 512

_Code = Annotated[str, Field(pattern=rf"^{CODE}$")]
_Id = Annotated[str, Field(pattern=r"^(0|[1-9][0-9]{0,18})$")]
_ClientSeed = Annotated[str, Field(pattern=rf"^([0-9]{{1,{LONGEST_NUMBER}}}|{CODE})$")]
_Number = Annotated[int, Field(ge=1, le=LARGEST)]
_Chips = Annotated[int, Field(ge=-LARGEST, le=LARGEST)]
_Die = Annotated[int, Field(ge=1, le=FACES_OF_A_DIE)]
_OxPlaces = Annotated[
    list[Annotated[int, Field(ge=0, lt=HAND_SIZE)]], Field(min_length=OX_SIZE, max_length=OX_SIZE)
]


class _Part(BaseModel):
    """A part of a record, without anything else in it."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class SheetBanker(_Part):
    """The banker, and what they brought."""

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


class DiceSheet(_Part):
    """What was fixed before the dice were rolled."""

    format: Literal["gnau/2"]
    purpose: Literal["dice"]
    table: _Id
    number: _Number
    round: _Number
    seats: Annotated[list[SheetSeat], Field(min_length=1)]


class RecordedThrow(_Part):
    """What a member rolled for the bank."""

    party: _Id
    dice: Annotated[list[_Die], Field(min_length=DICE, max_length=DICE)]


class RecordedDice(_Part):
    """The dice that picked the round's banker (T03), and the secret that they came from."""

    sheet: DiceSheet
    seal: _Code
    secret: str
    throws: list[RecordedThrow]


class DealSheet(_Part):
    """What was fixed before the hands were dealt."""

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


class BankerHand(_Part):
    """The banker's hand; `declared_ox` has the places of the ox that the banker declared."""

    pieces: Annotated[list[str], Field(min_length=HAND_SIZE, max_length=HAND_SIZE)]
    declared_ox: _OxPlaces | None
    chips: _Chips


class PlayerHand(BankerHand):
    """A player's hand and gain."""

    outcome: Outcome


class SideOutcome(_Part):
    """What a side bet brought its backer."""

    outcome: Outcome
    chips: _Chips


class RecordedResult(_Part):
    """What came after the deal: players and side bets are in the order of the sheet."""

    banker: BankerHand
    players: list[PlayerHand]
    side_bets: list[SideOutcome]


class RecordedWords(_Part):
    """Words that a member chose: `shuffle.words_code` makes their client seed of them."""

    salt: str
    words: str


class RoundRecord(_Part):
    """A round, in the format `gnau/2`.

    `seal` is the commitment to `secret`, and `sheet` what the shuffle was mixed with. `receipt` is the code
    of the rest of the record, without `names` and `words`. A party is the random number that stands for a
    member. `names` says who it was when the record was made, and `words` has the words that members chose,
    by client seed. Members who were erased are in neither.
    """

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


def deal_sheet(state: TableState, asked_by: int | None, client_seed: str) -> str:
    """What the hands of the round are mixed with.

    Args:
        asked_by: the banker who asks for the deal; None if the table deals.
        client_seed: what the banker adds by asking, unless they chose words; empty for nothing.
    """
    bank = state.bank
    assert bank is not None
    seeds = _seeds(state, asked_by if asked_by == bank.party else None, client_seed)
    sheet = DealSheet.model_construct(
        format=FORMAT,
        purpose="deal",
        table=str(state.table_id),
        number=state.number,
        round=state.round_to_deal,
        rules=rules_on_sheet(state.rules),
        banker=SheetBanker.model_construct(party=str(bank.party), client_seed=seeds[bank.party]),
        players=[
            SheetPlayer.model_construct(
                seat=seat.number,
                party=str(seat.party),
                stake=seat.stake or 0,
                client_seed=seeds[seat.party],
            )
            for seat in state.bets
        ],
        side_bets=[
            SheetSideBet.model_construct(
                party=str(side.party),
                backed=str(side.backed),
                stake=side.stake,
                client_seed=seeds[side.party],
            )
            for side in state.side_bets
        ],
        dice=_dice_of(state),
    )
    return canonical(sheet.model_dump(mode="json"))


def dice_sheet(state: TableState, asked_by: int | None, client_seed: str, rolling: Collection[int]) -> str:
    """What the dice for the bank are mixed with.

    Args:
        asked_by: the member who asks for the dice; None if it is somebody who chose words.
    """
    seeds = _seeds(state, asked_by, client_seed)
    sheet = DiceSheet.model_construct(
        format=FORMAT,
        purpose="dice",
        table=str(state.table_id),
        number=state.number,
        round=state.round_to_deal,
        seats=[
            SheetSeat.model_construct(
                seat=seat.number,
                party=str(seat.party),
                client_seed=seeds[seat.party],
                rolls=seat.party in rolling,
            )
            for seat in state.seats
        ],
    )
    return canonical(sheet.model_dump(mode="json"))


def seal_in(opening: Opening) -> str:
    """The seal that was shown before."""
    sheet = _read(opening.sheet)
    return seal_of(opening.secret, Use(sheet["purpose"]), int(sheet["table"]), sheet["round"])


def dice_seal(opening: Opening) -> str | None:
    """The seal of the dice that picked the banker; None without dice."""
    dice = _read(opening.sheet)["dice"]
    return None if dice is None else str(dice["seal"])


def rules_on_sheet(rules: HouseRules) -> dict[str, Any]:
    """The rules that hands and results depend on: the game, its version, and every knob that decides."""
    names = {"game", "game_version", *(knob.name for knob in knobs_of(rules.game) if knob.decides)}
    return rules.model_dump(mode="json", include=names)


def seeds_on(sheet: str) -> list[tuple[int, str]]:
    """Who brought which client seed to a shuffle, and then to the dice for its bank."""
    return _seeds_in(_read(sheet))


@lru_cache(maxsize=_SHEETS_KEPT)
def _read(sheet: str) -> Mapping[str, Any]:
    """What a sheet says, cached: the panel of everybody at the table asks each time."""
    return MappingProxyType(json.loads(sheet))


def client_seed_of(state: TableState, party: int) -> str | None:
    """What a member brings to the round, or brought to its hands; None if they bring nothing."""
    if state.sheet is not None:
        return next((seed for who, seed in seeds_on(state.sheet) if who == party), None)
    return next((seed.text for seed in state.client_seeds if seed.party == party), None)


def _seeds_in(told: Mapping[str, Any]) -> list[tuple[int, str]]:
    banker = [told["banker"]] if "banker" in told else []
    places = [*banker, *(place for part in ("players", "side_bets", "seats") for place in told.get(part, ()))]
    dice = told.get("dice")
    before = [] if dice is None else _seeds_in(dice["sheet"])
    return [*((int(place["party"]), place["client_seed"]) for place in places), *before]


def _seeds(state: TableState, asked_by: int | None, client_seed: str) -> defaultdict[int, str]:
    """The client seeds by member; that of the member who asks is new, unless they chose words."""
    seeds = defaultdict(lambda: NO_SEED, {seed.party: seed.text for seed in state.client_seeds})
    chose = any(seed.chosen and seed.party == asked_by for seed in state.client_seeds)
    if asked_by is not None and client_seed and not chose:
        seeds[asked_by] = client_seed
    return seeds


def _dice_of(state: TableState) -> RecordedDice | None:
    """The dice that picked the round's banker; None without dice."""
    if state.dice is None:
        return None
    return RecordedDice.model_construct(
        sheet=DiceSheet.model_validate_json(state.dice.sheet),
        seal=seal_in(state.dice),
        secret=state.dice.secret,
        throws=[
            RecordedThrow.model_construct(party=str(throw.party), dice=list(throw.dice))
            for throw in state.throws
        ],
    )


def record_of(
    result: RoundResult,
    names: Mapping[int, str] = MappingProxyType({}),
    words: Mapping[str, tuple[str, str]] = MappingProxyType({}),
) -> dict[str, Any]:
    """The record of a settled round, as JSON values.

    Args:
        words: salt and words that members chose, by client seed.
    """
    told = _without_receipt(result)
    told["receipt"] = result.receipt
    if names:
        told["names"] = {str(party): name for party, name in names.items()}
    if words:
        told["words"] = {seed: {"salt": salt, "words": text} for seed, (salt, text) in words.items()}
    return told


def receipt_of(result: RoundResult) -> str:
    """The receipt of a round: the code of its record."""
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
    """A JSON object whose names are unique: of two, a program reads the last, a person the first."""
    told: dict[str, Any] = {}
    for name, value in pairs:
        if name in told:
            raise ValueError(f"this is no record of a round: {name} is there twice in one place")
        told[name] = value
    return told


def _without_receipt(result: RoundResult) -> dict[str, Any]:
    """The part of a record that its receipt is of."""
    text = game_of(result.rules).pieces.text

    def pieces(of: RoundResult | PlayerResult) -> list[str]:
        return [text(piece) for piece in of.pieces]

    def ox(of: RoundResult | PlayerResult) -> list[int] | None:
        return None if of.declared_ox is None else list(of.declared_ox)

    recorded = RecordedResult.model_construct(
        banker=BankerHand.model_construct(
            pieces=pieces(result), declared_ox=ox(result), chips=result.bank_chips
        ),
        players=[
            PlayerHand.model_construct(
                pieces=pieces(player), declared_ox=ox(player), chips=player.chips, outcome=player.outcome
            )
            for player in result.players
        ],
        side_bets=[
            SideOutcome.model_construct(outcome=side.outcome, chips=side.chips) for side in result.side_bets
        ],
    )
    return {
        "format": FORMAT,
        "sheet": json.loads(result.opening.sheet),
        "seal": seal_in(result.opening),
        "secret": result.opening.secret,
        "result": recorded.model_dump(mode="json"),
    }
