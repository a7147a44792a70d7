"""`gnau house import`: the settings of one server in another."""

import asyncio
import json
from pathlib import Path
from zipfile import ZipFile

import pytest

from bot.croupier.houses import HouseChange, Houses, Verb
from bot.games.house import House, house_json
from bot.games.register import GAMES
from bot.ledger.ledger import open_ledger
from bot.ui.house.export import SETTINGS
from tests.cli.runner import ask, refusal
from tests.databases import new_postgres_database
from tests.ledger.sample_changes import NOW, SERVER

ELSEWHERE = House(
    presets={"gnau": "points"},
    overrides={"tau-ngau": {"ties": "push"}},
    hosting={
        "seats": 4,
        "weekly_board": [11],
        "open_role": "<@&840000000000000012>",
        "bank_role": "<@&840000000000000013>",
        "currency_name": "gold",
        "currency_emoji": "<:gold:840000000000000009>",
    },
)
IMPORT = ("house", "import", "server.zip", "--server", str(SERVER))


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with ZipFile("server.zip", "w") as zipped:
        zipped.writestr(SETTINGS, house_json(ELSEWHERE))


async def house_after(url: str, **settings: str) -> House:
    """Sets these in a server that is there; returns its house."""
    async with open_ledger(url) as ledger:
        await ledger.ensure_wallet(SERVER, 7, 1000, NOW)
        houses = Houses(ledger)
        await houses.load()
        for number, (knob, value) in enumerate(settings.items(), 1):
            await houses.draft(number, SERVER, HouseChange(Verb.SET, knob, value))
            await houses.confirm(number, SERVER, 7)
        return houses.house_of(SERVER)


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_settings_move_but_for_what_another_server_does_not_have(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = "sqlite:///gnau.db" if engine == "sqlite" else new_postgres_database()
    monkeypatch.setenv("DATABASE_URL", url)
    asyncio.run(
        house_after(url, weekly_board="<#22>", open_role="<@&840000000000000023>", seats="5", daily_chips="7")
    )
    result = ask(*IMPORT)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    assert result.stdout.startswith(f"server {SERVER} has the settings of server.zip: ")
    house = asyncio.run(house_after(url))
    assert (house.preset("gnau"), house.overrides["tau-ngau"]) == ("points", {"ties": "push"})
    assert house.hosting == {
        "seats": 4,
        "weekly_board": [22],
        "open_role": "<@&840000000000000023>",
        "currency_name": "gold",
    }
    assert ask(*IMPORT).stdout.endswith(": 0 changed\n")
    assert ask("db", "check").stdout.endswith(": no faults\n")


def test_what_has_no_settings_changes_nothing_and_is_refused_in_a_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DATABASE_URL", "sqlite:///gnau.db")
    before = asyncio.run(house_after("sqlite:///gnau.db", seats="5"))
    with ZipFile("empty.zip", "w"):
        pass
    Path("round.json").write_text(json.dumps({"format": "gnau/2"}))
    Path("list.json").write_text("[" * 100_000)
    Path("long.json").write_text(" " * (1 << 21))
    Path("bytes.json").write_bytes(b"\xff")
    for file in ("empty.zip", "round.json", "list.json", "long.json", "bytes.json"):
        told = refusal("house", "import", file, "--server", str(SERVER))
        assert told == f"{file} has no settings of a server: use the zip of /house export"
    assert refusal("house", "import", "none.zip", "--server", "1").startswith("none.zip cannot be read: ")
    assert refusal(*IMPORT[:-1], "5") == "nothing is stored about the server 5"

    async def meanwhile() -> None:
        async with open_ledger("sqlite:///gnau.db"):
            assert "is in use" in await asyncio.to_thread(refusal, *IMPORT)

    asyncio.run(meanwhile())
    assert asyncio.run(house_after("sqlite:///gnau.db")) == before
    Path("newer.json").write_text(
        json.dumps({**json.loads(house_json(ELSEWHERE)), "hosting": {"unheard_of": 1}})
    )
    result = ask("house", "import", "newer.json", "--server", str(SERVER))
    assert (result.exit_code, result.stderr.partition(":")[0]) == (0, "left out")
    assert GAMES.keys() >= asyncio.run(house_after("sqlite:///gnau.db")).presets.keys()
