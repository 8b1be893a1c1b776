"""Notices of what the program does, that it compiles a kernel say, for whoever listens.

Notices on how a question was read are another thing, see :mod:`equity.notices`.
"""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["listeners", "notice"]

#: Functions that are called with each notice; a program with a terminal adds one.
listeners: list[Callable[[str], None]] = []


def notice(message: str) -> None:
    """Pass a line on to every listener."""
    for listener in listeners:
        listener(message)
