"""The table of operations."""

from __future__ import annotations

import importlib

from equity.common.arguments import shown
from equity.errors import MethodError
from equity.operations.operation import Operation, suggestion

__all__ = ["OPERATIONS", "find_operation"]

#: Where the operations are, by path; they are imported when they are first asked for.
OPERATIONS = {
    "odds": "equity.operations.odds:ODDS",
    "odds/combos": "equity.operations.odds:COMBOS",
    "evaluate": "equity.operations.evaluate:EVALUATE",
    "range": "equity.operations.ranges:RANGE",
    "range/combos": "equity.operations.ranges:COMBOS",
    "range/classes": "equity.operations.ranges:CLASSES",
    "range/texture": "equity.operations.ranges:TEXTURE",
    "rank": "equity.operations.rank:RANK",
    "views/streets": "equity.operations.views:STREETS",
    "views/next": "equity.operations.views:NEXT",
    "views/graph": "equity.operations.views:GRAPH",
    "views/flops": "equity.operations.views:FLOPS",
    "views/blockers": "equity.operations.views:BLOCKERS",
    "potlimit": "equity.operations.potlimit:POTLIMIT",
    "pql": "equity.operations.pql:PQL",
    "batch": "equity.operations.batch:BATCH",
    "hands": "equity.operations.hands:HANDS",
    "report": "equity.html.report:REPORT",
    "report/batch": "equity.html.report:BATCH_REPORT",
    "games": "equity.operations.games:GAMES_TABLE",
}


def find_operation(path: str) -> Operation:
    """The operation of a path.

    Raises
    ------
    MethodError
        There is none.
    """
    if path not in OPERATIONS:
        hint = suggestion(path, OPERATIONS)
        raise MethodError(f"{shown(path)} is no operation", place="operation", hint=hint)
    module, name = OPERATIONS[path].split(":")
    operation: Operation = getattr(importlib.import_module(module), name)
    return operation
