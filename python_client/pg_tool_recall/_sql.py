"""All SQL that the clients send, in one place. DDL is never among it.

Every parameter is a string or NULL, merged by the client as a literal whose type the server infers.
No prepared statement has a name, so any pooler may stand between. Every column of an answer is
text: whatever adapters or row factory the caller has set, they change nothing here.
"""

from __future__ import annotations

from collections.abc import Sequence

import psycopg

# -- around a statement, in the same round trip

SAVEPOINT = "savepoint tool_recall"
RELEASE = "release savepoint tool_recall"
# Also undoes every set_config since the savepoint: for reads.
ROLLBACK = "rollback to savepoint tool_recall; release savepoint tool_recall"

# What row security goes by. In a caller's transaction his own value is put back after a write.
SET_USER = "pg_catalog.set_config('tool_recall.user_id', %s, true)"
KEEP_USER = (
    "pg_catalog.set_config('tool_recall._previous_user_id', "
    "coalesce(pg_catalog.current_setting('tool_recall.user_id', true), ''), true)"
)
RESTORE_USER = (
    "pg_catalog.set_config('tool_recall.user_id', "
    "pg_catalog.current_setting('tool_recall._previous_user_id'), true)"
)

# Our limits, where the caller's own are no shorter; put back after a write as well.
_TIMEOUTS = ("statement_timeout", "lock_timeout")


def _set_timeout(name: str) -> str:
    theirs = f"pg_catalog.current_setting('{name}')"
    return (
        f"pg_catalog.set_config('{name}', case when pg_catalog.interval_lt('0', {theirs}::interval)"
        f" and pg_catalog.interval_lt({theirs}::interval, %s) then {theirs} else %s end, true)"
    )


SET_TIMEOUTS = ", ".join(map(_set_timeout, _TIMEOUTS))
KEEP_TIMEOUTS = ", ".join(
    f"pg_catalog.set_config('tool_recall._previous_{name}', "
    f"pg_catalog.current_setting('{name}'), true)"
    for name in _TIMEOUTS
)
RESTORE_TIMEOUTS = ", ".join(
    f"pg_catalog.set_config('{name}', "
    f"pg_catalog.current_setting('tool_recall._previous_{name}'), true)"
    for name in _TIMEOUTS
)


def quote(text: str | None) -> str:
    """A literal, whatever the session's settings say of quotes and backslashes."""
    if text is None:
        return "NULL"
    if "\0" in text:
        raise psycopg.DataError("PostgreSQL text fields cannot contain NUL (0x00) bytes")
    quoted = "'" + text.replace("'", "''") + "'"
    return " E" + quoted.replace("\\", "\\\\") if "\\" in text else quoted


def merge(sql: str, params: Sequence[str | None]) -> str:
    """A statement with its parameters in the places of %s."""
    parts = sql.split("%s")
    merged = [parts[0]]
    for param, part in zip(params, parts[1:], strict=True):
        merged += (quote(param), part)
    return "".join(merged)


# -- statements

VERSION = "select tool_recall.version()"

RECORD = """\
select tool_recall.record_tool_result(
  conversation_id => %s, user_id => %s, message_id => %s, tool_name => %s,
  tool_input => %s::jsonb, tool_output => %s::jsonb, tool_use_id => %s,
  is_error => %s::boolean, created_at => %s::timestamptz, repairs => %s::jsonb)::text"""

RECORD_MANY = """\
select r.id::text
from tool_recall.record_tool_results(
  conversation_id => %s, user_id => %s, message_id => %s, results => %s::jsonb
) with ordinality as r (id, place)
order by r.place"""

_BLOCK = """\
select l.id::text,
  pg_catalog.to_char(l.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
  l.tool_name::text, l.recall_line::text, l.recall_tokens::text, l.left_out::text,
  s.token_budget::text, s.token_margin::text,
  tool_recall._block_header(), tool_recall._block_instruction(),
  tool_recall._block_copy_tokens()::text
from {source} with ordinality as l (
  id, created_at, tool_name, recall_line, recall_tokens{more}, place)
  cross join tool_recall.settings as s
order by l.place"""

BLOCK = _BLOCK.replace("l.left_out::text", "null::text").format(
    source="tool_recall.recall_lines(conversation_id => %s, user_id => %s)", more=""
)
BLOCK_EXPLAINED = _BLOCK.format(
    source=(
        "tool_recall._recall_candidates("
        "conversation_id => %s, user_id => %s, as_of => pg_catalog.statement_timestamp())"
    ),
    more=", left_out",
)

_RESULT = """\
select r.id::text,
  pg_catalog.to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
  r.message_id::text, pg_catalog.pg_typeof(r.message_id)::text, r.tool_use_id, r.tool_name::text,
  r.tool_input::text, r.tool_output::text, r.is_error::text, r.repairs::text
from {source} with ordinality as r (
  id, created_at, message_id, tool_use_id, tool_name, tool_input, tool_output, is_error, repairs,
  place)
order by r.place"""

RESULTS = _RESULT.format(
    source=(
        "tool_recall.recall_tool_results(conversation_id => %s, user_id => %s, tool_name => %s, "
        "since_days => %s, max_results => %s, before => %s)"
    )
)
RESULT = _RESULT.format(source="tool_recall.recall_tool_result(id => %s, user_id => %s)")

FORGET_USER = "select tool_recall.forget_user(user_id => %s)::text"
FORGET_CONVERSATION = "select tool_recall.forget_conversation(conversation_id => %s)::text"

# It commits, so it must be alone in its message.
PURGE = "call tool_recall.purge_expired(batch_size => %s, max_seconds => %s)"

# -- the recall tool: results as they are read, and the day that a line of the block shows

_SHOWN = _RESULT.replace("r.repairs::text\n", "r.repairs::text, {day}, {line}\n").replace(
    "\norder by", "\n  cross join tool_recall.settings as s\nwhere {where}\norder by"
)
_DAY = "pg_catalog.to_char(r.created_at at time zone s.time_zone, 'YYYY-MM-DD')"
# All that there is of a result whose capture rule keeps no more.
_LINE = (
    "case when r.repairs ->> 'not_stored' is not null then (select m.recall_line"
    " from tool_recall.message_tool_results as m where m.id = r.id) end"
)

SHOWN = _SHOWN.format(
    day=_DAY,
    line=_LINE,
    source=(
        "tool_recall.recall_tool_results(conversation_id => %s, user_id => %s, tool_name => %s, "
        "since_days => %s, max_results => %s, before => %s)"
    ),
    where="true",
)
# The id is the model's word: the row must be of this conversation too, not of this user only.
SHOWN_ROW = _SHOWN.format(
    day=_DAY,
    line=_LINE,
    source="tool_recall.recall_tool_result(id => %s, user_id => %s)",
    where=(
        "exists (select from tool_recall.message_tool_results as m "
        "where m.id = r.id and m.conversation_id = %s)"
    ),
)
