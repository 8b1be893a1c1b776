"""The errors of the package: what is wrong, where, and what would be right.

Every error that a caller can cause is an :class:`EquityError`, which is a
``ValueError`` too.  Its text is one line; the parts of it are attributes.
"""

from __future__ import annotations

__all__ = [
    "BoardError",
    "CardCountError",
    "CardError",
    "DataError",
    "DealError",
    "DuplicateCardError",
    "EmptyRangeError",
    "EquityError",
    "GameError",
    "MergeError",
    "MethodError",
    "NoDealError",
    "OrderingError",
    "PlayerCountError",
    "PredicateError",
    "RangeError",
    "RangeGameError",
    "RangeSyntaxError",
    "UnlikelyReadingError",
]


class EquityError(ValueError):
    """Base class: a question that cannot be answered.

    Parameters
    ----------
    problem:
        What is wrong, naming the offending text.
    place:
        Where: ``"hand 2"``, ``"board, column 3"``.
    hint:
        What would be right.
    """

    #: Exit code of the command when this error ends it.
    exit_code = 2

    def __init__(self, problem: str, *, place: str = "", hint: str = "") -> None:
        self.problem = problem
        self.place = place
        self.hint = hint
        prefix = f"{place}: " if place else ""
        suffix = f"; {hint}" if hint else ""
        super().__init__(f"{prefix}{problem}{suffix}")

    def to_dict(self) -> dict[str, object]:
        """The error for JSON: what is wrong, where, and what would be right."""
        return {
            "error": str(self),
            "problem": self.problem,
            "place": self.place,
            "hint": self.hint,
            "text": getattr(self, "text", None),
            "column": getattr(self, "column", None),
        }


class CardError(EquityError):
    """A text or number that is not a card."""


class DuplicateCardError(EquityError):
    """One card in two places."""


class CardCountError(EquityError):
    """Too many or too few cards for the game or the board."""


class GameError(EquityError):
    """A game that is not known."""


class PlayerCountError(EquityError):
    """Too few or too many players."""


class EmptyRangeError(EquityError):
    """A range without a live combo."""


class UnlikelyReadingError(EquityError):
    """Ambiguous input, where notices are errors."""


class MergeError(EquityError):
    """Results that do not belong together."""


class MethodError(EquityError):
    """A method or option that does not fit the question."""


class DealError(MethodError):
    """Ranges that cannot be dealt together, or for which sampling found no deal."""


class NoDealError(DealError):
    """Ranges that cannot be dealt together, found by enumeration."""


class DataError(EquityError):
    """A data file that is missing or damaged."""

    exit_code = 1


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


class PredicateError(RangeError):
    """An unknown board condition, or one that is misused."""
