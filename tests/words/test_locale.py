import asyncio
import subprocess
import sys

import pytest

from bot.words.po_files import DEFAULT_LOCALE, chosen_locale, closest_locale, plain_locale
from bot.words.translation import Reader, reader, set_reader, speaking_to
from tests.words.conftest import WriteLocale

IMPORTS = """
import pkgutil
from importlib import import_module

import bot, cogs
from bot.words import po_files

def read(*_):
    raise AssertionError("a module reads translations when it is imported")

po_files.locales = po_files.translation_of = po_files._locales_in = po_files._read = read
for package in (bot, cogs):
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        # These run what they are named after.
        if not found.name.endswith(("__main__", "migrations.env")):
            import_module(found.name)
"""
"""Imports every module, while nothing can be translated."""


@pytest.mark.thorough
def test_no_module_reads_translations_when_it_is_imported() -> None:
    """What it keeps would depend on who imports it first: a test can have a folder of its own."""
    subprocess.run([sys.executable, "-c", IMPORTS], timeout=120, check=True)


@pytest.mark.parametrize(
    ("discord_locale", "locale"),
    [
        ("de", "de"),
        ("de-AT", "de"),
        ("pt-BR", "pt_BR"),
        ("es-419", "es_ES"),
        ("zh-CN", "zh"),
        ("zh-TW", "en"),
        ("en-GB", "en"),
        ("en-US", "en"),
        ("ko", "en"),
        ("de-XX", "de"),
        ("", "en"),
        ("../de", "en"),
        (None, "en"),
    ],
)
def test_the_closest_locale_has_the_language_and_the_script_of_the_reader(
    discord_locale: str | None, locale: str, write_locale: WriteLocale
) -> None:
    for translated in ("de", "pt_BR", "es_ES", "zh"):
        write_locale(translated)

    assert closest_locale(discord_locale) == locale


def test_an_exact_locale_comes_before_its_language_and_that_before_another_country(
    write_locale: WriteLocale,
) -> None:
    for translated in ("es_ES", "es", "es_419", "pt_BR", "pt_PT"):
        write_locale(translated)

    assert closest_locale("es-ES") == "es_ES"
    assert closest_locale("es-419") == "es_419"
    assert closest_locale("es-MX") == "es"
    assert closest_locale("pt") == "pt_BR"


def test_without_translations_everybody_reads_english(write_locale: WriteLocale) -> None:
    assert closest_locale("de") == DEFAULT_LOCALE == "en"


def test_the_first_that_is_translated_counts_chosen_or_not(write_locale: WriteLocale) -> None:
    write_locale("de")
    write_locale("ms")

    assert closest_locale("fr", "de") == "de"
    assert closest_locale("en-GB", "de") == "en"
    assert closest_locale(None, "fr") == "en"
    assert closest_locale(chosen_locale("ms"), "de") == "ms"
    assert plain_locale(chosen_locale("zh-tw")) == plain_locale("zh-tw") == "zh-tw"


def test_speaking_restores_the_locale_before_even_after_an_error() -> None:
    def fail() -> None:
        with speaking_to(Reader("fr")):
            assert reader().locale == "fr"
            raise RuntimeError

    with speaking_to(Reader("de")):
        with pytest.raises(RuntimeError):
            fail()
        assert reader().locale == "de"
    assert reader().locale == DEFAULT_LOCALE


async def test_a_task_sets_the_locale_for_itself_and_the_tasks_it_starts() -> None:
    async def inner() -> str:
        return reader().locale

    async def outer(locale: str) -> tuple[str, str, str]:
        set_reader(Reader(locale))
        await asyncio.sleep(0)
        in_thread = await asyncio.to_thread(reader)
        return reader().locale, await asyncio.create_task(inner()), in_thread.locale

    german, french = await asyncio.gather(outer("de"), outer("fr"))

    assert german == ("de", "de", "de")
    assert french == ("fr", "fr", "fr")
    assert reader().locale == DEFAULT_LOCALE
