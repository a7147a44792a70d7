"""What the command line is told from outside: the environment, and the file `.env` behind it."""

import os

from dotenv import dotenv_values

from bot.config import SettingError


def environment() -> dict[str, str]:
    """Names and values, those of the environment before those of `.env` in the working directory.

    What is empty in the environment says nothing, and leaves `.env` its say.

    Raises:
        SettingError: where `.env` cannot be read; in one line that says why.
    """
    said = {name: value for name, value in os.environ.items() if value.strip()}
    return {**_env_file(), **said}


def _env_file() -> dict[str, str]:
    try:
        return {name: value for name, value in dotenv_values(".env").items() if value is not None}
    except UnicodeDecodeError:
        raise SettingError(".env is not written in UTF-8") from None
    except OSError as failed:
        raise SettingError(f".env cannot be read: {failed.strerror}") from None
