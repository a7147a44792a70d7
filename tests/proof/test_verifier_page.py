"""The page `docs/verify.html` in a real browser: it verifies rounds as Python does, and shows them."""

import hashlib
import hmac
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, async_playwright, expect

from bot.games.hands import hand_of
from bot.games.register import game_of
from bot.rules.hashing import canonical, read_code
from bot.rules.shuffle import code_of, ticket_of, words_code
from bot.table.round_proof import Noted, first_mismatch
from bot.table.round_record import LONGEST_RECORD, read_record
from bot.table.state import COMPUTERS
from bot.words.hands import hand_name
from scripts.words.verifier_page import PAGE, with_words
from tests.practice.page_fixtures import CHROMIUM, FLAGS, PATIENCE
from tests.proof.committed_rounds import round_with_computers
from tests.proof.random_rounds import computers_record, house_record, random_record, random_records
from tests.proof.variants import replay, reseal, reshuffled, variant
from tests.sizes import sample, sized
from tests.words.conftest import WriteLocale
from tests.words.conftest import write_locale as write_locale
from tests.words.test_po_files import entry

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"there is no Chromium at {CHROMIUM}"),
]

URL: Final = (Path(__file__).parents[2] / "docs" / "verify.html").as_uri()
BATCH: Final = sized(120, 300)
"""Rounds that one test verifies; all tests of the thorough run verify 9,000."""
PHONE: Final = 390
VERIFY: Final = "texts => texts.map((text) => gnau.verify(text))"


@dataclass
class Verifier:
    """The page in a tab, and what it asked for or complained about."""

    page: Page
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    async def verdicts(self, texts: Sequence[str]) -> list[str]:
        """What the page finds in records, as `verdict`."""
        return [_told(found) for found in await self.page.evaluate(VERIFY, list(texts))]

    async def noted(self, text: str, **noted: str) -> str:
        """What the page finds in a record if somebody noted these codes."""
        verify = "([text, noted]) => gnau.verify(text, noted)"
        return _told(await self.page.evaluate(verify, [text, noted]))

    async def paste(self, text: str) -> None:
        """Types a text into the page at once."""
        chooser = self.page.locator("#chooser")
        if await chooser.get_attribute("open") is None:
            await chooser.locator("summary").click()
        await self.page.fill("#text", text)


def verdict(text: str, noted: Noted | None = None) -> str:
    """What Python finds in a record: verified, no record, or the first part that is wrong."""
    try:
        found = first_mismatch(text) if noted is None else first_mismatch(text, noted)
    except ValueError:
        return "no record"
    return "verified" if found is None else found.where


def _told(found: dict[str, Any]) -> str:
    if "error" in found:
        assert re.fullmatch(r"[A-Z].*\.", found["error"], re.DOTALL)
        return "no record"
    return "verified" if found["verified"] else found["where"]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    expect.set_options(timeout=PATIENCE)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="module")
async def verifier(browser: Browser) -> AsyncIterator[Verifier]:
    """The page on a phone. After the test, it may have asked for nothing and complained about nothing."""
    page = await browser.new_page(viewport={"width": PHONE, "height": 844})
    page.set_default_timeout(PATIENCE)
    here = Verifier(page)
    page.on("request", lambda request: here.requests.append(request.url))
    page.on("pageerror", lambda error: here.complaints.append(str(error)))
    page.on("console", lambda message: here.complaints.append(message.text))
    await page.goto(URL)
    yield here
    await page.close()
    assert here.requests == [URL]
    assert here.complaints == []


def a_round(game: str, *, players: int = 4, seed: int = 0) -> dict[str, Any]:
    """The record of a small round of a game, with names, and with words of its first player."""
    while True:
        record = random_record(seed)
        sheet = record["sheet"]
        if sheet["rules"]["game"] == game and len(sheet["players"]) <= players:
            break
        seed += 1
    for hand in (*record["result"]["players"], record["result"]["banker"]):
        hand["declared_ox"] = None
    first = sheet["players"][0]
    first["client_seed"] = words_code("ab12", "my lucky dog")
    replay(record)
    record["names"] = {first["party"]: "Siti"}
    record["words"] = {first["client_seed"]: {"salt": "ab12", "words": "my lucky dog"}}
    return record


@pytest.mark.parametrize("batch", sample(range(30)))
async def test_page_and_python_agree_on_rounds_and_on_changed_ones(verifier: Verifier, batch: int) -> None:
    dealt = [
        *random_records(batch * BATCH, BATCH // 4),
        *(house_record(seed) for seed in range(batch * BATCH, batch * BATCH + BATCH // 12)),
        *(computers_record(seed) for seed in range(batch * BATCH, batch * BATCH + BATCH // 12)),
    ]
    chance = Random(batch)
    records = [*dealt, *(reshuffled(record, chance) for record in [*dealt, *dealt])]
    texts = list(map(json.dumps, records))
    assert set(map(verdict, texts)) == {"verified"}
    assert set(await verifier.verdicts(texts)) == {"verified"}
    changed = [json.dumps(variant(record, Random(at))) for at, record in enumerate(records, batch * BATCH)]
    expected = list(map(verdict, changed))
    found = await verifier.verdicts(changed)
    differ = [
        (here, there, text)
        for here, there, text in zip(expected, found, changed, strict=True)
        if here != there
    ]
    assert differ[:3] == []
    counts = Counter(expected)
    assert counts["verified"] > BATCH // 10
    assert counts["no record"] > BATCH // 10
    assert len(counts) > 10


@pytest.mark.thorough
async def test_hands_have_the_names_that_the_bot_gives_them(verifier: Verifier) -> None:
    records = list(random_records(1_000_000, 100))
    explain = """texts => texts.map(
        (text) => gnau.explain(text).hands.map(({rank}) => [rank.name, rank.multiple]))"""
    explained = await verifier.page.evaluate(explain, list(map(json.dumps, records)))
    for record, named in zip(records, explained, strict=True):
        rules = read_record(json.dumps(record))[0].rules
        parse = game_of(rules).pieces.parse
        for hand, (name, multiple) in zip(
            (*record["result"]["players"], record["result"]["banker"]), named, strict=True
        ):
            ox = hand["declared_ox"]
            own = hand_of(list(map(parse, hand["pieces"])), None if ox is None else tuple(ox), rules)
            # Nenku is a name for some arrangements of an Ox of 1, and equal arrangements have no order.
            assert (_plain(name), multiple) == (_plain(hand_name(own)), own.multiple)


def _plain(name: str) -> str:
    return name.replace("Nenku (Ox of 1)", "Ox of 1")


@pytest.mark.thorough
async def test_hashes_codes_and_canonical_texts_are_those_of_python(verifier: Verifier) -> None:
    chance = Random(1)
    data = [chance.randbytes(size) for size in (*range(130), 1000)]
    hashed = await verifier.page.evaluate(
        "all => all.map((bytes) => gnau.hex(gnau.sha256(Uint8Array.from(bytes))))", list(map(list, data))
    )
    assert hashed == [hashlib.sha256(one).hexdigest() for one in data]
    made = await verifier.page.evaluate(
        """all => all.map((bytes) => Uint8Array.from(bytes)).map(
            (bytes) => gnau.hex(gnau.hmac(bytes.subarray(0, 32), bytes)))""",
        list(map(list, data[32:])),
    )
    assert made == [hmac.digest(one[:32], one, "sha256").hex() for one in data[32:]]
    values: list[Any] = [
        {"b": [1, -0, None, True, False, 2**53 - 1, 1 - 2**53], "a": {"aa": "", "B": {}, "a": []}},
        "".join(map(chr, range(0x20))) + '"\\/\x7f\u2028\u2029 é 牛 🐂',
    ]
    texts = await verifier.page.evaluate("all => all.map(gnau.canonical)", values)
    assert texts == list(map(canonical, values))
    assert await verifier.page.evaluate("all => all.map(gnau.codeOf)", texts) == list(map(code_of, texts))
    for wrong in ("1.5", "2 ** 53", "'\\ud800'", "({ é: 1 })", "undefined", "NaN"):
        throws = f"() => {{ try {{ gnau.canonical({wrong}); return false }} catch {{ return true }} }}"
        assert await verifier.page.evaluate(throws)


async def test_typed_codes_are_read_as_the_bot_reads_them(verifier: Verifier) -> None:
    code = "7K2Q9-XMD40-TRB8H-NE3WZ-1FJ6A"
    typed = [
        code,
        code.lower(),
        code.replace("-", " "),
        code.replace("-", ""),
        f"  {code}\n",
        code.replace("0", "o").replace("1", "I"),
        code.replace("0", "O").replace("1", "l"),
        code[:-1],
        f"{code}A",
        code.replace("7", "U"),
        "",
    ]

    def read(text: str) -> str | None:
        try:
            return read_code(text)
        except ValueError:
            return None

    assert await verifier.page.evaluate("all => all.map(gnau.readCode)", typed) == list(map(read, typed))


@pytest.mark.thorough
async def test_what_is_no_record_is_refused_in_a_sentence(verifier: Verifier) -> None:
    text = json.dumps(a_round("gnau"))
    number = re.compile(r'"number": (\d+)')
    wrong = [
        "",
        "{",
        "[]",
        "null",
        "hello",
        "[" * 100_000,
        f"{text}x",
        f"\ufeff{text}",
        text.replace("gnau/2", "gnau/1"),
        text.replace('"number"', '"number": 1, "number"', 1),
        *(
            number.sub(f'"number": {value}', text, count=1)
            for value in ("1.0", "1e0", "01", "+1", "true", 2**53, 0)
        ),
        number.sub(f'"number": {"9" * 5000}', text, count=1),
        text.replace("Siti", "\\ud800"),
        text.replace("Siti", "\\x"),
        text.replace("Siti", "\n"),
        text.replace('"decks": ', '"decks": 9'),
        text.replace('"table": "', '"table": "0'),
        text.replace('"game": "gnau"', '"game": ["gnau"]'),
        text + " " * LONGEST_RECORD,
        *(
            json.dumps(_with_rules(**knobs))
            for knobs in ({"tonku_tens": True, "ngau_tonku": False}, {"seats": 9})
        ),
    ]
    assert set(map(verdict, wrong)) == {"no record"}
    assert set(await verifier.verdicts(wrong)) == {"no record"}
    for written in ("hello", "[]", text.replace("gnau/2", "gnau/1")):
        await verifier.paste(written)
        await expect(verifier.page.locator("#verdict h2")).to_have_text("Not a record")
        await expect(verifier.page.locator("#round")).to_be_empty()


def _with_rules(**knobs: object) -> dict[str, Any]:
    record = a_round("gnau")
    record["sheet"]["rules"].update(knobs)
    return record


@pytest.mark.thorough
async def test_spelling_of_json_does_not_matter(verifier: Verifier) -> None:
    record = a_round("niu-niu")
    texts = [
        json.dumps(record, indent=2, sort_keys=True),
        json.dumps(record).replace("gnau/2", "gnau\\/2").replace("Siti", "\\u0053\\ud83d\\udc02"),
        json.dumps(record).replace("Siti", "\x7f\u2028牛"),
        json.dumps(record).replace(record["sheet"]["players"][0]["party"] + '": "Siti', '__proto__": "Siti'),
        json.dumps(record).replace("Siti", "🐂" * 700_000),
    ]
    assert list(map(verdict, texts)) == ["verified"] * len(texts)
    assert await verifier.verdicts(texts) == ["verified"] * len(texts)


async def test_noted_codes_are_compared(verifier: Verifier) -> None:
    record = a_round("tau-ngau")
    dice = record["sheet"]["dice"]
    text = json.dumps(record)
    number = record["sheet"]["side_bets"][0]["client_seed"] if record["sheet"]["side_bets"] else "0"
    other = "00000-00000-00000-00000-00000"
    seeds = [
        place["client_seed"]
        for place in (record["sheet"]["players"][0], record["sheet"]["banker"], dice["sheet"]["seats"][0])
    ]
    cases = [
        *({"seal": seal} for seal in (record["seal"], dice["seal"], other)),
        *({"contribution": seed} for seed in (*seeds, number, other, "12345")),
        *(
            {"contribution": ticket_of(seal, seed)}
            for seal in (record["seal"], dice["seal"])
            for seed in seeds
        ),
        *({"receipt": receipt} for receipt in (record["receipt"], record["seal"])),
    ]
    for case in cases:
        noted = Noted(case.get("seal"), case.get("contribution"), case.get("receipt"))
        assert await verifier.noted(text, **case) == verdict(text, noted)
    told = round_with_computers()
    ticket = ticket_of(told["seal"], told["sheet"]["players"][-1]["client_seed"])
    said = await verifier.noted(json.dumps(told), contribution=ticket)
    assert said == verdict(json.dumps(told), Noted(client_seed=ticket)) != "verified"
    typed = record["seal"].lower().replace("-", " ").replace("0", "o").replace("1", "l")
    assert await verifier.noted(text, seal=typed, receipt="", contribution="") == "verified"
    assert await verifier.noted(text, seal="7K2Q9") == "no record"


async def test_a_pasted_round_is_shown_with_its_hands_and_why(verifier: Verifier) -> None:
    page, record = verifier.page, a_round("gnau")
    await verifier.paste(json.dumps(record))
    await expect(page.locator("#verdict h2")).to_have_text("✓ Verified")
    explained = await page.evaluate(
        "text => gnau.explain(text).hands.map(({rank}) => [rank.name, rank.why])", json.dumps(record)
    )
    for name, why in explained:
        await expect(page.locator("#round")).to_contain_text(name)
        await expect(page.locator("#round")).to_contain_text(why)
    for part in (
        record["seal"],
        record["secret"],
        record["receipt"],
        "Seat 1 · Siti" if record["sheet"]["players"][0]["seat"] == 1 else "Siti",
        "“my lucky dog”",
        *(f"🎟️ {ticket_of(record['seal'], one['client_seed'])}" for one in record["sheet"]["players"]),
    ):
        await expect(page.locator("#round")).to_contain_text(part)
    shown = await page.locator(".piece").all_text_contents()
    signs = str.maketrans("CDHS", "♣♦♥♠")
    hands = (record["result"]["banker"], *record["result"]["players"])
    assert Counter(shown) == Counter(piece.translate(signs) for hand in hands for piece in hand["pieces"])


async def test_b07_the_house_and_computer_players_are_shown_by_their_names(verifier: Verifier) -> None:
    record = computers_record(0)
    there = {player["party"]: player["seat"] for player in record["sheet"]["players"]}
    computers = [
        f"Seat {there[party]} · 🤖 Computer {number}"
        for number, party in enumerate(map(str, COMPUTERS), 1)
        if party in there
    ]
    house = ["Banker · The house", "The house, banker"]
    for shown, names in ((house_record(0), house), (record, computers)):
        await verifier.paste(json.dumps(shown))
        await expect(verifier.page.locator("#verdict h2")).to_have_text("✓ Verified")
        for name in names:
            await expect(verifier.page.locator("#round")).to_contain_text(name)


async def test_hidden_characters_in_names_and_words_are_left_out(verifier: Verifier) -> None:
    record = a_round("gnau")
    first = record["sheet"]["players"][0]
    hostile = "\u202eSi\u200bti" + "\u0301" * 40 + "\u2066\u3164"
    first["client_seed"] = words_code("ab12", hostile)
    replay(record)
    record["names"] = {first["party"]: hostile}
    record["words"] = {first["client_seed"]: {"salt": "ab12", "words": hostile}}
    await verifier.paste(json.dumps(record))
    await expect(verifier.page.locator("#verdict h2")).to_have_text("✓ Verified")
    shown = await verifier.page.locator("#round").text_content()
    assert shown is not None
    assert "“Siti\u0301\u0301\u0301”" in shown
    assert "· Siti\u0301\u0301\u0301" in shown
    assert not set(shown) & set("\u202e\u200b\u2066\u3164")
    assert "\u0301" * 4 not in shown
    record["names"] = {first["party"]: "🐂" * 5000}
    await verifier.paste(json.dumps(record))
    await expect(verifier.page.locator("#round")).to_contain_text("🐂" * 119 + "…")


async def test_a_wrong_round_says_what_is_wrong_and_what_it_should_be(verifier: Verifier) -> None:
    page, record = verifier.page, a_round("niu-niu")
    seat = record["sheet"]["players"][0]["seat"]
    right = record["result"]["players"][0]["chips"]
    record["result"]["players"][0]["chips"] = wrong = right + 7
    reseal(record)
    await verifier.paste(json.dumps(record))
    await expect(page.locator("#verdict h2")).to_have_text("✗ Not verified")
    await expect(page.locator("#verdict")).to_contain_text(f"This is wrong: the gain of seat {seat}.")
    assert await page.locator("#verdict dd").all_text_contents() == [str(wrong), str(right)]


async def test_codes_in_the_fields_are_answered_one_by_one(verifier: Verifier) -> None:
    page, record = verifier.page, a_round("gnau")
    await verifier.paste(json.dumps(record))
    await page.fill("#seal", record["seal"].lower())
    await page.fill("#contribution", record["sheet"]["players"][0]["client_seed"])
    await page.fill("#receipt", "7K2Q9")
    await expect(page.locator("#seal-answer")).to_have_text("✓ The record has it.")
    await expect(page.locator("#contribution-answer")).to_have_text("✓ The record has it.")
    await page.fill(
        "#contribution", ticket_of(record["seal"], record["sheet"]["players"][0]["client_seed"]).lower()
    )
    await expect(page.locator("#contribution-answer")).to_have_text("✓ The record has it.")
    await expect(page.locator("#receipt-answer")).to_contain_text("A code has 25 letters and digits")
    await expect(page.locator("#verdict")).to_contain_text("What you noted is in it: seal and contribution.")
    await page.fill("#receipt", record["seal"])
    await expect(page.locator("#receipt-answer")).to_have_text("✗ This is another code: seal.")
    await expect(page.locator("#verdict h2")).to_have_text("✗ Not your receipt")
    await page.fill("#receipt", a_round("niu-niu")["receipt"])
    await expect(page.locator("#receipt-answer")).to_have_text("✗ Not the one in this record.")
    record["sheet"]["players"][0]["stake"] += 1
    await verifier.paste(json.dumps(record))
    await expect(page.locator("#seal-answer")).to_contain_text("but the record is wrong")


@pytest.mark.thorough
async def test_a_file_is_read(verifier: Verifier, tmp_path: Path) -> None:
    page = verifier.page
    heading = page.locator("#verdict h2")
    text = json.dumps(a_round("tau-ngau"), ensure_ascii=False)
    for name, data, said in (
        ("round.json", text.encode(), "✓ Verified"),
        ("marked.json", text.encode("utf-8-sig"), "✓ Verified"),
        ("latin.json", b"\xff\xfe{}", "Not a record"),
        ("empty.json", b"", "Not a record"),
        ("long.json", b" " * (5 << 20), "Not a record"),
        ("other.json", b"{}", "Not a record"),
    ):
        file = tmp_path / name
        file.write_bytes(data)
        await page.locator("#file").set_input_files(file)
        await expect(heading).to_have_text(said)
    await page.locator("#file").set_input_files(tmp_path / "round.json")
    await expect(heading).to_have_text("✓ Verified")


async def test_a_file_can_be_dropped_and_a_text_pasted_anywhere(verifier: Verifier) -> None:
    page = verifier.page
    heading = page.locator("#verdict h2")
    dropped = await page.evaluate_handle(
        """text => {
            const data = new DataTransfer();
            data.items.add(new File([text], 'round.json'));
            return data;
        }""",
        json.dumps(a_round("niu-niu")),
    )
    await page.dispatch_event("body", "dragover", {"dataTransfer": dropped})
    await page.dispatch_event("body", "drop", {"dataTransfer": dropped})
    await expect(heading).to_have_text("✓ Verified")
    paste = """text => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', text);
        document.body.dispatchEvent(new ClipboardEvent('paste', {clipboardData, bubbles: true}));
    }"""
    await page.evaluate(paste, "hello")
    await expect(heading).to_have_text("Not a record")
    await page.evaluate(paste, json.dumps(a_round("gnau")))
    await expect(heading).to_have_text("✓ Verified")


@pytest.mark.thorough
@pytest.mark.parametrize("game", ["gnau", "tau-ngau", "niu-niu"])
async def test_a_phone_never_scrolls_sideways(verifier: Verifier, game: str) -> None:
    page, record = verifier.page, a_round(game, players=12)
    long = "W" * 300
    record["names"] = {
        place["party"]: long for place in (record["sheet"]["banker"], *record["sheet"]["players"])
    }
    seed = record["sheet"]["players"][0]["client_seed"] = words_code("", long)
    record["words"] = {seed: {"salt": "", "words": long}}
    replay(record)
    for width in (320, PHONE):
        await page.set_viewport_size({"width": width, "height": 844})
        for text in (json.dumps(record), json.dumps(record | {"secret": long}), f'{{"format": "{long}"}}'):
            await verifier.paste(text)
            if "Rules" in await page.locator("#round").inner_text():
                await page.locator(".rules summary").click()
            assert await page.evaluate("document.documentElement.scrollWidth") == width
    for control in await page.locator("summary, .button, input[type=text], textarea").all():
        if box := await control.bounding_box():
            assert box["height"] >= 44


async def test_names_and_words_are_only_text(verifier: Verifier) -> None:
    page, record = verifier.page, a_round("gnau")
    evil = "<img src=x onerror=\"document.title='evil'\"><script>document.title='evil'</script>"
    seed = record["sheet"]["players"][0]["client_seed"] = words_code("", evil)
    record["words"] = {seed: {"salt": "", "words": evil}}
    record["names"] = {record["sheet"]["players"][0]["party"]: evil, "constructor": "x", "__proto__": "y"}
    replay(record)
    await verifier.paste(json.dumps(record))
    await expect(page.locator("#verdict h2")).to_have_text("✓ Verified")
    await expect(page.locator("#round")).to_contain_text(evil)
    assert await page.locator("#round img, #round script").count() == 0
    assert await page.title() == "Verify a round"


@pytest.mark.thorough
async def test_the_page_speaks_every_language_that_the_bot_does(
    browser: Browser, write_locale: WriteLocale, tmp_path: Path
) -> None:
    german = {
        "verify.✓ Verified": "✓ Geprüft",
        "verify.Compare your codes": "Vergleich deine Codes",
        "verify.Seat {a}": "Platz {a}",
        "verify.This is wrong: {a}.": "Das ist falsch: {a}.",
        "verify.place.the_gain_of_seat": "der Gewinn von Platz {a}",
        "verify.{a}, table {b}, round {c}": "{c}. Runde an Tisch {b}: {a}",
        "hand.no_niu": "Kein </script> Niu",
        "title.arrange": "Wer </script> ordnet",
        "setting.arrange.automatic": "der Bot",
    }
    write_locale("de", *(entry(code, text) for code, text in german.items()))
    file = tmp_path / "verify.html"
    file.write_text(with_words(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    page = await browser.new_page(locale="de-AT")
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    await page.goto(file.as_uri())
    assert await page.get_attribute("html", "lang") == "de"
    assert await page.locator("#language option").all_text_contents() == ["English", "Deutsch"]
    await expect(page.locator("#codes")).to_have_text("Vergleich deine Codes")

    record = a_round("niu-niu")
    await page.fill("#text", json.dumps(record))
    await expect(page.locator("#verdict h2")).to_have_text("✓ Geprüft")
    heading = f"{record['sheet']['round']}. Runde an Tisch {record['sheet']['number']}: Niu Niu"
    await expect(page.locator("#round h2").first).to_have_text(heading)
    seat = record["sheet"]["players"][0]["seat"]
    await expect(page.locator("#round")).to_contain_text(f"Platz {seat}")
    await expect(page.locator(".rules dt").first).to_have_text("Wer </script> ordnet")
    await expect(page.locator(".rules dd").first).to_have_text("der Bot")
    # The German of this test does not have it.
    await expect(page.locator(".rules dl")).to_contain_text("Equal hands")

    await page.select_option("#language", "en")
    await expect(page.locator("#verdict h2")).to_have_text("✓ Verified")
    await expect(page.locator("#codes")).to_have_text("Compare your codes")
    await page.select_option("#language", "de")
    record["result"]["players"][0]["chips"] += 7
    reseal(record)
    await Verifier(page).paste(json.dumps(record))
    await expect(page.locator("#verdict")).to_contain_text(f"Das ist falsch: der Gewinn von Platz {seat}.")
    assert complaints == []
    await page.close()


@pytest.mark.thorough
@pytest.mark.parametrize("secret", ["constructor", "toString", "ff"])
async def test_a_forged_round_is_refused_in_every_language(browser: Browser, secret: str) -> None:
    page = await browser.new_page(locale="de-DE")
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    await page.goto(URL)
    record = a_round("gnau")
    await page.fill("#text", json.dumps(record))
    await expect(page.locator("#verdict")).to_have_class("good")
    record["secret"] = secret
    await Verifier(page).paste(json.dumps(record))
    await expect(page.locator("#verdict")).to_have_class("bad")
    says, should = await page.locator("#verdict dd").all_text_contents()
    assert says == secret
    assert should == "64 hexadezimale Ziffern in Kleinbuchstaben"
    assert complaints == []
    await page.close()
