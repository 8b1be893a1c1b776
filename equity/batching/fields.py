"""The fields of a row, sorted into what is known and what is carried through."""

from __future__ import annotations

from typing import Any, NamedTuple

from equity.batching.columns import STREETS
from equity.batching.names import Names
from equity.errors import CardError
from equity.rules.cards import ascii_text, format_cards, parse_cards

__all__ = ["NOT_TEXT", "Found", "clean", "is_given", "is_missing", "join_streets", "sort_fields"]

#: What data frames, databases and spreadsheets write for a value that is not there.
_MISSING = frozenset(("", "nan", "none", "null", "na", "n/a", "#n/a", "<na>", "nat"))
#: Texts that are values of other kinds, and never cards, ranges or names.
NOT_TEXT = frozenset(
    f"{sign}{word}" for sign in ("", "+", "-") for word in ("inf", "infinity", "true", "false")
)
_LONGEST = max(map(len, _MISSING))
#: Kinds of values that are there whatever they are.
_PRESENT = (bool, int, list, tuple, dict)
#: How many cards each street has.
_CARDS = dict(zip(STREETS, (3, 1, 1), strict=True))


class Found(NamedTuple):
    """A row as it was found."""

    line: int
    values: dict[str, Any]
    carried: dict[str, Any]
    problem: str = ""


def clean(text: str) -> str:
    """A text that can be written as UTF-8."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def is_missing(value: Any) -> bool:
    """Whether a value says that there is none: None, NaN, ``NA`` of pandas, ``"null"``.

    >>> is_missing(" NaN "), is_missing(float("nan")), is_missing("AA"), is_missing(0)
    (True, True, False, False)
    """
    if isinstance(value, str):
        return len(value := value.strip()) <= _LONGEST and value.lower() in _MISSING
    if value is None or isinstance(value, _PRESENT):
        return value is None
    try:
        return bool(value != value)  # noqa: PLR0124 - NaN alone differs from itself
    except (TypeError, ValueError):
        # pandas.NA is neither true nor false; an array has more than one truth.
        return str(value) == "<NA>"


def is_given(name: str, value: Any) -> bool:
    """Whether a known column is filled in; an id is any text."""
    return value != "" if name == "id" and isinstance(value, str) else not is_missing(value)


def sort_fields(line: int, fields: dict[str, Any], names: Names) -> Found:
    """A row of named fields.

    Raises
    ------
    BatchError
        A name is not known and looks like one that is.
    """
    values: dict[str, Any] = {}
    carried: dict[str, Any] = {}
    problem = ""
    meanings = names.meanings(fields, f"spots, line {line}")
    for (given, given_value), known in zip(fields.items(), meanings, strict=True):
        value = clean(given_value) if isinstance(given_value, str) else given_value
        if known is None:
            carried[clean(given)] = value
            continue
        if isinstance(value, str):
            value = value.strip()
        if not is_given(known, value):
            continue
        if known in values:
            problem = f"{ascii_text(given)} says what another column says: {known}"
        values[known] = value
    return Found(line, values, carried, problem or join_streets(values))


def join_streets(values: dict[str, Any]) -> str:
    """Make a board of flop, turn and river; what is wrong with them, or nothing."""
    if not any(name in values for name in STREETS):
        return ""
    streets = {name: values.pop(name, "") for name in STREETS}
    cards: list[int] = []
    ended = ""
    for name, text in streets.items():
        try:
            dealt = parse_cards(text, name, commas=True)
        except CardError as error:
            return str(error)
        if dealt and ended:
            return f"{name}: {format_cards(dealt)} comes after the {ended}, which is missing"
        if len(dealt) not in (0, _CARDS[name]):
            count = _CARDS[name]
            return (
                f"{name}: {format_cards(dealt)} has {len(dealt)} cards; "
                f"a {name} has {count}; a whole board goes into a column board"
            )
        ended = ended or ("" if dealt else name)
        cards += dealt
    values["board"] = format_cards(cards) or "-"
    return ""
