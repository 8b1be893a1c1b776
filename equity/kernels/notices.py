"""Notices for a user who waits or should know: that a kernel is being compiled, say."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["listeners", "notice"]

#: Functions that are called with each notice; a program with a terminal adds one.
listeners: list[Callable[[str], None]] = []


def notice(message: str) -> None:
    """Pass a line on to every listener."""
    for listener in listeners:
        listener(message)
