"""SQL that the engines write differently."""

import re
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Dialect,
    bindparam,
    cast,
    func,
    literal_column,
    select,
    type_coerce,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.sql.selectable import ScalarSelect, TableValuedAlias

from bot.clock import DAY_SECONDS

BIGINT: Final = "BIGINT"
TEXT: Final = "TEXT"
"""The types that an element of a list can have."""


class _Elements(FunctionElement[Any]):
    """The elements of a value that is a JSON list, as rows with one column `value`."""

    name = "elements"
    inherit_cache = True


class _Element(FunctionElement[Any]):
    """An element, or the part of it with this place if it is a list: `value`, place or "", type."""

    name = "element"
    inherit_cache = True


class _Either(FunctionElement[Any]):
    """The first of two conditions in SQLite, the second in PostgreSQL."""

    name = "either"
    inherit_cache = True


@compiles(_Either, "sqlite")
def _either_in_sqlite(either: _Either, compiler: SQLCompiler, **options: Any) -> str:
    return compiler.process(next(iter(either.clauses)), **options)


@compiles(_Either, "postgresql")
def _either_in_postgresql(either: _Either, compiler: SQLCompiler, **options: Any) -> str:
    return compiler.process(list(either.clauses)[1], **options)


@compiles(_Elements, "sqlite")
def _elements_in_sqlite(elements: _Elements, compiler: SQLCompiler, **options: Any) -> str:
    return f"json_each({compiler.process(elements.clauses, **options)})"


@compiles(_Elements, "postgresql")
def _elements_in_postgresql(elements: _Elements, compiler: SQLCompiler, **options: Any) -> str:
    return f"jsonb_array_elements(CAST({compiler.process(elements.clauses, **options)} AS JSONB))"


@compiles(_Element, "sqlite")
def _element_in_sqlite(element: _Element, compiler: SQLCompiler, **options: Any) -> str:
    value, place, _ = (compiler.process(clause, **options) for clause in element.clauses)
    return f"json_extract({value}, '$[{place}]')" if place else value


@compiles(_Element, "postgresql")
def _element_in_postgresql(element: _Element, compiler: SQLCompiler, **options: Any) -> str:
    value, place, kind = (compiler.process(clause, **options) for clause in element.clauses)
    text = f"{value} ->> {place}" if place else f"{value} #>> '{{}}'"
    return f"CAST({text} AS {kind})"


def elements(name: str) -> TableValuedAlias:
    """The elements of the value with this name, which is a JSON list: one text for any number of them."""
    return _Elements(bindparam(name)).table_valued("value")


def element(of: TableValuedAlias, kind: str, place: int | None = None) -> ColumnElement[Any]:
    """The element in each row, or the part of it with this place."""
    return _Element(of.c.value, literal_column("" if place is None else str(place)), literal_column(kind))


def equal_in_index(column: ColumnElement[int], other: ColumnElement[int]) -> ColumnElement[bool]:
    """Whether the second column of an index equals a value.

    In SQLite as a range: if it has to be equal, SQLite goes through all rows of a server by the primary key
    instead of that index. In a join, PostgreSQL would take such a range for a ninth of all rows.
    """
    return _Either(column.between(other, other), column == other)


def listed(name: str, kind: str = BIGINT) -> ScalarSelect[Any]:
    """The elements of the value with this name, which is a JSON list, for `in_`."""
    of = elements(name)
    return select(element(of, kind)).scalar_subquery()


def total(column: ColumnElement[int]) -> ColumnElement[int]:
    """The sum of a column of integers, as an integer: PostgreSQL's would be a decimal."""
    return cast(func.sum(column), BigInteger)


def day_of(at: ColumnElement[float]) -> ColumnElement[int]:
    """The day of a time, in days since 1970 in UTC."""
    days = at / literal_column(str(DAY_SECONDS))
    # A cast cuts off in SQLite, and rounds in PostgreSQL.
    either = _Either(cast(days, BigInteger), cast(func.floor(days), BigInteger))
    return type_coerce(either, BigInteger)


def for_all_rows(statement: Any, dialect: Dialect) -> str | None:
    """A statement that takes one row, as one that takes all rows at once; None in SQLite, which needs none.

    Its values are the columns of the rows, as arrays. No two rows may be about the same thing.
    """
    if dialect.name != "postgresql":
        return None
    compiled = statement.compile(dialect=dialect)
    # Without a length, to which the server would shorten a text, and without a collation.
    types = [
        str(compiled.binds[name].type.compile(dialect)).partition("(")[0].partition(" COLLATE")[0]
        for name in compiled.positiontup
    ]
    names = [f"given_{place}" for place in range(len(types))]
    given = iter(names)
    sql = re.sub(r"%s(::\w+)?", lambda _: next(given), str(compiled))
    arrays = ", ".join(f"%s::{kind}[]" for kind in types)
    rows = f"unnest({arrays}) AS given ({', '.join(names)})"
    if statement.is_insert:
        # PostgreSQL would take ON for a part of FROM without WHERE.
        return re.sub(r"VALUES \((.*?)\)", rf"SELECT \1 FROM {rows} WHERE TRUE", sql, count=1)  # noqa: S608
    return sql.replace(" WHERE ", f" {'FROM' if statement.is_update else 'USING'} {rows} WHERE ", 1)
