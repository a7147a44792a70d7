"""Which database addresses are accepted, and how others are refused."""

from pathlib import Path

import pytest

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


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+asyncpg"])
def test_postgresql_is_not_supported_yet_and_no_password_is_repeated(scheme: str) -> None:
    with pytest.raises(ValueError, match="PostgreSQL is not supported yet") as refused:
        database_path(f"{scheme}://user:secret@host/gnau")
    assert "secret" not in str(refused.value)
