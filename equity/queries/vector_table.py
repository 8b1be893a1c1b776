"""The table of what functions compute, and facts of cards that they share."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equity.queries.columns import Column
from equity.queries.frame import Frame
from equity.queries.functions import FUNCTIONS
from equity.rules import tables
from equity.rules.cards import SUITS
from equity.rules.ranks import RANK_COUNT

__all__ = [
    "FLUSH_BOARD",
    "VECTORS",
    "Values",
    "board_ranks",
    "board_suits",
    "compute",
    "held_ranks",
    "held_twice",
    "nth_ranks",
    "rank_counts",
    "straights",
    "suits_of",
    "vector",
]

#: An array with an entry for each deal.
Values = Any
#: Cards of a suit on the board that allow a flush, and of ranks on it that allow a straight.
FLUSH_BOARD = 3

VECTORS: dict[str, Callable[..., Any]] = {}


def compute(frame: Frame, name: str, arguments: list[Any]) -> Column:
    """The values of a function."""
    found = VECTORS[name](frame, *arguments)
    return found if isinstance(found, Column) else Column(np.asarray(found))


def vector(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Enter a function into the table by the names of its rows."""

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        for name in names:
            if name not in FUNCTIONS and name.lower() not in FUNCTIONS:
                raise KeyError(name)
            VECTORS[name] = function
        return function

    return enter


# Lookup tables over the bit masks of ranks


@cache
def rank_counts() -> NDArray[np.int64]:
    """How many ranks each mask has."""
    return np.bitwise_count(np.arange(1 << RANK_COUNT)).astype(np.int64)


@cache
def nth_ranks() -> NDArray[np.int64]:
    """(14, masks): the n-th highest rank of each mask, -1 if there is none."""
    masks = np.arange(1 << RANK_COUNT)
    found = np.full((RANK_COUNT + 1, len(masks)), -1, np.int64)
    seen = np.zeros(len(masks), np.int64)
    for rank in range(RANK_COUNT - 1, -1, -1):
        holds = (masks >> rank) & 1 == 1
        seen += holds
        rows = np.flatnonzero(holds)
        found[seen[rows], rows] = rank
    return found


@cache
def straights() -> NDArray[np.bool_]:
    """Whether three ranks of each mask lie in one straight."""
    masks = np.arange(1 << RANK_COUNT)
    straights = tables.array("straight").astype(np.int64)
    found: NDArray[np.bool_] = np.any(
        rank_counts()[masks[:, None] & straights] >= FLUSH_BOARD, axis=1
    )
    return found


# Ranks and suits


def ranks_of(cards: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Masks of the ranks that rows of cards have, and have twice."""
    held = np.zeros(len(cards), np.int64)
    twice = np.zeros(len(cards), np.int64)
    for column in cards.T:
        bit = np.int64(1) << (column >> 2).astype(np.int64)
        twice |= held & bit
        held |= bit
    return held, twice


def suits_of(cards: NDArray[np.uint8]) -> list[NDArray[np.int64]]:
    """How many cards of each suit rows have."""
    packed = np.zeros(len(cards), np.int64)
    for column in cards.T:
        packed += np.int64(1) << (4 * (column & 3).astype(np.int64))
    return [(packed >> 4 * suit) & 15 for suit in range(len(SUITS))]


def held_ranks(frame: Frame, player: int) -> Values:
    """Ranks of a hand."""
    return frame.per_hand(player, "ranks", lambda cards: ranks_of(cards)[0])


def held_twice(frame: Frame, player: int) -> Values:
    """Ranks that a hand has twice."""
    return frame.per_hand(player, "twice", lambda cards: ranks_of(cards)[1])


def board_ranks(frame: Frame, size: int) -> tuple[Values, Values]:
    """Ranks on a board, and those that are there twice."""
    return frame.once(("board ranks", size), lambda: ranks_of(frame.board(size)))


def board_suits(frame: Frame, size: int) -> list[Values]:
    """How many cards of each suit a board has."""
    return frame.once(("board suits", size), lambda: suits_of(frame.board(size)))
