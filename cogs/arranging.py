"""Arranging a hand, and asking why a hand is what it is (B04)."""

from bot.games.hands import hand_of
from bot.rules.house_rules import HouseRules
from bot.rules.pieces import Hand
from bot.table.commands import Arrange
from bot.table.refusals import Refusal
from bot.table.state import Phase, TableState, hand_in
from bot.ui.board.results import played_by
from bot.ui.bot import BotCog
from bot.ui.hand.buttons import (
    chosen_places,
    is_strongest,
    says_why,
    strongest_three,
    why_no_ox,
    why_not_backed,
)
from bot.ui.hand.own_hand import hopes
from bot.ui.hand.pressed_message import is_on_panel
from bot.ui.press.custom_ids import Press, PressAction
from bot.ui.press.errors import MemberError, RefusedError
from bot.ui.press.replies import reply_lines
from bot.ui.press.router import handles
from bot.wire.requests import Interaction
from bot.words.hands import explanation, hand_name, hand_words, way_words
from bot.words.tables import refusal
from bot.words.translation import translate


class Arranging(BotCog):
    """The menu of one's five pieces, and the buttons beside it."""

    @handles(PressAction.ARRANGE)
    async def arrange(self, interaction: Interaction, press: Press) -> None:
        """Arranges the hand by the three that were picked."""
        three = chosen_places(press.values)
        if three is None:
            raise MemberError("reply.outdated_component")
        await self._arrange(interaction, press, three)

    @handles(PressAction.STRONGEST)
    async def arrange_strongest(self, interaction: Interaction, press: Press) -> None:
        """Arranges the hand the strongest way."""
        table = self.bot.croupier.tables[press.table_id]
        pieces = table.pieces_of(press.presser)
        await self._arrange(interaction, press, strongest_three(pieces, table.rules) if pieces else None)

    @handles(PressAction.SEE_LAST)
    async def see_last(self, interaction: Interaction, press: Press) -> None:
        """Shows the last piece of the member's hand, and says so if it is the best that it could be."""
        table = self.bot.croupier.tables[press.table_id]
        place, note = table.place_of(press.presser), None
        if self.bot.panels.see_last(table, press.presser) and place is not None:
            hoped, piece = hopes(table, place), place.pieces[-1]
            if hoped is not None and any(piece in hope.pieces for hope in hoped.hopes[:1]):
                note = translate("panel.hoped", piece=table.game.pieces.shown(piece))
        await self.bot.panels.show(interaction, table, note=note)

    @handles(PressAction.SQUEEZE, PressAction.DONT_SQUEEZE)
    async def squeeze(self, interaction: Interaction, press: Press) -> None:
        """From the next hand on, the member sees the last piece by a press of their own, or not any more.

        It begins with the hand that they hold if they have not seen it.
        """
        table, squeezes = self.bot.croupier.tables[press.table_id], press.action is PressAction.SQUEEZE
        if self.bot.panels.has_shown_hand(interaction, table, press.presser):
            self.bot.panels.see_last(table, press.presser)
        await self.bot.croupier.identities.set_squeezes(press.presser, squeezes=squeezes)
        note = translate("panel.squeezes" if squeezes else "panel.squeezes_no_more")
        await self.bot.panels.show(interaction, table, note=note)

    @handles(PressAction.WHY)
    async def explain(self, interaction: Interaction, press: Press) -> None:
        """Shows why the member's newest hand is what it is, and after the round the banker's.

        It stands on the panel that was pressed, until the next press there.
        """
        table = self.bot.croupier.tables[press.table_id]
        hands = _newest_hands(table, press.presser)
        if not hands:
            raise MemberError("reply.no_hand_here")
        meant = next((hand for hand in hands if hand[0] == press.meant_round), None)
        if meant is None and press.meant_round not in (None, table.round_number):
            raise MemberError("reply.old_hand")
        round_number, hand, rules = meant or hands[0]
        is_panel = interaction.guild_id is not None and is_on_panel(interaction)
        is_held = table.phase is Phase.DEALT and round_number == table.round_number
        summed = is_panel and is_held and says_why(hand, rules)
        lines = explanation(hand, rules, named=True, summed=summed)
        last = table.last
        if last is not None and last.round_number == round_number and last.banker != press.presser:
            banker = self.bot.names.mention(last.banker, begins_line=True)
            lines.append(f"👑 {banker} · {way_words(hand_in(last, last), rules)}")
        if is_panel:
            # Below the panel, another message would push it off a phone.
            await self.bot.panels.show(interaction, table, note="\n".join(lines))
            return
        title = translate("panel.why_title", round=round_number)
        await reply_lines(interaction, [f"### {title} · {hand_name(hand)} · {hand_words(hand)}", *lines])

    async def _arrange(self, interaction: Interaction, press: Press, three: tuple[int, ...] | None) -> None:
        """Asks the table; a wrong choice is answered with why, and changes nothing."""
        note, offers_why = None, False
        command = Arrange(press.presser, three, press.meant_round)
        try:
            table = await self.bot.ask(interaction, press.table_id, command)
        except RefusedError as error:
            table = self.bot.croupier.tables[press.table_id]
            pieces = table.pieces_of(press.presser)
            match error.refused.code:
                case Refusal.NOT_AN_OX if pieces and three is not None:
                    note = why_no_ox(pieces, three, table.rules)
                case Refusal.BACKED_HAND if pieces and three is not None:
                    note = why_not_backed(pieces, three, table.rules, refusal(error.refused))
                case _:
                    raise
        else:
            pieces = table.pieces_of(press.presser)
            if press.action is PressAction.ARRANGE and pieces and three is not None:
                is_best = is_strongest(pieces, three, table.rules)
                note = translate("panel.found_strongest") if is_best else None
            elif pieces and three is None:
                # There is no three to show: a note says what the hand is.
                hand = hand_name(hand_of(pieces, None, table.rules))
                note, offers_why = translate("panel.strongest_without_ox", hand=hand), True
        await self.bot.panels.show(interaction, table, note=note, offers_why=offers_why)


def _newest_hands(table: TableState, party: int) -> list[tuple[int, Hand, HouseRules]]:
    """The member's hands of this round and the last, if they had them, with round and rules."""
    hands = list[tuple[int, Hand, HouseRules]]()
    place, last = table.place_of(party), table.last
    if place is not None and place.pieces:
        hand = hand_of(place.pieces, place.declared_ox, table.rules)
        hands.append((table.round_number, hand, table.rules))
    if last is not None and (played := played_by(last, party)) is not None:
        hands.append((last.round_number, hand_in(last, played), last.rules))
    return hands
