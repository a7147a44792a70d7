"""Sealed shuffles: members mix in words of their own, and have any round told again and proved."""

import json
from io import BytesIO
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import GnauBot
from bot.croupier.rounds import PastRound, past_round
from bot.table.commands import SetClientSeed
from bot.table.commitment import LONGEST_CLIENT_SEED
from bot.table.round_proof import first_mismatch
from bot.table.state import Phase, TableState, parse_state
from bot.ui.replies import Interaction, NoTableError, answering, ask, reply
from bot.ui.table_choice import choose_table, may_see, suggest_tables, tables_within_reach
from bot.ui.views.mentions import mention
from bot.ui.views.presses import new_layout
from bot.ui.views.result_text import length, result_lines
from bot.words import mixed_words, own_words, revealed_words, rolled_words, translate, verdict_words

LONGEST_TEXT: Final = 4_000
"""The most characters that the texts of a message may total."""
ROOM: Final = 2_500
"""So many of them a round's result may take beside its proof."""

WHICH: Final = {
    "table": "The number of the table, if not this channel's",
    "number": "Which round; the last, if none is named",
}


class Fairness(commands.Cog):
    """The commands about what makes a shuffle checkable."""

    rounds = app_commands.Group(name="round", description="Rounds told again, and proved", guild_only=True)

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot

    @app_commands.command(name="seed", description="Mix words of your own into the next shuffle")
    @app_commands.describe(
        words="Everybody can read them after the round", table="Which table, where you play at several"
    )
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    @app_commands.autocomplete(table=suggest_tables)
    async def seed(
        self,
        interaction: Interaction,
        words: app_commands.Range[str, 1, LONGEST_CLIENT_SEED],
        table: str | None = None,
    ) -> None:
        """Mixes a bettor's words in, in place of the id of his interaction."""
        async with answering(interaction):
            chosen = choose_table(interaction, table)
            if after := await ask(interaction, chosen.table_id, SetClientSeed(interaction.user.id, words)):
                await reply(interaction, _mixed(after, interaction.user.id))

    @rounds.command(name="show", description="Tell a settled round again, with a record that proves it")
    @app_commands.describe(**WHICH)
    @app_commands.rename(number="round")
    async def show(
        self,
        interaction: Interaction,
        table: app_commands.Range[int, 1] | None = None,
        number: app_commands.Range[int, 1] | None = None,
    ) -> None:
        """Shows what the round brought, its seal and its secret, and gives its record as a file."""
        async with answering(interaction):
            past = await self._past(interaction, table, number)
            told_again = result_lines(past.result, room=ROOM)
            view = new_layout()
            view.add_item(discord.ui.TextDisplay(told_again))
            if past.result.opening is None:
                view.add_item(discord.ui.TextDisplay(translate("proof.unsealed")))
                await interaction.response.send_message(view=view, ephemeral=True)
                return
            name = f"table-{past.number}-round-{past.result.round_number}.json"
            proof = _proof(past, room=LONGEST_TEXT - length(told_again))
            view.add_item(discord.ui.TextDisplay(proof))
            view.add_item(discord.ui.File(f"attachment://{name}"))
            file = discord.File(BytesIO(_exported(past).encode()), name)
            await interaction.response.send_message(view=view, file=file, ephemeral=True)

    @rounds.command(name="verify", description="Recompute a settled round: deck, hands and settlement")
    @app_commands.describe(**WHICH)
    @app_commands.rename(number="round")
    async def verify(
        self,
        interaction: Interaction,
        table: app_commands.Range[int, 1] | None = None,
        number: app_commands.Range[int, 1] | None = None,
    ) -> None:
        """Says whether the round's record is proved, or the first thing that does not fit."""
        async with answering(interaction):
            past = await self._past(interaction, table, number)
            if past.result.opening is None:
                await reply(interaction, translate("proof.unsealed"))
                return
            verdict = verdict_words(first_mismatch(_exported(past)))
            revealed = revealed_words(past.result.opening)
            await reply(
                interaction,
                f"**{verdict}**\n{revealed}\n{translate('proof.compare')}\n"
                f"-# {translate('proof.what_stays')}",
            )

    async def _past(self, interaction: Interaction, table: int | None, number: int | None) -> PastRound:
        """The round that is meant: the last of this channel's table, where nothing is named.

        A table in a channel that the member does not see is none to him, but for the rounds he was in.

        Raises:
            NoTableError: with a sentence, where there is no such table, or the round is not settled.
        """
        assert interaction.guild_id is not None
        ledger = self.bot.croupier.ledger
        if table is None:
            chosen = self._open_table(interaction)
            table_id, table, last, seen = chosen.table_id, chosen.number, chosen.last, True
        else:
            stored = await ledger.table_numbered(interaction.guild_id, table)
            if stored is None:
                raise NoTableError(translate("proof.no_table", number=table))
            table_id, last = stored.table_id, parse_state(stored.state).last
            seen = may_see(interaction, stored.channel_id)
        wanted = number or (1 if last is None else last.round_number)
        past = await past_round(ledger, table_id, table, wanted)
        if not seen and (past is None or not past.result.has(interaction.user.id)):
            raise NoTableError(translate("proof.no_table", number=table))
        if number is None and last is None:
            raise NoTableError(translate("proof.none_yet", number=table))
        if past is None:
            raise NoTableError(translate("proof.none", number=table, round=wanted))
        return past

    def _open_table(self, interaction: Interaction) -> TableState:
        """The open table that is meant where none is named: this channel's, else the one where he sits.

        Raises:
            NoTableError: with a sentence, where there is none, or several.
        """
        member_id, channel_id = interaction.user.id, interaction.channel_id
        tables = tables_within_reach(interaction)
        if not any(table.channel_id == channel_id or table.has(member_id) for table in tables):
            raise NoTableError(translate("proof.which_table"))
        return choose_table(interaction, None)


def _mixed(table: TableState, member_id: int) -> str:
    """What a member is told whose words a table has just taken."""
    words = next((said.text for said in table.client_seeds if said.member_id == member_id), "")
    seat = table.seat_of(member_id)
    has_bet = (seat is not None and seat.stake is not None) or bool(table.side_bets_of(member_id))
    return mixed_words(words, counts=has_bet, dice=table.phase is Phase.OPEN and table.game.rolls_for_bank)


def _proof(past: PastRound, *, room: int) -> str:
    """What proves a round, beside its record: seals, secrets, and as many of the bettors' words as fit.

    Args:
        past: the round, whose shuffle was sealed.
        room: so many characters it may take.
    """
    draw, dice = past.result.opening, None if past.rolled is None else past.rolled.opening
    assert draw is not None
    sealed, thrown = own_words(draw, mention), [] if dice is None else own_words(dice, mention)
    for shown in range(len(sealed) + len(thrown), -1, -1):
        lines = [revealed_words(draw), *sealed[:shown], translate("proof.compare")]
        if dice is not None:
            lines += [rolled_words(dice), *thrown[: max(0, shown - len(sealed))]]
        if left_out := len(sealed) + len(thrown) - shown:
            lines.append(translate("proof.more_words", count=left_out))
        proof = "\n".join([*lines, translate("proof.exported")])
        if length(proof) <= room:
            break
    return proof


def _exported(past: PastRound) -> str:
    return json.dumps(past.record(), ensure_ascii=False, indent=1)


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(Fairness(bot))
