"""Kinds of flops: by their suits, pairs or highest card."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equity.ranges.boards import Boards
from equity.rules.cards import RANKS, SUITS

__all__ = ["ALL", "SPLITS", "kinds_of"]

Mask = NDArray[np.bool_]

#: The kind of all boards.
ALL = "all"


def _most_of_a_suit(boards: Boards) -> NDArray[np.int64]:
    suits = boards.cards % 4
    counts = [np.count_nonzero(suits == suit, axis=1) for suit in range(len(SUITS))]
    most: NDArray[np.int64] = np.stack(counts).max(axis=0)
    return most


def _most_of_a_rank(boards: Boards) -> NDArray[np.int8]:
    most: NDArray[np.int8] = boards.counts.max(axis=1)
    return most


def _highest(boards: Boards) -> NDArray[np.integer]:
    highest: NDArray[np.integer] = boards.cards.max(axis=1) // 4
    return highest


#: Ranks of which each is a kind of its own when it is the highest.
_HIGH_RANKS = "AKQJT"
#: Ways to split flops: by name what decides the kind, and the values of each kind.
SPLITS: dict[str, tuple[Callable[[Boards], NDArray[Any]], dict[str, tuple[int, ...]]]] = {
    "suits": (_most_of_a_suit, {"monotone": (3,), "two-tone": (2,), "rainbow": (1,)}),
    "pairs": (_most_of_a_rank, {"unpaired": (1,), "paired": (2,), "trips": (3,)}),
    "high": (
        _highest,
        {f"{rank} high": (RANKS.index(rank),) for rank in _HIGH_RANKS}
        | {"9 down": tuple(range(RANKS.index(_HIGH_RANKS[-1])))},
    ),
}


def kinds_of(boards: Boards, by: str | None) -> dict[str, Mask]:
    """By kind, which boards are of it."""
    kinds = {ALL: np.ones(len(boards), np.bool_)}
    if by is not None:
        decide, values = SPLITS[by]
        found = decide(boards)
        kinds |= {kind: np.isin(found, some) for kind, some in values.items()}
    return kinds
