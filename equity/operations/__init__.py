"""Operations: every question that can be asked, with its parameters, for commands and servers.

An :class:`Operation` is a row of a table: its parameters, which become options of a command and
fields of JSON, and the function that reads a question.  A :class:`Question` is validated; it has
notices, and it can be answered.
"""

from equity.operations.operation import Operation, Question
from equity.operations.table import OPERATIONS, find_operation

__all__ = ["OPERATIONS", "Operation", "Question", "find_operation"]
