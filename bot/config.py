"""Settings from the environment and `.env`; read when the bot starts, never at import.

Each is declared once; `python -m scripts.settings` writes `.env.example` and README's table of that. Messages
never contain a value, which may be or contain a password or a token.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple, get_args
from urllib.parse import urlsplit
from urllib.request import proxy_bypass_environment  # type: ignore[attr-defined]  # it is there

import pydantic
from pydantic import BeforeValidator, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, DotEnvSettingsSource, SettingsConfigDict

from bot import setting_values as values
from bot.ledger.database import can_be_shared
from bot.shards import EVERY_SHARD, Shards

ENV_FILE: Final = Path(".env")
DISCORDS_API: Final = "https://discord.com"
DISCORDS_GATEWAY: Final = "wss://gateway.discord.gg"
_CLOSE: Final = 0.8
"""How alike another name is that was meant to be one of ours, from 0 to 1."""

LogLevel = Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]


class SettingError(ValueError):
    """A setting is missing or malformed; the text is one line with its name, never its value."""


class Declared(NamedTuple):
    """What hosts read of a setting: what it is, its default, an example, what is said of a wrong value."""

    about: str
    default: str
    example: str
    wrong: str


DECLARED: Final[dict[str, Declared]] = {}
"""Every setting, by its name."""


def _setting(
    name: str, about: str, default: str | None = None, *, example: str = "", wrong: str = "", **options: Any
) -> Any:
    """Declares a setting; options as of pydantic's fields."""
    DECLARED[name] = Declared(about, default or "", example, wrong or f"must look like {example}")
    checked: dict[str, Any] = {"title": name, "alias": name, "validate_default": default is not None}
    return pydantic.Field(default, **checked | options)


def _whole(least: int, most: int) -> dict[str, Any]:
    return {"ge": least, "le": most, "wrong": f"must be a whole number, {least} to {most}"}


class Settings(pydantic.BaseModel):
    """The bot's settings. What code makes itself reads no environment.

    Attributes:
        backup_every: how old the newest backup may get, in seconds; 0 for no backups.
        piece_emojis: whether messages show cards, tiles and marks as emojis, which the bot uploads.
        guild_ready_seconds: how long discord.py waits for more servers before it is ready.
    """

    model_config = pydantic.ConfigDict(
        frozen=True, hide_input_in_errors=True, loc_by_alias=False, validate_by_name=True
    )

    token_file: Annotated[str | None, values.content] = _setting(
        "DISCORD_TOKEN_FILE",
        "a file with the bot's token, such as a secret of Docker's, in place of `DISCORD_TOKEN`",
        example="/run/secrets/discord_token",
        repr=False,
    )
    token: str = _setting(
        "DISCORD_TOKEN",
        "the bot's token, from Discord's developer portal. It controls the bot: keep it secret",
        "",
        wrong="is not a bot token: one has three parts of letters, digits, - and _ joined by dots",
        pattern=r"^([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)?$",
        repr=False,
    )
    database_url_file: Annotated[str | None, values.content] = _setting(
        "DATABASE_URL_FILE",
        "a file with `DATABASE_URL` in it, which may have a password",
        example="/run/secrets/database_url",
        repr=False,
    )
    database_url: Annotated[str, values.database_url] = _setting(
        "DATABASE_URL",
        "where tables and chips are kept: a file on a local disk, or "
        "[PostgreSQL](docs/STORAGE.md#postgresql), such as `postgresql://gnau:password@db.example/gnau`",
        "sqlite:///data/gnau.db",
        repr=False,
    )
    backup_every: Annotated[float, values.duration] = _setting(
        "BACKUP_EVERY",
        "how often the bot makes a checked backup in the folder `backups` beside the file: `30m`, `6h`, "
        "`1d`, or `off` for none. Copy them to another disk too",
        "6h",
        wrong="must be 1 to 9999 minutes, hours or days, such as 30m, 6h or 1d, or off",
    )
    backup_keep: int = _setting("BACKUP_KEEP", "how many of these backups stay", "28", **_whole(1, 9_999))
    backup_command: Annotated[tuple[str, ...], values.command] = _setting(
        "BACKUP_COMMAND",
        "a command that [copies each of these backups elsewhere](docs/OPERATING.md#backups-elsewhere). Its "
        "word `{}` becomes the path of the backup. It is no line of a shell",
        "",
        example="rclone copy {} remote:gnau",
        wrong="must be a command and its words, such as rclone copy {} remote:gnau",
        repr=False,
    )
    log_level: Annotated[LogLevel, BeforeValidator(str.upper)] = _setting(
        "LOG_LEVEL",
        "`DEBUG`, `INFO`, `WARNING`, `ERROR` or `CRITICAL`",
        "INFO",
        wrong=f"must be one of {', '.join(get_args(LogLevel))}",
    )
    log_format: Annotated[Literal["text", "json"], BeforeValidator(str.lower)] = _setting(
        "LOG_FORMAT",
        "how the log looks: `text` for people, or `json` for programs, an object a line",
        "text",
        wrong="must be text or json",
    )
    metrics_address: Annotated[tuple[str, int] | None, values.listening] = _setting(
        "METRICS_ADDRESS",
        "where the bot serves its [metrics and its health](docs/OPERATING.md): a port of this machine, "
        "such as `9464`, or a host and a port, such as `0.0.0.0:9464`",
        "off",
        wrong="must be a port, such as 9464, or a host and a port, such as 0.0.0.0:9464, or off",
    )
    shard_count: int | None = _setting(
        "SHARD_COUNT",
        "for several processes with PostgreSQL: into how many shards the bot's servers are divided",
        example="8",
        **_whole(1, 16_384),
    )
    shard_ids: Annotated[frozenset[int] | None, values.shard_ids] = _setting(
        "SHARD_IDS",
        "and which of them this process has, such as `0`, `0-3` or `1,5`",
        example="0-3",
        wrong="must be the numbers of shards from 0, such as 0, 0-3 or 1,5",
    )
    verifier_url: Annotated[str | None, values.url("https")] = _setting(
        "VERIFIER_URL",
        "the https address of your copy of `docs/verify.html`, which checks rounds; update it with the bot. "
        "Without it, `/round verify` attaches the page",
        example="https://example.org/verify.html",
    )
    sync_guild: int | None = _setting(
        "SYNC_GUILD",
        "for development: the id of one server that gets changed commands at once",
        example="81384788765712384",
        wrong="must be a server's id, such as 81384788765712384",
        gt=0,
        lt=1 << 63,
    )
    api_url: Annotated[str | None, values.url("http", "https")] = _setting(
        "DISCORD_API_URL",
        "a proxy between the bot and Discord's API, as large bots have one; with the path `/api/v10`",
        example="https://discord.com/api/v10",
    )
    gateway_url: Annotated[str | None, values.url("ws", "wss")] = _setting(
        "DISCORD_GATEWAY_URL", "the same for Discord's gateway", example=DISCORDS_GATEWAY
    )
    https_proxy: Annotated[str | None, values.proxy] = _setting(
        "HTTPS_PROXY",
        "the proxy through which your network lets programs out; lower case works too",
        example="http://proxy:3128",
        alias=pydantic.AliasChoices("https_proxy", "HTTPS_PROXY"),
        repr=False,
    )
    no_proxy: str = _setting(
        "NO_PROXY",
        "what is reached without that proxy; lower case works too",
        "",
        example="localhost,.example.org",
        alias=pydantic.AliasChoices("no_proxy", "NO_PROXY"),
    )
    guild_ready_seconds: float = 2.0
    piece_emojis: bool = True

    @pydantic.model_validator(mode="before")
    @classmethod
    def _without_blanks(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Plain values; an empty one counts as missing."""
        plain = {name: values.plain_value(value) for name, value in given.items()}
        return {name: value for name, value in plain.items() if value not in ("", None)}

    @field_validator("token", "database_url", mode="before")
    @classmethod
    def _or_from_file(cls, value: str, info: ValidationInfo) -> str:
        """What is in the file that another setting names, if one does."""
        content = info.data.get(f"{info.field_name}_file")
        field = cls.model_fields[info.field_name or ""]
        if content is not None and value != field.default:
            raise ValueError(f"and {field.title}_FILE are both set: leave one out")
        return value if content is None else str(content)

    @field_validator("*", mode="before")
    @classmethod
    def _whole_value(cls, value: Any) -> Any:
        return values.refuse_leftovers(value) if isinstance(value, str) else value

    @field_validator("shard_ids")
    @classmethod
    def _of_the_shards(cls, ids: frozenset[int], info: ValidationInfo) -> frozenset[int]:
        if not {"shard_count", "database_url"} <= info.data.keys():
            # One of those is wrong itself.
            return ids
        if (count := info.data["shard_count"]) is None:
            raise ValueError("needs SHARD_COUNT too: into how many shards the servers are divided")
        if max(ids) >= count:
            raise ValueError("has no shard, or one that is not below SHARD_COUNT")
        if len(ids) < count and not can_be_shared(info.data["database_url"]):
            raise ValueError("with a part of the shards needs PostgreSQL: SQLite is for one process")
        return ids

    @property
    def hosts(self) -> Shards:
        """The shards of this process; says whether it hosts a server."""
        if self.shard_count is None or self.shard_ids is None:
            return EVERY_SHARD
        return Shards(self.shard_count, self.shard_ids)

    @property
    def share(self) -> float:
        """Which part of the bot this process is: its shards of all."""
        return len(self.hosts.ids) / self.hosts.count

    @property
    def is_first(self) -> bool:
        """Whether this process has shard 0, which does what is to be done once."""
        return 0 in self.hosts.ids

    def proxy_to(self, address: str) -> str | None:
        """The URL of the proxy that leads to an address with https or wss, maybe with a password."""
        parts = urlsplit(address)
        is_direct = proxy_bypass_environment(parts.netloc, {"no": self.no_proxy})
        return None if is_direct or parts.scheme not in ("https", "wss") else self.https_proxy


class _Given(Settings, BaseSettings):
    """The settings of the environment, and below them those of `.env` in the working directory."""

    model_config = SettingsConfigDict(
        case_sensitive=True,
        enable_decoding=False,
        env_file=ENV_FILE,
        env_file_encoding="utf-8-sig",
        env_ignore_empty=True,
        extra="ignore",
        validate_by_name=False,
    )


@contextmanager
def _env_file_readable() -> Iterator[None]:
    try:
        yield
    except UnicodeDecodeError:
        raise SettingError(".env is not written in UTF-8") from None
    except OSError as failed:
        raise SettingError(f".env cannot be read: {failed.strerror}") from None


def given_settings() -> tuple[Settings, dict[str, str]]:
    """The settings, with its default for each that is wrong; and a sentence about each of those, by name.

    Raises:
        SettingError: `.env` cannot be read.
    """
    wrong: dict[str, str] = {}
    left_out: dict[str, Any] = {}
    while True:
        try:
            with _env_file_readable():
                settings = _Given(**left_out)
            if not settings.token and not wrong.keys() & {"DISCORD_TOKEN", "DISCORD_TOKEN_FILE"}:
                wrong["DISCORD_TOKEN"] = (
                    "DISCORD_TOKEN is missing: set it to the bot's token from Discord's developer portal. "
                    f"It is {_looked_in()}"
                )
            return settings, wrong
        except pydantic.ValidationError as failed:
            errors = {Settings.model_fields[str(it["loc"][0])].title or "": it for it in failed.errors()}
        assert not errors.keys() <= left_out.keys()
        left_out |= dict.fromkeys([*errors, *(f"{name}_FILE" for name in errors)])
        # What is wrong only once others are left out is not wrong.
        wrong = wrong or {
            name: f"{name} {_said(error) or DECLARED[name].wrong}" for name, error in errors.items()
        }


def _looked_in() -> str:
    """Where the settings are not that are missing."""
    file = ENV_FILE.absolute()
    if file.is_dir():
        return f"not in the environment, and {file} is a folder"
    if file.exists():
        return f"neither in the environment nor in {file}"
    return f"not in the environment, and there is no {file}"


def _said(error: Any) -> str:
    """What one of our checks says; empty if the library found it."""
    return str(error["ctx"]["error"]) if error["type"] == "value_error" else ""


def read_settings(*needed: str) -> Settings:
    """Reads the settings.

    Args:
        needed: the names of those that matter; none for all.

    Raises:
        SettingError: one is missing or malformed.
    """
    settings, wrong = given_settings()
    for name, sentence in wrong.items():
        if not needed or name.removesuffix("_FILE") in needed:
            raise SettingError(sentence)
    return settings


def given_names() -> set[str]:
    """The names in the environment and in `.env`, of settings and others."""
    with _env_file_readable():
        return {*os.environ, *DotEnvSettingsSource(_Given).env_vars}


def misspelt_settings(names: Iterable[str]) -> Iterator[str]:
    """A sentence for each name that is no setting, but was probably meant to be one."""
    # Other programs have names like those of the proxy.
    ours = [name for name in DECLARED if not name.endswith("_PROXY")]
    for name in sorted(set(names) - set(DECLARED)):
        if closest := get_close_matches(name.upper().removeprefix("GNAU_"), ours, 1, _CLOSE):
            yield f"{name} is no setting of this bot and has no effect: do you mean {closest[0]}?"
