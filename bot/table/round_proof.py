"""Verifies the record of a round: everything in it must follow from its secret.

The shuffle is made again from the secret and the client seeds, and every hand, outcome and gain from that.
With the commitment that was shown before betting, nobody has to trust the host.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from bot.games.pack import shuffled_pack
from bot.games.register import game_of
from bot.games.settle import settle
from bot.rules.knobs import Arrange, Direction
from bot.rules.shuffle import ClientSeed, Purpose, commitment_to, deal, roll, seeded_random
from bot.table.arranging import hand_of
from bot.table.dice_roll import THROWS
from bot.table.round_record import (
    BankerHand,
    RecordedDice,
    RecordedOpening,
    RoundRecord,
    digest_of,
    read_record,
)


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first thing in a record that is wrong.

    Attributes:
        where: the part of the record.
        says: the value in the record.
        should: the value that it should have.
    """

    where: str
    says: str
    should: str


def first_mismatch(text: str) -> Mismatch | None:
    """The first thing in a record that is wrong; None if the record is verified.

    Args:
        text: the record, as JSON.

    Raises:
        ValueError: if it is no record of a format that this version knows; the text is a sentence.
    """
    record = read_record(text)
    # The digest is of the text, not of the parsed record, which has defaults for missing knobs.
    digest = digest_of({name: value for name, value in json.loads(text).items() if name != "digest"})
    return next(chain(_mismatches(record), _differ("digest", record.digest, digest)), None)


def _mismatches(record: RoundRecord) -> Iterator[Mismatch]:
    """Checks everything, in the order of reading."""
    yield from _in_opening("opening", record.opening)
    if record.dice is not None:
        yield from _in_opening("dice", record.dice)
        yield from _in_dice(record.dice, record.banker)
    betting = {player.member for player in record.players} | {side.member for side in record.side_bets}
    yield from _differ("opening.client_seeds", sorted(_members(record.opening)), sorted(betting))
    yield from _in_hands(record)
    yield from _in_gains(record)


def _in_opening(where: str, opening: RecordedOpening) -> Iterator[Mismatch]:
    try:
        should = commitment_to(opening.secret)
    except ValueError as wrong:
        yield Mismatch(f"{where}.secret", opening.secret, str(wrong))
        return
    yield from _differ(f"{where}.seal", opening.seal, should)


def _in_dice(dice: RecordedDice, banker: BankerHand) -> Iterator[Mismatch]:
    """Rolls the dice again: the highest total is banker, and ties are rolled again (T03)."""
    shown = [face for throw in dice.throws for face in throw.dice]
    yield from _differ(
        "dice.throws", shown, list(roll(len(shown), seeded_random(*_source(dice), Purpose.DICE)))
    )
    throwing = [throw.member for throw in dice.throws]
    still = list(dict.fromkeys(throwing))
    thrown = THROWS * len(still)
    at = 0
    while len(still) > 1 and at + len(still) <= len(throwing):
        group = dice.throws[at : at + len(still)]
        yield from _differ("dice.throws", [throw.member for throw in group], still)
        at += len(still)
        highest = max(sum(throw.dice) for throw in group)
        still = [throw.member for throw in group if sum(throw.dice) == highest]
    yield from _differ("dice.throws", len(throwing), max(at, 1))
    if len(still) > 1 and at + len(still) <= thrown:
        # Somebody who may stop rolling at a tie picks the banker.
        yield Mismatch("dice.throws", f"a tie after {at} throws", "thrown until one is left")
    yield from _differ("banker.member", banker.member, still[0] if still else "somebody who threw")


def _in_hands(record: RoundRecord) -> Iterator[Mismatch]:
    """Shuffles and deals the pack again: one piece at a time, the banker last (G03)."""
    rules = record.rules
    text = game_of(rules).pieces.text
    clockwise = rules.direction is Direction.CLOCKWISE
    seats = [player.seat for player in record.players]
    yield from _differ("players", seats, sorted(set(seats)))
    served: list[BankerHand] = [*(record.players if clockwise else record.players[::-1]), record.banker]
    pack = shuffled_pack(len(served), rules, seeded_random(*_source(record.opening), Purpose.DEAL))
    for place, pieces in zip(served, deal(pack, len(served)), strict=True):
        yield from _differ(f"the hand of {place.name}", place.pieces, [text(piece) for piece in pieces])


def _in_gains(record: RoundRecord) -> Iterator[Mismatch]:
    """Settles players against the banker again, and backers with their players (G17, B01)."""
    rules = record.rules
    hands = {}
    for place in (record.banker, *record.players):
        pieces = [game_of(rules).pieces.parse(word) for word in place.pieces]
        if place.declared_ox is not None:
            yield from _differ(f"the ox of {place.name}", place.declared_ox, sorted(set(place.declared_ox)))
            if rules.arrange is Arrange.AUTOMATIC:
                yield Mismatch(
                    f"the ox of {place.name}", str(place.declared_ox), "none: the table arranges hands"
                )
        hands[place.member] = hand_of(
            pieces, None if place.declared_ox is None else tuple(place.declared_ox), rules
        )
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
            yield Mismatch(f"the player that {side.name} backs", str(side.backed), "one of the players")
            return
        yield from _differ(f"the outcome of {side.name}", side.outcome.value, backed.outcome.value)
        yield from _differ(f"the gain of {side.name}", side.chips, backed.units * side.stake)
        total += side.chips
    yield from _differ("the gain of the bank", record.banker.chips, -total)


def _source(opening: RecordedOpening) -> tuple[str, list[ClientSeed]]:
    return opening.secret, [ClientSeed(seed.member, seed.text) for seed in opening.client_seeds]


def _members(opening: RecordedOpening) -> list[int]:
    return [seed.member for seed in opening.client_seeds]


def _differ(where: str, says: object, should: object) -> Iterator[Mismatch]:
    if says != should:
        yield Mismatch(where, _text(says), _text(should))


def _text(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
