"""Pressing, picking, submitting, and the ways a bot can reply."""

from dataclasses import replace
from typing import Any

import pytest

from bot.practice.interactions import CallbackKind, InteractionKind
from bot.practice.messages import Message
from bot.practice.replies import Modal, NotPossibleError
from tests.practice.conftest import Scene
from tests.practice.raw import box, button, callback_of, label, modal, options, row, said, select, text, v2

pytestmark = pytest.mark.thorough

ANIMALS = [{"label": "Ox", "value": "ox"}, {"label": "Horse", "value": "horse"}]
BOARD = v2(
    box(text("Board")),
    row(button(), button(label="Greyed", custom_id="greyed", disabled=True)),
    row(select(placeholder="Pick an animal", options=ANIMALS)),
    row(select(custom_id="three", options=options(5), min_values=3, max_values=3)),
    row(select(custom_id="any", options=options(5), min_values=0, max_values=5)),
)


@pytest.fixture
async def board(scene: Scene) -> Message:
    return await scene.post(BOARD)


async def opened(scene: Scene, board: Message, *components: dict[str, Any]) -> Modal:
    reply = await scene.answer(scene.alice.click(board, "Press"), CallbackKind.MODAL, modal(*components))
    assert reply.kind == "modal"
    assert reply.modal is not None
    return reply.modal


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"amount": "12345"}, "0 to 4 characters"),
        ({"amount": ""}, "must be filled in"),
        ({"colour": "red"}, "no input colour"),
        ({"pick": ["0"]}, "takes 2 to 2 values"),
    ],
)
async def test_a_modal_takes_only_what_fits(
    scene: Scene, board: Message, given: dict[str, object], reason: str
) -> None:
    pair = select(options=options(5), min_values=2, max_values=2, required=False)
    form = await opened(scene, board, label({"value": "10", "max_length": 4}), label(pair, label="Pair"))
    with pytest.raises(NotPossibleError, match=reason):
        await scene.alice.submit(form, **given)


@pytest.mark.parametrize(
    ("menu", "picked", "reason"),
    [
        ("pick", ["Dog"], "there is no option"),
        ("pick", ["Ox", "Horse"], "1 to 1 values"),
        ("three", [], "takes 3 to 3 values"),
        ("three", ["0", "1"], "takes 3 to 3 values"),
        ("three", ["0", "1", "2", "3"], "takes 3 to 3 values"),
        ("three", ["0", "1", "1"], "takes 3 to 3 values"),
        ("four", [], "no select 'four'"),
    ],
)
async def test_a_menu_takes_only_what_fits(
    scene: Scene, board: Message, menu: str, picked: list[str], reason: str
) -> None:
    with pytest.raises(NotPossibleError, match=reason):
        await scene.alice.choose(board, menu, *picked)


async def test_a_menu_of_channels_in_a_modal_keeps_its_defaults_unless_cleared(
    scene: Scene, board: Message
) -> None:
    here = str(scene.channel.id)
    default = [{"id": here, "type": "channel"}]
    menu = {"type": 8, "channel_types": [0], "min_values": 0, "max_values": 3, "required": False}
    form = await opened(scene, board, label(select(**menu, default_values=default)))

    async def sent(form: Modal, **given: object) -> tuple[list[str], list[str]]:
        await scene.answer(scene.alice.submit(form, **given), CallbackKind.MESSAGE, said("done"))
        data = scene.last().data
        return data["components"][0]["component"]["values"], [*data.get("resolved", {}).get("channels", {})]

    other = scene.stand_in.add_channel(scene.server, "other")
    assert await sent(form) == ([here], [here])
    assert await sent(form, pick=[]) == ([], [])
    assert await sent(form, pick=[other, here]) == ([str(other.id), here], [str(other.id), here])
    for value in (scene.stand_in.add_thread(scene.channel, "side"), scene.bob, "1", "no id"):
        with pytest.raises(NotPossibleError, match="does not take"):
            await scene.alice.submit(form, pick=[value])
    # A default channel that is deleted meanwhile is not sent.
    scene.stand_in.world.delete_channel(scene.channel)
    assert await sent(replace(form, channel=other, message=None), pick=None) == ([], [])


async def test_only_visible_enabled_buttons_can_be_pressed(scene: Scene, board: Message) -> None:
    with pytest.raises(NotPossibleError, match="disabled"):
        await scene.alice.click(board, "Greyed")
    with pytest.raises(NotPossibleError, match="no button 'Fold'; there are"):
        await scene.alice.click(board, "Fold")
    with pytest.raises(NotPossibleError, match="does not see"):
        await scene.stand_in.add_person("Stranger").click(board, "Press")


async def test_no_reply_in_time_fails_for_the_person(scene: Scene, board: Message) -> None:
    scene.stand_in.limits.reply_seconds = 0.05
    reply = await scene.alice.click(board, "Press")
    assert (reply.kind, reply.error) == ("failed", "This interaction failed")
    assert (await scene.call("POST", callback_of(scene.last()), {"type": 6}))[1]["code"] == 10062


async def test_a_reply_is_possible_once_and_for_three_seconds(scene: Scene) -> None:
    world = scene.stand_in.world
    first, second = (
        world.open_interaction(InteractionKind.COMMAND, scene.alice.user, scene.channel, {}) for _ in range(2)
    )
    body = {"type": 4, "data": said("once")}
    assert (await scene.call("POST", callback_of(first), body))[0] == 204
    assert (await scene.call("POST", callback_of(first), body))[1]["code"] == 40060
    assert (await scene.call("POST", callback_of(replace(second, token="guessed")), body))[1]["code"] == 10062
    world.advance_clock(3.1)
    assert (await scene.call("POST", callback_of(second), body))[1]["code"] == 10062
    assert [message.text for message in scene.bob.sees(scene.channel)] == ["once"]


async def test_a_token_lives_for_15_minutes_and_reaches_only_its_own_messages(
    scene: Scene, board: Message
) -> None:
    world = scene.stand_in.world
    asked = world.open_interaction(InteractionKind.COMMAND, scene.alice.user, scene.channel, {})
    own, new = f"{scene.hook(asked)}/messages/@original", said("new")
    assert (await scene.call("PATCH", own, new))[1]["code"] == 10015, "there is no reply yet"
    await scene.call("POST", callback_of(asked), {"type": 4, "data": said("old")})
    assert (await scene.call("PATCH", f"{scene.hook(asked)}/messages/{board.id}", new))[1]["code"] == 10008
    world.advance_clock(14 * 60)
    assert (await scene.call("PATCH", own, new))[0] == 200
    world.advance_clock(61)
    status, answer = await scene.call("PATCH", own, said("too late"))
    assert (status, answer["code"]) == (401, 50027)
    assert asked.original is not None
    assert asked.original.text == "new"


async def test_an_old_click_on_a_deleted_message_still_reaches_the_bot(scene: Scene, board: Message) -> None:
    scene.stand_in.world.delete_message(board)
    # Such a press can only be acknowledged.
    reply = await scene.answer(scene.alice.press_raw(board, "press"), CallbackKind.DEFERRED_UPDATE)
    assert (reply.kind, scene.last().data["custom_id"]) == ("deferred_update", "press")
    with pytest.raises(AssertionError, match="10008"):
        await scene.answer(scene.alice.press_raw(board, "press"), CallbackKind.UPDATE, v2(text("new")))
