"""Nobody can influence a deal or a roll: not by the time, the member or the request."""

from hypothesis import given
from hypothesis import strategies as st

from bot.games.gnau.rules import GnauRules
from bot.rules.tiles import woodpile
from bot.table.commands import Deal, Join, RollForBank, SetClientSeed
from bot.table.commitment import with_pieces_and_dice
from bot.table.state import TableState
from tests.games.presets import TAU_NGAU_PRESET, WIKIPEDIA
from tests.proof.committed_rounds import sealed_table
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
    table.do(SetClientSeed(ALICE, "six and six"))
    return table.state


@given(
    key=keys, by=st.none() | st.integers(1, 5), number=st.none() | st.integers(0, 3), brought=st.booleans()
)
def test_the_hands_depend_on_who_asks_only_through_the_bankers_client_seed(
    key: str, by: int | None, number: int | None, brought: bool
) -> None:
    state = ready_to_deal()
    own = tuple(woodpile()) if brought else ()
    plain = with_pieces_and_dice(state, Deal(MEI if by == MEI else None), key)
    asked = with_pieces_and_dice(state, Deal(by, own, number, "mine"), key)

    assert isinstance(plain, Deal)
    assert isinstance(asked, Deal)
    assert asked.pieces == plain.pieces
    assert asked.client_seed == key, "Discord's number, and nothing that the member chose"


@given(keys, keys)
def test_the_hands_that_the_table_deals_do_not_depend_on_its_request(key: str, other: str) -> None:
    state = ready_to_deal()
    by_itself, again = (with_pieces_and_dice(state, Deal(None), one) for one in (key, other))

    assert isinstance(by_itself, Deal)
    assert isinstance(again, Deal)
    assert by_itself.pieces == again.pieces


@given(key=keys)
def test_the_dice_depend_on_the_asker_only_through_their_client_seed(key: str) -> None:
    state = ready_to_roll()
    plain = with_pieces_and_dice(state, RollForBank(ALICE, (), GnauRules()), "1100220033")
    loaded = with_pieces_and_dice(state, RollForBank(ALICE, (6,) * 64, GnauRules(), "mine"), key)

    assert isinstance(plain, RollForBank)
    assert isinstance(loaded, RollForBank)
    assert loaded.dice == plain.dice
    assert loaded.client_seed == key, "Discord's number, and nothing that the member chose"
