"""Transposed tables: a row per board, so that one board needs few cache lines.

A pair of hole cards is coded by its ranks and by the suit the two share.  For one board a
line holds the value of every code, so that a hand takes one lookup per pair of its cards
and no test for flushes.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from equity.kernels.loader import Block, Record
from equity.rules import tables

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["CODES", "CODE_LINE", "DECK", "LINE", "LINES", "line_block"]

#: Cards of the deck.
DECK = 52

#: Entries for the pairs of ranks, padded to whole cache lines.
LINE = 96
#: A pair of cards is coded by its ranks and by the suit the two share, or 4.
CODE_LINE = 5 * LINE
CODES = DECK * DECK

LINES = Record(
    "lines",
    {
        "high": ("uint16", (tables.MULTISETS, LINE)),
        "low": ("uint8", (tables.LOW_SETS, LINE)),
        "flush": ("uint16", (tables.SUITED_MASKS, LINE)),
        "code": ("uint16", (CODES,)),
    },
)


@cache
def line_block() -> Block:
    """The transposed tables as a block."""
    import numpy as np

    lines: dict[str, NDArray[np.generic]] = {}
    for name in ("high", "low", "flush"):
        table = tables.array(name)
        lines[name] = np.zeros((table.shape[1], LINE), table.dtype)
        lines[name][:, : table.shape[0]] = table.T
    cards = np.arange(52)
    suit = np.where((cards[:, np.newaxis] & 3) == (cards & 3), cards & 3, 4)
    pair = tables.array("pair")[np.ix_(cards >> 2, cards >> 2)].astype(np.int64)
    lines["code"] = (suit * LINE + pair).astype(np.uint16)
    return Block(LINES, lines)
