"""The custom_ids of *How to play* and of the lesson: they carry all that their pages need.

A page is `guide:<page>:<game>[:<table>]`. A lesson is
`learn:<action>:<server>:<game>:<plan>:<question>:<right>`, and an answer in it ends in
`:<the five pieces>:<choice>`.
"""

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from bot.games.lesson import LESSON, Three
from bot.games.register import GAMES
from bot.rules.knobs import GameName
from bot.rules.pieces import HAND_SIZE, OX_SIZE, Piece
from bot.ui.press.component_shape import Shape

NO_SERVER: Final = 0
"""The server of a lesson by direct message, which goes by the rules that houses start with."""
PLANS: Final = 100
"""How many orders of questions there are."""

_GUIDE: Final = re.compile(
    r"guide:(?P<page>[a-z_]+):(?P<game>[a-z-]{1,20})(?::(?P<table_id>[1-9]\d{0,18}))?", re.ASCII
)
_LESSON: Final = re.compile(
    r"learn:(?P<action>[a-z]+):(?P<server_id>\d{1,19}):(?P<game>[a-z0-9-]{1,20})"
    r":(?P<plan>\d{1,2}):(?P<question>\d):(?P<right>\d)"
    r"(?::(?P<hand>\d{1,3}(?:-\d{1,3}){4}):(?P<way>[tr])(?P<choice>\d{0,3}))?",
    re.ASCII,
)
_THREE, _RANK = "t", "r"


class GuidePage(StrEnum):
    """A page of *How to play*."""

    OVERVIEW = "overview"
    RANKING = "ranking"
    ODDS = "odds"
    BANKER = "banker"
    WORDS = "words"
    KNOBS = "knobs"


class GuideAction(StrEnum):
    """What a button of *How to play* does."""

    TURN = "turn_page"
    """Shows the page."""

    @property
    def shape(self) -> Shape:
        """What kind of component carries it."""
        return Shape.BUTTON


class LessonAction(StrEnum):
    """What a button of a lesson does."""

    NEXT = "next"
    """Asks the question; after the last one, shows the result."""
    ANSWER = "answer"
    """Answers the question."""

    @property
    def shape(self) -> Shape:
        """What kind of component carries it."""
        return Shape.BUTTON


@dataclass(frozen=True, slots=True)
class GuidePress:
    """A button that shows a page of *How to play*.

    Attributes:
        page: which page.
        game: the game.
        table_id: the table whose rules it shows while it is open; None for the game's rules on this server.
    """

    page: GuidePage
    game: GameName
    table_id: int | None = None

    @property
    def action(self) -> GuideAction:
        """What it does."""
        return GuideAction.TURN

    @property
    def custom_id(self) -> str:
        """The press as a component carries it."""
        begun = f"guide:{self.page}:{self.game}"
        return begun if self.table_id is None else f"{begun}:{self.table_id}"


@dataclass(frozen=True, slots=True)
class LessonPress:
    """A button of a lesson.

    Attributes:
        action: what it does.
        server_id: the server whose rules the lesson goes by; `NO_SERVER` for none.
        game: the game.
        plan: decides the order of the questions.
        question: which question, from 1.
        right: how many answers were right before.
        pieces: the hand; empty if it asks for one.
        three: the three pieces chosen, empty for none; None if a name was chosen.
        strength: the strength of the rank chosen; None if three were.
    """

    action: LessonAction
    server_id: int
    game: GameName
    plan: int
    question: int = 1
    right: int = 0
    pieces: tuple[Piece, ...] = ()
    three: Three | None = None
    strength: int | None = None

    @property
    def custom_id(self) -> str:
        """The press as a component carries it."""
        begun = f"learn:{self.action}:{self.server_id}:{self.game}:{self.plan}:{self.question}:{self.right}"
        if not self.pieces:
            return begun
        choice = _RANK + str(self.strength) if self.three is None else _THREE + "".join(map(str, self.three))
        return f"{begun}:{'-'.join(map(str, self.pieces))}:{choice}"


def guide_press(custom_id: str) -> GuidePress | None:
    """The page that a custom_id carries; None if this version knows no such."""
    match = _GUIDE.fullmatch(custom_id)
    if match is None or match["page"] not in set(GuidePage) or match["game"] not in GAMES:
        return None
    table_id = match["table_id"]
    return GuidePress(GuidePage(match["page"]), match["game"], None if table_id is None else int(table_id))


def lesson_press(custom_id: str) -> LessonPress | None:
    """The button of a lesson that a custom_id carries; None if this version knows no such."""
    match = _LESSON.fullmatch(custom_id)
    if match is None or match["action"] not in set(LessonAction) or match["game"] not in GAMES:
        return None
    action, game = LessonAction(match["action"]), match["game"]
    server_id, plan = int(match["server_id"]), int(match["plan"])
    question, right = int(match["question"]), int(match["right"])
    last = len(LESSON) + (action is LessonAction.NEXT)
    if not 1 <= question <= last or right >= question:
        return None
    press = LessonPress(action, server_id, game, plan, question, right)
    if action is LessonAction.NEXT:
        return press if match["hand"] is None else None
    if match["hand"] is None:
        return None
    pieces = tuple(Piece(int(number)) for number in match["hand"].split("-"))
    if not set(pieces) <= set(GAMES[game].pieces.pieces):
        return None
    if match["way"] == _RANK:
        return replace(press, pieces=pieces, strength=int(match["choice"])) if match["choice"] else None
    three = tuple(map(int, match["choice"]))
    if three and (len(set(three)) != OX_SIZE or len(three) != OX_SIZE or max(three) >= HAND_SIZE):
        return None
    return replace(press, pieces=pieces, three=three)
