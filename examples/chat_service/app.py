"""The service over HTTP. Who asks is said by the header X-User: put your sign-in in its place."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from typing import Annotated, Any
from uuid import UUID, uuid4

from fastapi import Depends, FastAPI, Header, HTTPException, Request
from fastapi.responses import PlainTextResponse, StreamingResponse
from psycopg import AsyncConnection
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool
from pydantic import BaseModel, Field
from starlette.types import Receive, Scope, Send

from examples.chat_service.chat import Chat, Pool, Saved, Text
from examples.chat_service.models import FAILURES, Model
from pg_tool_recall import AsyncToolRecall

FAILED = "There is no answer at the moment; what you asked is kept."

logger = logging.getLogger("chat_service")

User = Annotated[UUID, Header(alias="X-User")]


class Name(BaseModel):
    name: str = Field(min_length=1, max_length=200)


class Question(BaseModel):
    text: str = Field(min_length=1, max_length=20_000)


def create_app(conninfo: str, model: Model) -> FastAPI:
    """The application on that database, with that model."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        pool: Pool = AsyncConnectionPool(conninfo, open=False)
        async with pool:
            app.state.pool = pool
            app.state.recall = AsyncToolRecall(pool)
            app.state.chat = Chat(pool, app.state.recall, model)
            yield
        await model.close()

    app = FastAPI(title="Chat service with pg_tool_recall", lifespan=lifespan)
    app.post("/users", status_code=201)(add_user)
    app.post("/conversations", status_code=201)(add_conversation)
    app.get("/conversations/{conversation_id}/messages")(list_messages)
    app.post("/conversations/{conversation_id}/messages")(answer)
    app.post("/conversations/{conversation_id}/messages/stream")(stream_answer)
    app.get("/conversations/{conversation_id}/block")(show_block)
    return app


async def add_user(request: Request, body: Name) -> dict[str, UUID]:
    user_id = uuid4()
    async with _pool(request).connection() as conn:
        await conn.execute(
            "insert into public.users (id, name) values (%s, %s)", [user_id, body.name]
        )
    return {"id": user_id}


async def add_conversation(request: Request, user_id: User) -> dict[str, UUID]:
    conversation_id = uuid4()
    async with _pool(request).connection() as conn:
        added = await conn.execute(
            "insert into public.conversations (id, user_id) select %s, id from public.users"
            " where id = %s",
            [conversation_id, user_id],
        )
    if not added.rowcount:
        raise HTTPException(404, "no such user")
    return {"id": conversation_id}


async def own_conversation(request: Request, conversation_id: UUID, user_id: User) -> UUID:
    """The conversation, where it is the caller's."""
    query = "select from public.conversations where id = %s and user_id = %s"
    async with _pool(request).connection() as conn:
        found = await (await conn.execute(query, [conversation_id, user_id])).fetchone()
    if found is None:
        raise HTTPException(404, "no such conversation of yours")
    return conversation_id


OwnConversation = Annotated[UUID, Depends(own_conversation)]


async def list_messages(request: Request, conversation: OwnConversation) -> list[dict[str, Any]]:
    query = (
        "select id, role, content, created_at from public.messages where conversation_id = %s"
        " order by created_at"
    )
    async with (
        _pool(request).connection() as conn,
        conn.cursor(row_factory=dict_row) as cursor,
    ):
        return await (await cursor.execute(query, [conversation])).fetchall()


async def answer(
    request: Request, conversation: OwnConversation, user_id: User, question: Question
) -> dict[str, Any]:
    """The whole answer at once."""
    said: list[str] = []
    message_id: UUID | None = None
    async with aclosing(_chat(request).turn(conversation, user_id, question.text)) as parts:
        try:
            async for part in parts:
                if isinstance(part, Text):
                    said.append(part.text)
                else:
                    message_id = part.message_id
        except FAILURES as error:
            raise HTTPException(502, FAILED) from error
    return {"message_id": message_id, "text": "".join(said)}


async def stream_answer(
    request: Request, conversation: OwnConversation, user_id: User, question: Question
) -> StreamingResponse:
    """Server-sent events: ``text`` for each piece; at the end ``saved``, or ``failed``."""

    async def events() -> AsyncIterator[str]:
        async with aclosing(_chat(request).turn(conversation, user_id, question.text)) as parts:
            try:
                async for part in parts:
                    yield _event(part)
            except Exception:  # too late for another status
                logger.exception("an answer failed")
                yield _sse("failed", {"detail": FAILED})

    return _ClosingStream(events(), media_type="text/event-stream")


async def show_block(
    request: Request, conversation: OwnConversation, user_id: User
) -> PlainTextResponse:
    """What the next turn's prompt carries, to look at."""
    recall: AsyncToolRecall = request.app.state.recall
    block = await recall.block(conversation_id=conversation, user_id=user_id)
    return PlainTextResponse(block.text)


class _ClosingStream(StreamingResponse):
    """Closes what it streams from also when the client has gone: the turn ends there and then."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with aclosing(self.body_iterator):  # type: ignore[type-var]
            await super().__call__(scope, receive, send)


def _event(part: Text | Saved) -> str:
    if isinstance(part, Text):
        return _sse("text", {"text": part.text})
    return _sse("saved", {"message_id": str(part.message_id)})


def _sse(name: str, data: dict[str, str]) -> str:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"


def _chat(request: Request) -> Chat:
    chat: Chat = request.app.state.chat
    return chat


def _pool(request: Request) -> AsyncConnectionPool[AsyncConnection[Any]]:
    pool: Pool = request.app.state.pool
    return pool
