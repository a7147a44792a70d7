"""Every module in `cogs` is a cog that loads."""

import asyncio
import pkgutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from discord import app_commands

import cogs
from bot.config import Settings
from bot.croupier.croupier import Croupier
from bot.croupier.houses import Houses
from bot.ledger.ledger import open_ledger
from bot.ui.bot import GnauBot
from bot.ui.press.commands import CommandTranslator
from bot.words.catalogue import MESSAGES
from tests.words.conftest import WriteLocale
from tests.words.conftest import write_locale as write_locale
from tests.words.test_po_files import entry

MODULES = [module.name for module in pkgutil.iter_modules(cogs.__path__, "cogs.")]


@pytest.fixture
async def bot(tmp_path: Path) -> AsyncIterator[GnauBot]:
    """A bot that isn't connected."""
    async with open_ledger(f"sqlite:///{tmp_path}/gnau.db") as ledger:
        houses = Houses(ledger)
        croupier = Croupier(ledger, houses.house_of)
        bot = GnauBot(Settings(token="a.b.c"), croupier, houses)
        async with bot:
            yield bot
        await croupier.close()


async def test_each_module_has_a_cog(bot: GnauBot) -> None:
    await bot.load_cogs()
    assert sorted({type(cog).__module__ for cog in bot.cogs.values()}) == MODULES
    assert all(cog.__doc__ for cog in bot.cogs.values())


async def test_a_stopped_bot_leaves_no_task(bot: GnauBot) -> None:
    before = asyncio.all_tasks()
    await bot.load_cogs()
    assert asyncio.all_tasks() > before
    await bot.close()
    assert asyncio.all_tasks() == before


async def test_each_command_has_a_description_and_the_right_contexts(bot: GnauBot) -> None:
    await bot.load_cogs()
    for command in bot.tree.walk_commands():
        assert isinstance(command, app_commands.Command | app_commands.Group)
        assert command.description not in ("", "…")
        if isinstance(command, app_commands.Command):
            assert all(option.description not in ("", "…") for option in command.parameters), command.name
            assert command.callback.__doc__


async def test_every_name_that_members_type_can_be_translated(bot: GnauBot) -> None:
    await bot.load_cogs()
    names: dict[str, str] = {}
    for command in bot.tree.walk_commands():
        assert isinstance(command, app_commands.Command | app_commands.Group)
        names[f"name.{command.qualified_name.replace(' ', '.')}"] = command.name
        if isinstance(command, app_commands.Command):
            names |= {f"name.option.{one.display_name}": one.display_name for one in command.parameters}

    known = {code: message.text for code, message in MESSAGES.items() if code.startswith("name.")}
    assert names.items() <= known.items()


async def test_names_of_commands_and_options_come_in_each_language(
    bot: GnauBot, write_locale: WriteLocale
) -> None:
    write_locale("de", entry("name.table.open", "öffnen"), entry("name.option.play", "um"))
    await bot.load_cogs()
    table = next(command for command in bot.tree.get_commands() if command.name == "table")
    assert isinstance(table, app_commands.Group)
    payload = await table.get_translated_payload(bot.tree, CommandTranslator())
    opening = next(one for one in payload["options"] if one["name"] == "open")

    assert payload["name_localizations"] == {}
    assert opening["name_localizations"] == {"de": "öffnen"}
    assert {one["name"]: one.get("name_localizations") for one in opening["options"]} == {
        "game": None,
        "play": {"de": "um"},
    }
