"""Where the block goes in a request, in each SDK's own shape.

A request is the keyword arguments of the SDK's create call. It comes back as a new dict; nothing
of the caller's is changed: a list or message that has to differ is copied, the rest is shared.
The block's text is always there verbatim.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, get_args

Sdk = Literal["anthropic", "openai", "responses"]
"""Whose request: Anthropic Messages, OpenAI Chat Completions, OpenAI Responses."""
Request = Mapping[str, Any]

SYNTHETIC_TOOL = "recall_prior_tool_results"
"""The name of the call that ``as_tool_result`` makes up; no tool of that name is ever offered."""

_SYSTEM_ROLES = ("system", "developer")


def as_system(text: str, request: Request, sdk: Sdk) -> dict[str, Any]:
    """At the end of the system prompt, so that what is cached of it stays a prefix."""
    _check(sdk)
    placed = dict(request)
    if not text:
        return placed
    if sdk == "anthropic":
        placed["system"] = _extended(request.get("system"), text, "text")
    elif sdk == "openai":
        placed["messages"] = _with_system_message(_items(request, "messages"), text, "text")
    else:
        placed.update(_with_instructions(request, text))
    return placed


def _with_instructions(request: Request, text: str) -> dict[str, Any]:
    instructions = request.get("instructions")
    if not instructions and not isinstance(request.get("input"), str):
        items = _items(request, "input")
        if _leading(items):
            # Instructions would go before all input; the system prompt is there.
            return {"input": _with_system_message(items, text, "input_text")}
        if isinstance(request.get("input"), Iterator):
            return {"instructions": text, "input": items}
    return {"instructions": _extended(instructions, text, "text")}


def as_user_tail(text: str, request: Request, sdk: Sdk) -> dict[str, Any]:
    """In the newest message with text of the user's, before that text and after tool results."""
    _check(sdk)
    if not text:
        return dict(request)
    key = _list_of(sdk)
    items = _items(request, key)
    place = _newest_user(items)
    if place is None:
        return as_system(text, request, sdk)
    kind = "input_text" if sdk == "responses" else "text"
    content = _get(items[place], "content")
    if isinstance(content, str):
        changed: Any = _joined(text, content)
        if sdk == "responses" and isinstance(request.get(key), str):
            return {**request, key: changed}
    else:
        parts = _parts(content)
        start = _after_tool_results(parts)
        changed = [*parts[:start], {"type": kind, "text": text}, *parts[start:]]
    items[place] = _with(items[place], content=changed)
    return {**request, key: items}


def as_tool_result(text: str, request: Request, sdk: Sdk) -> dict[str, Any]:
    """As the result of a call that was never made, just before the user's newest text.

    Where Anthropic would refuse it (a request without tools, or with thinking) and where there is
    no message of the user's: ``as_user_tail``.
    """
    _check(sdk)
    if not text:
        return dict(request)
    key = _list_of(sdk)
    items = _items(request, key)
    place = _newest_user(items)
    if place is None or (sdk == "anthropic" and not _takes_tool_blocks(request)):
        return as_user_tail(text, request, sdk)
    # The same block has the same id: the same bytes.
    id = f"recall_{hashlib.sha256(text.encode('utf-8')).hexdigest()[:20]}"
    if sdk == "anthropic":
        return {**request, key: _anthropic_pair(items, place, f"toolu_{id}", text)}
    if sdk == "openai":
        function = {"name": SYNTHETIC_TOOL, "arguments": "{}"}
        call = {"id": f"call_{id}", "type": "function", "function": function}
        pair: list[Any] = [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"call_{id}", "content": text},
        ]
    else:
        pair = [
            {
                "type": "function_call",
                "call_id": f"call_{id}",
                "name": SYNTHETIC_TOOL,
                "arguments": "{}",
            },
            {"type": "function_call_output", "call_id": f"call_{id}", "output": text},
        ]
    return {**request, key: [*items[:place], *pair, *items[place:]]}


def _anthropic_pair(items: list[Any], place: int, id: str, text: str) -> list[Any]:
    """The messages with the pair in them; user and assistant still take turns."""
    call = {"type": "tool_use", "id": id, "name": SYNTHETIC_TOOL, "input": {}}
    result = {"type": "tool_result", "tool_use_id": id, "content": text}
    if place == 0:
        # A conversation must begin with the user: the call follows his message.
        return [
            items[0],
            {"role": "assistant", "content": [call]},
            {"role": "user", "content": [result]},
            *items[1:],
        ]
    before, user = items[:place], items[place]
    if _get(before[-1], "role") == "assistant":
        said = _parts(_get(before[-1], "content"))
        before[-1] = _with(before[-1], content=[*said, call])
    else:
        before.append({"role": "assistant", "content": [call]})
    parts = _parts(_get(user, "content"))
    start = _after_tool_results(parts)
    answered = _with(user, content=[*parts[:start], result, *parts[start:]])
    return [*before, answered, *items[place + 1 :]]


def _takes_tool_blocks(request: Request) -> bool:
    thinking = request.get("thinking") or {}
    return bool(request.get("tools")) and _get(thinking, "type") in (None, "disabled")


# -- parts of requests; messages are mappings or the SDK's own objects


def _check(sdk: str) -> None:
    if sdk not in get_args(Sdk):
        raise ValueError(f"sdk must be one of {', '.join(get_args(Sdk))}, not {sdk!r}")


def _list_of(sdk: Sdk) -> str:
    return "input" if sdk == "responses" else "messages"


def _get(item: Any, name: str) -> Any:
    return item.get(name) if isinstance(item, Mapping) else getattr(item, name, None)


def _with(item: Any, **changes: Any) -> dict[str, Any]:
    """A copy of a message with other values."""
    if not isinstance(item, Mapping):
        item = item.model_dump(exclude_unset=True)
    return {**item, **changes}


def _items(request: Request, key: str) -> list[Any]:
    """A copy of the list of messages; a text stands for a user's message."""
    value = request.get(key)
    if isinstance(value, str):
        return [{"role": "user", "content": value}]
    return [_readable(item) for item in value] if isinstance(value, Iterable) else []


def _readable(item: Any) -> Any:
    """The message; with its content as a list where that could be read only once."""
    content = _get(item, "content")
    return _with(item, content=list(content)) if isinstance(content, Iterator) else item


def _parts(content: Any) -> list[Any]:
    """A message's content as a list."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return list(content or [])


def _joined(first: str, second: str) -> str:
    return f"{first}\n\n{second}" if first and second else first or second


def _extended(content: Any, text: str, kind: str) -> Any:
    """A content with the text at its end; a text stays a text, a list a list."""
    if isinstance(content, str) or not content:
        return _joined(content or "", text)
    return [*content, {"type": kind, "text": text}]


def _leading(items: list[Any]) -> int:
    """How many messages of the system's or developer's come before all others."""
    count = 0
    while count < len(items) and _get(items[count], "role") in _SYSTEM_ROLES:
        count += 1
    return count


def _with_system_message(items: list[Any], text: str, kind: str) -> list[Any]:
    last = _leading(items) - 1
    if last < 0:
        return [{"role": "system", "content": text}, *items]
    # Not one more message: some models' templates take a single one.
    content = _extended(_get(items[last], "content"), text, kind)
    items[last] = _with(items[last], content=content)
    return items


def _after_tool_results(parts: list[Any]) -> int:
    """The first place after all tool results, which Anthropic wants first."""
    places = [i for i, part in enumerate(parts) if _get(part, "type") == "tool_result"]
    return places[-1] + 1 if places else 0


def _newest_user(items: list[Any]) -> int | None:
    """The newest message that is more than tool results; it stays so while tools are called."""
    places = [i for i, item in enumerate(items) if _get(item, "role") == "user"]
    for place in reversed(places):
        content = _get(items[place], "content")
        if isinstance(content, str) or any(
            _get(part, "type") != "tool_result" for part in content or []
        ):
            return place
    return places[-1] if places else None
