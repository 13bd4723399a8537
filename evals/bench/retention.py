"""Measure a purge at size: `make bench-retention`, or `make bench-retention QUICK=1`.

Ten million rows, one million of them expired. Sixteen clients record and recall at half of the rate
that the machine can bear, first in quiet, then while purge_expired deletes batch after batch: what
counts is the ratio of their p99, and the median time of a batch. Then a purge is killed, two run
at once, one is given two seconds; at the end every row that should be there is.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psycopg

from tests.support.cluster import Cluster
from tests.support.database import Database, create_database, prepare

CLIENTS = 16
ROWS_A_CONVERSATION = 100
BATCH = 1000
KEYS = "md5('c' || :i)::uuid, md5('u' || :i)::uuid"
WRITE = (
    "\\set i random(1, {conversations})\n"
    f"select tool_recall.record_tool_result({KEYS}, md5('m' || :i)::uuid, 'list_members', "
    '\'{{"target": "recent"}}\', \'{{"members": [1, 2, 3]}}\');\n'
)
READ = f"\\set i random(1, {{conversations}})\nselect tool_recall.recall_block({KEYS});\n"


@dataclass(frozen=True)
class Size:
    """rows: how many; a tenth of them is expired. seconds: how long quiet is measured."""

    rows: int
    seconds: int


FULL = Size(rows=10_000_000, seconds=60)
QUICK = Size(rows=300_000, seconds=8)


@dataclass(frozen=True)
class Latency:
    """One transaction of pgbench's log: when it ended and how long it took."""

    ended: float
    milliseconds: float
    wrote: bool


def percentile(values: Sequence[float], share: float) -> float:
    """The value that so large a share is not above."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


class Bench:
    def __init__(self, database: Database, size: Size, folder: Path) -> None:
        self.database = database
        self.size = size
        self.folder = folder
        self.conversations = size.rows // ROWS_A_CONVERSATION

    def fill(self) -> None:
        """Host rows and finished results, oldest first, past triggers and foreign keys."""
        with psycopg.connect(self.database.superuser, autocommit=True) as connection:
            connection.execute("set session_replication_role = replica")
            connection.execute(
                f"""insert into users (id, name)
                select md5('u' || n)::uuid, 'u' from generate_series(1, {self.conversations}) as n;
                insert into conversations (id, user_id)
                select md5('c' || n)::uuid, md5('u' || n)::uuid
                from generate_series(1, {self.conversations}) as n;
                insert into messages (id, conversation_id, role)
                select md5('m' || n)::uuid, md5('c' || n)::uuid, 'assistant'
                from generate_series(1, {self.conversations}) as n;""".encode()
            )
            # Indexes are made again at the end: faster than a row at a time.
            indexes = connection.execute(
                "select indexrelid::regclass::text, pg_get_indexdef(indexrelid) from pg_index "
                "where indrelid = 'tool_recall.message_tool_results'::regclass "
                "and indexrelid not in (select conindid from pg_constraint)"
            ).fetchall()
            for name, _ in indexes:
                connection.execute(f"drop index {name}".encode())
            expired = ROWS_A_CONVERSATION // 10
            for k in range(ROWS_A_CONVERSATION, 0, -1):
                # A tenth past 180 days, the others spread over the last 153.
                age = 181 + k / 10 if k > ROWS_A_CONVERSATION - expired else 1.7 * k
                connection.execute(
                    f"""insert into tool_recall.message_tool_results (conversation_id, user_id,
                      message_id, tool_name, tool_input, tool_output, created_at, recall_line,
                      recall_tokens)
                    select md5('c' || c)::uuid, md5('u' || c)::uuid, md5('m' || c)::uuid,
                      'list_members', jsonb_build_object('target', 'r{k}'),
                      '{{"members": [1, 2, 3]}}', now() - {age} * interval '1 day',
                      '- 2026-01-01 list_members(target="r{k}"): 3 members', 20
                    from generate_series(1, {self.conversations}) as c""".encode()
                )
            connection.execute("set maintenance_work_mem = '512MB'")
            for _, definition in indexes:
                connection.execute(definition.encode())
            connection.execute("vacuum (analyze)")
            connection.execute("checkpoint")

    def number(self, query: str) -> int:
        with psycopg.connect(self.database.owner, autocommit=True) as connection:
            row = connection.execute(query.encode()).fetchone()
            assert row is not None
            return int(row[0])

    def expired(self) -> int:
        return self.number(
            "select count(*) from tool_recall.message_tool_results "
            "where created_at < now() - interval '180 days'"
        )

    def rows(self) -> int:
        return self.number("select count(*) from tool_recall.message_tool_results")

    def pgbench(self, name: str, seconds: int, rate: float | None) -> subprocess.Popen[str]:
        """Starts the clients; their log's name begins with name."""
        for script, text in (("write.sql", WRITE), ("read.sql", READ)):
            (self.folder / script).write_text(text.format(conversations=self.conversations))
        cluster = self.database.cluster
        return subprocess.Popen(
            [
                str(cluster.bin_dir / "pgbench"),
                *("--no-vacuum", "--protocol=prepared", "--client", str(CLIENTS), "--jobs", "2"),
                *("--time", str(seconds), "--log", "--log-prefix", str(self.folder / name)),
                *(["--rate", f"{rate:.0f}"] if rate else []),
                *("--file", str(self.folder / "write.sql")),
                *("--file", str(self.folder / "read.sql")),
                *("--host", str(cluster.host), "--port", str(cluster.port)),
                *("--username", "recall_owner", self.database.name),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )

    def log(self, name: str) -> list[Latency]:
        """What the clients of that name have logged: client, number, µs, script, s, µs."""
        found = []
        for path in self.folder.glob(f"{name}.*"):
            for line in path.read_text().splitlines():
                words = line.split()
                # The last line of a client that was ended may be cut short.
                if len(words) >= 6 and words[2].isdigit():
                    ended = int(words[4]) + int(words[5]) / 1e6
                    found.append(Latency(ended, int(words[2]) / 1000, words[3] == "0"))
        return found

    @contextmanager
    def load(self, name: str, rate: float) -> Iterator[None]:
        clients = self.pgbench(name, 7200, rate)
        try:
            yield
        finally:
            clients.terminate()
            clients.wait()

    def quiet(self, name: str, rate: float | None) -> list[Latency]:
        clients = self.pgbench(name, self.size.seconds, rate)
        _, errors = clients.communicate()
        if clients.returncode != 0:
            raise RuntimeError(errors)
        return self.log(name)

    def batches(self, until: int) -> list[float]:
        """Purges batch by batch until so few expired rows are left; milliseconds of each."""
        times = []
        left = self.expired()
        with psycopg.connect(self.database.owner, autocommit=True) as connection:
            while left > until:
                begun = time.perf_counter()
                row = connection.execute(f"call tool_recall.purge_expired({BATCH}, 0)").fetchone()
                times.append((time.perf_counter() - begun) * 1000)
                assert row is not None
                left -= row[0]
        return times

    def killed(self) -> tuple[int, int]:
        """A purge whose backend is killed; how many it had to delete and deleted."""
        before = self.expired()
        victim = psycopg.connect(self.database.owner, autocommit=True)
        pid = victim.info.backend_pid

        def purge() -> None:
            with suppress(psycopg.OperationalError):
                victim.execute("call tool_recall.purge_expired()")

        thread = threading.Thread(target=purge)
        thread.start()
        while self.expired() > before - before // 10:
            time.sleep(0.05)
        with psycopg.connect(self.database.superuser, autocommit=True) as connection:
            connection.execute("select pg_terminate_backend(%s)", [pid])
        thread.join()
        victim.close()
        return before, before - self.expired()

    def purge(self, arguments: str) -> tuple[int, float]:
        """Rows deleted by one call, and its seconds."""
        begun = time.perf_counter()
        deleted = self.number(f"call tool_recall.purge_expired({arguments})")
        return deleted, time.perf_counter() - begun

    def two_at_once(self) -> tuple[int, int]:
        """Two purges of a few seconds; how many expired rows are gone, how many they claim."""
        before = self.expired()
        claimed: list[int] = []
        threads = [
            threading.Thread(target=lambda: claimed.append(self.purge(f"{BATCH}, 3")[0]))
            for _ in range(2)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if len(claimed) != 2:
            raise RuntimeError("a purge failed beside another")
        return before - self.expired(), sum(claimed)


def show(name: str, value: str, met: bool | None = None) -> None:
    verdict = "" if met is None else ("met" if met else "NOT MET")
    print(f"{name:<62} {value:>22}  {verdict}", flush=True)


def measure(bench: Bench) -> None:
    begun = time.perf_counter()
    bench.fill()
    rows, expired = bench.rows(), bench.expired()
    show("rows, of which expired", f"{rows:,}, {expired:,}")
    show("minutes to fill", f"{(time.perf_counter() - begun) / 60:.1f}")

    flat_out = len(bench.quiet("warm", None)) / bench.size.seconds
    rate = flat_out / 2
    quiet = bench.quiet("quiet", rate)
    with bench.load("purge", rate):
        # Past the first moments of the clients.
        time.sleep(3)
        start = time.time()
        times = bench.batches(expired * 4 // 10)
        end = time.time()
        seconds = end - start
        killed = bench.killed()
        bounded = bench.purge(f"{BATCH}, 2")
        both = bench.two_at_once()
        bench.purge("1000, 3600")
    during = [one for one in bench.log("purge") if start <= one.ended <= end]

    show("load: transactions/s of 16 clients, half of what they could", f"{rate:.0f}")
    median = statistics.median(times)
    spread = f"{median:.0f} / {percentile(times, 0.99):.0f} / {max(times):.0f} ms"
    show(f"batch of {BATCH}: median / p99 / longest", spread, median < 100)
    show("rows purged a second, beside the load", f"{len(times) * BATCH / seconds:,.0f}")
    for wrote, name in ((True, "writers"), (False, "readers")):
        before = [one.milliseconds for one in quiet if one.wrote is wrote]
        beside = [one.milliseconds for one in during if one.wrote is wrote]
        for share, label in ((0.5, "median"), (0.99, "p99")):
            low, high = percentile(before, share), percentile(beside, share)
            met = high / low <= 2 if wrote and share > 0.9 else None
            show(
                f"{name}' {label}: purge/quiet",
                f"{low:.2f} -> {high:.2f} ms: {high / low:.2f}",
                met,
            )
    show("killed after a tenth: had to, had deleted", f"{killed[0]:,}, {killed[1]:,}")
    show("two at once: gone, and claimed by both", f"{both[0]:,}, {both[1]:,}", both[0] == both[1])
    show("max_seconds 2: rows, seconds", f"{bounded[0]:,}, {bounded[1]:.2f}", bounded[1] < 3)
    written = bench.number(
        "select sum(value) from tool_recall.metrics where name = 'tool_results_persisted_total'"
    )
    trimmed = bench.number(
        "select coalesce(sum(value), 0) from tool_recall.metrics "
        "where name = 'tool_results_cap_deletes_total'"
    )
    left, still = bench.rows(), bench.expired()
    show("expired rows left", f"{still:,}", still == 0)
    expected = rows - expired + written - trimmed
    show("rows left, and expected", f"{left:,}, {expected:,}", left == expected)


def run(quick: bool) -> int:
    """Measures and prints; with quick at a smaller size."""
    settings = {"shared_buffers": "2GB", "max_wal_size": "8GB"}
    with (
        Cluster(durable=True, cron=False, settings=settings) as cluster,
        tempfile.TemporaryDirectory() as folder,
    ):
        database = create_database(cluster, "bench")
        prepare(database)
        print(f"PostgreSQL {cluster.major}, {os.cpu_count()} CPUs, fsync on")
        measure(Bench(database, QUICK if quick else FULL, Path(folder)))
        database.close()
    return 0
