"""What a board shows at a moment: layout and picture, made of a table and what the ledger knows."""

from collections.abc import Collection

import discord

from bot.ledger.queries import Queries
from bot.table.state import TableState
from bot.ui.hand_pictures import Picture, render_showdown
from bot.ui.odds import bank_edge
from bot.ui.views.board import board_view, picture_name, shows_picture
from bot.ui.views.board_text import BoardFacts
from bot.words import DEFAULT_LOCALE, speaking


async def board_content(
    ledger: Queries, state: TableState, unreachable: Collection[int], *, menu_uses: int = 0
) -> tuple[discord.ui.LayoutView, Picture | None]:
    """The layout of a table's board, and the picture that goes with it, if any.

    Args:
        ledger: knows chips and scores.
        state: the table.
        unreachable: members whose direct messages are closed.
        menu_uses: how often the board's menu was used.

    Raises:
        LedgerUnavailable: if the ledger cannot be read.
    """
    picture = None
    # A board is for everybody: it is not in the language of the member whose click updates it.
    with speaking(DEFAULT_LOCALE):
        if state.last is not None and shows_picture(state) is not None:
            picture = await render_showdown(state.last, picture_name(state.last.round_number))
        facts = await _facts(ledger, state, unreachable)
        return board_view(state, facts, picture.text if picture else None, menu_uses=menu_uses), picture


async def _facts(ledger: Queries, state: TableState, unreachable: Collection[int]) -> BoardFacts:
    bank = [state.bank.member.member_id] if state.bank else []
    if state.for_points:
        there = [*bank, *(seat.member.member_id for seat in state.seats)]
        return BoardFacts(unreachable=unreachable, scores=await ledger.scores(state.server_id, there))
    wallets = await ledger.wallets(state.server_id, bank)
    return BoardFacts(wallets, unreachable, await bank_edge(state.rules))
