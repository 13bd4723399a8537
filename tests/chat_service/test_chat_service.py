"""The example chat service, driven over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from tests.adapters import test_anthropic as anthropic
from tests.adapters import test_openai as openai
from tests.adapters.wire import PAUSE, Event, VendorServer
from tests.chat_service.service import Customer, Service, eventually, service
from tests.client.faces import found
from tests.support.cluster import APP
from tests.support.database import ROOT, Database

SCHEMA = ROOT / "examples" / "chat_service" / "schema.sql"
PLANS = "Starter Pack at 19 euros, Pro at 49 euros, Family at 79 euros."
THREE_WEEKS = timedelta(days=21)


@pytest.fixture(scope="module")
def scripted(dist: Path) -> Iterator[Service]:
    """The service as `make service` runs it."""
    with service() as running:
        yield running


@pytest.fixture
def ada(scripted: Service) -> Iterator[Customer]:
    with closing(Customer(scripted.url)) as customer:
        yield customer


@pytest.fixture
def tables(database: Database) -> Database:
    """A database of the host's own, prepared for the service."""
    database.owner_conn.execute(SCHEMA.read_bytes())
    database.owner_conn.execute(
        f"grant select, insert on users, conversations, messages to {APP};"
        f"grant select on plans to {APP}"
    )
    return database


def three_weeks_pass(conninfo: str) -> None:
    """All that was said and shown is three weeks older, and the plans are other ones."""
    with psycopg.connect(conninfo, autocommit=True) as owner:
        with owner.transaction():
            owner.execute(
                "alter table tool_recall.message_tool_results disable trigger user;"
                "update tool_recall.message_tool_results"
                "  set created_at = created_at - interval '21 days';"
                "alter table tool_recall.message_tool_results enable trigger user;"
                "update messages set created_at = created_at - interval '21 days';"
                "delete from plans; insert into plans values ('Everything', 99, 512)"
            )
        owner.execute("call tool_recall.refresh_recall_lines()")


def day_of(when: datetime) -> str:
    return f"{when:%Y-%m-%d}"


def test_what_has_rolled_out_of_the_window_is_answered_from_the_block(
    scripted: Service, ada: Customer
) -> None:
    started = datetime.now(timezone.utc)
    with closing(Customer(scripted.url)) as other:
        assert ada.ask("Tell me our plans.") == f"Right now: {PLANS}"
        shown = {day_of(when - THREE_WEEKS) for when in (started, datetime.now(timezone.utc))}
        for _ in range(11):
            assert ada.ask("Thanks.") == "Noted."
        three_weeks_pass(scripted.database)

        brief = ada.ask("How many plans did you show me?")
        assert brief in {
            f'As of {day}, list_plans showed 3 plans, first "Starter Pack".' for day in shown
        }
        exact = ada.ask("What were those plans you showed me?")
        assert exact in {f"As of {day}: {PLANS}" for day in shown}
        assert ada.ask("And our plans today?") == "Right now: Everything at 99 euros."
        assert other.ask("How many plans did you show me?") == "I have not shown you that."


def test_a_streamed_answer(scripted: Service, ada: Customer) -> None:
    *pieces, (last, saved) = ada.stream("How many members are there?")
    assert len(pieces) > 1
    assert {name for name, _ in pieces} == {"text"}
    text = "".join(data["text"] for _, data in pieces)
    assert text.startswith("Right now: ")
    assert last == "saved"
    message = ada.messages()[-1]
    assert (message["id"], message["content"]) == (saved["message_id"], text)
    assert "count_members()" in ada.block()


def test_a_cancelled_stream_keeps_what_was_seen(ada: Customer) -> None:
    with closing(ada.stream("Tell me our plans.")) as stream:
        _, seen = next(stream)
    partial = eventually(lambda: ada.messages()[1:])[0]["content"]
    assert partial.startswith(seen["text"])
    assert partial.startswith("Right now: ")
    assert not partial.endswith(".")
    assert "list_plans()" in ada.block()


def test_others_are_not_found(scripted: Service, ada: Customer) -> None:
    ada.ask("Tell me our plans.")
    with closing(Customer(scripted.url)) as eve:
        path = f"/conversations/{ada.conversation}"
        refused = [
            eve.get(f"{path}/messages"),
            eve.get(f"{path}/block"),
            eve.post(f"{path}/messages", {"text": "What were those plans?"}),
            eve.post(f"{path}/messages/stream", {"text": "What were those plans?"}),
            eve.post("/conversations", **{"X-User": str(uuid4())}),
        ]
        assert [response.status_code for response in refused] == [404] * 5
        assert not any("plans" in response.text for response in refused)
        odd = eve.get(f"{path}/block", **{"X-User": "' or true --"})
        assert odd.status_code == 422
    assert len(ada.messages()) == 2


def contents(request: dict[str, Any]) -> list[tuple[str, str]]:
    return [(each["role"], each["content"]) for each in request["messages"]]


def said(text: str) -> list[Event]:
    return [openai.chunk({"content": text}), openai.chunk({}, "stop")]


@pytest.fixture
def with_openai(tables: Database, vendor: VendorServer) -> Iterator[Customer]:
    """The service on the host's database, with a model behind Chat Completions."""
    settings = {
        "DATABASE_URL": tables.app,
        "MODEL_API": "openai",
        "OPENAI_BASE_URL": f"{vendor.url}/v1",
        "OPENAI_API_KEY": "test",
    }
    with service(**settings) as running, closing(Customer(running.url)) as customer:
        yield customer


def test_the_model_sees_ten_turns_and_the_block(
    with_openai: Customer, vendor: VendorServer
) -> None:
    ada = with_openai
    vendor.answers += [
        openai.chunks(openai.call("call_1", "list_plans", "{}")),
        said("There are three."),
        *(said(f"Answer {number}.") for number in range(1, 12)),
    ]
    assert ada.ask("Tell me our plans.") == "There are three."
    for number in range(1, 12):
        assert ada.ask(f"Question {number}?") == f"Answer {number}."

    system, *window, question = contents(vendor.requests[-1])
    assert len(window) == 20
    assert window[0] == ("user", "Question 1?")
    assert window[-1] == ("assistant", "Answer 10.")
    assert question == ("user", "Question 11?")
    assert "list_plans(): 3 plans" in system[1]
    assert "Previously fetched" not in str(vendor.requests[0])


def test_a_tool_that_fails_is_kept_but_not_recalled(
    with_openai: Customer, vendor: VendorServer, tables: Database
) -> None:
    ask = '{"plan": "Platinum"}'
    vendor.answers += [
        openai.chunks(
            openai.call("call_1", "count_members", ask), openai.call("call_2", "no_tool", "[1")
        ),
        said("There is no such plan."),
    ]
    assert with_openai.ask("How many in Platinum?") == "There is no such plan."
    rows = tables.owner_conn.execute(
        "select tool_name, tool_input, is_error from tool_recall.message_tool_results order by seq"
    ).fetchall()
    assert rows == [("count_members", {"plan": "Platinum"}, True), ("no_tool", "[1", True)]
    assert with_openai.block() == ""


def test_going_away_before_the_first_word_leaves_no_answer(
    with_openai: Customer, vendor: VendorServer, tables: Database
) -> None:
    vendor.answers += [
        openai.chunks(openai.call("call_1", "list_plans", "{}")),
        [PAUSE],
        said("Hello."),
    ]
    with with_openai.streaming("Tell me our plans."):
        eventually(lambda: len(vendor.requests) == 2)
    assert with_openai.ask("Hello?") == "Hello."
    assert [each["content"] for each in with_openai.messages()] == [
        "Tell me our plans.",
        "Hello?",
        "Hello.",
    ]
    assert found(tables) == []


def test_a_model_that_fails(with_openai: Customer, vendor: VendorServer) -> None:
    overloaded: list[Event] = [{"error": {"message": "overloaded"}}]
    vendor.answers += [
        overloaded,
        overloaded,
        [],
        [openai.chunk({"content": "There"}), *overloaded],
        said("Hello."),
    ]
    path = f"/conversations/{with_openai.conversation}/messages"
    assert with_openai.post(path, {"text": "1"}).status_code == 502
    assert [name for name, _ in with_openai.stream("2")] == ["failed"]
    assert [name for name, _ in with_openai.stream("3")] == ["failed"]
    assert [name for name, _ in with_openai.stream("4")] == ["text", "failed"]
    assert with_openai.ask("5") == "Hello."
    assert [each["content"] for each in with_openai.messages()] == [*"1234", "There", "5", "Hello."]


def test_with_anthropic(tables: Database, vendor: VendorServer) -> None:
    vendor.answers += [
        anthropic.stream(anthropic.tool_use("toolu_1", "list_plans", {})),
        anthropic.stream(anthropic.text("There are three."), stop_reason="end_turn"),
        anthropic.stream(
            anthropic.tool_use("toolu_2", "recall_prior_tool_result", {"tool_name": "list_plans"})
        ),
        anthropic.stream(anthropic.text("These."), stop_reason="end_turn"),
    ]
    settings = {
        "DATABASE_URL": tables.app,
        "MODEL_API": "anthropic",
        "ANTHROPIC_BASE_URL": vendor.url,
        "ANTHROPIC_API_KEY": "test",
    }
    with service(**settings) as running, closing(Customer(running.url)) as ada:
        assert ada.ask("Tell me our plans.") == "There are three."
        assert ada.ask("Which were they?") == "These."
        assert [row[1] for row in found(tables)] == ["list_plans"]
    assert "list_plans(): 3 plans" in str(vendor.requests[2]["system"])
    (result,) = vendor.requests[3]["messages"][-1]["content"]
    assert "snapshot" in result["content"]
    assert "Starter Pack" in result["content"]
