"""Pictures on boards and of hands: whose hand is framed, which one is left, and what a piece counts."""

from dataclasses import replace

from bot.games.gnau.rules import GnauRules
from bot.games.hands import evaluate
from bot.rules.cards import parse_cards
from bot.table.state import Phase, TableState
from bot.table.story import Story
from bot.ui.board.content import BEST_HAND
from bot.ui.board.text import BoardFacts
from bot.ui.hand.own_hand import OwnHand
from bot.ui.pictures import HandPictures, render_arranged, render_showdown
from bot.wire.requests import Attachment
from tests.ui.sample_tables import BANKER
from tests.ui.test_celebrations import ALICE, DOUBLE_OX, NGAU_TONKU, NO_OX, OX_OF_7, result_of, settled
from tests.ui.test_made_once import new_content

THREE_AS_SIX = "3S KD 4C 7H 2D"
"""An ox only because the 3 counts 6."""


async def picture_of(state: TableState, story: Story) -> Attachment | None:
    """The picture on a new board."""
    _, picture = await new_content().made_of(state, facts=BoardFacts(story=story))
    return picture


async def test_a_boards_picture_frames_the_hand_that_is_celebrated_and_no_other() -> None:
    for hands, party in (((NO_OX, NGAU_TONKU), ALICE), ((NGAU_TONKU, OX_OF_7), BANKER)):
        state = settled(*hands)
        story = Story().after(result_of(state))
        plain, framed = [
            await render_showdown(result_of(state), "round-1.png", celebrated) for celebrated in (None, party)
        ]
        assert plain.data != framed.data
        assert await picture_of(state, story) == framed
        assert await picture_of(state, replace(story, highlight=None)) == plain, "turned off"
    hard = settled(DOUBLE_OX, NO_OX)
    lost = Story().after(result_of(hard), had={ALICE: 143})
    assert lost.highlight is not None
    assert await picture_of(hard, lost) == await render_showdown(result_of(hard), "round-1.png")


async def test_a_closed_table_shows_the_best_hand_of_its_evening_unless_its_only_round_was_the_last() -> None:
    state = settled(NO_OX, NGAU_TONKU)
    story = Story().after(result_of(state))
    closed = replace(state, phase=Phase.CLOSED, seats=(), bank=None)
    shown, rules = await picture_of(closed, story), state.rules
    assert shown is not None
    assert shown.name == BEST_HAND == "best-hand.png"
    assert (
        shown.data
        == (await render_arranged(evaluate(parse_cards(NGAU_TONKU), rules), rules, framed=True)).data
    )
    with_its_round = replace(closed, closes_after_round=True, round_number=1)
    names = [
        one and one.name
        for one in [
            await picture_of(with_its_round, story),
            await picture_of(with_its_round, replace(story, rounds=2)),
            await picture_of(with_its_round, replace(story, rounds=2, best=None)),
        ]
    ]
    assert names == ["round-1.png", BEST_HAND, "round-1.png"]


async def test_g04_a_picture_says_where_a_three_counts_six() -> None:
    result = result_of(settled(OX_OF_7, THREE_AS_SIX))
    pieces = parse_cards(THREE_AS_SIX)
    own = OwnHand(GnauRules(), 1, pieces, None, evaluate(pieces, GnauRules()))
    for picture in (await render_showdown(result, "round-1.png"), await HandPictures().of(1, ALICE, own)):
        assert "3♠(6)" in (picture.description or "")
        assert (picture.description or "").count("(") == 1, (
            "where a piece counts what it shows, nothing is said"
        )
