"""The numbers of `/metrics` in Prometheus' text format. Imports prometheus-client (extra `metrics`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.metrics_core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from .measures import BOUNDS, Measures

CONTENT_TYPE = CONTENT_TYPE_LATEST


class _Collected(Collector):
    """One look at the numbers, as families."""

    def __init__(self, measures: Measures, version: str) -> None:
        self._measures = measures
        self._version = version

    def collect(self) -> Iterator[Metric]:
        """Every family. Names begin with `mishu_`."""
        seen = self._measures
        yield _gauge("info", "The version that runs", ("version",), {(self._version,): 1})
        yield _counter("messages", "Messages kept", ("sender",), {(k,): v for k, v in seen.messages.items()})
        decided = {(trigger, _yes(said)): count for (trigger, said), count in seen.decisions.items()}
        yield _counter("decisions", "Decisions by trigger", ("trigger", "replied"), decided)
        yield _replies(seen)
        names = ("call", "model")
        yield _counter("model_calls", "Calls of models", (*names, "outcome"), seen.calls)
        yield _counter("model_call_seconds", "Seconds of calls of models", names, seen.call_seconds)
        yield _counter("model_tokens", "Tokens", (*names, "kind"), seen.tokens)
        late = {(_yes(key),): count for key, count in seen.reminders_sent.items()}
        yield _counter("reminders_sent", "Reminders sent", ("late",), late)
        if seen.overdue is not None:
            count, seconds = seen.overdue
            yield GaugeMetricFamily("mishu_reminders_overdue", "Reminders due and not sent", count)
            yield GaugeMetricFamily("mishu_reminders_overdue_seconds", "For how long the oldest", seconds)
        queues = {(name,): length for name, length in seen.queues.items()}
        yield _gauge("queue_length", "What waits, by queue", ("queue",), queues)
        errors = {(kind,): count for kind, count in seen.database_errors.items()}
        yield _counter("database_errors", "Failures of the database", ("kind",), errors)
        yield GaugeMetricFamily("mishu_database_up", "1 while it takes writes", float(seen.database_up))
        yield GaugeMetricFamily("mishu_accounts_connected", "Accounts connected", seen.accounts)
        yield GaugeMetricFamily("mishu_conversations", "Conversations in memory", seen.conversations)


def _yes(what: bool) -> str:
    return "yes" if what else "no"


def _counter(
    name: str, what: str, labels: tuple[str, ...], values: Mapping[tuple[str, ...], float]
) -> Metric:
    family = CounterMetricFamily(f"mishu_{name}", what, labels=labels)
    for key, value in sorted(values.items()):
        family.add_metric(key, value)
    return family


def _gauge(name: str, what: str, labels: tuple[str, ...], values: Mapping[tuple[str, ...], float]) -> Metric:
    family = GaugeMetricFamily(f"mishu_{name}", what, labels=labels)
    for key, value in sorted(values.items()):
        family.add_metric(key, value)
    return family


def _replies(seen: Measures) -> Metric:
    family = HistogramMetricFamily("mishu_reply_seconds", "Replies by seconds from message to reply")
    buckets: list[tuple[str, float]] = []
    total = 0
    for bound, count in zip((*BOUNDS, float("inf")), seen.replies, strict=True):
        total += count
        buckets.append(("+Inf" if bound == float("inf") else str(bound), total))
    family.add_metric([], buckets, seen.reply_seconds)
    return family


def render_metrics(measures: Measures, version: str) -> bytes:
    """The measures in Prometheus' text format, with memory and time of this process."""
    registry = CollectorRegistry()
    ProcessCollector(namespace="mishu", registry=registry)
    registry.register(_Collected(measures, version))
    return generate_latest(registry)
