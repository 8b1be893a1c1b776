"""Counts the winners of all deals of a board, by seat.

Two lists are compared hand by hand, several lists by a depth-first search through their
hands, and hands from the deck by their rotations round the table.
"""

from __future__ import annotations

from typing import Any

from equity.kernels.dealing import free_hands
from equity.kernels.jit import jit

#: Outcomes of two seats: for each result of the high, 4 of the low.
LOW_RESULTS = 4
NO_LOW = 3
#: Bits of a counter of hi/lo outcomes, and the rows that it can count.
FIELD = 5
FIELD_ROWS = 31
#: Bits of a counter of high outcomes: deals, wins and ties of a board in one word.  The
#: limit of ``board_hands`` in the record follows: at most 1,023 hands of each list.
WIDE = 20
WIDE_MASK = (1 << WIDE) - 1
LANES = 8
#: Rotations computed at once; the deck has fewer hands.
ROTATIONS = 16
#: No winner, or more than one.
MANY = 32


@jit
def compare(work: Any, taken: Any, high: Any, low: Any, count: int) -> None:
    """Count the outcomes of every hand of list 0 against ``count`` other hands."""
    packed = work.packed
    # Whole vectors; the padding hand holds all cards and conflicts with every hand.
    lanes = (count + LANES - 1) // LANES * LANES
    for other in range(count, lanes):
        taken[other] = -1
    work.steps[0] += work.number[0] * lanes // LANES
    if not work.lows[0]:
        for other in range(lanes):
            packed[other] = 0
        for mine in range(work.number[0]):
            mask = work.taken[0, mine]
            value = work.high[0, mine]
            for other in range(lanes):
                result = 1 + ((value > high[other]) << WIDE) + ((value == high[other]) << 2 * WIDE)
                packed[other] += result if (mask & taken[other]) == 0 else 0
        total = 0
        for other in range(lanes):
            total += packed[other]
        deals = total & WIDE_MASK
        won = (total >> WIDE) & WIDE_MASK
        tied = total >> 2 * WIDE
        work.outcome[NO_LOW] += deals - won - tied
        work.outcome[LOW_RESULTS + NO_LOW] += won
        work.outcome[2 * LOW_RESULTS + NO_LOW] += tied
        return
    # Twelve counters of five bits in a word for each of the other hands.
    for start in range(0, work.number[0], FIELD_ROWS):
        for other in range(lanes):
            packed[other] = 0
        for mine in range(start, min(start + FIELD_ROWS, work.number[0])):
            mask = work.taken[0, mine]
            value = work.high[0, mine]
            low_value = work.low[0, mine]
            for other in range(lanes):
                shift = LOW_RESULTS * FIELD if value > high[other] else 0
                shift += 2 * LOW_RESULTS * FIELD if value == high[other] else 0
                shift += FIELD if low_value > low[other] else 0
                same = 2 * FIELD if low[other] else 3 * FIELD
                shift += same if low_value == low[other] else 0
                packed[other] += (1 << shift) if (mask & taken[other]) == 0 else 0
        for field in range(3 * LOW_RESULTS):
            total = 0
            for other in range(lanes):
                total += (packed[other] >> (FIELD * field)) & FIELD_ROWS
            work.outcome[field] += total


@jit
def count_two(work: Any) -> None:
    """Convert the outcomes of two seats to counts of both."""
    for high in range(3):
        for low in range(LOW_RESULTS):
            deals = work.outcome[high * LOW_RESULTS + low]
            work.counts[0, high, low] += deals
            # One seat wins what the other loses, unless both share or nobody has it.
            other_high = 2 if high == 2 else 1 - high
            other_low = 1 - low if low < 2 else low
            work.counts[1, other_high, other_low] += deals


@jit
def combine(lines: Any, draw: Any, lists: Any, work: Any) -> None:
    """Tally all compatible combinations of the hands drawn from the lists."""
    last = lists.count - 1
    free = draw.players - lists.count
    depth = 0
    steps = 0
    work.depth_at[0] = 0
    work.depth_taken[0] = 0
    work.depth_high[0] = 0
    work.depth_low[0] = 0
    work.depth_highs[0] = 0
    work.depth_lows[0] = 0
    while depth >= 0:
        at = work.depth_at[depth]
        if at == work.number[depth]:
            depth -= 1
            continue
        work.depth_at[depth] = at + 1
        steps += 1
        if work.taken[depth, at] & work.depth_taken[depth]:
            continue
        # The winners so far, with this hand.
        high = work.high[depth, at]
        low = work.low[depth, at]
        highs = work.depth_highs[depth]
        lows = work.depth_lows[depth]
        if high >= work.depth_high[depth]:
            highs = 1 << depth | (highs if high == work.depth_high[depth] else 0)
        else:
            high = work.depth_high[depth]
        if low >= work.depth_low[depth]:
            lows = 1 << depth | (lows if low == work.depth_low[depth] else 0)
        else:
            low = work.depth_low[depth]
        if depth == last and not free:
            _award(draw, work, highs, lows if low else 0, draw.players, 1)
            continue
        depth += 1
        work.depth_taken[depth] = work.taken[depth - 1, at] | work.depth_taken[depth - 1]
        work.depth_high[depth] = high
        work.depth_low[depth] = low
        work.depth_highs[depth] = highs
        work.depth_lows[depth] = lows
        work.depth_at[depth] = 0
        if depth > last:
            if draw.anew:
                work.steps[0] += 100
                free_hands(lines, draw, work, depth, work.depth_taken[depth])
            _seat_free(draw, lists, work, depth)
            depth -= 1
    work.steps[0] += steps


@jit
def _seat_free(draw: Any, lists: Any, work: Any, depth: int) -> None:
    """Tally a deal from the lists with the hands from the deck that do not conflict with it.

    These are seated in the order of the deck, and rotated until each has been first.
    Seats dealt from the deck are interchangeable, so a deal counts once for each rotation
    of their hands among them; they are tallied together, in the first of them.
    """
    free = draw.players - lists.count
    count = 0
    for at in range(work.number[depth]):
        work.left_high[count] = work.high[depth, at]
        work.left_low[count] = work.low[depth, at]
        count += (work.taken[depth, at] & work.depth_taken[depth]) == 0
    if count < free:
        return
    for at in range(count):
        work.left_high[count + at] = work.left_high[at]
        work.left_low[count + at] = work.left_low[at]
    for seat in range(free):
        work.offset[seat] = seat
    _rotate(work, free, lists.count, depth)
    work.steps[0] += count
    for first in range(count):
        lows = int(work.lane_lows[first]) if work.lane_low[first] else 0
        _award(draw, work, int(work.lane_highs[first]), lows, lists.count, free)


@jit
def _rotate(work: Any, free: int, seat: int, depth: int) -> None:
    """Find the winners of all rotations of the remaining hands.

    ``free`` hands are dealt, from ``seat`` on, against the winners at ``depth``.  The
    hand of each seat is at its ``offset`` from the first.
    """
    high = work.depth_high[depth]
    low = work.depth_low[depth]
    for lane in range(ROTATIONS):
        work.lane_high[lane] = high
        work.lane_low[lane] = low
        work.lane_highs[lane] = work.depth_highs[depth]
        work.lane_lows[lane] = work.depth_lows[depth]
    for at in range(free):
        bit = 1 << (seat + at)
        # A slice lets the compiler see that the items are adjacent.
        highs = work.left_high[work.offset[at] :]
        for lane in range(ROTATIONS):
            kept = work.lane_highs[lane] if highs[lane] <= work.lane_high[lane] else 0
            work.lane_highs[lane] = kept | (bit if highs[lane] >= work.lane_high[lane] else 0)
            work.lane_high[lane] = max(highs[lane], work.lane_high[lane])
        if not work.lows[0]:
            continue
        lows = work.left_low[work.offset[at] :]
        for lane in range(ROTATIONS):
            kept = work.lane_lows[lane] if lows[lane] <= work.lane_low[lane] else 0
            work.lane_lows[lane] = kept | (bit if lows[lane] >= work.lane_low[lane] else 0)
            work.lane_low[lane] = max(lows[lane], work.lane_low[lane])


@jit
def only_free(draw: Any, work: Any) -> None:
    """Tally deals whose hands are all from the deck.

    Hands are seated at equal distances in the order of the deck, so that each takes every
    seat equally often.
    """
    count = work.number[0]
    work.depth_high[0] = 0
    work.depth_low[0] = 0
    work.depth_highs[0] = 0
    work.depth_lows[0] = 0
    for at in range(count):
        work.left_high[at] = work.left_high[count + at] = work.high[0, at]
        work.left_low[at] = work.left_low[count + at] = work.low[0, at]
    for step in range(1, max((count + 1) // 2, 2)):
        one = step
        other = count
        while other:
            one, other = other, one % other
        if one > 1:
            continue
        for seat in range(draw.players):
            work.offset[seat] = seat * step % count
        _rotate(work, draw.players, 0, 0)
        work.steps[0] += count
        for first in range(count):
            lows = int(work.lane_lows[first]) if work.lane_low[first] else 0
            _award(draw, work, int(work.lane_highs[first]), lows, draw.players, 1)


@jit
def _award(draw: Any, work: Any, highs: int, lows: int, group: int, weight: int) -> None:
    """Tally the winners of a deal, given as bit masks of seats.

    Seats from ``group`` on are tallied in the first of them; other seats count ``weight``
    times.
    """
    work.steps[0] += 1
    high = int(work.single[highs])
    low = int(work.single[lows])
    if high + low < MANY:
        work.solo[high, low] += 1
        return
    high = _bits(highs)
    low = _bits(lows) if lows else draw.players + 1
    work.deals[int(lows == 0)] += weight
    winners = highs | lows
    seat = 0
    while winners:
        if winners & 1:
            mine = high * ((highs >> seat) & 1)
            mine_low = low * ((lows >> seat) & 1) if lows else low
            if seat < group:
                work.counts[seat, mine, mine_low] += weight
            else:
                work.counts[group, mine, mine_low] += 1
        winners >>= 1
        seat += 1


@jit
def _bits(mask: int) -> int:
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@jit
def count_losers(draw: Any, lists: Any, work: Any) -> None:
    """Complete the counts of a draw: sole winners, interchangeable seats, losers."""
    nobody = draw.players + 1
    free = draw.players - lists.count
    group = lists.count if lists.count and free else draw.players
    weight = free if lists.count and free else 1
    for high in range(draw.players):
        for low in range(nobody):
            deals = work.solo[high, low]
            if not deals:
                continue
            none = low == draw.players
            work.deals[int(none)] += deals * weight
            mine = min(high, group)
            times = deals * weight if high < group else deals
            work.counts[mine, 1, nobody if none else int(low == high)] += times
            if not none and low != high:
                work.counts[min(low, group), 0, 1] += deals * weight if low < group else deals
    for seat in range(draw.players):
        if lists.count and seat > lists.count:
            for high in range(nobody):
                for low in range(nobody + 1):
                    work.counts[seat, high, low] = work.counts[lists.count, high, low]
            continue
        lost = work.deals[0]
        lost_all = work.deals[1]
        for high in range(nobody):
            lost_all -= work.counts[seat, high, nobody]
            for low in range(nobody):
                lost -= work.counts[seat, high, low]
        work.counts[seat, 0, 0] += lost
        work.counts[seat, 0, nobody] += lost_all
