"""A month in which members cheat as well as they can: the books stay right, and admins read who did it."""

import asyncio
import time
from itertools import combinations
from typing import cast

import pytest

from bot.clock import DAY_SECONDS, FIRST_MONDAY, HOUR_SECONDS, WEEK_SECONDS
from bot.croupier.identities import User
from bot.games.hands import declared, is_worse
from bot.practice.messages import Message
from bot.practice.person import Person
from bot.practice.servers import NOTHING, Permission, Role
from bot.rules.knobs import Arrange
from bot.table.audit import fed, is_beyond_chance, is_beyond_mistakes
from bot.table.state import Phase
from bot.ui.press.custom_ids import ANY_ROUND, Press, PressAction
from cogs.leaderboard import LeaderboardCog
from cogs.seasons import SeasonsCog
from tests.e2e.answers import form_of, id_of, message_of, pieces_in, said
from tests.e2e.evening import Evening
from tests.e2e.test_arranging import choose
from tests.e2e.test_breaks import pause
from tests.e2e.test_privacy import erase

THROWN, HONEST = 30, 15
"""Rounds that Fay loses to Rex on purpose, and rounds that Fay plays well against Mei."""
BANNED = "You are banned from playing here"
PAUSED = "You are taking a break."
HOSTILE = ("@everyone", "=HYPERLINK(1)", "`/bank grant`\u202e", "<@&1> **")


class Month:
    """A server, its honest members, and those who cheat.

    Attributes:
        mei, alice, bob: they play well, and give nothing away.
        rex: the cheats mean all chips to end with Rex.
        fay: loses to Rex on purpose.
        feeders: accounts that give Rex the chips they are handed.
        dora: the admin.
    """

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        self.mei, self.alice, self.bob = evening.persons("Mei", "Alice", "Bob")
        self.rex, self.fay = evening.persons("Rex", "Fay")
        self.feeders = evening.persons(*HOSTILE)
        self.dora = evening.person("Dora", manage_server=True)
        server = evening.server
        own = next(role for role in server.roles if role.managed_by is not None)
        own.permissions |= Permission.MANAGE_ROLES
        self.crown = Role(evening.discord.world.new_id(), "First", NOTHING)
        server.roles[1:1] = [self.crown]
        evening.rules = evening.rules.model_copy(update={"arrange": Arrange.STRICT})
        evening.chip_settings = {"week_role": f"<@&{self.crown.id}>", "table_minutes": 60}
        # It begins at noon of the next Monday, so that no day ends while it runs.
        began = time.time()
        weeks = (began - FIRST_MONDAY) // WEEK_SECONDS + 1
        self.ahead = FIRST_MONDAY + weeks * WEEK_SECONDS + 12 * HOUR_SECONDS - began

    async def pass_days(self, days: int) -> None:
        """Lets days pass, and has the bot look what is due."""
        self.ahead += days * DAY_SECONDS
        self.evening.bot.croupier.now = lambda: time.time() + self.ahead
        await self.evening.counted()
        await cast("LeaderboardCog", self.evening.bot.get_cog("LeaderboardCog")).give_roles()
        await cast("SeasonsCog", self.evening.bot.get_cog("Seasons")).look_at_seasons()

    @property
    def crowned(self) -> set[str]:
        members = self.evening.server.members.values()
        return {one.user.display_name for one in members if self.crown in one.roles}

    async def owned(self, person: Person) -> int:
        croupier = self.evening.bot.croupier
        party = await croupier.identities.party_of(
            self.evening.server.id, User(person.id, person.name, person.user.locale)
        )
        return (await croupier.wallets.purse(self.evening.server.id, party)).total

    async def table_of(self, banker: Person, *players: Person) -> Message:
        """The board of a table in the channel."""
        board = await self.evening.open_table(banker)
        await self.evening.take_bank(banker, board)
        for player in players:
            await self.evening.press(player, board, "Join")
        return board

    async def rounds(self, count: int, banker: Person, player: Person, stake: int, *, thrown: bool) -> None:
        """Plays rounds of two, in which the player lays their worst three, or their best."""
        evening = self.evening
        board = await self.table_of(banker, player)
        for _ in range(count):
            await player.slash(evening.channel, "bet", amount=stake)
            await evening.until(lambda: evening.table().phase is Phase.DEALT, "the hands are dealt")
            for person, is_thrown in ((player, thrown), (banker, False)):
                await self._arrange(person, thrown=is_thrown)
            await evening.reveal(board, player, banker)
            board = evening.board(banker)
        await banker.slash(evening.channel, "table close")
        # Who opened one waits for an hour before the next.
        await self.pass_days(1)

    async def hand(self, person: Person) -> Message:
        """Their own message in which they arrange their hand of this round."""
        table = self.evening.table()
        begins = f"gnau:{table.table_id}:{table.round_number}:"

        def found() -> list[Message]:
            seen = [one for channel in person.channels() for one in person.sees(channel)]
            offers = [(one, piece.custom_id) for one in seen for piece in pieces_in(one)]
            return [one for one, custom_id in offers if custom_id.startswith(begins)]

        await self.evening.until(found, f"{person.name} can arrange their hand")
        return found()[-1]

    async def _arrange(self, person: Person, *, thrown: bool) -> None:
        table = self.evening.table()
        pieces = table.pieces_of(self.evening.party(person))
        best = worst = next(combinations(range(5), 3))
        for three in combinations(range(5), 3):
            hand = declared(pieces, three, table.rules)
            if is_worse(declared(pieces, best, table.rules), hand):
                best = three
            if is_worse(hand, declared(pieces, worst, table.rules)):
                worst = three
        await choose(person, await self.hand(person), worst if thrown else best)


@pytest.fixture
async def month(evening: Evening) -> Month:
    await evening.settle_down()
    made = Month(evening)
    await evening.restart()
    return made


async def feed(month: Month) -> None:
    """New accounts give Rex what they are handed, are erased, and come again."""
    evening, rex, (first, *_) = month.evening, month.rex, month.feeders
    before = await month.owned(rex)

    async def give(feeder: Person, amount: int) -> None:
        answer = message_of(await feeder.slash(evening.channel, "give", member=rex, amount=amount))
        if give := next(
            (one for one in answer.buttons() if one.label and one.label.startswith("Give ")), None
        ):
            await asyncio.gather(*(feeder.press_raw(answer, give.custom_id or "") for _ in range(3)))

    for feeder in month.feeders:
        await feeder.slash(evening.channel, "daily")
        for amount in (1_000_000_000, 500, 500, 1):
            await give(feeder, amount)
    assert await month.owned(rex) == before + 500, "nobody gets more as gifts in a day"
    for number in range(2, 5):
        await month.pass_days(1)
        for feeder in month.feeders:
            await feeder.slash(evening.channel, "daily")
            await give(feeder, 500)
        assert await month.owned(rex) == before + 500 * number
    await month.pass_days(1)
    await erase(evening, first, await evening.told_alone(first, "privacy erase"))
    for _ in range(3):
        await first.slash(evening.channel, "daily")
        await first.slash(evening.channel, "bet", amount=5)
        await month.pass_days(1)
    assert await month.owned(first) == 0, "nobody gets opening chips twice"


async def farm_relief(month: Month) -> None:
    """Who gives all away gets as much less relief."""
    evening, farmer = month.evening, month.feeders[1]
    relief = []
    for _ in range(3):
        owned = await month.owned(farmer)
        if owned:
            asked = message_of(await farmer.slash(evening.channel, "give", member=month.mei, amount=owned))
            if asked.buttons():
                await farmer.click(asked, f"Give {owned:,} chip{'s' * (owned > 1)}")
        before = await month.owned(farmer)
        await farmer.slash(evening.channel, "daily")
        relief.append(await month.owned(farmer) - before)
    # Once the daily chips, and then nothing: what was given comes off.
    assert relief[1:] == [0, 0], relief


async def press_what_is_not_theirs(month: Month) -> None:
    """Old buttons, those of others, and forms that were open before."""
    evening, rex, mei, alice, bob = month.evening, month.rex, month.mei, month.alice, month.bob
    board = await month.table_of(mei, alice, rex)
    twenty, table_id = id_of(board, "20"), evening.table().table_id
    form = form_of(await rex.click(board, "Other…"))
    for amount in ("999999999999999", "-5", "1e9", "٣", "0"):
        await rex.submit(form, amount=amount)
    assert evening.table().seat_of(evening.party(rex)).stake in (None, 0)  # type: ignore[union-attr]
    backing = Press(PressAction.BACK, table_id, ANY_ROUND, number=5, backed=evening.party(alice)).custom_id
    await alice.slash(evening.channel, "bet", amount=20)
    # The banker backs nobody at their own table.
    await mei.press_raw(board, backing)
    assert not evening.table().side_bets
    asked = message_of(
        await month.dora.slash(evening.channel, "bank grant", member=rex, amount=10**9, reason="Rex asks")
    )
    owned = await month.owned(rex)
    await rex.press_raw(asked, id_of(asked, "Give 1,000,000,000 chips"))
    assert await month.owned(rex) == owned
    await rex.click(evening.board(rex), "20")
    await evening.until(lambda: evening.table().phase is Phase.DEALT, "the hands are dealt")
    # Leaving with a bad hand saves no bet.
    held = evening.table().held
    await rex.press_raw(board, Press(PressAction.LEAVE, table_id, ANY_ROUND).custom_id)
    assert evening.table().held == held
    hand = await month.hand(alice)
    for button in hand.buttons():
        await bob.press_raw(board, button.custom_id or "")
    assert not evening.table().seat_of(evening.party(alice)).revealed  # type: ignore[union-attr]
    await evening.reveal(board, alice, mei, rex)
    await mei.slash(evening.channel, "table close")
    before = await evening.chips(rex, alice)
    for custom_id in (twenty, backing, Press(PressAction.REVEAL, table_id, 1).custom_id):
        await rex.press_raw(board, custom_id)
    assert await evening.chips(rex, alice) == before
    # An hour must pass before Mei opens the next one, whichever way.
    for answer in (
        await mei.slash(evening.channel, "table open"),
        await mei.slash(evening.other_channel, "play"),
        await mei.slash(evening.other_channel, "table open", play="points"),
    ):
        assert said(answer).startswith("You opened a table a short while ago."), said(answer)
    await month.pass_days(1)


async def play_while_barred(month: Month) -> None:
    """A ban and a break hold by a form that was open before, by direct message, and after an erasure."""
    evening, dora, (_, _, barred, paused) = month.evening, month.dora, month.feeders
    for person in (barred, paused):
        await dora.slash(evening.channel, "bank grant", member=person, amount=500, reason="a prize")
    board = await month.table_of(month.mei, barred, paused)
    forms = [form_of(await one.click(board, "Other…")) for one in (barred, paused)]
    await dora.slash(evening.channel, "house ban", member=barred, reason="feeding")
    await pause(evening, paused, "Pause a month")
    for person, form, why in ((barred, forms[0], BANNED), (paused, forms[1], PAUSED)):
        for answer in (
            await person.submit(form, amount="20"),
            await person.slash(evening.channel, "play"),
            await person.slash(evening.other_channel, "table open"),
        ):
            assert said(answer).startswith(why), said(answer)
        by_message = said(await person.slash(person.dm(), "bet", amount=5))
        assert by_message.startswith((why, "You aren't at a table")), by_message
        assert not evening.table().concerns(evening.party(person))
    await month.mei.slash(evening.channel, "table close")
    await erase(evening, barred, await evening.told_alone(barred, "privacy erase"))
    await evening.restart()
    await month.pass_days(7)
    for answer in (
        await barred.slash(evening.channel, "play"),
        await barred.slash(evening.channel, "give", member=month.rex, amount=1),
    ):
        assert said(answer).startswith(BANNED), said(answer)
    assert said(await paused.slash(evening.channel, "play")).startswith(PAUSED)
    refused = said(await month.rex.slash(evening.channel, "give", member=barred, amount=1))
    assert refused == f"<@{barred.id}> can't get chips here."
    assert await month.owned(barred) == 0


async def save_chips_from_the_end_of_a_season(month: Month) -> None:
    """Chips that are held or given away before the end of a season start again like the others."""
    evening, rex, dora = month.evening, month.rex, month.dora
    answer = await dora.slash(evening.channel, "house season start", name="Spring", chips="reset")
    for start in message_of(answer).buttons()[:1]:
        await dora.click(message_of(answer), start)
    board = await month.table_of(rex, month.alice)
    await month.alice.slash(evening.channel, "bet", amount=20)
    await evening.until(lambda: evening.table().phase is Phase.DEALT, "the hands are dealt")
    asked = message_of(await dora.slash(evening.channel, "house season end"))
    await dora.click(asked, "End season")
    await month.pass_days(0)
    assert evening.bot.croupier.seasons.running(evening.server.id), "it waits for the round"
    await evening.reveal(board, month.alice, rex)
    await month.pass_days(1)
    assert evening.bot.croupier.seasons.running(evening.server.id) is None
    assert set((await evening.chips(rex, month.alice, month.mei)).values()) == {1_000}
    await rex.slash(evening.channel, "table close")


@pytest.mark.thorough
# With other hands, an honest member may win the most, or Fay get few that can be thrown.
@pytest.mark.usefixtures("dealt_in_turn")
async def test_after_a_month_of_cheating_the_books_explain_each_chip_and_name_who_cheated(
    evening: Evening, month: Month
) -> None:
    evening.expect_haste()
    await month.pass_days(0)
    mei, alice, bob, rex, fay = month.mei, month.alice, month.bob, month.rex, month.fay
    # Small bets: also with the worst cards, everybody can cover each of them.
    await month.rounds(HONEST, mei, fay, 10, thrown=False)
    await month.rounds(5, mei, alice, 10, thrown=False)
    await month.rounds(5, alice, bob, 10, thrown=False)
    await month.rounds(THROWN, rex, fay, 10, thrown=True)
    await month.pass_days(7)
    # Thrown hands can bring a role, until an admin has read the audit.
    assert month.crowned == {"Rex"}
    await feed(month)
    await farm_relief(month)
    await press_what_is_not_theirs(month)
    await play_while_barred(month)
    await month.dora.slash(evening.channel, "house ban", member=rex, reason="dumping", days=1)
    await month.pass_days(7)
    assert "Rex" not in month.crowned
    await save_chips_from_the_end_of_a_season(month)

    await evening.counted()
    croupier, server_id = evening.bot.croupier, evening.server.id
    ledger, now = croupier.ledger, croupier.now()
    weeks = await ledger.supplies(server_id, 53, now)
    had = 0
    for week in weeks:
        assert week.owned == had + week.change, "each chip is explained"
        had = week.owned
    people = [mei, alice, bob, rex, fay, *month.feeders]
    assert had == sum((await evening.chips(*people)).values())
    pairs, count = await ledger.pairs(server_id, 53, now)
    named = {
        frozenset((pair.one, pair.other))
        for pair in pairs
        if is_beyond_mistakes(pair, count) or is_beyond_chance(pair, count)
    }
    assert named == {frozenset(map(evening.party, (rex, fay)))}
    fed_ones = fed(await ledger.newcomers(server_id, 53, now))
    assert set(fed_ones) == {evening.party(rex)}
    assert sum(one.gifts for one in fed_ones[evening.party(rex)]) == 4 * 500
    shown = message_of(await month.dora.slash(evening.channel, "bank audit"))
    assert f"Members have **{had:,} chips** now" in shown.text
