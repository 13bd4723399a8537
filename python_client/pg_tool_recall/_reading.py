"""JSON text of a stored value, back to Python; survives what plain ``json.loads`` does not."""

from __future__ import annotations

import json
from decimal import Decimal
from itertools import chain
from typing import Any

from pg_tool_recall._repair import MAX_DEPTH

# So many characters hold at most 15 digits and a point, and a float keeps 15 digits.
_ALWAYS_EXACT = 16


class RawJson(str):
    """The JSON text of a stored value that is nested too deeply to be read into Python objects.

    A ``str`` like any other; being of this class is what tells it from a stored string. Only rows
    that were written past this client can be like this: it flattens below 512 levels.
    """

    __slots__ = ()


def from_json(text: str) -> Any:
    """The value of a jsonb text.

    An integer is int (past 4300 digits Decimal); another number is float where the float says
    exactly the same, else Decimal: nothing is lost. Nested deeper than 512: ``RawJson``.
    """
    try:
        value = json.loads(text, parse_int=_integer, parse_float=_number)
    except RecursionError:
        return RawJson(text)
    # Some versions of Python read what they then can neither print nor compare nor write.
    if text.count("[") + text.count("{") > MAX_DEPTH and _is_deep(value):
        return RawJson(text)
    return value


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        containers = [v for v in level if type(v) is list or type(v) is dict]
        if not containers:
            return False
        level = list(chain.from_iterable(v.values() if type(v) is dict else v for v in containers))
    return True


def _integer(digits: str) -> int | Decimal:
    try:
        return int(digits)
    except ValueError:
        return Decimal(digits)


def _number(digits: str) -> float | Decimal:
    near = float(digits)
    if len(digits) <= _ALWAYS_EXACT:  # jsonb writes no exponents
        return near
    exact = Decimal(digits)
    return near if Decimal(repr(near)) == exact else exact
