"""A membership site's owner and her assistant: three weeks of questions, and one much later.

All dates, those inside outputs included, are written as if the last tool call were on LAST_DAY.
``shifted`` moves them by whole weeks (a week still starts on its Monday), so that the last tool
call was about three weeks ago, whenever this is read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from typing import Any, TypeVar, cast

T = TypeVar("T")

LAST_DAY = date(2026, 5, 12)
THREE_WEEKS = timedelta(days=21)


@dataclass(frozen=True)
class Call:
    """One tool call and what it returned."""

    at: str
    id: str
    name: str
    input: dict[str, Any]
    output: Any
    is_error: bool = False


@dataclass(frozen=True)
class Turn:
    """A question, the calls that the assistant made for it, and its answer."""

    at: str
    question: str
    answer: str
    calls: tuple[Call, ...]


def shift_for(today: date) -> timedelta:
    """How far to move every date: whole weeks, LAST_DAY landing 18 to 24 days before today."""
    return timedelta(weeks=round((today - THREE_WEEKS - LAST_DAY).days / 7))


def shifted(value: T, shift: timedelta) -> T:
    """The same JSON value or text with every date in its strings moved."""
    moved: Any = value
    if isinstance(value, str):
        moved = re.sub(
            r"\b\d{4}-\d\d-\d\d",
            lambda found: (date.fromisoformat(found[0]) + shift).isoformat(),
            value,
        )
    elif isinstance(value, dict):
        moved = {name: shifted(item, shift) for name, item in value.items()}
    elif isinstance(value, list):
        moved = [shifted(item, shift) for item in value]
    return cast(T, moved)


def moment(at: str, shift: timedelta) -> datetime:
    """A time as it is written here, in UTC, moved."""
    return datetime.fromisoformat(at).replace(tzinfo=timezone.utc) + shift


MEMBERSHIPS = [
    {"name": "Starter Pack", "price": 19, "active": 23},
    {"name": "Pro", "price": 49, "active": 17},
    {"name": "Coaching", "price": 199, "active": 4},
    {"name": "Founders", "price": 0, "active": 9},
    {"name": "Annual", "price": 180, "active": 11},
]
MEMBERS = [
    {"id": 901, "email": "a@example.com", "registered_at": "2026-05-10T08:15:00Z"},
    {"id": 900, "email": "b@example.com", "registered_at": "2026-05-10T07:01:00Z"},
    {"id": 897, "email": "c@example.com", "registered_at": "2026-05-09T22:40:00Z"},
    {"id": 896, "email": "d@example.com", "registered_at": "2026-05-09T10:00:00Z"},
    {"id": 893, "email": "e@example.com", "registered_at": "2026-05-08T18:30:00Z"},
    {"id": 890, "email": "f@example.com", "registered_at": "2026-05-07T12:00:00Z"},
    {"id": 889, "email": "g@example.com", "registered_at": "2026-05-07T11:59:00Z"},
    {"id": 884, "email": "h@example.com", "registered_at": "2026-05-06T09:09:00Z"},
]
TREND = {
    "metric": "active_members",
    "granularity": "week",
    "points": [
        {"start": "2026-03-30", "value": 50},
        {"start": "2026-04-06", "value": 52},
        {"start": "2026-04-13", "value": 51},
        {"start": "2026-04-20", "value": 53},
        {"start": "2026-04-27", "value": 54},
        {"start": "2026-05-04", "value": 55},
        {"start": "2026-05-11", "value": 56},
    ],
}
INVOICES = {
    "total_count": 1240,
    "has_more": True,
    "data": [
        {"id": "in_1", "amount_due": 4900, "created": "2026-04-21T10:00:00Z"},
        {"id": "in_2", "amount_due": 1900, "created": "2026-04-19T10:00:00Z"},
    ],
}
# Over a megabyte: more than settings.max_output_bytes.
EXPORT = {"members": [{"id": number, "note": "renewed " * 110} for number in range(1300)]}

CONVERSATION = [
    Turn(
        "2025-11-03T10:00:00",
        "How many members do we have?",
        "You have 31 members.",
        (
            Call(
                "2025-11-03T10:00:02",
                "toolu_00A",
                "query_site_data",
                {"target": "members"},
                {"members": 31},
            ),
        ),
    ),
    Turn(
        "2026-04-21T09:30:00",
        "Export all the members, please.",
        "Here is the export: 1300 members.",
        (Call("2026-04-21T09:30:09", "toolu_01X", "export_members", {"format": "json"}, EXPORT),),
    ),
    Turn(
        "2026-04-22T11:05:00",
        "Which invoices are open?",
        "1240 in all; here are the newest two.",
        (Call("2026-04-22T11:05:03", "toolu_01I", "list_invoices", {"status": "open"}, INVOICES),),
    ),
    Turn(
        "2026-04-24T15:20:00",
        "Did the import go through?",
        "It did, but one name is damaged and there is no average age.",
        (
            Call(
                "2026-04-24T15:20:04",
                "toolu_01L",
                "read_import_log",
                {"file": "members.csv"},
                {"rows": 118, "damaged": "Zo\x00e", "average_age": float("nan")},
            ),
        ),
    ),
    Turn(
        "2026-05-04T08:45:00",
        "I prefer annual billing. Remember that.",
        "Noted.",
        (
            Call(
                "2026-05-04T08:45:02",
                "toolu_01B",
                "update_customer_brain",
                {"target": "memory", "content": "Prefers annual billing"},
                {"status": "saved", "id": 77},
            ),
        ),
    ),
    Turn(
        "2026-05-08T14:00:00",
        "Which plans do we sell?",
        "Four: Starter Pack, Pro, Coaching and Founders.",
        (
            Call(
                "2026-05-08T14:00:06",
                "toolu_01P",
                "query_site_data",
                {"target": "memberships"},
                {"memberships": MEMBERSHIPS[:4]},
            ),
        ),
    ),
    Turn(
        "2026-05-08T16:40:00",
        "I have just added Annual. And now?",
        "Five: Starter Pack, Pro, Coaching, Founders and Annual.",
        (
            Call(
                "2026-05-08T16:40:11",
                "toolu_01A",
                "query_site_data",
                {"target": "memberships"},
                {"memberships": MEMBERSHIPS},
            ),
        ),
    ),
    Turn(
        "2026-05-12T09:02:00",
        "How is it going, and who is new?",
        "Up 12 % in seven weeks; eight are new. The revenue did not come through.",
        (
            Call("2026-05-12T09:02:08", "toolu_02P", "ping", {}, "pong"),
            Call(
                "2026-05-12T09:02:09",
                "toolu_02R",
                "query_site_data",
                {"target": "revenue"},
                {"error": "upstream timeout after 30s"},
                is_error=True,
            ),
            Call(
                "2026-05-12T09:02:10",
                "toolu_02A",
                "query_kpi_trend",
                {"metric": "active_members", "granularity": "week"},
                TREND,
            ),
            Call(
                "2026-05-12T09:02:11",
                "toolu_02B",
                "query_site_data",
                {"target": "recent_members"},
                {"members": MEMBERS},
            ),
        ),
    ),
]
QUESTION = "What were those plans you showed me?"
# Where the tool and the arguments stand that the question is about.
ASKED_ABOUT = ("query_site_data", {"target": "memberships"})
# Tools whose results are kept and never get a line.
HIDDEN_TOOLS = ("ping",)


def long_conversation(length: int) -> list[Call]:
    """Somebody else's hourly look at his visitors, so often that the oldest must go."""
    first = moment("2026-04-21T00:00:00", timedelta())
    return [
        Call(
            f"{first + timedelta(hours=number - 1):%Y-%m-%dT%H:%M:%S}",
            f"toolu_bo_{number}",
            "query_visitors",
            {"hour": number},
            {"visitors": 100 + number},
        )
        for number in range(1, length + 1)
    ]
