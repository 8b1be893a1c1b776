"""Facts of many hands on boards of three to five cards.

A board is worth a *line*: the best high of each pair of ranks with three of the board,
suits aside.  What two unseen cards make is found by pairs of ranks that are left, not by
pairs of cards.
"""

from __future__ import annotations

from typing import Any

from equity.kernels.boards import bits
from equity.kernels.jit import jit
from equity.kernels.pair_index import BOARD
from equity.kernels.transposed import DECK, LINE

RANKS = 13
SUITS = 4
#: Cards of a suit on the board that allow a flush.
FLUSH_CARDS = 3
#: A rank that is in no low; a board is filled up with it where only lows matter.
NO_LOW = 7
#: Categories of highs from here on name a category of the flop by themselves.
STRAIGHT = 4
TRIPS = 3
TWO_PAIR = 2
CATEGORIES = 9
#: Flop categories.
NOTHING = 0
UNDERPAIR = 1
THIRD_PAIR = 2
POCKET_23 = 3
SECOND_PAIR = 4
POCKET_12 = 5
TOP_PAIR = 6
OVERPAIR = 7
BOTTOM_TWO = 8
TOP_AND_BOTTOM = 9
TOP_TWO = 10
FLOP_TRIPS = 11
FLOP_SET = 12


@jit
def find_facts(tables: Any, lines: Any, threes: Any, facts: Any, work: Any) -> None:
    """Fill ``facts.out``; what its columns are, ``facts.what`` says.

    The records are declared in :mod:`equity.kernels.facts_records`.
    """
    # A constant number of hole cards lets the compiler unroll the loops.
    if facts.what == 0:
        if facts.hole == 4:
            _values(tables, lines, threes, facts, work, 4)
        elif facts.hole == 5:
            _values(tables, lines, threes, facts, work, 5)
        else:
            _values(tables, lines, threes, facts, work, 6)
    elif facts.what == 1:
        _nuts(tables, lines, threes, facts, work)
    elif facts.what == 2:
        _outs(tables, lines, threes, facts, work)
    elif facts.what == 3:
        _nut_outs(tables, lines, threes, facts, work)
    else:
        _categories(tables, lines, threes, facts, work)


@jit
def _start(facts: Any, work: Any, row: int) -> int:
    """Note the board of a row; return the mask of its cards."""
    board = facts.boards[row]
    mask = 0
    for suit in range(SUITS):
        work.suited[suit] = 0
    for at in range(facts.size):
        card = int(board[at])
        mask |= 1 << card
        work.ranks[at] = card >> 2
        work.suited[card & 3] |= 1 << (card >> 2)
    return mask


@jit
def _hand_mask(facts: Any, row: int) -> int:
    mask = 0
    for at in range(facts.hole):
        mask |= 1 << int(facts.hands[row, at])
    return mask


@jit
def _triple(tables: Any, work: Any, one: int, two: int, three: int) -> int:
    return int(tables.triple[work.ranks[one], work.ranks[two], work.ranks[three]])


@jit
def _number(tables: Any, work: Any) -> int:
    """The index of the multiset of five ranks."""
    return int(
        tables.board[_triple(tables, work, 0, 1, 2), tables.pair[work.ranks[3], work.ranks[4]]]
    )


@jit
def _fill_line(tables: Any, lines: Any, threes: Any, work: Any, size: int) -> None:
    """Fill ``work.line`` for the ranks of a board."""
    line = work.line
    if size == BOARD:
        row = lines.high[_number(tables, work)]
        for pair in range(LINE):
            line[pair] = row[pair]
        return
    first = threes.high[_triple(tables, work, 0, 1, 2)]
    for pair in range(LINE):
        line[pair] = first[pair]
    if size == BOARD - 1:
        for left_out in range(3):
            row = threes.high[_triple(tables, work, int(left_out == 0), 2 - int(left_out == 2), 3)]
            for pair in range(LINE):
                line[pair] = max(line[pair], row[pair])


@jit
def _low_set(tables: Any, work: Any, size: int) -> int:
    """The index of the set of low ranks on a board."""
    for at in range(size, BOARD):
        work.ranks[at] = NO_LOW
    return int(tables.low_set[_number(tables, work)])


@jit
def _flush_suit(work: Any) -> int:
    """The suit of which there are three cards on the board, or -1."""
    for suit in range(SUITS):
        if bits(int(work.suited[suit])) >= FLUSH_CARDS:
            return suit
    return -1


@jit
def _best_high(tables: Any, lines: Any, work: Any, hand: Any, hole: int, suit: int) -> int:
    """The best high of a hand by the line of the board."""
    best = 0
    for one in range(1, hole):
        pairs = tables.pair[hand[one] >> 2]
        for other in range(one):
            best = max(best, int(work.line[pairs[hand[other] >> 2]]))
    if suit >= 0:
        best = max(best, _best_flush(tables, lines, work, hand, hole, suit))
    return best


@jit
def _best_flush(tables: Any, lines: Any, work: Any, hand: Any, hole: int, suit: int) -> int:
    """The best flush of a hand, or 0."""
    best = 0
    mask = int(tables.suited_mask[work.suited[suit]])
    for one in range(1, hole):
        if (hand[one] & 3) != suit:
            continue
        for other in range(one):
            if (hand[other] & 3) == suit:
                pair = tables.pair[hand[one] >> 2, hand[other] >> 2]
                best = max(best, int(lines.flush[mask, pair]))
    return best


@jit
def _best_low(tables: Any, lines: Any, low_set: int, hand: Any, hole: int) -> int:
    best = 0
    if low_set:
        for one in range(1, hole):
            pairs = tables.pair[hand[one] >> 2]
            for other in range(one):
                best = max(best, int(lines.low[low_set, pairs[hand[other] >> 2]]))
    return best


@jit
def _values(tables: Any, lines: Any, threes: Any, facts: Any, work: Any, hole: int) -> None:
    """Columns: the best high and low."""
    for row in range(facts.count):
        hand = facts.hands[row]
        _start(facts, work, row)
        suit = _flush_suit(work)
        best = 0
        if facts.size == BOARD:
            line = lines.high[_number(tables, work)]
            for one in range(1, hole):
                pairs = tables.pair[hand[one] >> 2]
                for other in range(one):
                    best = max(best, int(line[pairs[hand[other] >> 2]]))
        else:
            first = threes.high[_triple(tables, work, 0, 1, 2)]
            second = first
            third = first
            fourth = first
            if facts.size == BOARD - 1:
                second = threes.high[_triple(tables, work, 0, 1, 3)]
                third = threes.high[_triple(tables, work, 0, 2, 3)]
                fourth = threes.high[_triple(tables, work, 1, 2, 3)]
            for one in range(1, hole):
                pairs = tables.pair[hand[one] >> 2]
                for other in range(one):
                    pair = pairs[hand[other] >> 2]
                    best = max(best, int(first[pair]))
                    if facts.size == BOARD - 1:
                        more = max(int(second[pair]), int(third[pair]))
                        best = max(best, more, int(fourth[pair]))
        if suit >= 0:
            best = max(best, _best_flush(tables, lines, work, hand, hole, suit))
        facts.out[row, 0] = best
        low = 0
        if facts.low_game:
            low = _best_low(tables, lines, _low_set(tables, work, facts.size), hand, hole)
        facts.out[row, 1] = low


@jit
def _category(tables: Any, high: int) -> int:
    """The category of a high, 0 to 8."""
    found = 0
    for category in range(1, CATEGORIES):
        found += high >= int(tables.category[category])
    return found


@jit
def _unseen(
    tables: Any, lines: Any, work: Any, left: int, low_set: int, least: int, end: int
) -> None:
    """Fill ``work.best``: what two of the cards of a mask make at best.

    The best high, the best of the highs from ``least`` up to ``end``, and the best low.
    """
    suit = _flush_suit(work)
    mask = int(tables.suited_mask[work.suited[suit]]) if suit >= 0 else 0
    bit = 1 << suit if suit >= 0 else 0
    best = 0
    best_like = 0
    best_low = 0
    for one in range(RANKS):
        first = (left >> (4 * one)) & 15
        if not first:
            continue
        for other in range(one + 1):
            second = (left >> (4 * other)) & 15
            if not second or (one == other and not first & (first - 1)):
                continue
            pair = tables.pair[one, other]
            high = int(work.line[pair])
            # Some pair of these ranks is not of the suit.
            if one == other or not (first == bit and second == bit):
                best = max(best, high)
                if least <= high < end:
                    best_like = max(best_like, high)
            if one != other and first & bit and second & bit:
                high = max(high, int(lines.flush[mask, pair]))
                best = max(best, high)
                if least <= high < end:
                    best_like = max(best_like, high)
            if low_set:
                best_low = max(best_low, int(lines.low[low_set, pair]))
    work.best[0] = best
    work.best[1] = best_like
    work.best[2] = best_low


@jit
def _nuts(tables: Any, lines: Any, threes: Any, facts: Any, work: Any) -> None:
    """Columns: own high and low, then the best of unseen cards as in :func:`_unseen`."""
    deck = (1 << DECK) - 1
    for row in range(facts.count):
        hand = facts.hands[row]
        seen = _start(facts, work, row) | _hand_mask(facts, row) | facts.dead
        _fill_line(tables, lines, threes, work, facts.size)
        high = _best_high(tables, lines, work, hand, facts.hole, _flush_suit(work))
        low_set = _low_set(tables, work, facts.size) if facts.low_game else 0
        category = _category(tables, high)
        least = int(tables.category[category])
        end = int(tables.category[category + 1]) if category + 1 < CATEGORIES else 1 << 14
        _unseen(tables, lines, work, deck & ~seen, low_set, least, end)
        facts.out[row, 0] = high
        facts.out[row, 1] = _best_low(tables, lines, low_set, hand, facts.hole)
        for at in range(3):
            facts.out[row, 2 + at] = work.best[at]


@jit
def _outs(tables: Any, lines: Any, threes: Any, facts: Any, work: Any) -> None:
    """Columns: the category now, then how many unseen cards make each category."""
    for row in range(facts.count):
        hand = facts.hands[row]
        seen = _start(facts, work, row) | _hand_mask(facts, row) | facts.dead
        size = facts.size
        _fill_line(tables, lines, threes, work, size)
        high = _best_high(tables, lines, work, hand, facts.hole, _flush_suit(work))
        facts.out[row, 0] = _category(tables, high)
        for category in range(CATEGORIES):
            facts.out[row, 1 + category] = 0
        for rank in range(RANKS if size < BOARD else 0):
            if (seen >> (4 * rank)) & 15 == 15:
                continue
            work.ranks[size] = rank
            _fill_line(tables, lines, threes, work, size + 1)
            plain = _best_high(tables, lines, work, hand, facts.hole, -1)
            for suit in range(SUITS):
                if (seen >> (4 * rank + suit)) & 1:
                    continue
                work.suited[suit] |= 1 << rank
                flush = _flush_suit(work)
                best = plain
                if flush >= 0:
                    best = max(best, _best_flush(tables, lines, work, hand, facts.hole, flush))
                work.suited[suit] &= ~(1 << rank)
                facts.out[row, 1 + _category(tables, best)] += 1


@jit
def _nut_outs(tables: Any, lines: Any, threes: Any, facts: Any, work: Any) -> None:
    """Columns: unseen cards after which the hand has the best high, and the best low."""
    deck = (1 << DECK) - 1
    for row in range(facts.count):
        hand = facts.hands[row]
        seen = _start(facts, work, row) | _hand_mask(facts, row) | facts.dead
        size = facts.size
        highs = 0
        lows = 0
        for rank in range(RANKS if size < BOARD else 0):
            if (seen >> (4 * rank)) & 15 == 15:
                continue
            work.ranks[size] = rank
            _fill_line(tables, lines, threes, work, size + 1)
            low_set = _low_set(tables, work, size + 1) if facts.low_game else 0
            low = _best_low(tables, lines, low_set, hand, facts.hole)
            for suit in range(SUITS):
                card = 4 * rank + suit
                if (seen >> card) & 1:
                    continue
                work.suited[suit] |= 1 << rank
                high = _best_high(tables, lines, work, hand, facts.hole, _flush_suit(work))
                left = deck & ~(seen | (1 << card))
                _unseen(tables, lines, work, left, low_set, 1, 1)
                highs += high >= work.best[0]
                lows += low > 0 and low >= work.best[2]
                work.suited[suit] &= ~(1 << rank)
        facts.out[row, 0] = highs
        facts.out[row, 1] = lows


@jit
def _categories(tables: Any, lines: Any, threes: Any, facts: Any, work: Any) -> None:
    """Column: the category of the flop."""
    for row in range(facts.count):
        hand = facts.hands[row]
        _start(facts, work, row)
        suit = _flush_suit(work)
        line = threes.high[_triple(tables, work, 0, 1, 2)]
        best = 0
        for one in range(1, facts.hole):
            pairs = tables.pair[hand[one] >> 2]
            for other in range(one):
                best = max(best, int(line[pairs[hand[other] >> 2]]))
        if suit >= 0:
            best = max(best, _best_flush(tables, lines, work, hand, facts.hole, suit))
        facts.out[row, 0] = _flop_category(work, hand, facts.hole, _category(tables, best))


@jit
def _flop_category(work: Any, hand: Any, hole: int, category: int) -> int:
    """The category of the flop of a hand whose best high has a category."""
    if category >= STRAIGHT:
        return FLOP_SET + 1 + category - STRAIGHT
    ranks = work.ranks
    top = max(ranks[0], ranks[1], ranks[2])
    low = min(ranks[0], ranks[1], ranks[2])
    middle = ranks[0] + ranks[1] + ranks[2] - top - low
    paired = middle in (top, low)
    if category == TRIPS:
        return FLOP_TRIPS if paired else FLOP_SET
    held = 0
    twice = 0
    for at in range(hole):
        bit = 1 << (int(hand[at]) >> 2)
        twice |= held & bit
        held |= bit
    # The different ranks of the board, the second and third may be missing.
    second = middle if middle != top else low
    third = low if not paired else -1
    has_top = (held >> top) & 1
    has_second = (held >> second) & 1
    if not paired and category == TWO_PAIR:
        if has_top and has_second:
            return TOP_TWO
        return TOP_AND_BOTTOM if has_top else BOTTOM_TWO
    if twice >> (top + 1):
        return OVERPAIR
    if has_top:
        return TOP_PAIR
    between = (1 << top) - (1 << (second + 1)) if second < top else 0
    if twice & between:
        return POCKET_12
    if second < top and has_second:
        return SECOND_PAIR
    if not paired:
        if twice & ((1 << second) - (1 << (third + 1))):
            return POCKET_23
        if (held >> third) & 1:
            return THIRD_PAIR
        second = third
    return UNDERPAIR if twice & ((1 << second) - 1) else NOTHING
