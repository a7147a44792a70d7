"""Prints the dashboard for Grafana: `python -m scripts.dashboard > deploy/grafana/gnau.json`."""

import json
import sys
from collections.abc import Iterator
from typing import Any, Final

WIDTH: Final = 24
HEIGHT: Final = 8
FIGURE: Final = 4
"""The height of a row of single figures."""
Query = tuple[str, str]
"""An expression of PromQL, and what its lines are called."""
Panel = tuple[str, str, list[Query]]
"""A title, a unit as Grafana calls it, and queries."""


def _of(name: str, **labels: str) -> str:
    """The series of the chosen processes, maybe only with some labels; each comes with its operator."""
    chosen = {"instance": '=~"$instance"', **labels}
    return f"{name}{{{','.join(label + match for label, match in chosen.items())}}}"


def _now(name: str, how: str = "sum", by: str = "") -> str:
    """What all of them are now."""
    return f"{how} by ({by}) ({_of(name)})" if by else f"{how} ({_of(name)})"


def _top(expression: str) -> str:
    """The eight highest."""
    return f"topk(8, {expression})"


def _rate(name: str, by: str = "", **labels: str) -> str:
    """How much all of them grow in a second, by label."""
    summed = f"sum by ({by})" if by else "sum"
    return f"{summed} (rate({_of(name, **labels)}[$__rate_interval]))"


def _share(name: str, share: float, by: str = "") -> str:
    """What this share of the observations of a histogram did not exceed."""
    grown = _rate(f"{name}_bucket", ", ".join(filter(None, ("le", by))))
    return f"histogram_quantile({share}, {grown})"


def _shares(name: str) -> list[Query]:
    return [(_share(name, share), f"{share:.0%} within") for share in (0.5, 0.9, 0.99)]


NOT_DONE: Final = '!="done"'
NEW: Final = '=~"opening_chips|daily|relief|bankroll"'
NOT_WELL: Final = '!~"2.."'
BACKUP_AT: Final = "gnau_backup_last_success_timestamp_seconds"
FIGURES: Final[list[Panel]] = [
    ("Ready", "bool_yes_no", [(_now("gnau_ready", "min"), "")]),
    ("Live", "bool_yes_no", [(_now("gnau_live", "min"), "")]),
    ("Servers", "short", [(_now("gnau_guilds"), "")]),
    ("Open tables", "short", [(_now("gnau_tables_open"), "")]),
    ("Age of the newest backup", "s", [("time() - " + _now(BACKUP_AT, "max"), "")]),
    ("Logins left today", "short", [(_now("gnau_identify_remaining", "min"), "")]),
]
ROWS: Final[dict[str, list[Panel]]] = {
    "Members": [
        ("Presses and commands", "reqps", [(_rate("gnau_interactions_total", "outcome"), "{{outcome}}")]),
        ("How long they take", "s", _shares("gnau_interaction_seconds")),
        (
            "The slowest actions, 99 % within",
            "s",
            [(_top(_share("gnau_interaction_seconds", 0.99, "action")), "{{action}}")],
        ),
        (
            "Why presses are refused or fail",
            "reqps",
            [(_top(_rate("gnau_interactions_total", "code", outcome=NOT_DONE)), "{{code}}")],
        ),
        (
            "Presses that wait, and that are dropped in a second",
            "short",
            [(_now("gnau_presses_waiting"), "wait"), (_rate("gnau_presses_dropped_total"), "dropped")],
        ),
        ("Settled rounds in a minute", "short", [("60 * " + _rate("gnau_rounds_total", "game"), "{{game}}")]),
        (
            "New chips in an hour",
            "short",
            [("3600 * " + _rate("gnau_chips_total", "reason", reason=NEW), "{{reason}}")],
        ),
        ("Open tables", "short", [(_now("gnau_tables_open", by="game"), "{{game}}")]),
    ],
    "Discord": [
        ("Shards that are connected", "short", [(_now("gnau_shard_up", by="instance"), "{{instance}}")]),
        (
            "Connections in an hour",
            "short",
            [("3600 * " + _rate("gnau_shard_sessions_total", "how"), "{{how}}")],
        ),
        ("Latency of the gateway", "s", [(_of("gnau_shard_latency_seconds"), "{{instance}} {{shard}}")]),
        ("Requests", "reqps", [(_top(_rate("gnau_rest_requests_total", "route")), "{{route}}")]),
        (
            "Requests that were refused or not answered",
            "reqps",
            [(_rate("gnau_rest_requests_total", "status", status=NOT_WELL), "{{status}}")],
        ),
        ("How long Discord takes", "s", _shares("gnau_rest_seconds")),
        (
            "Discord's 50 a second",
            "short",
            [
                (_rate("gnau_rest_budgeted_total"), "sent in a second"),
                (_now("gnau_rest_budget_waiting"), "wait"),
                (_rate("gnau_rest_budget_wait_seconds_total"), "seconds waited in a second"),
                (_rate("gnau_rest_429_total", "scope"), "too many: {{scope}}"),
            ],
        ),
        (
            "Outages, and the clock",
            "short",
            [
                (_now("gnau_discord_up", "min"), "Discord works"),
                (_now("gnau_clock_error_seconds", "max"), "seconds ahead of Discord"),
                (_rate("gnau_interactions_repeated_total"), "interactions again in a second"),
            ],
        ),
    ],
    "Ledger": [
        ("How long a transaction takes", "s", _shares("gnau_ledger_commit_seconds")),
        (
            "Changes",
            "short",
            [
                (_rate("gnau_ledger_commit_seconds_count"), "transactions in a second"),
                (_rate("gnau_ledger_batch_size_sum"), "changes in a second"),
                (_now("gnau_ledger_waiting"), "wait"),
            ],
        ),
        (
            "Changes that could not be written",
            "short",
            [
                (_rate("gnau_ledger_failures_total"), "in a second"),
                (_now("gnau_ledger_up", "min"), "can be written"),
            ],
        ),
        (
            "Size",
            "bytes",
            [
                (_now("gnau_ledger_bytes", "max"), "database"),
                (_now("gnau_wal_bytes", "max"), "write-ahead log"),
                (_now("gnau_disk_free_bytes", "min"), "free on the disk"),
            ],
        ),
        (
            "Backups",
            "short",
            [
                (_now("gnau_backups", "max"), "there"),
                (_now("gnau_backup_interval_seconds", "max") + " / 3600", "hours between them"),
                (_now("gnau_backup_failures_total"), "not made since the start"),
            ],
        ),
    ],
    "Process": [
        ("Delay of the event loop", "s", _shares("gnau_loop_lag_seconds")),
        ("CPU", "percentunit", [(_rate("process_cpu_seconds_total", "instance"), "{{instance}}")]),
        ("Memory", "bytes", [(_of("process_resident_memory_bytes"), "{{instance}}")]),
        ("Open files", "short", [(_of("process_open_fds"), "{{instance}}")]),
        (
            "Warnings and errors in the log, in a minute",
            "short",
            [("60 * " + _rate("gnau_log_records_total", "level"), "{{level}}")],
        ),
        (
            "Versions",
            "short",
            [(_of("gnau_build_info"), "{{instance}}: {{version}}, Python {{python}}")],
        ),
    ],
}


def queries() -> Iterator[str]:
    """Every expression of the dashboard."""
    for panels in (FIGURES, *ROWS.values()):
        for _, _, asked in panels:
            yield from (expression for expression, _ in asked)


def dashboard() -> dict[str, Any]:
    """The dashboard as Grafana imports it."""
    panels = [
        _panel("stat", panel, WIDTH // len(FIGURES), FIGURE, place, 0) for place, panel in enumerate(FIGURES)
    ]
    top = FIGURE
    for title, row in ROWS.items():
        panels.append(_placed({"type": "row", "title": title, "collapsed": False}, 0, top, WIDTH, 1))
        top += 1
        for place, panel in enumerate(row):
            line, column = divmod(place, 3)
            panels.append(_panel("timeseries", panel, WIDTH // 3, HEIGHT, column, top + line * HEIGHT))
        top += -(-len(row) // 3) * HEIGHT
    for number, panel_made in enumerate(panels, 1):
        panel_made["id"] = number
    return {
        "title": "gnau",
        "uid": "gnau",
        "schemaVersion": 39,
        "editable": True,
        "refresh": "30s",
        "time": {"from": "now-6h", "to": "now"},
        "templating": {"list": [_source(), _instances()]},
        "panels": panels,
    }


_SOURCE: Final = {"type": "prometheus", "uid": "${source}"}


def _source() -> dict[str, Any]:
    return {"name": "source", "label": "Prometheus", "type": "datasource", "query": "prometheus"}


def _instances() -> dict[str, Any]:
    return {
        "name": "instance",
        "label": "process",
        "type": "query",
        "datasource": _SOURCE,
        "query": "label_values(gnau_build_info, instance)",
        "refresh": 2,
        "multi": True,
        "includeAll": True,
        "allValue": ".*",
        "current": {"text": ["All"], "value": ["$__all"]},
    }


def _panel(kind: str, panel: Panel, width: int, height: int, column: int, top: int) -> dict[str, Any]:
    title, unit, asked = panel
    targets = [
        {"refId": chr(ord("A") + number), "expr": expression, "legendFormat": name, "datasource": _SOURCE}
        for number, (expression, name) in enumerate(asked)
    ]
    made = {
        "type": kind,
        "title": title,
        "datasource": _SOURCE,
        "targets": targets,
        "fieldConfig": {"defaults": {"unit": unit, "min": 0}, "overrides": []},
    }
    return _placed(made, column * width, top, width, height)


def _placed(panel: dict[str, Any], left: int, top: int, width: int, height: int) -> dict[str, Any]:
    return panel | {"gridPos": {"x": left, "y": top, "w": width, "h": height}}


def main() -> None:
    """Prints it."""
    json.dump(dashboard(), sys.stdout, indent=1)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
