"""What each placement of the block leaves of a provider's prompt cache: python -m evals.placement

A provider reuses what a request has in common with an earlier one from its first byte on. The
requests of two turns in a row are laid out as the provider reads them (tools, system prompt,
messages) and their common beginning is counted in tokens. Nothing is sent anywhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from pg_tool_recall import Block
from pg_tool_recall._placement import Sdk
from pg_tool_recall._tokens import REMEDY, offline_counter

TURNS = 12
WINDOW = 10
PLACEMENTS = ("as_system", "as_user_tail", "as_tool_result")

HEADER = "Previously fetched (this conversation, snapshots — not live data):"
INSTRUCTION = """\
IMPORTANT: when referencing a row above, always prefix with "as of <date>".
If the user is asking about CURRENT state, call the tool fresh — do not
present these snapshots as live data."""
LINES = [
    '- 2026-05-12 query_site_data(target="recent_members"): 8 members, last registered 2026-05-10',
    '- 2026-05-12 query_kpi_trend(metric="active_members", granularity="week"): 7-week trend, +12%',
    '- 2026-05-08 query_site_data(target="memberships"): 5 plans, Starter Pack 23 active',
    '- 2026-05-06 query_site_data(target="locations"): 3 locations',
]
NEW_LINE = '- 2026-05-13 query_site_data(target="invoices"): 4 invoices, 1 open'

_TOOLS = {
    "query_site_data": "Reads the members, memberships, locations, invoices, classes or visits "
    "of the studio, newest first, with their names, dates, states and prices.",
    "query_kpi_trend": "Gives the trend of one key figure by day, week or month: active members, "
    "new members, cancellations, visits, revenue, occupancy.",
    "search_help_center": "Searches the help center for articles that answer a question about "
    "how the product works, and returns their titles, links and first paragraphs.",
    "create_task": "Creates a task for a colleague, with a title, a text and a day when it is due. "
    "Ask before you create one.",
    "update_customer_brain": "Stores a fact that the user told you about the studio, so that it is "
    "known in later conversations.",
}
_PARAMETERS = {
    "target": "What to read: recent_members, memberships, locations, invoices, classes, visits.",
    "filter": "Only rows whose named column has this value; leave it out for all of them.",
    "limit": "How many rows at most; 20 unless more are asked for.",
    "since": "Only what happened on or after this day, as YYYY-MM-DD.",
}
_SYSTEM = """\
You are the assistant of a studio's owner. You answer questions about the studio with the tools you
have, and about the product with the help center.

Answer in the language of the question. Be brief: the number first, then what it means, in at most
four sentences or one table. Never invent a number. If a tool fails, say so and offer to try again.
Say of which day or period a number is. Round money to whole units unless asked for more.

Members' names and addresses are personal data: show them only to answer what was asked, never in
bulk, and never put them into a task's title. Give no legal, medical or tax advice; name who can.

When a question can be read in two ways, answer the likelier one and say which you took. When it
needs more than one tool, call them at once. When you are asked to change something, say what will
change, wait for a yes, then do it and say what was done."""
_QUESTION = (
    "And how did that look in {month}? I would like to know whether the change of prices has made "
    "a difference for the smaller plans."
)
_ANSWER = (
    "In {month} the studio had {count} active members, {more} more than the month before. The "
    "Starter Pack grew most, from 19 to 23; the ten-visit card lost two. The new prices have been "
    "in force since the 4th, so two thirds of the month are under them: cancellations stayed at "
    "three, as in the months before, which speaks against an effect on the smaller plans so far."
)
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip


class Cost(NamedTuple):
    """Tokens of a turn's first request: all, and those that it begins with as the turn before."""

    total: int
    kept: int

    @property
    def anew(self) -> int:
        return self.total - self.kept


def request(sdk: Sdk, turn: int, rolling: bool) -> dict[str, Any]:
    """The first request of a turn, without a block; rolling: of the last WINDOW turns only."""
    messages: list[dict[str, Any]] = []
    for past in range(max(0, turn - WINDOW) if rolling else 0, turn):
        messages += [_said("user", _QUESTION, past), _said("assistant", _ANSWER, past)]
    messages.append(_said("user", _QUESTION, turn))
    tools = [_tool(sdk, name, text) for name, text in _TOOLS.items()]
    if sdk == "anthropic":
        return {"tools": tools, "system": _SYSTEM, "messages": messages}
    if sdk == "openai":
        return {"tools": tools, "messages": [{"role": "system", "content": _SYSTEM}, *messages]}
    return {"tools": tools, "instructions": _SYSTEM, "input": messages}


def laid_out(given: dict[str, Any]) -> str:
    """A request as one text, in the order in which providers read it."""

    def parts() -> Iterator[Any]:
        yield given["tools"]
        yield given.get("system") or given.get("instructions") or ""
        for message in given.get("messages") or given["input"]:
            content = message.get("content")
            # A text is short for a list with one text.
            listed = [{"type": "text", "text": content}] if isinstance(content, str) else content
            yield {name: value for name, value in message.items() if name != "content"}
            yield from listed or []

    return "\n".join(json.dumps(part, ensure_ascii=False) for part in parts())


def cost(how: str, *, changed: bool, rolling: bool, sdk: Sdk = "anthropic") -> Cost:
    """Of the last turn, after the one before."""
    count = offline_counter()
    if count is None:
        raise SystemExit(f"tiktoken's vocabulary is not available offline: {REMEDY}")
    turn = TURNS + WINDOW if rolling else TURNS
    blocks = [_block(LINES), _block([NEW_LINE, *LINES] if changed else LINES)]
    before, now = (
        laid_out(getattr(block, how)(request(sdk, number, rolling), sdk=sdk))
        for block, number in zip(blocks, (turn - 1, turn), strict=True)
    )
    differing = (i for i, (a, b) in enumerate(zip(before, now, strict=False)) if a != b)
    same = next(differing, min(len(before), len(now)))
    return Cost(count(now), count(now[:same]))


def table() -> str:
    """The table of docs/placement.md."""
    rows = [
        "| placement | block | history grows | window rolls |",
        "|---|---|---|---|",
    ]
    for how in PLACEMENTS:
        for changed in (False, True):
            cells = [
                f"{each.kept} of {each.total} kept, {each.anew} anew"
                for each in (
                    cost(how, changed=changed, rolling=rolling) for rolling in (False, True)
                )
            ]
            state = "changed" if changed else "the same"
            rows.append(f"| `{how}` | {state} | {' | '.join(cells)} |")
    return "\n".join(rows)


def break_even() -> float:
    """The share of turns with a changed block up to which ``as_system`` reads less anew."""
    same, changed, tail_same, tail_changed = (
        cost(how, changed=changed, rolling=False).anew
        for how in ("as_system", "as_user_tail")
        for changed in (False, True)
    )
    return (tail_same - same) / ((changed - same) - (tail_changed - tail_same))


def _said(role: str, text: str, turn: int) -> dict[str, Any]:
    words = text.format(month=_MONTHS[turn % 12], count=180 + turn, more=3 + turn % 5)
    return {"role": role, "content": words}


def _tool(sdk: Sdk, name: str, description: str) -> dict[str, Any]:
    properties = {
        each: {"type": "string", "description": text} for each, text in _PARAMETERS.items()
    }
    schema = {"type": "object", "properties": properties, "required": ["target"]}
    if sdk == "anthropic":
        return {"name": name, "description": description, "input_schema": schema}
    function = {"name": name, "description": description, "parameters": schema}
    if sdk == "openai":
        return {"type": "function", "function": function}
    return {"type": "function", "strict": False, **function}


def _block(lines: list[str]) -> Block:
    return Block("\n".join([HEADER, *lines, "", INSTRUCTION]))


if __name__ == "__main__":
    print(table())
    print(
        f"as_system reads less anew where the block changes in at most {break_even():.0%} of turns"
    )
