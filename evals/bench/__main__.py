"""Measure recording and recall against their floors: `make bench`, or `make bench QUICK=1`.

The floor of recording is the same INSERT into a table with the same columns, keys and indexes but
no triggers; that of recall is the bare index scan for five rows. Both are what any design must pay.
Each ratio is the median of interleaved pairs from one run; single times mean nothing on a machine
that is shared. Where it may, the server and pgbench are pinned to CPUs.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psycopg

from evals.bench import retention
from pg_tool_recall._vocabulary import find_vocabulary
from tests.support.cluster import Cluster
from tests.support.database import Database, create_database, prepare

CONVERSATIONS = 20_000
LINE = '- 2026-05-12 list_members(target="recent"): 12 members, newest registered_at 2026-05-10'
KEYS = "md5('c' || :i)::uuid, md5('u' || :i)::uuid"
RECORD = (
    "\\set i random(1, {conversations})\n"
    "select tool_recall.record_tool_result(" + KEYS + ", md5('m' || :i)::uuid, 'list_members', "
    '\'{{"target": "recent"}}\', :output, null);\n'
)
RECORD_FLOOR = (
    "\\set i random(1, {conversations})\n"
    "insert into bench_floor (conversation_id, user_id, message_id, tool_name, tool_input, "
    "tool_output, created_at, recall_line, recall_tokens) "
    "values (" + KEYS + ", md5('m' || :i)::uuid, 'list_members', '{{\"target\": \"recent\"}}', "
    f":output, clock_timestamp(), '{LINE}', 70) returning id;\n"
)
RECALL = "\\set i random(1, {conversations})\nselect tool_recall.recall_block(" + KEYS + ");\n"
RECALL_FLOOR = (
    "\\set i random(1, {conversations})\n"
    "select recall_line, recall_tokens from tool_recall.message_tool_results "
    "where conversation_id = md5('c' || :i)::uuid and user_id = md5('u' || :i)::uuid "
    "order by created_at desc, seq desc limit 5;\n"
)
# What no plpgsql function can undercut: the same scan, a pinned search_path, and nothing else.
LEAST = """
create function bench_least(conversation uuid, owner uuid) returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return array_to_string(array(
    select m.recall_line
    from tool_recall.message_tool_results as m
    where m.conversation_id = conversation and m.user_id = owner
    order by m.created_at desc, m.seq desc
    limit 5
  ), chr(10));
end
$$;
"""
RECALL_LEAST = RECALL.replace("tool_recall.recall_block", "bench_least")


@dataclass(frozen=True)
class Size:
    """How much is filled and how long each run takes."""

    rows: int
    seconds: int
    pairs: int


FULL = Size(rows=1_000_000, seconds=5, pairs=5)
QUICK = Size(rows=100_000, seconds=2, pairs=3)


def one_kilobyte() -> str:
    """A list of members, as JSON of about 1 KB."""
    members = [
        {
            "id": 900 - n,
            "email": f"member{n}@example.com",
            "registered_at": f"2026-05-{10 - n // 2:02d}T08:15:00Z",
        }
        for n in range(12)
    ]
    return json.dumps({"members": members})


class Bench:
    """A database to measure in, and pgbench to do it with."""

    def __init__(self, database: Database, size: Size, folder: Path) -> None:
        self.database = database
        self.size = size
        self.folder = folder
        self.pinned = hasattr(os, "sched_setaffinity")

    def execute(self, statement: str) -> None:
        with psycopg.connect(self.database.owner, autocommit=True) as connection:
            connection.execute(statement.encode())

    def pgbench(self, script: str, clients: int, *, one_cpu: bool, conversations: int) -> float:
        """Median latency of a statement in milliseconds, its wait for the commit included."""
        path = self.folder / "script.sql"
        path.write_text(script.format(conversations=conversations))
        cluster = self.database.cluster
        # Where both run on one CPU, the hand-over between them costs least and varies least.
        pin = ["taskset", "-c", "0"] if one_cpu and self.pinned else []
        done = subprocess.run(
            [
                *pin,
                str(cluster.bin_dir / "pgbench"),
                *("--no-vacuum", "--protocol=prepared", "--client", str(clients)),
                *("--jobs", str(min(clients, 2)), "--time", str(self.size.seconds)),
                *("--define", f"output={one_kilobyte()}", "--file", str(path)),
                *("--host", str(cluster.host), "--port", str(cluster.port)),
                *("--username", "recall_owner", self.database.name),
            ],
            capture_output=True,
            text=True,
            check=True,
            stdin=subprocess.DEVNULL,
        )
        found = re.search(r"latency average = ([0-9.]+) ms", done.stdout)
        if found is None:
            raise RuntimeError(done.stdout + done.stderr)
        return float(found.group(1))

    def ratio(self, measure: Callable[[str], float], ours: str, floor: str) -> list[float]:
        """floor/ours of each interleaved pair: above 1 is faster than the floor."""
        return [measure(floor) / measure(ours) for _ in range(self.size.pairs)]


def fill_host(bench: Bench) -> None:
    bench.execute(
        f"""insert into users (id, name)
        select md5('u' || n)::uuid, 'u' from generate_series(1, {CONVERSATIONS}) as n;
        insert into conversations (id, user_id)
        select md5('c' || n)::uuid, md5('u' || n)::uuid
        from generate_series(1, {CONVERSATIONS}) as n;
        insert into messages (id, conversation_id, role)
        select md5('m' || n)::uuid, md5('c' || n)::uuid, 'assistant'
        from generate_series(1, {CONVERSATIONS}) as n;
        create table bench_floor (like tool_recall.message_tool_results including all);
        alter table bench_floor
          add foreign key (user_id) references users on delete cascade,
          add foreign key (conversation_id) references conversations on delete cascade,
          add foreign key (message_id) references messages on delete cascade;
        analyze users, conversations, messages;"""
    )
    bench.execute(LEAST)


def fill_results(bench: Bench, rows: int, conversations: int, output: str) -> None:
    """Finished rows, past the triggers, in as many conversations; each call is another one."""
    bench.execute(
        f"""truncate tool_recall.message_tool_results;
        alter table tool_recall.message_tool_results disable trigger user;
        insert into tool_recall.message_tool_results (conversation_id, user_id, message_id,
          tool_name, tool_input, tool_output, created_at, recall_line, recall_tokens)
        select md5('c' || c)::uuid, md5('u' || c)::uuid, md5('m' || c)::uuid, 'list_members',
          jsonb_build_object('target', 'r' || k), {output}, now() - k * interval '1 hour',
          '- ' || to_char(now() - k * interval '1 hour', 'YYYY-MM-DD')
          || ' list_members(target="r' || k || '"): 12 members, newest registered_at 2026-05-10', 40
        from generate_series(1, {rows // conversations}) as k,
          generate_series(1, {conversations}) as c;
        alter table tool_recall.message_tool_results enable trigger user;"""
    )
    bench.execute("vacuum (analyze) tool_recall.message_tool_results")


def show(name: str, ratios: list[float], target: float | None, *, slower: bool = False) -> None:
    """A row of the table; slower: the ratio is of times, not of rates."""
    values = [1 / ratio for ratio in ratios] if slower else ratios
    median = statistics.median(values)
    if target is None:
        verdict = ""
    else:
        met = median <= target if slower else median >= target
        verdict = f"{'<=' if slower else '>='} {target:.2f}   {'met' if met else 'NOT MET'}"
    spread = f"{min(values):.2f} to {max(values):.2f}"
    print(f"{name:<58} {median:>6.2f}  ({spread})  {verdict}", flush=True)


def measure_recording(bench: Bench) -> None:
    """Rate over the floor's."""
    for clients, target in ((1, 0.60), (8, 0.45)):
        ratios = bench.ratio(
            lambda script, clients=clients: bench.pgbench(  # type: ignore[misc]
                script, clients, one_cpu=False, conversations=CONVERSATIONS
            ),
            RECORD,
            RECORD_FLOOR,
        )
        show(f"record, 1 KB, below the cap, {clients} client(s): rate/floor", ratios, target)
    fill_results(bench, 200 * 50, 50, "'1'::jsonb")
    ratios = bench.ratio(
        lambda script: bench.pgbench(script, 1, one_cpu=False, conversations=50),
        RECORD,
        RECORD_FLOOR,
    )
    show("record, 1 KB, at the cap of 200, 1 client: rate/floor", ratios, None)


def measure_exact(bench: Bench, cluster: Cluster, folder: Path) -> None:
    """Time with exact token counts over the time with the estimate."""
    content = find_vocabulary()
    if content is None:
        print("exact token counts: the vocabulary is not here")
        return
    database = create_database(cluster, "bench_exact")
    prepare(database)
    database.owner_conn.execute("select tool_recall._load_vocabulary(%s)", [content.decode()])
    exact = Bench(database, bench.size, folder)
    fill_host(exact)
    ratios = [
        exact.pgbench(RECORD, 1, one_cpu=False, conversations=CONVERSATIONS)
        / bench.pgbench(RECORD, 1, one_cpu=False, conversations=CONVERSATIONS)
        for _ in range(bench.size.pairs)
    ]
    show("record, exact token counts: time/with the estimate", ratios, 1.25, slower=True)
    database.close()


def measure_recall(bench: Bench) -> None:
    """Time over the floor's."""
    outputs = {
        "1 KB outputs": (bench.size.rows, CONVERSATIONS, f"'{one_kilobyte()}'::jsonb"),
        "1 MB outputs": (
            2_000,
            200,
            "jsonb_build_object('x', (select string_agg(md5(k::text || n), '') "
            "from generate_series(1, 32768) as n))",
        ),
    }
    for name, (rows, conversations, output) in outputs.items():
        fill_results(bench, rows, conversations, output)
        for one_cpu, where in ((False, "client on another CPU"), (True, "all on one CPU")):
            with_cpus(bench, one_cpu=one_cpu)
            ratios = bench.ratio(
                lambda script, one_cpu=one_cpu, n=conversations: bench.pgbench(  # type: ignore[misc]
                    script, 1, one_cpu=one_cpu, conversations=n
                ),
                RECALL,
                RECALL_FLOOR,
            )
            show(f"recall_block, {rows:,} rows, {name}, {where}", ratios, 1.15, slower=True)
            if one_cpu and name.startswith("1 KB"):
                least = bench.ratio(
                    lambda script, n=conversations: bench.pgbench(  # type: ignore[misc]
                        script, 1, one_cpu=True, conversations=n
                    ),
                    RECALL_LEAST,
                    RECALL_FLOOR,
                )
                show("plpgsql around the bare scan, all on one CPU", least, None, slower=True)
        with_cpus(bench, one_cpu=False)
        if name.startswith("1 KB"):
            print_size(bench)


def with_cpus(bench: Bench, *, one_cpu: bool) -> None:
    """Pin the server, and so every backend that it starts, to CPU 0 or to all."""
    if not bench.pinned:
        return
    pid = int((Path(bench.database.cluster.data_dir) / "postmaster.pid").read_text().split()[0])
    everywhere = set(range(os.cpu_count() or 1))
    os.sched_setaffinity(pid, {0} if one_cpu else everywhere)


def print_size(bench: Bench) -> None:
    with psycopg.connect(bench.database.owner) as connection:
        row = connection.execute(
            "select (pg_total_relation_size(c.oid) / c.reltuples)::int, "
            "(pg_indexes_size(c.oid) / c.reltuples)::int from pg_class as c "
            "where c.oid = 'tool_recall.message_tool_results'::regclass"
        ).fetchone()
    assert row is not None
    print(f"{'bytes a row with 1 KB outputs, of which indexes':<58} {row[0]:>6}  {row[1]}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m evals.bench", description=__doc__)
    parser.add_argument(
        "what", nargs="?", choices=["retention"], help="instead: a purge of ten million rows"
    )
    parser.add_argument("--quick", action="store_true", help="a smaller table and shorter runs")
    options = parser.parse_args()
    if options.what == "retention":
        return retention.run(options.quick)
    size = QUICK if options.quick else FULL
    with (
        Cluster(durable=True, cron=False, settings={"shared_buffers": "1GB"}) as cluster,
        tempfile.TemporaryDirectory() as folder,
    ):
        database = create_database(cluster, "bench")
        prepare(database)
        bench = Bench(database, size, Path(folder))
        fill_host(bench)
        print(f"PostgreSQL {cluster.major}, {os.cpu_count()} CPUs, fsync on; medians of pairs")
        measure_recording(bench)
        measure_exact(bench, cluster, Path(folder))
        measure_recall(bench)
        database.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
