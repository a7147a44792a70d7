"""Verifies the record of a round: everything in it must follow from its secret and its sheet.

The shuffle is made again from the secret and the sheet, and every hand, outcome and gain from that. With the
seal that was shown before betting, nobody has to trust the host.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from bot.games.hands import evaluate, hand_of, is_ox, is_worse, shuffled_pack
from bot.games.register import game_of
from bot.games.settle import settle
from bot.rules.hashing import canonical
from bot.rules.knobs import Arrange, Direction
from bot.rules.pieces import Hand
from bot.rules.shuffle import Use, deal, roll, seal_of, seeded_random, ticket_of, words_code
from bot.table.bank import THROWS, throw
from bot.table.round_record import (
    NO_SEED,
    BankerHand,
    DealSheet,
    DiceSheet,
    RecordedDice,
    RoundRecord,
    SheetBanker,
    read_record,
    receipt_in,
)
from bot.table.state import COMPUTERS, DICE, THE_HOUSE

_HOUSE: Final = str(THE_HOUSE)
_COMPUTERS: Final = frozenset(map(str, COMPUTERS))


@dataclass(frozen=True, slots=True)
class Noted:
    """What a player noted during the round, to compare with its record; None if they noted nothing.

    Attributes:
        client_seed: their contribution, or their ticket, which is of it and the seal.
    """

    seal: str | None = None
    client_seed: str | None = None
    receipt: str | None = None


NOTHING_NOTED: Final = Noted()


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first thing in a record that is wrong.

    Attributes:
        is_noted: the mismatch is with the player's note, not inside the record.
    """

    where: str
    says: str
    should: str
    is_noted: bool = False


def first_mismatch(text: str, noted: Noted = NOTHING_NOTED) -> Mismatch | None:
    """The first thing in a record that is wrong; None if the record is verified.

    Raises:
        ValueError: if it is no record of a format that this version knows; the text is a sentence.
    """
    record, told = read_record(text)
    return next(chain(_mismatches(record, told), _unlike_notes(record, noted)), None)


def _mismatches(record: RoundRecord, told: dict[str, Any]) -> Iterator[Mismatch]:
    """Checks everything, in the order of reading."""
    yield from _in_seal("", record, record.sheet)
    yield from _in_places(record)
    yield from _in_house(record)
    yield from _in_computers(record)
    if record.sheet.dice is not None:
        yield from _in_dice(record, record.sheet.dice, told["sheet"]["dice"])
    yield from _in_words(record)
    yield from _in_hands(record, told["sheet"])
    yield from _in_arrangements(record)
    yield from _in_gains(record)
    yield from _differ("receipt", record.receipt, receipt_in(told))


def _unlike_notes(record: RoundRecord, noted: Noted) -> Iterator[Mismatch]:
    seals = [record.seal, *([] if record.sheet.dice is None else [record.sheet.dice.seal])]
    if noted.seal is not None and noted.seal not in seals:
        yield Mismatch("seal", record.seal, noted.seal, is_noted=True)
    sheet = record.sheet
    seeds = {place.client_seed for place in (sheet.banker, *sheet.players, *sheet.side_bets)}
    # A ticket of what adds nothing would bind the bot to nobody's contribution.
    tickets = {ticket_of(record.seal, seed) for seed in seeds - {NO_SEED}}
    if noted.client_seed is not None and noted.client_seed not in seeds | tickets:
        at_dice = noted.client_seed in {place.client_seed for place in _contributors(record)}
        says = "it, but only for the dice" if at_dice else "no such contribution"
        yield Mismatch("contribution", says, noted.client_seed, is_noted=True)
    if noted.receipt is not None and noted.receipt != record.receipt:
        yield Mismatch("receipt", record.receipt, noted.receipt, is_noted=True)


def _in_seal(
    within: str, opened: RoundRecord | RecordedDice, sheet: DealSheet | DiceSheet
) -> Iterator[Mismatch]:
    try:
        should = seal_of(opened.secret, Use(sheet.purpose), int(sheet.table), sheet.round)
    except ValueError as wrong:
        yield Mismatch(f"{within}secret", opened.secret, str(wrong))
        return
    yield from _differ(f"{within}seal", opened.seal, should)


def _in_places(record: RoundRecord) -> Iterator[Mismatch]:
    """Each seat and each member is there once, and backers sit nowhere (B01)."""
    sheet, result = record.sheet, record.result
    seats = [player.seat for player in sheet.players]
    yield from _differ("players", seats, sorted(set(seats)))
    seated = [sheet.banker.party, *(player.party for player in sheet.players)]
    yield from _differ("players", seated, list(dict.fromkeys(seated)))
    players = set(seated[1:])
    if len(players) > (most := game_of(record.rules).most_players):
        yield Mismatch("players", str(len(players)), f"at most {most}")
    placed: list[tuple[str, str]] = []
    brought: dict[str, str] = {}
    for number, side in enumerate(sheet.side_bets, 1):
        if side.backed not in players:
            yield Mismatch(f"the player of side bet {number}", side.backed, "one of the players")
        if side.party in seated:
            yield Mismatch(f"the backer of side bet {number}", side.party, "somebody without a seat")
        if (side.party, side.backed) in placed:
            yield Mismatch(f"side bet {number}", f"{side.party} on {side.backed}", "there only once")
        placed.append((side.party, side.backed))
        due = brought.setdefault(side.party, side.client_seed)
        yield from _differ(f"the contribution of side bet {number}", side.client_seed, due)
    yield from _differ("the number of players", len(result.players), len(sheet.players))
    yield from _differ("the number of side bets", len(result.side_bets), len(sheet.side_bets))


def _in_house(record: RoundRecord) -> Iterator[Mismatch]:
    """The house only banks, brings nothing, and plays the strongest hand: it chooses nothing (B07)."""
    banker, *others = _contributors(record)
    if any(place.party == _HOUSE for place in others):
        yield Mismatch("the house", "a player", "the banker or nobody")
    if banker.party != _HOUSE:
        return
    yield from _differ("the contribution of the house", banker.client_seed, NO_SEED)
    if record.result.banker.declared_ox is not None:
        yield Mismatch("the ox of the house", "declared", "none: the house plays the strongest hand")


def _in_computers(record: RoundRecord) -> Iterator[Mismatch]:
    """Computer players only play, bring nothing, and hold the strongest hand: they choose nothing (B07)."""
    sheet = record.sheet
    seats = [] if sheet.dice is None else sheet.dice.sheet.seats
    nowhere: list[tuple[str, list[SheetBanker]]] = [
        ("the banker", [sheet.banker]),
        ("a backer", [*sheet.side_bets]),
        ("somebody who rolls", [seat for seat in seats if seat.rolls]),
    ]
    for says, places in nowhere:
        if any(place.party in _COMPUTERS for place in places):
            yield Mismatch("a computer player", says, "only a player")
    for place in (*sheet.players, *seats):
        if place.party in _COMPUTERS:
            yield from _differ("the contribution of a computer player", place.client_seed, NO_SEED)
    for player, hand in zip(sheet.players, record.result.players, strict=True):
        if player.party in _COMPUTERS and hand.declared_ox is not None:
            yield Mismatch("the ox of a computer player", "declared", "none: it plays the strongest hand")


def _in_words(record: RoundRecord) -> Iterator[Mismatch]:
    """Words that members chose must make the client seeds of the round."""
    seeds = {place.client_seed for place in _contributors(record)}
    for seed, chosen in record.words.items():
        yield from _differ("words", seed, words_code(chosen.salt, chosen.words))
        if seed not in seeds:
            yield Mismatch("words", seed, "one of the contributions")


def _in_dice(record: RoundRecord, dice: RecordedDice, told: dict[str, Any]) -> Iterator[Mismatch]:
    """Rolls the dice again: the highest total is banker, and ties are rolled again (T03)."""
    sheet = record.sheet
    if not game_of(record.rules).rolls_for_bank:
        yield Mismatch("dice", "present", "absent: nobody rolls for the bank in this game")
    if dice.secret == record.secret:
        yield Mismatch("dice.secret", "the secret of the hands", "a different one")
    for name in ("table", "number", "round"):
        yield from _differ(f"dice.sheet.{name}", getattr(dice.sheet, name), getattr(sheet, name))
    seats = [seat.seat for seat in dice.sheet.seats]
    yield from _differ("dice.sheet.seats", seats, sorted(set(seats)))
    seated = [seat.party for seat in dice.sheet.seats]
    yield from _differ("dice.sheet.seats", seated, list(dict.fromkeys(seated)))
    yield from _in_seal("dice.", dice, dice.sheet)
    below = seeded_random(dice.secret, canonical(told["sheet"]))
    yield from _in_throws(dice, sheet.banker, roll(DICE * THROWS * len(seats), below))


def _in_throws(dice: RecordedDice, banker: SheetBanker, rolled: tuple[int, ...]) -> Iterator[Mismatch]:
    """All throws, in order, and who won."""
    still = [seat.party for seat in dice.sheet.seats if seat.rolls]
    if not still:
        yield Mismatch("dice.sheet.seats", "nobody who rolls", "somebody who rolls")
        return
    throws, winner = throw([int(party) for party in still], rolled)
    shown = [(thrown.party, thrown.dice) for thrown in dice.throws]
    yield from _differ("dice.throws", shown, [(str(one.party), list(one.dice)) for one in throws])
    yield from _differ("banker.party", banker.party, str(winner))


def _in_hands(record: RoundRecord, sheet: dict[str, Any]) -> Iterator[Mismatch]:
    """Shuffles and deals the pack again: one piece at a time, the banker last (G03)."""
    rules = record.rules
    text = game_of(rules).pieces.text
    *players, banker = _hands(record).items()
    served = [*(players if rules.direction is Direction.CLOCKWISE else reversed(players)), banker]
    pack = shuffled_pack(len(served), rules, seeded_random(record.secret, canonical(sheet)))
    for (who, hand), pieces in zip(served, deal(pack, len(served)), strict=True):
        yield from _differ(f"the hand of {who}", hand.pieces, [text(piece) for piece in pieces])


def _in_arrangements(record: RoundRecord) -> Iterator[Mismatch]:
    """What was declared must be what the rules allow (B04, B08)."""
    rules = record.rules
    backed = {side.backed for side in record.sheet.side_bets}
    who_is_backed = {f"seat {player.seat}" for player in record.sheet.players if player.party in backed}
    for who, hand in _hands(record).items():
        if hand.declared_ox is None:
            continue
        where = f"the ox of {who}"
        yield from _differ(where, hand.declared_ox, sorted(set(hand.declared_ox)))
        if rules.arrange is Arrange.AUTOMATIC:
            yield Mismatch(where, _text(hand.declared_ox), "none: the bot arranges hands")
        pieces = [game_of(rules).pieces.parse(word) for word in hand.pieces]
        ox = [pieces[place] for place in hand.declared_ox]
        if rules.arrange is Arrange.ASSISTED and not is_ox(ox, rules):
            yield Mismatch(where, _text(hand.declared_ox), "three that make an ox")
        if who in who_is_backed and is_worse(_ranked(record, hand), evaluate(pieces, rules)):
            yield Mismatch(
                where, _text(hand.declared_ox), "as good as the strongest: others backed this hand"
            )


def _in_gains(record: RoundRecord) -> Iterator[Mismatch]:
    """Settles players against the banker again, and backers with their players (G17, B01)."""
    rules, sheet, result = record.rules, record.sheet, record.result
    banker = _ranked(record, result.banker)
    duels = {
        player.party: settle(_ranked(record, hand), banker, rules)
        for player, hand in zip(sheet.players, result.players, strict=True)
    }
    total = 0
    for player, hand in zip(sheet.players, result.players, strict=True):
        duel = duels[player.party]
        yield from _differ(f"the outcome of seat {player.seat}", hand.outcome.value, duel.outcome.value)
        yield from _differ(f"the gain of seat {player.seat}", hand.chips, duel.units * player.stake)
        total += hand.chips
    sides = zip(sheet.side_bets, result.side_bets, strict=True)
    for number, (side, outcome) in enumerate(sides, 1):
        duel = duels[side.backed]
        yield from _differ(f"the outcome of side bet {number}", outcome.outcome.value, duel.outcome.value)
        yield from _differ(f"the gain of side bet {number}", outcome.chips, duel.units * side.stake)
        total += outcome.chips
    yield from _differ("the gain of the bank", result.banker.chips, -total)


def _hands(record: RoundRecord) -> dict[str, BankerHand]:
    """Every hand, by whose it is: players by seat, the banker last."""
    players = zip(record.sheet.players, record.result.players, strict=True)
    return {f"seat {player.seat}": hand for player, hand in players} | {"the banker": record.result.banker}


def _ranked(record: RoundRecord, hand: BankerHand) -> Hand:
    """A hand as it counts."""
    rules = record.rules
    pieces = [game_of(rules).pieces.parse(word) for word in hand.pieces]
    return hand_of(pieces, None if hand.declared_ox is None else tuple(hand.declared_ox), rules)


def _contributors(record: RoundRecord) -> Collection[SheetBanker]:
    """Everybody who brought something to the hands or to the dice."""
    sheet = record.sheet
    dice = [] if sheet.dice is None else sheet.dice.sheet.seats
    return [sheet.banker, *sheet.players, *sheet.side_bets, *dice]


def _differ(where: str, says: object, should: object) -> Iterator[Mismatch]:
    if says != should:
        yield Mismatch(where, _text(says), _text(should))


def _text(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
