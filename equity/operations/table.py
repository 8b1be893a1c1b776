"""The table of operations."""

from __future__ import annotations

import importlib
from difflib import get_close_matches

from equity.common.arguments import shown
from equity.errors import MethodError
from equity.operations.operation import Operation

__all__ = ["OPERATIONS", "find_operation"]

#: Where the operations are, by path; they are imported when they are first asked for.
OPERATIONS = {
    "odds": "equity.operations.odds:ODDS",
    "evaluate": "equity.operations.evaluate:EVALUATE",
}


def find_operation(path: str) -> Operation:
    """The operation of a path.

    Raises
    ------
    MethodError
        There is none.
    """
    if path not in OPERATIONS:
        close = get_close_matches(path, OPERATIONS, n=1)
        hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(OPERATIONS)}"
        raise MethodError(f"{shown(path)} is no operation", place="operation", hint=hint)
    module, name = OPERATIONS[path].split(":")
    operation: Operation = getattr(importlib.import_module(module), name)
    return operation
