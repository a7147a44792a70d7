"""What emojis and pictures cost a round: requests, uploads, bytes, and CPU of the bot."""

from dataclasses import dataclass
from typing import Final

from rich.table import Table

from clicking.pictured_bot import EMOJIS, SIGNS, WAYS
from clicking.report import plain, spread
from clicking.side import ROUNDS, Side
from tests.stand_in import RecordedRequest

BOARD: Final = "picture of a board's result"
DEALT: Final = "picture of an own hand"
BANK_HIDDEN: Final = "the same after the round, the bank's still face down"
RESULT: Final = "the same beside the bank's"
NO_PICTURE: Final = "no picture"
KINDS: Final = (BOARD, DEALT, BANK_HIDDEN, RESULT, NO_PICTURE)
"""What a request brings."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a round costs.

    Attributes:
        requests: how many there are of each kind.
        size: their bodies, in kB.
        cpu: of the bot, in milliseconds.
    """

    requests: dict[str, float]
    size: dict[str, float]
    cpu: float

    @property
    def uploads(self) -> float:
        """How many requests bring a picture."""
        return sum(self.requests.values()) - self.requests[NO_PICTURE]


async def picture_costs(one: Side) -> dict[str, list[Cost]]:
    """Plays rounds with each way to show pieces.

    The ways take turns, each first as often as the others, so that what else the machine does falls on all.
    """
    costs: dict[str, list[Cost]] = {way: [] for way in WAYS}
    for repeat in range(one.size.repeats):
        first = repeat % len(WAYS)
        for way in WAYS[first:] + WAYS[:first]:
            await one.bot.ask(way)
            # Pictures that the messages lack from the way before come with this round.
            await one.measure(ROUNDS)
            costs[way].append(await _cost(one))
    return costs


async def _cost(one: Side) -> Cost:
    measured = await one.measure(ROUNDS)
    rounds = one.size.tables * one.size.rounds
    requests = dict.fromkeys(KINDS, 0.0)
    size = dict.fromkeys(KINDS, 0.0)
    for request in one.discord.requests:
        kind = _kind(request)
        requests[kind] += 1 / rounds
        size[kind] += request.size / 1000 / rounds
    return Cost(requests, size, measured.cpu * 1000 / rounds)


def _kind(request: RecordedRequest) -> str:
    """What a request brings, by the name of its picture."""
    if not request.files:
        return NO_PICTURE
    name = request.files[0].removesuffix("-framed.png").removesuffix(".png")
    if name.startswith("round"):
        return BOARD
    return BANK_HIDDEN if name.endswith("turning") else RESULT if name.endswith("result") else DEALT


def cost_table(costs: dict[str, list[Cost]]) -> Table:
    """A round in each way: the medians of all turns, and how far the single ones lie apart."""
    table = plain("a round", "requests", "uploads", "kB", "CPU ms", "CPU, beside emojis")
    for way, turns in costs.items():
        beside = [one.cpu / other.cpu for one, other in zip(turns, costs[EMOJIS], strict=True)]
        table.add_row(
            way,
            spread([sum(one.requests.values()) for one in turns], 1),
            spread([one.uploads for one in turns], 1),
            spread([sum(one.size.values()) for one in turns], 0),
            spread([one.cpu for one in turns], 1),
            spread(beside, 2),
        )
    return table


def kind_table(costs: dict[str, list[Cost]]) -> Table:
    """What the requests of a round bring, with signs and with emojis."""
    table = plain("a round", "requests", f"kB, {SIGNS}", f"kB, {EMOJIS}")
    for kind in KINDS:
        table.add_row(
            kind,
            spread([one.requests[kind] for one in costs[EMOJIS]], 1),
            *(spread([one.size[kind] for one in costs[way]], 1) for way in (SIGNS, EMOJIS)),
        )
    return table
