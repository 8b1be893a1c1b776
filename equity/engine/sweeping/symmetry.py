"""Suits that may change places, and boards that are alike for it.

A set of cards is a bit mask, bit ``card``; the four suits of a rank are
neighbours, so a permutation of suits moves every fourth bit at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from equity.rules.cards import DECK_SIZE
from equity.rules.games import BOARD_SIZE

__all__ = [
    "IDENTITY",
    "Boards",
    "Suits",
    "cards_of",
    "completions",
    "masks",
    "orbits",
    "shared",
    "symmetries",
]

#: Where each suit goes.
Suits = tuple[int, ...]
Masks = NDArray[np.int64]

IDENTITY: Suits = (0, 1, 2, 3)
#: The cards of the first suit.
_SUIT = sum(1 << card for card in range(0, DECK_SIZE, 4))
#: A permutation is tried on so many hands first.
_SAMPLE = 1_000
#: Hands that are worked on in one go, for lists of many not to take their memory again.
_PIECE = 1 << 18


class Boards(NamedTuple):
    """Complete boards, one for each that are alike."""

    #: (n, 5) uint8, the known cards first.
    cards: NDArray[np.uint8]
    #: (n,) int64, how many boards each stands for.
    size: NDArray[np.int64]


def masks(cards: NDArray[np.uint8]) -> Masks:
    """The bit mask of each row of cards."""
    found = np.zeros(len(cards), np.int64)
    bits = np.int64(1) << np.arange(64)
    for start in range(0, len(cards), _PIECE):
        piece = found[start : start + _PIECE]
        for column in cards[start : start + _PIECE].T:
            piece |= bits[column]
    return found


def cards_of(held: Masks, count: int) -> NDArray[np.uint8]:
    """(n, count) uint8: the cards of masks that have so many, ascending."""
    cards = np.empty((len(held), count), np.uint8)
    for place in range(count):
        lowest = held & -held
        # A power of two is a half times two to its exponent.
        cards[:, place] = np.frexp(lowest.astype(np.float64))[1] - 1
        held = held ^ lowest
    return cards


def _mask(cards: Iterable[int]) -> int:
    return sum(1 << card for card in cards)


def _moved(held: Masks, suits: Suits) -> Masks:
    """The masks with their suits permuted."""
    moved = np.zeros_like(held)
    for suit, to in enumerate(suits):
        moved |= (held >> suit & _SUIT) << to
    return moved


def symmetries(
    held: Masks, weights: NDArray[np.int64], fixed: Sequence[Sequence[int]]
) -> list[Suits]:
    """The permutations of suits that change nothing; the identity comes first.

    Parameters
    ----------
    held:
        Masks of the hands, ascending.
    weights:
        A row for each hand, which stays with its hand.
    fixed:
        Sets of cards that stay what they are.
    """
    group = {IDENTITY}
    sets = np.array([_mask(cards) for cards in fixed], np.int64)
    for suits in permutations(IDENTITY):
        if (
            suits not in group
            and np.array_equal(_moved(sets, suits), sets)
            and _keeps(held, weights, suits)
        ):
            group = _closed(group | {suits})
    return sorted(group)


def _keeps(held: Masks, weights: NDArray[np.int64], suits: Suits) -> bool:
    """Whether a permutation takes all hands to hands of the same weights."""
    few = slice(None, None, max(1, len(held) // _SAMPLE))
    for some in (few, *(slice(at, at + _PIECE) for at in range(0, len(held), _PIECE))):
        moved = _moved(held[some], suits)
        at = np.minimum(np.searchsorted(held, moved), len(held) - 1)
        if not np.array_equal(held[at], moved):
            return False
        if not np.array_equal(weights[at], weights[some]):
            return False
    return True


def _closed(group: set[Suits]) -> set[Suits]:
    """The group that some permutations generate."""
    while True:
        products = {tuple(two[suit] for suit in one) for one in group for two in group}
        if products <= group:
            return group
        group |= products


def completions(known: Sequence[int], dead: Sequence[int], group: Sequence[Suits]) -> Boards:
    """The boards that ``known`` can become, one for each orbit of ``group``."""
    gone = {*known, *dead}
    live = np.array([card for card in range(DECK_SIZE) if card not in gone], np.int64)
    drawn = _choose(live, BOARD_SIZE - len(known))
    # The smallest mask stands for its orbit.
    for suits in group:
        drawn = drawn[_moved(drawn, suits) >= drawn]
    fixed = np.zeros(len(drawn), np.int64)
    for suits in group:
        fixed += _moved(drawn, suits) == drawn
    # In an order without a pattern, so that some of them tell about all.
    order = np.random.default_rng(0).permutation(len(drawn))
    cards = np.empty((len(drawn), BOARD_SIZE), np.uint8)
    cards[:, : len(known)] = known
    cards[:, len(known) :] = cards_of(drawn[order], BOARD_SIZE - len(known))
    return Boards(cards, len(group) // fixed[order])


def _choose(cards: NDArray[np.int64], count: int) -> Masks:
    """The masks of all choices of ``count`` cards."""
    chosen = np.zeros(1, np.int64)
    following = np.zeros(1, np.int64)
    for _ in range(count):
        ways = len(cards) - following
        first = np.cumsum(ways) - ways
        added = np.arange(ways.sum()) + np.repeat(following - first, ways)
        chosen = np.repeat(chosen, ways) | np.int64(1) << cards[added]
        following = added + 1
    return chosen


def orbits(held: Masks, group: Sequence[Suits]) -> Masks:
    """For each mask the smallest of its orbit."""
    smallest = held
    for suits in group:
        smallest = np.minimum(smallest, _moved(held, suits))
    return smallest


def shared(sums: NDArray[np.int64], held: Masks, group: Sequence[Suits]) -> NDArray[np.int64]:
    """Sums by hand, taken over boards that stand for others, put right.

    The sum over the hands of an orbit is right, and so is an equal share of it.
    """
    if len(group) == 1:
        return sums
    _, which, count = np.unique(orbits(held, group), return_inverse=True, return_counts=True)
    order = np.argsort(which, kind="stable")
    starts = np.cumsum(count) - count
    totals = np.add.reduceat(sums[order], starts, axis=0)
    result: NDArray[np.int64] = (totals // count.reshape(-1, *[1] * (sums.ndim - 1)))[which]
    return result
