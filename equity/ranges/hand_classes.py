"""Classes of made hands on a board, as sets of values.

What the best high of a hand is made of follows from its value and the board:
a pair of kings on a board with one king takes one hole card, on a board without
a king two.  So a class is the set of values that belong to it on a board.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from equity.ranges.texture import Texture
from equity.rules.ranks import (
    CATEGORIES,
    FLUSH,
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    HIGH_CARD,
    PAIR,
    RANK_COUNT,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE_OF_A_KIND,
    TWO_PAIR,
    high_classes,
)

__all__ = [
    "CLASSES",
    "is_class",
    "is_class_or_better",
    "is_nut_flush",
    "is_nut_straight",
    "is_nuts",
]

Mask = NDArray[np.bool_]
#: Which ranks something may be of, on a board.
Place = Callable[[Texture], Collection[int]]

#: More than the ranks there are, to number kinds of hands between values.
_KINDS = 16


def _times(times: int) -> Place:
    """The ranks that the board has exactly so often."""
    return lambda texture: [rank for rank in texture.distinct if texture.ranks.count(rank) == times]


def _once(start: int, stop: int | None) -> Place:
    """These of the different ranks of the board, best first, if they are there once."""
    return lambda texture: [
        rank for rank in texture.distinct[start:stop] if texture.ranks.count(rank) == 1
    ]


def _above(texture: Texture) -> Collection[int]:
    return range(texture.distinct[0] + 1, RANK_COUNT)


def _below(texture: Texture) -> Collection[int]:
    return set(range(texture.distinct[0])).difference(texture.distinct)


def _any(_: Texture) -> Collection[int]:
    return range(RANK_COUNT)


@dataclass(frozen=True)
class MadeClass:
    """Hands of a category whose leading ranks are certain ones of the board."""

    category: int
    first: Place = _any
    second: Place = _any
    #: The class at which "or better" starts when no hand can be in this one; the
    #: whole category if there is none.
    otherwise: str = ""


_TOP, _SECOND, _MIDDLE, _BOTTOM = _once(0, 1), _once(1, 2), _once(1, -1), _once(-1, None)
_ON_BOARD_ONCE, _ON_BOARD_TWICE = _times(1), _times(2)

#: By name, the weakest first within a category.
CLASSES = {
    "HIGHCARD": MadeClass(HIGH_CARD),
    "PAIR": MadeClass(PAIR),
    "UNDERPAIR": MadeClass(PAIR, _below, otherwise="BOTTOMPAIR"),
    "BOTTOMPAIR": MadeClass(PAIR, _BOTTOM, otherwise="MIDPAIR"),
    "MIDPAIR": MadeClass(PAIR, _MIDDLE, otherwise="TOPPAIR"),
    "TOPPAIR": MadeClass(PAIR, _TOP, otherwise="OVERPAIR"),
    "OVERPAIR": MadeClass(PAIR, _above, otherwise="TWOPAIR"),
    "TWOPAIR": MadeClass(TWO_PAIR),
    "TOPTWO": MadeClass(TWO_PAIR, _TOP, _SECOND, otherwise="THREEOFAKIND"),
    "THREEOFAKIND": MadeClass(THREE_OF_A_KIND),
    "TRIPS": MadeClass(THREE_OF_A_KIND, _ON_BOARD_TWICE),
    "SET": MadeClass(THREE_OF_A_KIND, _ON_BOARD_ONCE),
    "BOTTOMSET": MadeClass(THREE_OF_A_KIND, _BOTTOM, otherwise="MIDSET"),
    "MIDSET": MadeClass(THREE_OF_A_KIND, _MIDDLE, otherwise="TOPSET"),
    "TOPSET": MadeClass(THREE_OF_A_KIND, _TOP),
    "STRAIGHT": MadeClass(STRAIGHT),
    "FLUSH": MadeClass(FLUSH),
    "FULLHOUSE": MadeClass(FULL_HOUSE),
    "QUADS": MadeClass(FOUR_OF_A_KIND),
    "STRAIGHTFLUSH": MadeClass(STRAIGHT_FLUSH),
}


def is_class(texture: Texture, name: str) -> Mask:
    """The hands in a class."""
    made = CLASSES[name]
    if made == MadeClass(made.category):
        first, end = _bounds(made.category)
        return (texture.high >= first) & (texture.high < end)
    return _values(texture, made)[texture.high]


def is_class_or_better(texture: Texture, name: str) -> Mask:
    """The hands with a value that is at least the least of a class."""
    return texture.high >= _least(texture, name)


def is_nuts(texture: Texture, number: int = 1) -> Mask:
    """Hands beaten by fewer than ``number`` kinds of possible hands."""
    category, lead, _ = _parts()
    highs, tops = texture.possible
    kinds = highs.astype(np.int64) * _KINDS
    # Nobody else can hold the highest card of one's flush, nor have one's quads.
    for alike, ranks in ((FLUSH, tops), (FOUR_OF_A_KIND, lead[highs])):
        inside = category[highs] == alike
        kinds[inside] = _bounds(alike)[0] * _KINDS + ranks[inside].astype(np.int64)
    order = np.argsort(kinds)
    _, starts = np.unique(kinds[order], return_index=True)
    least = np.minimum.reduceat(highs[order], starts)
    # There are less kinds than anybody counts, but a number may be any.
    return texture.high >= int(least[-min(number, len(least))])


def is_nut_straight(texture: Texture, or_better: bool) -> Mask:
    """Hands that are at least the best possible straight."""
    highs = texture.possible.highs
    inside = highs[_parts()[0][highs] == STRAIGHT]
    return _from(texture, STRAIGHT, int(inside.max()) if len(inside) else None, or_better)


def is_nut_flush(texture: Texture, or_better: bool) -> Mask:
    """Hands that are at least a flush with the highest card off the board."""
    highs, tops = texture.possible
    inside = _parts()[0][highs] == FLUSH
    if not inside.any():
        return _from(texture, FLUSH, None, or_better)
    # Flushes with that card are better than all without.
    least = highs[inside & (tops == tops[inside].max())].min()
    return _from(texture, FLUSH, int(least), or_better)


def _from(texture: Texture, category: int, least: int | None, or_better: bool) -> Mask:
    """The hands of a category from a value up, none if that is None; or better ones."""
    first, end = _bounds(category)
    if or_better:
        return texture.high >= (first if least is None else least)
    if least is None:
        return np.zeros(len(texture.high), dtype=np.bool_)
    return (texture.high >= least) & (texture.high < end)


def _least(texture: Texture, name: str) -> int:
    """The least value of a class that any hand can have."""
    made = CLASSES[name]
    if made == MadeClass(made.category):
        return _bounds(made.category)[0]
    values = _values(texture, made) & texture.reachable
    if values.any():
        return int(values.argmax())
    return _least(texture, made.otherwise) if made.otherwise else _bounds(made.category)[0]


def _values(texture: Texture, made: MadeClass) -> Mask:
    """(7463,) by value, whether it belongs to a class on the board."""
    category, first, second = _parts()
    values: Mask = category == made.category
    return values & _table(made.first(texture))[first] & _table(made.second(texture))[second]


def _table(ranks: Collection[int]) -> Mask:
    table = np.zeros(RANK_COUNT, dtype=np.bool_)
    table[list(ranks)] = True
    return table


@cache
def _parts() -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.int8]]:
    """By value the category and its first two ranks; 0 is no value and of no category."""
    rows = [(high.category, *high.ranks[:2]) for high in high_classes()]
    category, first, second = np.array([(len(CATEGORIES), 0, 0), *rows], dtype=np.int8).T
    return category, first, second


@cache
def _bounds(category: int) -> tuple[int, int]:
    """The least value of a category, and the first that is above it."""
    inside = np.flatnonzero(_parts()[0] == category)
    return int(inside[0]), int(inside[-1]) + 1
