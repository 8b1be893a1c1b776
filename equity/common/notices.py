"""Notices: readings of a question that are legal but may not be what was meant."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from equity.errors import UnlikelyReadingError

__all__ = ["Notice", "refuse_notices"]


class Notice(NamedTuple):
    """A legal reading that somebody may not have meant, and how to write the other one."""

    problem: str
    #: Where: ``"range 2, column 1"``.
    place: str = ""
    #: The other reading and its spelling.
    hint: str = ""

    def __str__(self) -> str:
        return str(self.error())

    def error(self) -> UnlikelyReadingError:
        """The error that a strict reading raises instead."""
        return UnlikelyReadingError(self.problem, place=self.place, hint=self.hint)


def refuse_notices(notices: Iterable[Notice]) -> None:
    """Raise :class:`UnlikelyReadingError` for the first of ``notices``, if there is one."""
    for notice in notices:
        raise notice.error()
