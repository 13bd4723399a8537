"""Two turns of a chat with the OpenAI Agents SDK; the second knows what the first saw.

    pip install pg-tool-recall openai-agents 'psycopg[binary]'
    DATABASE_URL=... OPENAI_API_KEY=... python examples/openai_agents_turn.py

OPENAI_BASE_URL and MODEL choose any other endpoint that speaks Chat Completions. The database has
the tables of sql/host_example.sql and pg_tool_recall installed. The lines marked with (1) to (5)
are all that pg_tool_recall asks of a service.
"""

from __future__ import annotations

import asyncio
import json
import os
from typing import Any
from uuid import UUID, uuid4

import psycopg
from agents import (
    Agent,
    OpenAIChatCompletionsModel,
    Runner,
    function_tool,
    set_tracing_disabled,
)
from openai import AsyncOpenAI

from pg_tool_recall import AsyncToolRecall
from pg_tool_recall.adapters.openai_agents import collect

MODEL = os.environ.get("MODEL", "gpt-4.1-mini")


@function_tool
def list_plans(gym: str) -> str:
    """The membership plans of a gym, with their prices in euros."""
    plans = [{"name": "Starter Pack", "price": 19}, {"name": "Pro", "price": 49}]
    return json.dumps({"plans": plans})  # of a dict the SDK would make Python's repr


async def answer(
    client: AsyncOpenAI,
    recall: AsyncToolRecall,
    conn: psycopg.AsyncConnection[Any],
    user_id: UUID,
    conversation_id: UUID,
    question: str,
) -> str:
    """One turn: the agent runs, then its last message is saved."""
    block = await recall.block(conversation_id=conversation_id, user_id=user_id)  # (1)
    agent = Agent(
        name="assistant",
        model=OpenAIChatCompletionsModel(model=MODEL, openai_client=client),
        instructions=f"Answer in one sentence.\n\n{block}",  # (2)
        tools=[list_plans],
    )
    async with recall.turn(conversation_id=conversation_id, user_id=user_id) as turn:  # (3)
        run = await Runner.run(agent, question)
        collect(turn, run)  # (4)
        text: str = run.final_output
        print(text)
        async with conn.transaction():
            message_id = uuid4()
            await conn.execute(
                "insert into messages (id, conversation_id, role, content)"
                " values (%s, %s, 'assistant', %s)",
                [message_id, conversation_id, text],
            )
            await turn.save(message_id, conn)  # (5) last in the transaction
    return text


async def main() -> None:
    set_tracing_disabled(True)  # the SDK would send what it runs to OpenAI
    async with await psycopg.AsyncConnection.connect(
        os.environ["DATABASE_URL"], autocommit=True
    ) as conn:
        user_id, conversation_id = uuid4(), uuid4()
        await conn.execute("insert into users (id, name) values (%s, 'Ada')", [user_id])
        await conn.execute(
            "insert into conversations (id, user_id) values (%s, %s)", [conversation_id, user_id]
        )
        client, recall = AsyncOpenAI(), AsyncToolRecall(conn)
        for question in (
            "Which plans does the gym Nord have?",
            "Which plans did you show me, and as of when?",
        ):
            print(f"> {question}")
            await answer(client, recall, conn, user_id, conversation_id, question)
        print(f"\n{await recall.block(conversation_id=conversation_id, user_id=user_id)}")


if __name__ == "__main__":
    asyncio.run(main())
