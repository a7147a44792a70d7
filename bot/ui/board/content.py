"""What a board shows at a moment: layout and picture, made of a table and what its members have."""

from collections.abc import Collection
from fractions import Fraction
from typing import Final

from bot.ledger.stacks import Stacks
from bot.rules.house_rules import HouseRules
from bot.table.seats import THE_HOUSE
from bot.table.state import RoundResult, TableState
from bot.ui.board.result_text import ResultText
from bot.ui.board.text import BoardFacts
from bot.ui.board.view import board_view, picture_name, shows_picture
from bot.ui.components import Layout
from bot.ui.hand.pictures import render_showdown
from bot.ui.names import Names
from bot.ui.odds import bank_edge
from bot.wire.requests import Attachment
from bot.words.translation import Reader, speaking_to

EVERYBODY: Final = Reader()


class BoardContent:
    """What one board shows. Its result, in one language, and its edge are kept until there are others.

    Args:
        stacks: what members have.
        names: how members are shown.
        unreachable: members whose direct messages are closed.
    """

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
        self, state: TableState, reader: Reader = EVERYBODY, *, menu_uses: int = 0
    ) -> tuple[Layout, Attachment | None]:
        """The layout of the board, and the picture that goes with it, if any.

        Args:
            state: the table.
            reader: everybody in the channel, never the member whose click updates the board.
            menu_uses: how often the board's menu was used.

        Raises:
            LedgerUnavailable: if the ledger cannot be read.
        """
        with speaking_to(reader):
            if state.last is not self._last or reader != self._reader:
                self._last, self._picture, self._reader = state.last, None, reader
                self.forget_names()
            picture = None
            if state.last is not None and shows_picture(state) is not None:
                picture = await self._showdown(state.last)
            facts = await self._facts(state)
            layout = board_view(
                state,
                self._names,
                facts,
                picture.description if picture else None,
                last=self._last_text,
                menu_uses=menu_uses,
            )
        return layout, picture

    def forget_names(self) -> None:
        """Writes the result again when it is shown next: a member whom it names is erased."""
        self._last_text = None if self._last is None else ResultText(self._last, self._names)

    async def _showdown(self, result: RoundResult) -> Attachment:
        if self._picture is None:
            self._picture = await render_showdown(result, picture_name(result.round_number))
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
