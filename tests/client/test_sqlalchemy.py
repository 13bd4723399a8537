"""What SQLAlchemy's users rely on: the unit of work, its sessions, engines of other drivers."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
import sqlalchemy
from sqlalchemy import exc, orm
from sqlalchemy.ext import asyncio as sqlalchemy_asyncio

from pg_tool_recall import AsyncToolRecall, ToolRecall, ToolRecallError
from tests.client.faces import call, ids, stored
from tests.client.ways import SESSIONS, Way, url
from tests.support.database import Database, Turn


class Base(orm.DeclarativeBase):
    pass


class Message(Base):
    __tablename__ = "messages"
    id: orm.Mapped[uuid.UUID] = orm.mapped_column(primary_key=True)
    conversation_id: orm.Mapped[uuid.UUID]
    role: orm.Mapped[str]
    content: orm.Mapped[str]


@pytest.fixture(params=SESSIONS, ids=lambda way: way.name)
def way(request: pytest.FixtureRequest, database: Database) -> Iterator[Way]:
    made: Way = request.param(database.app)
    yield made
    made.close()


def new_message(turn: Turn, **changes: Any) -> Message:
    return Message(
        **{
            "id": uuid.uuid4(),
            "conversation_id": turn.conversation_id,
            "role": "assistant",
            "content": "",
            **changes,
        }
    )


@pytest.mark.parametrize("autoflush", [True, False])
def test_pending_message_is_flushed_before_its_results(
    way: Way, database: Database, turn: Turn, autoflush: bool
) -> None:
    session = way.given()
    getattr(session, "sync_session", session).autoflush = autoflush
    client = way.client(on_error="raise")
    for save in ("record", "record_many", "turn"):
        message = new_message(turn)
        session.add(message)
        if save == "record":
            way.run(client.record(**call(turn, message_id=message.id), conn=session))
        elif save == "record_many":
            one = {"tool_name": "t", "tool_input": {}, "tool_output": 1}
            way.run(
                client.record_many(
                    turn.conversation_id, turn.user_id, message.id, [one], conn=session
                )
            )
        else:
            collected = client.turn(conversation_id=turn.conversation_id, user_id=turn.user_id)
            collected.add("t", {}, 1)
            way.run(collected.save(message.id, session))
        assert message not in session.new
    assert stored(database) == 0
    way.commit(session)
    assert stored(database) == 3


def test_reading_flushes_and_expires_nothing(way: Way, turn: Turn) -> None:
    session = way.given()
    client = way.client(on_error="raise")
    loaded = new_message(turn, content="loaded")
    session.add(loaded)
    way.run(client.record(**call(turn), conn=session))
    pending = new_message(turn)
    session.add(pending)
    loaded.content = "changed"
    way.run(client.block(**ids(turn), conn=session))
    way.run(client.results(**ids(turn), conn=session))
    assert pending in session.new
    assert loaded in session.dirty
    with pytest.raises(ToolRecallError):
        way.run(client.record(**call(turn, tool_name=" "), conn=session))
    assert sqlalchemy.inspect(loaded).expired_attributes == set()
    assert loaded.content == "changed"
    way.commit(session)


def test_flush_that_fails_is_the_callers_failure(way: Way, database: Database, turn: Turn) -> None:
    session = way.given()
    client = way.client()
    session.add(new_message(turn, conversation_id=uuid.uuid4()))
    with pytest.raises(exc.IntegrityError):
        way.run(client.record(**call(turn), conn=session))
    assert not client.failures
    way.rollback(session)
    assert way.run(client.record(**call(turn), conn=session))
    way.commit(session)
    assert stored(database) == 1


def test_session_that_has_to_be_rolled_back(way: Way, turn: Turn) -> None:
    session = way.given()
    client = way.client()
    session.add(new_message(turn, conversation_id=uuid.uuid4()))
    with pytest.raises(exc.IntegrityError):
        way.run(session.flush())
    assert way.run(client.record(**call(turn), conn=session)) is None
    assert not way.run(client.block(**ids(turn), conn=session))
    assert client.failures == {"aborted_transaction": 2}
    way.rollback(session)
    assert way.run(client.record(**call(turn), conn=session))


def test_scoped_session(way: Way, database: Database, turn: Turn) -> None:
    factory: Any
    if way.name.startswith("async"):
        made = sqlalchemy_asyncio.async_sessionmaker(way.pool)
        factory = sqlalchemy_asyncio.async_scoped_session(made, scopefunc=lambda: 1)
    else:
        factory = orm.scoped_session(orm.sessionmaker(way.pool))
    client = way.client(on_error="raise")
    message = new_message(turn)
    factory.add(message)
    assert way.run(client.record(**call(turn, message_id=message.id), conn=factory))
    way.run(factory.commit())
    way.run(factory.remove())
    assert stored(database) == 1


def test_engine_gets_its_connections_back_as_they_were(
    way: Way, database: Database, turn: Turn
) -> None:
    client = way.client()
    for _ in range(3):
        assert way.run(client.record(**call(turn)))
        assert way.run(client.record(**call(turn, tool_name=" "))) is None
        assert way.run(client.block(**ids(turn)))
    pool = getattr(way.pool, "sync_engine", way.pool).pool
    assert (pool.checkedout(), pool.checkedin()) == (0, 1)
    session = way.given()
    way.execute(session, "insert into users (id, name) values ($1, 'Bo')", uuid.uuid4())
    way.rollback(session)
    assert database.owner_conn.execute("select count(*) from users").fetchone() == (1,)


def test_block_does_not_wait_for_the_engine(database: Database, turn: Turn) -> None:
    engine = sqlalchemy.create_engine(url(database.app, "psycopg"), pool_size=1, max_overflow=0)
    client = ToolRecall(engine)
    with engine.connect():
        assert not client.block(**ids(turn))
        assert client.failures == {"timeout": 1}
    assert client.record(**call(turn))
    assert client.block(**ids(turn))
    engine.dispose()


def test_awaited_block_does_not_wait_for_the_engine(database: Database, turn: Turn) -> None:
    async def run(driver: str) -> None:
        engine = sqlalchemy_asyncio.create_async_engine(
            url(database.app, driver), pool_size=1, max_overflow=0
        )
        client = AsyncToolRecall(engine)
        async with engine.connect():
            assert not await client.block(**ids(turn))
            assert client.failures == {"timeout": 1}
        assert await client.record(**call(turn))
        assert await client.block(**ids(turn))
        await engine.dispose()

    asyncio.run(run("psycopg"))
    asyncio.run(run("asyncpg"))


def test_server_that_is_not_there(way: Way, turn: Turn) -> None:
    nowhere: Any = way.pool.url.set(port=1)
    make = (
        sqlalchemy_asyncio.create_async_engine
        if way.name.startswith("async")
        else sqlalchemy.create_engine
    )
    client = way.client(make(nowhere), block_timeout=5)
    assert not way.run(client.block(**ids(turn)))
    assert way.run(client.record(**call(turn))) is None
    assert client.failures == {"connection": 2}


def test_engine_of_another_database(turn: Turn) -> None:
    engine = sqlalchemy.create_engine("sqlite://")
    client = ToolRecall(engine)
    assert client.record(**call(turn)) is None
    assert client.failures == {"argument": 1}
    with pytest.raises(TypeError, match=r"postgresql\+psycopg"):
        client.results(**ids(turn))
    engine.dispose()


def test_closed_connection(database: Database, turn: Turn) -> None:
    engine = sqlalchemy.create_engine(url(database.app, "psycopg"))
    connection = engine.connect()
    connection.close()
    client = ToolRecall(connection)
    assert client.record(**call(turn)) is None
    assert client.failures == {"connection": 1}
    engine.dispose()
