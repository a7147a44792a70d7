"""Checks a request body that sends or edits a message, and applies it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from bot.practice.errors import empty_message
from bot.practice.messages import Attachment, Flag, Message
from bot.practice.servers import Channel
from bot.practice.validation.components import Media, MessageComponents
from bot.practice.validation.validator import Path, Validator
from bot.practice.world import World

MOST_CONTENT: Final = 2000
MOST_ATTACHMENTS: Final = 10
MOST_EMBEDS: Final = 10
MOST_EMBED_TEXT: Final = 6000

_NOT_SUPPORTED: Final = ("poll", "sticker_ids", "shared_client_theme")
_LEGACY: Final = ("content", "embeds", "poll", "sticker_ids")
_MENTION_KINDS: Final = ("users", "roles")

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that was uploaded with a request."""

    filename: str
    data: bytes


class MessageDraft:
    """A new message, or the changes of an edit; checked completely before anything changes.

    Attributes:
        flags: the flags the message will have.
        nonce: the sender's mark against duplicates.
        enforce_nonce: whether a second message with the nonce is refused.
        reply_to: the message it refers to.
    """

    def __init__(
        self,
        world: World,
        channel: Channel,
        body: Json,
        uploads: dict[int, Upload],
        *,
        old: Message | None = None,
        settable: Flag = Flag.SUPPRESS_EMBEDS | Flag.SUPPRESS_NOTIFICATIONS,
        path: Path = (),
    ) -> None:
        """Reads and checks the body.

        Args:
            world: the state of the stand-in.
            channel: the channel of the message.
            body: the JSON of the request.
            uploads: the uploaded files, by part number.
            old: the message to edit; None for a new one.
            settable: which flags the sender may set, apart from components V2.
            path: the place of the message in the whole body, for error paths.

        Raises:
            DiscordError: 50035 for an invalid body, 50006 for an empty message.
        """
        self._world, self._channel, self._body, self._uploads = world, channel, body, uploads
        self._old, self._path, self._validator = old, path, Validator()
        self._stored: dict[int, Attachment] = {}
        self.flags = self._read_flags(settable)
        self.nonce: str | int | None = body.get("nonce")
        self.enforce_nonce = bool(body.get("enforce_nonce"))
        self.reply_to = self._read_reply()
        self._check_content()
        self._check_embeds()
        self._check_mentions()
        self._validator.length((*path, "nonce"), str(body.get("nonce") or ""), 0, 25)
        self._attachments = self._read_attachments()
        self._components = self._read_components()
        self._validator.raise_errors()
        self._check_not_empty()

    @property
    def v2(self) -> bool:
        """Whether the message uses components V2."""
        return Flag.COMPONENTS_V2 in self.flags

    def apply(self, message: Message) -> None:
        """Writes the draft into a message and stores its files."""
        body = self._body
        if self._old is None or "content" in body:
            message.content = body.get("content") or ""
        if self._old is None or "embeds" in body:
            message.embeds = [{"type": "rich", **embed} for embed in body.get("embeds") or ()]
        if self.v2:
            message.content, message.embeds = "", []
        # Files are stored only now: nothing can be refused any more.
        dropped = {file.id for file in message.attachments} - {file.id for file in self._attachments}
        for file_id in dropped:
            self._world.files.pop(file_id, None)
        for number, file in self._stored.items():
            self._world.store_file(file.id, self._uploads[number].data)
        message.attachments = self._attachments
        if self._components is not None:
            message.components = self._components
        message.flags = self.flags
        message.reply_to = self.reply_to or message.reply_to

    def _read_flags(self, settable: Flag) -> Flag:
        given = self._body.get("flags")
        number = self._validator.integer((*self._path, "flags"), given, 0, 2**31 - 1, 0)
        asked = Flag(number & int(settable | Flag.COMPONENTS_V2))
        if self._old is None:
            return asked
        had = self._old.flags
        if given is not None and Flag.COMPONENTS_V2 in had and Flag.COMPONENTS_V2 not in asked:
            self._validator.add_error((*self._path, "flags"), "MESSAGE_CANNOT_REMOVE_COMPONENTS_V2_FLAG")
        # An edit can change only suppression and components V2.
        if given is None:
            return had
        return had & ~Flag.SUPPRESS_EMBEDS | asked & (Flag.SUPPRESS_EMBEDS | Flag.COMPONENTS_V2)

    def _read_reply(self) -> Message | None:
        reference = self._body.get("message_reference")
        if not reference:
            return None
        found = self._world.message_in(self._channel, int(reference.get("message_id") or 0))
        if found is None and reference.get("fail_if_not_exists", True):
            self._validator.add_error((*self._path, "message_reference"), "MESSAGE_REFERENCE_UNKNOWN_MESSAGE")
        return found

    def _check_content(self) -> None:
        validator, body = self._validator, self._body
        validator.text((*self._path, "content"), body.get("content"), 0, MOST_CONTENT, required=False)
        for key in _NOT_SUPPORTED:
            if body.get(key):
                validator.add_error((*self._path, key), "NOT_SUPPORTED")
        if not self.v2:
            return
        for key in _LEGACY:
            if body.get(key):
                validator.add_error((*self._path, key), "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2")
        if self._old is not None and Flag.COMPONENTS_V2 not in self._old.flags:
            # An edit that adds components V2 must clear the old text.
            for key in ("content", "embeds"):
                if getattr(self._old, key) and key not in body:
                    validator.add_error(
                        (*self._path, key), "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
                    )

    def _check_embeds(self) -> None:
        validator, here = self._validator, (*self._path, "embeds")
        total = 0
        for place, embed in enumerate(validator.items(here, self._body.get("embeds"), 0, MOST_EMBEDS)):
            limits: list[tuple[Path, object, int]] = [
                (("title",), embed.get("title"), 256),
                (("description",), embed.get("description"), 4096),
                (("footer", "text"), (embed.get("footer") or {}).get("text"), 2048),
                (("author", "name"), (embed.get("author") or {}).get("name"), 256),
            ]
            for number, field in enumerate(
                validator.items((*here, place, "fields"), embed.get("fields"), 0, 25)
            ):
                limits.append((("fields", number, "name"), field.get("name"), 256))
                limits.append((("fields", number, "value"), field.get("value"), 1024))
            for path, text, most in limits:
                validator.text((*here, place, *path), text, 0, most, required=False)
                total += len(str(text or ""))
        if total > MOST_EMBED_TEXT:
            validator.add_error(here, "MAX_EMBED_SIZE_EXCEEDED", most=MOST_EMBED_TEXT)

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
        return MessageComponents(self._validator, self._media(), here).check(raw, v2=self.v2)

    def _media(self) -> Media:
        by_name = {f"attachment://{file.filename}": file for file in self._attachments}
        by_url = {file.url: file for file in self._attachments}
        new_id: Callable[[], int] = self._world.new_id

        def find(url: str) -> Json | None:
            file = by_name.get(url) or by_url.get(url)
            if file is None:
                if url.startswith("attachment://"):
                    return None
                return {"id": str(new_id()), "url": url, "proxy_url": url, "width": None, "height": None}
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

    def _check_not_empty(self) -> None:
        def left(key: str) -> Any:
            return self._body.get(key) if self._old is None or key in self._body else getattr(self._old, key)

        parts = [left("content"), left("embeds"), self._attachments]
        if self.v2:
            parts = [self._components if self._components is not None else left("components")]
        if not any(parts):
            raise empty_message()
