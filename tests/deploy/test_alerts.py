"""Alerts and the dashboard: they use metrics that there are, and each alert fires when it must and ends."""

import json
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from bot.run.monitoring.metrics import ABOUT
from scripts.dashboard import dashboard, queries

ROOT: Final = Path(__file__).parents[2]
RULES: Final = ROOT / "deploy" / "prometheus" / "gnau-alerts.yml"
CONFIG: Final = RULES.with_name("prometheus.yml")
DASHBOARD: Final = ROOT / "deploy" / "grafana" / "gnau.json"
OPERATING: Final = ROOT / "docs" / "OPERATING.md"
LABELS: Final = {
    *("action", "code", "game", "how", "instance", "le", "level", "outcome", "reason", "route", "scope"),
    *("shard", "status"),
}
FIRES: Final[Mapping[str, tuple[Mapping[str, str], Mapping[int, int]]]] = {
    "GnauDown": (
        {
            'up{job="gnau", instance="bot"}': "1x4 0x5 1x9",
        },
        {4: 0, 8: 1, 14: 0},
    ),
    "GnauHangs": (
        {
            'gnau_live{instance="bot"}': "1x4 0x5 1x9",
        },
        {5: 0, 7: 1, 14: 0},
    ),
    "GnauNotReady": (
        {
            'gnau_ready{instance="bot"}': "1x4 0x9 1x9",
        },
        {8: 0, 12: 1, 18: 0},
    ),
    "GnauCannotWrite": (
        {
            'gnau_ledger_up{instance="bot"}': "1x4 0x5 1x9",
        },
        {4: 0, 7: 1, 14: 0},
    ),
    "GnauSlow": (
        {
            'gnau_interaction_seconds_bucket{instance="bot", le="0.5"}': "0+97x20 2037+100x30",
            'gnau_interaction_seconds_bucket{instance="bot", le="2.0"}': "0+97x20 2037+100x30",
            'gnau_interaction_seconds_bucket{instance="bot", le="3.0"}': "0+100x20 2100+100x30",
            'gnau_interaction_seconds_bucket{instance="bot", le="+Inf"}': "0+100x20 2100+100x30",
        },
        {4: 0, 15: 1, 40: 0},
    ),
    "GnauErrorsInLog": (
        {
            'gnau_log_records_total{instance="bot", level="warning"}': "0+5x50",
            'gnau_log_records_total{instance="bot", level="error"}': "0x20 1x30",
        },
        {19: 0, 25: 1, 40: 0},
    ),
    "GnauDropsPresses": (
        {
            'gnau_presses_dropped_total{instance="bot"}': "0x10 7x30",
        },
        {9: 0, 13: 1, 20: 0},
    ),
    "GnauLoopLate": (
        {
            'gnau_loop_lag_seconds_bucket{instance="bot", le="0.5"}': "0+108x20 2280+120x30",
            'gnau_loop_lag_seconds_bucket{instance="bot", le="1.0"}': "0+120x20 2400+120x30",
            'gnau_loop_lag_seconds_bucket{instance="bot", le="+Inf"}': "0+120x20 2400+120x30",
        },
        {4: 0, 15: 1, 40: 0},
    ),
    "GnauReconnects": (
        {
            'gnau_shard_sessions_total{instance="bot", shard="3", how="new"}': "1x120",
            'gnau_shard_sessions_total{instance="bot", shard="3", how="resumed"}': "0x5 1+1x24 25x100",
        },
        {10: 0, 40: 1, 110: 0},
    ),
    "GnauFewLogins": (
        {
            'gnau_identify_remaining{instance="bot"}': "1000x5 99x5 1000x5",
        },
        {5: 0, 8: 1, 14: 0},
    ),
    "GnauTooManyRequests": (
        {
            'gnau_rest_429_total{instance="bot", scope="shared"}': "0+90x60",
            'gnau_rest_429_total{instance="bot", scope="global"}': "0x10 30x50",
        },
        {9: 0, 15: 1, 40: 0},
    ),
    "GnauRefused": (
        {
            'gnau_rest_requests_total{instance="bot", status="200"}': "0+2000x60",
            'gnau_rest_requests_total{instance="bot", status="403"}': "0x10 0+900x10 9000x40",
        },
        {9: 0, 18: 1, 45: 0},
    ),
    "GnauClockWrong": (
        {
            'gnau_clock_error_seconds{instance="bot"}': "0.4x5 -90x20 0.2x20",
        },
        {10: 0, 20: 1, 40: 0},
    ),
    "GnauBackupOld": (
        {
            'gnau_backup_interval_seconds{instance="bot"}': "600x60",
            'gnau_backup_last_success_timestamp_seconds{instance="bot"}': "0x40 2460x20",
            'gnau_backup_interval_seconds{instance="new"}': "600x60",
            'gnau_backups{instance="new"}': "0x45 1x15",
            'process_start_time_seconds{instance="new"}': "0x60",
        },
        {20: 0, 40: 2, 55: 0},
    ),
    "GnauBackupNotCopied": (
        {
            'gnau_backup_copied{instance="bot"}': "_x2 1x4 0x5 1x9",
        },
        {6: 0, 9: 1, 15: 0},
    ),
    "GnauDiskLow": (
        {
            'gnau_ledger_bytes{instance="bot"}': "100x60",
            'gnau_disk_free_bytes{instance="bot"}': "900x5 150x30 900x25",
        },
        {8: 0, 25: 1, 45: 0},
    ),
}
"""By alert, the series of a bot with a fault that ends, and after which minutes how many alerts there are.

The values of a series are a minute apart: `0+5x20` is 0, then 5 more each minute for 20 minutes.
"""
needs_promtool = pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed")


def names_in(text: str) -> set[str]:
    return {re.sub(r"_(bucket|count|sum)$", "", name) for name in re.findall(r"\bgnau_\w+", text)}


def labels_in(expression: str) -> set[str]:
    grouped = re.findall(r"\bby \(([^)]*)\)", expression)
    chosen = re.findall(r"(\w+)(?:=|!=|=~|!~)\"", expression)
    return {name.strip() for part in grouped for name in part.split(",")} | set(chosen)


def alerts() -> list[str]:
    return re.findall(r"- alert: (\w+)", RULES.read_text("utf-8"))


def test_alerts_and_dashboard_use_metrics_that_there_are() -> None:
    rules = re.sub(r"\"gnau\"|/gnau", "", RULES.read_text("utf-8"))
    assert names_in(rules) <= set(ABOUT)
    assert set().union(*map(names_in, queries())) <= set(ABOUT)
    assert set().union(*map(labels_in, queries())) <= LABELS


def test_every_metric_is_in_the_dashboard() -> None:
    """What nobody looks at is not worth its place; those that are looked at by alerts alone count too."""
    shown = set().union(*map(names_in, queries()))
    assert set(ABOUT) - shown - names_in(RULES.read_text("utf-8")) == {"gnau_presses_total"}


def test_the_dashboard_is_the_one_that_the_script_prints() -> None:
    assert json.loads(DASHBOARD.read_text("utf-8")) == dashboard()


def test_the_panels_of_the_dashboard_lie_side_by_side() -> None:
    places: set[tuple[int, int]] = set()
    for panel in dashboard()["panels"]:
        at = panel["gridPos"]
        taken = {(at["x"] + x, at["y"] + y) for x in range(at["w"]) for y in range(at["h"])}
        assert not taken & places, panel["title"]
        assert at["x"] + at["w"] <= 24
        places |= taken


def test_every_alert_is_explained_to_hosts_and_tried_here() -> None:
    assert alerts() == list(FIRES)
    rows = re.findall(r"^\| `(Gnau\w+)` \|", OPERATING.read_text("utf-8"), re.MULTILINE)
    assert rows == alerts()


@needs_promtool
def test_prometheus_takes_the_example_of_its_settings() -> None:
    checked = subprocess.run(["promtool", "check", "config", CONFIG], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr


@needs_promtool
@pytest.mark.parametrize("alert", FIRES)
def test_an_alert_fires_while_its_fault_lasts(alert: str, tmp_path: Path) -> None:
    series, fires = FIRES[alert]
    firing = f'count(ALERTS{{alertname="{alert}", alertstate="firing"}}) or vector(0)'
    # JSON is YAML too.
    asked = {
        "rule_files": [str(RULES)],
        "evaluation_interval": "1m",
        "tests": [
            {
                "interval": "1m",
                "input_series": [{"series": name, "values": values} for name, values in series.items()],
                "promql_expr_test": [
                    {
                        "expr": firing,
                        "eval_time": f"{minute}m",
                        "exp_samples": [{"labels": "{}", "value": number}],
                    }
                    for minute, number in fires.items()
                ],
            }
        ],
    }
    file = tmp_path / "test.yml"
    file.write_text(json.dumps(asked))
    tried = subprocess.run(["promtool", "test", "rules", file], capture_output=True, text=True)
    assert tried.returncode == 0, tried.stdout + tried.stderr
