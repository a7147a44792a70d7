"""Gateway events that can't be parsed are logged and skipped, and the game goes on."""

import logging

import pytest

from tests.e2e.evening import Evening

BROKEN: list[tuple[str, object]] = [
    ("INTERACTION_CREATE", {"id": "nonsense"}),
    ("INTERACTION_CREATE", {}),
    ("MESSAGE_CREATE", {"channel_id": None}),
    ("CHANNEL_UPDATE", {"id": "1", "guild_id": "x"}),
    ("GUILD_CREATE", []),
    ("MESSAGE_DELETE", "text"),
]
NO_OBJECTS = [[], {"id": "1", "type": []}, {"type": 3, "member": "text"}, {"type": 3, "user": {"id": []}}]
BROKEN += [("INTERACTION_CREATE", data) for data in NO_OBJECTS]


async def test_an_event_that_cannot_be_parsed_is_skipped(
    evening: Evening, caplog: pytest.LogCaptureFixture
) -> None:
    alice, mei = evening.persons("Alice", "Mei")
    board = await evening.open_table(mei)
    for name, data in BROKEN:
        evening.discord.gateway.send_raw(name, data)
    await evening.press(alice, board, "Join")
    assert evening.table().has(evening.party(alice))
    skipped = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    assert len(skipped) == len(BROKEN)
    assert all("that cannot be parsed" in one for one in skipped)
    assert "resumed" not in caplog.text
    # The evening fails on any error in the log, and these are expected.
    caplog.clear()
