"""The errors of the package: what is wrong, where, and what would be right.

Every error that a caller can cause is an :class:`EquityError`, which is a
``ValueError`` too.  Its text is one line; the parts of it are attributes.
"""

from __future__ import annotations

__all__ = [
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
    "PlayerCountError",
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
