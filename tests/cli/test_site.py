"""`gnau site`: what its pages show and keep to themselves, and that a browser shows and checks them."""

import asyncio
import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from bot.cli import site_command
from bot.croupier.houses import HouseChange, Houses, Verb
from bot.croupier.identities import User
from bot.croupier.standings import Standings
from bot.games.register import GAMES
from bot.rules.knobs import GameName, Language
from bot.site.html import blocks, tag
from bot.table.commands import Leave, PlaceSideBet, RevealHand, SetClientSeed, TakeBank
from bot.table.round_proof import first_mismatch
from tests.cli.runner import ask, refusal
from tests.croupier.croupier_house import NOON, OTHER_SERVER, House
from tests.databases import new_postgres_database
from tests.practice.page_fixtures import CHROMIUM, FLAGS, PATIENCE
from tests.sizes import sample

SERVER, CHANNEL, PRIVATE = 810_000_000_000_000_021, 820_000_000_000_000_001, 820_000_000_000_000_555
MEI = User(830_000_000_000_000_001, "Mei & <b>Co</b>", "en-US")
ZOE = User(830_000_000_000_000_002, "<img src=x onerror=alert(1)>**\"'&", "de")
HIDDEN = User(830_000_000_000_000_003, "Hanna Hides", "en-US")
GOING = User(830_000_000_000_000_004, "W" * 32, "en-US")
PLAYERS = (ZOE, HIDDEN, GOING)
SEASON = "Winter <1>"
WORDS, EMOJI = "garden gate", "<:gold:840000000000000009>"
SETTINGS = {"currency_emoji": EMOJI, "currency_name": "gold", "language": "ms"}
IDS = (SERVER, CHANNEL, PRIVATE, 840_000_000_000_000_009, *(user.user_id for user in (MEI, *PLAYERS)))
BOARDS = {"board-all.html", "board-all-niu-niu.html", "board-2026-09.html", "board-2026-09-bank.html"}


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", "sqlite:///gnau.db")
    monkeypatch.setattr(site_command, "time", SimpleNamespace(time=lambda: NOON + 60))


async def play(database: Path | str) -> str:
    """Plays a round in a private channel and two in an open one, and begins a third; returns its secret."""
    async with House(database) as house:
        party_of = house.croupier.identities.party_of
        mei = await party_of(SERVER, MEI)
        zoe, hidden, going = [await party_of(SERVER, user) for user in PLAYERS]

        async def open_table(channel: int, game: GameName, *players: int) -> int:
            table = await house.open(mei, channel_id=channel, server_id=SERVER, game=game)
            for party in (mei, *players):
                await house.croupier.wallets.open(SERVER, party)
            await house.do(table.table_id, TakeBank(mei, 5, 50, table.rules), mei)
            await house.join(table.table_id, *players)
            return table.table_id

        async def play_round(table_id: int, *players: int, backer: int | None = None) -> None:
            await house.bet(table_id, players[0], 5)
            if backer is not None:
                await house.do(table_id, PlaceSideBet(backer, players[0], 5), backer)
            for party in players[1:]:
                await house.bet(table_id, party, 5)
            for party in (*players, mei):
                await house.do(table_id, RevealHand(party), party)

        await house.croupier.seasons.start(SERVER, SEASON, CHANNEL, resets=False)
        private = await open_table(PRIVATE, "niu-niu", hidden, going)
        await house.croupier.wallets.open(SERVER, zoe)
        await play_round(private, hidden, going, backer=zoe)
        for party in (hidden, going, mei):
            await house.do(private, Leave(party), party)
        table_id = await open_table(CHANNEL, "gnau", zoe, hidden, going)
        await house.do(table_id, SetClientSeed(zoe, WORDS), zoe)
        await play_round(table_id, zoe, hidden, going)
        await play_round(table_id, zoe, hidden, going)
        await house.do(table_id, Leave(going), going)
        await house.croupier.identities.set_hidden(hidden, is_hidden=True)
        async for _ in Standings(house.ledger).count_all():
            pass
        houses = Houses(house.ledger)
        for number, (knob, value) in enumerate(SETTINGS.items(), 1):
            await houses.draft(number, SERVER, HouseChange(Verb.SET, knob, value))
            await houses.confirm(number, SERVER, mei)
        await house.bet(table_id, zoe, 5)
        return house.table(table_id).secret


def written(*options: str) -> dict[str, str]:
    """The files of a site that is written now, but for the verifier, whose texts are everybody's."""
    result = ask("site", "site", *options)
    names = Path("site/.gnau-site").read_text("utf-8").split()
    assert (result.exit_code, result.output) == (0, f"site has the site: {len(names):,} files\n")
    assert {file.name for file in Path("site").iterdir()} <= {*names, ".gnau-site", "robots.txt"}
    files = {name: Path("site", name).read_text("utf-8") for name in names}
    assert files.pop("verify.html").startswith("<!doctype html>")
    return files


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_a_site_shows_a_server_and_keeps_its_secrets(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    database = Path("gnau.db") if engine == "sqlite" else new_postgres_database()
    if isinstance(database, str):
        monkeypatch.setenv("DATABASE_URL", database)
    secret = asyncio.run(play(database))

    files = written("--server", str(SERVER), "--language", "en")

    assert {*BOARDS, *(f"rules-{game}.html" for game in GAMES), "index.html", "rounds.html"} <= files.keys()
    records = [json.loads(text) for name, text in files.items() if name.endswith(".json")]
    assert [first_mismatch(json.dumps(record)) for record in records] == [None] * 3
    assert {name for one in records for name in one["names"].values()} == {MEI.name, ZOE.name, GOING.name}
    round_page = files["table-2-round-1.html"]
    assert "&lt;img src=x onerror=alert(1)&gt;**&quot;&#x27;&amp; " in round_page
    assert " Member " in round_page
    assert 'href="board-season-1.html">Winter &lt;1&gt;</a>' in files["board-all.html"]
    assert GOING.name in files["board-season-1-gnau.html"]
    assert " gold</td>" in files["board-all.html"]
    assert GOING.name in files["board-all.html"]
    assert all("5.19%" in files[name] for name in ("index.html", "rules-gnau.html"))
    everything = "".join(files.values())
    for private in (*map(str, IDS), secret, WORDS, HIDDEN.name):
        assert private not in everything
    for name, text in files.items():
        assert name.endswith(".json") or not any(sign in text for sign in ("<script", "<img", "://")), name

    assert ask("privacy", "erase", str(GOING.user_id)).exit_code == 0
    # What is the host's stays.
    Path("site/robots.txt").write_text("mine")
    files = written(
        "--channel", str(CHANNEL), "--rounds", "1", "--title", "Ox <&> friends", "--language", "en"
    )
    rounds = [name for name in files if name.startswith("table-")]
    assert rounds == ["table-2-round-2.html", "table-2-round-2.json"]
    assert GOING.name not in "".join(files.values())
    assert "<title>Ox &lt;&amp;&gt; friends</title>" in files["index.html"]
    # The language of the house.
    nobody = written("--no-names")
    assert '<html lang="ms">' in nobody["index.html"]
    assert not any(name in text for text in nobody.values() for name in ("Mei", "onerror"))
    assert Path("site/robots.txt").exists()


def test_what_cannot_be_written_is_refused_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    asyncio.run(play(Path("gnau.db")))
    assert refusal("site", "site", "--server", "7") == "nothing is stored about the server 7"
    assert refusal("site", "site", "--language", "fr").startswith("--language is one of en, ")
    folder = Path("others")
    folder.mkdir()
    (folder / "index.html").write_text("mine")
    for words in ("others", "gnau.db"):
        assert refusal("site", words).startswith(words)
    assert (folder / "index.html").read_text() == "mine"

    async def elsewhere() -> None:
        async with House(Path("gnau.db")) as house:
            await house.croupier.identities.party_of(OTHER_SERVER, MEI)

    before = written("--language", "de")
    asyncio.run(elsewhere())
    assert refusal("site", "site") == "which server? The database has 2: choose one with --server ID"

    # A run that is stopped leaves each file whole, old or new, and the next one makes up for it.
    options = ("--server", str(SERVER), "--language", "ja", "--rounds", "1")
    replace, left = site_command._replace, iter(range(5))

    def replace_some(file: Path, text: str) -> None:
        next(left)
        replace(file, text)

    monkeypatch.setattr(site_command, "_replace", replace_some)
    with pytest.raises(StopIteration):
        ask("site", "site", *options)
    monkeypatch.setattr(site_command, "_replace", replace)
    between = {name: Path("site", name).read_text("utf-8") for name in before}
    after = written(*options)
    assert all(text in (before[name], after.get(name)) for name, text in between.items())
    assert between != before
    assert before.keys() - after.keys() == {
        f"table-{of}.{kind}" for of in ("1-round-1", "2-round-1") for kind in ("html", "json")
    }


def test_runs_at_the_same_time_leave_the_site_of_one_of_them() -> None:
    folder = Path("site")
    runs = [{f"page-{number}.html": f"{run}" for number in range(run, run + 40)} for run in range(4)]
    with ThreadPoolExecutor(len(runs)) as threads:
        list(threads.map(partial(site_command._write, folder), runs))
    written = {file.name: file.read_text("utf-8") for file in folder.iterdir()}
    assert written.pop(".gnau-site").split() == sorted(written)
    assert written in runs


@pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"there is no Chromium at {CHROMIUM}")
@pytest.mark.parametrize("language", sample([one.value for one in Language if one is not Language.AUTO], 1))
def test_pages_fit_phones_and_desks_and_a_browser_verifies_rounds(language: str) -> None:
    asyncio.run(play(Path("gnau.db")))
    pages = [name for name in written("--language", language) if name.endswith(".html")]
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for width in (390, 1280):
            asked, complaints = look_at(
                browser.new_page(viewport={"width": width, "height": 844}), pages, width
            )
            assert len(asked) == len(pages) + 3, asked
            assert complaints == []
        browser.close()


def look_at(page: Page, names: Sequence[str], width: int) -> tuple[list[str], list[str]]:
    """Looks at each page, and verifies each round; returns what was asked for and complained about."""
    asked: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    for name in names:
        page.goto(Path("site", name).absolute().as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        if name.startswith("table-"):
            page.click(".button")
            expect(page.locator("#verdict")).to_have_class("good")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, name
    return asked, complaints


def test_markdown_becomes_html_in_which_texts_are_escaped() -> None:
    assert blocks(
        "## A **b** `c<d>`\n-# small\n- one\n- \\*two\\* <#123456>\n1. **x\\*y** & z\n<:gold:12>5"
    ) == (
        "<h2>A <strong>b</strong> <code>c&lt;d&gt;</code></h2>"
        '<p class="quiet">small</p>'
        "<ul><li>one</li><li>*two* </li></ul>"
        "<ol><li><strong>x*y</strong> &amp; z</li></ol>"
        "<p>5</p>"
    )
    assert tag("a", "<b>", href='"><script>') == '<a href="&quot;&gt;&lt;script&gt;">&lt;b&gt;</a>'
