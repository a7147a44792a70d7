"""How the bot answers an interaction: with links to commands, and of each kind only the newest."""

from collections.abc import Sequence
from dataclasses import replace

import discord

from bot.rules.typed_text import text_length
from bot.ui.components import Component, Layout, row, text_view, without_buttons
from bot.ui.press.arrivals import Arrival, Kind, note_private_reply, with_links
from bot.ui.press.errors import UNKNOWN_MESSAGE, MemberError, is_code, nonce
from bot.wire import requests
from bot.wire.intake import pressed
from bot.wire.requests import LONGEST_TEXT, Attachment, Content, Interaction
from bot.words.translation import translate


async def reply(
    interaction: Interaction,
    text: str,
    buttons: Sequence[Component] = (),
    *,
    is_newest: bool | None = None,
    stays: bool = False,
    is_question: bool = False,
) -> None:
    """Tells this person alone a sentence, whether or not the interaction is answered already.

    After an earlier answer the sentence is a follow-up: the one kind of message that may arrive twice on a
    bad connection, which does no harm here.

    Args:
        buttons: what can be pressed below it.
        is_newest: as for `note_private_reply`.
        stays: whether it records what they did, so that no later sentence takes its place.
        is_question: whether it stays at the next press, until it is answered or another sentence comes.
    """
    layout = [*text_view(with_links(interaction, text)), *([row(*buttons)] if buttons else [])]
    content, kind = Content(layout), None if stays else Kind.SENTENCE
    if not await _answer_in_place(interaction, content, kind):
        response = await requests.respond(interaction, content)
        if kind is not None:
            note_private_reply(response, kind, is_newest=is_newest, is_question=is_question)


async def _answer_in_place(interaction: Interaction, content: Content, kind: Kind | None) -> bool:
    """Answers in the private message that was pressed, if that is the newest of this kind.

    Discord's client would say above a message of its own, in place of what that answers, that it was deleted.

    Returns:
        Whether it has.
    """
    arrivals = Arrival.of(interaction).shared
    if kind is None or not arrivals.replaces_pressed(interaction, kind):
        return False
    # A page without pictures keeps none of the page before.
    whole = content if content.files is not None else replace(content, files=())
    if not await replace_pressed(interaction, whole):
        return False
    arrivals.replaced_pressed(interaction, kind)
    return True


async def reply_below_pressed(interaction: Interaction, text: str, buttons: Sequence[Component] = ()) -> bool:
    """Answers in the pressed message, in place of its buttons; returns whether it has."""
    components = () if (message := pressed(interaction)) is None else message.components
    kept = without_buttons(components)
    if len(kept) == len(components):
        return False
    said = [*text_view(with_links(interaction, text)), *([row(*buttons)] if buttons else [])]
    if requests.layout_length(layout := [*kept, *said]) > LONGEST_TEXT:
        return False
    return await replace_pressed(interaction, Content(layout))


async def reply_publicly(interaction: Interaction, content: Content) -> None:
    """Answers with a message that everybody sees; on a bad connection too it is there once."""
    if not await requests.respond_publicly(interaction, content):
        await _reply_then_post(interaction, content)


async def reply_with_id(interaction: Interaction, content: Content) -> int | None:
    """Answers with a message that everybody sees; returns its id, or None where that is not known."""
    message_id = await requests.respond_with_id(interaction, content)
    return await _reply_then_post(interaction, content) if message_id is None else message_id


async def _reply_then_post(interaction: Interaction, content: Content) -> int | None:
    # The deferred answer is private, but not what follows it.
    await reply(interaction, translate("reply.done"))
    return await post_publicly(interaction, content)


async def post_publicly(interaction: Interaction, content: Content, key: object = None) -> int | None:
    """Shows everybody a message after a private answer; on a bad connection too it is there once.

    Args:
        key: what else has it there only once; without one, each interaction has its own.

    Returns:
        The message's id; None where that is not known.
    """
    assert interaction.channel_id is not None
    try:
        posted = await requests.post(
            interaction.client, interaction.channel_id, content, nonce("reply", key or interaction.id)
        )
    except discord.Forbidden:
        # Where the bot may write no message of its own, an answer is still allowed.
        await requests.follow_up(interaction, content, private=False)
        return None
    return posted.message_id


async def open_modal(interaction: Interaction, modal: Component) -> None:
    """Answers with a modal; none can be opened once the interaction was deferred."""
    if not await requests.send_modal(interaction, modal):
        raise MemberError("reply.too_late")


async def reply_layout(
    interaction: Interaction,
    layout: Layout,
    files: Sequence[Attachment] | None = None,
    kind: Kind | None = Kind.PAGE,
) -> None:
    """Answers this person alone, in place of the answer before of this kind; one without a kind stays."""
    content = Content(layout, files=files)
    if not await _answer_in_place(interaction, content, kind):
        response = await requests.respond(interaction, content)
        if kind is not None:
            note_private_reply(response, kind)


async def replace_pressed(interaction: Interaction, content: Content) -> bool:
    """Replaces what the pressed private message says; without files, it keeps those that it has.

    Another private answer may take its place before a slow one comes. Then there is nothing to replace.

    Returns:
        Whether it is replaced.
    """
    try:
        return await requests.update(interaction, content)
    except discord.NotFound as failed:
        if not is_code(failed, UNKNOWN_MESSAGE):
            raise
        return False


async def fill_reply(interaction: Interaction, layout: Layout) -> None:
    """Gives a deferred answer, or replaces an earlier one; sent twice, it is still there once."""
    await requests.fulfil(interaction, Content(layout))


def whole_lines(lines: Sequence[str], beside: str = "") -> str:
    """As many of these lines as fit into a message beside this text, and how many are left out."""
    kept: list[str] = []
    # The last line may say how many are left out.
    room = LONGEST_TEXT - 100 - text_length(beside)
    for number, line in enumerate(lines):
        room -= text_length(line) + 1
        if room < 0:
            return "\n".join([*kept, translate("reply.more_lines", count=len(lines) - number)])
        kept.append(line)
    return "\n".join(kept)


def lines_view(interaction: Interaction, lines: Sequence[str]) -> Layout:
    """A longer text with clickable commands: as many of these lines as fit into a message."""
    # Links are longer than the commands in whose place they stand.
    return text_view(whole_lines([with_links(interaction, line) for line in lines]))


async def reply_lines(interaction: Interaction, lines: Sequence[str]) -> None:
    """Shows this person alone a longer text, as `lines_view` does."""
    await reply_layout(interaction, lines_view(interaction, lines))
