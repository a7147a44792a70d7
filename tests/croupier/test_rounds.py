"""Rounds at the croupier's tables: dice and tiles, side bets, and the channels that a house allows."""

import pytest

from bot.croupier.open_tables import ChannelNotAllowedError
from bot.games.gnau.rules import GnauRules
from bot.ledger.memory import BREAK_SECONDS
from bot.table.betting import chips_left, is_all_in
from bot.table.commands import (
    CloseTable,
    Deal,
    GiveUpBank,
    MemberLeft,
    PlaceBet,
    PlaceSideBet,
    RollForBank,
    TakeBank,
)
from bot.table.events import DiceRolled
from bot.table.refusals import Refused
from bot.table.state import DICE, ROUNDS_MISSED_IN_A_ROW, Phase, SideBet
from bot.table.story import Feat, Story
from tests.croupier.croupier_house import ALICE, BOB, CHAN, MEI, SERVER, House, fresh
from tests.games.presets import TAU_NGAU_PRESET
from tests.houses import value_of

TILES = TAU_NGAU_PRESET.model_copy(update={"last_call_seconds": 0})


async def rolled(house: House) -> int:
    """A table of Tau Ngau with four members, one of whom the dice made banker."""
    house.rules = TILES
    table = await house.open(game="tau-ngau")
    await house.join(table.table_id, MEI, ALICE, BOB, CHAN)
    await house.do(table.table_id, RollForBank(ALICE, (), house.rules), ALICE)
    return table.table_id


async def showdown(house: House, table_id: int) -> None:
    """Bets a chip on every seat, and plays the round to its end."""
    for seat in house.table(table_id).seats:
        await house.bet(table_id, seat.party, 1)
    assert house.table(table_id).phase is Phase.DEALT
    house.now += house.rules.arranging_seconds
    await house.croupier.go_on()


async def test_b03_the_next_round_uses_the_houses_rules_of_the_tables_game(house: House) -> None:
    table_id = await rolled(house)
    house.rules = TILES.model_copy(update={"wild_in_score": False, "betting_seconds": 77})
    await showdown(house, table_id)
    rules = house.table(table_id).rules
    assert (rules.game, value_of(rules, "wild_in_score"), rules.betting_seconds) == ("tau-ngau", False, 77)


async def test_t03_the_croupier_rolls_the_dice_whatever_a_command_contains(house: House) -> None:
    banks: set[int] = set()
    dice: set[int] = set()
    for _ in range(8):
        table_id = await rolled(house)
        (thrown,) = (
            event
            for change in house.changes
            if change.after.table_id == table_id
            for event in change.events
            if isinstance(event, DiceRolled)
        )
        assert len(thrown.throws) >= 4
        assert all(len(throw.dice) == DICE for throw in thrown.throws)
        dice.update(die for throw in thrown.throws for die in throw.dice)
        bank = house.table(table_id).bank
        assert bank is not None
        banks.add(bank.party)
    assert len(banks) > 1
    assert dice <= set(range(1, 7))
    assert len(dice) > 3


async def test_b06_tables_are_opened_in_allowed_channels_and_their_threads_only(house: House) -> None:
    house.rules = GnauRules(channels=(700, 800))
    for parent_id in (None, 900):
        with pytest.raises(ChannelNotAllowedError) as elsewhere:
            await house.croupier.open_table(SERVER, 901, MEI, 90, parent_id=parent_id)
        assert elsewhere.value.channels == (700, 800)
    assert house.croupier.tables.all() == []
    for key, channel_id, parent_id in ((91, 800, None), (92, 901, 700)):
        table = await house.croupier.open_table(SERVER, channel_id, MEI, key, parent_id=parent_id)
        assert table.channel_id == channel_id


async def test_b06_an_open_table_stays_when_its_channel_is_no_longer_allowed(house: House) -> None:
    table_id = await house.open_with_bank(MEI)
    house.rules = GnauRules(channels=(700,), last_call_seconds=0)
    await house.bet(table_id, ALICE, 5)
    house.now += house.rules.arranging_seconds
    await house.croupier.go_on()
    assert house.table(table_id).round_number == 2


@pytest.mark.parametrize("after_the_deal", [False, True])
async def test_who_is_refused_in_every_round_is_not_away(house: House, after_the_deal: bool) -> None:
    table_id = await house.open_with_bank(players=(BOB, CHAN))
    for _ in range(ROUNDS_MISSED_IN_A_ROW + 1):
        await house.bet(table_id, ALICE, 10)
        if not after_the_deal:
            assert isinstance(await house.ask(table_id, PlaceBet(BOB, 1), BOB), Refused)
        await house.do(table_id, Deal(MEI), MEI)
        if after_the_deal:
            assert isinstance(await house.ask(table_id, PlaceBet(BOB, 10), BOB), Refused)
        house.now += house.rules.arranging_seconds
        await house.croupier.go_on()
    assert {seat.party for seat in house.table(table_id).seats} == {ALICE, BOB}
    await house.check()


async def test_a_bet_is_all_in_if_own_chips_cover_no_larger_one_and_a_result_knows_what_all_had(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    had = list[object]()

    def note(story: Story, *settled: object) -> Story:
        had.append(settled[2])
        return story

    monkeypatch.setattr(Story, "after", note)
    house.rules = GnauRules(opening_chips=100_000)
    other = await house.open_with_bank()
    house.rules = GnauRules(opening_chips=300)
    table_id = await house.open_with_bank()
    await house.bet(other, CHAN, 20)
    for member, stake in ((ALICE, 300 // 7), (BOB, 300 // 7 - 1), (CHAN, 160 // 7)):
        free = await house.croupier.wallets.free_chips(house.table(table_id), member)
        left = chips_left(house.table(table_id), member, stake, free[member])
        assert is_all_in(house.rules, stake, left) is (member != BOB)
        await house.bet(table_id, member, stake)
    stories = house.croupier.stories
    assert stories.all_in(house.table(table_id)) == {ALICE}, "Chan has more at another table"
    await house.do(table_id, Deal(MEI), MEI)
    assert stories.all_in(house.table(table_id)) == {ALICE}
    house.now += house.rules.arranging_seconds
    await house.croupier.go_on()
    assert had == [{MEI: 100_000, ALICE: 300, BOB: 300, CHAN: 300}], "whatever the round brought"


async def test_a_bank_that_breaks_in_the_round_after_which_the_table_closes_is_known(house: House) -> None:
    house.rules = GnauRules(opening_chips=35)
    brought = 0
    while brought >= 0:
        table_id = await house.open_with_bank()
        await house.bet(table_id, ALICE, 5)
        await house.do(table_id, Deal(MEI), MEI)
        await house.do(table_id, CloseTable(MEI, manages=False), MEI)
        house.now += house.rules.arranging_seconds
        await house.croupier.go_on()
        story = house.croupier.stories.of(table_id)
        brought = story.gains[MEI]
        bust = story.highlight is not None and story.highlight.feat is Feat.BANK_BROKEN
        assert bust is ((await house.croupier.wallets.stack(SERVER, MEI)).free < 35)
        if brought > 0:
            await house.give(MEI, ALICE, brought)
    assert bust
    await house.check()


async def test_who_takes_the_bank_again_begins_a_new_turn_also_after_a_restart(house: House) -> None:
    house.rules = GnauRules(last_call_seconds=0)
    table_id = await house.open_with_bank(MEI, lowest=1, players=(ALICE,))
    await showdown(house, table_id)
    await showdown(house, table_id)
    assert house.croupier.stories.of(table_id).turn.rounds == 2
    await house.do(table_id, GiveUpBank(MEI), MEI)
    assert house.croupier.stories.of(table_id).turn.rounds == 2, "its sum is told then"
    await house.do(table_id, TakeBank(MEI, 1, 50, house.rules), MEI)
    await showdown(house, table_id)
    turn = house.croupier.stories.of(table_id).turn
    assert (turn.party, turn.rounds) == (MEI, 1)
    await house.restart()
    await house.croupier.stories.load(table_id)
    assert house.croupier.stories.of(table_id).turn == turn


async def test_b01_side_bets_survive_a_restart_and_are_settled_after_it(house: House) -> None:
    house.rules = GnauRules()
    table_id = await house.open_with_bank(MEI)
    await house.bet(table_id, ALICE, 10)
    await house.do(table_id, PlaceSideBet(CHAN, ALICE, 20), CHAN)
    await house.restart()
    assert house.table(table_id).side_bets == (SideBet(CHAN, ALICE, 20),)

    await house.do(table_id, Deal(MEI), MEI)
    await house.restart(go_on=False)
    house.now += house.rules.arranging_seconds
    await house.croupier.go_on()
    await house.until(lambda: house.table(table_id).last)

    last = house.table(table_id).last
    assert last is not None
    (side,), (player,) = last.side_bets, last.players
    assert (side.outcome, side.chips) == (player.outcome, 2 * player.chips)
    purses = [await house.croupier.wallets.purse(SERVER, member) for member in (MEI, ALICE, CHAN)]
    gains = [last.bank_chips, player.chips, side.chips]
    assert [purse.wallet for purse in purses] == [1000 + gain for gain in gains]
    await house.check()


async def test_b06_tables_where_a_departed_member_has_only_a_side_bet_are_found(
    house: House,
) -> None:
    house.rules = GnauRules()
    backed, seated, neither = [await house.open_with_bank(MEI) for _ in range(3)]
    for table_id in (backed, seated, neither):
        await house.bet(table_id, ALICE, 5)
    await house.do(backed, PlaceSideBet(CHAN, ALICE, 5), CHAN)
    await house.bet(seated, CHAN, 5)

    concerned = house.croupier.tables.concerning(SERVER, CHAN)

    assert [table.table_id for table in concerned] == [backed, seated]
    assert house.croupier.tables.concerning(SERVER + 1, CHAN) == []
    for table in concerned:
        await house.croupier.ask(table.table_id, MemberLeft(CHAN), None, str(fresh()))
    assert (await house.croupier.wallets.purse(SERVER, CHAN)).wallet == 1000
    await house.check()


async def test_a_story_begins_again_with_each_evening_of_a_table(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_id = await house.open_with_bank(MEI, lowest=1, players=(ALICE,))
    stories = house.croupier.stories
    await house.do(table_id, GiveUpBank(MEI), MEI)
    await house.do(table_id, TakeBank(MEI, 1, 9, house.rules), MEI)
    await showdown(house, table_id)
    house.now += BREAK_SECONDS - house.rules.arranging_seconds
    await showdown(house, table_id)
    assert (stories.of(table_id).rounds, stories.of(table_id).called_off) == (2, 1)
    for read in (300, 2):
        monkeypatch.setattr("bot.croupier.stored_tables.ROUNDS_READ", read)
        await house.restart()
        stories = house.croupier.stories
        await stories.load(table_id)
        assert (stories.of(table_id).rounds, stories.of(table_id).called_off) == (2, read > 2)
    house.now += BREAK_SECONDS + 1
    await showdown(house, table_id)
    assert (stories.of(table_id).rounds, stories.of(table_id).turn.rounds) == (1, 3)
    assert not stories.of(table_id).called_off
    monkeypatch.undo()
    await house.restart()
    stories = house.croupier.stories
    await stories.load(table_id)
    assert (stories.of(table_id).rounds, stories.of(table_id).turn.rounds) == (1, 3)
    house.now += BREAK_SECONDS + 1
    await house.do(table_id, CloseTable(CHAN, manages=True), CHAN)
    assert not stories.of(table_id).rounds
