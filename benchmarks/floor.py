"""What the work would take if nothing stood in its way but the processor.

The peaks are measured by small kernels: loads of which each waits for the one before,
loads that do not, and vectors of loads and comparisons.  The counts are those of the
best way that is known, with nothing added: no branches, no bookkeeping, no setting up.
Everything is taken to lie near the core.  So a floor cannot be reached, and the ratio
to it says what there is left to win at most.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple, TypeVar

import numba
import numpy as np

from equity.rules import tables
from equity.rules.cards import DECK_SIZE, parse_cards

__all__ = ["Floor", "Peaks", "live_classes", "peaks", "sampler", "sweep", "walk", "walk_by_boards"]

#: Bytes of tables that fit into the caches next to a core, into the next ones, and not.
NEAR, MIDDLE, FAR = 16 << 10, 256 << 10, 2 << 20
#: Columns of the table of highs.
ROW = tables.MULTISETS
TRIES = 5
STEPS = 200_000
SUITS = 4

Function = TypeVar("Function", bound=Callable[..., Any])


def _jit(function: Function) -> Function:
    """Compile a kernel when it is first called."""
    compiled: Function = numba.njit(nogil=True, error_model="numpy")(function)
    return compiled


@_jit
def chase(table: Any, steps: int) -> int:
    """Follow a table from entry to entry: each load waits for the one before."""
    at = 0
    for _ in range(steps):
        at = table[at]
    return int(at)


@_jit
def gather(table: Any, index: Any, rounds: int) -> int:
    """Add up entries at places that are known beforehand: loads that wait for nothing."""
    one = two = three = four = 0
    for _ in range(rounds):
        for at in range(0, index.size, 4):
            one += table[index[at]]
            two += table[index[at + 1]]
            three += table[index[at + 2]]
            four += table[index[at + 3]]
    return int(one + two + three + four)


@_jit
def stride(table: Any, rounds: int) -> int:
    """The same with places that are computed, not loaded."""
    mask = np.uint64(table.size - 1)
    one = np.uint64(1)
    two = np.uint64(7)
    three = np.uint64(11)
    four = np.uint64(13)
    total = 0
    for _ in range(rounds):
        total += table[one] ^ table[two] ^ table[three] ^ table[four]
        one = (one + np.uint64(97)) & mask
        two = (two + np.uint64(101)) & mask
        three = (three + np.uint64(103)) & mask
        four = (four + np.uint64(107)) & mask
    return int(total)


@_jit
def largest(rows: Any, rounds: int) -> int:
    """The largest of some numbers, in vectors: a load and a comparison a lane."""
    best = np.uint16(0)
    for _ in range(rounds):
        for at in range(rows.size):
            value = rows[at]
            best = value if value > best else best
        # Or one round would be enough.
        rows[0] = best
    return int(best)


@_jit
def beaten(mine: Any, taken: Any, other: Any, other_taken: Any, sums: Any) -> None:
    """Hands against hands: two loads and three comparisons a lane."""
    for one in range(mine.size):
        value = mine[one]
        mask = taken[one]
        for at in range(other.size):
            result = 1 + ((value > other[at]) << 20) + ((value == other[at]) << 40)
            sums[at] += result if (mask & other_taken[at]) == 0 else 0


class Peaks(NamedTuple):
    """What the processor does a second at best."""

    #: Loads of which each waits for the one before, from tables of three sizes.
    waiting: tuple[float, float, float]
    #: Loads that wait for nothing.
    loads: tuple[float, float, float]
    #: Lanes of 16 bits of which the largest is kept; of 64 bits, hand against hand.
    lanes: float
    pairs: float


class Floor(NamedTuple):
    """What is needed, and the seconds of it at the peak."""

    loads: float
    compares: float
    seconds: float


def _peak(function: Callable[[], object], amount: float) -> float:
    """How much a second, the best of some tries."""
    function()
    times = []
    for _ in range(TRIES):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return amount / min(times)


def peaks() -> Peaks:
    """Measure what the processor does at best."""
    chance = np.random.default_rng(0)
    waiting, loads = [], []
    for size in (NEAR, MIDDLE, FAR):
        entries = size // 8
        order = chance.permutation(entries)
        table = np.empty(entries, np.int64)
        table[order] = np.roll(order, 1)
        waiting.append(_peak(partial(chase, table, STEPS), STEPS))
        index = chance.integers(0, entries, 1024 if size == NEAR else entries).astype(np.int32)
        rounds = max(1, 1_000_000 // index.size)
        found = _peak(
            partial(gather, table, index, rounds),
            rounds * index.size,
        )
        if size == NEAR:
            # What says where to look is a load as well, and as near.  Regular steps need
            # none, but far from the core they find what chance would not.
            found = max(2 * found, _peak(partial(stride, table, STEPS), 4 * STEPS))
        loads.append(found)
    rows = chance.integers(0, 7_463, 6 * ROW).astype(np.uint16)
    lanes = _peak(lambda: largest(rows, 50), 50 * rows.size)
    values = chance.integers(0, 7_463, 64)
    taken = chance.integers(0, 1 << 16, 64)
    sums = np.zeros(64, np.int64)

    def all_pairs() -> None:
        for _ in range(20):
            beaten(values, taken, values, taken, sums)

    return Peaks(
        (waiting[0], waiting[1], waiting[2]),
        (loads[0], loads[1], loads[2]),
        lanes,
        _peak(all_pairs, 20 * 64 * 64),
    )


def live_classes(hands: list[str]) -> int:
    """Classes of boards before the flop: same ranks, and same ranks in a suit that matters."""
    ids = [parse_cards(hand, "hand") for hand in hands]
    taken = {card for hand in ids for card in hand}
    live = np.array([card for card in range(DECK_SIZE) if card not in taken], np.uint8)
    boards = live[np.array(list(combinations(range(len(live)), 5)), np.uint8)]
    by_ranks = np.zeros(len(boards), np.int64)
    for place in range(5):
        by_ranks += np.int64(1) << 3 * (boards[:, place] >> 2).astype(np.int64)
    of_suit = np.zeros(len(boards), np.int64)
    for suit in range(SUITS):
        if all(sum(card & 3 == suit for card in hand) < 2 for hand in ids):
            continue
        inside = (boards & 3) == suit
        mask = (inside * (np.int64(1) << (boards >> 2).astype(np.int64))).sum(axis=1)
        of_suit += (inside.sum(axis=1) >= 3) * (mask + (np.int64(suit + 1) << 13))
    # Both fit into one number each; pairs of them are what is told apart.
    _, ranks = np.unique(by_ranks, return_inverse=True)
    return len(np.unique(ranks.astype(np.int64) << 16 | of_suit))


def walk_by_boards(peak: Peaks, hands: list[str]) -> Floor:
    """Known hands the classical way: every live class of boards, once.

    For each class and player one load of what the ranks make of it and one of what
    its suit makes; the class's count beside it costs nothing here.
    """
    classes = live_classes(hands)
    loads = classes * 2 * len(hands)
    return Floor(loads, classes * (2 * len(hands) - 1), loads / peak.loads[0])


def walk(peak: Peaks, players: int, hole: int, suits: int) -> Floor:
    """Known hands by multisets of ranks, whole vectors of them.

    For each player a row of the table for each pair of his ranks, and two more to find
    who has the best; counts, twice as wide, of all boards and of those with a flush in
    each suit that matters, which are written, read, and taken from the others.  At the
    end one count of each multiset goes to its winners, which takes two single loads.
    """
    pairs = hole * (hole - 1) // 2
    lanes = (players * (pairs + 2) + 2 * (1 + 3 * suits)) * ROW
    loads = 2 * ROW
    return Floor(
        lanes + loads,
        players * (pairs + 2) * ROW,
        lanes / peak.lanes + loads / peak.loads[0],
    )


def sweep(peak: Peaks, live: float, hole: int) -> Floor:
    """Two ranges on a board, ``live`` hands of both: no low.

    A hand is valued by two loads, of its ranks and of its suit; sorted by counting,
    two more; swept in, one for each set of fewer cards; and asked about twice, what is
    below it and what is not above.
    """
    sets = (1 << hole) - 1
    loads = (4 + 3 * sets) * live
    return Floor(loads, 2 * live, loads / peak.loads[0])


def sampler(peak: Peaks, boards: float, hands: int, hole: int) -> Floor:
    """Two ranges on random boards, ``hands`` of each on a board: no low.

    A hand is valued by one load for each of its pairs, and all are compared with all.
    """
    pairs = hole * (hole - 1) // 2
    valued = boards * 2 * hands * pairs
    compared = boards * hands * hands
    return Floor(
        valued + 2 * compared,
        valued + 3 * compared,
        valued / peak.loads[0] + compared / peak.pairs,
    )
