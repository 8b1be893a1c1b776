"""Pairs of hole cards by code, and what the codes are worth on a board.

A kernel that values hands so has a record ``work`` with a ``high_line`` and a
``low_line``.
"""

from __future__ import annotations

from typing import Any

from equity.kernels.jit import jit
from equity.kernels.lines import CODE_LINE, LINE

DECK = 52
#: A four-bit count of a suit plus this reaches 8 with three cards.
FLUSH_TEST = 0x5555
FLUSH_MARK = 0x8888


@jit
def code_pairs(lines: Any, hand: Any, codes: Any, hole: int) -> int:
    """Write the codes of the pairs of a hand; its cards as a bit mask."""
    pair = 0
    mask = 1 << int(hand[0])
    for one in range(1, hole):
        card = int(hand[one])
        mask |= 1 << card
        for other in range(one):
            codes[pair] = lines.code[card * DECK + int(hand[other])]
            pair += 1
    return mask


@jit
def fill_lines(lines: Any, work: Any, high: Any, flush: Any, suit: int, low_set: int) -> None:
    """What the codes are worth on a board.

    ``high`` is the line of its ranks, ``flush`` that of the ranks of the suit
    it has three cards of, if that is one.
    """
    for block in range(0, CODE_LINE, LINE):
        for column in range(LINE):
            work.high_line[block + column] = high[column]
    if suit >= 0:
        block = suit * LINE
        for column in range(LINE):
            work.high_line[block + column] = max(high[column], flush[column])
    if low_set:
        for block in range(0, CODE_LINE, LINE):
            for column in range(LINE):
                work.low_line[block + column] = lines.low[low_set, column]


@jit
def best(line: Any, codes: Any, pairs: int) -> int:
    """The best that two of a hand's cards make of the board."""
    found = int(line[codes[0]])
    for pair in range(1, pairs):
        found = max(found, int(line[codes[pair]]))
    return found
