from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import pytest
from discord import app_commands

from bot.practice import person
from bot.practice.limits import Limits
from bot.rules.pieces import Piece
from bot.rules.shuffle import RandomBelow
from bot.run import serving
from bot.ui.board import message
from bot.ui.hand import delivery, panels
from bot.ui.press import arrivals
from bot.wire import gateway, intake
from bot.words import po_files
from tests.e2e.evening import SERVER, Evening
from tests.stand_in import StandIn

DISCORDS_PATIENCE = Limits().reply_seconds
"""The seconds that Discord waits for a reply."""
PATIENCE = 8.0
"""The seconds that the stand-in waits instead: a busy machine may stall for longer than Discord waits."""
WAITS = {
    arrivals: ("DEFER_SECONDS", "YOUNG_SECONDS", "LAST_SECONDS"),
    intake: ("OVERLOAD_SECONDS", "HOPELESS_SECONDS"),
}
"""How long a press may wait in the bot."""
LOOKS = (
    "cogs.reminders.LOOK_SECONDS",
    "cogs.seasons.SEASON_SECONDS",
    "cogs.tables.LOOK_SECONDS",
    "cogs.tournaments.LOOK_SECONDS",
)
"""How often the bot looks what is due. Tests have it look: if it did so itself too, what is done when they
look would depend on how fast the machine is."""


Payload = Callable[..., Awaitable[dict[str, Any]]]


def translated_once(translated: Payload) -> Payload:
    """A command in every language, made once for all bots of this process: they have the same commands."""
    known: dict[object, dict[str, Any]] = {}

    async def payload(command: Any, *to: object) -> dict[str, Any]:
        key = po_files.LOCALES, command.qualified_name
        if key not in known:
            known[key] = await translated(command, *to)
        return known[key]

    return payload


TRANSLATED_ONCE = {
    kind: translated_once(kind.get_translated_payload) for kind in (app_commands.Command, app_commands.Group)
}


@pytest.fixture(autouse=True)
def quick_people() -> Iterator[None]:
    """Lets the people of a test bet as soon as a button is there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(message, "THUMB_SECONDS", -inf)
        yield


@pytest.fixture
def paced_bot(request: pytest.FixtureRequest) -> Iterator[None]:
    """Lets the bot wait less long where nobody waits for it.

    Gives it more time to answer, except in a test marked `late`. Its games are not checked at each start:
    `tests/test_completeness.py` does so.
    """
    # A test may undo what it has patched itself, but not this.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(serving, "check_games", lambda: None)
        for kind, payload in TRANSLATED_ONCE.items():
            patch.setattr(kind, "get_translated_payload", payload)
        for seconds in LOOKS:
            patch.setattr(seconds, 3600.0)
        patch.setattr(gateway, "SPACING_SECONDS", 0.0)
        patch.setattr(panels, "QUIET_SECONDS", 0.3)
        # On a busy machine a round takes longer than that.
        patch.setattr(delivery, "LOOK_SECONDS", PATIENCE * 10)
        patch.setattr(person, "_DEFERRED_SECONDS", 5 * PATIENCE)
        if request.node.get_closest_marker("late") is None:
            for module, names in WAITS.items():
                for name in names:
                    patch.setattr(module, name, getattr(module, name) * PATIENCE / DISCORDS_PATIENCE)
        yield


@pytest.fixture
def dealt_in_turn() -> Iterator[None]:
    """Lets the number of a deal decide its hands, for a test of one table at a time that depends on them.

    To be asked for by `usefixtures`: hands are verified after the test.
    """
    numbers: dict[int, int] = {}

    def shuffled(pack: tuple[Piece, ...], below: RandomBelow) -> tuple[Piece, ...]:
        # Who shuffles again to verify a round gets what was dealt.
        number = numbers.setdefault(below(1 << 32), len(numbers))
        return tuple(Random(number).sample(pack, len(pack)))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bot.games.hands.shuffled", shuffled)
        yield


@asynccontextmanager
async def an_evening(
    database: Path, caplog: pytest.LogCaptureFixture, limits: Limits | None = None, server: str = SERVER
) -> AsyncIterator[Evening]:
    """An evening whose bot is connected; at its end, what holds after every test is checked."""
    async with StandIn(limits=limits or Limits(reply_seconds=PATIENCE)) as discord:
        evening = Evening(discord, database, server)
        await evening.start_bot()
        try:
            yield evening
            await evening.end(caplog.get_records("call"))
        finally:
            await evening.stop_bot()


@pytest.fixture
async def evening(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, paced_bot: None
) -> AsyncIterator[Evening]:
    async with an_evening(tmp_path / "gnau.db", caplog) as evening:
        yield evening
