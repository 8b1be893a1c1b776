"""Tallies what hands have on boards: made hands, outs and draws, as keys with weights.

What depends on ranks alone is found once for the ranks of a board and of a hand.  Hands
that have the same on boards of one number are added up in a hash table.
"""

from __future__ import annotations

from typing import Any

from equity.kernels.holdings_records import BITS, FACTS, LANES
from equity.kernels.jit import jit
from equity.rules.ranks import FLUSH, STRAIGHT, STRAIGHTS

RANKS = 13
SUITS = 4
#: Where the fields of a key begin, and where the mark of a hand does.
(
    HIGH,
    OUTS,
    NUT_OUTS,
    LOW,
    FLUSH_DRAW,
    NUT_FLUSH_DRAW,
    BACKDOOR_FLUSH,
    LOW_DRAW,
    NUT_LOW_DRAW,
    COUNTERFEIT,
) = (sum(BITS[at + 1 :]) for at in range(len(FACTS)))
MARK = sum(BITS)
#: The bits of outs, which a flush takes away, and of a high.
ANY_OUTS = ((1 << BITS[1]) - 1) << OUTS | ((1 << BITS[2]) - 1) << NUT_OUTS
ANY_HIGH = (1 << BITS[0]) - 1
#: An odd number whose multiples spread over a hash table.
SPREAD = 0x1E3779B97F4A7C15
MOST_LEVEL = len(STRAIGHTS) + 1
ALL_RANKS = (1 << RANKS) - 1


@jit
def tally_holdings(tables: Any, lines: Any, deals: Any, hands: Any, found: Any) -> None:
    """Add the holdings of all hands on the boards from ``next`` up to ``stop``.

    ``found.next`` becomes ``stop``, or the first board of the number for which there was
    no room.  The records are declared in :mod:`equity.kernels.holdings_records`.
    """
    line = -1
    board = found.next[0]
    while board < deals.stop:
        number = deals.number[board]
        used = 0
        while board < deals.stop and deals.number[board] == number and used >= 0:
            if deals.line[board] != line:
                line = deals.line[board]
                for row in range(hands.rows):
                    found.facts[row] = _facts_of_ranks(tables, lines, hands, found, line, row)
            used = _deal(tables, deals, hands, found, board, used)
            board += 1
        if used < 0:
            _empty(found, -used)
            return
        start = found.count[0]
        if start + used > found.room:
            _empty(found, used)
            return
        for at in range(used):
            slot = found.used[at]
            found.number[start + at] = number
            found.key[start + at] = found.slots[slot]
            found.weight[start + at] = found.sums[slot]
        _empty(found, used)
        found.count[0] = start + used
        found.next[0] = board


@jit
def _empty(found: Any, used: int) -> None:
    """Free the slots in use."""
    for at in range(used):
        found.slots[found.used[at]] = -1


@jit
def _deal(tables: Any, deals: Any, hands: Any, found: Any, board: int, used: int) -> int:
    """Add up the hands on a board; how many slots are used, less than 0 if all are."""
    mask = deals.mask[board]
    suit = deals.flush_suit[board]
    flushes = deals.flush_mask[board]
    draws = deals.draws[board]
    backdoors = deals.backdoors[board]
    tops = deals.tops[board]
    flush_base = tables.category[FLUSH]
    last = 2 * found.used_room - 1
    for hand in range(hands.classes):
        if hands.mask[hand] & mask:
            continue
        key = found.facts[hands.row[hand]]
        if suit >= 0:
            flush = _flush(tables, int(hands.suited[hand, suit]), flushes)
            if flush:
                high = max(flush, key >> HIGH & ANY_HIGH)
                key = key & ~(ANY_OUTS | ANY_HIGH << HIGH) | high << HIGH
        twos = hands.twos[hand]
        if twos & draws and (key >> HIGH & ANY_HIGH) < flush_base:
            key |= 1 << FLUSH_DRAW
            held = hands.mask[hand] & tops
            for one in range(SUITS):
                if (twos & draws) >> one & 1 and held & (0x1111111111111 << one):
                    key |= 1 << NUT_FLUSH_DRAW
        if twos & backdoors:
            key |= 1 << BACKDOOR_FLUSH
        key |= hands.mark[hand] << MARK

        slot = (key * SPREAD) >> 20 & last
        while found.slots[slot] != key and found.slots[slot] != -1:
            slot = (slot + 1) & last
        if found.slots[slot] == key:
            found.sums[slot] += hands.weight[hand]
        elif used == found.used_room:
            return -used
        else:
            found.slots[slot] = key
            found.sums[slot] = hands.weight[hand]
            found.used[used] = slot
            used += 1
    return used


@jit
def _flush(tables: Any, held: int, board: int) -> int:
    """The best flush of two of the ranks held of a suit of which the board has some, or 0."""
    best = 0
    number = tables.suited_mask[board]
    for one in range(1, RANKS):
        if held >> one & 1:
            for other in range(one):
                if held >> other & 1:
                    best = max(best, int(tables.flush[tables.pair[one, other], number]))
    return best


@jit
def _facts_of_ranks(tables: Any, lines: Any, hands: Any, found: Any, line: int, row: int) -> int:
    """The key of what hands with some ranks have on boards with some ranks, suits aside."""
    straights = found.best[0]
    lows = found.best[1]
    for lane in range(LANES):
        straights[lane] = 0
        lows[lane] = 0
    high = 0
    low = 0
    common = ALL_RANKS
    for at in range(hands.pairs):
        pair = hands.pair[row, at]
        high = max(high, int(lines.high[line, pair]))
        after = lines.next_straight[line, pair]
        for lane in range(LANES):
            straights[lane] = max(straights[lane], after[lane])
        if lines.low_game:
            value = int(lines.low[line, pair])
            if value:
                common &= lines.pair_mask[pair]
            low = max(low, value)
            after = lines.next_low[line, pair]
            for lane in range(LANES):
                lows[lane] = max(lows[lane], after[lane])

    # Full houses and better count as a straight that is higher than all.
    level = min(max(high - (int(tables.category[STRAIGHT]) - 1), 0), MOST_LEVEL)
    outs = 0
    nut_outs = 0
    low_outs = 0
    nut_low_outs = 0
    left = 0
    for rank in range(RANKS):
        unseen = max(SUITS - int(lines.counts[line, rank]) - int(hands.counts[row, rank]), 0)
        if unseen:
            left |= 1 << rank
        if straights[rank] > level:
            outs += unseen
            if straights[rank] == lines.nut_straight[line, rank]:
                nut_outs += unseen
        if low == 0 and lows[rank]:
            low_outs += unseen
            if lows[rank] == lines.nut_low[line, rank]:
                nut_low_outs += unseen
    key = high << HIGH | outs << OUTS | nut_outs << NUT_OUTS | low << LOW
    key |= int(low_outs > 0) << LOW_DRAW
    key |= int(2 * nut_low_outs > low_outs) << NUT_LOW_DRAW
    key |= int(lines.can_come and low > 0 and (common & left) != 0) << COUNTERFEIT
    return key
