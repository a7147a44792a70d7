"""Registering commands, and typing them."""

import pytest

from bot.practice.interactions import CallbackKind
from bot.practice.payloads import interaction_json
from bot.practice.replies import NotPossibleError
from bot.practice.servers import Permission
from tests.practice.conftest import Scene
from tests.practice.raw import Json, command, option, said

pytestmark = pytest.mark.thorough

SEATS = option(type=4, name="seats", min_value=1, max_value=9)
UNITS = [{"name": name, "value": name.lower()} for name in ("Chips", "Points")]
COMMANDS = [
    command(name="table", contexts=[0], options=[option(type=1, name="open", options=[SEATS])]),
    command(name="tell", options=[option(name="words", required=True)]),
    command(
        name="pay",
        options=[
            option(choices=UNITS, required=True),
            option(type=4, name="amount", required=True, autocomplete=True),
        ],
    ),
    command(name="write_to", options=[option(type=6, name="who")]),
    command(name="secret", default_member_permissions=int(Permission.MANAGE_GUILD)),
]


def route(scene: Scene) -> str:
    return f"/applications/{scene.stand_in.world.application_id}"


@pytest.fixture(autouse=True)
async def registered(scene: Scene) -> list[Json]:
    status, kept = await scene.call("PUT", f"{route(scene)}/commands", COMMANDS)
    assert status == 200
    return list(kept)


@pytest.mark.parametrize(
    ("typed", "options", "reason"),
    [
        ("table shut", {}, "/table shut is not a command; /table has: .*open"),
        ("tables open", {}, "There is no command /tables. Is it /table?"),
        ("zzz", {}, "There is no command /zzz. Type / to see them all."),
        ("table open", {"chairs": 3}, "no option chairs"),
        ("table open", {"seats": 10}, "at most 9"),
        ("table open", {"seats": 0}, "at least 1"),
        ("table open", {"seats": "six"}, "a whole number"),
        ("tell", {}, "needs the option words"),
        ("tell", {"words": "x" * 6001}, "0 to 6000 characters"),
        ("pay", {"what": "Shells", "amount": 1}, "one of Chips, Points"),
        ("write_to", {"who": "Bob"}, "a person"),
        ("secret", {}, "may not use /secret"),
    ],
)
async def test_client_does_not_send_what_does_not_fit(
    scene: Scene, typed: str, options: dict[str, object], reason: str
) -> None:
    with pytest.raises(NotPossibleError, match=reason):
        await scene.alice.slash(scene.channel, typed, **options)
    assert not scene.stand_in.world.interactions


async def test_a_command_can_need_a_permission_or_a_server(scene: Scene) -> None:
    boss = scene.stand_in.add_person("Boss", [scene.server], manage_server=True)
    assert (
        await scene.answer(boss.slash(scene.channel, "secret"), CallbackKind.DEFERRED_MESSAGE)
    ).error is None
    offered = {each["name"] for each in scene.alice.commands(scene.alice.dm())}
    assert "tell" in offered
    assert "table open" not in offered
    with pytest.raises(NotPossibleError, match="Alice may not use /table in direct messages"):
        await scene.alice.slash(scene.alice.dm(), "table open")


async def test_commands_keep_their_ids_when_registered_again(scene: Scene, registered: list[Json]) -> None:
    _, again = await scene.call("PUT", f"{route(scene)}/commands", COMMANDS[1:])
    assert [each["id"] for each in again] == [each["id"] for each in registered[1:]]
    assert [*scene.stand_in.world.commands] == [int(each["id"]) for each in again]


async def test_one_server_can_have_commands_of_its_own(scene: Scene) -> None:
    elsewhere = scene.stand_in.add_server("Cambridge")
    away = scene.stand_in.add_channel(elsewhere, "general")
    guest = scene.stand_in.add_person("Guest", [scene.server, elsewhere])
    path = f"{route(scene)}/guilds/{scene.server.id}/commands"
    assert (await scene.call("PUT", path, [command(name="here")]))[0] == 200
    assert "here" in {each["name"] for each in guest.commands(scene.channel)}
    with pytest.raises(NotPossibleError, match="may not use"):
        await guest.slash(away, "here")
    stranger = path.replace(str(scene.server.id), "1")
    assert (await scene.call("PUT", stranger, []))[1]["code"] == 50001
    assert (await scene.call("PUT", "/applications/1/commands", []))[1]["code"] == 20012


async def test_locale_and_permissions_come_with_the_interaction(scene: Scene) -> None:
    scene.alice.user.locale = "de"
    world, limits = scene.stand_in.world, scene.stand_in.limits
    told = []
    for person, channel in ((scene.alice, scene.channel), (scene.bob, scene.bob.dm())):
        typing = person.slash(channel, "tell", words="hi")
        await scene.answer(typing, CallbackKind.MESSAGE, said("hi"))
        told.append(interaction_json(scene.last(), world, limits.attachment_bytes))
    in_server, in_dm = told
    assert (in_server["locale"], in_server["guild_locale"], in_server["context"]) == ("de", "en-US", 0)
    allowed = Permission(int(in_server["member"]["permissions"]))
    assert Permission.SEND_MESSAGES in allowed
    assert Permission.MANAGE_GUILD not in allowed
    assert Permission.EMBED_LINKS in Permission(int(in_server["app_permissions"]))
    assert in_server["attachment_size_limit"] == limits.attachment_bytes
    assert (in_dm["context"], in_dm["user"]["id"]) == (1, str(scene.bob.id))
    assert "guild" not in in_dm
