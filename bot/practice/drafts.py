"""A message on its way in: reads the body that sends or edits one, and refuses what Discord would."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from bot.practice.components import Media, MessageComponents
from bot.practice.errors import empty_message
from bot.practice.forms import Form, Path
from bot.practice.messages import Attachment, Flag, Message
from bot.practice.places import Channel
from bot.practice.world import World

MOST_CONTENT: Final = 2000
MOST_ATTACHMENTS: Final = 10
MOST_EMBEDS: Final = 10
MOST_EMBED_TEXT: Final = 6000

_NOT_PLAYED: Final = ("poll", "sticker_ids", "shared_client_theme")
_LEGACY: Final = ("content", "embeds", "poll", "sticker_ids")
_MENTION_KINDS: Final = ("users", "roles")

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that came with a request."""

    filename: str
    data: bytes


class Draft:
    """A new message, or the changes to an old one, checked in full before anything happens.

    Attributes:
        flags: the flags the message will have.
        nonce: the sender's mark, with whether it must keep duplicates out.
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
        """Reads and checks.

        Args:
            world: where it goes.
            channel: the channel it goes to.
            body: the JSON of the request.
            uploads: the files that came along, by the number of their part.
            old: the message to be edited; None for a new one.
            settable: which flags the sender may set, beyond components V2.
            path: where the message stands in the whole body, for what is told of errors.

        Raises:
            DiscordError: 50035 for a bad form, 50006 where there is nothing to see.
        """
        self._world, self._channel, self._body, self._uploads = world, channel, body, uploads
        self._old, self._path, self._form = old, path, Form()
        self._stored: dict[int, Attachment] = {}
        self.flags = self._read_flags(settable)
        self.nonce: str | int | None = body.get("nonce")
        self.enforce_nonce = bool(body.get("enforce_nonce"))
        self.reply_to = self._read_reply()
        self._check_content()
        self._check_embeds()
        self._check_mentions()
        self._form.length((*path, "nonce"), str(body.get("nonce") or ""), 0, 25)
        self._attachments = self._read_attachments()
        self._components = self._read_components()
        self._form.check()
        self._check_something_is_there()

    @property
    def v2(self) -> bool:
        """Whether the message is made of components V2."""
        return Flag.COMPONENTS_V2 in self.flags

    def apply(self, message: Message) -> None:
        """Writes the draft into a message, and stores its files."""
        body = self._body
        if self._old is None or "content" in body:
            message.content = body.get("content") or ""
        if self._old is None or "embeds" in body:
            message.embeds = [{"type": "rich", **embed} for embed in body.get("embeds") or ()]
        if self.v2:
            message.content, message.embeds = "", []
        # Addresses come with the files, and these are stored only now that nothing can be refused any more.
        dropped = {file.id for file in message.attachments} - {file.id for file in self._attachments}
        for file_id in dropped:
            self._world.files.pop(file_id, None)
        for number, file in self._stored.items():
            self._world.keep_file(file.id, self._uploads[number].data)
        message.attachments = self._attachments
        if self._components is not None:
            message.components = self._components
        message.flags = self.flags
        message.reply_to = self.reply_to or message.reply_to

    def _read_flags(self, settable: Flag) -> Flag:
        given = self._body.get("flags")
        number = self._form.whole((*self._path, "flags"), given, 0, 2**31 - 1, 0)
        asked = Flag(number & int(settable | Flag.COMPONENTS_V2))
        if self._old is None:
            return asked
        had = self._old.flags
        if given is not None and Flag.COMPONENTS_V2 in had and Flag.COMPONENTS_V2 not in asked:
            self._form.wrong((*self._path, "flags"), "MESSAGE_CANNOT_REMOVE_COMPONENTS_V2_FLAG")
        # An edit sets suppression and components V2; the rest was settled when the message was sent.
        if given is None:
            return had
        return had & ~Flag.SUPPRESS_EMBEDS | asked & (Flag.SUPPRESS_EMBEDS | Flag.COMPONENTS_V2)

    def _read_reply(self) -> Message | None:
        reference = self._body.get("message_reference")
        if not reference:
            return None
        found = self._world.message_in(self._channel, int(reference.get("message_id") or 0))
        if found is None and reference.get("fail_if_not_exists", True):
            self._form.wrong((*self._path, "message_reference"), "MESSAGE_REFERENCE_UNKNOWN_MESSAGE")
        return found

    def _check_content(self) -> None:
        form, body = self._form, self._body
        form.text((*self._path, "content"), body.get("content"), 0, MOST_CONTENT, required=False)
        for key in _NOT_PLAYED:
            if body.get(key):
                form.wrong((*self._path, key), "NOT_PLAYED")
        if not self.v2:
            return
        for key in _LEGACY:
            if body.get(key):
                form.wrong((*self._path, key), "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2")
        if self._old is not None and Flag.COMPONENTS_V2 not in self._old.flags:
            # An old text must be taken away by the very edit that makes the message one of components.
            for key in ("content", "embeds"):
                if getattr(self._old, key) and key not in body:
                    form.wrong((*self._path, key), "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2")

    def _check_embeds(self) -> None:
        form, here = self._form, (*self._path, "embeds")
        total = 0
        for place, embed in enumerate(form.items(here, self._body.get("embeds"), 0, MOST_EMBEDS)):
            limits: list[tuple[Path, object, int]] = [
                (("title",), embed.get("title"), 256),
                (("description",), embed.get("description"), 4096),
                (("footer", "text"), (embed.get("footer") or {}).get("text"), 2048),
                (("author", "name"), (embed.get("author") or {}).get("name"), 256),
            ]
            for number, field in enumerate(form.items((*here, place, "fields"), embed.get("fields"), 0, 25)):
                limits.append((("fields", number, "name"), field.get("name"), 256))
                limits.append((("fields", number, "value"), field.get("value"), 1024))
            for path, text, most in limits:
                form.text((*here, place, *path), text, 0, most, required=False)
                total += len(str(text or ""))
        if total > MOST_EMBED_TEXT:
            form.wrong(here, "MAX_EMBED_SIZE_EXCEEDED", most=MOST_EMBED_TEXT)

    def _check_mentions(self) -> None:
        allowed = self._body.get("allowed_mentions") or {}
        for kind in _MENTION_KINDS:
            if kind in (allowed.get("parse") or ()) and allowed.get(kind):
                self._form.wrong(
                    (*self._path, "allowed_mentions"), "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE"
                )

    def _read_attachments(self) -> list[Attachment]:
        """The files the message will have: the old ones that are kept, then the new."""
        form, here, body = self._form, (*self._path, "attachments"), self._body
        old = {file.id: file for file in self._old.attachments} if self._old is not None else {}
        described = form.items(here, body.get("attachments"), 0, MOST_ATTACHMENTS)
        if body.get("attachments") is None:
            # Who edits without a word about attachments keeps them all.
            described = [{"id": number} for number in (*old, *self._uploads)]
        kept: list[Attachment] = []
        for place, raw in enumerate(described):
            form.text((*here, place, "description"), raw.get("description"), 0, 1024, required=False)
            number = int(raw.get("id", -1))
            if number in old:
                old[number].description = raw.get("description") or old[number].description
                kept.append(old[number])
            elif number in self._uploads:
                upload = self._uploads[number]
                file = self._world.describe_file(
                    self._channel, raw.get("filename") or upload.filename, upload.data, raw.get("description")
                )
                self._stored[number] = file
                kept.append(file)
            else:
                form.wrong((*here, place, "id"), "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND")
        form.length(here, kept, 0, MOST_ATTACHMENTS)
        return kept

    def _read_components(self) -> list[Json] | None:
        """The components the message will have; None where an edit leaves them alone."""
        if "components" not in self._body and self._old is not None:
            return None
        here = (*self._path, "components")
        raw = self._body.get("components") or []
        return MessageComponents(self._form, self._media(), here).check(raw, v2=self.v2)

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

    def _check_something_is_there(self) -> None:
        def left(key: str) -> Any:
            return self._body.get(key) if self._old is None or key in self._body else getattr(self._old, key)

        parts = [left("content"), left("embeds"), self._attachments]
        if self.v2:
            parts = [self._components if self._components is not None else left("components")]
        if not any(parts):
            raise empty_message()
