"""What members ask of a table, by its board: mostly sensible, sometimes anything."""

from dataclasses import dataclass
from random import Random

from bot.rules.knobs import Arrange as ArrangedBy
from bot.table.commands import (
    Arrange,
    CloseTable,
    Deal,
    GiveUpBank,
    Join,
    Leave,
    MemberCommand,
    PlaceBet,
    PlaceSideBet,
    PlayHouse,
    RevealHand,
    RollForBank,
    SetClientSeed,
    SetLimits,
    SitOut,
    TakeBank,
    WithdrawBet,
    WithdrawSideBet,
)
from bot.table.state import Phase, TableState
from tests.simulation.marks import new_words


@dataclass(frozen=True, slots=True)
class MemberStrategy:
    """Makes commands.

    Attributes:
        random: decides them.
    """

    random: Random

    def of(self, party: int, seen: TableState) -> MemberCommand:
        """What a member asks of a table, by the party that they know of themselves."""
        pick = self.random.random()
        if pick < 0.08:
            return self._whim(party, seen)
        match seen.phase:
            case Phase.OPEN:
                return self._bank(party, seen)
            case Phase.BETTING:
                return self._bet(party, seen)
            case Phase.DEALT if seen.rules.arrange is not ArrangedBy.AUTOMATIC and pick < 0.5:
                return self._arrange(party, seen)
            case _:
                return RevealHand(party, self._round(seen))

    def _whim(self, party: int, seen: TableState) -> MemberCommand:
        round_number = self._round(seen)
        anything: list[MemberCommand] = [
            Join(party),
            Leave(party),
            GiveUpBank(party),
            SitOut(party, round_number),
            WithdrawBet(party, round_number),
            Deal(party, (), round_number),
            SetLimits(party, self.random.randint(1, 5), self.random.randint(3, 60)),
            CloseTable(party, manages=self.random.random() < 0.2),
            SetClientSeed(party, new_words(self.random)),
            self._arrange(party, seen),
        ]
        anything += [WithdrawSideBet(party, side.backed, round_number) for side in seen.side_bets_of(party)]
        return self.random.choice(anything)

    def _bank(self, party: int, seen: TableState) -> MemberCommand:
        if self.random.random() < 0.3:
            return PlayHouse(party, seen.rules)
        if not seen.game.rolls_for_bank:
            lowest = self.random.randint(1, 5)
            return TakeBank(party, lowest, lowest + self.random.randint(0, 60), seen.rules)
        if not seen.has(party):
            return Join(party)
        return RollForBank(party, (), seen.rules)

    def _bet(self, party: int, seen: TableState) -> MemberCommand:
        round_number = self._round(seen)
        if seen.is_banker(party):
            return Deal(party, (), round_number)
        pick = self.random.random()
        if seen.bets and not seen.has(party) and pick < 0.4:
            backed = self.random.choice(seen.bets).party
            return PlaceSideBet(party, backed, self.random.randint(1, 40), round_number)
        if seen.house_banks and pick > 0.97:
            return TakeBank(party, 1, 50, seen.rules)
        if pick > 0.95:
            return SitOut(party, round_number)
        return PlaceBet(party, self.random.randint(1, 60), round_number, takes_seat=pick < 0.9)

    def _arrange(self, party: int, seen: TableState) -> MemberCommand:
        three = None if self.random.random() < 0.2 else tuple(sorted(self.random.sample(range(5), 3)))
        return Arrange(party, three, self._round(seen))

    def _round(self, seen: TableState) -> int | None:
        """The round that is meant: the one on the board; None for a slash command."""
        return None if self.random.random() < 0.2 else seen.round_number
