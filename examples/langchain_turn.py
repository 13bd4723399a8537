"""Two turns of a chat with LangGraph; the second knows what the first saw.

    pip install 'pg-tool-recall[langchain]' langgraph langchain-openai 'psycopg[binary]'
    DATABASE_URL=... OPENAI_API_KEY=... python examples/langchain_turn.py

OPENAI_BASE_URL and MODEL choose any other endpoint that speaks Chat Completions. The database has
the tables of sql/host_example.sql and pg_tool_recall installed. The lines marked with (1) to (5)
are all that pg_tool_recall asks of a service.
"""

from __future__ import annotations

import json
import os
from typing import Any
from uuid import UUID, uuid4

import psycopg
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from pg_tool_recall import ToolRecall
from pg_tool_recall.adapters.langchain import RecallCallback

MODEL = os.environ.get("MODEL", "gpt-4.1-mini")


@tool
def list_plans(gym: str) -> str:
    """The membership plans of a gym, with their prices in euros."""
    plans = [{"name": "Starter Pack", "price": 19}, {"name": "Pro", "price": 49}]
    return json.dumps({"plans": plans})


def agent() -> Any:
    """A graph that asks the model until it calls no more tools."""
    model = ChatOpenAI(model=MODEL).bind_tools([list_plans])
    graph = StateGraph(MessagesState)
    graph.add_node("model", lambda state: {"messages": [model.invoke(state["messages"])]})
    graph.add_node("tools", ToolNode([list_plans]))
    graph.add_edge(START, "model")
    graph.add_conditional_edges("model", tools_condition)
    graph.add_edge("tools", "model")
    return graph.compile()


def answer(
    graph: Any,
    recall: ToolRecall,
    conn: psycopg.Connection[Any],
    user_id: UUID,
    conversation_id: UUID,
    question: str,
) -> str:
    """One turn: the graph runs, then its last message is saved."""
    block = recall.block(conversation_id=conversation_id, user_id=user_id)  # (1)
    messages = [("system", f"Answer in one sentence.\n\n{block}"), ("user", question)]  # (2)
    with recall.turn(conversation_id=conversation_id, user_id=user_id) as turn:  # (3)
        config = {"callbacks": [RecallCallback(turn)]}  # (4)
        text: str = graph.invoke({"messages": messages}, config=config)["messages"][-1].content
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
        graph, recall = agent(), ToolRecall(conn)
        for question in (
            "Which plans does the gym Nord have?",
            "Which plans did you show me, and as of when?",
        ):
            print(f"> {question}")
            answer(graph, recall, conn, user_id, conversation_id, question)
        print(f"\n{recall.block(conversation_id=conversation_id, user_id=user_id)}")


if __name__ == "__main__":
    main()
