"""Indexes boards and pairs of hole cards, and values pairs on a board.

A kernel that uses it has a record ``work`` with a ``high_line`` and a ``low_line``.
"""

from __future__ import annotations

from typing import Any

from equity.kernels.jit import jit
from equity.kernels.transposed import CODE_LINE, DECK, LINE

BOARD = 5
#: A four-bit count of a suit plus this reaches 8 with three cards.
FLUSH_TEST = 0x5555
FLUSH_MARK = 0x8888


@jit
def board_number(tables: Any, board: Any) -> int:
    """The index of the multiset of a board's ranks."""
    number: int = tables.board[
        tables.triple[board[0] >> 2, board[1] >> 2, board[2] >> 2],
        tables.pair[board[3] >> 2, board[4] >> 2],
    ]
    return number


@jit
def flush_suit(board: Any) -> int:
    """The suit of which the board has three or more cards, or -1."""
    suits = 0
    for card in range(BOARD):
        suits += 1 << (int(board[card]) & 3) * 4
    marks = (suits + FLUSH_TEST) & FLUSH_MARK
    if marks:
        return (marks > 0xF) + (marks > 0xFF) + (marks > 0xFFF)
    return -1


@jit
def suited_number(tables: Any, board: Any, suit: int) -> int:
    """The index of the set of ranks that a board has in a suit."""
    ranks = 0
    for card in range(BOARD):
        ranks |= int(board[card] & 3 == suit) << int(board[card] >> 2)
    return int(tables.suited_mask[ranks])


@jit
def code_pairs(lines: Any, hand: Any, codes: Any, hole: int) -> int:
    """Write the codes of the pairs of a hand; return its cards as a bit mask."""
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
    """Fill ``high_line`` and ``low_line`` with the value of each code on a board.

    ``high`` is the line of the board's ranks.  ``flush`` is the line of its ranks in
    ``suit``, of which it has three cards or more; ``suit`` is -1 if there is none.
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
    """The best value of a hand's pairs on the board."""
    # A tournament of four at a time: for one long chain the compiler emits branches, and
    # half of them are mispredicted.
    found = 0
    last = pairs - 1
    for pair in range(0, pairs, 4):
        one = max(int(line[codes[pair]]), int(line[codes[min(pair + 1, last)]]))
        two = max(int(line[codes[min(pair + 2, last)]]), int(line[codes[min(pair + 3, last)]]))
        four = max(one, two)
        found = max(found, four)
    return found
