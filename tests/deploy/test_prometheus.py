"""A real Prometheus reads the metrics of a bot, and answers what dashboard and alerts ask."""

import asyncio
import json
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from scripts.dashboard import queries
from tests.deploy.test_alerts import RULES, alerts
from tests.e2e.conftest import an_evening, paced_bot
from tests.pages import Pages, watched
from tests.ports import port_of_nobody

__all__ = ["paced_bot"]
PATIENCE = 60.0
pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(shutil.which("prometheus") is None, reason="prometheus is not installed"),
]


class Prometheus:
    """A server that scrapes pages every second."""

    def __init__(self, port: int) -> None:
        self._port = port

    def ask(self, path: str, **parameters: str) -> Any:
        url = f"http://127.0.0.1:{self._port}/api/v1/{path}?{urlencode(parameters)}"
        with urlopen(url, timeout=PATIENCE) as answer:
            told = json.load(answer)
        assert told["status"] == "success", told
        return told["data"]

    async def until(self, expression: str) -> None:
        """Waits until a query has a result."""
        async with asyncio.timeout(PATIENCE):
            while True:
                with suppress(URLError, ConnectionError):
                    if (await asyncio.to_thread(self.ask, "query", query=expression))["result"]:
                        return
                await asyncio.sleep(0.2)


@asynccontextmanager
async def prometheus(folder: Path, pages: Pages) -> AsyncIterator[Prometheus]:
    config, port = folder / "prometheus.yml", port_of_nobody()
    config.write_text(
        json.dumps(
            {
                "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
                "rule_files": [str(RULES)],
                "scrape_configs": [
                    {"job_name": "gnau", "static_configs": [{"targets": [f"127.0.0.1:{pages.port}"]}]}
                ],
            }
        )
    )
    words = (
        *("prometheus", f"--config.file={config}", f"--storage.tsdb.path={folder / 'data'}"),
        *(f"--web.listen-address=127.0.0.1:{port}", "--log.level=error"),
    )
    server = await asyncio.create_subprocess_exec(*words, stderr=subprocess.DEVNULL)
    try:
        yield Prometheus(port)
    finally:
        server.terminate()
        await server.wait()


async def test_a_real_prometheus_answers_every_query(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, paced_bot: None
) -> None:
    async with (
        an_evening(tmp_path / "gnau.db", caplog) as evening,
        watched(evening) as (_, pages),
        prometheus(tmp_path, pages) as server,
    ):
        await server.until('up{job="gnau"} == 1')
        board, (mei, alice) = await evening.table_of("Mei", "Alice")
        await alice.click(board, "20")
        # Refused: too much, or too late.
        await alice.slash(evening.channel, "bet", amount=100_000)
        await evening.have_cards(alice)
        await evening.reveal(board, mei, alice)
        await server.until("gnau_rounds_total > 0 and rate(gnau_rounds_total[1m]) > 0")
        for query in queries():
            # As Grafana fills them in.
            asked = query.replace("$instance", ".*").replace("$__rate_interval", "1m")
            await asyncio.to_thread(server.ask, "query", query=asked)
            # No request fails and no backup is made here, and the first heartbeat comes later.
            if not any(word in query for word in ("backup_last_success", "shard_latency", "status!~")):
                await server.until(asked)
        (group,) = (await asyncio.to_thread(server.ask, "rules"))["groups"]
        assert [rule["name"] for rule in group["rules"]] == alerts()
        assert {rule["health"] for rule in group["rules"]} <= {"ok", "unknown"}
        assert [rule["name"] for rule in group["rules"] if rule["state"] == "firing"] == []
