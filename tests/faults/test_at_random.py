"""Ten thousand results recorded while everything fails at random; what was acknowledged is there.

The seed makes the faults' kinds and order the same each time; when they strike is the machine's.
"""

from __future__ import annotations

import asyncio
import random
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import psycopg
import pytest
from sqlalchemy.ext import asyncio as sqlalchemy_asyncio

from pg_tool_recall import AsyncToolRecall, ToolRecall
from tests.client.faces import ids
from tests.client.ways import url
from tests.faults.proxy import Proxy
from tests.support.database import Database, Turn

SEED = 20260731
CONVERSATIONS = 80
RESULTS = 140  # of each; the cap is 200
BATCH = 4
RECORDING = b"tool_recall.record_tool_result"

# Refuses, blocks or kills at random, within the insert.
TROUBLE = """
    create function trouble() returns trigger language plpgsql security definer as $$
    declare
      v_chance float := random();
    begin
      if v_chance < 0.004 then
        raise exception using errcode = 'deadlock_detected', message = 'by a test';
      elsif v_chance < 0.008 then
        raise exception using errcode = 'serialization_failure', message = 'by a test';
      elsif v_chance < 0.010 then
        raise exception using errcode = 'disk_full', message = 'by a test';
      elsif v_chance < 0.012 then
        raise exception using errcode = 'query_canceled', message = 'by a test';
      elsif v_chance < 0.014 and current_setting('application_name') <> 'a caller' then
        perform pg_catalog.pg_terminate_backend(pg_catalog.pg_backend_pid());
      end if;
      return null;
    end $$;
    create trigger z_trouble after insert on tool_recall.message_tool_results
      for each statement execute function trouble()"""


@dataclass
class Tally:
    """What the workers were told."""

    acknowledged: dict[uuid.UUID, str] = field(default_factory=dict)
    given_up: set[str] = field(default_factory=set)
    calls: Counter[str] = field(default_factory=Counter)
    escaped: list[BaseException] = field(default_factory=list)
    lost_transactions: list[BaseException] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def told(self, keys: list[str], made: list[uuid.UUID | None]) -> None:
        with self.lock:
            for key, id in zip(keys, made, strict=True):
                if id is None:
                    self.given_up.add(key)
                else:
                    self.acknowledged[id] = key
                    self.given_up.discard(key)

    def count(self, what: str) -> None:
        with self.lock:
            self.calls[what] += 1


def one(key: str, named: bool) -> dict[str, Any]:
    return {
        "tool_name": "query",
        "tool_input": {"key": key},
        "tool_output": [key],
        "tool_use_id": key if named else None,
    }


def plan(turn: Turn, chance: random.Random) -> list[tuple[list[str], bool, bool]]:
    """Calls of a conversation: the results' keys, whether they have ids, whether it is a batch."""
    calls: list[tuple[list[str], bool, bool]] = []
    number = 0
    while number < RESULTS:
        batch = chance.random() < 0.3
        size = BATCH if batch and number + BATCH <= RESULTS else 1
        keys = [f"{turn.conversation_id}-{number + n}" for n in range(size)]
        calls.append((keys, chance.random() < 0.8, size > 1))
        number += size
    return calls


def attempts(
    client: Any, turn: Turn, keys: list[str], named: bool, batch: bool, **extra: Any
) -> Callable[[], Any]:
    if batch:
        return lambda: client.record_many(
            turn.conversation_id,
            turn.user_id,
            turn.message_id,
            [one(key, named) for key in keys],
            **extra,
        )
    arguments = {**ids(turn), "message_id": turn.message_id, **one(keys[0], named), **extra}
    return lambda: client.record(**arguments)


def listed(made: Any, keys: list[str]) -> list[uuid.UUID | None]:
    found: list[uuid.UUID | None] = made if isinstance(made, list) else [made]
    assert len(found) == len(keys)
    return found


def talk(client: ToolRecall, turn: Turn, tally: Tally) -> None:
    """A service that waits. What has an id is recorded until it is acknowledged, like its turn."""
    try:
        for keys, named, batch in plan(turn, random.Random(str(turn.conversation_id))):
            record = attempts(client, turn, keys, named, batch)
            for _ in range(200):
                tally.count("record")
                made = listed(record(), keys)
                tally.told(keys, made)
                if not named or None not in made:
                    break
                time.sleep(0.01)
            tally.count("block")
            client.block(**ids(turn))
    except BaseException as error:
        tally.escaped.append(error)


async def talk_awaited(client: AsyncToolRecall, turn: Turn, tally: Tally) -> None:
    try:
        for keys, named, batch in plan(turn, random.Random(str(turn.conversation_id))):
            record = attempts(client, turn, keys, named, batch)
            for _ in range(200):
                tally.count("record")
                made = listed(await record(), keys)
                tally.told(keys, made)
                if not named or None not in made:
                    break
                await asyncio.sleep(0.01)
            tally.count("block")
            await client.block(**ids(turn))
    except BaseException as error:
        tally.escaped.append(error)


def join(conninfo: str, turn: Turn, tally: Tally, failures: Counter[str]) -> None:
    """A service with transactions of its own, on connections that nobody cuts."""
    try:
        with psycopg.connect(conninfo, application_name="a caller") as connection:
            client = ToolRecall(connection, record_timeout=0.5)
            for keys, _, batch in plan(turn, random.Random(str(turn.conversation_id))):
                try:
                    connection.execute("select 1")
                    tally.count("joined")
                    made = listed(attempts(client, turn, keys, True, batch)(), keys)
                    connection.execute(
                        "insert into messages (id, conversation_id, role, content)"
                        " values (%s, %s, 'user', '')",
                        [uuid.uuid4(), turn.conversation_id],
                    )
                    connection.commit()
                except psycopg.Error as error:
                    tally.lost_transactions.append(error)
                    connection.rollback()
                else:
                    tally.told(keys, made)
            failures.update(client.failures)
    except BaseException as error:
        tally.escaped.append(error)


def strike(proxy: Proxy, database: Database, done: threading.Event, struck: Counter[str]) -> None:
    """One fault after another until all is recorded."""
    chance = random.Random(SEED)
    kinds = ["cut", "lose", "lose", "lose", "lose", "hold", "kill", "kill", "lock"]
    connection = database.connect(database.cluster.superuser)
    while not done.wait(chance.uniform(0.02, 0.2)):
        kind = chance.choice(kinds)
        struck[kind] += 1
        if kind == "cut":
            proxy.cut()
        elif kind == "lose":
            proxy.lose_answer(RECORDING)
        elif kind == "hold":
            proxy.hold = True
            done.wait(chance.uniform(0.1, 0.7))
            proxy.hold = False
        elif kind == "kill":
            connection.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity where usename ="
                " 'recall_app' and datname = current_database() and application_name"
                " <> 'a caller' order by random() limit 3"
            )
        elif kind == "lock":
            with database.connect("recall_owner", autocommit=False) as locking:
                locking.execute("set lock_timeout = '300ms'")
                try:
                    locking.execute("lock table tool_recall.message_tool_results")
                except psycopg.Error:
                    continue
                done.wait(chance.uniform(0.05, 0.7))
                locking.rollback()
    proxy.hold = False


@pytest.mark.timeout(280)
def test_none_lost_none_doubled(
    proxy: Proxy, through: str, database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    turns = [database.new_turn() for _ in range(CONVERSATIONS)]
    database.superuser_conn.execute(TROUBLE)
    tally = Tally()
    struck: Counter[str] = Counter()
    done = threading.Event()
    striking = threading.Thread(target=strike, args=(proxy, database, done, struck))
    client = ToolRecall(through, record_timeout=1)
    failures: Counter[str] = Counter()

    async def awaited(share: list[Turn]) -> None:
        engine = sqlalchemy_asyncio.create_async_engine(url(through, "asyncpg"))
        clients = [
            AsyncToolRecall(through, record_timeout=1),
            AsyncToolRecall(engine, record_timeout=1),
        ]
        queue = list(enumerate(share))

        async def work() -> None:
            while queue:
                number, turn = queue.pop()
                await talk_awaited(clients[number % 2], turn, tally)

        await asyncio.gather(*(work() for _ in range(4)))
        for each in clients:
            failures.update(each.failures)
            await each.close()
        await engine.dispose()

    def spread(work: Callable[[Turn], None], share: list[Turn]) -> Callable[[], None]:
        def run() -> None:
            while True:
                try:
                    turn = share.pop()
                except IndexError:
                    return
                work(turn)

        return run

    waiting, joining, awaiting = turns[0::4] + turns[1::4], turns[2::4], turns[3::4]
    by_waiting = spread(lambda turn: talk(client, turn, tally), waiting)
    by_joining = spread(lambda turn: join(database.app, turn, tally, failures), joining)
    threads = [threading.Thread(target=work) for work in (by_waiting, by_waiting, by_joining)]
    threads.append(threading.Thread(target=lambda: asyncio.run(awaited(awaiting))))
    striking.start()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    done.set()
    striking.join()
    failures.update(client.failures)
    client.close()

    rows: list[tuple[uuid.UUID, str]] = database.superuser_conn.execute(
        "select id, tool_input ->> 'key' from tool_recall.message_tool_results"
    ).fetchall()
    found = dict(rows)
    by_key = Counter(found.values())
    acknowledged = set(tally.acknowledged)
    lost = acknowledged - set(found)
    doubled = [key for key, times in by_key.items() if times > 1]
    unknown = {key for key in tally.given_up if key in by_key}
    with capsys.disabled():
        print(
            f"\n{len(acknowledged)} acknowledged, {len(lost)} lost, {len(doubled)} doubled;"
            f" {len(tally.given_up)} not acknowledged, of which {len(unknown)} are stored;"
            f" {dict(tally.calls)} calls; faults {dict(struck)}, {proxy.lost} answers lost;"
            f" failures {dict(failures)}; exceptions {len(tally.escaped)};"
            f" callers' transactions lost {len(tally.lost_transactions)}"
        )
    assert not tally.escaped
    assert not tally.lost_transactions
    assert not lost
    assert not doubled
    assert all(found[id] == key for id, key in tally.acknowledged.items())
    assert set(by_key) == set(tally.acknowledged.values()) | unknown
    assert len(acknowledged) >= 10_000
    assert proxy.lost > 10
    assert len(struck) >= 5
    assert failures["connection"] > 0
    assert failures["timeout"] > 0
