"""The bot's figures as Prometheus reads them. None names a server, a table or a member.

Each has as many series as the code has names for: actions, codes, games, reasons, routes; and shards.
"""

import platform
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from itertools import accumulate
from math import inf, isfinite
from typing import Any, Final

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from bot.games.register import GAMES
from bot.ledger.database import Database
from bot.ledger.engine import Storage
from bot.run.monitoring.figures import Figures, Tally
from bot.run.monitoring.health import Health
from bot.run.monitoring.server import Page
from bot.ui.bot import GnauBot
from bot.wire.gateway import Shard

KIND: Final = "text/plain; version=0.0.4; charset=utf-8"
BROKEN: Final = "broken"
"""The status of a request without an answer."""
ABOUT: Final = {
    "gnau_build_info": "The versions; always 1",
    "gnau_live": "1 while /livez says so",
    "gnau_ready": "1 while /readyz says so",
    "gnau_loop_lag_seconds": "By how much the event loop was late, measured twice a second",
    "gnau_log_records_total": "Lines of the log, from warnings on",
    "gnau_discord_up": "0 while requests fail, or the gateway cannot be reached",
    "gnau_clock_error_seconds": "By how much this machine's clock is ahead of Discord's",
    "gnau_shard_up": "1 while a shard is connected to the gateway",
    "gnau_shard_latency_seconds": "How long the gateway took to acknowledge the last heartbeat",
    "gnau_shard_sessions_total": "How often a shard was connected: with a new session, or the one resumed",
    "gnau_identify_remaining": "Logins of the day that are left, as Discord said before the last one",
    "gnau_guilds": "Servers that the bot is in",
    "gnau_rest_requests_total": f"Requests to Discord; status {BROKEN} if there was no answer",
    "gnau_rest_seconds": "How long Discord took to answer",
    "gnau_rest_429_total": "Requests that were too many, by the limit: user, global or shared",
    "gnau_rest_budgeted_total": "Requests that count against Discord's 50 a second",
    "gnau_rest_budget_waiting": "Those that wait for their turn",
    "gnau_rest_budget_wait_seconds_total": "How long those that were sent had waited",
    "gnau_interactions_total": "Presses and commands that ended: done, refused, late, unanswered or failed",
    "gnau_interaction_seconds": "How long they took",
    "gnau_interactions_repeated_total": "Interactions that Discord sent again",
    "gnau_presses_total": "Presses that came",
    "gnau_presses_waiting": "Presses that wait",
    "gnau_presses_dropped_total": "Presses that were dropped, since their answer would have been late",
    "gnau_tables_open": "Open tables",
    "gnau_rounds_total": "Settled rounds",
    "gnau_chips_total": (
        "Chips and points moved; new ones by opening_chips, daily, relief, granted, season, bankroll"
    ),
    "gnau_ledger_up": "1 if the last change could be written",
    "gnau_ledger_waiting": "Changes that wait to be written",
    "gnau_ledger_failures_total": "Changes that could not be written",
    "gnau_ledger_batch_size": "Changes in a transaction",
    "gnau_ledger_commit_seconds": "How long a transaction took until it was on disk",
    "gnau_ledger_bytes": "The size of the database",
    "gnau_wal_bytes": "The size of its write-ahead log, with SQLite",
    "gnau_disk_free_bytes": "What is free on its disk, with SQLite",
    "gnau_backups": "Regular backups that are there",
    "gnau_backup_last_success_timestamp_seconds": "When the newest of them was made; each was checked",
    "gnau_backup_failures_total": "Backups that could not be made",
    "gnau_backup_interval_seconds": "How often one is made: BACKUP_EVERY",
    "gnau_backup_copied": "1 if BACKUP_COMMAND took the last one, 0 if it failed; absent until it has run",
}
"""Every metric, and what it is. The same names and words are in docs/OPERATING.md."""
_VERSIONS: Final = ("version", "python", "discord_py")


class Metrics(Collector):
    """Reads the figures whenever it is asked, in the thread that asks.

    Attributes:
        storage: how large the database was last; None before it was measured.
        backup_every: how old the newest backup may get, in seconds; 0 for none.
    """

    def __init__(self, figures: Figures, health: Health) -> None:
        self.storage: Storage | None = None
        self.database: Database | None = None
        self.backup_every = 0.0
        self._figures = figures
        self._health = health
        self._versions = version("gnau"), platform.python_version(), version("discord.py")
        self._registry = CollectorRegistry()
        self._registry.register(self)
        ProcessCollector(registry=self._registry)

    def page(self) -> Page:
        """All of them."""
        return Page(generate_latest(self._registry), kind=KIND)

    def describe(self) -> Iterable[Metric]:
        """Nothing: there is no bot to ask yet."""
        return ()

    def collect(self) -> Iterator[Metric]:
        """Every metric that has something to say."""
        figures, health = self._figures, self._health
        yield _labelled(GaugeMetricFamily, "gnau_build_info", _VERSIONS, [(self._versions, 1)])
        yield _gauge("gnau_live", not health.why_not_live())
        yield _gauge("gnau_ready", not health.why_not_ready())
        yield _histogram("gnau_loop_lag_seconds", figures.lag)
        yield _counters("gnau_log_records_total", "level", figures.log_records)
        if (bot := health.bot) is not None:
            yield from _of_gateway(bot)
            yield from _of_requests(figures, bot)
            yield from _of_interactions(figures, bot)
            yield from _of_play(figures, bot)
            yield from self._of_ledger(bot)
        if self.database is not None and self.backup_every:
            yield from self._of_backups(self.database)

    def _of_ledger(self, bot: GnauBot) -> Iterator[Metric]:
        figures, writer = self._figures, bot.croupier.ledger.writer
        yield _gauge("gnau_ledger_up", not writer.outage.why)
        yield _gauge("gnau_ledger_waiting", writer.waiting)
        yield _counter("gnau_ledger_failures_total", writer.outage.failures)
        yield _histogram("gnau_ledger_batch_size", figures.batches)
        yield _histogram("gnau_ledger_commit_seconds", figures.writing)
        if (storage := self.storage) is not None:
            yield _gauge("gnau_ledger_bytes", storage.database)
            if storage.wal is not None:
                yield _gauge("gnau_wal_bytes", storage.wal)
            if storage.free is not None:
                yield _gauge("gnau_disk_free_bytes", storage.free)

    def _of_backups(self, database: Database) -> Iterator[Metric]:
        yield _gauge("gnau_backup_interval_seconds", self.backup_every)
        yield _counter("gnau_backup_failures_total", self._figures.backups_failed)
        if (copied := self._figures.backup_copied) is not None:
            yield _gauge("gnau_backup_copied", copied)
        try:
            times = database.backups()
        except OSError:
            return
        yield _gauge("gnau_backups", len(times))
        if times:
            yield _gauge("gnau_backup_last_success_timestamp_seconds", times[-1])


def _of_gateway(bot: GnauBot) -> Iterator[Metric]:
    shards = [(str(number), shard) for number, shard in list(bot.connections.shards.items())]
    yield _gauge("gnau_discord_up", not bot.outage.is_on)
    yield _gauge("gnau_clock_error_seconds", bot.outage.clock_error)
    yield _gauges("gnau_shard_up", "shard", {number: shard.socket is not None for number, shard in shards})
    latency = {number: seconds for number, shard in shards if isfinite(seconds := _latency(shard))}
    yield _gauges("gnau_shard_latency_seconds", "shard", latency)
    sessions = [((number, "new"), shard.logins) for number, shard in shards]
    sessions += [((number, "resumed"), shard.resumes) for number, shard in shards]
    yield _labelled(CounterMetricFamily, "gnau_shard_sessions_total", ("shard", "how"), sessions)
    if (logins := bot.connections.logins) is not None:
        yield _gauge("gnau_identify_remaining", logins.left_now)
    yield _gauge("gnau_guilds", len(bot.guilds))


def _latency(shard: Shard) -> float:
    """In seconds; infinite if it is not known."""
    socket = shard.socket
    return inf if socket is None else socket.latency


def _of_requests(figures: Figures, bot: GnauBot) -> Iterator[Metric]:
    requests = dict(figures.requests).items()
    by_route = [((route, str(status or BROKEN)), count) for (route, status), count in requests]
    yield _labelled(CounterMetricFamily, "gnau_rest_requests_total", ("route", "status"), by_route)
    yield _histogram("gnau_rest_seconds", figures.requesting)
    yield _counters("gnau_rest_429_total", "scope", figures.limits)
    yield _counter("gnau_rest_budgeted_total", bot.budget.passed)
    yield _gauge("gnau_rest_budget_waiting", bot.budget.waiting)
    yield _counter("gnau_rest_budget_wait_seconds_total", bot.budget.waited_seconds)


def _of_interactions(figures: Figures, bot: GnauBot) -> Iterator[Metric]:
    ended = dict(figures.interactions).items()
    yield _labelled(CounterMetricFamily, "gnau_interactions_total", ("action", "outcome", "code"), ended)
    name = "gnau_interaction_seconds"
    seconds = HistogramMetricFamily(name, ABOUT[name], labels=("action",))
    for action, tally in dict(figures.answering).items():
        _add(seconds, (action,), tally)
    yield seconds
    yield _counter("gnau_interactions_repeated_total", bot.intake.repeated)
    yield _counter("gnau_presses_total", bot.intake.presses)
    yield _gauge("gnau_presses_waiting", bot.intake.waiting)
    yield _counter("gnau_presses_dropped_total", bot.intake.dropped)


def _of_play(figures: Figures, bot: GnauBot) -> Iterator[Metric]:
    tables = Counter(table.game.name for table in bot.croupier.tables.all())
    yield _gauges("gnau_tables_open", "game", {game: tables[game] for game in GAMES})
    yield _counters("gnau_rounds_total", "game", {game: figures.rounds[game] for game in GAMES})
    yield _counters("gnau_chips_total", "reason", figures.chips)


def _gauge(name: str, value: float) -> Metric:
    return GaugeMetricFamily(name, ABOUT[name], value=value)


def _counter(name: str, value: float) -> Metric:
    return CounterMetricFamily(name, ABOUT[name], value=value)


def _gauges(name: str, label: str, values: Mapping[str, float]) -> Metric:
    return _labelled(GaugeMetricFamily, name, (label,), [((key,), one) for key, one in values.items()])


def _counters(name: str, label: str, values: Mapping[str, float]) -> Metric:
    counted = [((key,), one) for key, one in dict(values).items()]
    return _labelled(CounterMetricFamily, name, (label,), counted)


def _labelled(
    kind: type[Any], name: str, labels: Sequence[str], values: Iterable[tuple[Sequence[str], float]]
) -> Metric:
    family = kind(name, ABOUT[name], labels=labels)
    for of, value in values:
        family.add_metric(of, value)
    metric: Metric = family
    return metric


def _histogram(name: str, tally: Tally) -> Metric:
    family = HistogramMetricFamily(name, ABOUT[name], labels=())
    _add(family, (), tally)
    return family


def _add(family: HistogramMetricFamily, labels: Sequence[str], tally: Tally) -> None:
    bounds = [*(str(float(bound)) for bound in tally.bounds), "+Inf"]
    at_most = accumulate(list(tally.counts))
    family.add_metric(labels, buckets=list(zip(bounds, at_most, strict=True)), sum_value=tally.sum)
