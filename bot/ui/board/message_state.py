"""What a message shows as far as is known, and when an edit that costs may be made."""

import asyncio
from dataclasses import dataclass
from typing import Final

from bot.ui.components import Layout
from bot.wire.requests import Attachment, Content

BUDGET_SECONDS: Final = 15.0
"""The pause between edits that cost, within one stage."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """What a message is to show.

    Attributes:
        layout: its words and buttons.
        picture: its picture, if any.
        revision: the number of the change after which it was rendered.
        stage: what a spectator must not wait for, as it was then.
    """

    layout: Layout
    picture: Attachment | None
    revision: int
    stage: object

    def whole(self) -> Content:
        """All of it, with its picture, as in a new message."""
        return Content(self.layout, files=[self.picture] if self.picture else [])


class MessageState:
    """What a message shows now; nothing to begin with."""

    def __init__(self) -> None:
        self._revision = 0
        self._stage: object = None
        self._picture: str | None = None
        self._at = -BUDGET_SECONDS

    def set(self, rendered: Rendered) -> None:
        """Notes that the message shows this."""
        self._revision, self._stage = rendered.revision, rendered.stage
        self._picture = rendered.picture.name if rendered.picture else None
        self._at = asyncio.get_running_loop().time()

    def doubt(self) -> None:
        """Notes that it may show less than was thought."""
        self._revision, self._stage, self._picture = 0, None, None

    def doubt_picture(self) -> None:
        """Notes that its picture may be missing: the next edit sends it again."""
        self._picture = None

    def is_behind(self, revision: int) -> bool:
        """Whether it shows less than this revision."""
        return self._revision < revision

    def pause(self, stage: object) -> float:
        """Seconds until an edit that costs may be made; 0 for a new stage."""
        if stage != self._stage:
            return 0.0
        return max(0.0, self._at + BUDGET_SECONDS - asyncio.get_running_loop().time())

    def edits(self, rendered: Rendered) -> Content:
        """What an edit to this sends; a picture that is there already is not sent again."""
        if rendered.picture is not None and rendered.picture.name == self._picture:
            return Content(rendered.layout)
        return rendered.whole()
