"""The public record of a round, as JSON; `round_proof` verifies one."""

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.games.register import AnyHouseRules, game_of
from bot.games.settle import Outcome
from bot.rules.hand import HAND_SIZE, OX_SIZE
from bot.rules.pieces import Piece
from bot.rules.shuffle import commitment_to
from bot.table.dice_roll import DICE
from bot.table.events import DiceRolled
from bot.table.round_result import Opening, RoundResult

FORMAT: Final = "gnau-round/1"
LONGEST_RECORD: Final = 1 << 20
"""The most characters of a record: a board has no room for more hands."""

_STRICT: Final = ConfigDict(frozen=True, extra="forbid", strict=True)
_OxPlaces = Annotated[
    list[Annotated[int, Field(ge=0, lt=HAND_SIZE)]], Field(min_length=OX_SIZE, max_length=OX_SIZE)
]


class RecordedSeed(BaseModel):
    """A member's client seed."""

    model_config = _STRICT

    member: int
    text: str


class RecordedOpening(BaseModel):
    """What hands or dice came from."""

    model_config = _STRICT

    seal: str
    secret: str
    client_seeds: list[RecordedSeed]


class RecordedThrow(BaseModel):
    """What a member rolled for the bank."""

    model_config = _STRICT

    member: int
    dice: Annotated[list[int], Field(min_length=DICE, max_length=DICE)]


class RecordedDice(RecordedOpening):
    """The dice that picked the round's banker (T03)."""

    throws: list[RecordedThrow]


class BankerHand(BaseModel):
    """The banker's hand; `declared_ox` has the places of the ox that the banker declared."""

    model_config = _STRICT

    member: int
    name: str
    pieces: list[str]
    declared_ox: _OxPlaces | None
    chips: int


class PlayerHand(BankerHand):
    """A player's bet, hand and gain."""

    seat: int
    stake: Annotated[int, Field(ge=1)]
    outcome: Outcome


class RecordedSideBet(BaseModel):
    """A side bet, and what the backer gained."""

    model_config = _STRICT

    member: int
    name: str
    backed: int
    stake: Annotated[int, Field(ge=1)]
    outcome: Outcome
    chips: int


class RoundRecord(BaseModel):
    """A round, in the format `gnau-round/1`.

    `digest` is the SHA-256 of the rest of the record, as JSON with sorted keys, no blanks, and no escapes
    that JSON does not need. It finds mistakes. Somebody who changes a record on purpose can compute it again:
    compare it with the digest that the bot shows for the round.
    """

    model_config = _STRICT

    format: Literal["gnau-round/1"]
    table: int
    number: int
    round: int
    rules: AnyHouseRules
    opening: RecordedOpening
    dice: RecordedDice | None
    banker: BankerHand
    players: list[PlayerHand]
    side_bets: list[RecordedSideBet]
    digest: str


def record_of(table_id: int, number: int, result: RoundResult, rolled: DiceRolled | None) -> dict[str, Any]:
    """The record of a settled round, as JSON values.

    Args:
        table_id: the table's id.
        number: the table's number, for members.
        result: what the round brought.
        rolled: the dice that picked its banker; None without dice.

    Raises:
        ValueError: if the round was dealt without a secret.
    """
    if result.opening is None:
        raise ValueError("this round was dealt without a secret")
    text = game_of(result.rules).pieces.text

    def hand(
        member: Any, pieces: Sequence[Piece], declared_ox: Sequence[int] | None, chips: int
    ) -> dict[str, Any]:
        return {
            "member": member.member_id,
            "name": member.name,
            "pieces": [text(piece) for piece in pieces],
            "declared_ox": None if declared_ox is None else list(declared_ox),
            "chips": chips,
        }

    told: dict[str, Any] = {
        "format": FORMAT,
        "table": table_id,
        "number": number,
        "round": result.round_number,
        "rules": result.rules.model_dump(mode="json"),
        "opening": _opening(result.opening),
        "dice": None,
        "banker": hand(result.banker, result.pieces, result.declared_ox, result.bank_chips),
        "players": [
            hand(player.member, player.pieces, player.declared_ox, player.chips)
            | {"seat": player.seat, "stake": player.stake, "outcome": player.outcome.value}
            for player in result.players
        ],
        "side_bets": [
            {
                "member": side.member.member_id,
                "name": side.member.name,
                "backed": side.backed,
                "stake": side.stake,
                "outcome": side.outcome.value,
                "chips": side.chips,
            }
            for side in result.side_bets
        ],
    }
    if rolled is not None and rolled.opening is not None:
        throws = [{"member": throw.member_id, "dice": list(throw.dice)} for throw in rolled.throws]
        told["dice"] = _opening(rolled.opening) | {"throws": throws}
    return told | {"digest": digest_of(told)}


def read_record(text: str) -> RoundRecord:
    """Reads a record.

    Raises:
        ValueError: if it is no record of a format that this version knows; the text is a sentence.
    """
    if len(text) > LONGEST_RECORD:
        raise ValueError(f"a record of a round has at most {LONGEST_RECORD} characters, not {len(text)}")
    try:
        record = RoundRecord.model_validate_json(text)
    except ValidationError as wrong:
        first = wrong.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "the text"
        raise ValueError(f"this is no record of a round: {where}: {first['msg']}") from None
    json.loads(text, object_pairs_hook=_each_once)
    return record


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


def _opening(opening: Opening) -> dict[str, Any]:
    client_seeds = [{"member": seed.member_id, "text": seed.text} for seed in opening.client_seeds]
    return {"seal": commitment_to(opening.secret), "secret": opening.secret, "client_seeds": client_seeds}


def digest_of(told: dict[str, Any]) -> str:
    """The digest of a record without one, see `RoundRecord`."""
    return sha256(
        json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    ).hexdigest()
