"""Direct messages: who sees them, and closed DMs."""

import pytest

from tests.practice.conftest import Scene
from tests.practice.trial_bot import TrialBot


async def test_only_two_users_see_a_direct_message(scene: Scene, bot: TrialBot) -> None:
    reply = await scene.alice.slash(scene.channel, "write_to", who=scene.bob)
    assert reply.message is not None
    assert reply.message.text == "written"
    assert [message.text for message in scene.bob.sees(scene.bob.dm())] == ["a word with you"]
    assert scene.alice.sees(scene.bob.dm()) == []
    assert scene.bob.dm() in scene.bob.channels()
    assert scene.bob.dm() not in scene.alice.channels()


async def test_closed_dms_are_50007_until_they_are_opened(scene: Scene, bot: TrialBot) -> None:
    scene.bob.dms_open = False
    reply = await scene.alice.slash(scene.channel, "write_to", who=scene.bob)
    assert reply.message is not None
    assert reply.message.text == "refused 50007"
    assert scene.bob.sees(scene.bob.dm()) == []
    scene.bob.dms_open = True
    reply = await scene.alice.slash(scene.channel, "write_to", who=scene.bob)
    assert reply.message is not None
    assert reply.message.text == "written"


async def test_direct_message_without_a_shared_server_is_50278(scene: Scene, bot: TrialBot) -> None:
    scene.stand_in.world.leave(scene.server, scene.bob.user)
    reply = await scene.alice.slash(scene.channel, "write_to", who=scene.bob)
    assert reply.message is not None
    assert reply.message.text == "refused 50278"


@pytest.mark.parametrize("form", [int, str])
async def test_dm_channel_is_opened_by_id_as_number_or_text(scene: Scene, form: type) -> None:
    status, dm = await scene.call("POST", "/users/@me/channels", {"recipient_id": form(scene.bob.id)})
    assert (status, dm["id"]) == (200, str(scene.bob.dm().id))
    assert (await scene.call("POST", "/users/@me/channels", {"recipient_id": "1"}))[1]["code"] == 50033
