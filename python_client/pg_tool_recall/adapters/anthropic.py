"""Anthropic's Messages API: ``pip install anthropic``, any version.

    with recall.turn(conversation_id=c, user_id=u) as turn:
        response = client.messages.create(...)
        results = {"role": "user", "content": [run(block) for block in response.content ...]}
        collect(turn, response, results)      # or once at the end: collect(turn, messages)
        ...
        turn.save(message_id, conn)

Streaming: ``for event in watch(stream, turn)``. See docs/adapters.md.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from typing import Any, TypeVar, overload

from pg_tool_recall._turn import AsyncTurn, Turn
from pg_tool_recall.adapters import _feeding as feeding
from pg_tool_recall.adapters._feeding import Call, Half, Result, field, list_field, text_field

__all__ = ["collect", "watch"]

T = TypeVar("T")


def collect(turn: Turn | AsyncTurn, *messages: Any) -> None:
    """Tells the turn of the tool calls and the results in the messages, in any order.

    messages: responses (Message, BetaMessage), message params, content blocks, and lists of these;
              None is nothing. Of a list only the results after the last question of the user's
              count: what stands before was returned in an earlier turn. Giving the same messages
              again changes nothing. What cannot be read is skipped, logged and counted.
    """
    feeding.feed(turn, messages, _Reader())


@overload
def watch(stream: AsyncIterable[T], turn: Turn | AsyncTurn) -> AsyncIterator[T]: ...
@overload
def watch(stream: Iterable[T], turn: Turn | AsyncTurn) -> Iterator[T]: ...
def watch(stream: Any, turn: Turn | AsyncTurn) -> Any:
    """The events of a stream, unchanged; calls and server tools' results are collected on the way.

    stream: from ``messages.stream(...)`` or ``messages.create(..., stream=True)``, to be iterated
            once. Only blocks that were received whole count, so it may be cancelled anywhere.
    """
    return feeding.watched(stream, _Watcher(turn), turn)


class _Reader:
    def parts(self, message: Any) -> Iterable[Any]:
        if not text_field(message, "role"):
            return [message]  # a content block
        content = field(message, "content")
        return [] if isinstance(content, str) else list_field(message, "content")

    def halves(self, part: Any) -> Iterable[Half]:
        kind = text_field(part, "type")
        if not kind:
            feeding.odd(part)
        if kind.endswith("tool_use"):  # also server_tool_use, mcp_tool_use
            yield Call(field(part, "id"), field(part, "name"), _input(field(part, "input")))
        elif kind.endswith("tool_result"):  # also web_search_tool_result, mcp_tool_result, …
            content = field(part, "content")
            failed = field(part, "is_error") is True
            failed = failed or text_field(content, "type").endswith("tool_result_error")
            by_provider = kind != "tool_result"
            yield Result(
                field(part, "tool_use_id"), feeding.output(content), failed, unique=by_provider
            )

    def is_question(self, message: Any) -> bool:
        return text_field(message, "role") == "user" and not any(
            text_field(part, "type").endswith("tool_result") for part in self.parts(message)
        )


def _input(given: Any) -> Any:
    return {} if given is None else feeding.plain(given)


class _Watcher:
    """Assembles the blocks of a stream.

    Not left to the SDK, which completes what is missing of arguments that were cut off.
    """

    def __init__(self, turn: Turn | AsyncTurn) -> None:
        self._turn = turn
        self._open: dict[int, tuple[Any, list[str]]] = {}

    def event(self, event: Any) -> None:
        kind = text_field(event, "type")
        if kind == "content_block_start":
            self._open[field(event, "index")] = (field(event, "content_block"), [])
        elif kind == "content_block_delta":
            delta = field(event, "delta")
            if text_field(delta, "type") == "input_json_delta":
                self._open[field(event, "index")][1].append(text_field(delta, "partial_json"))
        elif kind == "content_block_stop":
            self._complete(*self._open.pop(field(event, "index")))

    def end(self) -> None:
        pass

    def _complete(self, block: Any, pieces: list[str]) -> None:
        for half in _Reader().halves(block):
            if isinstance(half, Call) and pieces:
                half = half._replace(input=feeding.arguments("".join(pieces)))
            feeding.tell(self._turn, half)
