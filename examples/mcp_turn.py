"""Two turns of a chat whose tools are an MCP server's; the second knows what the first saw.

    pip install 'pg-tool-recall[openai]' mcp 'psycopg[binary]'
    DATABASE_URL=... OPENAI_API_KEY=... python examples/mcp_turn.py

The server is this file too, started with --server and spoken to over its standard input and output.
OPENAI_BASE_URL and MODEL choose any other endpoint that speaks Chat Completions. The database has
the tables of sql/host_example.sql and pg_tool_recall installed. The lines marked with (1) to (5)
are all that pg_tool_recall asks of a service.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any
from uuid import UUID, uuid4

import psycopg
from mcp import ClientSession, StdioServerParameters, stdio_client
from mcp.server import MCPServer
from openai import AsyncOpenAI

from pg_tool_recall import AsyncToolRecall
from pg_tool_recall.adapters.mcp import wrap

MODEL = os.environ.get("MODEL", "gpt-4.1-mini")

server = MCPServer("gym")


@server.tool()
def list_plans(gym: str) -> dict[str, Any]:
    """The membership plans of a gym, with their prices in euros."""
    return {"plans": [{"name": "Starter Pack", "price": 19}, {"name": "Pro", "price": 49}]}


async def openai_tools(session: ClientSession) -> list[Any]:
    """The server's tools as Chat Completions has them."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.input_schema,
            },
        }
        for tool in (await session.list_tools()).tools
    ]


async def answer(
    session: ClientSession,
    recall: AsyncToolRecall,
    conn: psycopg.AsyncConnection[Any],
    user_id: UUID,
    conversation_id: UUID,
    question: str,
) -> str:
    """One turn: the model is asked until it calls no more tools, then its message is saved."""
    client, tools = AsyncOpenAI(), await openai_tools(session)
    block = await recall.block(conversation_id=conversation_id, user_id=user_id)  # (1)
    messages: list[Any] = [
        {"role": "system", "content": f"Answer in one sentence.\n\n{block}"},  # (2)
        {"role": "user", "content": question},
    ]
    async with recall.turn(conversation_id=conversation_id, user_id=user_id) as turn:  # (3)
        recorded = wrap(session, turn)  # (4)
        while True:
            completion = await client.chat.completions.create(
                model=MODEL, messages=messages, tools=tools
            )
            message = completion.choices[0].message
            messages.append(message)
            if not message.tool_calls:
                break
            for call in message.tool_calls:
                if call.type == "function":
                    arguments = json.loads(call.function.arguments)
                    result = await recorded.call_tool(call.function.name, arguments)
                    content = [part.text for part in result.content if part.type == "text"]
                    messages.append(
                        {"role": "tool", "tool_call_id": call.id, "content": "\n".join(content)}
                    )
        text = message.content or ""
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
    parameters = StdioServerParameters(command=sys.executable, args=[__file__, "--server"])
    async with (
        await psycopg.AsyncConnection.connect(os.environ["DATABASE_URL"], autocommit=True) as conn,
        stdio_client(parameters) as (read, write),
        ClientSession(read, write) as session,
    ):
        await session.initialize()
        user_id, conversation_id = uuid4(), uuid4()
        await conn.execute("insert into users (id, name) values (%s, 'Ada')", [user_id])
        await conn.execute(
            "insert into conversations (id, user_id) values (%s, %s)", [conversation_id, user_id]
        )
        recall = AsyncToolRecall(conn)
        for question in (
            "Which plans does the gym Nord have?",
            "Which plans did you show me, and as of when?",
        ):
            print(f"> {question}")
            await answer(session, recall, conn, user_id, conversation_id, question)
        print(f"\n{await recall.block(conversation_id=conversation_id, user_id=user_id)}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--server"]:
        server.run()
    else:
        asyncio.run(main())
