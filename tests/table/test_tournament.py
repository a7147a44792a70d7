"""Who plays at which table of a tournament, who is cut, and what the first three win."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from bot.games.house import House
from bot.games.register import GAMES
from bot.games.settle import largest_multiple
from bot.table.accounts import pot
from bot.table.state import THE_HOUSE, Contender
from bot.table.tournament import (
    AT_A_TABLE,
    MOST_ENTRANTS,
    Progress,
    Tournament,
    finish_stage,
    paid_prizes,
    parse_tournament,
    returns,
    shares,
    start,
    tournament_json,
    tournament_rules,
)

NOW = 1_790_000_000.0


def tournament(entrants: int, entry: int = 100, game: str = "gnau") -> Tournament:
    """A tournament that this many have entered."""
    return Tournament(
        1,
        8,
        9,
        1,
        tournament_rules(House(), game, 1000, 0),
        entry,
        1000,
        5,
        NOW,
        entrants=tuple(range(1, entrants + 1)),
    )


def left_at(one: Tournament, chips: dict[int, int]) -> list[tuple[Contender, ...]]:
    """Who is left at each table of a stage."""
    return [
        tuple(Contender(party, chips[party]) for party in group.parties if party in chips)
        for group in one.groups
    ]


@given(st.integers(2, MOST_ENTRANTS), st.sampled_from(sorted(GAMES)), st.data())
def test_each_stage_cuts_the_lower_half_until_one_table_is_left_whose_first_win_the_pot(
    entrants: int, game: str, data: st.DataObject
) -> None:
    one = start(tournament(entrants, data.draw(st.integers(1, 500)), game), range(1, entrants + 1))
    while one.progress is Progress.PLAYING:
        players = [party for group in one.groups for party in group.parties]
        sizes = {len(group.parties) for group in one.groups}
        assert max(sizes) - min(sizes) <= 1
        assert max(sizes) <= min(AT_A_TABLE, GAMES[one.game].most_players)
        # Each table has its players in the order in which they entered.
        assert all(list(group.parties) == sorted(group.parties) for group in one.groups)
        staying = data.draw(st.sets(st.sampled_from(players), min_size=len(players) // 2))
        chips = {party: data.draw(st.integers(0, 3000)) for party in staying}
        before, one = one, finish_stage(one, left_at(one, chips))
        ranked = sorted(staying, key=lambda party: (-chips[party], party))
        if one.progress is Progress.OVER:
            assert [(on.party, on.chips) for on in one.ranking] == [(on, chips[on]) for on in ranked]
            assert before.is_final or len(staying) < 2
        else:
            next_players = {party for group in one.groups for party in group.parties}
            assert next_players == set(ranked[: (len(players) + 1) // 2])
            assert one.ended == before.groups
    paid = Counter({move.target.party: move.chips for move in paid_prizes(one)})
    assert paid.total() == one.pot == one.entry * entrants
    assert list(paid) == ([on.party for on in one.ranking[: len(paid)]] or [THE_HOUSE])
    assert parse_tournament(tournament_json(one)) == one


@given(st.integers(0, 10**9), st.integers(1, 60))
def test_the_first_three_share_the_pot_and_nobody_gets_more_than_who_is_ahead(
    chips: int, players: int
) -> None:
    shared = shares(chips, players)
    assert sum(shared) == chips
    assert list(shared) == sorted(shared, reverse=True)
    assert len(shared) == (1 if players <= 2 else 3)


@given(st.integers(0, MOST_ENTRANTS), st.data())
def test_a_cancelled_tournament_gives_every_entry_back_and_those_of_erased_members_to_the_house(
    entrants: int, data: st.DataObject
) -> None:
    one = tournament(entrants)
    known = data.draw(st.sets(st.sampled_from(one.entrants))) if entrants else set()
    moves = returns(one, known)
    assert all(move.source == pot(1) for move in moves)
    back = {move.target.party: move.chips for move in moves}
    assert sum(back.values()) == one.pot
    assert {party for party in back if party != THE_HOUSE} == known
    assert all(back[party] == one.entry for party in known)


def test_a_tournament_with_fewer_than_two_who_may_play_is_cancelled() -> None:
    assert start(tournament(3), {2}).progress is Progress.CANCELLED


@given(st.sampled_from(sorted(GAMES)), st.integers(100, 10**6))
def test_everybody_can_lose_the_lowest_bet_often(game: str, chips: int) -> None:
    rules = tournament_rules(House(), game, chips, 0)
    assert chips >= rules.lowest_stake * largest_multiple(rules)
    assert rules.highest_stake == chips // largest_multiple(rules) >= rules.lowest_stake
