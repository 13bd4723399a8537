"""What a client tells: to logging, to a real scrape of Prometheus, to OpenTelemetry's reader."""

from __future__ import annotations

import logging
import sys
import urllib.request
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.parser import text_string_to_metric_families

from pg_tool_recall import OpenTelemetrySignals, PrometheusSignals, Signals
from tests.client.faces import Face, call, days_ago, ids
from tests.support.database import Turn

Key = tuple[str, tuple[tuple[str, str], ...]]
Read = Callable[[], dict[Key, float]]


def key(name: str, **labels: str) -> Key:
    return name, tuple(sorted(labels.items()))


class Listed:
    """A backend of the caller's own."""

    def __init__(self) -> None:
        self.counts: Counter[Key] = Counter()
        self.values: list[float] = []

    def count(self, name: str, amount: int, labels: Mapping[str, str]) -> None:
        self.counts[key(name, **labels)] += amount

    def observe(self, name: str, value: float) -> None:
        assert name == "tool_results_injection_tokens"
        self.values.append(value)


def prometheus() -> tuple[Signals, Read]:
    registry = CollectorRegistry()

    def scrape() -> dict[Key, float]:
        server, thread = start_http_server(0, "127.0.0.1", registry)
        try:
            url = f"http://127.0.0.1:{server.server_port}/metrics"
            with urllib.request.urlopen(url) as response:
                text = response.read().decode()
        finally:
            server.shutdown()
            server.server_close()
            thread.join()
        return {
            key(sample.name, **sample.labels): sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
            if not sample.name.endswith("_created")
        }

    return PrometheusSignals(registry), scrape


def opentelemetry() -> tuple[Signals, Read]:
    reader = InMemoryMetricReader()
    provider = MeterProvider(metric_readers=[reader])

    def read() -> dict[Key, float]:
        data = reader.get_metrics_data()
        assert data is not None
        found: dict[Key, float] = {}
        for metric in data.resource_metrics[0].scope_metrics[0].metrics:
            for point in metric.data.data_points:
                labels = {name: str(value) for name, value in (point.attributes or {}).items()}
                value: Any = getattr(point, "value", None)
                if value is None:
                    found[key(metric.name + "_sum")] = point.sum  # type: ignore[union-attr]
                    found[key(metric.name + "_count")] = point.count  # type: ignore[union-attr]
                else:
                    found[key(metric.name, **labels)] = value
        return found

    return OpenTelemetrySignals(provider), read


def own() -> tuple[Signals, Read]:
    listed = Listed()

    def read() -> dict[Key, float]:
        return {
            **listed.counts,
            key("tool_results_injection_tokens_sum"): sum(listed.values),
            key("tool_results_injection_tokens_count"): len(listed.values),
        }

    return listed, read


@pytest.mark.parametrize("backend", [prometheus, opentelemetry, own])
def test_all_signals_arrive(
    face: Face, turn: Turn, backend: Callable[[], tuple[Signals, Read]]
) -> None:
    signals, read = backend()
    face.database.owner_conn.execute("select tool_recall.set_capture_rule('secret', 'none')")
    client = face.client(face.database.app, metrics=signals, token_counter="sql")
    face.run(client.block(**ids(turn)))
    for number in range(3):
        face.run(client.record(**call(turn, tool_name="a", tool_input={"n": number})))
    face.run(client.record(**call(turn, tool_name="secret")))
    batch = [
        {"tool_name": "b", "tool_input": {}, "tool_output": {"x": "\x00"}},
        {"tool_name": "a", "tool_input": {}, "tool_output": {}, "is_error": True},
        {"tool_name": " ", "tool_input": {}, "tool_output": {}},
    ]
    face.run(client.record_many(turn.conversation_id, turn.user_id, turn.message_id, batch))
    block = face.run(client.block(**ids(turn), explain=True))
    collected = client.turn(**ids(turn))
    collected.add("a", {}, {})
    collected._end()

    found = read()
    assert found[key("tool_results_persisted_total", tool_name="a")] == 4
    assert found[key("tool_results_persisted_total", tool_name="b")] == 1
    assert found[key("tool_results_not_stored_total", tool_name="secret")] == 1
    assert found[key("tool_results_repaired_total", kind="nul")] == 1
    assert found[key("tool_results_left_out_total", reason="error")] == 1
    assert found[key("tool_results_failures_total", kind="invalid_result")] == 1
    assert found[key("tool_results_failures_total", kind="discarded")] == 1
    assert found[key("tool_results_injection_tokens_count")] == 2
    assert found[key("tool_results_injection_tokens_sum")] == block.tokens > 100


@pytest.mark.parametrize("backend", [prometheus, opentelemetry, own])
def test_purge_counts_what_it_deletes(
    face: Face, turn: Turn, backend: Callable[[], tuple[Signals, Read]]
) -> None:
    signals, read = backend()
    client = face.client(face.database.owner, metrics=signals)
    for days in (181, 182, 1):
        face.run(client.record(**call(turn, created_at=days_ago(days))))
    assert face.run(client.purge()) == 2
    assert face.run(client.purge()) == 0
    assert read()[key("tool_results_retention_deletes_total")] == 2


def test_logging_gets_all_with_structure(
    face: Face, turn: Turn, caplog: pytest.LogCaptureFixture
) -> None:
    client = face.client(face.database.app, token_counter="sql")
    with caplog.at_level(logging.INFO, "pg_tool_recall.signals"):
        face.run(client.record(**call(turn, tool_output={"card": "4111"})))
        block = face.run(client.block(**ids(turn)))
    records = [each for each in caplog.records if each.name == "pg_tool_recall.signals"]
    assert [
        (
            each.__dict__["tool_recall_signal"],
            each.__dict__["tool_recall_value"],
            each.__dict__["tool_recall_labels"],
        )
        for each in records
    ] == [
        ("tool_results_persisted_total", 1, {"tool_name": "query_site_data"}),
        ("tool_results_injection_tokens", block.tokens, {}),
    ]
    assert {each.levelno for each in records} == {logging.INFO}
    assert "4111" not in caplog.text


def test_labels_are_bounded(face: Face, turn: Turn) -> None:
    listed = Listed()
    client = face.client(face.database.app, metrics=listed)
    batch = [{"tool_name": f"t{n}", "tool_input": {}, "tool_output": {}} for n in range(210)]
    face.run(client.record_many(turn.conversation_id, turn.user_id, turn.message_id, batch))
    face.run(client.record(**call(turn, tool_name="t5")))
    assert len(listed.counts) == 201
    assert listed.counts[key("tool_results_persisted_total", tool_name="other")] == 10
    assert listed.counts[key("tool_results_persisted_total", tool_name="t5")] == 2


def test_a_backend_that_raises_breaks_nothing(
    face: Face, turn: Turn, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken:
        def count(self, name: str, amount: int, labels: Mapping[str, str]) -> None:
            raise RuntimeError("down")

        def observe(self, name: str, value: float) -> None:
            raise RuntimeError("down")

    client = face.client(face.database.app, metrics=Broken(), on_error="raise")
    assert face.run(client.record(**call(turn)))
    assert face.run(client.block(**ids(turn)))
    assert client.failures == {"metrics": 2}
    assert len([each for each in caplog.records if each.name == "pg_tool_recall"]) == 1


def test_several_clients_share_a_registry(face: Face, turn: Turn) -> None:
    registry = CollectorRegistry()
    for _ in range(2):
        client = face.client(face.database.app, metrics=PrometheusSignals(registry))
        face.run(client.record(**call(turn)))
    value = registry.get_sample_value(
        "tool_results_persisted_total", {"tool_name": "query_site_data"}
    )
    assert value == 2


@pytest.mark.parametrize("name", ["prometheus", "opentelemetry"])
def test_named_backends_are_the_global_ones(face: Face, turn: Turn, name: str) -> None:
    client = face.client(face.database.app, metrics=name)
    assert face.run(client.record(**call(turn)))
    assert not client.failures


@pytest.mark.parametrize(
    ("name", "module"),
    [("prometheus", "prometheus_client"), ("opentelemetry", "opentelemetry")],
)
def test_a_missing_library_is_named(
    face: Face, name: str, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=rf"pg-tool-recall\[{name}\]"):
        face.client_class(face.database.app, metrics=name)


def test_other_backends_are_refused(face: Face) -> None:
    wrong: list[Any] = ["statsd", object(), Listed]
    for each in wrong:
        with pytest.raises(ValueError, match="metrics must be"):
            face.client_class(face.database.app, metrics=each)
