"""Checks a request body that sends or edits a message, and applies it."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from bot.practice.errors import EMPTY_MESSAGE, DiscordError, Path, Validator
from bot.practice.messages import NO_FLAGS, Attachment, Flag, Message
from bot.practice.servers import Channel
from bot.practice.validation.components import Media, MessageComponents
from bot.practice.world import World

MOST_ATTACHMENTS: Final = 10
LOADED_SECONDS: Final = 60.0

_SUPPORTED: Final = frozenset(
    {"allowed_mentions", "attachments", "components", "enforce_nonce", "flags", "nonce"}
)
"""Discord takes more; the bot sends no more, and no message without components V2."""
_MENTION_KINDS: Final = ("users", "roles")

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that was uploaded with a request."""

    filename: str
    data: bytes


class MessageDraft:
    """A new message, or the changes of an edit; checked completely before anything changes.

    `flags` are those that the message will have. `nonce` is the sender's mark against duplicates.
    """

    def __init__(
        self,
        world: World,
        channel: Channel,
        body: Json,
        uploads: dict[int, Upload],
        *,
        old: Message | None = None,
        may_be_private: bool = False,
        path: Path = (),
    ) -> None:
        """Reads and checks the body.

        Args:
            uploads: the uploaded files, by part number.
            old: the message to edit; None for a new one.
            path: the place of the message in the whole body, for error paths.

        Raises:
            DiscordError: 50035 for an invalid body, 50006 for an empty message.
        """
        self._world, self._channel, self._body, self._uploads = world, channel, body, uploads
        self._old, self._path, self._validator = old, path, Validator()
        self._stored: dict[int, Attachment] = {}
        self.flags = self._read_flags(Flag.EPHEMERAL if may_be_private else NO_FLAGS)
        self.nonce: str | int | None = body.get("nonce")
        self.enforce_nonce = bool(body.get("enforce_nonce"))
        self._check_keys()
        self._check_mentions()
        self._validator.length((*path, "nonce"), str(body.get("nonce") or ""), 0, 25)
        self._attachments = self._read_attachments()
        self._components = self._read_components()
        self._validator.raise_errors()
        if self._components == []:
            raise DiscordError(*EMPTY_MESSAGE)

    def apply(self, message: Message) -> None:
        """Writes the draft into a message and stores its files."""
        # Files are stored only now: nothing can be refused any more.
        for file_id in {file.id for file in message.attachments} - {file.id for file in self._attachments}:
            # A page may still be loading it.
            asyncio.get_running_loop().call_later(LOADED_SECONDS, self._world.files.pop, file_id, None)
        for number, file in self._stored.items():
            self._world.store_file(file.id, self._uploads[number].data)
        message.attachments = self._attachments
        if self._components is not None:
            message.components = self._components
        message.flags = self.flags

    def _read_flags(self, settable: Flag) -> Flag:
        given = self._body.get("flags")
        number = self._validator.integer((*self._path, "flags"), given, 0, 2**31 - 1, 0)
        asked = Flag(number & int(settable | Flag.COMPONENTS_V2))
        # An edit can change only components V2.
        flags = asked if self._old is None else self._old.flags | asked & Flag.COMPONENTS_V2
        if Flag.COMPONENTS_V2 not in flags:
            self._validator.add_error((*self._path, "flags"), "NOT_SUPPORTED")
        return flags

    def _check_keys(self) -> None:
        for key in self._body.keys() - _SUPPORTED:
            if self._body[key]:
                self._validator.add_error((*self._path, key), "NOT_SUPPORTED")

    def _check_mentions(self) -> None:
        allowed = self._body.get("allowed_mentions") or {}
        for kind in _MENTION_KINDS:
            if kind in (allowed.get("parse") or ()) and allowed.get(kind):
                self._validator.add_error(
                    (*self._path, "allowed_mentions"), "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE"
                )

    def _read_attachments(self) -> list[Attachment]:
        """The files the message will have: the old ones that stay, then the new ones."""
        validator, here, body = self._validator, (*self._path, "attachments"), self._body
        old = {file.id: file for file in self._old.attachments} if self._old is not None else {}
        described = validator.items(here, body.get("attachments"), 0, MOST_ATTACHMENTS)
        if body.get("attachments") is None:
            # An edit without `attachments` keeps them all.
            described = [{"id": number} for number in (*old, *self._uploads)]
        kept: list[Attachment] = []
        for place, raw in enumerate(described):
            validator.text((*here, place, "description"), raw.get("description"), 0, 1024, required=False)
            number = int(raw.get("id", -1))
            if number in old:
                old[number].description = raw.get("description") or old[number].description
                kept.append(old[number])
            elif number in self._uploads:
                upload = self._uploads[number]
                file = self._world.new_attachment(
                    self._channel, raw.get("filename") or upload.filename, upload.data, raw.get("description")
                )
                self._stored[number] = file
                kept.append(file)
            else:
                validator.add_error(
                    (*here, place, "id"), "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"
                )
        validator.length(here, kept, 0, MOST_ATTACHMENTS)
        return kept

    def _read_components(self) -> list[Json] | None:
        """The components the message will have; None if an edit does not change them."""
        if "components" not in self._body and self._old is not None:
            return None
        here = (*self._path, "components")
        raw = self._body.get("components") or []
        return MessageComponents(self._validator, self._media(), here).check(raw)

    def _media(self) -> Media:
        by_name = {f"attachment://{file.filename}": file for file in self._attachments}
        by_url = {file.url: file for file in self._attachments}
        new_id: Callable[[], int] = self._world.new_id

        def find(url: str) -> Json | None:
            file = by_name.get(url) or by_url.get(url)
            if file is None:
                return None
            return {
                "id": str(new_id()),
                "url": file.url,
                "proxy_url": file.url,
                "width": file.width,
                "height": file.height,
                "content_type": file.content_type,
                "attachment_id": str(file.id),
                "size": file.size,
            }

        return find
