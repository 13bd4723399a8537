"""The model behind the service: any that speaks OpenAI's Chat Completions, or Anthropic's API."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import anthropic
import openai
from openai.lib.streaming.chat import ChatCompletionStreamState

from examples.chat_service.tools import TOOLS
from pg_tool_recall import AsyncTurn, Block
from pg_tool_recall.adapters import anthropic as from_anthropic
from pg_tool_recall.adapters import openai as from_openai
from pg_tool_recall.recall_tool import AsyncRecallTool

# A model that goes on calling tools is stopped.
MOST_ROUNDS = 6
# What the vendors' packages raise where a model cannot be reached or refuses.
FAILURES = (openai.OpenAIError, anthropic.AnthropicError)


class ToolOutput(NamedTuple):
    """What a tool gave, as JSON text for the model."""

    text: str
    is_error: bool


@dataclass(frozen=True)
class Prompt:
    """A turn's prompt, what else the model is offered, and who is told of what it does."""

    system: str
    messages: list[dict[str, Any]]
    block: Block
    recall_tool: AsyncRecallTool
    turn: AsyncTurn
    run_tool: Callable[[str, dict[str, Any]], Awaitable[ToolOutput]]

    async def run(self, name: str, arguments: dict[str, Any]) -> ToolOutput:
        if name == self.recall_tool.name:
            return ToolOutput(await self.recall_tool.call(arguments), False)
        return await self.run_tool(name, arguments)

    def is_new(self, name: str) -> bool:
        """What the recall tool returns is stored already."""
        return name != self.recall_tool.name


class Model(Protocol):
    def reply(self, prompt: Prompt) -> AsyncIterator[str]:
        """The pieces of the answer as they come; tools are run on the way."""

    async def close(self) -> None: ...


class OpenAI:
    """Chat Completions, at ``base_url``: OpenAI, or a server that speaks the same protocol."""

    def __init__(self, model: str, base_url: str | None = None, api_key: str | None = None) -> None:
        self._model = model
        self._client = openai.AsyncOpenAI(base_url=base_url, api_key=api_key)

    async def close(self) -> None:
        await self._client.close()

    async def reply(self, prompt: Prompt) -> AsyncIterator[str]:
        messages: list[dict[str, Any]] = [
            {"role": "system", "content": prompt.system},
            *prompt.messages,
        ]
        for _ in range(MOST_ROUNDS):
            request = {
                "model": self._model,
                "messages": messages,
                "tools": [*(_openai_tool(tool) for tool in TOOLS), prompt.recall_tool.openai],
                "stream": True,
            }
            stream = await self._client.chat.completions.create(
                **prompt.block.as_system(request, sdk="openai")
            )
            state = ChatCompletionStreamState()
            async for chunk in from_openai.watch(stream, prompt.turn):
                state.handle_chunk(chunk)
                for choice in chunk.choices:
                    if choice.delta.content:
                        yield choice.delta.content
            message = state.current_completion_snapshot.choices[0].message
            if not message.tool_calls:
                return
            messages.append(_openai_message(message))
            messages += [await self._answer(prompt, call) for call in message.tool_calls]

    async def _answer(self, prompt: Prompt, call: Any) -> dict[str, Any]:
        name = call.function.name
        output = await prompt.run(name, _arguments(call.function.arguments))
        answer = {"role": "tool", "tool_call_id": call.id, "content": output.text}
        if prompt.is_new(name):
            failed = [call.id] if output.is_error else []
            from_openai.collect(prompt.turn, answer, failed=failed)
        return answer


class Anthropic:
    """Anthropic Messages."""

    def __init__(self, model: str, max_tokens: int = 1024) -> None:
        self._model = model
        self._max_tokens = max_tokens
        self._client = anthropic.AsyncAnthropic()

    async def close(self) -> None:
        await self._client.close()

    async def reply(self, prompt: Prompt) -> AsyncIterator[str]:
        messages: list[Any] = [*prompt.messages]
        for _ in range(MOST_ROUNDS):
            request = {
                "model": self._model,
                "max_tokens": self._max_tokens,
                "system": prompt.system,
                "messages": messages,
                "tools": [*(_anthropic_tool(tool) for tool in TOOLS), prompt.recall_tool.anthropic],
            }
            placed = prompt.block.as_system(request, sdk="anthropic")
            async with self._client.messages.stream(**placed) as stream:
                async for event in from_anthropic.watch(stream, prompt.turn):
                    if event.type == "text":
                        yield event.text
                message = await stream.get_final_message()
            calls = [part for part in message.content if part.type == "tool_use"]
            if not calls:
                return
            messages.append({"role": "assistant", "content": message.content})
            results = [await self._answer(prompt, call) for call in calls]
            messages.append({"role": "user", "content": results})

    async def _answer(self, prompt: Prompt, call: Any) -> dict[str, Any]:
        output = await prompt.run(call.name, _arguments(call.input))
        answer = {
            "type": "tool_result",
            "tool_use_id": call.id,
            "content": output.text,
            "is_error": output.is_error,
        }
        if prompt.is_new(call.name):
            from_anthropic.collect(prompt.turn, answer)
        return answer


def _openai_tool(tool: Any) -> dict[str, Any]:
    function = {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
    }
    return {"type": "function", "function": function}


def _anthropic_tool(tool: Any) -> dict[str, Any]:
    return {
        "name": tool.name,
        "description": tool.description,
        "input_schema": tool.parameters,
    }


def _openai_message(message: Any) -> dict[str, Any]:
    """The assistant's message as the next request carries it."""
    calls = [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": call.function.name, "arguments": call.function.arguments},
        }
        for call in message.tool_calls
    ]
    return {"role": "assistant", "content": message.content, "tool_calls": calls}


def _arguments(given: Any) -> dict[str, Any]:
    """What a model gave as arguments; not every one gives an object."""
    try:
        arguments = json.loads(given or "{}") if isinstance(given, str) else given
    except ValueError:
        return {}
    return arguments if isinstance(arguments, dict) else {}
