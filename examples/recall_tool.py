"""A turn of a chat service in which the model may look up what it was shown.

    python examples/recall_tool.py CONNINFO CONVERSATION_ID USER_ID "What were those plans?"

needs the package in that database (see the README), `pip install 'pg-tool-recall[pool]' anthropic`
and ANTHROPIC_API_KEY; ANTHROPIC_BASE_URL for another endpoint that speaks Anthropic's protocol.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import anthropic

from pg_tool_recall import ToolRecall
from pg_tool_recall.recall_tool import RecallTool

MODEL = os.environ.get("ANTHROPIC_MODEL", "claude-sonnet-4-5")
SYSTEM = "You are the assistant of a studio's owner. Be brief."


def answer(recall: ToolRecall, conversation_id: str, user_id: str, question: str) -> str:
    """The model's answer to a question, from the block or from what it looks up."""
    client = anthropic.Anthropic()
    block = recall.block(conversation_id=conversation_id, user_id=user_id)
    # Whose results the model may read is said here, and not by the model.
    tool = RecallTool(recall, conversation_id=conversation_id, user_id=user_id)
    messages: list[Any] = [{"role": "user", "content": question}]
    while True:
        request = {
            "model": MODEL,
            "max_tokens": 1024,
            "system": SYSTEM,
            "tools": [tool.anthropic],
            "messages": messages,
        }
        reply = client.messages.create(**block.as_system(request, sdk="anthropic"))
        messages.append({"role": "assistant", "content": reply.content})
        results = [
            {"type": "tool_result", "tool_use_id": part.id, "content": tool.call(part.input)}
            for part in reply.content
            if part.type == "tool_use" and part.name == tool.name
        ]
        if not results:
            return "".join(part.text for part in reply.content if part.type == "text")
        messages.append({"role": "user", "content": results})


if __name__ == "__main__":
    conninfo, conversation_id, user_id, question = sys.argv[1:]
    with ToolRecall(conninfo) as recall:
        print(answer(recall, conversation_id, user_id, question))
