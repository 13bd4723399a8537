"""The service's own tools: what the model may call, and what each reads from the database."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from psycopg import AsyncConnection
from psycopg.rows import dict_row

Arguments = dict[str, Any]


@dataclass(frozen=True)
class Tool:
    """A tool as models are told of it (``parameters`` is JSON Schema), and its work."""

    name: str
    description: str
    parameters: dict[str, Any]
    run: Callable[[AsyncConnection[Any], Arguments], Awaitable[Any]]


async def list_plans(conn: AsyncConnection[Any], arguments: Arguments) -> Any:
    query = "select name, price::float8, members from public.plans order by price"
    async with conn.cursor(row_factory=dict_row) as cursor:
        return {"plans": await (await cursor.execute(query)).fetchall()}


async def count_members(conn: AsyncConnection[Any], arguments: Arguments) -> Any:
    plan = arguments.get("plan")
    query = "select sum(members) from public.plans where %s::text is null or name = %s"
    row = await (await conn.execute(query, [plan, plan])).fetchone()
    if row is None or row[0] is None:
        raise LookupError(f"there is no plan {plan!r}")
    return {"members": row[0]}


TOOLS = (
    Tool(
        "list_plans",
        "The membership plans on sale now: price in euros and number of members of each.",
        {"type": "object", "properties": {}},
        list_plans,
    ),
    Tool(
        "count_members",
        "How many members there are now, of one plan or of all.",
        {"type": "object", "properties": {"plan": {"type": "string"}}},
        count_members,
    ),
)
BY_NAME = {tool.name: tool for tool in TOOLS}
