"""Which database addresses are accepted, and how others are refused."""

from pathlib import Path

import pytest

from bot.ledger.database import check_url
from bot.ledger.postgres.address import name_of
from bot.ledger.sqlite.location import database_path


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("sqlite:///data/gnau.db", Path("data/gnau.db")),
        ("sqlite:////srv/gnau/gnau.db", Path("/srv/gnau/gnau.db")),
        ("sqlite:///with a space/100%.db", Path("with a space/100%.db")),
    ],
)
def test_a_file_is_named_from_here_or_from_the_root(address: str, path: Path) -> None:
    assert database_path(address) == path


@pytest.mark.parametrize(
    "address",
    [
        "",
        "sqlite://host/gnau.db",
        "sqlite:///~/gnau.db",
        "mysql://user:secret@host/gnau",
    ],
)
def test_any_other_address_is_refused_in_one_line_with_an_example(address: str) -> None:
    with pytest.raises(ValueError, match=r"sqlite:///data/gnau\.db") as refused:
        database_path(address)
    assert "\n" not in str(refused.value)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("sqlite:///$HOME/gnau.db", "nothing replaces a \\$"),
        ("sqlite:////srv/${WHERE}/gnau.db", "nothing replaces a \\$"),
        ("sqlite:///a%20folder/gnau.db", "write a space as a space"),
    ],
)
def test_what_a_shell_or_a_browser_would_replace_is_named(address: str, why: str) -> None:
    """Otherwise the bot would begin a new database in a folder of that name."""
    with pytest.raises(ValueError, match=why):
        database_path(address)


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("postgresql://user:secret@host/gnau", "postgresql://host/gnau"),
        ("postgres://user:s%40cret@10.0.0.1:5433/gnau?sslmode=require", "postgresql://10.0.0.1:5433/gnau"),
        ("postgresql://user:secret@one:1,two:2/gnau", "postgresql://one:1,two:2/gnau"),
        ("postgresql://user:secret@one,two:5433/gnau", "postgresql://one,two:5433/gnau"),
        ("postgresql://user:secret@[::1]:5433/gnau", "postgresql://[::1]:5433/gnau"),
        ("postgresql:///gnau?host=/run/postgresql&password=secret", "postgresql:///gnau"),
    ],
)
def test_a_postgresql_address_is_as_libpq_takes_it_and_its_name_has_no_password(
    address: str, name: str
) -> None:
    check_url(address)
    assert name_of(address) == name


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("postgresql+asyncpg://user:secret@host/gnau", "begins with postgresql://"),
        ("postgresql:user:secret@host/gnau", "begins with postgresql://"),
        ("postgresql://user:secret@host", "has a host and a name"),
        ("postgresql://user:secret@host/", "has a host and a name"),
        ("postgresql:///gnau", "has a host and a name"),
        ("postgresql://user:secret@host:port/gnau?secret", "has a host and a name"),
        ("postgresql://user:secret%zz@host/gnau", "has a host and a name"),
        ("postgresql://user:12/secret@host/gnau", "has a host and a name"),
        ("postgresql://user:12@secret@host/gnau", "has a host and a name"),
    ],
)
def test_a_wrong_postgresql_address_is_refused_and_nothing_of_it_is_repeated(address: str, why: str) -> None:
    with pytest.raises(ValueError, match=why) as refused:
        check_url(address)
    assert "secret" not in str(refused.value)
