"""Statements that take rows, by the columns of their table."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import fields
from operator import attrgetter
from typing import Any

from sqlalchemy import (
    BindParameter,
    Column,
    ColumnElement,
    Delete,
    Insert,
    Table,
    bindparam,
    case,
    delete,
    func,
    insert,
)

from bot.ledger.batch import Batch, Rows

RowsOf = Callable[[Batch], Rows]
"""The rows that a statement writes for a batch."""


def insert_rows(table: Table) -> Insert:
    """Takes rows in the order of the table's columns."""
    return insert(table).values(of_row(table.c))


def of_row(columns: Iterable[Column[Any]]) -> dict[str, BindParameter[Any]]:
    """A parameter for each column, by its name."""
    return {column.name: bindparam(column.name, type_=column.type) for column in columns}


def replacing(inserted: Any, table: Table, changed: Iterable[Column[Any]]) -> Any:
    """An insert that replaces these columns of a row whose key is there already."""
    return inserted.on_conflict_do_update(
        index_elements=list(table.primary_key),
        set_={column.name: inserted.excluded[column.name] for column in changed},
    )


def delete_rows(table: Table) -> Delete:
    """Takes primary keys as rows."""
    return delete(table).where(*key_of(table))


def key_of(table: Table) -> list[Any]:
    """Whether a row has the primary key that is given, as conditions."""
    return [column == bindparam(f"key_{column.name}") for column in table.primary_key]


def upserting(dialects_insert: Callable[[Table], Any]) -> Callable[..., Any]:
    """What makes upserts in a dialect."""

    def upsert(table: Table, *columns: Column[Any], changed: Collection[Column[Any]] = ()) -> Any:
        """Takes rows of the primary key and these columns, by default of all, in the table's order.

        Where there is such a key, only what is `changed` is replaced, by default all that the rows have.
        """
        taken = (*table.primary_key, *columns) if columns else tuple(table.c)
        inserted = dialects_insert(table).values(of_row(taken))
        return replacing(inserted, table, changed or [column for column in taken if not column.primary_key])

    return upsert


def adding(
    inserted: Any,
    table: Table,
    added: Collection[str],
    most: Collection[str] = (),
    from_sums: Callable[[Mapping[str, ColumnElement[Any]]], Mapping[str, ColumnElement[Any]]] = lambda _: {},
) -> Any:
    """Adds what rounds brought to a row that is there already.

    Args:
        inserted: what puts it there otherwise.
        added: the columns that are added up.
        most: those of which the larger value stays.
        from_sums: what gives other columns from the sums.
    """
    new = inserted.excluded

    def both(name: str, together: ColumnElement[Any]) -> ColumnElement[Any]:
        """The two together, or the one of them that is not empty."""
        return func.coalesce(together, new[name], table.c[name])

    sums = {name: both(name, table.c[name] + new[name]) for name in added}
    return inserted.on_conflict_do_update(
        index_elements=list(table.primary_key),
        set_={
            **sums,
            **from_sums(sums),
            **{
                name: both(name, case((new[name] > table.c[name], new[name]), else_=table.c[name]))
                for name in most
            },
        },
    )


def facts_of(kind: type[Any], row: Callable[[Any], tuple[object, ...]] | None = None) -> RowsOf:
    """A row for each fact of a kind, in order, so that the last one about a thing stays.

    Args:
        row: makes the row; by default it has all fields.
    """
    row_of = row or attrgetter(*(field.name for field in fields(kind)))
    return lambda batch: [row_of(fact) for fact in batch.facts if isinstance(fact, kind)]
