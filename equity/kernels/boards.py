"""Counts runouts by their multiset of ranks.

The ranks of a board decide most of what a hand makes of it.  The number of runouts with
given ranks is a product of small numbers, and so is the number of those that put three
cards of a suit on the board.
"""

from __future__ import annotations

from typing import Any

from equity.kernels.jit import jit

RANKS = 13
#: Copies of a rank in a multiset of five: none to five, though five cannot be dealt.
COPIES = 6
#: Counts written by one vector operation.
LANES = 16
#: A board with this many cards of a suit allows a flush.
FLUSH_CARDS = 3


@jit
def multiset(tables: Any, ranks: Any) -> int:
    """The index of the multiset of five ranks, given in any order."""
    triple = tables.triple[ranks[0], ranks[1], ranks[2]]
    return int(tables.board[triple, tables.pair[ranks[3], ranks[4]]])


@jit
def bits(mask: int) -> int:
    """The number of bits set in a mask of up to 16 bits."""
    mask = mask - ((mask >> 1) & 0x5555)
    mask = (mask & 0x3333) + ((mask >> 2) & 0x3333)
    mask = (mask + (mask >> 4)) & 0x0F0F
    return (mask + (mask >> 8)) & 0x1F


@jit
def ways_of_rank(ways: Any, rank: int, cards: int) -> None:
    """Set ``ways[n, rank]`` to the number of ways to draw n of ``cards`` cards."""
    ways[0, rank] = 1
    ways[1, rank] = cards
    ways[2, rank] = cards * (cards - 1) // 2
    ways[3, rank] = cards * (cards - 1) * (cards - 2) // 6
    ways[4, rank] = cards // 4
    ways[5, rank] = 0


@jit
def count_runouts(tables: Any, spot: Any, work: Any, suits: int) -> int:
    """Fill ``total``, ``suited``, ``column`` and ``leaf``; return the number of leaves.

    A leaf is a multiset of the ranks to come.  ``column`` maps it to the index of the
    whole board's multiset, ``leaf`` is the inverse.
    """
    # Asking for three of a suit with three there already counts all runouts.
    leaves = _count_flushes(spot, work, 0, FLUSH_CARDS, work.total)
    for at in range(suits):
        on_board = min(bits(work.known[work.suit[at]]), FLUSH_CARDS)
        _count_flushes(spot, work, at, on_board, work.suited[at])
    _number_leaves(tables, spot, work, leaves)
    return leaves


@jit
def _count_flushes(spot: Any, work: Any, at: int, on_board: int, counts: Any) -> int:
    """Count by leaf the runouts that put three cards of a suit on the board.

    ``on_board`` of the suit are there already.  Leaves are ordered by their ranks, the
    highest first, so those that differ only in the last two ranks are adjacent.  A leaf is
    counted as a prefix of up to three ranks times a tail of up to two.  The tails of a
    prefix are processed in whole vectors; lanes written past the end are overwritten later.
    """
    missing = 5 - spot.known
    length = max(missing - 2, 0)
    tails = _count_tails(work, at, missing - length)
    ranks = work.ranks
    for place in range(spot.known, 5):
        ranks[place] = 0
    every = work.ways[0]
    outside = work.ways[1 + at]
    inside = work.inside[at]
    leaves = 0
    while True:
        # The ranks before the last run of the prefix, which is ranks[known:3].
        last = RANKS - 1
        copies = 0
        closed = (int(on_board == 0), int(on_board == 1), int(on_board == 2), int(on_board == 3))
        if length:
            last = ranks[2]
            copies = 1
            while copies < length and ranks[2 - copies] == last:
                copies += 1
            tails = last * (last + 1) // 2
            if length - copies == 2 and ranks[0] == ranks[1]:
                closed = _draw(closed, every, outside, inside, 2, ranks[0])
            else:
                for place in range(spot.known, 3 - copies):
                    closed = _draw(closed, every, outside, inside, 1, ranks[place])
        # Tails of ranks below the last of the prefix, or all if there is none.
        _, one, two, three = _draw(closed, every, outside, inside, copies, last)
        for start in range(0, tails, LANES):
            target = counts[leaves + start : leaves + start + LANES]
            tail_ways = work.tail_ways[start : start + LANES]
            tail_some = work.tail_some[start : start + LANES]
            tail_both = work.tail_both[start : start + LANES]
            for lane in range(LANES):
                target[lane] = (
                    three * tail_ways[lane] + two * tail_some[lane] + one * tail_both[lane]
                )
        leaves += tails
        if not length:
            break
        # Tails that repeat the last rank of the prefix, once and twice.
        _, one, two, three = _draw(closed, every, outside, inside, copies + 1, last)
        target = counts[leaves : leaves + LANES]
        for lane in range(LANES):
            target[lane] = three * every[1, lane] + two * inside[1, lane]
        leaves += last
        counts[leaves] = _draw(closed, every, outside, inside, copies + 2, last)[3]
        leaves += 1

        # The next prefix: increment the last rank that allows it, reset those after it.
        place = 2
        while place > spot.known and ranks[place] == ranks[place - 1]:
            place -= 1
        if ranks[place] == RANKS - 1:
            break
        ranks[place] += 1
        for later in range(place + 1, 3):
            ranks[later] = 0
    return leaves


@jit
def _draw(before: Any, every: Any, outside: Any, inside: Any, copies: int, rank: int) -> Any:
    """Extend the counts of boards by copies of a rank.

    Boards are counted by their number of cards of a suit: 0, 1, 2, 3 or more.  A drawn
    rank adds at most one.
    """
    none, one, two, three = before
    drawn = inside[copies, rank]
    rest = outside[copies, rank]
    return (
        none * rest,
        one * rest + none * drawn,
        two * rest + one * drawn,
        three * every[copies, rank] + two * drawn,
    )


@jit
def _count_tails(work: Any, at: int, length: int) -> int:
    """Count the ways to draw the last ``length`` ranks; return the number of tails.

    ``tail_ways`` counts all, ``tail_some`` those with one or two cards of the suit,
    ``tail_both`` those with two.
    """
    every, outside, inside = work.ways[0], work.ways[1 + at], work.inside[at]
    tails = 0
    for first in range(RANKS if length else 1):
        if length == 2:
            for second in range(first):
                work.tail_ways[tails] = every[1, first] * every[1, second]
                work.tail_some[tails] = (
                    work.tail_ways[tails] - outside[1, first] * outside[1, second]
                )
                work.tail_both[tails] = inside[1, first] * inside[1, second]
                tails += 1
        work.tail_ways[tails] = every[length, first]
        work.tail_some[tails] = inside[length, first]
        work.tail_both[tails] = 0
        tails += 1
    return tails


@jit
def _number_leaves(tables: Any, spot: Any, work: Any, leaves: int) -> None:
    """Fill ``column`` and ``leaf``, in the order in which leaves are enumerated."""
    if spot.known == 0:
        for at in range(leaves):
            work.column[at] = at
            work.leaf[at] = at
        return
    ranks = work.ranks
    for at in range(5):
        ranks[at] = spot.board[at] >> 2 if at < spot.known else 0
    for leaf in range(leaves):
        number = multiset(tables, ranks)
        work.column[leaf] = number
        work.leaf[number] = leaf
        at = 4
        while at > spot.known and ranks[at] == ranks[at - 1]:
            at -= 1
        if at >= spot.known:
            ranks[at] += 1
            for later in range(at + 1, 5):
                ranks[later] = 0
