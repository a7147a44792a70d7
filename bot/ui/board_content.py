"""What a board shows at a moment: layout and picture, made of a table and of what the ledger knows."""

from collections.abc import Collection

import discord

from bot.client import GnauBot
from bot.table.state import TableState
from bot.ui.hand_pictures import Drawing, draw_showdown
from bot.ui.odds import bank_edge
from bot.ui.views.board import board_view, picture_name, shows_picture
from bot.ui.views.board_text import BoardFacts


async def board_content(
    bot: GnauBot, state: TableState, unreachable: Collection[int]
) -> tuple[discord.ui.LayoutView, Drawing | None]:
    """The layout of a table's board, and the picture that goes with it, if any.

    Args:
        bot: whose table it is.
        state: the table.
        unreachable: members who cannot be written to.

    Raises:
        LedgerUnavailable: where the ledger cannot be read.
    """
    drawing = None
    if state.last is not None and shows_picture(state) is not None:
        drawing = await draw_showdown(state.last, picture_name(state.last.round_number))
    ledger = bot.croupier.ledger
    bank = [state.bank.member.member_id] if state.bank else []
    if state.for_points:
        there = [*bank, *(seat.member.member_id for seat in state.seats)]
        facts = BoardFacts(unreachable=unreachable, scores=await ledger.scores(state.server_id, there))
    else:
        wallets = await ledger.wallets(state.server_id, bank)
        facts = BoardFacts(wallets, unreachable, await bank_edge(state.rules))
    return board_view(state, facts, drawing.text if drawing else None), drawing
