"""Fair shuffles: members mix in their own words, see any round again, and check it.

Once a day, the code of a server's books is posted in the channel that the house chose. Note a code, and you
can ask the host later whether it is still in the books: `gnau db check --head CODE`. A record that was cut
off, or an old backup, does not have it. The bot could edit its own message, so a code is worth most where the
host cannot change it: in your own notes.
"""

import logging
from typing import Final

import discord
from discord import app_commands

from bot.clock import DAY_SECONDS
from bot.croupier.rounds import PastRound, past_round
from bot.games.register import DEFAULT_GAME
from bot.ledger.changes import HeadPosted
from bot.ledger.errors import LedgerError
from bot.ledger.records import is_recent
from bot.rules.hashing import short_code
from bot.rules.shuffle import Use
from bot.rules.typed_text import clean, json_text, text_length
from bot.table.commands import SetClientSeed
from bot.table.commitment import LONGEST_CLIENT_SEED, one_line
from bot.table.round_proof import first_mismatch
from bot.table.round_record import client_seed_of, dice_seal
from bot.table.state import TableState, parse_state
from bot.ui.board.content import picture_name
from bot.ui.board.results import ResultText
from bot.ui.bot import BotCog, GnauBot
from bot.ui.components import button, file, picture, rows, text, text_view
from bot.ui.hand.evidence import evidence, evidence_of, explained_codes
from bot.ui.pictures import render_showdown
from bot.ui.press.commands import command_text
from bot.ui.press.custom_ids import Press, PressAction
from bot.ui.press.errors import SENDING_FAILED, FailedLately, MemberError, log_failure, nonce
from bot.ui.press.replies import lines_view, reply, reply_layout
from bot.ui.press.router import handles
from bot.ui.press.table_choice import may_see, server_of, tables_within_reach
from bot.wire.requests import LONGEST_TEXT, Attachment, Content, Interaction, post
from bot.words.proofs import mixed_words, opened_words, own_words, verdict_words, verifier_page
from bot.words.rules import game_title
from bot.words.translation import speaking_to, translate, typed_command

log = logging.getLogger(__name__)

ROOM: Final = 2_500
"""Most characters for the result of a round; its proof gets the rest."""
LONGEST_VERDICT: Final = 1_000
"""The most characters of what is wrong with a round."""
WHICH: Final = {
    "table": command_text("option.round.table"),
    "number": command_text("option.round.round"),
}
LOOK_SECONDS: Final = 300.0
"""How often the bot looks for codes to post."""

_ENTRIES: Final = 50
"""Among how many of their latest changes of chips a member's own last round is looked for."""
_PAGE: Final = "verify.html"


class Fairness(BotCog):
    """The commands about what makes a shuffle checkable, and the codes of the books."""

    rounds = app_commands.Group(name="round", description=command_text("command.round"), guild_only=True)

    def __init__(self, bot: GnauBot) -> None:
        super().__init__(bot)
        self._failed_lately: FailedLately[int] = FailedLately(lambda: bot.croupier.now())

    async def cog_load(self) -> None:
        """Starts to look for codes to post."""
        self.bot.tasks.repeat(self.post_codes, LOOK_SECONDS, "codes-of-books")

    async def post_codes(self) -> None:
        """Posts the code of every server where that is due."""
        await self.bot.wait_until_ready()
        try:
            posted = await self.bot.croupier.ledger.heads_posted()
            for server in self.bot.guilds:
                channels = self.bot.houses.house_of(server.id).rules(DEFAULT_GAME).log_channel
                now = self.bot.croupier.now()
                posted_lately = is_recent(posted.get(server.id, 0.0), DAY_SECONDS, now)
                if channels and not posted_lately and server.id not in self._failed_lately:
                    await self._post(server.id, channels[0])
        except LedgerError as failed:
            log_failure(log, failed, "the codes of books are posted later")

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
        chosen = await self.bot.choose_table(interaction, table)
        party = await self.bot.party_in(interaction, chosen.server_id)
        after = await self.bot.ask(interaction, chosen.table_id, SetClientSeed(party, words))
        await reply(interaction, _mixed(after, party, one_line(words)))

    @seed.autocomplete("table")
    async def suggest(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """The tables that fit what is typed."""
        return await self.bot.suggest_tables(interaction, typed)

    @handles(PressAction.FAIRNESS)
    async def explain_codes(self, interaction: Interaction, press: Press) -> None:
        """Says what the codes in small print are, with a button that checks the member's last round."""
        table = self.bot.croupier.tables[press.table_id]
        held = evidence(table, press.presser)
        if not held:
            raise MemberError("reply.no_hand_here")
        title = f"### {translate('table.name', number=table.number)} · {translate('button.fairness')}"
        lines = [title, translate("proof.why"), *explained_codes(held), translate("proof.how")]
        settled = [one.round_number for one in held if one.receipt is not None]
        checks = [
            button(
                Press(PressAction.VERIFY, table.table_id, number),
                translate("button.verify", round=number),
                style=discord.ButtonStyle.primary,
            )
            for number in settled
        ]
        await reply_layout(interaction, [*lines_view(interaction, lines), *rows(checks)])

    @handles(PressAction.VERIFY)
    async def verify_pressed(self, interaction: Interaction, press: Press) -> None:
        """Does what `/round verify` does, for a settled round of a table that is open or closed."""
        ledger = self.bot.croupier.ledger
        table = await ledger.table(press.table_id)
        assert table is not None, "the router has read it"
        past = await past_round(ledger, table.table_id, table.number, press.round_number)
        if past is None:
            raise MemberError("proof.none", number=table.number, round=press.round_number)
        await self.bot.croupier.identities.load(past.parties)
        await self._verify(interaction, past, press.presser)

    @rounds.command(name="show", description=command_text("command.round.show"))
    @app_commands.describe(**WHICH)
    @app_commands.rename(number="round")
    async def show(
        self,
        interaction: Interaction,
        table: app_commands.Range[int, 1] | None = None,
        number: app_commands.Range[int, 1] | None = None,
    ) -> None:
        """Shows the result, the seal and the receipt of a round, with its record as a file."""
        past = await self._past(interaction, table, number)
        hands = await render_showdown(past.result, picture_name(past.result.round_number))
        title = f"{_title(past)} · <t:{int(past.at)}:f>"
        told_again = ResultText(past.result, self.bot.past_names).within(ROOM)
        parts = [text(title), picture(hands.name, hands.description or ""), text(told_again)]
        proof = self._proof(past, room=LONGEST_TEXT - text_length(title) - text_length(told_again))
        record = self._record(past)
        await reply_layout(interaction, [*parts, text(proof), file(record.name)], [hands, record], None)

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
        own = self.bot.croupier.identities.known(server_of(interaction), interaction.user.id)
        await self._verify(interaction, past, own)

    async def _verify(self, interaction: Interaction, past: PastRound, own: int) -> None:
        opening, receipt = past.result.opening, past.result.receipt
        url, record = self.bot.settings.verifier_url, self._record(past)
        lines = [
            _title(past),
            f"**{clean(verdict_words(first_mismatch(self._exported(past))), LONGEST_VERDICT)}**",
            opened_words(opening, receipt),
            # Nothing for who was not in the round.
            *(f"-# {one.ticket}" for one in evidence_of(past.result, own)),
            translate("proof.compare"),
            _on_page(url) if url else translate("proof.page_attached", record=record.name),
            f"-# {translate('proof.what_stays')}",
        ]
        files = [record, *([] if url else [Attachment(_PAGE, verifier_page())])]
        parts = [text("\n".join(lines)), *(file(one.name) for one in files)]
        await reply_layout(interaction, parts, files, None)

    def _record(self, past: PastRound) -> Attachment:
        """The round's record as a file."""
        name = f"table-{past.number}-round-{past.result.round_number}.json"
        return Attachment(name, self._exported(past).encode())

    async def _past(self, interaction: Interaction, table: int | None, number: int | None) -> PastRound:
        """The round that is meant: if none is named, the member's own last one at the table, else its last.

        A table in a channel that the member cannot see is hidden, except for the rounds they were in.
        """
        ledger = self.bot.croupier.ledger
        if table is None:
            chosen = await self._open_table(interaction)
            table_id, table, last, seen = chosen.table_id, chosen.number, chosen.last, True
        else:
            stored = await ledger.table_numbered(server_of(interaction), table)
            if stored is None:
                raise MemberError("proof.no_table", number=table)
            table_id, last = stored.table_id, parse_state(stored.state).last
            seen = may_see(interaction, stored.channel_id)
        own = await self.bot.croupier.identities.find(server_of(interaction), interaction.user.id)
        wanted = number or (1 if last is None else last.round_number)
        if number is None and last is not None and own not in last.parties:
            # A round that moved no chips of theirs is not among these.
            newest = await ledger.entries(server_of(interaction), own, _ENTRIES, part=last.rules.game)
            played = (one.round_number for one in newest if one.table_id == table_id)
            wanted = next((one for one in played if one is not None), wanted)
        past = await past_round(ledger, table_id, table, wanted)
        if not seen and (past is None or own not in past.result.parties):
            raise MemberError("proof.no_table", number=table)
        if number is None and last is None:
            raise MemberError("proof.none_yet", number=table)
        if past is None:
            raise MemberError("proof.none", number=table, round=wanted)
        await self.bot.croupier.identities.load(past.parties)
        return past

    async def _open_table(self, interaction: Interaction) -> TableState:
        """The open table that is meant if none is named: this channel's, else where the member sits."""
        croupier, channel_id = self.bot.croupier, interaction.channel_id
        party = croupier.identities.known(server_of(interaction), interaction.user.id)
        tables = tables_within_reach(interaction, croupier)
        if not any(table.channel_id == channel_id or table.has(party) for table in tables):
            raise MemberError("proof.which_table")
        return await self.bot.choose_table(interaction, None)

    def _proof(self, past: PastRound, *, room: int) -> str:
        """What proves a round beside its record: seals, secrets, and as many of the bettors' words as fit."""
        opening, receipt = past.result.opening, past.result.receipt
        words = {seed: chosen.words for seed, chosen in past.words.items()}
        own = own_words(opening, words, self.bot.past_names.mention)
        dice, url = dice_seal(opening), self.bot.settings.verifier_url
        command = typed_command("round.verify", round=past.result.round_number)
        checked = _on_page(url) if url else translate("proof.exported", command=command)
        for shown in range(len(own), -1, -1):
            lines = [opened_words(opening, receipt), *own[:shown]]
            if left_out := len(own) - shown:
                lines.append(translate("proof.more_words", count=left_out))
            if dice is not None:
                lines.append(translate("proof.rolled", seal=dice))
            proof = "\n".join([*lines, translate("proof.compare"), checked])
            if text_length(proof) <= room:
                break
        return proof

    def _exported(self, past: PastRound) -> str:
        identities = self.bot.croupier.identities
        found = {party: identities.get(party) for party in sorted(past.parties)}
        names = {party: identity.name for party, identity in found.items() if identity is not None}
        return json_text(past.record(names))

    async def _post(self, server_id: int, channel_id: int) -> None:
        ledger, now = self.bot.croupier.ledger, self.bot.croupier.now()
        head = await ledger.head(server_id)
        if head is None:
            return
        link, digest = head
        # Everybody in the channel sees it.
        with speaking_to(self.bot.readers.of_server(server_id)):
            text = translate("books.code", head=short_code(digest), links=link, at=int(now))
        try:
            same = nonce("books", server_id, link)
            await post(self.bot, channel_id, Content(text_view(text)), same)
        except SENDING_FAILED as failed:
            log_failure(log, failed, "the code of the books of server %s could not be posted", server_id)
            # A channel that is gone must not be asked for every five minutes.
            self._failed_lately.add(server_id)
        else:
            await ledger.record(HeadPosted(server_id, now))


def _on_page(url: str) -> str:
    """That members check a record on the host's page."""
    return translate("proof.exported_to", page=f"<{url}>")


def _mixed(table: TableState, party: int, words: str) -> str:
    """The confirmation that words were mixed in."""
    seat = table.seat_of(party)
    has_bet = (seat is not None and seat.stake is not None) or bool(table.side_bets_of(party))
    counts = has_bet or table.is_banker(party)
    seed = client_seed_of(table, party) or ""
    return mixed_words(words, seed, counts=counts, dice=table.next_use is Use.DICE)


def _title(past: PastRound) -> str:
    """The game, the table and the round."""
    number = past.result.round_number
    where = [translate("table.name", number=past.number), translate("table.round", round=number)]
    return f"### {' · '.join([game_title(past.result.rules.game), *where])}"
