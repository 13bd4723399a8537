"""A three-week conversation between the owner of a membership site and her assistant.

``days_ago`` counts back from the last question, which is asked now.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Call:
    """One tool call and what it returned."""

    name: str
    input: dict[str, Any]
    output: Any
    id: str
    is_error: bool = False


@dataclass(frozen=True)
class Turn:
    """A question, the calls that the assistant made for it, and its answer."""

    days_ago: int
    question: str
    answer: str
    calls: list[Call] = field(default_factory=list)


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
        {"start": start, "value": value}
        for start, value in (
            ("2026-03-30", 50),
            ("2026-04-06", 52),
            ("2026-04-13", 51),
            ("2026-04-20", 53),
            ("2026-04-27", 54),
            ("2026-05-04", 55),
            ("2026-05-11", 56),
        )
    ],
}
INVOICES = {
    "total_count": 1240,
    "has_more": True,
    "data": [
        {"id": "in_1", "amount_due": 4900, "created": "2026-04-01T10:00:00Z"},
        {"id": "in_2", "amount_due": 1900, "created": "2026-04-03T10:00:00Z"},
    ],
}
BRAIN_INPUT = {"target": "memory", "content": "Prefers annual billing"}

CONVERSATION = [
    Turn(
        200,
        "How did we start the year?",
        "You had 31 members.",
        [Call("query_site_data", {"target": "members"}, {"members": 31}, "toolu_00")],
    ),
    Turn(
        30,
        "Export everything, please.",
        "Here is the export.",
        [
            Call(
                "export_members",
                {"format": "json"},
                {"members": [{"id": i, "note": "x" * 900} for i in range(2000)]},
                "toolu_01",
            )
        ],
    ),
    Turn(
        29,
        "Which invoices are open?",
        "1240 in all; these are the newest two.",
        [Call("list_invoices", {"status": "open"}, INVOICES, "toolu_02")],
    ),
    Turn(
        28,
        "What did the import say?",
        "It has one broken name and no average.",
        [
            Call(
                "read_import_log",
                {"file": "members.csv"},
                {"rows": 118, "broken": "Zo\x00e", "average": float("nan")},
                "toolu_03",
            )
        ],
    ),
    Turn(
        25,
        "Remember that I prefer annual billing.",
        "Noted.",
        [Call("update_customer_brain", BRAIN_INPUT, {"status": "saved", "id": 77}, "toolu_04")],
    ),
    Turn(
        21,
        "Which plans do I have?",
        "Five: Starter Pack, Pro, Coaching, Founders and Annual.",
        [
            Call(
                "query_site_data",
                {"target": "memberships"},
                {"memberships": MEMBERSHIPS[:4]},
                "toolu_05",
            ),
            Call(
                "query_site_data",
                {"target": "memberships"},
                {"memberships": MEMBERSHIPS},
                "toolu_06",
            ),
        ],
    ),
    Turn(
        17,
        "How is it going, and who is new?",
        "Up 12 % in seven weeks; eight new members.",
        [
            Call("ping", {}, "pong", "toolu_07"),
            Call(
                "query_site_data",
                {"target": "revenue"},
                {"error": "upstream timeout after 30s"},
                "toolu_08",
                is_error=True,
            ),
            Call(
                "query_kpi_trend",
                {"metric": "active_members", "granularity": "week"},
                TREND,
                "toolu_09",
            ),
            Call("query_site_data", {"target": "recent_members"}, {"members": MEMBERS}, "toolu_10"),
        ],
    ),
]
QUESTION = "What were those plans you showed me three weeks ago?"
