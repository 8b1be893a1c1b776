"""Card removal in bulk: how much of a range each hand blocks."""

from __future__ import annotations

from math import comb, factorial

import numpy as np
from numpy.typing import NDArray

from equity.errors import RangeError
from equity.ranges.hands import HandSpace, sets_below
from equity.rules.cards import DECK_SIZE

__all__ = ["blocked_combos"]

Counts = NDArray[np.int64]
#: By set of cards less one, (cards, sets): the numbers of the sets that are left.
Parents = NDArray[np.int32]

_CHUNK = 1 << 15
_MOST = 9e18
#: (size, card) the sets of ``size`` cards below ``card``; numbers of sets are sums of them.
_BELOW = sets_below().astype(np.int32)


def blocked_combos(
    space: HandSpace, numbers: NDArray[np.integer], weights: NDArray[np.integer] | None = None
) -> Counts:
    """Count, or sum the weights of, the combos of a range that each hand blocks.

    With N(T) the hands among ``numbers`` that hold all cards of T, a hand shares
    no card with the sum of (-1)^|T| N(T) over the subsets T of its cards.

    Parameters
    ----------
    space:
        The hands, of up to seven cards.
    numbers:
        The numbers of the hands that may be blocked, each once.
    weights:
        Their weights, from 0; 1 each if not given.

    Returns
    -------
    (space.size,) int64, for every hand of the space in its order.

    Raises
    ------
    RangeError
        The weights are too large to be added up.
    """
    size = space.cards
    weights = np.ones(len(numbers), dtype=np.int64) if weights is None else weights
    # No sum below is more than this, see _gathered.
    if float(weights.sum(dtype=np.float64)) * 2**size * factorial(size) > _MOST:
        raise RangeError("the weights are too large to be added up", hint="give smaller ones")
    total = int(weights.sum(dtype=np.int64))
    held = np.zeros(space.size, dtype=np.int64)
    held[numbers] = weights
    subsets = _subsets(size - 1)
    sums = _gathered(_holding(space, numbers, weights, subsets), subsets, size)

    # The last of the steps of _gathered, for hands in the order of the space.
    sign, factor = (-1) ** size, factorial(size)
    for start in range(0, space.size, _CHUNK):
        piece = held[start : start + _CHUNK]
        hands = space.hands(np.arange(start, start + len(piece)))
        disjoint = piece * (sign * factor)
        for parent in _without_one(hands):
            disjoint += sums.take(parent)
        piece[:] = total - disjoint // factor
    return held


def _subsets(size: int) -> list[Parents]:
    """By number of cards up to ``size``, the sets less each of their cards.

    Sets of some size are numbered by their highest card, then the next.
    """
    found = []
    sets = np.zeros((1, 0), dtype=np.uint8)
    for cards in range(1, size + 1):
        blocks = []
        for top in range(cards - 1, DECK_SIZE):
            rest = sets[: comb(top, cards - 1)]
            blocks.append(np.column_stack([np.full(len(rest), top, dtype=np.uint8), rest]))
        sets = np.concatenate(blocks)
        found.append(_without_one(sets))
    return found


def _without_one(sets: NDArray[np.uint8]) -> Parents:
    """(cards, n) the numbers of (n, cards) sets, descending, without each of their cards."""
    cards = sets.shape[1]
    # A card after the one left out moves up by one place.
    before = np.zeros(len(sets), dtype=np.int32)
    out = np.zeros((cards, len(sets)), dtype=np.int32)
    # As what numpy takes by, and each column together: both are read several times.
    for at, column in enumerate(sets.T.astype(np.intp)):
        out[at] += before
        before += _BELOW[cards - 1 - at].take(column)
        if at:
            out[:at] += _BELOW[cards - at].take(column)
    return out


def _holding(
    space: HandSpace,
    numbers: NDArray[np.integer],
    weights: NDArray[np.integer],
    subsets: list[Parents],
) -> list[Counts]:
    """By number of cards, how many of the hands hold each set."""
    size = space.cards
    counts = np.zeros(comb(DECK_SIZE, size - 1), dtype=np.int64)
    for start in range(0, len(numbers), _CHUNK):
        piece = slice(start, start + _CHUNK)
        for parent in _without_one(space.hands(numbers[piece])):
            np.add.at(counts, parent, weights[piece])
    found = [counts]
    for cards in range(size - 1, 0, -1):
        fewer = np.zeros(comb(DECK_SIZE, cards - 1), dtype=np.int64)
        for parent in subsets[cards - 1]:
            np.add.at(fewer, parent, found[0])
        # Every hand has come once for each of its cards outside the set.
        fewer //= size - cards + 1
        found.insert(0, fewer)
    return found


def _gathered(holding: list[Counts], subsets: list[Parents], size: int) -> Counts:
    """The sums over the subsets of each set of ``size - 1`` cards.

    Adding up what sets have over the sets of one more card counts a subset of c
    cards (size - c)! times on its way to ``size`` cards.  So it goes in size! /
    (size - c)! times, and all subsets are size! times in the end.
    """
    sums = holding[0]
    for cards, parents in enumerate(subsets, 1):
        times = factorial(size) // factorial(size - cards)
        sums = (-1) ** cards * times * holding[cards] + sum(sums[parent] for parent in parents)
    return sums
