"""What members ask of a table, by its board: mostly sensible, sometimes anything."""

from dataclasses import dataclass
from random import Random

from bot.rules.knobs import Arrange as ArrangedBy
from bot.table.commands import (
    Arrange,
    CloseTable,
    Command,
    Deal,
    GiveUpBank,
    Join,
    Leave,
    PlaceBet,
    PlaceSideBet,
    RevealHand,
    RollForBank,
    SetClientSeed,
    SetLimits,
    SitOut,
    TakeBank,
    WithdrawBet,
    WithdrawSideBet,
)
from bot.table.state import Member, Phase, TableState


@dataclass(frozen=True, slots=True)
class MemberStrategy:
    """Makes commands.

    Attributes:
        random: decides them.
    """

    random: Random

    def of(self, member: Member, seen: TableState) -> Command:
        """What a member asks of a table."""
        pick = self.random.random()
        if pick < 0.08:
            return self._whim(member, seen)
        match seen.phase:
            case Phase.OPEN:
                return self._bank(member, seen)
            case Phase.BETTING:
                return self._bet(member, seen)
            case Phase.DEALT if seen.rules.arrange is not ArrangedBy.AUTOMATIC and pick < 0.5:
                return self._arrange(member, seen)
            case _:
                return RevealHand(member.member_id, self._round(seen))

    def _whim(self, member: Member, seen: TableState) -> Command:
        who, round_number = member.member_id, self._round(seen)
        anything: list[Command] = [
            Join(member),
            Leave(who),
            GiveUpBank(who),
            SitOut(who, round_number),
            WithdrawBet(who, round_number),
            Deal(who, (), round_number),
            SetLimits(who, self.random.randint(1, 5), self.random.randint(3, 60)),
            CloseTable(who, manages=self.random.random() < 0.2),
            SetClientSeed(who, f"words {self.random.random()}"),
            self._arrange(member, seen),
        ]
        anything += [WithdrawSideBet(who, side.backed, round_number) for side in seen.side_bets_of(who)]
        return self.random.choice(anything)

    def _bank(self, member: Member, seen: TableState) -> Command:
        if not seen.game.rolls_for_bank:
            lowest = self.random.randint(1, 5)
            return TakeBank(member, lowest, lowest + self.random.randint(0, 60), seen.rules)
        if not seen.has(member.member_id):
            return Join(member)
        return RollForBank(member.member_id, (), seen.rules)

    def _bet(self, member: Member, seen: TableState) -> Command:
        who, round_number = member.member_id, self._round(seen)
        if seen.is_banker(who):
            return Deal(who, (), round_number)
        pick = self.random.random()
        if seen.bets and not seen.has(who) and pick < 0.4:
            backed = self.random.choice(seen.bets).member.member_id
            return PlaceSideBet(member, backed, self.random.randint(1, 40), round_number)
        if pick > 0.95:
            return SitOut(who, round_number)
        return PlaceBet(member, self.random.randint(1, 60), round_number, takes_seat=pick < 0.9)

    def _arrange(self, member: Member, seen: TableState) -> Command:
        three = None if self.random.random() < 0.2 else tuple(sorted(self.random.sample(range(5), 3)))
        return Arrange(member.member_id, three, self._round(seen))

    def _round(self, seen: TableState) -> int | None:
        """The round that is meant: the one on the board; None for a slash command."""
        return None if self.random.random() < 0.2 else seen.round_number
