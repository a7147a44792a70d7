"""Looking at a hand bit by bit, finding its ox or arranging it, and asking why it is what it is (B04)."""

from bot.games.hands import hand_of
from bot.games.lesson import Three, Verdict, verdict
from bot.rules.house_rules import HouseRules
from bot.rules.knobs import Arrange as ArrangedBy
from bot.rules.pieces import Hand
from bot.table.commands import Arrange
from bot.table.dealing import hidden_hand
from bot.table.preconditions import Action
from bot.table.refusals import Refusal, Refused
from bot.table.state import Bank, Phase, Seat, TableState, hand_in
from bot.ui.board.results import played_by
from bot.ui.bot import BotCog
from bot.ui.hand.arranging import answer_words, says_why, strongest_three, why_not_backed
from bot.ui.hand.own_hand import Unseen, hopes, may_arrange
from bot.ui.hand.pressed_message import is_on_panel
from bot.ui.press.custom_ids import Press, PressAction
from bot.ui.press.errors import MemberError, RefusedError
from bot.ui.press.replies import reply_lines
from bot.ui.press.router import handles
from bot.wire.requests import Interaction, defer_update
from bot.words.hands import against_lines, explanation, hand_name, hand_words
from bot.words.tables import refusal
from bot.words.translation import translate


class Arranging(BotCog):
    """The buttons of one's five pieces, and those below them."""

    @handles(PressAction.ARRANGE)
    async def arrange(self, interaction: Interaction, press: Press) -> None:
        """Picks a piece for the ox, or takes it back; says of the third whether the three are the best."""
        table, place = await self._hand(interaction, press)
        if press.number is None or press.number >= len(place.pieces):
            raise MemberError("reply.outdated_component")
        looks = self.bot.panels.looks
        unseen = looks.unseen(table, press.presser)
        if unseen is Unseen.LAST or (unseen is None and not may_arrange(table, place)):
            # After the second of two presses at once, the answer to the first stays.
            await defer_update(interaction)
            return
        three = looks.pick(table, press.presser, press.number)
        if three is None:
            await self._show(interaction, table, press)
        else:
            await self._answer(interaction, press, three)

    @handles(PressAction.NO_OX)
    async def say_none(self, interaction: Interaction, press: Press) -> None:
        """Takes the hand for one without an ox, and says whether that is right."""
        await self._answer(interaction, press, ())

    @handles(PressAction.STRONGEST)
    async def arrange_strongest(self, interaction: Interaction, press: Press) -> None:
        """Arranges the hand the strongest way."""
        table, place = await self._hand(interaction, press)
        if may_arrange(table, place):
            three = strongest_three(place.pieces, table.rules)
            table = await self.bot.ask(
                interaction, table.table_id, Arrange(press.presser, three, press.meant_round)
            )
        self.bot.panels.looks.see(table, press.presser, Unseen.OX)
        await self._show(interaction, table, press)

    @handles(PressAction.SEE_LAST)
    async def see_last(self, interaction: Interaction, press: Press) -> None:
        """Shows the last piece of the member's hand, and says so if it is one to hope for."""
        table, looks = self.bot.croupier.tables[press.table_id], self.bot.panels.looks
        place, note = table.place_of(press.presser), None
        is_hidden = looks.unseen(table, press.presser) is Unseen.LAST
        # An older message's button leaves the hand of this round as it is.
        if is_hidden and place is not None and press.meant_round == table.round_number:
            looks.see(table, press.presser, Unseen.LAST)
            piece, is_whole = place.pieces[-1], looks.unseen(table, press.presser) is None
            if is_whole and any(piece in hope.pieces for hope in hopes(table, place).hopes):
                note = translate("panel.hoped", piece=table.game.pieces.shown(piece))
        await self._show(interaction, table, press, note)

    @handles(PressAction.SQUEEZE, PressAction.DONT_SQUEEZE)
    async def squeeze(self, interaction: Interaction, press: Press) -> None:
        """From now on, the member sees the last piece by a press of their own, or not any more."""
        table, squeezes = self._keep_seen(interaction, press), press.action is PressAction.SQUEEZE
        await self.bot.croupier.identities.set_squeezes(press.presser, squeezes=squeezes)
        await self._show(
            interaction, table, press, translate("panel.squeezes" if squeezes else "panel.squeezes_no_more")
        )

    @handles(PressAction.FIND_OX, PressAction.SHOW_OX)
    async def find_ox(self, interaction: Interaction, press: Press) -> None:
        """From now on, the member finds the ox themselves, or not any more."""
        table, finds_ox = self._keep_seen(interaction, press), press.action is PressAction.FIND_OX
        await self.bot.croupier.identities.set_finds_ox(press.presser, finds_ox=finds_ox)
        await self._show(
            interaction, table, press, translate("panel.finds_ox" if finds_ox else "panel.finds_ox_no_more")
        )

    @handles(PressAction.WHY)
    async def explain(self, interaction: Interaction, press: Press) -> None:
        """Shows why the member's newest hand is what it is, and after the round the banker's.

        It stands on the panel that was pressed, until the next press there.
        """
        table = self.bot.croupier.tables[press.table_id]
        hands = _newest_hands(table, press.presser, self.bot.panels.looks.found(table, press.presser))
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
            way, *swap = against_lines(hand_in(last, last), hand, rules)
            lines += [f"👑 {banker} · {way}", *swap]
        if is_panel:
            # Below the panel, another message would push it off a phone.
            await self.bot.panels.show(interaction, table, note="\n".join(lines))
            return
        title = translate("panel.why_title", round=round_number)
        await reply_lines(interaction, [f"### {title} · {hand_name(hand)} · {hand_words(hand)}", *lines])

    def _keep_seen(self, interaction: Interaction, press: Press) -> TableState:
        """The table; a choice begins with the hand that the member holds only if they have not seen it."""
        table = self.bot.croupier.tables[press.table_id]
        if self.bot.panels.has_shown_hand(interaction, table, press.presser):
            self.bot.panels.looks.keep_seen(table, press.presser)
        return table

    async def _hand(self, interaction: Interaction, press: Press) -> tuple[TableState, Seat | Bank]:
        """The table, and the place of the hand that the member wants to arrange."""
        table = self.bot.croupier.tables[press.table_id]
        place = hidden_hand(table, press.presser, press.meant_round, Action.REVEAL)
        if isinstance(place, Refused):
            raise await self.bot.refused(interaction, place, table, press.presser)
        return table, place

    async def _answer(self, interaction: Interaction, press: Press, three: Three) -> None:
        """Says what three are, or none; where members arrange their hands, asks the table to play them so.

        A wrong choice that the table refuses is answered with why, and changes nothing.
        """
        table, place = await self._hand(interaction, press)
        said = verdict(place.pieces, three, table.rules)
        is_right = said is Verdict.RIGHT
        note: str | None = answer_words(said, place.pieces, three, table.rules)
        is_played, now = bool(three) and may_arrange(table, place), table
        if is_played:
            command = Arrange(press.presser, three, press.meant_round)
            try:
                now = await self.bot.ask(interaction, table.table_id, command)
            except RefusedError as error:
                match error.refused.code:
                    case Refusal.NOT_AN_OX:
                        pass
                    case Refusal.BACKED_HAND:
                        note = why_not_backed(place.pieces, three, table.rules, refusal(error.refused))
                    case _:
                        raise
            else:
                # The hand as it is arranged now says what is wrong with it.
                note = note if is_right else None
        run = self.bot.panels.looks.answer(table, press.presser, three, is_right=is_right)
        if run is None and not is_played:
            note = None
        elif run is not None and run > 1 and table.rules.arrange is ArrangedBy.AUTOMATIC:
            note = f"{note} {translate('panel.found_run', count=run)}"
        await self._show(interaction, now, press, note)

    async def _show(
        self, interaction: Interaction, table: TableState, press: Press, note: str | None = None
    ) -> None:
        """Answers with the panel that was pressed, and shows the same on the member's others."""
        self.bot.panels.refresh(table, press.presser)
        await self.bot.panels.show(interaction, table, note=note)


def _newest_hands(table: TableState, party: int, found: Three | None) -> list[tuple[int, Hand, HouseRules]]:
    """The member's hands of this round and the last, if they had them, with round and rules.

    Args:
        found: the ox that they found in the first.
    """
    hands = list[tuple[int, Hand, HouseRules]]()
    place, last = table.place_of(party), table.last
    if place is not None and place.pieces:
        hand = hand_of(place.pieces, place.declared_ox or found, table.rules)
        hands.append((table.round_number, hand, table.rules))
    if last is not None and (played := played_by(last, party)) is not None:
        hands.append((last.round_number, hand_in(last, played), last.rules))
    return hands
