"""Settings from the environment and `.env`; read when the bot starts, never at import.

Error messages never contain a value, which may be or contain a password or a token.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Final
from urllib.parse import unquote, urlsplit
from urllib.request import proxy_bypass_environment  # type: ignore[attr-defined]  # it is there

from bot.ledger.database import can_be_shared, check_url
from bot.shards import EVERY_SHARD, Shards

PROXY_VARIABLES: Final = ("HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy")
DEFAULT_DATABASE_URL: Final = "sqlite:///data/gnau.db"
NAMES: Final = (
    "DISCORD_TOKEN",
    "DATABASE_URL",
    "BACKUP_EVERY",
    "BACKUP_KEEP",
    "LOG_LEVEL",
    "LOG_FORMAT",
    "METRICS_ADDRESS",
    "SHARD_COUNT",
    "SHARD_IDS",
    "VERIFIER_URL",
    "SYNC_GUILD",
    "DISCORD_API_URL",
    "DISCORD_GATEWAY_URL",
)
"""Every setting."""
_QUOTED: Final = re.compile(r"""(["'])(.*)\1""", re.DOTALL)
_COMMENT: Final = re.compile(r"(^|\s)#")
DISCORDS_API: Final = "https://discord.com"
DISCORDS_GATEWAY: Final = "wss://gateway.discord.gg"
_CLOSE: Final = 0.8
"""How alike another name is that was meant to be one of ours, from 0 to 1."""
LOG_FORMATS: Final = ("text", "json")
LOG_LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
_TOKEN: Final = re.compile(r"[\w-]+\.[\w-]+\.[\w-]+", re.ASCII)
_DURATION: Final = re.compile(r"([0-9]{1,4})([mhd])")
_SECONDS: Final = {"m": 60.0, "h": 3600.0, "d": 86_400.0}
_MOST_OF_A_UNIT: Final = 9_999
_MOST_BACKUPS: Final = 9_999
_MOST_SHARDS: Final = 16_384
_SHARD_IDS: Final = re.compile(r"[0-9]{1,5}(-[0-9]{1,5})?( *, *[0-9]{1,5}(-[0-9]{1,5})?)*")
_SERVER_ID: Final = re.compile(r"[0-9]{1,19}")
_LISTENING: Final = re.compile(r"(?:(?P<host>[\w.-]+|\[[0-9A-Fa-f:.]+\]):)?(?P<port>[0-9]{1,5})", re.ASCII)
_THIS_MACHINE: Final = "127.0.0.1"
_LAST_PORT: Final = 65_535


class SettingError(ValueError):
    """A setting is missing or malformed; the text is one line with its name, never its value."""


class MissingTokenError(SettingError):
    """There is no token."""


@dataclass(frozen=True, slots=True)
class Proxies:
    """The URLs of the proxies that lead to Discord, maybe with a password; None for none."""

    api: str | None = field(default=None, repr=False)
    gateway: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Settings:
    """The bot's settings.

    Attributes:
        token: Discord's bot token; never shown.
        database_url: where tables and chips are kept, maybe with a password; never shown.
        api_url: the base URL of Discord's REST API or a proxy; None for Discord's own.
        gateway_url: the URL of the gateway or a proxy; None for Discord's own.
        verifier_url: the address of the page that checks records, for members; None to attach the page.
        sync_guild: a development server that gets new commands immediately; None to publish them globally.
        backup_every: how old the newest backup may get, in seconds; 0 for no backups.
        metrics_address: host and port where metrics and health are served; None for nowhere.
        shard_count: into how many shards the bot's servers are divided; None to leave it to Discord.
        shard_ids: the shards of this process; None for all.
        guild_ready_seconds: how long discord.py waits for more servers before it is ready.
    """

    token: str = field(repr=False)
    database_url: str = field(default=DEFAULT_DATABASE_URL, repr=False)
    api_url: str | None = None
    gateway_url: str | None = None
    log_level: str = "INFO"
    log_format: str = "text"
    verifier_url: str | None = None
    sync_guild: int | None = None
    backup_every: float = 6 * 3600.0
    backup_keep: int = 28
    proxies: Proxies = field(default_factory=Proxies)
    metrics_address: tuple[str, int] | None = None
    shard_count: int | None = None
    shard_ids: frozenset[int] | None = None
    guild_ready_seconds: float = 2.0

    @property
    def hosts(self) -> Shards:
        """The shards of this process; says whether it hosts a server."""
        if self.shard_count is None or self.shard_ids is None:
            return EVERY_SHARD
        return Shards(self.shard_count, self.shard_ids)

    @property
    def share(self) -> float:
        """Which part of the bot this process is: its shards of all."""
        if self.shard_count is None or self.shard_ids is None:
            return 1.0
        return len(self.shard_ids) / self.shard_count

    @property
    def is_first(self) -> bool:
        """Whether this process has shard 0, which does what is to be done once."""
        return self.shard_ids is None or 0 in self.shard_ids


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Reads all settings.

    Args:
        environment: names and values; an empty value counts as missing.

    Raises:
        MissingTokenError: there is no token.
        SettingError: one is malformed.
    """
    given = {name: value for name in NAMES if (value := _value(environment, name))}
    api_url = _url(given, "DISCORD_API_URL", "http", "https")
    gateway_url = _url(given, "DISCORD_GATEWAY_URL", "ws", "wss")
    shard_count, shard_ids = _shards(given.get("SHARD_COUNT"), given.get("SHARD_IDS"))
    if (
        shard_ids is not None
        and len(shard_ids) < (shard_count or 0)
        and not can_be_shared(read_database_url(given))
    ):
        raise SettingError("SHARD_IDS with a part of the shards needs PostgreSQL: SQLite is for one process")
    ways_out = {name: _value(environment, name) for name in PROXY_VARIABLES}
    targets = api_url or DISCORDS_API, gateway_url or DISCORDS_GATEWAY
    return Settings(
        token=_token(given.get("DISCORD_TOKEN")),
        database_url=read_database_url(given),
        api_url=api_url,
        gateway_url=gateway_url,
        log_level=_log_level(given.get("LOG_LEVEL", "INFO")),
        log_format=_log_format(given.get("LOG_FORMAT", "text")),
        verifier_url=_url(given, "VERIFIER_URL", "https"),
        sync_guild=_server_id(given.get("SYNC_GUILD")),
        backup_every=_duration("BACKUP_EVERY", given.get("BACKUP_EVERY", "6h")),
        backup_keep=_count("BACKUP_KEEP", given.get("BACKUP_KEEP", "28"), _MOST_BACKUPS),
        proxies=Proxies(*(proxy_for(target, ways_out) for target in targets)),
        metrics_address=read_metrics_address(given),
        shard_count=shard_count,
        shard_ids=shard_ids,
    )


def misspelt_settings(names: Iterable[str]) -> Iterator[str]:
    """A sentence for each name that is no setting, but was probably meant to be one."""
    for name in sorted(set(names) - set(NAMES)):
        if closest := get_close_matches(name.upper().removeprefix("GNAU_"), NAMES, 1, _CLOSE):
            yield f"{name} is no setting of this bot and has no effect: do you mean {closest[0]}?"


def plain_value(text: str) -> str:
    """The value without blanks and one pair of quotation marks around it."""
    text = text.strip()
    quoted = _QUOTED.fullmatch(text)
    return text if quoted is None else quoted[2].strip()


def _value(environment: Mapping[str, str], name: str) -> str:
    """The value of a setting; empty if it is missing.

    Raises:
        SettingError: it has a comment, or half a pair of quotation marks.
    """
    value = plain_value(environment.get(name, ""))
    if _COMMENT.search(value):
        raise SettingError(
            f"{name} has a comment after it: give the comment a line of its own, because docker's --env-file "
            "takes it for a part of the value"
        )
    if value.startswith(("'", '"')) or value.endswith(("'", '"')):
        raise SettingError(f"{name} begins or ends with a quotation mark: leave it out")
    return value


def _token(value: str | None) -> str:
    if value is None:
        raise MissingTokenError(
            "DISCORD_TOKEN is missing: set it to the bot's token from Discord's developer portal"
        )
    if not _TOKEN.fullmatch(value):
        raise SettingError(
            "DISCORD_TOKEN is not a bot token: one has three parts of letters, digits, - and _ joined by dots"
        )
    return value


def read_database_url(environment: Mapping[str, str]) -> str:
    """Reads only the address of the database."""
    value = _value(environment, "DATABASE_URL") or DEFAULT_DATABASE_URL
    if not value.isprintable():
        raise SettingError("DATABASE_URL contains invisible characters")
    try:
        check_url(value)
    except ValueError as wrong:
        raise SettingError(f"DATABASE_URL cannot be used: {wrong}") from None
    return value


def read_metrics_address(environment: Mapping[str, str]) -> tuple[str, int] | None:
    """Reads only the host and the port of metrics and health; None if they are off."""
    value = _value(environment, "METRICS_ADDRESS")
    if value.lower() in ("", "off"):
        return None
    parts = _LISTENING.fullmatch(value)
    if parts is None or not 0 < int(parts["port"]) <= _LAST_PORT:
        raise SettingError(
            "METRICS_ADDRESS must be a port, such as 9464, or a host and a port, such as 0.0.0.0:9464, or off"
        )
    return (parts["host"] or _THIS_MACHINE).strip("[]"), int(parts["port"])


def _url(given: Mapping[str, str], name: str, *schemes: str) -> str | None:
    value = given.get(name)
    if value is None:
        return None
    try:
        parts = urlsplit(value)
        whole = parts.scheme in schemes and bool(parts.hostname) and parts.port != 0
    except ValueError:
        whole = False
    if not whole or not value.isprintable() or " " in value:
        raise SettingError(f"{name} is not a URL: it must start with {' or '.join(schemes)}:// and a host")
    return value.rstrip("/")


def _log_level(value: str) -> str:
    if value.upper() not in LOG_LEVELS:
        raise SettingError(f"LOG_LEVEL must be one of {', '.join(LOG_LEVELS)}")
    return value.upper()


def _log_format(value: str) -> str:
    if value.lower() not in LOG_FORMATS:
        raise SettingError(f"LOG_FORMAT must be {' or '.join(LOG_FORMATS)}")
    return value.lower()


def _server_id(value: str | None) -> int | None:
    if value is None:
        return None
    if not _SERVER_ID.fullmatch(value) or not 0 < int(value) < 1 << 63:
        raise SettingError("SYNC_GUILD must be a server's id, such as 81384788765712384")
    return int(value)


def _duration(name: str, value: str) -> float:
    """A duration such as `30m`, `6h` or `1d` in seconds; 0 for `off`."""
    word = value.lower()
    if word == "off":
        return 0.0
    parts = _DURATION.fullmatch(word)
    if parts is None or int(parts[1]) == 0:
        raise SettingError(
            f"{name} must be 1 to {_MOST_OF_A_UNIT} minutes, hours or days, such as 30m, 6h or 1d, or off"
        )
    return int(parts[1]) * _SECONDS[parts[2]]


def _count(name: str, value: str, most: int) -> int:
    if not re.fullmatch("[0-9]{1,5}", value) or not 0 < int(value) <= most:
        raise SettingError(f"{name} must be a whole number, 1 to {most}")
    return int(value)


def _shards(count: str | None, ids: str | None) -> tuple[int | None, frozenset[int] | None]:
    """How many shards there are, and which are this process's; None for what is not set."""
    if count is None:
        if ids is not None:
            raise SettingError(
                "SHARD_IDS needs SHARD_COUNT too: into how many shards the servers are divided"
            )
        return None, None
    shards = _count("SHARD_COUNT", count, _MOST_SHARDS)
    if ids is None:
        return shards, None
    if not _SHARD_IDS.fullmatch(ids):
        raise SettingError("SHARD_IDS must be the numbers of shards from 0, such as 0, 0-3 or 1,5")
    chosen: set[int] = set()
    for part in ids.replace(" ", "").split(","):
        first, _, last = part.partition("-")
        of_part = range(int(first), int(last or first) + 1)
        # A part without shards would be hosted by nobody, though somebody meant it.
        chosen.update(of_part or [_MOST_SHARDS])
    if max(chosen) >= shards:
        raise SettingError("SHARD_IDS has no shard, or one that is not below SHARD_COUNT")
    return shards, frozenset(chosen)


def proxy_for(address: str, environment: Mapping[str, str]) -> str | None:
    """The URL of the proxy that leads to an address with https or wss; None if it is reached without."""
    proxy = _proxy_variable("https_proxy", environment)
    parts = urlsplit(address)
    if not proxy or parts.scheme not in ("https", "wss"):
        return None
    if proxy_bypass_environment(parts.netloc, {"no": _proxy_variable("no_proxy", environment)}):
        return None
    # Others take a host and a port too.
    url = proxy if "://" in proxy or ":" not in proxy else f"http://{proxy}"
    try:
        named = urlsplit(url)
        whole = named.scheme in ("http", "https") and bool(named.hostname) and named.port != 0
        # No name of a user may have a colon (RFC 7617).
        whole = whole and ":" not in unquote(named.username or "")
    except ValueError:
        whole = False
    if not whole or not url.isprintable() or " " in url:
        raise SettingError("HTTPS_PROXY is not the URL of a proxy: it must start with http:// and a host")
    return url


def _proxy_variable(name: str, environment: Mapping[str, str]) -> str:
    """A variable; the one in lower case counts, if both are there."""
    return (environment.get(name) or environment.get(name.upper()) or "").strip()
