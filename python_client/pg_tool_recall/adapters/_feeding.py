"""What the adapters of chat APIs share: from messages to calls and results, and watching streams.

Messages are read by the names of their fields, never by class: objects of any version of an SDK
and the dictionaries that it sends are alike, and the SDK itself is not imported.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any, Generic, NamedTuple, NoReturn, Protocol, TypeVar

from pg_tool_recall._turn import Collector
from pg_tool_recall.errors import ToolRecallError

T = TypeVar("T")


class Call(NamedTuple):
    """The model called a tool."""

    id: Any
    name: Any
    input: Any


class Result(NamedTuple):
    """The tool of that call returned.

    unique: the provider ran the tool and its id is no other's. Then the id alone tells whether it
            was told before: histories keep such items with or without their empty fields. Of a
            service's own tools the content tells, for some servers give all calls the same id.
    """

    id: Any
    output: Any
    is_error: bool = False
    unique: bool = False


Half = Call | Result


class Reader(Protocol):
    """How one vendor's messages are read."""

    def parts(self, message: Any) -> Iterable[Any]:
        """What may hold a call or a result, each to be read alone: one bad costs no other."""

    def halves(self, part: Any) -> Iterable[Half]:
        """The call or the result, or both, that a part holds."""

    def is_question(self, message: Any) -> bool:
        """Whether a user's message begins a turn here."""


def feed(turn: Collector, messages: Iterable[Any], reader: Reader) -> None:
    """Tells the turn of all calls and results in the messages; never raises."""
    for message in messages:
        if isinstance(message, list | tuple):
            _feed_history(turn, message, reader)
        else:
            _feed_message(turn, message, reader, with_results=True)


def _feed_history(turn: Collector, history: Iterable[Any], reader: Reader) -> None:
    """What was returned before the last question is of an earlier turn, and of another day."""
    messages = list(history)
    begin = 0
    for place, message in enumerate(messages):
        try:
            if reader.is_question(message):
                begin = place
        except Exception:  # told of when it is read
            continue
    for place, message in enumerate(messages):
        _feed_message(turn, message, reader, with_results=place >= begin)


def _feed_message(turn: Collector, message: Any, reader: Reader, with_results: bool) -> None:
    if message is None or isinstance(message, str):
        return
    try:
        parts = list(reader.parts(message))
    except Exception as error:
        turn.skipped(_unread(error, message))
        return
    for part in parts:
        try:
            halves = list(reader.halves(part))
        except Exception as error:
            turn.skipped(_unread(error, part))
            continue
        for half in halves:
            if with_results or isinstance(half, Call):
                tell(turn, half)


def tell(turn: Collector, half: Half) -> None:
    """Tells the turn; a half without an id belongs to nothing and is counted."""
    if not isinstance(half.id, str) or not half.id:
        turn.skipped(_unread(ValueError("no id"), half))
    elif isinstance(half, Call):
        turn.call(half.id, half.name, half.input)
    elif not half.unique or turn.is_new(half.id):
        turn.result(half.id, half.output, is_error=half.is_error, once=True)


def _unread(error: Exception, thing: object) -> ToolRecallError:
    # Names of types only: texts may be a user's, and this ends up in logs.
    unread = ToolRecallError(
        f"a {type(thing).__name__} was skipped: {type(error).__name__}", kind="unreadable"
    )
    unread.__cause__ = error
    return unread


# -- reading


def field(thing: Any, name: str) -> Any:
    """A field of an object or of a mapping; None where there is none."""
    return thing.get(name) if isinstance(thing, Mapping) else getattr(thing, name, None)


def text_field(thing: Any, name: str) -> str:
    """A field that is a text; '' where it is none."""
    value = field(thing, name)
    return value if isinstance(value, str) else ""


def list_field(thing: Any, name: str) -> list[Any]:
    """A field that is a list; empty where it is missing or None."""
    value = field(thing, name)
    if value is None:
        return []
    if isinstance(value, str | bytes | Mapping):
        odd(thing)
    return list(value)


def odd(thing: object) -> NoReturn:
    raise TypeError(f"{type(thing).__name__} is not of a known form")


def plain(value: Any) -> Any:
    """Objects of an SDK as the JSON values that came over the wire."""
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    dump = getattr(type(value), "model_dump", None)
    if dump is None:
        return value
    return dump(value, mode="json", by_alias=True, exclude_unset=True, warnings=False)


def arguments(given: Any) -> Any:
    """A call's arguments: JSON where it is valid, else the text as it is; nothing is {}."""
    if given is None or (isinstance(given, str) and not given.strip()):
        return {}
    if not isinstance(given, str):
        return plain(given)
    value = _parsed(given)
    return {} if value is None else value


def output(content: Any) -> Any:
    """A result: an object or a list that was sent as a text is one again, other texts stay.

    content: a text, or content blocks; a single block of text is that text.
    """
    content = plain(content)
    if isinstance(content, list):
        content = [
            {key: each for key, each in block.items() if key != "cache_control"}
            if isinstance(block, dict)
            else block
            for block in content
        ]
        if len(content) == 1 and isinstance(content[0], dict):
            only = content[0]
            if only.get("type") in ("text", "input_text") and isinstance(only.get("text"), str):
                content = only["text"]
    if isinstance(content, str) and content.lstrip()[:1] in ("{", "["):
        return _parsed(content)
    return content


def _parsed(text: str) -> Any:
    try:
        return json.loads(text, parse_float=_number, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return text


def _number(digits: str) -> float | Decimal:
    near, exact = float(digits), Decimal(digits)
    return near if Decimal(repr(near)) == exact else exact


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


# -- streams


class Watcher(Protocol):
    """What is done with a stream's events."""

    def event(self, event: Any) -> None:
        """An event came."""

    def end(self) -> None:
        """The stream ended by itself; not when it was cancelled or failed."""


class Watched(Generic[T]):
    """An iterator that shows each item to a watcher on its way."""

    def __init__(self, stream: Iterable[T], watcher: Watcher, turn: Collector) -> None:
        self._items = iter(stream)
        self._watcher = watcher
        self._turn = turn

    def __iter__(self) -> Iterator[T]:
        return self

    def __next__(self) -> T:
        try:
            item = next(self._items)
        except StopIteration:
            guarded(self._turn, self._watcher.end)
            raise
        guarded(self._turn, self._watcher.event, item)
        return item


class AsyncWatched(Generic[T]):
    """``Watched`` for asyncio."""

    def __init__(self, stream: AsyncIterable[T], watcher: Watcher, turn: Collector) -> None:
        self._items = aiter(stream)
        self._watcher = watcher
        self._turn = turn

    def __aiter__(self) -> AsyncIterator[T]:
        return self

    async def __anext__(self) -> T:
        try:
            item = await anext(self._items)
        except StopAsyncIteration:
            guarded(self._turn, self._watcher.end)
            raise
        guarded(self._turn, self._watcher.event, item)
        return item


def watched(stream: Any, watcher: Watcher, turn: Collector) -> Any:
    """The stream watched, by ``for`` or by ``async for`` as it is."""
    if hasattr(stream, "__aiter__"):
        return AsyncWatched(stream, watcher, turn)
    return Watched(stream, watcher, turn)


def guarded(turn: Collector, do: Callable[..., None], *given: Any) -> None:
    """Does it; a failure is logged and counted."""
    try:
        do(*given)
    except Exception as error:
        turn.skipped(_unread(error, given[0] if given else do))
