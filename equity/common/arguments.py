"""Argument checks of public functions; errors show the value that was passed."""

from __future__ import annotations

import operator
from typing import Any

from equity.errors import MethodError

__all__ = ["MOST", "number", "shown", "truth", "whole"]

#: Whole numbers are below this, as a column of 64 bits has them.
MOST = 1 << 63
#: So many characters of an object are shown.
_SHOWN = 200


def shown(value: object) -> str:
    """Return a short ASCII text of an object for an error message, even if its repr fails."""
    try:
        text = ascii(value)
    except Exception:  # a number of very many digits, or a text that fails
        text = f"<{type(value).__name__}>"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def whole(value: Any, place: str, least: int) -> int:
    """Validate an integer that is at least ``least``; NumPy integers become int.

    Raises
    ------
    MethodError
        It is none, or out of bounds.
    """
    try:
        found = operator.index(value)
    except TypeError:
        found = None
    if found is None or isinstance(value, bool):
        raise MethodError(
            f"{shown(value)} is no whole number", place=place, hint="write one such as 1000"
        )
    if found < least:
        hint = "it is above 0" if least == 1 else f"it is {least} or above"
        raise MethodError(f"{shown(found)} is too small", place=place, hint=hint)
    if found >= MOST:
        raise MethodError(f"{shown(found)} is too large", place=place, hint=f"it is below {MOST}")
    return found


def number(value: Any, place: str) -> float:
    """Validate a number above 0.

    Raises
    ------
    MethodError
        It is none, or not above 0.
    """
    try:
        found = None if isinstance(value, (str, bytes, bool)) else float(value)
    except (TypeError, ValueError, OverflowError):
        found = None
    if found is None:
        raise MethodError(f"{shown(value)} is no number", place=place, hint="write one such as 0.5")
    if not found > 0:
        raise MethodError(f"{shown(value)} is too small", place=place, hint="it is above 0")
    return found


def truth(value: Any, place: str) -> bool:
    """Validate a Boolean; NumPy's become bool.

    Raises
    ------
    MethodError
        It is something else.
    """
    if type(value).__name__ in ("bool", "bool_"):
        return bool(value)
    raise MethodError(
        f"{shown(value)} is neither True nor False", place=place, hint="give one of them"
    )
