"""What keeps two processes from doing the same thing: statements that must change every one of their rows."""

from typing import Any, Final

from sqlalchemy import bindparam, delete, update

from bot.ledger.changes import PlanChanged, RoundsCounted, SeasonChanged, TournamentChanged, WeekPosted
from bot.ledger.row_statements import RowsOf, delete_rows, key_of
from bot.ledger.schema import chains, plans, seasons, servers, tournaments, uncounted_rounds

_MOVE_HEADS: Final = (
    update(chains)
    .where(*key_of(chains), chains.c.head == bindparam("before"))
    .values(last_link=bindparam("link"), head=bindparam("new_head"))
)
"""Moves the head of a chain, if the chain still ends where the writer believes. Its hash says so, not its
number: after a server has lost the last commit, another link may have that number by now."""
FENCES: Final[list[tuple[Any, RowsOf]]] = [
    (_MOVE_HEADS, lambda batch: batch.moved_heads),
    (
        delete_rows(uncounted_rounds),
        lambda batch: [
            (fact.server_id, link)
            for fact in batch.facts
            if isinstance(fact, RoundsCounted)
            for link in fact.links
        ],
    ),
    (
        update(servers)
        .values(week_posted=bindparam("week"))
        .where(
            servers.c.server_id == bindparam("server"),
            servers.c.week_posted.is_not_distinct_from(bindparam("before", type_=servers.c.week_posted.type)),
        ),
        lambda batch: [
            (fact.week, fact.server_id, fact.before) for fact in batch.facts if isinstance(fact, WeekPosted)
        ],
    ),
    (
        delete(plans).where(
            plans.c.name == bindparam("same_name"),
            plans.c.at.is_not_distinct_from(bindparam("same_at", type_=plans.c.at.type)),
            plans.c.what == bindparam("same_what"),
        ),
        lambda batch: [
            (one.name, one.at, one.what)
            for fact in batch.facts
            if isinstance(fact, PlanChanged) and (one := fact.before) is not None
        ],
    ),
    (
        delete(seasons).where(
            *key_of(seasons),
            seasons.c.ends_at.is_not_distinct_from(bindparam("same_end", type_=seasons.c.ends_at.type)),
            seasons.c.repeat_day.is_not_distinct_from(bindparam("same_day", type_=seasons.c.repeat_day.type)),
            seasons.c.is_over == bindparam("same_over"),
            seasons.c.is_posted == bindparam("same_posted"),
            seasons.c.is_crowned == bindparam("same_crowned"),
            seasons.c.winners == bindparam("same_winners"),
        ),
        lambda batch: [
            (
                *(one.server_id, one.number, one.ends_at, one.repeat_day, one.is_over),
                *(one.is_posted, one.is_crowned, one.winners),
            )
            for fact in batch.facts
            if isinstance(fact, SeasonChanged) and (one := fact.before) is not None
        ],
    ),
    (
        delete(tournaments).where(*key_of(tournaments), tournaments.c.state == bindparam("same_state")),
        lambda batch: [
            (one.tournament_id, one.state)
            for fact in batch.facts
            if isinstance(fact, TournamentChanged) and (one := fact.before) is not None
        ],
    ),
]
"""If one changes fewer rows, another process was faster: it wrote to the chain, counted a round already,
did what was planned, posted a week, ended a season, or went on with a tournament."""
