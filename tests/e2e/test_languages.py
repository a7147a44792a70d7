"""Everybody is answered in their own language, and a channel reads that of its server."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.practice.person import Person
from bot.words.translation import english
from tests.e2e.conftest import an_evening
from tests.e2e.evening import Evening, unlinked
from tests.words.conftest import WriteLocale
from tests.words.conftest import write_locale as write_locale
from tests.words.test_po_files import entry

NO_TABLES = "reply.no_tables"
PLACE_BETS = "board.place_bets"
SAID = "language.set"


@pytest.fixture
async def evening(
    write_locale: WriteLocale, tmp_path: Path, caplog: pytest.LogCaptureFixture, paced_bot: None
) -> AsyncIterator[Evening]:
    """An evening of a bot that speaks a little German and Malay."""
    for locale, plurals in (("de", "nplurals=2; plural=(n != 1);"), ("ms", "nplurals=1; plural=0;")):
        texts = [entry(code, f"{locale} {english(code)}") for code in (NO_TABLES, PLACE_BETS, SAID)]
        texts += [entry("leaderboard.chips", f"{locale} Chips"), entry("board.bank", f"{locale} {{who}}")]
        texts.append(entry("panel.your_bet", f"{locale} {{stake:chips}}"))
        write_locale(locale, *texts, plurals=plurals)
    async with an_evening(tmp_path / "gnau.db", caplog) as evening:
        yield evening


async def list_tables(evening: Evening, person: Person) -> str:
    return unlinked((await evening.told_alone(person, "table list")).text)


async def choose(evening: Evening, person: Person, language: str) -> str:
    return (await evening.told_alone(person, "language", language=language)).text


async def set_language(evening: Evening, admin: Person, language: str) -> None:
    await admin.slash(evening.channel, "house set", rule="language", value=language)
    preview = admin.sees(evening.channel)[-1]
    await admin.click(preview, "Confirm")


async def test_who_chooses_a_language_is_answered_in_it_from_then_on(evening: Evening) -> None:
    alice = evening.person("Alice")
    assert await list_tables(evening, alice) == english(NO_TABLES)
    alice.user.locale = "de"
    assert await list_tables(evening, alice) == f"de {english(NO_TABLES)}"
    command = next(one for one in alice.commands(evening.channel) if one["name"] == "language")
    offered = [choice["name"] for choice in command["options"][0]["choices"]]
    assert offered[:2] == ["as in Discord", "English"]
    assert {"Bahasa Melayu", "Deutsch"} <= set(offered)

    assert await choose(evening, alice, "ms") == f"ms {english(SAID)}"
    assert await list_tables(evening, alice) == f"ms {english(NO_TABLES)}"
    await evening.restart()
    assert await list_tables(evening, alice) == f"ms {english(NO_TABLES)}"
    assert await choose(evening, alice, "en") == english(SAID)
    assert await list_tables(evening, alice) == english(NO_TABLES)
    assert await choose(evening, alice, "auto") == english("language.auto")
    assert await list_tables(evening, alice) == f"de {english(NO_TABLES)}"


async def test_a_language_that_is_chosen_by_direct_message_holds_in_servers(evening: Evening) -> None:
    alice = evening.person("Alice")
    await alice.slash(alice.dm(), "language", language="ms")
    told = unlinked(alice.sees(alice.dm())[-1].text)
    assert told == english("language.unknown"), "nothing is stored of her yet"
    assert await list_tables(evening, alice) == english(NO_TABLES)

    await evening.told_alone(alice, "wallet")
    await alice.slash(alice.dm(), "language", language="ms")
    assert alice.sees(alice.dm())[-1].text == f"ms {english(SAID)}"
    assert await list_tables(evening, alice) == f"ms {english(NO_TABLES)}"


async def test_a_chosen_language_is_exported_and_erased(evening: Evening) -> None:
    alice = evening.person("Alice")
    await choose(evening, alice, "ms")
    await alice.slash(evening.channel, "privacy export")
    [file] = alice.sees(evening.channel)[-1].attachments
    stored = json.loads(evening.discord.world.files[file.id])
    assert [server["locale"] for server in stored["servers"]] == ["ms-x-chosen"]

    await alice.slash(evening.channel, "privacy erase")
    await alice.click(alice.sees(evening.channel)[-1], english("privacy.erase_now"))
    identities = evening.bot.croupier.identities
    await evening.until(lambda: identities.chosen(alice.id) is None, "it is erased")
    await evening.settle_down()
    assert await list_tables(evening, alice) == english(NO_TABLES)
    await evening.told_alone(alice, "wallet")
    assert await list_tables(evening, alice) == english(NO_TABLES)


async def test_a_board_is_in_the_language_of_the_server_and_never_in_that_of_a_member(
    evening: Evening,
) -> None:
    mei = evening.person("Mei", manage_server=True)
    await choose(evening, mei, "ms")
    board = await evening.open_table(mei)
    await evening.take_bank(mei, board)
    assert f"👑 <@{mei.id}> banks" in board.text
    assert english(PLACE_BETS) in board.text

    await set_language(evening, mei, "de")
    await evening.board_says(board, f"de <@{mei.id}>")
    bob = evening.person("Bob")
    await bob.click(board, "10")
    await evening.board_says(board, "de", f"<@{bob.id}>")
    assert "ms" not in board.text.split()


async def test_a_server_has_the_language_of_its_discord_unless_it_sets_another(evening: Evening) -> None:
    mei, zoe = evening.person("Mei", manage_server=True), evening.person("Zoë")
    zoe.user.locale = "fr"
    assert await list_tables(evening, zoe) == english(NO_TABLES)
    evening.server.locale = "de"
    await evening.restart()
    await mei.slash(evening.channel, "leaderboard")
    assert mei.sees(evening.channel)[-1].text.startswith("de Chips")

    await set_language(evening, mei, "ms")
    await mei.slash(evening.channel, "leaderboard")
    assert mei.sees(evening.channel)[-1].text.startswith("ms Chips")
    assert await list_tables(evening, mei) == english(NO_TABLES), "her own Discord is English"
    assert await list_tables(evening, zoe) == f"ms {english(NO_TABLES)}", "nobody has translated hers"


async def test_each_hand_is_sent_in_the_language_of_its_holder(evening: Evening) -> None:
    evening.rules = evening.rules.model_copy(update={"last_call_seconds": 60})
    board, (mei, alice, bob) = await evening.table_of("Mei", "Alice", "Bob")
    bob.user.locale = "de"
    await alice.click(board, "20")
    await bob.click(board, "10")
    await evening.press(mei, board, "Deal")
    await evening.have_cards(alice, bob)
    assert "Your bet: **20 chips**" in alice.sees(alice.dm())[0].text
    assert "de 10 chips" in bob.sees(bob.dm())[0].text
