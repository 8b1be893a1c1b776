"""The range language: from text to trees, from trees to hands.

Reading a range (:mod:`equity.ranges.syntax`) needs no numpy; :class:`Range`,
which holds hands as arrays, is loaded when it is first asked for.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from equity.ranges.board import CardPattern, parse_board_pattern
from equity.ranges.errors import (
    BoardError,
    OrderingError,
    RangeError,
    RangeGameError,
    RangeSyntaxError,
)
from equity.ranges.syntax import is_range, parse

if TYPE_CHECKING:
    from equity.ranges.orderings import Ordering, ordering_names, read_ordering, select_ordering
    from equity.ranges.range import Range

__all__ = [
    "BoardError",
    "CardPattern",
    "Ordering",
    "OrderingError",
    "Range",
    "RangeError",
    "RangeGameError",
    "RangeSyntaxError",
    "is_range",
    "ordering_names",
    "parse",
    "parse_board_pattern",
    "read_ordering",
    "select_ordering",
]

#: What needs numpy, by the module that has it.
_LATER = {
    "Ordering": "orderings",
    "Range": "range",
    "ordering_names": "orderings",
    "read_ordering": "orderings",
    "select_ordering": "orderings",
}


def __getattr__(name: str) -> Any:
    """Load what needs numpy, and numpy with it, on first use."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"equity.ranges.{_LATER[name]}"), name)
    globals()[name] = value
    return value
