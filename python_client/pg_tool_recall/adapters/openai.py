"""OpenAI's Chat Completions and Responses APIs, and what speaks them: ``pip install openai``.

    with recall.turn(conversation_id=c, user_id=u) as turn:
        completion = client.chat.completions.create(...)
        results = [{"role": "tool", "tool_call_id": call.id, "content": run(call)} for call in ...]
        collect(turn, completion, *results)   # or once at the end: collect(turn, messages)
        ...
        turn.save(message_id, conn)

Streaming: ``for event in watch(stream, turn)``. See docs/adapters.md.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Container, Iterable, Iterator
from typing import Any, TypeVar, overload

from pg_tool_recall._turn import AsyncTurn, Turn
from pg_tool_recall.adapters import _feeding as feeding
from pg_tool_recall.adapters._feeding import Call, Half, Result, field, list_field, text_field

__all__ = ["collect", "watch"]

T = TypeVar("T")


def collect(turn: Turn | AsyncTurn, *messages: Any, failed: Container[str] = ()) -> None:
    """Tells the turn of the tool calls and the results in the messages, in any order.

    messages: ChatCompletion, Response, their messages and items, params of these, and lists;
              None is nothing. Of a list only the results after the last message of the user's
              count: what stands before was returned in an earlier turn. Giving the same messages
              again changes nothing. What cannot be read is skipped, logged and counted.
    failed:   ids of the calls whose tool failed, which these APIs have no field for.
    """
    feeding.feed(turn, messages, _Reader(failed))


@overload
def watch(stream: AsyncIterable[T], turn: Turn | AsyncTurn) -> AsyncIterator[T]: ...
@overload
def watch(stream: Iterable[T], turn: Turn | AsyncTurn) -> Iterator[T]: ...
def watch(stream: Any, turn: Turn | AsyncTurn) -> Any:
    """The events of a stream, unchanged; calls and hosted tools' results are collected on the way.

    stream: from ``create(..., stream=True)`` or ``stream(...)`` of ``chat.completions`` or of
            ``responses``, to be iterated once. Only calls that were received whole count, so it may
            be cancelled anywhere.
    """
    return feeding.watched(stream, _Watcher(turn), turn)


class _Reader:
    def __init__(self, failed: Container[str] = ()) -> None:
        self._failed = failed

    def parts(self, message: Any) -> Iterable[Any]:
        choices = field(message, "choices")
        if choices is not None:  # ChatCompletion
            return [call for choice in choices for call in self.parts(field(choice, "message"))]
        role = text_field(message, "role")
        if role == "tool":
            return [message]
        if role == "function":  # of 2023, without ids
            feeding.odd(message)
        if role:
            return list_field(message, "tool_calls")
        if not text_field(message, "type") and field(message, "output") is not None:
            return list_field(message, "output")  # Response
        return [message]

    def halves(self, part: Any) -> Iterable[Half]:
        if text_field(part, "role") == "tool":
            yield self._result(field(part, "tool_call_id"), field(part, "content"))
            return
        kind = text_field(part, "type")
        custom = field(part, "custom")
        function = field(part, "function")
        if function is not None:  # a call in a chat message; some servers leave its type out
            yield _function_call(field(part, "id"), function)
        elif kind == "custom":
            yield Call(field(part, "id"), field(custom, "name"), field(custom, "input"))
        elif not kind:
            feeding.odd(part)
        elif kind == "function_call":
            yield _function_call(field(part, "call_id"), part)
        elif kind == "custom_tool_call":
            yield Call(field(part, "call_id"), field(part, "name"), field(part, "input"))
        elif kind.endswith("_call_output"):
            call_id = field(part, "call_id") or field(part, "id")
            yield self._result(call_id, field(part, "output"))
        elif kind in _HOSTED:
            yield from _hosted(part, kind)
        elif kind.endswith("_call") and field(part, "call_id"):  # computer, shell, apply_patch, …
            done = field(part, "action") or field(part, "operation")
            name = kind.removesuffix("_call")
            yield Call(field(part, "call_id"), name, feeding.arguments(done))

    def is_question(self, message: Any) -> bool:
        return text_field(message, "role") == "user"

    def _result(self, call_id: Any, content: Any) -> Result:
        return Result(call_id, feeding.output(content), call_id in self._failed)


def _function_call(call_id: Any, function: Any) -> Call:
    return Call(call_id, field(function, "name"), feeding.arguments(field(function, "arguments")))


# -- hosted tools: call and result are one item

# By type of item: the fields that are arguments, and those that are the result.
_HOSTED = {
    "web_search_call": (("action",), ("sources",)),
    "file_search_call": (("queries",), ("results",)),
    "code_interpreter_call": (("code",), ("outputs",)),
    "image_generation_call": (("revised_prompt",), ("size", "output_format")),
    "mcp_call": (("arguments",), ("output",)),
}
_UNDER_WAY = ("queued", "in_progress", "searching", "interpreting", "generating", "calling")


def _hosted(item: Any, kind: str) -> Iterator[Half]:
    status = text_field(item, "status")
    error = field(item, "error")
    if status in (*_UNDER_WAY, "incomplete") and error is None:
        return
    given, returned = (_present(item, names) for names in _HOSTED[kind])
    name: Any = kind.removesuffix("_call")
    tool_input: Any = given
    tool_output: Any = returned
    if kind == "mcp_call":
        name = field(item, "name")
        tool_input = feeding.arguments(given.get("arguments"))
        tool_output = feeding.output(returned.get("output"))
    elif kind == "code_interpreter_call" and "outputs" in returned:
        # Logs are text, by the name that text has elsewhere.
        tool_output = feeding.output([_log_as_text(each) for each in returned["outputs"]])
    elif kind == "web_search_call":
        tool_input = dict(given.get("action") or {})
        sources = tool_input.pop("sources", None)
        tool_output = {} if sources is None else {"sources": sources}
    if error is not None:
        tool_output = feeding.plain(error)
    elif tool_output == {}:
        # What was returned was not asked for (``include``), or there is nothing.
        tool_output = {"status": status or "completed"}
    yield Call(field(item, "id"), name, tool_input)
    is_error = error is not None or status == "failed"
    yield Result(field(item, "id"), tool_output, is_error, unique=True)


def _log_as_text(logged: Any) -> Any:
    if text_field(logged, "type") != "logs":
        return logged
    return {"type": "text", "text": text_field(logged, "logs")}


def _present(item: Any, names: Iterable[str]) -> dict[str, Any]:
    found = {name: feeding.plain(field(item, name)) for name in names}
    return {name: value for name, value in found.items() if value is not None}


# -- streams


class _Watcher:
    """Takes whole items from a stream of Responses, and assembles calls from one of chat chunks."""

    def __init__(self, turn: Turn | AsyncTurn) -> None:
        self._turn = turn
        self._items = 0
        # By choice and place of the call.
        self._open: dict[tuple[Any, Any], _Assembled] = {}

    def event(self, event: Any) -> None:
        kind = text_field(event, "type")
        if kind == "response.output_item.done":
            self._items += 1
            feeding.feed(self._turn, [field(event, "item")], _Reader())
        elif kind in ("response.completed", "response.incomplete", "response.failed"):
            if not self._items:  # some servers send no items of their own
                feeding.feed(self._turn, [field(event, "response")], _Reader())
        elif kind == "chunk":  # of chat.completions.stream(...)
            self._chunk(field(event, "chunk"))
        elif not kind:
            self._chunk(event)

    def end(self) -> None:
        for place in list(self._open):
            self._complete(place)

    def _chunk(self, chunk: Any) -> None:
        for choice in list_field(chunk, "choices"):
            number = field(choice, "index")
            for delta in list_field(field(choice, "delta"), "tool_calls"):
                self._piece((number, field(delta, "index")), delta)
            if field(choice, "finish_reason"):
                for place in [each for each in self._open if each[0] == number]:
                    self._complete(place)

    def _piece(self, place: tuple[Any, Any], delta: Any) -> None:
        given_id = text_field(delta, "id")
        known = self._open.get(place)
        if known is not None and given_id and known.id and given_id != known.id:
            self._complete(place)  # some servers give all calls the same place
            known = None
        if known is None:
            known = self._open[place] = _Assembled()
        known.add(given_id, delta)

    def _complete(self, place: tuple[Any, Any]) -> None:
        feeding.tell(self._turn, self._open.pop(place).call())


class _Assembled:
    """A call of which the pieces are coming."""

    def __init__(self) -> None:
        self.id = ""
        self._name = ""
        self._pieces: list[str] = []
        self._is_custom = False

    def add(self, given_id: str, delta: Any) -> None:
        custom = field(delta, "custom")
        self._is_custom = self._is_custom or custom is not None
        body = field(delta, "function") if custom is None else custom
        self.id = self.id or given_id
        self._name = self._name or text_field(body, "name")
        self._pieces.append(text_field(body, "arguments" if custom is None else "input"))

    def call(self) -> Call:
        text = "".join(self._pieces)
        return Call(self.id, self._name, text if self._is_custom else feeding.arguments(text))
