"""What a case, a transcript and a grade are: all that cases, runner, graders and report share."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

Suite = Literal["as_of", "routing", "citation"]
Wants = Literal["recall", "current"]
EventKind = Literal["user", "assistant", "tool_call", "tool_result"]


@dataclass(frozen=True)
class Tool:
    """A tool as the model is offered it; ``input_schema`` is JSON Schema."""

    name: str
    description: str
    input_schema: dict[str, Any]


@dataclass(frozen=True)
class Snapshot:
    """A result shown ``days_ago`` days before the question; the runner records it."""

    tool: str
    arguments: dict[str, Any]
    output: Any
    days_ago: int


@dataclass(frozen=True)
class Fixture:
    """What a call gives today: it differs from the snapshot of the same call."""

    tool: str
    arguments: dict[str, Any]
    output: Any


@dataclass(frozen=True)
class Question:
    """One question, and what a right answer to it rests on.

    ``snapshot`` is the place of the row asked about in the case's snapshots. Values are as the
    outputs have them: a number in ASCII digits, or a name. ``tool`` with ``arguments`` is the call
    that gives the current value; further arguments are no fault.
    """

    text: str
    wants: Wants
    snapshot: int
    snapshot_value: str
    current_value: str
    tool: str
    arguments: dict[str, Any]
    needs_recall_tool: bool = False


@dataclass(frozen=True)
class Case:
    """A conversation with its snapshots, and the questions asked of it (two for routing)."""

    id: str
    suite: Suite
    language: str
    snapshots: tuple[Snapshot, ...]
    fixtures: tuple[Fixture, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True)
class Event:
    """A step of a transcript: a text, a call with its arguments, or what the call gave."""

    kind: EventKind
    text: str = ""
    tool: str = ""
    arguments: dict[str, Any] | None = None
    output: Any = None


@dataclass(frozen=True)
class Transcript:
    """All that passed for one question in one trial; the last assistant text is the answer."""

    case_id: str
    question: int
    trial: int
    today: date
    events: tuple[Event, ...]


@dataclass(frozen=True)
class Grade:
    """Whether a transcript passed; ``label`` names the way it failed, ``detail`` says where."""

    passed: bool
    label: str
    detail: str = ""
    says_as_of: bool = False
