"""The fields of a row, sorted into what is known and what is carried through."""

from __future__ import annotations

from typing import Any, NamedTuple

from equity.batching.columns import meaning
from equity.cards import ascii_text

__all__ = ["Found", "clean", "sort_fields"]


class Found(NamedTuple):
    """A row as it was found."""

    line: int
    values: dict[str, Any]
    carried: dict[str, Any]
    problem: str = ""


def clean(text: str) -> str:
    """A text that can be written as UTF-8."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def sort_fields(line: int, fields: dict[str, Any]) -> Found:
    """A row of named fields."""
    values: dict[str, Any] = {}
    carried: dict[str, Any] = {}
    problem = ""
    for given, given_value in fields.items():
        known = meaning(given)
        value = clean(given_value) if isinstance(given_value, str) else given_value
        if known is None:
            carried[clean(given)] = value
            continue
        if isinstance(value, str):
            value = value.strip()
        if value is None or value == "":
            continue
        if known in values:
            problem = f"{ascii_text(given)} says what another column says: {known}"
        values[known] = value
    return Found(line, values, carried, problem)
