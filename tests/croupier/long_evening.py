"""An evening with everything: both games, chips and points, side bets, gifts, changed house rules."""

from itertools import count
from pathlib import Path
from random import Random

from bot.croupier.gifts import Gifts
from bot.croupier.handouts import Handouts
from bot.games.gnau.rules import GnauRules
from bot.games.niu_niu.rules import NiuNiuRules
from bot.rules.knobs import Arrange as Arranging
from bot.rules.knobs import BankPasses, Play, SuitedBonus
from bot.rules.shuffle import SECRET_SIZE
from bot.table.commands import (
    Arrange,
    GiveUpBank,
    PlaceBet,
    PlaceSideBet,
    RevealHand,
    RollForBank,
    SetClientSeed,
    TakeBank,
    WithdrawBet,
    WithdrawSideBet,
)
from bot.table.state import Phase
from tests.croupier.croupier_house import ALICE, BOB, CHAN, COMPANY, MEI, OTHER_SERVER, House
from tests.games.presets import TAU_NGAU_PRESET
from tests.taking_chips import take_chips

DORA = 5
SEED = 8
"""Side bets and points are won and lost in its evening."""


class LongEvening:
    """The tables of the evening.

    Attributes:
        chips: a table of Gnau for chips, in the middle of a round.
        points: a table of Gnau for points, whose hands are out.
        bulls: a table of Niu Niu, between rounds.
        tiles: a table of Tau Ngau, between rounds.
        wound_up: a table that was wound up while its hands were out.
    """

    def __init__(self, house: House) -> None:
        self._house = house
        self.chips = self.points = self.bulls = self.tiles = self.wound_up = 0

    async def play(self) -> None:
        """Plays the whole evening."""
        gifts = Gifts(self._house.croupier)
        await self._rounds_for_chips()
        await gifts.give(await self._house.gift(BOB, DORA, 25), str(self._house.fresh()))
        await self._rounds_for_points()
        await self._rounds_of_niu_niu()
        await self._rounds_with_tiles()
        await self._wound_up()
        await gifts.give(await self._house.gift(ALICE, BOB, 5, OTHER_SERVER), str(self._house.fresh()))
        await self._free_chips()

    async def _free_chips(self) -> None:
        handouts = Handouts(self._house.croupier)
        await handouts.take(OTHER_SERVER, DORA)
        await take_chips(self._house.croupier, OTHER_SERVER, DORA)
        await handouts.take(OTHER_SERVER, DORA)

    async def _rounds_for_chips(self) -> None:
        house = self._house
        table_id = self.chips = await house.open_with_bank(MEI)
        await house.join(table_id, ALICE, BOB)
        await house.bet(table_id, ALICE, 10)
        await house.do(table_id, PlaceSideBet(CHAN, ALICE, 7), CHAN)
        await house.do(table_id, PlaceSideBet(DORA, ALICE, 9), DORA)
        await house.do(table_id, SetClientSeed(CHAN, "eight eight eight"), CHAN)
        await house.do(table_id, WithdrawSideBet(DORA, ALICE), DORA)
        await house.do(table_id, PlaceBet(BOB, 30), BOB)
        await self._reveal_all(table_id)
        house.rules = house.rules.model_copy(
            update={
                "bank_passes": BankPasses.EVERY_ROUND,
                "arrange": Arranging.STRICT,
                "suited_bonus": SuitedBonus.OX,
            }
        )
        for stake in (20, 15, 8):
            first, second = (seat.party for seat in house.table(table_id).seats)
            await house.bet(table_id, first, stake)
            await house.do(table_id, PlaceSideBet(DORA, first, 5), DORA)
            await house.bet(table_id, second, stake)
            await self._reveal_all(table_id)
        await house.bet(table_id, house.table(table_id).seats[0].party, 5)
        bank = house.table(table_id).bank
        assert bank is not None
        await house.do(table_id, GiveUpBank(bank.party), bank.party)
        await house.do(table_id, TakeBank(CHAN, 5, 50, house.rules), CHAN)
        player = house.table(table_id).seats[0].party
        await house.bet(table_id, player, 12)
        await house.do(table_id, WithdrawBet(player), player)
        await house.bet(table_id, player, 14)
        house.rules = GnauRules(last_call_seconds=0)

    async def _rounds_for_points(self) -> None:
        house = self._house
        table = await house.open(play=Play.POINTS)
        self.points = table.table_id
        await house.do(self.points, TakeBank(MEI, 1, 9, table.rules), MEI)
        await house.join(self.points, ALICE, BOB)
        for _ in range(4):
            for player in (ALICE, BOB):
                await house.bet(self.points, player, 3)
            await self._reveal_all(self.points)
        for player in (ALICE, BOB):
            await house.bet(self.points, player, 3)

    async def _rounds_of_niu_niu(self) -> None:
        house = self._house
        house.rules = NiuNiuRules(last_call_seconds=0, arrange=Arranging.STRICT)
        table = await house.open(server_id=OTHER_SERVER, game="niu-niu")
        self.bulls = table.table_id
        await house.do(self.bulls, TakeBank(MEI, 1, 9, house.rules), MEI)
        await house.join(self.bulls, ALICE, BOB)
        for _ in range(4):
            for player in (ALICE, BOB):
                await house.bet(self.bulls, player, 3)
            await self._reveal_all(self.bulls)
        house.rules = GnauRules(last_call_seconds=0)

    async def _rounds_with_tiles(self) -> None:
        house = self._house
        house.rules = TAU_NGAU_PRESET.model_copy(update={"last_call_seconds": 0})
        table = await house.open(server_id=OTHER_SERVER, game="tau-ngau")
        self.tiles = table.table_id
        await house.join(self.tiles, *COMPANY)
        for _ in range(3):
            if house.table(self.tiles).bank is None:
                await house.do(self.tiles, RollForBank(BOB, (), house.rules), BOB)
            for seat in house.table(self.tiles).seats:
                await house.bet(self.tiles, seat.party, 2)
            await self._reveal_all(self.tiles)
        house.rules = GnauRules(last_call_seconds=0)

    async def _wound_up(self) -> None:
        house = self._house
        table_id = self.wound_up = await house.open_with_bank(ALICE)
        await house.bet(table_id, DORA, 6)
        assert house.table(table_id).phase is Phase.DEALT
        await house.croupier.wind_up([house.table(table_id)])

    async def _reveal_all(self, table_id: int) -> None:
        """Reveals every hand, and first arranges those that may be arranged in any way."""
        table = self._house.table(table_id)
        assert table.phase is Phase.DEALT
        assert table.bank is not None
        for member in (table.bank.party, *(seat.party for seat in table.bets)):
            if table.rules.arrange is Arranging.STRICT and not table.side_bets_on(member):
                await self._house.do(table_id, Arrange(member, (0, 1, 2)), member)
            await self._house.do(table_id, RevealHand(member), member)


async def play_long_evening(database: Path) -> LongEvening:
    """Plays the evening in a new database; the same every time."""
    chance = Random(SEED)
    async with House(database, lambda: chance.randbytes(SECRET_SIZE).hex(), count(1)) as house:
        evening = LongEvening(house)
        await evening.play()
        await house.check()
    return evening
