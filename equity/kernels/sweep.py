"""Solves range against range on complete boards by a sweep, not pair by pair.

On one board the hands of both ranges are sorted by value and swept in from the
worst up, equal ones together.  A hand beats the hands that have been swept in
and share no card with it.  Their weight follows by inclusion and exclusion over
the subsets of its cards: all, minus those that hold one of its cards, plus those
that hold two, and so on.  The weight of the hands that hold each set of cards is
updated as hands are swept in, so a hand costs one addition per subset of its
cards, whatever the size of the other range.

The set of all cards of a hand need not be stored, as no other hand holds it: it
counts once the hand itself is in.

Lows.  On one board there are at most ten lows, or none.  Hands without one are
of class 0, the others of a class from 1 up.  One sweep in order of high with
only the hands of class t or better, for each t, gives the joint results: what
a hand of class c beats high and loses to low is in the sweep of c + 1, what
ties low in that of c but not of c + 1, and what it beats low in that of 0 but
not of c.  Each hand is asked for in three sweeps at most.

Weights are packed as :mod:`equity.kernels.sweep_records` says.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from equity.kernels.boards import FLUSH_CARDS, RANKS
from equity.kernels.jit import jit
from equity.kernels.pair_index import board_number
from equity.kernels.sweep_records import HALF, HIGHS

SUITS = 4
#: Values of low hands, with 0 for none.
LOWS = 57
#: Pairs of ranks.
PAIRS = 91
#: Rows and columns of the sums; the last column is for boards without a low.
LOST, WON, SHARED = 0, 1, 2
RESULTS = 3
#: The second weight of a packed pair stands above these bits of the first.
HALF_MASK = (1 << HALF) - 1


@jit
def sweep_four(tables: Any, hands: Any, boards: Any, sets: Any, work: Any, sums: Any) -> None:
    """Add the results of all hands on ``boards.runouts`` boards to ``sums.sums``.

    ``sums[hand, high, low]`` grows by the packed weight of the opposing hands
    times the size of the board.  Highs lost on boards without a low are left
    out: the caller has them as the difference from the total.  With ``boards.by_board`` each
    board has a tally of its own instead, and the sums must be 0.  Without boards,
    ``sums[hand, 0, 0]`` becomes the weight of all opposing hands.

    The records are declared in :mod:`equity.kernels.sweep_records`.
    """
    # A constant number of hole cards lets the compiler unroll the loops.
    _sweep(tables, hands, boards, sets, work, sums, 4)


@jit
def sweep_five(tables: Any, hands: Any, boards: Any, sets: Any, work: Any, sums: Any) -> None:
    """:func:`sweep_four` for hands of five cards."""
    _sweep(tables, hands, boards, sets, work, sums, 5)


@jit
def sweep_six(tables: Any, hands: Any, boards: Any, sets: Any, work: Any, sums: Any) -> None:
    """:func:`sweep_four` for hands of six cards."""
    _sweep(tables, hands, boards, sets, work, sums, 6)


@jit
def _meet(hands: Any, sets: Any, sums: Any, hole: int) -> None:
    """Set ``sums[hand, 0, 0]`` to the weight of all hands that share no card."""
    for hand in range(hands.combos):
        _put(sets, hands.cards[hand], hands.weight[hand], hole)
    for hand in range(hands.combos):
        total = _disjoint(sets, hands.cards[hand], hole)
        sums.sums[hand, LOST, 0] = total + _itself(hands.weight[hand], hole)
    _clear(sets)


@jit
def _sweep(
    tables: Any,
    hands: Any,
    boards: Any,
    sets: Any,
    work: Any,
    sums: Any,
    hole: int,
) -> None:
    if boards.runouts == 0:
        _meet(hands, sets, sums, hole)
    for at in range(boards.runouts):
        board = boards.board[at]
        classes = _value_shapes(tables, hands, board, boards.low, work)
        suit = _value_suits(tables, hands, board, work)
        _find_live(hands, board, classes, suit, work)
        groups = _sort(hands, classes, work, hole)
        for least in range(classes):
            _sweep_class(sets, work, sums, groups, classes, least, boards.size[at], hole)
        if boards.by_board:
            _tally_board(hands, work, sums, work.class_end[classes - 1], boards.tally[at])


@jit
def _tally_board(hands: Any, work: Any, sums: Any, live: int, tally: Any) -> None:
    """Move the sums of the live hands to the tally of a board, times the hands' weights."""
    columns = sums.sums.shape[2]
    for at in range(live):
        hand = np.uint64(work.order[at])
        first = hands.weight[hand] & HALF_MASK
        second = hands.weight[hand] >> HALF
        cells = sums.sums[hand]
        for high in range(RESULTS):
            for low in range(columns):
                # Hands of one range sum the weights of the other.
                tally[0, high, low] += first * (cells[high, low] >> HALF)
                tally[1, high, low] += second * (cells[high, low] & HALF_MASK)
                cells[high, low] = 0


@jit
def _value_shapes(tables: Any, hands: Any, board: Any, low: int, work: Any) -> int:
    """Fill ``shape_high`` and ``shape_class``, suits aside; return the number of classes."""
    number = board_number(tables, board)
    # One column of the table.
    row = work.row
    for pair in range(PAIRS):
        row[pair] = tables.high[pair, number]
    for shape in range(hands.shapes):
        pairs = hands.shape_pairs[shape]
        best = 0
        for at in range(hands.pairs):
            best = max(best, int(row[pairs[at]]))
        work.shape_high[shape] = best
        work.shape_class[shape] = 0
    low_set = int(tables.low_set[number])
    if low == 0 or low_set == 0:
        return 1
    for pair in range(PAIRS):
        row[pair] = tables.low[pair, low_set]
    lows = work.number
    for value in range(LOWS):
        lows[value] = 0
    for shape in range(hands.shapes):
        pairs = hands.shape_pairs[shape]
        best = 0
        for at in range(hands.pairs):
            best = max(best, int(row[pairs[at]]))
        work.shape_class[shape] = best
        lows[best] = 1
    # Number the lows that occur; class 0 is no low, even if every hand has one.
    classes = 1
    for value in range(1, LOWS):
        number = classes
        classes += int(lows[value])
        lows[value] = number
    for shape in range(hands.shapes):
        work.shape_class[shape] = lows[work.shape_class[shape]] * int(work.shape_class[shape] > 0)
    return classes


@jit
def _value_suits(tables: Any, hands: Any, board: Any, work: Any) -> int:
    """Fill ``flush`` for the suit of which the board has three cards; return that suit.

    Without such a suit every flush is 0, and so is the result.
    """
    suit = 0
    ranks = 0
    for at in range(SUITS):
        suited = 0
        cards = 0
        for place in range(5):
            card = int(board[place])
            if card & 3 == at:
                suited |= 1 << (card >> 2)
                cards += 1
        if cards >= FLUSH_CARDS:
            suit = at
            ranks = suited
    number = int(tables.suited_mask[ranks])
    for at in range(hands.masks):
        best = 0
        if ranks:
            mask = int(hands.mask[at])
            for high in range(1, RANKS):
                if (mask >> high) & 1:
                    for other in range(high):
                        if (mask >> other) & 1:
                            pair = tables.pair[high, other]
                            best = max(best, int(tables.flush[pair, number]))
        work.flush[hands.mask[at]] = best
    return suit


@jit
def _find_live(hands: Any, board: Any, classes: int, suit: int, work: Any) -> None:
    """List the hands that do not conflict with the board, by class; count them by value."""
    taken = 0
    for at in range(5):
        taken |= 1 << int(board[at])
    end = work.end
    for value in range(HIGHS):
        end[value] = 0
    # An unsigned index needs no test for negative values.
    live = np.uint64(0)
    for low in range(classes):
        for shape in range(hands.shapes):
            if work.shape_class[shape] != low:
                continue
            unsuited = work.shape_high[shape]
            first, stop = hands.start[shape], hands.start[shape + 1]
            held = hands.held[first:stop]
            suited = hands.suited[suit, first:stop]
            for at in range(stop - first):
                high = max(unsuited, work.flush[suited[at]])
                alive = int(held[at] & taken == 0)
                # Always written; overwritten by the next one unless this one is live.
                work.live[live] = first + at
                work.live_high[live] = high
                live += np.uint64(alive)
                end[high] += alive
        work.class_end[low] = live


@jit
def _sort(hands: Any, classes: int, work: Any, hole: int) -> int:
    """Sort the live hands by value, then class; return the number of distinct values."""
    end = work.end
    groups = 0
    start = 0
    for value in range(HIGHS):
        count = end[value]
        end[value] = start
        if count:
            start += count
            work.stop[groups] = start
            groups += 1
    first = 0
    for low in range(classes):
        stop = work.class_end[low]
        live = work.live[first:stop]
        high = work.live_high[first:stop]
        for at in range(stop - first):
            hand = np.uint64(live[at])
            to = np.uint64(end[high[at]])
            end[high[at]] += 1
            work.order[to] = hand
            work.weight[to] = hands.weight[hand]
            work.low_class[to] = low
            for card in range(hole):
                work.cards[to, card] = hands.cards[hand, card]
        first = stop
    return groups


@jit
def _sweep_class(
    sets: Any,
    work: Any,
    sums: Any,
    groups: int,
    classes: int,
    least: int,
    size: int,
    hole: int,
) -> None:
    """Sweep the hands of class ``least`` and better, and add what follows to the sums.

    The results concern the hands of that class and of the one below; for class 0, when
    all hands are swept, every hand.
    """
    swept = _bound(work, groups, least)
    # Stored behind the sets: with a separate array the compiler would gather the weights
    # for eight hands at once, which is slower.
    below = sets.swept[sets.places :]
    for group in range(groups):
        first, last = work.first[group], work.last[group]
        cards = work.cards[first:last]
        for at in range(last - first):
            below[at] = _disjoint(sets, cards[at], hole)
        enter, stop = work.enter[group], work.stop[group]
        cards = work.cards[enter:stop]
        weight = work.weight[enter:stop]
        for at in range(stop - enter):
            _put(sets, cards[at], weight[at], hole)
        for part in range(2):
            begin, end, inside = _part(work, group, least, part)
            source, target = _columns(least, part, sums)
            cards = work.cards[begin:end]
            weight = work.weight[begin:end]
            order = work.order[begin:end]
            asked = below[begin - first : end - first]
            for at in range(end - begin):
                equal = _disjoint(sets, cards[at], hole) + _itself(weight[at], hole) * inside
                cells = sums.sums[np.uint64(order[at])]
                cells[WON, target] += size * asked[at]
                cells[SHARED, target] += size * (equal - asked[at])
                if classes > 1:
                    cells[LOST, target] -= size * equal
                if least:
                    cells[WON, source] -= size * asked[at]
                    cells[SHARED, source] -= size * (equal - asked[at])
                    cells[LOST, source] += size * equal
    if classes > 1:
        for group in range(groups):
            for part in range(2):
                begin, end, inside = _part(work, group, least, part)
                source, target = _columns(least, part, sums)
                cards = work.cards[begin:end]
                weight = work.weight[begin:end]
                order = work.order[begin:end]
                for at in range(end - begin):
                    every = _disjoint(sets, cards[at], hole) + _itself(weight[at], hole) * inside
                    cells = sums.sums[np.uint64(order[at])]
                    cells[LOST, target] += size * every
                    if least:
                        cells[LOST, source] -= size * every
    # Few hands are swept out again; for many, clearing the memory is cheaper.
    if swept << hole < sets.places:
        for group in range(groups):
            enter, stop = work.enter[group], work.stop[group]
            cards = work.cards[enter:stop]
            weight = work.weight[enter:stop]
            for at in range(stop - enter):
                _put(sets, cards[at], -weight[at], hole)
    else:
        _clear(sets)


@jit
def _bound(work: Any, groups: int, least: int) -> int:
    """Find which hands of each group are asked for and which enter; return how many enter.

    Classes ascend in a group.  Hands from ``first`` up to ``last`` are asked for, in two
    parts that meet at ``middle``; hands from ``enter`` on enter.
    """
    swept = 0
    start = 0
    for group in range(groups):
        stop = work.stop[group]
        at = start
        while at < stop and work.low_class[at] < least - 1:
            at += 1
        work.first[group] = at
        while at < stop and work.low_class[at] < max(least, 1):
            at += 1
        work.middle[group] = at
        work.enter[group] = at if least else start
        while at < stop and (least == 0 or work.low_class[at] == least):
            at += 1
        work.last[group] = at
        swept += stop - work.enter[group]
        start = stop
    return swept


@jit
def _part(work: Any, group: int, least: int, part: int) -> Any:
    """One part of the hands asked for: first, end, and whether they enter.

    The first part is of the class below ``least``, the second of that class;
    when all enter, the first has no low and the second has one.
    """
    if part:
        return work.middle[group], work.last[group], 1
    return work.first[group], work.middle[group], int(least == 0)


@jit
def _columns(least: int, part: int, sums: Any) -> Any:
    """The columns of the low that the swept weight moves from and to, for a part.

    First every opposing low counts as worse (or as none, for a hand without a low); those
    that are not worse move to the ties, and the better ones on from there.
    """
    none = sums.sums.shape[2] - 1
    if least == 0:
        return none, (WON if part else none)
    if part:
        return WON, SHARED
    return (none if least == 1 else SHARED), LOST


@jit
def _disjoint(sets: Any, cards: Any, hole: int) -> int:
    """The weight of the hands swept in that share no card, the hand itself aside."""
    step = sets.step
    swept = sets.swept
    total = swept[0]
    # An unsigned index needs no test for negative values.
    for a in range(hole):
        one = np.uint64(step[0, cards[a]])
        total -= swept[one]
        for b in range(a + 1, hole):
            two = one + np.uint64(step[1, cards[b]])
            total += swept[two]
            for c in range(b + 1, hole):
                three = two + np.uint64(step[2, cards[c]])
                total -= swept[three]
                if hole > 4:
                    for d in range(c + 1, hole):
                        four = three + np.uint64(step[3, cards[d]])
                        total += swept[four]
                        if hole > 5:
                            for e in range(d + 1, hole):
                                total -= swept[four + np.uint64(step[4, cards[e]])]
    return total


@jit
def _itself(weight: int, hole: int) -> int:
    """The term of the set of all cards of a hand that is swept in."""
    return -weight if hole & 1 else weight


@jit
def _put(sets: Any, cards: Any, weight: int, hole: int) -> None:
    """Sweep a hand in: add its weight to all proper subsets of its cards."""
    step = sets.step
    swept = sets.swept
    swept[0] += weight
    for a in range(hole):
        one = np.uint64(step[0, cards[a]])
        swept[one] += weight
        for b in range(a + 1, hole):
            two = one + np.uint64(step[1, cards[b]])
            swept[two] += weight
            for c in range(b + 1, hole):
                three = two + np.uint64(step[2, cards[c]])
                swept[three] += weight
                if hole > 4:
                    for d in range(c + 1, hole):
                        four = three + np.uint64(step[3, cards[d]])
                        swept[four] += weight
                        if hole > 5:
                            for e in range(d + 1, hole):
                                swept[four + np.uint64(step[4, cards[e]])] += weight


@jit
def _clear(sets: Any) -> None:
    for at in range(sets.places):
        sets.swept[at] = 0
