"""A second implementation, written from docs/FAIRNESS.md alone, deals the same rounds as the bot."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from playwright._impl._driver import compute_driver_executable

from tests.proof.make_vectors import VECTORS
from tests.proof.random_rounds import random_records

DEAL = Path(__file__).with_name("deal.mjs")
NODE = shutil.which("node") or compute_driver_executable()[0]
COUNT = 200

pytestmark = pytest.mark.skipif(not Path(NODE).exists(), reason=f"there is no Node.js, not even at {NODE}")

Json = dict[str, Any]


@pytest.mark.thorough
def test_node_deals_what_the_records_say() -> None:
    records = list(random_records(0, COUNT))
    _assert_varied([record["sheet"] for record in records])
    for record, answer in zip(records, _dealt_by_node(records), strict=True):
        assert answer == _expected(record)


def test_node_deals_the_vectors() -> None:
    vectors = json.loads(VECTORS.read_text(encoding="utf-8"))
    records = [one["record"] for one in vectors["records"]]
    assert _dealt_by_node(records) == [_expected(record) for record in records]


def _assert_varied(sheets: list[Json]) -> None:
    """Fails if the sheets leave out something that a deal depends on."""
    rules = [sheet["rules"] for sheet in sheets]
    assert {each["direction"] for each in rules} == {"clockwise", "counter-clockwise"}
    assert {"decks" in each for each in rules} == {True, False}, "cards and tiles"
    assert any(each.get("decks", 0) > 1 for each in rules)
    # More than ten hands need a second deck, whatever the knob says.
    assert any(sheet["rules"].get("decks") == 1 and len(sheet["players"]) >= 10 for sheet in sheets)
    dice = [sheet["dice"] for sheet in sheets]
    assert None in dice
    assert any(each and len(each["throws"]) > len(each["sheet"]["seats"]) for each in dice), "no tie"


def _dealt_by_node(records: list[Json]) -> list[Json]:
    """What deal.mjs prints for each record."""
    node = subprocess.run(
        [NODE, DEAL], input=json.dumps(records), capture_output=True, text=True, check=False, timeout=60
    )
    assert (node.returncode, node.stderr) == (0, "")
    return [json.loads(line) for line in node.stdout.splitlines()]


def _expected(record: Json) -> Json:
    """The answer for a record, by what the bot wrote into it."""
    sheet, result = record["sheet"], record["result"]
    dice = sheet["dice"]
    return {
        "seal": record["seal"],
        "receipt": record["receipt"],
        "hands": [hand["pieces"] for hand in (*result["players"], result["banker"])],
        "dice": dice
        and {key: dice[key] for key in ("seal", "throws")} | {"banker": sheet["banker"]["party"]},
    }
