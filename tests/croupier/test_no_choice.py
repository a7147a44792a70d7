"""Nobody can influence a deal or a roll: not by the time, the member or the request."""

from hypothesis import given
from hypothesis import strategies as st

from bot.croupier.dealing import with_pieces_and_dice
from bot.games.gnau.rules import GnauRules
from bot.rules.tiles import woodpile
from bot.table.commands import Deal, Join, RollForBank, SetClientSeed
from bot.table.state import TableState
from tests.games.presets import TAU_NGAU_PRESET, WIKIPEDIA
from tests.table.committed_rounds import sealed_table
from tests.table.trial_table import ALICE, BOB, MEI

keys = st.text(min_size=1, max_size=20)


def ready_to_deal() -> TableState:
    table = sealed_table(WIKIPEDIA)
    table.bank(MEI)
    table.bet(ALICE, 10)
    table.bet(BOB, 10)
    return table.state


def ready_to_roll() -> TableState:
    table = sealed_table(TAU_NGAU_PRESET)
    table.do(Join(ALICE))
    table.do(Join(BOB))
    table.do(SetClientSeed(ALICE.member_id, "six and six"))
    return table.state


@given(
    key=keys, by=st.none() | st.integers(1, 5), number=st.none() | st.integers(0, 3), brought=st.booleans()
)
def test_the_hands_do_not_depend_on_who_asks_for_the_deal(
    key: str, by: int | None, number: int | None, brought: bool
) -> None:
    state = ready_to_deal()
    own = tuple(woodpile()) if brought else ()
    by_itself = with_pieces_and_dice(state, Deal(None), "the clock")
    asked = with_pieces_and_dice(state, Deal(by, own, number), key)

    assert isinstance(by_itself, Deal)
    assert isinstance(asked, Deal)
    assert asked.pieces == by_itself.pieces


@given(key=keys)
def test_the_dice_depend_on_the_asker_only_through_their_client_seed(key: str) -> None:
    state = ready_to_roll()
    plain = with_pieces_and_dice(state, RollForBank(ALICE.member_id, (), GnauRules()), "1100220033")
    loaded = with_pieces_and_dice(state, RollForBank(ALICE.member_id, (6,) * 64, GnauRules(), "mine"), key)

    assert isinstance(plain, RollForBank)
    assert isinstance(loaded, RollForBank)
    assert loaded.dice == plain.dice
    assert loaded.client_seed == key, "Discord's number, and nothing that the member chose"
