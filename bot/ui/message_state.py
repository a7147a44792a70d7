"""What a message shows, as far as is known: how far it is behind, and when it may be edited at a cost."""

import asyncio
from dataclasses import dataclass
from typing import Any, Final

import discord

from bot.ui.hand_pictures import Drawing

BUDGET_SECONDS: Final = 15.0
"""The pause between edits that cost where no stage is new."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a message is to show.

    Attributes:
        view: its words and buttons.
        drawing: its picture; None where there is none.
        revision: the number of the change after which it was drawn.
        stage: what a spectator must not wait for, as it was then.
    """

    view: discord.ui.LayoutView
    drawing: Drawing | None
    revision: int
    stage: object

    def files(self) -> list[discord.File]:
        """The picture as an attachment of a new message, if there is one."""
        return [self.drawing.file()] if self.drawing else []


class Shown:
    """What the message shows now: nothing yet."""

    def __init__(self) -> None:
        self._revision = 0
        self._stage: object = None
        self._picture: str | None = None
        self._at = -BUDGET_SECONDS

    def show(self, drawn: Drawn) -> None:
        """Takes note that the message shows this."""
        self._revision, self._stage = drawn.revision, drawn.stage
        self._picture = drawn.drawing.name if drawn.drawing else None
        self._at = asyncio.get_running_loop().time()

    def doubt(self) -> None:
        """Takes note that it may show less than was thought."""
        self._revision, self._stage, self._picture = 0, None, None

    def doubt_picture(self) -> None:
        """Takes note that its picture may not be there: the next edit brings it along."""
        self._picture = None

    def is_behind(self, revision: int) -> bool:
        """Whether it shows less than what there is since that change."""
        return self._revision < revision

    def pause(self, stage: object) -> float:
        """Seconds until an edit that costs may be made; none where a spectator must not wait."""
        if stage != self._stage:
            return 0.0
        return max(0.0, self._at + BUDGET_SECONDS - asyncio.get_running_loop().time())

    def edits(self, drawn: Drawn) -> dict[str, Any]:
        """What an edit to this says: nothing of a picture that is there already."""
        if drawn.drawing is None:
            return {"view": drawn.view, "attachments": []}
        if drawn.drawing.name == self._picture:
            return {"view": drawn.view}
        return {"view": drawn.view, "attachments": drawn.files()}
