"""Arranging a hand by oneself, and asking why a hand is what it is (B04)."""

from discord.ext import commands

from bot.client import GnauBot
from bot.rules.game import Hand
from bot.rules.knobs import HouseRules
from bot.rules.pieces import Piece
from bot.table.arranging import hand_of
from bot.table.commands import Arrange
from bot.table.refusals import Refusal, Refused
from bot.table.state import TableState
from bot.ui.hand_panels import own_views_of
from bot.ui.replies import Interaction, answering, reply, reply_text
from bot.ui.table_choice import table_or_raise
from bot.ui.views.arranging import chosen_places, strongest_three, why_no_ox
from bot.ui.views.presses import Press, PressAction
from bot.ui.views.result_text import hand_in, played_by
from bot.words import hand_name, hand_words, refusal, why_words

NO_HAND_HERE = "You have had no hand at this table lately; bet to be dealt one."
HAND_FORGOTTEN = "That hand is of an earlier round: your newest is behind **My hand**."


class Arranging(commands.Cog):
    """The menu of one's five pieces, and the buttons beside it."""

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot

    @commands.Cog.listener()
    async def on_table_choice(self, interaction: Interaction, press: Press, values: list[str]) -> None:
        """Declares the three that were chosen."""
        if press.action is not PressAction.ARRANGE or (three := chosen_places(values)) is None:
            return
        async with answering(interaction):
            await self._arrange(interaction, press, three)

    @commands.Cog.listener()
    async def on_table_press(self, interaction: Interaction, press: Press) -> None:
        """Arranges a hand the strongest way, or tells why one is what it is."""
        async with answering(interaction):
            match press.action:
                case PressAction.STRONGEST:
                    table = table_or_raise(self.bot.croupier, press.table_id)
                    pieces = table.pieces_of(interaction.user.id)
                    three = strongest_three(pieces, table.rules) if pieces else None
                    note = None if three or not pieces else _without_ox(pieces, table.rules)
                    await self._arrange(interaction, press, three, note)
                case PressAction.WHY:
                    await self._explain(interaction, press)

    async def _arrange(
        self, interaction: Interaction, press: Press, three: tuple[int, ...] | None, note: str | None = None
    ) -> None:
        """Has the table take the choice; a wrong one is answered with why, and leaves all as it was."""
        command = Arrange(interaction.user.id, three, press.meant_round)
        croupier = self.bot.croupier
        decided = await croupier.ask(press.table_id, command, interaction.user.id, str(interaction.id))
        if not isinstance(decided, Refused):
            await own_views_of(self.bot).show_own(interaction, decided, looks=False, note=note)
            return
        table = croupier.tables.get(press.table_id)
        pieces = table.pieces_of(interaction.user.id) if table is not None else ()
        if decided.code is Refusal.NOT_AN_OX and table is not None and pieces and three is not None:
            wrong = why_no_ox(pieces, three, table.rules)
            await own_views_of(self.bot).show_own(interaction, table, looks=False, note=wrong)
        else:
            await reply(interaction, refusal(decided))

    async def _explain(self, interaction: Interaction, press: Press) -> None:
        """Shows every way to arrange the member's newest hand."""
        table = table_or_raise(self.bot.croupier, press.table_id)
        hands = _newest_hands(table, interaction.user.id)
        if not hands:
            await reply(interaction, NO_HAND_HERE)
            return
        meant = next((hand for hand in hands if hand[0] == press.meant_round), None)
        if meant is None and press.meant_round not in (None, table.round_number):
            await reply(interaction, HAND_FORGOTTEN)
            return
        round_number, hand, rules = meant or hands[0]
        heading = f"### Round {round_number} · {hand_name(hand)} · {hand_words(hand)}"
        await reply_text(interaction, f"{heading}\n{why_words(hand.pieces, rules)}")


def _newest_hands(table: TableState, member_id: int) -> list[tuple[int, Hand, HouseRules]]:
    """The member's hand of this round and of the last, as far as he had them: round, hand, and its rules."""
    hands = []
    place, last = table.place_of(member_id), table.last
    if place is not None and place.pieces:
        hands.append((table.round_number, hand_of(place.pieces, place.declared_ox, table.rules), table.rules))
    if last is not None and (played := played_by(last, member_id)) is not None:
        hands.append((last.round_number, hand_in(last, played), last.rules))
    return hands


def _without_ox(pieces: tuple[Piece, ...], rules: HouseRules) -> str:
    """What is said of a hand whose strongest arrangement has no ox."""
    return f"✨ The strongest it can be: **{hand_name(hand_of(pieces, None, rules))}**."


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(Arranging(bot))
