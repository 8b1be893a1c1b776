"""The errors of the range language."""

from __future__ import annotations

from equity.errors import EquityError

__all__ = ["BoardError", "OrderingError", "RangeError", "RangeGameError", "RangeSyntaxError"]


class RangeError(EquityError):
    """A range that cannot be made or used as asked."""


class RangeSyntaxError(RangeError):
    """A text that is no range.

    Attributes
    ----------
    text:
        The whole text as it was given.
    column:
        Where in it the culprit begins, from 1.
    """

    def __init__(
        self, problem: str, *, text: str, column: int, place: str = "", hint: str = ""
    ) -> None:
        where = f"{place}, column {column}" if place else f"column {column}"
        super().__init__(problem, place=where, hint=hint)
        self.text = text
        self.column = column


class RangeGameError(RangeError):
    """A range of one game used with another."""


class BoardError(RangeError):
    """A condition on the board without a board, or with another one."""


class OrderingError(RangeError):
    """A percent item without an ordering of hands to read it by."""
