"""The rules of made hands, written once for clarity, not speed.

Everything fast in the package is generated from this module or checked
against it.  A made hand is five cards.  Its high is a :class:`High`, its low
a tuple of ranks; both are numbered from the worst, 1, to the best.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

__all__ = [
    "CATEGORIES",
    "RANK_COUNT",
    "STRAIGHTS",
    "High",
    "high_classes",
    "high_of",
    "high_value",
    "low_classes",
    "low_of",
    "low_value",
]

RANK_COUNT = 13
ACE = 12

#: Categories of high hands, worst first; a High holds the position in here.
CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
(
    HIGH_CARD,
    PAIR,
    TWO_PAIR,
    THREE_OF_A_KIND,
    STRAIGHT,
    FLUSH,
    FULL_HOUSE,
    FOUR_OF_A_KIND,
    STRAIGHT_FLUSH,
) = range(len(CATEGORIES))

#: The ranks of each straight, best first: A-K-Q-J-T down to 5-4-3-2-A.
STRAIGHTS = (*(tuple(range(top, top - 5, -1)) for top in range(ACE, 3, -1)), (3, 2, 1, 0, ACE))

_STRAIGHT_OF_RANKS = {frozenset(straight): straight for straight in STRAIGHTS}

_CATEGORY_OF_GROUPS = {
    (1, 1, 1, 1, 1): HIGH_CARD,
    (2, 1, 1, 1): PAIR,
    (2, 2, 1): TWO_PAIR,
    (3, 1, 1): THREE_OF_A_KIND,
    (3, 2): FULL_HOUSE,
    (4, 1): FOUR_OF_A_KIND,
}


class High(NamedTuple):
    """A high hand; of two, the greater wins."""

    category: int
    #: Distinct ranks in the order in which they are compared: of a full house
    #: the three, then the two; of a straight the ranks down from its top.
    ranks: tuple[int, ...]


def high_of_ranks(ranks: Iterable[int], suited: bool) -> High:
    """The high hand of five ranks, all of one suit or not."""
    counts = Counter(ranks)
    groups = sorted(((count, rank) for rank, count in counts.items()), reverse=True)
    ordered = tuple(rank for _, rank in groups)
    straight = _STRAIGHT_OF_RANKS.get(frozenset(ordered))
    if straight is not None:
        return High(STRAIGHT_FLUSH if suited else STRAIGHT, straight)
    if suited:
        return High(FLUSH, ordered)
    return High(_CATEGORY_OF_GROUPS[tuple(count for count, _ in groups)], ordered)


def high_of(cards: Sequence[int]) -> High:
    """The high hand of five card ids."""
    suits = {card % 4 for card in cards}
    return high_of_ranks((card // 4 for card in cards), suited=len(suits) == 1)


def low_of(cards: Sequence[int]) -> tuple[int, ...] | None:
    """The low of five card ids, or None if they do not qualify.

    A low is five different ranks of eight or lower, the ace being low (1);
    straights and flushes do not count.  It is given from the highest rank
    down, ``(8, 5, 3, 2, 1)``; of two, the lesser wins.
    """
    return low_of_ranks(card // 4 for card in cards)


def low_of_ranks(ranks: Iterable[int]) -> tuple[int, ...] | None:
    """The low of five ranks (0 is a two), or None; see :func:`low_of`."""
    distinct = {1 if rank == ACE else rank + 2 for rank in ranks}
    if len(distinct) < 5 or max(distinct) > 8:
        return None
    return tuple(sorted(distinct, reverse=True))


@cache
def high_classes() -> tuple[High, ...]:
    """All 7,462 high hands, worst first."""
    unsuited = {
        high_of_ranks(ranks, suited=False)
        for ranks in combinations_with_replacement(range(RANK_COUNT), 5)
        if max(Counter(ranks).values()) <= 4
    }
    suited = {high_of_ranks(ranks, suited=True) for ranks in combinations(range(RANK_COUNT), 5)}
    return tuple(sorted(unsuited | suited))


@cache
def low_classes() -> tuple[tuple[int, ...], ...]:
    """All 56 lows, worst first."""
    lows = (tuple(sorted(ranks, reverse=True)) for ranks in combinations(range(1, 9), 5))
    return tuple(sorted(lows, reverse=True))


@cache
def _high_values() -> dict[High, int]:
    return {high: value for value, high in enumerate(high_classes(), 1)}


@cache
def _low_values() -> dict[tuple[int, ...], int]:
    return {low: value for value, low in enumerate(low_classes(), 1)}


def high_value(high: High) -> int:
    """The number of a high hand, 1 (7-5-4-3-2) to 7,462 (royal flush)."""
    return _high_values()[high]


def low_value(low: tuple[int, ...] | None) -> int:
    """The number of a low, 1 (8-7-6-5-4) to 56 (5-4-3-2-A), 0 for none."""
    return 0 if low is None else _low_values()[low]
