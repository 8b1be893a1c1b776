"""The error of a query: its line, a caret below the place, and the nearest name."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from equity.errors import EquityError

__all__ = ["QueryError", "nearest"]


class QueryError(EquityError):
    """A query that cannot be answered.

    Attributes
    ----------
    text:
        The line of the query.
    column:
        Where in it the culprit begins, from 1.
    """

    def __init__(self, problem: str, query: str, at: int, hint: str = "") -> None:
        at = max(0, min(at, len(query)))
        begin = query.rfind("\n", 0, at) + 1
        end = query.find("\n", at)
        line = query.count("\n", 0, at)
        self.text = _printable(query[begin : end if end >= 0 else len(query)])
        self.column = at - begin + 1
        where = f"line {line + 1}, column {self.column}" if "\n" in query.strip() else ""
        super().__init__(
            _printable(problem), place=where or f"query, column {self.column}", hint=hint
        )


def _printable(text: str) -> str:
    """The text in printable ASCII, as long as before."""
    return "".join(sign if " " <= sign <= "~" else "?" if sign > "~" else " " for sign in text)


def nearest(name: str, names: Iterable[str], cutoff: float = 0.6) -> str:
    """The known name that a misspelled one is nearest to, or nothing."""
    known = {entry.lower(): entry for entry in names}
    close = get_close_matches(name.lower()[:100], known, n=1, cutoff=cutoff)
    return known[close[0]] if close else ""
