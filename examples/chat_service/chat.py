"""A turn of the chat: the window and the block go in, the answer and the results are kept."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

import anyio
from psycopg import AsyncConnection
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool

from examples.chat_service.models import Model, Prompt, ToolOutput
from examples.chat_service.tools import BY_NAME
from pg_tool_recall import AsyncToolRecall, AsyncTurn
from pg_tool_recall.recall_tool import AsyncRecallTool

SYSTEM = (
    "You are the assistant of a gym's owner. Answer in a sentence or two. What you know of plans"
    " and members comes from your tools only."
)
# How many turns the model sees; what was shown before is known from the block alone.
WINDOW = 10

Pool = AsyncConnectionPool[AsyncConnection[Any]]


@dataclass(frozen=True)
class Text:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True)
class Saved:
    """The answer has its row, whole or as far as it came."""

    message_id: UUID


class Chat:
    """The conversations of all users, with one model."""

    def __init__(self, pool: Pool, recall: AsyncToolRecall, model: Model) -> None:
        self._pool = pool
        self._recall = recall
        self._model = model

    async def turn(
        self, conversation_id: UUID, user_id: UUID, question: str
    ) -> AsyncGenerator[Text | Saved, None]:
        """The answer, piece by piece, and at last the id of its message.

        Close it to cancel the answer: what the user has seen of it is kept, with the results that
        it rests on. Where he has seen nothing there is no message, and the results go.
        """
        block = await self._recall.block(conversation_id=conversation_id, user_id=user_id)
        messages = await self._window(conversation_id)
        messages.append({"role": "user", "content": question})
        await self._add_message(conversation_id, "user", question)
        async with self._recall.turn(conversation_id=conversation_id, user_id=user_id) as turn:
            recall_tool = AsyncRecallTool(
                self._recall, conversation_id=conversation_id, user_id=user_id
            )
            prompt = Prompt(SYSTEM, messages, block, recall_tool, turn, self._run_tool)
            said: list[str] = []
            whole = False
            try:
                async with aclosing(self._model.reply(prompt)) as pieces:  # type: ignore[type-var]
                    async for piece in pieces:
                        said.append(piece)
                        yield Text(piece)
                whole = True
            finally:
                if said and not whole:
                    with anyio.CancelScope(shield=True):  # the user's leaving must not stop this
                        await self._save(conversation_id, "".join(said), turn)
            yield Saved(await self._save(conversation_id, "".join(said), turn))

    async def _save(self, conversation_id: UUID, text: str, turn: AsyncTurn) -> UUID:
        """The assistant's message and this turn's results, in one transaction."""
        async with self._pool.connection() as conn:
            message_id = await _insert_message(conn, conversation_id, "assistant", text)
            await turn.save(message_id, conn)  # last in the transaction
        return message_id

    async def _add_message(self, conversation_id: UUID, role: str, text: str) -> None:
        async with self._pool.connection() as conn:
            await _insert_message(conn, conversation_id, role, text)

    async def _run_tool(self, name: str, arguments: dict[str, Any]) -> ToolOutput:
        try:
            async with self._pool.connection() as conn:
                output = await BY_NAME[name].run(conn, arguments)
        except Exception as error:  # the model is told, and may say so
            return ToolOutput(json.dumps({"error": f"{type(error).__name__}: {error}"}), True)
        return ToolOutput(json.dumps(output), False)

    async def _window(self, conversation_id: UUID) -> list[dict[str, Any]]:
        """The messages of the last turns, oldest first; a turn begins with the user's message."""
        query = """
            select role, content from public.messages
            where conversation_id = %(conversation)s and created_at >= coalesce((
              select created_at from public.messages
              where conversation_id = %(conversation)s and role = 'user'
              order by created_at desc offset %(turns)s - 1 limit 1
            ), '-infinity')
            order by created_at
            """
        parameters = {"conversation": conversation_id, "turns": WINDOW}
        async with self._pool.connection() as conn, conn.cursor(row_factory=dict_row) as cursor:
            return await (await cursor.execute(query, parameters)).fetchall()


async def _insert_message(
    conn: AsyncConnection[Any], conversation_id: UUID, role: str, text: str
) -> UUID:
    message_id = uuid4()
    await conn.execute(
        "insert into public.messages (id, conversation_id, role, content, created_at)"
        " values (%s, %s, %s, %s, clock_timestamp())",
        [message_id, conversation_id, role, text],
    )
    return message_id
