"""Two turns of a chat with pydantic-ai; the second knows what the first saw.

    pip install pg-tool-recall 'pydantic-ai-slim[openai]' 'psycopg[binary]'
    DATABASE_URL=... OPENAI_API_KEY=... python examples/pydantic_ai_turn.py

OPENAI_BASE_URL and MODEL choose any other endpoint that speaks Chat Completions. The database has
the tables of sql/host_example.sql and pg_tool_recall installed. The lines marked with (1) to (5)
are all that pg_tool_recall asks of a service.
"""

from __future__ import annotations

import os
from typing import Any
from uuid import UUID, uuid4

import psycopg
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel

from pg_tool_recall import ToolRecall
from pg_tool_recall.adapters.pydantic_ai import collect

MODEL = os.environ.get("MODEL", "gpt-4.1-mini")


def list_plans(gym: str) -> dict[str, Any]:
    """The membership plans of a gym, with their prices in euros."""
    return {"plans": [{"name": "Starter Pack", "price": 19}, {"name": "Pro", "price": 49}]}


def answer(
    recall: ToolRecall,
    conn: psycopg.Connection[Any],
    user_id: UUID,
    conversation_id: UUID,
    question: str,
) -> str:
    """One turn: the agent runs, then its last message is saved."""
    block = recall.block(conversation_id=conversation_id, user_id=user_id)  # (1)
    agent = Agent(
        OpenAIChatModel(MODEL),
        instructions=f"Answer in one sentence.\n\n{block}",  # (2)
        tools=[list_plans],
    )
    with recall.turn(conversation_id=conversation_id, user_id=user_id) as turn:  # (3)
        run = agent.run_sync(question)
        collect(turn, run.new_messages())  # (4)
        print(run.output)
        with conn.transaction():
            message_id = uuid4()
            conn.execute(
                "insert into messages (id, conversation_id, role, content)"
                " values (%s, %s, 'assistant', %s)",
                [message_id, conversation_id, run.output],
            )
            turn.save(message_id, conn)  # (5) last in the transaction
    return run.output


def main() -> None:
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as conn:
        user_id, conversation_id = uuid4(), uuid4()
        conn.execute("insert into users (id, name) values (%s, 'Ada')", [user_id])
        conn.execute(
            "insert into conversations (id, user_id) values (%s, %s)", [conversation_id, user_id]
        )
        recall = ToolRecall(conn)
        for question in (
            "Which plans does the gym Nord have?",
            "Which plans did you show me, and as of when?",
        ):
            print(f"> {question}")
            answer(recall, conn, user_id, conversation_id, question)
        print(f"\n{recall.block(conversation_id=conversation_id, user_id=user_id)}")


if __name__ == "__main__":
    main()
