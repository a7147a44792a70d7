"""The board of a tournament, at its longest, and what panels at its tables say."""

from dataclasses import replace

import pytest

from bot.games.house import House
from bot.table.state import Contender
from bot.table.tournament import (
    MOST_ENTRANTS,
    Progress,
    Tournament,
    finish_stage,
    start,
    tournament_rules,
)
from bot.ui.components import text_view
from bot.ui.hand.view import panel_view
from bot.ui.tournament_view import tournament_line, tournament_view
from bot.words.translation import Reader, speaking_to
from cogs.tournaments import MOST_SHOWN
from tests.table.test_heats import CHIPS, heat_of
from tests.table.trial_table import ALICE, BOB, NO_OX
from tests.ui.hand_panels import NO_FACTS
from tests.ui.messages import buttons_of, sent, text_of
from tests.ui.sample_names import mention
from tests.ui.sample_tables import LAST_ID, NAMES, NOON
from tests.words.test_every_language import TRANSLATED

MOST = 1_000_000
ENTRANTS = tuple(LAST_ID - number for number in range(MOST_ENTRANTS))
ENTERING = Tournament(
    LAST_ID,
    LAST_ID,
    LAST_ID,
    LAST_ID,
    tournament_rules(House(), "tau-ngau", MOST, 0),
    MOST,
    MOST,
    30,
    NOON,
    entrants=ENTRANTS,
    message_id=LAST_ID,
)
PLAYING = start(ENTERING, ENTRANTS)
OVER = replace(
    PLAYING, progress=Progress.OVER, ranking=tuple(Contender(party, MOST) for party in ENTRANTS[:5])
)


@pytest.mark.parametrize("locale", ["en-US", *TRANSLATED])
def test_the_longest_boards_fit_into_a_message(locale: str) -> None:
    with speaking_to(Reader(locale)):
        for one in (ENTERING, PLAYING, OVER):
            sent(tournament_view(one, {}, NAMES))
        for one in (ENTERING, PLAYING):
            sent(text_view("\n".join([tournament_line(one)] * MOST_SHOWN)))


@pytest.mark.parametrize(
    ("alice", "bob"), [(CHIPS + 25, CHIPS - 20), (CHIPS - 20, CHIPS + 25), (CHIPS, CHIPS)]
)
def test_before_the_last_cards_of_a_final_panels_say_who_leads_and_by_how_much(alice: int, bob: int) -> None:
    """With the same chips, the player who entered first is ahead, whatever the stage before brought."""
    entrants = (ALICE, BOB, *ENTRANTS[:10])
    stage = start(replace(ENTERING, entrants=entrants), entrants)
    final = finish_stage(stage, [(Contender(ALICE, CHIPS), Contender(BOB, 2 * CHIPS))]).heat(0)
    chips = {ALICE: alice, BOB: bob}
    heat = replace(final, contenders=tuple(replace(one, chips=chips[one.party]) for one in final.contenders))
    state = heat_of(ALICE, BOB, rounds=1).state
    first, second = (ALICE, BOB) if alice >= bob else (BOB, ALICE)

    def panel(party: int, rounds: int = 1) -> str:
        memory = replace(NO_FACTS.memory, party=party)
        shown = replace(state, heat=replace(heat, rounds=rounds))
        return text_of(sent(panel_view(shown, NAMES, replace(NO_FACTS, memory=memory, most=5))))

    ahead, has = abs(alice - bob), f"{chips[first]:,}"
    assert f"You lead with {has}: {ahead} ahead of {mention(second)}." in panel(first)
    more = ahead + (first == ALICE)
    assert f"{mention(first)} leads with {has}. To be ahead, win {more} more than they do." in panel(second)
    assert "lead" not in panel(first, rounds=2)


def test_in_every_round_of_a_tournament_panels_offer_the_lowest_bet() -> None:
    table = heat_of(ALICE, BOB, rounds=2)
    table.bet_all(40, ALICE, BOB)
    table.deal_when_due(NO_OX, NO_OX, NO_OX)
    table.showdown()
    facts = replace(NO_FACTS, memory=replace(NO_FACTS.memory, party=ALICE), most=100, chips_left=0)
    assert [*buttons_of(sent(panel_view(table.state, NAMES, facts)))][:3] == ["Bet 5", "Bet 40", "Bet 80"]
