"""Values many hands on complete boards."""

from __future__ import annotations

from typing import Any

from equity.kernels.jit import jit
from equity.kernels.pair_index import board_number, flush_suit, suited_number
from equity.kernels.transposed import DECK


@jit
def find_fault(batch: Any) -> None:
    """Set ``batch.fault`` to the first row with an invalid or repeated card, or -1."""
    # A constant number of hole cards lets the compiler unroll the loops.
    if batch.hole == 4:
        batch.fault[0] = _first_fault(batch, 4)
    elif batch.hole == 5:
        batch.fault[0] = _first_fault(batch, 5)
    else:
        batch.fault[0] = _first_fault(batch, 6)


@jit
def _first_fault(batch: Any, hole: int) -> int:
    for at in range(batch.count):
        hand = batch.hands[at]
        board = batch.boards[at * batch.step]
        seen = 0
        total = 0
        highest = 0
        for number in range(hole):
            bit = 1 << (int(hand[number]) & 63)
            total += bit
            seen |= bit
            highest = max(highest, int(hand[number]))
        for number in range(5):
            bit = 1 << (int(board[number]) & 63)
            total += bit
            seen |= bit
            highest = max(highest, int(board[number]))
        # Distinct powers of two add up without a carry.
        if total != seen or highest >= DECK:
            return at
    return -1


@jit
def evaluate(tables: Any, lines: Any, batch: Any) -> None:
    """Fill ``batch.high`` and ``batch.low`` for ``batch.count`` hands.

    Hand ``n`` plays on board ``n * step``; with a step of 0 all play on one board.
    The records are declared in :mod:`equity.kernels`.
    """
    if batch.hole == 4:
        _evaluate(tables, lines, batch, 4)
    elif batch.hole == 5:
        _evaluate(tables, lines, batch, 5)
    else:
        _evaluate(tables, lines, batch, 6)


@jit
def _evaluate(tables: Any, lines: Any, batch: Any, hole: int) -> None:
    for at in range(batch.count):
        hand = batch.hands[at]
        board = batch.boards[at * batch.step]
        number = board_number(tables, board)
        high_row = lines.high[number]
        low_row = lines.low[tables.low_set[number]]
        high = 0
        low = 0
        # As in rows.value_hands; a function for both would cost a tenth of the speed here.
        for first in range(1, hole):
            pairs = tables.pair[hand[first] >> 2]
            for second in range(first):
                pair = pairs[hand[second] >> 2]
                high = max(high, int(high_row[pair]))
                if batch.low_game:
                    low = max(low, int(low_row[pair]))
        suit = flush_suit(board)
        if suit >= 0:
            high = max(high, best_flush(tables, hand, board, suit, hole))
        batch.high[at] = high
        batch.low[at] = low


@jit
def best_flush(tables: Any, hand: Any, board: Any, suit: int, hole: int) -> int:
    """The best flush or straight flush in a suit, or 0."""
    best = 0
    mask = -1
    for first in range(1, hole):
        if hand[first] & 3 != suit:
            continue
        for second in range(first):
            if hand[second] & 3 != suit:
                continue
            if mask < 0:
                mask = suited_number(tables, board, suit)
            pair = tables.pair[hand[first] >> 2, hand[second] >> 2]
            best = max(best, int(tables.flush[pair, mask]))
    return best
