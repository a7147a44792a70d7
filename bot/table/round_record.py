"""The record of a round, as it is given away, and its proof: whether all it says follows from its secret.

Whoever has a record, and saw the seal before bets opened, needs nobody's word for what was dealt: the shuffle
is made again from the secret and what the bettors mixed into it, and every hand, outcome and gain from that.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.rules.game import HAND_SIZE, OX_SIZE
from bot.rules.games import game_of
from bot.rules.knobs import Arrange, Direction, HouseRules
from bot.rules.pieces import Piece
from bot.rules.settle import Outcome, settle
from bot.rules.shuffle import Contribution, Purpose, deal, drawing, seal_of, shuffled_pack, thrown
from bot.table.arranging import hand_of
from bot.table.events import DiceRolled
from bot.table.results import Draw, RoundResult

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
    dice: list[int]


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
    draw: Drawn
    dice: Dice | None
    banker: BankersHand
    players: list[PlayersHand]
    side_bets: list[SideBetMade]
    digest: str


@dataclass(frozen=True, slots=True)
class Misfit:
    """The first thing in a record that does not fit.

    Attributes:
        where: which part of the record.
        says: what the record says there.
        should: what it should say.
    """

    where: str
    says: str
    should: str


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
    if result.draw is None:
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
        "draw": _drawn(result.draw),
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
    if rolled is not None and rolled.draw is not None:
        throws = [{"member": throw.member_id, "dice": list(throw.dice)} for throw in rolled.throws]
        told["dice"] = _drawn(rolled.draw) | {"throws": throws}
    return told | {"digest": _digest(told)}


def misfit(text: str) -> Misfit | None:
    """The first thing in a record that does not fit the rest; None where it is proved.

    Args:
        text: the record, as JSON.

    Raises:
        ValueError: with a sentence, where it is no record, or none that this version knows.
    """
    record = _read(text)
    # The digest is of what stands there, not of what was read: a knob that is left out is missed.
    digest = _digest({name: value for name, value in json.loads(text).items() if name != "digest"})
    return next(chain(_misfits(record), _differ("digest", record.digest, digest)), None)


def _read(text: str) -> RoundRecord:
    if len(text) > LONGEST_RECORD:
        raise ValueError(f"a record of a round has at most {LONGEST_RECORD} characters, not {len(text)}")
    try:
        return RoundRecord.model_validate_json(text)
    except ValidationError as wrong:
        first = wrong.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "the text"
        raise ValueError(f"this is no record of a round: {where}: {first['msg']}") from None


def _drawn(draw: Draw) -> dict[str, Any]:
    contributions = [{"member": said.member_id, "text": said.text} for said in draw.contributions]
    return {"seal": seal_of(draw.secret), "secret": draw.secret, "contributions": contributions}


def _digest(told: dict[str, Any]) -> str:
    return sha256(
        json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    ).hexdigest()


def _misfits(record: RoundRecord) -> Iterator[Misfit]:
    """Every check, in the order in which a reader would go."""
    yield from _in_draw("draw", record.draw)
    if record.dice is not None:
        yield from _in_draw("dice", record.dice)
        yield from _in_dice(record.dice, record.banker)
    betting = {player.member for player in record.players} | {side.member for side in record.side_bets}
    yield from _differ("draw.contributions", sorted(_members(record.draw)), sorted(betting))
    yield from _in_hands(record)
    yield from _in_gains(record)


def _in_draw(where: str, drawn: Drawn) -> Iterator[Misfit]:
    try:
        should = seal_of(drawn.secret)
    except ValueError as wrong:
        yield Misfit(f"{where}.secret", drawn.secret, str(wrong))
        return
    yield from _differ(f"{where}.seal", drawn.seal, should)


def _in_dice(dice: Dice, banker: BankersHand) -> Iterator[Misfit]:
    """The dice are drawn again, and whoever threw highest is banker; who tied threw again (T03)."""
    shown = [face for throw in dice.throws for face in throw.dice]
    yield from _differ("dice.throws", shown, list(thrown(len(shown), drawing(*_source(dice), Purpose.DICE))))
    throwing = [throw.member for throw in dice.throws]
    still = list(dict.fromkeys(throwing))
    at = 0
    while len(still) > 1 and at + len(still) <= len(throwing):
        group = dice.throws[at : at + len(still)]
        yield from _differ("dice.throws", [throw.member for throw in group], still)
        at += len(still)
        highest = max(sum(throw.dice) for throw in group)
        still = [throw.member for throw in group if sum(throw.dice) == highest]
    yield from _differ("dice.throws", len(throwing), max(at, 1))
    yield from _differ("banker.member", banker.member, still[0] if still else "somebody who threw")


def _in_hands(record: RoundRecord) -> Iterator[Misfit]:
    """The pack is shuffled again, and dealt again: one piece at a time, the banker last (G03)."""
    rules = record.rules
    text = game_of(rules).text
    clockwise = rules.direction is Direction.CLOCKWISE
    seats = [player.seat for player in record.players]
    yield from _differ("players", seats, sorted(set(seats)))
    served: list[BankersHand] = [*(record.players if clockwise else record.players[::-1]), record.banker]
    pack = shuffled_pack(len(served), rules, drawing(*_source(record.draw), Purpose.DEAL))
    for place, pieces in zip(served, deal(pack, len(served)), strict=True):
        yield from _differ(f"the hand of {place.name}", place.pieces, [text(piece) for piece in pieces])


def _in_gains(record: RoundRecord) -> Iterator[Misfit]:
    """Everybody is settled again against the banker, and backers with the players they backed (G17, B01)."""
    rules = record.rules
    hands = {}
    for place in (record.banker, *record.players):
        pieces = [game_of(rules).parse(word) for word in place.pieces]
        if place.three is not None:
            yield from _differ(f"the ox of {place.name}", place.three, sorted(set(place.three)))
            if rules.arrange is Arrange.AUTOMATIC:
                yield Misfit(f"the ox of {place.name}", str(place.three), "none: the table arranges hands")
        hands[place.member] = hand_of(pieces, None if place.three is None else tuple(place.three), rules)
    duels = {
        player.member: settle(hands[player.member], hands[record.banker.member], rules)
        for player in record.players
    }
    total = 0
    for player in record.players:
        duel = duels[player.member]
        yield from _differ(f"the outcome of {player.name}", player.outcome.value, duel.outcome.value)
        yield from _differ(f"the gain of {player.name}", player.chips, duel.units * player.stake)
        total += player.chips
    for side in record.side_bets:
        backed = duels.get(side.backed)
        if backed is None:
            yield Misfit(f"whom {side.name} backs", str(side.backed), "one of the players")
            return
        yield from _differ(f"the outcome of {side.name}", side.outcome.value, backed.outcome.value)
        yield from _differ(f"the gain of {side.name}", side.chips, backed.units * side.stake)
        total += side.chips
    yield from _differ("the gain of the bank", record.banker.chips, -total)


def _source(drawn: Drawn) -> tuple[str, list[Contribution]]:
    return drawn.secret, [Contribution(said.member, said.text) for said in drawn.contributions]


def _members(drawn: Drawn) -> list[int]:
    return [said.member for said in drawn.contributions]


def _differ(where: str, says: object, should: object) -> Iterator[Misfit]:
    if says != should:
        yield Misfit(where, _said(says), _said(should))


def _said(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
