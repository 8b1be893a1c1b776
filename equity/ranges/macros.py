"""Macros of the range language, and the exact shapes that some of them name."""

from __future__ import annotations

__all__ = ["MACROS", "SHAPES"]

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
