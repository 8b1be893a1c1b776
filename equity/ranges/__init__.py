"""The range language: from text to trees, from trees to hands.

Reading a range (:mod:`equity.ranges.syntax`) needs no numpy; :class:`Range`,
which holds hands as arrays, is loaded when it is first asked for.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from equity.ranges.board import CardPattern, parse_board_pattern
from equity.ranges.errors import OrderingError, RangeError, RangeGameError, RangeSyntaxError
from equity.ranges.syntax import parse

if TYPE_CHECKING:
    from equity.ranges.range import Range

__all__ = [
    "CardPattern",
    "OrderingError",
    "Range",
    "RangeError",
    "RangeGameError",
    "RangeSyntaxError",
    "parse",
    "parse_board_pattern",
]


def __getattr__(name: str) -> Any:
    """Load :class:`Range`, and numpy with it, on first use."""
    if name != "Range":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = importlib.import_module("equity.ranges.range").Range
    globals()[name] = value
    return value
