"""What a client tells of its work: always through ``logging``, and to Prometheus, OpenTelemetry or
an object of your own where asked for. docs/signals.md has the names, labels and their meaning.
"""

from __future__ import annotations

import logging
import threading
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal, NamedTuple, Protocol, runtime_checkable
from weakref import WeakKeyDictionary

logger = logging.getLogger("pg_tool_recall.signals")

PERSISTED = "tool_results_persisted_total"
NOT_STORED = "tool_results_not_stored_total"
REPAIRED = "tool_results_repaired_total"
LEFT_OUT = "tool_results_left_out_total"
FAILURES = "tool_results_failures_total"
RETENTION_DELETES = "tool_results_retention_deletes_total"
INJECTION_TOKENS = "tool_results_injection_tokens"

# More values of a label than these are counted together, so that a service that makes up tool names
# does not fill its monitoring.
MOST_VALUES = 200
OTHER = "other"
# A block is at most 300 tokens; its frame and one line are some 80. 0: an empty block.
BUCKETS = (0.0, 75.0, 100.0, 125.0, 150.0, 175.0, 200.0, 225.0, 250.0, 275.0, 300.0)


class Counted(NamedTuple):
    """A counter: its one label, if it has any, and what it counts."""

    label: str | None
    help: str


COUNTERS = {
    PERSISTED: Counted("tool_name", "Tool results that the database has stored."),
    NOT_STORED: Counted("tool_name", "Tool results left out by a capture rule or by redact."),
    REPAIRED: Counted("kind", "Stored tool results that the client had to change, by repair."),
    LEFT_OUT: Counted("reason", "Lines that were left out of a block, as far as it tells."),
    FAILURES: Counted("kind", "Failures that were logged instead of raised."),
    RETENTION_DELETES: Counted(None, "Tool results deleted by this client's calls of purge."),
}
INJECTION_TOKENS_HELP = "Tokens of each block that was made; 0: it was empty."


@runtime_checkable
class Signals(Protocol):
    """Where metrics go. Called from any thread; what it raises is logged and breaks nothing."""

    def count(self, name: str, amount: int, labels: Mapping[str, str]) -> None:
        """So many more of a counter of ``COUNTERS``."""

    def observe(self, name: str, value: float) -> None:
        """One more value of the histogram ``tool_results_injection_tokens``."""


Metrics = Literal["prometheus", "opentelemetry"] | Signals | None


class PrometheusSignals:
    """Metrics of prometheus-client, in its default registry or in yours."""

    # A registry takes a name once; several clients share its metrics.
    _made: ClassVar[WeakKeyDictionary[Any, tuple[dict[str, Any], Any]]] = WeakKeyDictionary()
    _lock = threading.Lock()

    def __init__(self, registry: Any = None) -> None:
        try:
            from prometheus_client import REGISTRY, Counter, Histogram
        except ImportError as error:
            raise ImportError(
                "this needs prometheus-client: pip install 'pg-tool-recall[prometheus]'"
            ) from error
        registry = REGISTRY if registry is None else registry
        with self._lock:
            if registry not in self._made:
                counters = {
                    name: Counter(
                        name,
                        counted.help,
                        [counted.label] if counted.label else [],
                        registry=registry,
                    )
                    for name, counted in COUNTERS.items()
                }
                tokens = Histogram(
                    INJECTION_TOKENS, INJECTION_TOKENS_HELP, registry=registry, buckets=BUCKETS
                )
                self._made[registry] = (counters, tokens)
            self._counters, self._tokens = self._made[registry]

    def count(self, name: str, amount: int, labels: Mapping[str, str]) -> None:
        counter = self._counters[name]
        (counter.labels(**labels) if labels else counter).inc(amount)

    def observe(self, name: str, value: float) -> None:
        self._tokens.observe(value)


class OpenTelemetrySignals:
    """Metrics of OpenTelemetry, of the global meter provider or of yours."""

    def __init__(self, meter_provider: Any = None) -> None:
        try:
            from opentelemetry import metrics
        except ImportError as error:
            raise ImportError(
                "this needs OpenTelemetry: pip install 'pg-tool-recall[opentelemetry]'"
            ) from error
        meter = metrics.get_meter("pg_tool_recall", meter_provider=meter_provider)
        self._counters = {
            name: meter.create_counter(name, description=counted.help)
            for name, counted in COUNTERS.items()
        }
        self._tokens = meter.create_histogram(
            INJECTION_TOKENS,
            unit="{token}",
            description=INJECTION_TOKENS_HELP,
            explicit_bucket_boundaries_advisory=list(BUCKETS),
        )

    def count(self, name: str, amount: int, labels: Mapping[str, str]) -> None:
        self._counters[name].add(amount, dict(labels))

    def observe(self, name: str, value: float) -> None:
        self._tokens.record(value)


def signals_of(metrics: Metrics) -> Signals | None:
    """What ``metrics`` of a client names."""
    if metrics is None:
        return None
    if metrics == "prometheus":
        return PrometheusSignals()
    if metrics == "opentelemetry":
        return OpenTelemetrySignals()
    if isinstance(metrics, Signals) and not isinstance(metrics, type):
        return metrics
    raise ValueError(
        'metrics must be "prometheus", "opentelemetry", None or an object with count and observe'
    )


class Meter:
    """Tells each signal to the log and to what was asked for; never raises.

    broken: called with what a backend raised.
    """

    def __init__(self, metrics: Metrics, broken: Callable[[Exception], None]) -> None:
        self._signals = signals_of(metrics)
        self._broken = broken
        self._lock = threading.Lock()
        self._values: defaultdict[str, set[str]] = defaultdict(set)

    def count(self, name: str, value: str | None = None, amount: int = 1) -> None:
        """value: of the counter's label."""
        if amount <= 0:
            return
        label = COUNTERS[name].label
        labels = {} if label is None else {label: self._bounded(name, value or "")}
        self._log(name, amount, labels)
        if self._signals is not None:
            try:
                self._signals.count(name, amount, labels)
            except Exception as error:
                self._broken(error)

    def observe(self, name: str, value: float) -> None:
        self._log(name, value, {})
        if self._signals is not None:
            try:
                self._signals.observe(name, value)
            except Exception as error:
                self._broken(error)

    def _log(self, name: str, value: float, labels: Mapping[str, str]) -> None:
        if not logger.isEnabledFor(logging.INFO):
            return
        logger.info(
            "%s %s %s",
            name,
            value,
            dict(labels),
            extra={
                "tool_recall_signal": name,
                "tool_recall_value": value,
                "tool_recall_labels": dict(labels),
            },
        )

    def _bounded(self, name: str, value: str) -> str:
        with self._lock:
            known = self._values[name]
            if value not in known:
                if len(known) >= MOST_VALUES:
                    return OTHER
                known.add(value)
            return value
