"""Two turns of a chat with Anthropic's Messages API, streamed; the second knows what the first saw.

    pip install 'pg-tool-recall[anthropic]' 'psycopg[binary]'
    DATABASE_URL=... ANTHROPIC_API_KEY=... python examples/anthropic_turn.py

The database has the tables of sql/host_example.sql and pg_tool_recall installed. The lines marked
with (1) to (5) are all that pg_tool_recall asks of a service.
"""

from __future__ import annotations

import json
import os
from typing import Any
from uuid import UUID, uuid4

import anthropic
import psycopg

from pg_tool_recall import ToolRecall
from pg_tool_recall.adapters.anthropic import collect, watch

MODEL = os.environ.get("MODEL", "claude-sonnet-4-5")
TOOLS: list[Any] = [
    {
        "name": "list_plans",
        "description": "The membership plans of a gym, with their prices in euros.",
        "input_schema": {"type": "object", "properties": {"gym": {"type": "string"}}},
    }
]


def run_tool(call: Any) -> dict[str, Any]:
    """The block that answers a call."""
    plans = [{"name": "Starter Pack", "price": 19}, {"name": "Pro", "price": 49}]
    return {
        "type": "tool_result",
        "tool_use_id": call.id,
        "content": json.dumps({"plans": plans}),
    }


def answer(
    client: anthropic.Anthropic,
    recall: ToolRecall,
    conn: psycopg.Connection[Any],
    user_id: UUID,
    conversation_id: UUID,
    question: str,
) -> str:
    """One turn: the model is asked until it calls no more tools, then its message is saved."""
    block = recall.block(conversation_id=conversation_id, user_id=user_id)  # (1)
    system = f"Answer in one sentence.\n\n{block}"  # (2)
    messages: list[Any] = [{"role": "user", "content": question}]
    with recall.turn(conversation_id=conversation_id, user_id=user_id) as turn:  # (3)
        while True:
            with client.messages.stream(
                model=MODEL, max_tokens=1024, system=system, messages=messages, tools=TOOLS
            ) as stream:
                for event in watch(stream, turn):  # (4) or: collect(turn, message), not streamed
                    if event.type == "text":
                        print(event.text, end="", flush=True)
                message = stream.get_final_message()
            messages.append({"role": "assistant", "content": message.content})
            if message.stop_reason != "tool_use":
                break
            calls = [each for each in message.content if each.type == "tool_use"]
            messages.append({"role": "user", "content": [run_tool(call) for call in calls]})
            collect(turn, messages)  # (4)
        print()
        text = "".join(each.text for each in message.content if each.type == "text")
        with conn.transaction():
            message_id = uuid4()
            conn.execute(
                "insert into messages (id, conversation_id, role, content)"
                " values (%s, %s, 'assistant', %s)",
                [message_id, conversation_id, text],
            )
            turn.save(message_id, conn)  # (5) last in the transaction
    return text


def main() -> None:
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as conn:
        user_id, conversation_id = uuid4(), uuid4()
        conn.execute("insert into users (id, name) values (%s, 'Ada')", [user_id])
        conn.execute(
            "insert into conversations (id, user_id) values (%s, %s)", [conversation_id, user_id]
        )
        client, recall = anthropic.Anthropic(), ToolRecall(conn)
        for question in (
            "Which plans does the gym Nord have?",
            "Which plans did you show me, and as of when?",
        ):
            print(f"> {question}")
            answer(client, recall, conn, user_id, conversation_id, question)
        print(f"\n{recall.block(conversation_id=conversation_id, user_id=user_id)}")


if __name__ == "__main__":
    main()
