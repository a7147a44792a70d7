"""What a board shows: its words, its picture and its buttons, made once for each state."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from bot.ledger.memory import Stacks
from bot.rules.house_rules import HouseRules
from bot.rules.typed_text import text_length
from bot.table.seats import THE_HOUSE
from bot.table.state import Phase, RoundResult, TableState
from bot.table.story import Highlight, Story
from bot.ui.board.buttons import board_rows
from bot.ui.board.celebration import goodbye_lines, headline, rival_line
from bot.ui.board.result_text import ResultText, receipt_line
from bot.ui.board.text import (
    BoardFacts,
    happenings,
    places_text,
    small_print,
    title,
    waits_for,
)
from bot.ui.components import LONGEST_TEXT, Layout, box, picture, text
from bot.ui.hand.pictures import render_arranged, render_showdown
from bot.ui.odds import bank_edge
from bot.ui.readers import Names
from bot.wire.requests import Attachment
from bot.words.translation import Reader, speaking_to, translate

ACCENTS: Final[Mapping[Phase, int]] = MappingProxyType(
    {
        Phase.OPEN: 0x80848E,
        Phase.BETTING: 0xF0B232,
        Phase.DEALT: 0x5865F2,
        Phase.CLOSED: 0x4E5058,
    }
)
"""The colour of a board that shows no result."""
PLAYERS_WON: Final = 0x56D6C8
"""The colour after a round that the bank lost: that of ▲ in pictures, and for every eye unlike the next."""
BANK_WON: Final = 0xFF8054
"""The colour after a round that the bank won: that of ▼ in pictures."""
CELEBRATION: Final = 0xF6BE3E
"""The colour after a round with something remarkable."""
BEST_HAND: Final = "best-hand.png"
"""The file name of the picture on the board of a closed table."""


UNTOLD: Final = Story()
"""A story without anything to celebrate."""


def accent(state: TableState, highlight: Highlight | None) -> int:
    """The colour of a board: who won the round that it shows, or what goes on."""
    if state.last is None or state.phase in (Phase.DEALT, Phase.CLOSED) or not state.last.bank_chips:
        return ACCENTS[state.phase]
    if highlight is not None:
        return CELEBRATION
    return BANK_WON if state.last.bank_chips > 0 else PLAYERS_WON


def picture_name(round_number: int) -> str:
    """The file name of a showdown's picture."""
    return f"round-{round_number}.png"


def shows_picture(state: TableState) -> int | None:
    """The number of the round whose picture the board shows; None if it shows none."""
    if state.last is None or state.phase not in (Phase.OPEN, Phase.BETTING):
        return None
    return state.last.round_number


def board_view(
    state: TableState,
    names: Names,
    facts: BoardFacts,
    picture_text: str | None,
    *,
    last: ResultText | None = None,
    menu_uses: int = 0,
    story: Story = UNTOLD,
) -> Layout:
    """The board of a table.

    Args:
        picture_text: the alternative text of the last showdown's picture, which the message has attached as
            `picture_name`; of a closed table, that of its best hand; None if there is no picture.
        last: the text of its last result; None to write it now.
        story: what it tells of its rounds; without a highlight, nothing is celebrated.
        menu_uses: how often the menu was used: another number resets it in Discord's client.
    """
    parts, heading = [], title(state)
    shown = None if state.last is None or state.phase is Phase.DEALT else state.last
    last = None if shown is None else last or ResultText(shown, names)
    receipt = [receipt_line(shown)] if shown is not None else []
    below = [
        rival_line(state, story, names),
        happenings(state, names),
        waits_for(state, names, facts),
        small_print(state, facts),
        *receipt,
    ]
    foot = "\n".join(filter(None, below))
    highlight = highlight_of(state, story)
    if state.phase is Phase.CLOSED:
        heading = "\n".join((heading, *goodbye_lines(state, story, names)))
    elif shown is not None and highlight is not None:
        heading = f"{heading}\n{headline(shown, highlight, names)}"
    said = text_length(heading)
    if shown is not None and picture_text is not None:
        file = BEST_HAND if state.phase is Phase.CLOSED else picture_name(shown.round_number)
        parts = [text(heading), picture(file, picture_text)]
        heading = ""
    room = LONGEST_TEXT - said - text_length(foot) - 1
    listed = _listed(state, names, facts, last, with_hands=True)
    if text_length(listed) > room:
        # The picture shows the hands.
        listed = _listed(state, names, facts, last, with_hands=False)
    parts += [text("\n".join(filter(None, (heading, listed)))), text(foot)]
    return [box(parts, accent(state, highlight)), *board_rows(state, facts, menu_uses)]


def highlight_of(state: TableState, story: Story) -> Highlight | None:
    """What was remarkable in the round whose result the board shows; None if nothing was."""
    shown = shows_picture(state)
    return story.highlight if shown is not None and story.round_number == shown else None


def _listed(
    state: TableState, names: Names, facts: BoardFacts, last: ResultText | None, *, with_hands: bool
) -> str:
    """The bank and the players, or of a closed table how its last round went."""
    if state.phase is not Phase.CLOSED:
        return places_text(state, names, facts, last, with_hands=with_hands)
    if last is None:
        return ""
    return "\n".join((f"-# {translate('board.last_round')}", *last.lines(with_hands=with_hands)))


EVERYBODY: Final = Reader()


class BoardContent:
    """What one board shows. Its result, in one language, and its edge are kept until there are others."""

    def __init__(self, stacks: Stacks, names: Names, unreachable: Collection[int]) -> None:
        self._stacks = stacks
        self._names = names
        self._unreachable = unreachable
        self._last: RoundResult | None = None
        self._reader = EVERYBODY
        self._last_text: ResultText | None = None
        self._picture: Attachment | None = None
        self._rules: HouseRules | None = None
        self._edge: Fraction | None = None

    async def made_of(
        self,
        state: TableState,
        reader: Reader = EVERYBODY,
        *,
        menu_uses: int = 0,
        story: Story = UNTOLD,
        next_banker: int | None = None,
    ) -> tuple[Layout, Attachment | None]:
        """The layout of the board, and the picture that goes with it, if any.

        Args:
            reader: everybody in the channel, never the member whose click updates the board.
            menu_uses: how often the board's menu was used.
            story: what the table tells of its rounds; without a highlight, nothing is celebrated.
            next_banker: who has asked for the bank; None if nobody has.
        """
        with speaking_to(reader):
            if state.last is not self._last or reader != self._reader:
                self._last, self._picture, self._reader = state.last, None, reader
                self.forget_names()
            picture = None
            if state.last is not None and shows_picture(state) is not None:
                picture = await self._showdown(state.last, highlight_of(state, story))
            elif state.phase is Phase.CLOSED and story.best is not None:
                picture = replace(await render_arranged(story.best.hand, state.rules), name=BEST_HAND)
            facts = replace(await self._facts(state), next_banker=next_banker)
            layout = board_view(
                state,
                self._names,
                facts,
                picture.description if picture else None,
                last=self._last_text,
                menu_uses=menu_uses,
                story=story,
            )
        return layout, picture

    def forget_names(self) -> None:
        """Writes the result again when it is shown next: a member whom it names is erased."""
        self._last_text = None if self._last is None else ResultText(self._last, self._names)

    async def _showdown(self, result: RoundResult, highlight: Highlight | None) -> Attachment:
        if self._picture is None:
            celebrated = None if highlight is None else highlight.party
            self._picture = await render_showdown(result, picture_name(result.round_number), celebrated)
        return self._picture

    async def _facts(self, state: TableState) -> BoardFacts:
        bank = [state.bank.party if state.bank else THE_HOUSE]
        if state.for_points:
            there = [*bank, *(seat.party for seat in state.seats)]
            found = await self._stacks.of_all(state.server_id, there)
            scores = {party: stack.score for party, stack in found.items()}
            return BoardFacts(unreachable=self._unreachable, scores=scores)
        found = await self._stacks.of_all(state.server_id, bank)
        wallets = {party: stack.wallet for party, stack in found.items() if stack.wallet is not None}
        if self._rules is not state.rules or self._edge is None:
            self._rules, self._edge = state.rules, await bank_edge(state.rules)
        return BoardFacts(wallets, self._unreachable, self._edge)
