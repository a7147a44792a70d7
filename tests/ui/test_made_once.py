"""What is kept of boards and hands is never what belongs to another state."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from itertools import count

import pytest

from bot.croupier.identities import Identities
from bot.games.hands import shuffled_pack
from bot.ledger.changes import Identity
from bot.ledger.memory import Place, Stacks
from bot.ledger.records import Stack
from bot.pictures.compose import hand_picture
from bot.pictures.pictured_hand import PicturedHand
from bot.table.commands import Deal, Join, PlaceBet, TakeBank
from bot.table.state import THE_HOUSE, Phase, TableState
from bot.ui import pictures as ui_pictures
from bot.ui.board.content import BoardContent
from bot.ui.hand.own_hand import OwnHand, PanelMemory, own_hand
from bot.ui.pictures import HandPictures
from bot.ui.readers import Names
from bot.words.translation import Reader, speaking_to
from tests.sizes import sample
from tests.ui.sample_tables import BANKER, NAMES, PLAYERS, PURSE, Table, random_evening
from tests.words.conftest import WriteLocale
from tests.words.conftest import write_locale as write_locale
from tests.words.test_po_files import entry


async def rich(places: Collection[Place]) -> Mapping[Place, Stack]:
    """Everybody has the same chips, and a score of their own."""
    return {place: Stack(PURSE, score=place[1] % 97) for place in places}


async def rich_enough(server_id: int, parties: Iterable[int]) -> dict[int, int]:
    return dict.fromkeys(parties, PURSE)


def new_content(called: Names = NAMES) -> BoardContent:
    return BoardContent(Stacks(rich), rich_enough, called)


@pytest.mark.parametrize("seed", sample(range(3)))
async def test_a_board_that_follows_an_evening_is_what_a_new_one_would_be(seed: int) -> None:
    follows = new_content()
    for state in list(random_evening(seed))[::3]:
        assert await follows.made_of(state) == await new_content().made_of(state)


def dealt(stakes: tuple[int, ...] = (20, 30)) -> TableState:
    """A table where two players have hands."""
    table = Table()
    table.do(TakeBank(BANKER, 5, 100, table.rules), *(Join(player) for player in PLAYERS[:2]))
    table.do(*(PlaceBet(player, stake) for player, stake in zip(PLAYERS, stakes, strict=False)))
    table.do(Deal(BANKER, shuffled_pack(3, table.rules)))
    return table.state


class Erasable(Identities):
    """Knows every party until it is erased."""

    def __init__(self) -> None:
        self.erased: set[int] = set()

    def get(self, party: int) -> Identity | None:
        """A member whose Discord id is the party."""
        return None if party in self.erased else Identity(party, 1, party, "Somebody", "en-US")


async def test_a_result_is_written_again_when_a_member_is_erased() -> None:
    states = (state for seed in count() for state in random_evening(seed))
    members = (one for one in states if one.last is not None and one.last.banker != THE_HOUSE)
    state = next(state for state in members if state.bank is None)
    assert state.last is not None
    known = Erasable()
    content = new_content(Names(known))
    before = await content.made_of(state)
    known.erased.add(state.last.banker)
    content.forget_names()

    after = await content.made_of(state)

    assert after == await new_content(Names(known)).made_of(state)
    assert after != before


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[PicturedHand]:
    """Every hand that was rendered."""
    hands: list[PicturedHand] = []

    def render(hand: PicturedHand) -> bytes:
        hands.append(hand)
        return hand_picture(hand)

    monkeypatch.setattr(ui_pictures, "hand_picture", render)
    return hands


def hand_in(state: TableState, number: int = 0) -> tuple[int, int, OwnHand]:
    """The hand at a seat, as its picture is asked for."""
    party = state.seats[number].party
    own = own_hand(state, PanelMemory(party))
    assert own is not None
    return state.table_id, party, own


async def test_the_picture_of_a_hand_is_rendered_once(rendered: list[PicturedHand]) -> None:
    pictures, state = HandPictures(), dealt()
    first = await pictures.of(*hand_in(state))
    assert await pictures.of(*hand_in(replace(state, deadline=5.0))) is first
    assert len(rendered) == 1


async def test_every_hand_way_round_table_and_language_has_its_own(rendered: list[PicturedHand]) -> None:
    pictures, state = HandPictures(), dealt()
    table_id, party, own = hand_in(state)
    made = [
        await pictures.of(table_id, party, own),
        await pictures.of(*hand_in(state, 1)),
        await pictures.of(table_id, party, replace(own, declared_ox=(0, 1, 2))),
        await pictures.of(*hand_in(replace(state, round_number=9))),
        await pictures.of(*hand_in(replace(state, table_id=9))),
    ]
    with speaking_to(Reader("de")):
        made.append(await pictures.of(table_id, party, own))
    assert len(rendered) == len({id(one) for one in made}) == 6


async def test_a_result_is_written_again_in_another_language(write_locale: WriteLocale) -> None:
    write_locale("de", entry("alt.bank", "Bank der Runde"), entry("hand.no_ox", "Keine Kuh"))
    content = new_content()
    state = next(one for one in random_evening(1) if one.last is not None and one.phase is not Phase.DEALT)
    english, german = await content.made_of(state), await content.made_of(state, Reader("de"))

    assert german == await new_content().made_of(state, Reader("de"))
    assert english == await content.made_of(state)
    assert english[1] is not None
    assert german[1] is not None
    assert "Bank der Runde" in (german[1].description or "")
    assert english[1].data == german[1].data, "a picture has no words"
