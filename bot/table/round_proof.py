"""The proof of a round: whether all that its record says follows from its secret.

Whoever has a record, and saw the seal before bets opened, needs nobody's word for what was dealt: the shuffle
is made again from the secret and what the bettors mixed into it, and every hand, outcome and gain from that.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from bot.rules.games import game_of
from bot.rules.knobs import Arrange, Direction
from bot.rules.settle import settle
from bot.rules.shuffle import ClientSeed, Purpose, commitment_to, deal, roll, seeded_random, shuffled_pack
from bot.table.arranging import hand_of
from bot.table.rolling import THROWS
from bot.table.round_record import BankersHand, Dice, Drawn, RoundRecord, digest_of, read_record


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


def misfit(text: str) -> Misfit | None:
    """The first thing in a record that does not fit the rest; None where it is proved.

    Args:
        text: the record, as JSON.

    Raises:
        ValueError: with a sentence, where it is no record, or none that this version knows.
    """
    record = read_record(text)
    # The digest is of what stands there, not of what was read: a knob that is left out is missed.
    digest = digest_of({name: value for name, value in json.loads(text).items() if name != "digest"})
    return next(chain(_misfits(record), _differ("digest", record.digest, digest)), None)


def _misfits(record: RoundRecord) -> Iterator[Misfit]:
    """Every check, in the order in which a reader would go."""
    yield from _in_draw("opening", record.opening)
    if record.dice is not None:
        yield from _in_draw("dice", record.dice)
        yield from _in_dice(record.dice, record.banker)
    betting = {player.member for player in record.players} | {side.member for side in record.side_bets}
    yield from _differ("opening.contributions", sorted(_members(record.opening)), sorted(betting))
    yield from _in_hands(record)
    yield from _in_gains(record)


def _in_draw(where: str, drawn: Drawn) -> Iterator[Misfit]:
    try:
        should = commitment_to(drawn.secret)
    except ValueError as wrong:
        yield Misfit(f"{where}.secret", drawn.secret, str(wrong))
        return
    yield from _differ(f"{where}.seal", drawn.seal, should)


def _in_dice(dice: Dice, banker: BankersHand) -> Iterator[Misfit]:
    """The dice are drawn again, and whoever threw highest is banker; who tied threw again (T03)."""
    shown = [face for throw in dice.throws for face in throw.dice]
    yield from _differ(
        "dice.throws", shown, list(roll(len(shown), seeded_random(*_source(dice), Purpose.DICE)))
    )
    throwing = [throw.member for throw in dice.throws]
    still = list(dict.fromkeys(throwing))
    drawn = THROWS * len(still)
    at = 0
    while len(still) > 1 and at + len(still) <= len(throwing):
        group = dice.throws[at : at + len(still)]
        yield from _differ("dice.throws", [throw.member for throw in group], still)
        at += len(still)
        highest = max(sum(throw.dice) for throw in group)
        still = [throw.member for throw in group if sum(throw.dice) == highest]
    yield from _differ("dice.throws", len(throwing), max(at, 1))
    if len(still) > 1 and at + len(still) <= drawn:
        # Whoever may stop throwing at a tie picks the banker himself.
        yield Misfit("dice.throws", f"a tie after {at} throws", "thrown until one is left")
    yield from _differ("banker.member", banker.member, still[0] if still else "somebody who threw")


def _in_hands(record: RoundRecord) -> Iterator[Misfit]:
    """The pack is shuffled again, and dealt again: one piece at a time, the banker last (G03)."""
    rules = record.rules
    text = game_of(rules).text
    clockwise = rules.direction is Direction.CLOCKWISE
    seats = [player.seat for player in record.players]
    yield from _differ("players", seats, sorted(set(seats)))
    served: list[BankersHand] = [*(record.players if clockwise else record.players[::-1]), record.banker]
    pack = shuffled_pack(len(served), rules, seeded_random(*_source(record.opening), Purpose.DEAL))
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


def _source(drawn: Drawn) -> tuple[str, list[ClientSeed]]:
    return drawn.secret, [ClientSeed(said.member, said.text) for said in drawn.contributions]


def _members(drawn: Drawn) -> list[int]:
    return [said.member for said in drawn.contributions]


def _differ(where: str, says: object, should: object) -> Iterator[Misfit]:
    if says != should:
        yield Misfit(where, _said(says), _said(should))


def _said(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
