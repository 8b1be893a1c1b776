"""The tables turned round, so that what one board needs lies together.

A pair of hole cards is coded by its ranks and the suit that the two share, and
for one board a line has what every code is worth on it: so a hand takes no more
than one look for each of its pairs, and no question about flushes.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from equity.kernels.loader import Block, Record
from equity.rules import tables

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["CODES", "CODE_LINE", "LINE", "LINES", "line_block"]

#: Entries for the pairs of ranks, padded to whole lines of the cache.
LINE = 96
#: A pair of cards is coded by its ranks and by the suit the two share, or 4.
CODE_LINE = 5 * LINE
CODES = 52 * 52

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
    """The lines, as kernels take them."""
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
