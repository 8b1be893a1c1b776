"""Classes of made hands on a board, as sets of values.

What the best high of a hand is made of follows from its value and the board:
a pair of kings on a board with one king takes one hole card, on a board without
a king two.  So a class is the set of values that belong to it on a board.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from equity.ranges.boards import Boards
from equity.ranges.facts import Facts
from equity.rules.ranks import (
    CATEGORIES,
    FLUSH,
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    HIGH_CARD,
    PAIR,
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
Values = NDArray[np.int64]
#: Which ranks something may be of: (boards, 13).
Place = Callable[[Boards], Mask]

#: More than the ranks there are, to number kinds of hands between values.
_KINDS = 16


def _times(times: int) -> Place:
    """The ranks that the board has exactly so often."""
    return lambda boards: boards.counts == times


def _once(start: int, stop: int | None) -> Place:
    """These of the different ranks of the board, best first, if they are there once."""

    def place(boards: Boards) -> Mask:
        here = boards.counts > 0
        better = _better(here)
        number = here.sum(axis=1, keepdims=True)
        first = start if start >= 0 else number + start
        last = number if stop is None else stop if stop >= 0 else number + stop
        found: Mask = (boards.counts == 1) & (better >= first) & (better < last)
        return found

    return place


def _better(here: Mask) -> NDArray[np.int64]:
    """(boards, 13) how many of the ranks that are here are above each."""
    up_to: NDArray[np.int64] = np.cumsum(here[:, ::-1], axis=1, dtype=np.int64)[:, ::-1]
    return up_to - here


def _above(boards: Boards) -> Mask:
    here = boards.counts > 0
    found: Mask = (_better(here) == 0) & ~here
    return found


def _below(boards: Boards) -> Mask:
    here = boards.counts > 0
    found: Mask = (_better(here) > 0) & ~here
    return found


def _any(boards: Boards) -> Mask:
    return np.ones_like(boards.counts, dtype=np.bool_)


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


def is_class(texture: Facts, name: str) -> Mask:
    """The hands in a class."""
    made = CLASSES[name]
    if made == MadeClass(made.category):
        first, end = _bounds(made.category)
        return (texture.high >= first) & (texture.high < end)
    return texture.by_high(_inside(texture.boards, made))


def is_class_or_better(texture: Facts, name: str) -> Mask:
    """The hands with a value that is at least the least of a class."""
    found: Mask = texture.high >= texture.of_board(_least(texture, name))
    return found


def is_nuts(texture: Facts, number: int = 1) -> Mask:
    """Hands beaten by fewer than ``number`` kinds of possible hands."""
    category, lead, _ = _parts()
    highs, tops = texture.boards.possible
    kinds = highs.astype(np.int64) * _KINDS
    # Nobody else can hold the highest card of one's flush, nor have one's quads.
    for alike, ranks in (
        (FLUSH, np.broadcast_to(tops, highs.shape)),
        (FOUR_OF_A_KIND, lead[highs]),
    ):
        inside = category[highs] == alike
        kinds[inside] = _bounds(alike)[0] * _KINDS + ranks[inside].astype(np.int64)
    # Best first, each with the least value of its kind behind the others.
    most = len(high_classes()) + 1
    ordered = -np.sort(-(kinds * most + highs), axis=1)
    kinds, highs = ordered // most, ordered % most
    # There are less kinds than anybody counts, but a number may be any.
    better = np.cumsum(kinds[:, 1:] != kinds[:, :-1], axis=1)
    counted = np.ones(highs.shape, dtype=np.bool_)
    counted[:, 1:] = better < number
    counted &= highs > 0
    least = np.where(counted, highs, most).min(axis=1)
    found: Mask = texture.high >= texture.of_board(least)
    return found


def is_nut_straight(texture: Facts, or_better: bool) -> Mask:
    """Hands that are at least the best possible straight."""
    highs = texture.boards.possible.highs
    inside = _parts()[0][highs] == STRAIGHT
    return _from(texture, STRAIGHT, np.where(inside, highs, 0).max(axis=1), or_better)


def is_nut_flush(texture: Facts, or_better: bool) -> Mask:
    """Hands that are at least a flush with the highest card off the board."""
    highs, tops = texture.boards.possible
    inside = _parts()[0][highs] == FLUSH
    # Flushes with that card are better than all without.
    ranks = np.where(inside, tops.astype(np.int64), -1)
    best = inside & (ranks == ranks.max(axis=1, keepdims=True))
    least = np.where(best, highs, len(high_classes()) + 1).min(axis=1)
    return _from(texture, FLUSH, np.where(inside.any(axis=1), least, 0), or_better)


def _from(texture: Facts, category: int, least: Values, or_better: bool) -> Mask:
    """The hands of a category from a value up, none if that is 0; or better ones."""
    first, end = _bounds(category)
    none = first if or_better else end
    from_value = texture.of_board(np.where(least == 0, none, least))
    found: Mask = texture.high >= from_value
    return found if or_better else found & (texture.high < end)


def _least(texture: Facts, name: str) -> Values:
    """(boards,) the least value of a class that any hand can have."""
    made = CLASSES[name]
    first, end = _bounds(made.category)
    boards = texture.boards
    if made == MadeClass(made.category):
        return np.full(len(boards), first)
    at, values = np.arange(len(boards))[:, np.newaxis], np.arange(first, end)
    inside = _inside(boards, made)(at, values) & texture.reachable[:, first:end]
    others = _least(texture, made.otherwise) if made.otherwise else np.full(len(boards), first)
    return np.where(inside.any(axis=1), first + inside.argmax(axis=1), others)


def _inside(boards: Boards, made: MadeClass) -> Callable[[Values, Values], Mask]:
    """Whether values belong to a class, for the numbers of boards and highs."""
    category, first, second = _parts()
    one, two = made.first(boards), made.second(boards)

    def test(at: Values, values: Values) -> Mask:
        found: Mask = category[values] == made.category
        return found & one[at, first[values]] & two[at, second[values]]

    return test


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
