"""Gateway events that can't be parsed are logged and skipped, and the game goes on."""

import logging

import pytest

from tests.e2e.evening import Evening
from tests.sizes import sample

BROKEN = [
    ("INTERACTION_CREATE", {"id": "nonsense"}),
    ("INTERACTION_CREATE", {}),
    ("MESSAGE_CREATE", {"channel_id": None}),
    ("CHANNEL_UPDATE", {"id": "1", "guild_id": "x"}),
    ("GUILD_CREATE", []),
    ("MESSAGE_DELETE", "text"),
]
NO_OBJECTS = [[], {"id": "1", "type": []}, {"type": 3, "member": "text"}, {"type": 3, "user": {"id": []}}]


@pytest.mark.parametrize(("name", "data"), sample(BROKEN, 2))
async def test_an_event_that_cannot_be_parsed_is_skipped(
    evening: Evening, caplog: pytest.LogCaptureFixture, name: str, data: object
) -> None:
    alice, mei = evening.persons("Alice", "Mei")
    board = await evening.open_table(mei)
    evening.discord.gateway.send_raw(name, data)
    await evening.press(alice, board, "Join")
    assert evening.table().has(evening.party(alice))
    skipped = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert [record.getMessage() for record in skipped] == [
        f"skipped an event {name} of Discord's that cannot be parsed"
    ]
    # The evening fails on any error in the log, and this one is expected.
    caplog.clear()


async def test_an_interaction_that_is_no_object_does_not_end_the_connection(
    evening: Evening, caplog: pytest.LogCaptureFixture
) -> None:
    mei = evening.person("Mei")
    for data in NO_OBJECTS:
        evening.discord.gateway.send_raw("INTERACTION_CREATE", data)
    await evening.open_table(mei)
    assert "resumed" not in caplog.text
    skipped = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert len(skipped) == len(NO_OBJECTS)
    caplog.clear()
