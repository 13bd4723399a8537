"""pg_tool_recall: dated snapshots of tool results in your PostgreSQL, and the block of them.

    recall = ToolRecall(pool)
    block = recall.block(conversation_id=c, user_id=u)      # str(block) goes into the prompt
    ...
    recall.record(conversation_id=c, user_id=u, message_id=m, tool_name="query_site_data",
                  tool_input=arguments, tool_output=output, tool_use_id=call_id)

``AsyncToolRecall`` is the same for asyncio. Neither ever breaks a chat turn unless told to.
"""

from pg_tool_recall._async import AsyncToolRecall
from pg_tool_recall._reading import RawJson
from pg_tool_recall._signals import OpenTelemetrySignals, PrometheusSignals, Signals
from pg_tool_recall._sync import ToolRecall
from pg_tool_recall._turn import AsyncTurn, Turn
from pg_tool_recall._types import Block, Id, LeftOut, Line, StoredResult, ToolResult
from pg_tool_recall._version import __version__
from pg_tool_recall.errors import (
    HostBindingError,
    InvalidResultError,
    InvalidRuleError,
    NotInstalledError,
    OwnershipError,
    ToolRecallError,
    VersionMismatchError,
)

__all__ = [
    "AsyncToolRecall",
    "AsyncTurn",
    "Block",
    "HostBindingError",
    "Id",
    "InvalidResultError",
    "InvalidRuleError",
    "LeftOut",
    "Line",
    "NotInstalledError",
    "OpenTelemetrySignals",
    "OwnershipError",
    "PrometheusSignals",
    "RawJson",
    "Signals",
    "StoredResult",
    "ToolRecall",
    "ToolRecallError",
    "ToolResult",
    "Turn",
    "VersionMismatchError",
    "__version__",
]
