"""Settings: a missing or malformed one is refused in one line, by name and without its value."""

import os
import re
import string
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import get_args
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.config import (
    DECLARED,
    LogLevel,
    SettingError,
    Settings,
    misspelt_settings,
    read_settings,
)
from scripts.settings import file_texts

TOKEN = "MTk4NjIyNDgz.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs"
SECRET = "hunter2"

BAD = {
    "DISCORD_TOKEN": [
        "no-dots-in-it",
        "one.dot",
        "one.dot.too.many",
        "..",
        "a..b",
        "Bot a.b.c",
        "a.b.c\nd",
        "ä.ö.ü",
        '"a.b.c',
        "a.b.c # the token",
    ],
    "DISCORD_TOKEN_FILE": [SECRET, "/", TOKEN, "/dev/null/token", f"{SECRET} # here"],
    "DATABASE_URL_FILE": [SECRET, f"postgresql://gnau:{SECRET}@localhost/gnau"],
    "DATABASE_URL": [
        "data/gnau.db",
        "sqlite:",
        "sqlite:///:memory:",
        "sqlite:///data/",
        "sqlite:///data/gnau.db?mode=ro",
        "sqlite:///",
        f"postgresql://gnau:{SECRET}@localhost",
        f"mysql://gnau:{SECRET}@localhost/gnau",
        f"gnau {SECRET}",
        "sqlite:///data\x00/gnau.db",
        "sqlite:///one\nand two.db",
        "sqlite:///data/gnau.db # a new one",
        'sqlite:///data/gnau.db"',
    ],
    "DISCORD_API_URL": [
        "discord.com/api",
        "//discord.com",
        "ftp://discord.com",
        "ws://discord.com",
        "http://",
        "http://host:seven",
        "http://host:65536",
        "http://[::1",
        "http://two words",
        "http://host\n.example",
    ],
    "DISCORD_GATEWAY_URL": ["gateway.discord.gg", "https://gateway.discord.gg", "ws://", "wss://host:-1"],
    "HTTPS_PROXY": [
        "socks5://127.0.0.1:1080",
        "http://",
        f"http://gnau:{SECRET}@:3128",
        f"http://gn%3Aau:{SECRET}@proxy:3128",
        f"ftp://gnau:{SECRET}@proxy:3128",
        "http://proxy:99999",
        "two words:3128",
        "proxy",
    ],
    "VERIFIER_URL": [
        "example.org/verify.html",
        "ftp://example.org",
        "http://example.org/verify.html",
        "https://",
        "https://two words",
    ],
    "LOG_FORMAT": ["logfmt", "json # or text", f"{SECRET}"],
    "LOG_LEVEL": ["LOUD", "10", "INFO\nDEBUG", "INFO # or DEBUG", "# none", f"{SECRET}"],
    "BACKUP_EVERY": [
        "6",
        "6 h",
        "h",
        "-6h",
        "1.5h",
        "6h30m",
        "6w",
        "٦h",
        "10000d",
        "0",
        "0m",
        "00h",
        "on",
        f"{SECRET}",
    ],
    "BACKUP_COMMAND": [f"copy '{SECRET} there", "copy \\"],
    "BACKUP_KEEP": ["0", "-1", "28.5", "all", "10000", "٣", f"{SECRET}"],
    "METRICS_ADDRESS": [
        "on",
        "0",
        "65536",
        "٣",
        ":9464",
        "::1:9464",
        "host:",
        "two words:9464",
        "http://127.0.0.1:9464",
        f"{SECRET}@host:1",
    ],
    "SHARD_COUNT": ["0", "-1", "many", "2.5", "٤", "16385", f"{SECRET}"],
    "SHARD_IDS": ["0", "a", "-1", "0-", "1;2", "٠", f"{SECRET}"],
    "SYNC_GUILD": ["my server", "-5", "0", "12.5", "١٢٣", str(1 << 63), "9" * 5000],
}


@pytest.fixture(scope="module", autouse=True)
def no_env_file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(tmp_path_factory.mktemp("empty"))
        yield


def read(**given: str) -> Settings:
    """The settings of an environment; the token is valid unless given."""
    with patch.object(os, "environ", {"DISCORD_TOKEN": TOKEN} | given):
        return read_settings()


def refused(**given: str) -> str:
    """The refusal of these settings when the token is valid."""
    with pytest.raises(SettingError) as caught:
        read(**given)
    assert caught.value.__cause__ is None, "a traceback would show the cause's text"
    return str(caught.value)


def test_only_the_token_is_required() -> None:
    assert dict(read()) == dict(Settings(token=TOKEN))


POSTGRES = {"DATABASE_URL": "postgresql://gnau@db.example/gnau"}


@pytest.mark.parametrize(
    ("written", "shards"),
    [("0", [0]), ("0-3", [0, 1, 2, 3]), ("1,5", [1, 5]), ("7, 2-3", [2, 3, 7]), ("0-7", range(8))],
)
def test_a_process_hosts_the_servers_of_its_shards(written: str, shards: Sequence[int]) -> None:
    settings = read(**POSTGRES, SHARD_COUNT="8", SHARD_IDS=written)
    assert settings.shard_ids == frozenset(shards)
    assert settings.is_first == (0 in shards)
    assert settings.share == len(shards) / 8
    for shard in range(8):
        # An id of Discord's with this shard: its lower 22 bits do not count.
        server_id = ((1 << 20) + shard) << 22 | 12_345
        assert settings.hosts(server_id) == (shard in shards)


@pytest.mark.parametrize("written", ["8", "0-8", "5-2", "0-3,7-5", "0,9"])
def test_shards_that_are_not_there_are_refused(written: str) -> None:
    assert refused(**POSTGRES, SHARD_COUNT="8", SHARD_IDS=written).startswith("SHARD_IDS has no shard")


def test_sqlite_has_one_process_for_all_shards() -> None:
    assert "needs PostgreSQL" in refused(SHARD_COUNT="2", SHARD_IDS="1")
    assert read(SHARD_COUNT="2", SHARD_IDS="0-1").is_first
    assert read(SHARD_COUNT="2").hosts(1)


def test_everything_can_be_set() -> None:
    given = {
        "DISCORD_TOKEN": f"  {TOKEN}\n",
        "DATABASE_URL": "sqlite:////srv/gnau/gnau.db",
        "DISCORD_API_URL": "http://127.0.0.1:8080/api/v10/",
        "DISCORD_GATEWAY_URL": "ws://[::1]:8081/gateway",
        "VERIFIER_URL": "https://example.org/verify.html",
        "LOG_LEVEL": "debug",
        "LOG_FORMAT": "JSON",
        "SYNC_GUILD": "81384788765712384",
        "BACKUP_EVERY": "30m",
        "BACKUP_KEEP": "3",
    }
    assert dict(read(**given)) == dict(Settings(token=TOKEN)) | {
        "database_url": "sqlite:////srv/gnau/gnau.db",
        "api_url": "http://127.0.0.1:8080/api/v10",
        "gateway_url": "ws://[::1]:8081/gateway",
        "log_level": "DEBUG",
        "log_format": "json",
        "verifier_url": "https://example.org/verify.html",
        "sync_guild": 81384788765712384,
        "backup_every": 1800.0,
        "backup_keep": 3,
    }


@pytest.mark.parametrize(
    ("every", "seconds"),
    [("6h", 21_600), ("1D", 86_400), ("90m", 5_400), ("off", 0), ("OFF", 0), ("9999d", 9999 * 86_400)],
)
def test_backups_can_be_made_more_rarely_or_never(every: str, seconds: float) -> None:
    assert read(BACKUP_EVERY=every).backup_every == seconds


def test_no_time_between_backups_is_refused_with_the_word_that_turns_them_off() -> None:
    line = "BACKUP_EVERY must be 1 to 9999 minutes, hours or days, such as 30m, 6h or 1d, or off"
    assert refused(BACKUP_EVERY="0") == refused(BACKUP_EVERY="10000m") == line


@pytest.mark.parametrize(
    ("written", "address"),
    [
        ("9464", ("127.0.0.1", 9464)),
        ("0.0.0.0:9464", ("0.0.0.0", 9464)),
        ("[::1]:9464", ("::1", 9464)),
        ("metrics.internal:80", ("metrics.internal", 80)),
        ("off", None),
        ("", None),
    ],
)
def test_metrics_are_for_this_machine_unless_a_host_is_named(
    written: str, address: tuple[str, int] | None
) -> None:
    assert read(METRICS_ADDRESS=written).metrics_address == address


def test_by_default_a_week_of_backups_is_kept() -> None:
    settings = read()
    assert settings.backup_every * settings.backup_keep == 7 * 86_400


@pytest.mark.parametrize("empty", ["", " ", "\t\n"])
def test_an_empty_value_counts_as_missing(empty: str) -> None:
    nothing = dict.fromkeys(BAD, empty) | {"DISCORD_TOKEN": TOKEN}
    assert read(**nothing) == read()
    assert refused(DISCORD_TOKEN=empty) == refused_without_token()


@pytest.mark.parametrize("mark", ['"', "'"])
def test_docker_passes_quotes_on_and_one_pair_is_taken_off(mark: str) -> None:
    plain = {
        "DISCORD_TOKEN": TOKEN,
        "DATABASE_URL": "sqlite:////srv/gnau/gnau.db",
        "LOG_LEVEL": "DEBUG",
        "BACKUP_EVERY": "",
    }
    quoted = {name: f" {mark}{value}{mark} " for name, value in plain.items()}
    assert read(**quoted) == read(**plain)
    with patch.object(os, "environ", quoted | {"BACKUP_KEEP": "all"}):
        assert read_settings("DATABASE_URL").database_url == plain["DATABASE_URL"], "no other setting matters"


@pytest.mark.parametrize("name", BAD)
def test_what_docker_takes_for_a_part_of_the_value_is_named(name: str) -> None:
    """It passes a line of `--env-file` on as it is; a shell and `.env` would not."""
    assert "quotation mark" in refused(**{name: f'"{SECRET}'})
    for comment in (f"{SECRET} # for now", f"{SECRET}\t#for now", "# none", '"" # none'):
        told = refused(**{name: comment})
        assert told.startswith(f"{name} has a comment after it")
        assert SECRET not in told
    given = {"DATABASE_URL": "sqlite:///data/gnau.db # where the chips are"}
    with (
        patch.object(os, "environ", given),
        pytest.raises(SettingError, match="DATABASE_URL has a comment after it"),
    ):
        read_settings("DATABASE_URL")


def test_a_number_sign_without_a_blank_belongs_to_the_value() -> None:
    given = {"DISCORD_TOKEN": TOKEN, "VERIFIER_URL": "https://example.org/#verify"}
    assert read(**given).verifier_url == given["VERIFIER_URL"]


def refused_without_token() -> str:
    return refused(DISCORD_TOKEN="")


def test_a_missing_token_is_named() -> None:
    assert refused_without_token().startswith("DISCORD_TOKEN is missing")


def test_each_setting_has_bad_values_to_try_here() -> None:
    # What is reached without a proxy can be any text.
    assert set(DECLARED) - set(BAD) == {"NO_PROXY"}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, bad in BAD.items() for value in bad])
def test_a_malformed_setting_is_one_line_that_names_it_and_shows_no_secret(name: str, value: str) -> None:
    told = refused(**{name: value})
    assert told.startswith(name)
    assert told.isprintable()
    assert len(told) < 200
    assert SECRET not in told
    assert TOKEN not in told


@pytest.mark.parametrize("level", get_args(LogLevel))
def test_every_log_level_is_accepted_in_upper_and_lower_case(level: str) -> None:
    for written in (level, level.lower(), level.title()):
        assert read(LOG_LEVEL=written).log_level == level


def test_settings_can_be_shown_without_the_token_and_a_password() -> None:
    url = f"postgresql://gnau:{SECRET}@localhost/gnau"
    settings = read(DATABASE_URL=url)
    assert settings.database_url == url
    for shown in (repr(settings), str(settings), f"{settings}", f"{[settings]}"):
        assert "INFO" in shown
        assert SECRET not in shown
        assert not any(word in shown for word in TOKEN.split("."))


@pytest.mark.parametrize("name", sorted(BAD.keys() - {"DISCORD_TOKEN", "BACKUP_COMMAND"}))
def test_a_token_in_another_setting_is_not_shown(name: str) -> None:
    told = refused(**{name: TOKEN})
    assert not any(word in told for word in TOKEN.split("."))


garbage = st.text(min_size=12) | st.text(string.ascii_letters + string.digits + "-_. ", min_size=12)


@given(token=garbage)
def test_no_token_is_ever_shown(token: str) -> None:
    told = settings_or_refusal(DISCORD_TOKEN=token)
    if isinstance(told, Settings):
        assert told.token in token
        assert told.token.isascii()
        assert told.token not in repr(told)
        return
    assert told.startswith("DISCORD_TOKEN")
    assert told.isprintable()
    # A shorter part could appear in the sentence by chance, and Hypothesis tries words of the code too.
    pieces = {token, *re.split(r"\W+", token)}
    ours = [settings_or_refusal(DISCORD_TOKEN=other) for other in ("", "?", '"', "? #")]
    assert not any(
        piece in told for piece in pieces if len(piece) >= 12 and not any(piece in str(one) for one in ours)
    )


@given(given=st.dictionaries(st.sampled_from(sorted(BAD)), st.text(max_size=40)))
def test_any_settings_are_accepted_or_refused_by_name(given: dict[str, str]) -> None:
    told = settings_or_refusal(**given)
    if isinstance(told, Settings):
        assert told.log_level in get_args(LogLevel)
        return
    assert told.partition(" ")[0] in {"DISCORD_TOKEN", *given}
    assert told.isprintable()


def settings_or_refusal(**given: str) -> Settings | str:
    """The settings, or their refusal."""
    try:
        return read(**given)
    except SettingError as wrong:
        return str(wrong)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("BACKUP_KEP", "BACKUP_KEEP"),
        ("BACKUPS_EVERY", "BACKUP_EVERY"),
        ("LOGLEVEL", "LOG_LEVEL"),
        ("log_level", "LOG_LEVEL"),
        ("DATABSE_URL", "DATABASE_URL"),
        ("DISCORD_BOT_TOKEN", "DISCORD_TOKEN"),
        ("GNAU_LOG_LEVEL", "LOG_LEVEL"),
        ("GNAU_SYNC_GUILD", "SYNC_GUILD"),
    ],
)
def test_a_misspelt_setting_is_named_with_the_one_that_was_meant(name: str, meant: str) -> None:
    sentence = f"{name} is no setting of this bot and has no effect: do you mean {meant}?"
    assert list(misspelt_settings([name, *DECLARED])) == [sentence]


def test_what_is_meant_for_other_programs_is_not_named() -> None:
    assert not list(misspelt_settings([*DECLARED, "PATH", "LANG", "LOGNAME", "TZ", "HOME", "PYTHONPATH"]))
    assert not list(misspelt_settings(["GNAU_CHECKOUT", "DISCORD_GUILD", "BACKUP_DIR"]))
    # Kubernetes gives every container these for a service that is called gnau.
    assert not list(misspelt_settings(["GNAU_SERVICE_HOST", "GNAU_PORT", "GNAU_PORT_8080_TCP_ADDR"]))


def test_the_example_of_settings_and_the_table_in_readme_are_as_declared() -> None:
    for file, text in file_texts():
        assert file.read_text("utf-8") == text, "run python -m scripts.settings"


API, GATEWAY = "https://discord.com/api", "wss://gateway.discord.gg"


@pytest.mark.parametrize(
    ("environment", "address", "expected"),
    [
        ({"HTTPS_PROXY": "http://proxy:3128"}, API, "http://proxy:3128"),
        ({"https_proxy": "http://proxy:3128"}, GATEWAY, "http://proxy:3128"),
        ({"https_proxy": "proxy:3128", "HTTPS_PROXY": "http://other"}, API, "http://proxy:3128"),
        ({"HTTPS_PROXY": "http://proxy:3128", "NO_PROXY": "localhost,.discord.com"}, API, None),
        (
            {"HTTPS_PROXY": "http://proxy:3128", "NO_PROXY": "localhost,.discord.com"},
            GATEWAY,
            "http://proxy:3128",
        ),
        ({"HTTPS_PROXY": "http://proxy:3128", "no_proxy": "*"}, GATEWAY, None),
        ({"HTTPS_PROXY": "http://proxy:3128"}, "http://127.0.0.1:8080/api/v10", None),
        ({"HTTP_PROXY": "http://proxy:3128"}, API, None),
        ({"HTTPS_PROXY": " "}, API, None),
    ],
)
def test_the_proxy_that_the_environment_names_for_an_address(
    environment: dict[str, str], address: str, expected: str | None
) -> None:
    assert read(**environment).proxy_to(address) == expected


def test_settings_can_be_shown_without_the_password_of_a_proxy() -> None:
    settings = read(HTTPS_PROXY=f"http://gnau:{SECRET}@proxy:3128")
    assert settings.https_proxy == f"http://gnau:{SECRET}@proxy:3128"
    assert SECRET not in repr(settings)


def test_a_secret_can_be_in_a_file(tmp_path: Path) -> None:
    url = f"postgresql://gnau:{SECRET}@localhost/gnau"
    token, database = tmp_path / "token", tmp_path / "database"
    token.write_text(f"{TOKEN}\n")
    database.write_text(url)
    settings = read(DISCORD_TOKEN="", DISCORD_TOKEN_FILE=str(token), DATABASE_URL_FILE=str(database))
    assert (settings.token, settings.database_url) == (TOKEN, url)
    assert not any(secret in repr(settings) for secret in (SECRET, TOKEN))
    token.write_text(f"{SECRET}!")
    told = refused(DISCORD_TOKEN="", DISCORD_TOKEN_FILE=str(token))
    assert told.startswith("DISCORD_TOKEN is not a bot token")
    assert SECRET not in told
    token.write_bytes(b"\xff\xfe")
    assert refused(DISCORD_TOKEN="", DISCORD_TOKEN_FILE=str(token)) == told
    token.write_text("\n")
    assert refused(DISCORD_TOKEN="", DISCORD_TOKEN_FILE=str(token)) == refused_without_token()


@pytest.mark.parametrize("name", ["DISCORD_TOKEN", "DATABASE_URL"])
def test_a_secret_that_is_given_twice_is_refused(tmp_path: Path, name: str) -> None:
    file = tmp_path / "secret"
    file.write_text(SECRET)
    given = {name: "sqlite:///a.db", f"{name}_FILE": str(file)}
    assert refused(**given) == f"{name} and {name}_FILE are both set: leave one out"
