"""Two turns of a chat with Chat Completions; the second knows what the first saw.

    pip install 'pg-tool-recall[openai]' 'psycopg[binary]'
    DATABASE_URL=... OPENAI_API_KEY=... python examples/openai_turn.py

OPENAI_BASE_URL and MODEL choose any other endpoint that speaks the same protocol. The database has
the tables of sql/host_example.sql and pg_tool_recall installed. The lines marked with (1) to (5)
are all that pg_tool_recall asks of a service.
"""

from __future__ import annotations

import json
import os
from typing import Any
from uuid import UUID, uuid4

import openai
import psycopg

from pg_tool_recall import ToolRecall
from pg_tool_recall.adapters.openai import collect

MODEL = os.environ.get("MODEL", "gpt-4.1-mini")
TOOLS: list[Any] = [
    {
        "type": "function",
        "function": {
            "name": "list_plans",
            "description": "The membership plans of a gym, with their prices in euros.",
            "parameters": {"type": "object", "properties": {"gym": {"type": "string"}}},
        },
    }
]


def run_tool(call: Any) -> dict[str, Any]:
    """The message that answers a call."""
    plans = [{"name": "Starter Pack", "price": 19}, {"name": "Pro", "price": 49}]
    return {"role": "tool", "tool_call_id": call.id, "content": json.dumps({"plans": plans})}


def answer(
    client: openai.OpenAI,
    recall: ToolRecall,
    conn: psycopg.Connection[Any],
    user_id: UUID,
    conversation_id: UUID,
    question: str,
) -> str:
    """One turn: the model is asked until it calls no more tools, then its message is saved."""
    block = recall.block(conversation_id=conversation_id, user_id=user_id)  # (1)
    messages: list[Any] = [
        {"role": "system", "content": f"Answer in one sentence.\n\n{block}"},  # (2)
        {"role": "user", "content": question},
    ]
    with recall.turn(conversation_id=conversation_id, user_id=user_id) as turn:  # (3)
        while True:
            completion = client.chat.completions.create(model=MODEL, messages=messages, tools=TOOLS)
            message = completion.choices[0].message
            messages.append(message)
            if not message.tool_calls:
                break
            messages += [run_tool(call) for call in message.tool_calls]
            collect(turn, messages)  # (4) as often as you like
        text = message.content or ""
        print(text)
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
        client, recall = openai.OpenAI(), ToolRecall(conn)
        for question in (
            "Which plans does the gym Nord have?",
            "Which plans did you show me, and as of when?",
        ):
            print(f"> {question}")
            answer(client, recall, conn, user_id, conversation_id, question)
        print(f"\n{recall.block(conversation_id=conversation_id, user_id=user_id)}")


if __name__ == "__main__":
    main()
