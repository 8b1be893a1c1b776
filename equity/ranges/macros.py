"""What stands for something else in a range: macros, shapes, habits, words."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["HABITS", "MACROS", "SHAPES", "WORDS", "Habit"]

#: Exact shapes: how the cards of a hand may be spread over the suits.
SHAPES = {
    "rb": "no suit twice, or as few as possible",
    "ms": "one suit only",
    "dsp": "exactly two suits with exactly two cards",
    "ts": "some suit with exactly three cards",
    "qs": "some suit with exactly four cards",
}

#: Macros by name in lower case, and the text that each stands for.
MACROS = {
    "ds": ":xxyy",
    "ss": ":xxyz",
    "np": "!RR",
    "op": ":RRON",
    "tp": ":RROO",
    "nt": "!RRR",
    "0g": "(AKQJ-)",
    "1g": "(AKQT-,AKJT-,AQJT-)",
    "2g": "(AKQ9-,AKT9-,AJT9-)",
    "b": "[A-J]",
    "m": "[T-7]",
    "z": "[6-2]",
    "l": "[A,2,3,4,5,6,7,8]",
    "n": "[K-9]",
    "f": "[K-J]",
    "r": "[A-T]",
    "w": "[A,2,3,4,5]",
} | {name: f":${name}" for name in SHAPES}


class Habit(NamedTuple):
    """An ending of other notations and what to write instead of it.

    ``{0}`` stands for the ranks before the ending.
    """

    meant: str
    literal: str


#: Endings that mean something else elsewhere, when only ranks stand before.
HABITS = {
    "xx": Habit("{0} with any other cards", "{0}:xx with two cards of one suit"),
    "ds": Habit("{0}:xxyy double suited", "{0}d:s with a diamond and a spade as written"),
    "ss": Habit("{0}:xxyz single suited", "{0}s:ss with two spades as written"),
    "r": Habit("{0}:wxyz rainbow", "{0}R with a card of another rank"),
}

_EVERY_HAND = "every hand is '*'"
_ONE_RANGE = "a range is one player's, give each player his own"

#: Words of other notations and their hints.
WORDS = {
    "vs": _ONE_RANGE,
    "v": _ONE_RANGE,
    "any": _EVERY_HAND,
    "random": _EVERY_HAND,
}
