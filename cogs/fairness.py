"""Sealed shuffles: members mix in their own words, see any round again, and check it."""

import json
from io import BytesIO
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.croupier.rounds import PastRound, past_round
from bot.table.commands import SetClientSeed
from bot.table.commitment import LONGEST_CLIENT_SEED
from bot.table.round_proof import first_mismatch
from bot.table.state import Phase, TableState, parse_state
from bot.ui.bot import GnauBot
from bot.ui.command_texts import command_text
from bot.ui.errors import MemberError
from bot.ui.replies import Interaction, reply
from bot.ui.table_choice import choose_table, may_see, suggest_tables, tables_within_reach
from bot.ui.views.components import LONGEST_TEXT, mention, new_layout
from bot.ui.views.result_text import result_lines, text_length
from bot.words import mixed_words, own_words, revealed_words, rolled_words, translate, verdict_words

ROOM: Final = 2_500
"""How many of them a round's result may take beside its proof."""

WHICH: Final = {
    "table": command_text("option.round.table"),
    "number": command_text("option.round.round"),
}


class Fairness(commands.Cog):
    """The commands about what makes a shuffle checkable."""

    rounds = app_commands.Group(name="round", description=command_text("command.round"), guild_only=True)

    def __init__(self, bot: GnauBot) -> None:
        self.bot = bot

    @app_commands.command(name="seed", description=command_text("command.seed"))
    @app_commands.describe(words=command_text("option.seed.words"), table=command_text("option.table"))
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    async def seed(
        self,
        interaction: Interaction,
        words: app_commands.Range[str, 1, LONGEST_CLIENT_SEED],
        table: str | None = None,
    ) -> None:
        """Mixes a bettor's words in, in place of the id of their interaction."""
        chosen = choose_table(interaction, self.bot.croupier, table)
        command = SetClientSeed(interaction.user.id, words)
        after = await self.bot.ask(interaction, chosen.table_id, command)
        await reply(interaction, _mixed(after, interaction.user.id))

    @seed.autocomplete("table")
    async def suggest(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The tables that fit what is typed."""
        return suggest_tables(interaction, self.bot.croupier, typed)

    @rounds.command(name="show", description=command_text("command.round.show"))
    @app_commands.describe(**WHICH)
    @app_commands.rename(number="round")
    async def show(
        self,
        interaction: Interaction,
        table: app_commands.Range[int, 1] | None = None,
        number: app_commands.Range[int, 1] | None = None,
    ) -> None:
        """Shows the result, the seal and the secret of a round, with its record as a file."""
        past = await self._past(interaction, table, number)
        told_again = result_lines(past.result, room=ROOM)
        view = new_layout()
        view.add_item(discord.ui.TextDisplay(told_again))
        if past.result.opening is None:
            view.add_item(discord.ui.TextDisplay(translate("proof.unsealed")))
            await interaction.response.send_message(view=view, ephemeral=True)
            return
        name = f"table-{past.number}-round-{past.result.round_number}.json"
        proof = _proof(past, room=LONGEST_TEXT - text_length(told_again))
        view.add_item(discord.ui.TextDisplay(proof))
        view.add_item(discord.ui.File(f"attachment://{name}"))
        file = discord.File(BytesIO(_exported(past).encode()), name)
        await interaction.response.send_message(view=view, file=file, ephemeral=True)

    @rounds.command(name="verify", description=command_text("command.round.verify"))
    @app_commands.describe(**WHICH)
    @app_commands.rename(number="round")
    async def verify(
        self,
        interaction: Interaction,
        table: app_commands.Range[int, 1] | None = None,
        number: app_commands.Range[int, 1] | None = None,
    ) -> None:
        """Says whether the round's record fits its secret, or the first thing that does not."""
        past = await self._past(interaction, table, number)
        if past.result.opening is None:
            await reply(interaction, translate("proof.unsealed"))
            return
        verdict = verdict_words(first_mismatch(_exported(past)))
        revealed = revealed_words(past.result.opening)
        await reply(
            interaction,
            f"**{verdict}**\n{revealed}\n{translate('proof.compare')}\n-# {translate('proof.what_stays')}",
        )

    async def _past(self, interaction: Interaction, table: int | None, number: int | None) -> PastRound:
        """The round that is meant: the last of this channel's table if nothing is named.

        A table in a channel that the member cannot see is hidden, except for the rounds they were in.

        Raises:
            MemberError: if there is no such table, or the round is not settled.
        """
        assert interaction.guild_id is not None
        ledger = self.bot.croupier.ledger
        if table is None:
            chosen = self._open_table(interaction)
            table_id, table, last, seen = chosen.table_id, chosen.number, chosen.last, True
        else:
            stored = await ledger.table_numbered(interaction.guild_id, table)
            if stored is None:
                raise MemberError("proof.no_table", number=table)
            table_id, last = stored.table_id, parse_state(stored.state).last
            seen = may_see(interaction, stored.channel_id)
        wanted = number or (1 if last is None else last.round_number)
        past = await past_round(ledger, table_id, table, wanted)
        if not seen and (past is None or not past.result.has(interaction.user.id)):
            raise MemberError("proof.no_table", number=table)
        if number is None and last is None:
            raise MemberError("proof.none_yet", number=table)
        if past is None:
            raise MemberError("proof.none", number=table, round=wanted)
        return past

    def _open_table(self, interaction: Interaction) -> TableState:
        """The open table that is meant if none is named: this channel's, else the one where the member sits.

        Raises:
            MemberError: if there is none, or several.
        """
        member_id, channel_id = interaction.user.id, interaction.channel_id
        tables = tables_within_reach(interaction, self.bot.croupier)
        if not any(table.channel_id == channel_id or table.has(member_id) for table in tables):
            raise MemberError("proof.which_table")
        return choose_table(interaction, self.bot.croupier, None)


def _mixed(table: TableState, member_id: int) -> str:
    """The confirmation that words were mixed in."""
    words = next((seed.text for seed in table.client_seeds if seed.member_id == member_id), "")
    seat = table.seat_of(member_id)
    has_bet = (seat is not None and seat.stake is not None) or bool(table.side_bets_of(member_id))
    return mixed_words(words, counts=has_bet, dice=table.phase is Phase.OPEN and table.game.rolls_for_bank)


def _proof(past: PastRound, *, room: int) -> str:
    """What proves a round beside its record: seals, secrets, and as many of the bettors' words as fit.

    Args:
        past: the round, whose shuffle was sealed.
        room: how many characters it may take.
    """
    shuffle, dice = past.result.opening, None if past.rolled is None else past.rolled.opening
    assert shuffle is not None
    sealed, thrown = own_words(shuffle, mention), [] if dice is None else own_words(dice, mention)
    for shown in range(len(sealed) + len(thrown), -1, -1):
        lines = [revealed_words(shuffle), *sealed[:shown], translate("proof.compare")]
        if dice is not None:
            lines += [rolled_words(dice), *thrown[: max(0, shown - len(sealed))]]
        if left_out := len(sealed) + len(thrown) - shown:
            lines.append(translate("proof.more_words", count=left_out))
        proof = "\n".join([*lines, translate("proof.exported")])
        if text_length(proof) <= room:
            break
    return proof


def _exported(past: PastRound) -> str:
    return json.dumps(past.record(), ensure_ascii=False, indent=1)


async def setup(bot: GnauBot) -> None:
    """Loads the cog."""
    await bot.add_cog(Fairness(bot))
