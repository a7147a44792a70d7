"""A message is what discord.py would send for it."""

import json
from io import BytesIO
from typing import Any

import discord
import pytest
from discord.webhook.async_ import interaction_message_response_params

from bot.ui import components
from bot.ui.components import box, button, label_text, menu, option, picture, row, separator, text
from bot.ui.press.custom_ids import Press, PressAction
from bot.wire.requests import Attachment, Content, _parts

PRESS = Press(PressAction.BET, 5, 7, 20)
PICK = Press(PressAction.MORE, 5, 7)


def layout() -> components.Layout:
    """One of each component."""
    options = [option("One", "1", "The first", default=True), option("Two", "2")]
    return [
        box([text("Words"), separator(), picture("hand.png", "Five cards")], 0xF0B232),
        row(
            button(PRESS, "20", style=discord.ButtonStyle.primary, emoji="🪙"),
            button(PRESS, "Deal", disabled=True),
        ),
        row(menu(PICK, "Choose", options)),
        components.file("record.json"),
    ]


def by_discord_py() -> discord.ui.LayoutView:
    """The same, made of its objects."""
    view = discord.ui.LayoutView(timeout=None)
    frame: discord.ui.Container[Any] = discord.ui.Container(accent_colour=discord.Colour(0xF0B232))
    frame.add_item(discord.ui.TextDisplay("Words"))
    frame.add_item(discord.ui.Separator())
    frame.add_item(
        discord.ui.MediaGallery(discord.MediaGalleryItem("attachment://hand.png", description="Five cards"))
    )
    view.add_item(frame)
    view.add_item(
        discord.ui.ActionRow(
            discord.ui.Button(
                label="20", style=discord.ButtonStyle.primary, emoji="🪙", custom_id=PRESS.custom_id
            ),
            discord.ui.Button(label="Deal", disabled=True, custom_id=PRESS.custom_id),
        )
    )
    options = [
        discord.SelectOption(label="One", value="1", description="The first", default=True),
        discord.SelectOption(label="Two", value="2"),
    ]
    chooser: discord.ui.Select[Any] = discord.ui.Select(
        placeholder="Choose", options=options, custom_id=PICK.custom_id, min_values=1, max_values=1
    )
    view.add_item(discord.ui.ActionRow(chooser))
    view.add_item(discord.ui.File("attachment://record.json"))
    return view


def plain(data: Any) -> Any:
    """A payload without what means the same as nothing."""
    usual = {
        "spacing": 1,
        "divider": True,
        "spoiler": False,
        "required": True,
        "disabled": False,
        "tts": False,
    }
    if isinstance(data, dict):
        return {
            name: plain(value)
            for name, value in data.items()
            if value is not None
            and not (name in usual and value == usual[name])
            and (name, value) != ("id", None)
        }
    return [plain(one) for one in data] if isinstance(data, list) else data


FILES = [Attachment("hand.png", b"a picture", "Five cards")]


def files() -> list[discord.File]:
    """The same as discord.py has it."""
    return [discord.File(BytesIO(one.data), one.name, description=one.description) for one in FILES]


@pytest.mark.parametrize("private", [False, True])
def test_a_message_is_what_discord_py_would_send(private: bool) -> None:
    ours = Content(layout(), files=FILES).json(private=private)
    params = interaction_message_response_params(
        type=4,
        view=by_discord_py(),
        files=files(),
        flags=discord.MessageFlags(ephemeral=private),
        previous_allowed_mentions=discord.AllowedMentions.none(),
    )
    assert params.multipart is not None
    theirs = json.loads(params.multipart[0]["value"])["data"]
    assert plain(ours) == plain(theirs)


def test_files_go_beside_the_data_as_discord_py_sends_them() -> None:
    name, file = _parts({"a": 1}, FILES)
    theirs = interaction_message_response_params(type=4, files=files()).multipart
    assert theirs is not None
    assert json.loads(name["value"]) == {"a": 1}
    assert name["name"] == "payload_json"
    assert file == {**theirs[1], "value": b"a picture"}


def test_an_edit_keeps_the_files_unless_it_names_others() -> None:
    assert "attachments" not in Content([text("Words")]).json()
    assert Content([text("Words")], files=[]).json()["attachments"] == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<:egg:123456789012345678> 20 eggs", "20 eggs"),
        ("has bet <:egg:123456789012345678> 20 eggs", "has bet 20 eggs"),
        ("🥚 20 eggs", "🥚 20 eggs"),
        ("1 < 2", "1 < 2"),
    ],
)
def test_labels_are_without_the_emoji_of_servers(text: str, shown: str) -> None:
    assert label_text(text) == shown
