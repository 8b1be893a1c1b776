"""Notices: warnings about input that is legal but probably a slip."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from equity.errors import UnlikelyReadingError

__all__ = ["Notice", "refuse_notices"]


class Notice(NamedTuple):
    """A warning about ambiguous input, with the spelling of the other reading."""

    #: What is ambiguous, and how it was read.
    problem: str
    #: Where: ``"range 2, column 1"``.
    place: str = ""
    #: The other reading and its spelling.
    hint: str = ""

    def __str__(self) -> str:
        return str(self.error())

    def error(self) -> UnlikelyReadingError:
        """Return the error that strict commands raise instead."""
        return UnlikelyReadingError(self.problem, place=self.place, hint=self.hint)


def refuse_notices(notices: Iterable[Notice]) -> None:
    """Raise :class:`UnlikelyReadingError` for the first of ``notices``, if there is one."""
    for notice in notices:
        raise notice.error()
