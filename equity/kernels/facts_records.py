"""Declares the kernel for facts of hands on boards, and its records; imports no numba."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from equity.kernels import TABLES
from equity.kernels.loader import Block, Kernel, Record
from equity.kernels.transposed import LINE, LINES
from equity.rules import tables

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["FACTS", "FIND_FACTS", "THREES", "WIDTHS", "WORK", "three_block"]

#: Columns of what is asked, by its number: values, nuts, outs, nut outs, flop categories.
WIDTHS = (2, 5, 10, 2, 1)

THREES = Record("threes", {"high": ("uint16", (tables.TRIPLES, LINE))})

FACTS = Record(
    "facts",
    {
        "count": ("int64", ()),
        "hole": ("int64", ()),
        # Cards of the boards.
        "size": ("int64", ()),
        # 1 if the game has a low.
        "low_game": ("int64", ()),
        # Bit mask of the cards that are dead in every row.
        "dead": ("int64", ()),
        "what": ("int64", ()),
        "width": ("int64", ()),
        "hands": ("uint8", ("count", "hole")),
        "boards": ("uint8", ("count", "size")),
        "out": ("uint16", ("count", "width")),
    },
    limits={"hole": (4, 6), "size": (3, 5), "what": (0, len(WIDTHS) - 1)},
)

WORK = Record(
    "work",
    {
        "line": ("uint16", (LINE,)),
        "ranks": ("int64", (6,)),
        # By suit, the ranks on the board as a bit mask.
        "suited": ("int64", (4,)),
        "best": ("int64", (3,)),
    },
)

FIND_FACTS = Kernel("find_facts", "equity.kernels.facts", (TABLES, LINES, THREES, FACTS, WORK))


@cache
def three_block() -> Block:
    """The best high of each pair of ranks with exactly three others, a line for each three."""
    import numpy as np

    from equity.rules.ranks import high_of_ranks, high_value

    # The value of five ranks by their number; of five alike there is none.
    values = np.zeros(tables.MULTISETS, np.uint16)
    for number, ranks in tables.multisets():
        values[number] = high_value(high_of_ranks(ranks, suited=False))
    numbers: NDArray[np.uint16] = tables.array("board")  # type: ignore[assignment]
    lines = np.zeros((tables.TRIPLES, LINE), np.uint16)
    lines[:, : tables.PAIRS] = values[numbers]
    return Block(THREES, {"high": lines})
