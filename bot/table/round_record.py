"""The record of a round, as it is given away: all that there is to say of it, as JSON.

`round_proof` says whether what a record says fits together.
"""

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.rules.game import HAND_SIZE, OX_SIZE
from bot.rules.games import game_of
from bot.rules.knobs import HouseRules
from bot.rules.pieces import Piece
from bot.rules.settle import Outcome
from bot.rules.shuffle import commitment_to
from bot.table.events import DiceRolled
from bot.table.results import Opening, RoundResult
from bot.table.rolling import DICE

FORMAT: Final = "gnau-round/1"
LONGEST_RECORD: Final = 1 << 20
"""So many characters a record has at most: nobody plays with more hands than a board has room for."""

_STRICT: Final = ConfigDict(frozen=True, extra="forbid", strict=True)
_Three = Annotated[
    list[Annotated[int, Field(ge=0, lt=HAND_SIZE)]], Field(min_length=OX_SIZE, max_length=OX_SIZE)
]


class Contributed(BaseModel):
    """What a member mixed into a shuffle."""

    model_config = _STRICT

    member: int
    text: str


class Drawn(BaseModel):
    """What something was drawn from."""

    model_config = _STRICT

    seal: str
    secret: str
    contributions: list[Contributed]


class Thrown(BaseModel):
    """What a member threw for the bank."""

    model_config = _STRICT

    member: int
    dice: Annotated[list[int], Field(min_length=DICE, max_length=DICE)]


class Dice(Drawn):
    """The dice that picked the round's banker (T03)."""

    throws: list[Thrown]


class BankersHand(BaseModel):
    """The banker, and what he was dealt; `three` are the places of the ox that he declared himself."""

    model_config = _STRICT

    member: int
    name: str
    pieces: list[str]
    three: _Three | None
    chips: int


class PlayersHand(BankersHand):
    """A player, what he bet and was dealt, and what he gained."""

    seat: int
    stake: Annotated[int, Field(ge=1)]
    outcome: Outcome


class SideBetMade(BaseModel):
    """Who backed a player, and what he gained."""

    model_config = _STRICT

    member: int
    name: str
    backed: int
    stake: Annotated[int, Field(ge=1)]
    outcome: Outcome
    chips: int


class RoundRecord(BaseModel):
    """All that there is to say of a round, in the format `gnau-round/1`.

    `digest` is the SHA-256 of the record without it, as JSON with sorted keys, no blanks, and no escapes that
    JSON does not need. It finds slips. Whoever changes a record on purpose can make it anew: compare it with
    the one that the bot shows for the round.
    """

    model_config = _STRICT

    format: Literal["gnau-round/1"]
    table: int
    number: int
    round: int
    rules: HouseRules
    opening: Drawn
    dice: Dice | None
    banker: BankersHand
    players: list[PlayersHand]
    side_bets: list[SideBetMade]
    digest: str


def record_of(table_id: int, number: int, result: RoundResult, rolled: DiceRolled | None) -> dict[str, Any]:
    """The record of a settled round, as JSON has it.

    Args:
        table_id: the table's identity.
        number: what members call the table by.
        result: what the round brought.
        rolled: the dice that picked its banker; None where none did.

    Raises:
        ValueError: where the round's shuffle was not sealed, as in versions before seals.
    """
    if result.opening is None:
        raise ValueError("the shuffle of this round was not sealed")
    text = game_of(result.rules).text

    def hand(member: Any, pieces: Sequence[Piece], three: Sequence[int] | None, chips: int) -> dict[str, Any]:
        return {
            "member": member.member_id,
            "name": member.name,
            "pieces": [text(piece) for piece in pieces],
            "three": None if three is None else list(three),
            "chips": chips,
        }

    told: dict[str, Any] = {
        "format": FORMAT,
        "table": table_id,
        "number": number,
        "round": result.round_number,
        "rules": result.rules.model_dump(mode="json"),
        "opening": _drawn(result.opening),
        "dice": None,
        "banker": hand(result.banker, result.pieces, result.three, result.bank_chips),
        "players": [
            hand(player.member, player.pieces, player.three, player.chips)
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
        told["dice"] = _drawn(rolled.opening) | {"throws": throws}
    return told | {"digest": digest_of(told)}


def read_record(text: str) -> RoundRecord:
    """Reads a record.

    Raises:
        ValueError: with a sentence, where it is no record, or none that this version knows.
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
    """What stands in one pair of braces; of two of a name, a program takes the last, and a reader the first.

    Raises:
        ValueError: where a name stands there twice.
    """
    told: dict[str, Any] = {}
    for name, value in pairs:
        if name in told:
            raise ValueError(f"this is no record of a round: {name} is said twice in one place")
        told[name] = value
    return told


def _drawn(opening: Opening) -> dict[str, Any]:
    contributions = [{"member": said.member_id, "text": said.text} for said in opening.contributions]
    return {"seal": commitment_to(opening.secret), "secret": opening.secret, "contributions": contributions}


def digest_of(told: dict[str, Any]) -> str:
    """The digest of a record that has none yet; see `RoundRecord`."""
    return sha256(
        json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    ).hexdigest()
