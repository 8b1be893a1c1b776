"""The range language: from text to trees, from trees to hands.

Names are imported when they are first asked for: parsing a range takes no numpy, which
:class:`Range` needs for its arrays of hands.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from equity.ranges.board import CardPattern, parse_board_pattern
    from equity.ranges.orderings import Ordering, ordering_names, read_ordering, select_ordering
    from equity.ranges.range import Range
    from equity.ranges.syntax import is_range, parse

__all__ = [
    "CardPattern",
    "Ordering",
    "Range",
    "is_range",
    "ordering_names",
    "parse",
    "parse_board_pattern",
    "read_ordering",
    "select_ordering",
]

#: The module of each name.
_HOME = {
    "CardPattern": "board",
    "parse_board_pattern": "board",
    "Range": "range",
    "is_range": "syntax",
    "parse": "syntax",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = importlib.import_module(f"equity.ranges.{_HOME.get(name, 'orderings')}")
    value = globals()[name] = getattr(home, name)
    return value
