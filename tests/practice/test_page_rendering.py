"""Messages, components and modals as trees of elements, without a browser."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.practice import page
from bot.practice.limits import Limits
from bot.practice.messages import Attachment, Flag, InteractionMetadata, Message
from bot.practice.page.components import ComponentRenderer, render_modal
from bot.practice.page.message import render_message, summary
from bot.practice.page.safe_html import WIDGETS, Node, el, external_link
from bot.practice.page.viewer import ComponentState, ReadMarkers, Viewer
from bot.practice.person import Person
from bot.practice.replies import Modal
from bot.practice.servers import Channel, Permission, Server, User
from bot.practice.world import World

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
NASTY = '"><script>alert(1)</script>'


class Scene:
    """A server with a channel, the bot, Alice who looks at the page, and Bob who writes."""

    def __init__(self) -> None:
        self.world = World()
        self.server: Server = self.world.add_server("Practice")
        self.channel: Channel = self.world.add_channel(self.server, "gnau-table")
        self.alice, self.bob = (self.world.add_user(name) for name in ("Alice", "Bob"))
        for user in (self.alice, self.bob):
            self.world.join(self.server, user)
        self.person = Person(self.world, self.alice, Limits(), lambda _: None)
        self.viewer = Viewer(self.person, self.channel)

    def says(self, author: User, content: str = "", **more: Any) -> Message:
        more.setdefault("created", NOON)
        channel = more.pop("channel", self.channel)
        return self.world.post(Message(self.world.new_id(), channel, author, content=content, **more))

    def draws(
        self, message: Message, waiting: ComponentState | None = None, before: Message | None = None
    ) -> Node:
        return render_message(message, self.viewer, waiting or ComponentState(), before)

    def component(self, raw: dict[str, Any], waiting: ComponentState | None = None) -> Node:
        (node,) = ComponentRenderer(self.viewer, waiting or ComponentState()).render_all([raw])
        return node


@pytest.fixture
def scene() -> Scene:
    return Scene()


def elements(node: Node) -> Iterator[Node]:
    """An element and everything inside it."""
    yield node
    for child in node.children:
        if isinstance(child, Node):
            yield from elements(child)


def finds(node: Node, tag: str | None = None, **attrs: Any) -> list[Node]:
    """All elements like this; attributes as for `el`."""
    wanted = {name.rstrip("_"): value for name, value in attrs.items()}
    return [
        it
        for it in elements(node)
        if tag in (None, it.tag) and all(it.attrs.get(name) == value for name, value in wanted.items())
    ]


def found(node: Node, tag: str | None = None, **attrs: Any) -> Node:
    every = finds(node, tag, **attrs)
    assert every, f"no {tag or ''} {attrs} in {node}"
    return every[0]


def test_only_harmless_elements_are_allowed() -> None:
    for tag in ("script", "iframe", "img", "object", "svg", "style", "link"):
        with pytest.raises(ValueError, match="is not allowed here"):
            el(tag)
    for name in ("onclick", "innerHTML", "srcdoc", "formaction"):
        with pytest.raises(ValueError, match="takes no"):
            Node("div", {name: "x"})
    for address in ("javascript:alert(1)", "data:text/html,x", " https://example.org"):
        with pytest.raises(ValueError, match="not an address"):
            el("a", href=address)
        assert external_link(address, "text").tag == "span"


def test_the_browser_implements_every_widget() -> None:
    script = (Path(page.__file__).parent / "assets" / "widgets.js").read_text(encoding="utf-8")
    exported = script.split("const widgets = {")[1].split("}")[0]
    assert {entry.split(":")[0].strip() for entry in exported.split(",") if entry.strip()} == WIDGETS


def test_texts_and_names_never_become_markup(scene: Scene) -> None:
    scene.bob.display_name = NASTY
    node = scene.draws(scene.says(scene.bob, NASTY))
    assert node.text.count(NASTY) == 2
    assert {it.tag for it in elements(node)} <= {"li", "span", "h3", "div", "timestamp"}


def test_a_message_shows_author_time_and_that_it_was_edited(scene: Scene) -> None:
    member = scene.server.member(scene.bob)
    assert member is not None
    member.nick = "Bobby"
    message = scene.says(scene.bob, "hello")
    node = scene.draws(message)
    assert found(node, class_="name").text == "Bobby"
    assert found(node, "timestamp").attrs == {"at": NOON.timestamp(), "format": "message"}
    assert not finds(node, class_="tag")
    assert not finds(node, class_="edited")
    message.edited = NOON
    assert found(scene.draws(message), class_="edited").text == "(edited)"
    assert found(scene.draws(scene.says(scene.world.bot, "hello")), class_="tag").text == "APP"


def test_messages_of_one_author_are_grouped_for_a_while(scene: Scene) -> None:
    first = scene.says(scene.bob, "one")
    soon = scene.says(scene.bob, "two", created=NOON + timedelta(minutes=6))
    late = scene.says(scene.bob, "three", created=NOON + timedelta(minutes=14))
    others = scene.says(scene.alice, "four", created=late.created)
    assert not finds(scene.draws(soon, before=first), class_="name")
    assert finds(scene.draws(late, before=soon), class_="name")
    assert finds(scene.draws(others, before=late), class_="name")


def test_a_reply_shows_what_it_replies_to(scene: Scene) -> None:
    board = scene.says(scene.world.bot, "The **board**")
    typed = scene.says(
        scene.world.bot, "ok", interaction=InteractionMetadata(1, 2, scene.bob, command="table open")
    )
    pressed = scene.says(
        scene.world.bot,
        "ok",
        interaction=InteractionMetadata(2, 3, scene.alice, interacted_message_id=board.id),
    )
    assert found(scene.draws(typed), class_="origin").text == "BBob used /table open"
    assert found(scene.draws(pressed), class_="about").text == "The board"
    scene.world.delete_message(board)
    assert found(scene.draws(pressed), class_="about").text == "Original message was deleted"


def test_an_ephemeral_message_can_be_dismissed(scene: Scene) -> None:
    node = scene.draws(scene.says(scene.world.bot, "psst", ephemeral_for=scene.alice))
    footer = found(node, "footer")
    assert footer.text == "Only you can see this • Dismiss message"
    assert found(footer, "button").on == {"click": {"do": "dismiss"}}
    assert not finds(scene.draws(scene.says(scene.bob, "hi")), "footer")


def test_only_mentions_by_other_humans_highlight_a_message(scene: Scene) -> None:
    calling = scene.says(scene.bob, f"look {scene.alice.mention}")
    own = scene.says(scene.alice, f"me: {scene.alice.mention}")
    board = scene.says(scene.world.bot, f"1 {scene.alice.mention}")
    assert "mentioned" in scene.draws(calling).attrs["class"]
    assert "mentioned" not in scene.draws(board).attrs["class"]
    assert "mentioned" not in scene.draws(own).attrs["class"]


def test_a_deferred_reply_shows_that_the_bot_is_thinking(scene: Scene) -> None:
    message = scene.says(scene.world.bot, flags=Flag.LOADING)
    assert found(scene.draws(message), class_="thinking").text == "gnau is thinking…"
    message.flags = Flag(0)
    assert not finds(scene.draws(message), class_="thinking")


def test_attachments_next_to_the_text(scene: Scene) -> None:
    url = "http://127.0.0.1:1/files/1/2"
    files = [
        Attachment(1, "ox.png", "image/png", 10, f"{url}/ox.png", "An ox"),
        Attachment(2, "rounds.csv", "text/csv", 10, f"{url}/rounds.csv"),
    ]
    node = scene.draws(scene.says(scene.world.bot, "look", attachments=files))
    assert found(node, "picture").attrs["alt"] == "An ox"
    assert found(node, "a").text == "rounds.csv"
    in_components = scene.says(scene.world.bot, attachments=files, flags=Flag.COMPONENTS_V2)
    assert not finds(scene.draws(in_components), "picture")


def test_a_summary_is_one_short_line(scene: Scene) -> None:
    message = scene.says(scene.bob, f"# Title\n**bold** {scene.alice.mention} " + "and so on " * 40)
    assert summary(message, scene.viewer).startswith("Title bold @Alice and so on")
    assert len(summary(message, scene.viewer)) == 120


BUTTON = {"type": 2, "style": 3, "label": "Bet 50", "custom_id": "gnau:1:2:bet:50"}


def test_a_button_has_its_style_and_action_and_shows_that_it_waits(scene: Scene) -> None:
    node = scene.component(BUTTON | {"emoji": {"name": "🪙"}})
    assert (node.tag, node.attrs["class"], node.text) == ("button", "button success", "🪙Bet 50")
    assert node.on == {"click": {"do": "press", "id": "gnau:1:2:bet:50"}}
    assert "disabled" not in node.attrs
    assert scene.component(BUTTON | {"disabled": True}).attrs["disabled"]
    busy = scene.component(BUTTON, ComponentState(frozenset({"gnau:1:2:bet:50"})))
    assert busy.attrs["aria-busy"] == "true"
    assert finds(busy, class_="dots")
    assert not finds(scene.component(BUTTON, ComponentState(frozenset({"other"}))), class_="dots")


def test_a_container_has_its_colour_and_a_file_is_a_link(scene: Scene) -> None:
    text = {"type": 10, "content": "**hello**"}
    plain = scene.component({"type": 17, "components": [text]})
    accented = scene.component({"type": 17, "components": [text], "accent_color": 0x00AAFF})
    assert "style" not in plain.attrs
    assert accented.attrs["style"] == "--accent: #00aaff"
    assert found(accented, "strong").text == "hello"
    file = {"type": 13, "name": "rounds.csv", "file": {"url": "http://127.0.0.1:1/files/rounds.csv?x=1"}}
    node = scene.component(file)
    assert (node.tag, node.text) == ("a", "rounds.csv")


def test_components_keep_their_keys_when_one_is_inserted(scene: Scene) -> None:
    text, row = {"type": 10, "content": "a"}, {"type": 1, "components": [BUTTON]}
    renderer = ComponentRenderer(scene.viewer, ComponentState())
    before = [node.key for node in renderer.render_all([text, row])]
    after = [node.key for node in renderer.render_all([text, {"type": 14}, text, row])]
    assert before == ["10-1", "1-1"]
    assert after == ["10-1", "14-1", "10-2", "1-1"]


def test_a_menu_offers_its_options_or_the_channels_that_the_person_sees(scene: Scene) -> None:
    option = {"label": "Leave", "value": "leave", "description": "Now", "default": True}
    node = scene.component({"type": 3, "custom_id": "more", "options": [option], "placeholder": "More…"})
    assert node.attrs["options"] == [
        {"label": "Leave", "value": "leave", "description": "Now", "chosen": True}
    ]
    assert (node.attrs["placeholder"], node.attrs["min"], node.attrs["max"]) == ("More…", 1, 1)
    assert node.on == {"pick": {"do": "choose", "id": "more"}}
    scene.world.add_channel(scene.server, "secret").denied[scene.alice.id] = Permission.VIEW_CHANNEL
    node = scene.component({"type": 8, "custom_id": "where", "channel_types": [0]})
    assert [option["label"] for option in node.attrs["options"]] == ["#gnau-table"]


def test_a_modal_has_labels_hints_and_limits_and_an_optional_menu_may_stay_empty(scene: Scene) -> None:
    amount = {"type": 4, "custom_id": "amount", "style": 1, "max_length": 3, "value": "5"}
    side = {"type": 3, "custom_id": "side", "options": [], "required": False}
    components: list[dict[str, Any]] = [
        {"type": 10, "content": "-# by the rules"},
        {"type": 18, "label": "Chips", "description": "1 to 100", "component": amount},
        {"type": 18, "label": "Side", "component": side},
    ]
    trigger = InteractionMetadata(1, 3, scene.alice)
    node = render_modal(Modal("How much?", "bet", components, scene.channel, None, trigger), scene.viewer)
    field, menu = found(node, "input"), found(node, "picker")
    assert found(node, "label").text == "Chips *"
    assert found(node, "label").attrs["for"] == field.attrs["id"]
    assert found(node, "p", id=field.attrs["aria-describedby"]).text == "1 to 100"
    assert (field.attrs["name"], field.attrs["maxlength"], field.attrs["value"]) == ("amount", 3, "5")
    assert field.attrs["required"]
    assert (menu.attrs["min"], menu.attrs["name"]) == (0, "side")
    assert found(node, "small").text == "by the rules"


def test_unread_counts_messages_of_others_and_mentions(scene: Scene) -> None:
    reading, dm = ReadMarkers(), scene.world.dm_with(scene.alice)
    scene.says(scene.bob, "before")
    reading.mark_read(scene.person, scene.channel)
    scene.says(scene.bob, "after")
    scene.says(scene.alice, "mine")
    scene.says(scene.bob, f"you, {scene.alice.mention}")
    scene.says(scene.world.bot, "your cards", channel=dm)
    seen = reading.unread(scene.person, scene.channel)
    assert (seen.messages, seen.badge) == (2, 1)
    assert (reading.unread(scene.person, dm).messages, reading.unread(scene.person, dm).badge) == (1, 1)
    reading.mark_read(scene.person, scene.channel)
    assert reading.unread(scene.person, scene.channel).messages == 0
