"""The verifier page has what the bot says about a record, and the translations of today."""

import json
import re
from typing import Any

from bot.games.register import GAMES
from bot.table.round_record import rules_on_sheet
from bot.words.catalogue.proofs import VERIFIED_PLACES
from bot.words.po_files import locales
from scripts.words.verifier_page import PAGE, key_of, with_words
from tests.words.conftest import WriteLocale
from tests.words.test_po_files import entry

HTML = PAGE.read_text(encoding="utf-8")


def block_in(page: str, name: str) -> dict[str, Any]:
    found = re.search(rf'<script type="application/json" id="{name}">\n(.*?)\n</script>', page, re.DOTALL)
    assert found is not None
    block: dict[str, Any] = json.loads(found[1])
    return block


def test_what_the_verifier_names_is_named_in_the_page() -> None:
    for code, message in VERIFIED_PLACES.items():
        words = re.split(r"{a}| of (?=seat|side|the banker)", key_of(message.text))
        assert all(part.strip() in HTML for part in words), code


def test_every_phrase_about_a_record_is_in_the_catalogue() -> None:
    calls = re.findall(r"\b(?:mismatch|same)\((.*)\);", HTML)
    phrases = {text for call in calls for text in re.findall(r"[\"`]([a-z0-9][^\"`]* [^\"`]*)[\"`]", call)}
    assert len(phrases) > 20
    known = [re.escape(message.text).replace(r"\{a\}", ".+") for message in VERIFIED_PLACES.values()]
    for phrase in phrases:
        said = re.sub(r"\$\{\w+\}", "7", re.sub(r"\$\{who(?:se)?\}", "seat 7", phrase))
        assert any(re.fullmatch(pattern, said) for pattern in known), phrase


def test_the_page_has_the_translations_of_today() -> None:
    assert with_words(HTML) == HTML, "run `python -m scripts.words.verifier_page`"


def test_the_page_names_every_rule_of_a_record_in_every_language() -> None:
    told = block_in(HTML, "rules")
    assert told.keys() == {locale.replace("_", "-") for locale in locales()}
    for game, names in ((game, names) for game in GAMES.values() for names in told.values()):
        for rule, value in rules_on_sheet(game.rules()).items():
            if rule not in ("game", "game_version"):
                assert names[rule][""]
                assert not isinstance(value, str) or names[rule][value]
    assert told["en"]["ties"] == {"": "Ties", "banker": "banker", "push": "nobody"}
    assert told["de"]["ties"] == {"": "Bei Gleichstand gewinnt", "banker": "die Bank", "push": "niemand"}


def test_a_translation_is_found_by_the_english_and_no_text_ends_the_block(write_locale: WriteLocale) -> None:
    write_locale(
        "zh_TW",
        entry("verify.{a}, table {b}, round {c}", "第 {c} 局 {a} {b}"),
        entry("hand.double_ox", "雙牛 {rank} </script>"),
        plurals="nplurals=1; plural=0;",
    )
    page = with_words(HTML)
    assert block_in(page, "words") == {
        "zh-TW": {
            "English": "繁體中文",
            "{a}, table {b}, round {c}": "第 {c} 局 {a} {b}",
            "Double-Ox {a}": "雙牛 {a} </script>",
        }
    }
    assert page.count("</script>") == HTML.count("</script>")
