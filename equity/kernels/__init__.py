"""The kernels: compiled functions, declared here and called like Python functions.

A kernel takes records, which are groups of named arrays and integers.  Their fields are
declared below with dtype and shape.  The kernel's source, in a module beside this one, is
imported only when it has to be compiled.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from equity.kernels.loader import Block, Kernel, Record
from equity.kernels.transposed import LINES
from equity.rules import tables

__all__ = [
    "BATCH",
    "EVALUATE",
    "FIND_FAULT",
    "SPOT",
    "TABLES",
    "TALLY",
    "WALK",
    "WALK_WORK",
    "spot_block",
    "table_block",
]

#: Leaves of the walk (multisets of up to five ranks to come) and tails (of up to two), with
#: padding for the lanes that are written past the end.
_LEAVES = tables.MULTISETS + 16
_TAILS = tables.PAIRS + 16

TABLES = Record("tables", tables.TABLES)

SPOT = Record(
    "spot",
    {
        "players": ("int64", ()),
        "hole": ("int64", ()),
        "known": ("int64", ()),
        # 1 if the game has a low.
        "low": ("int64", ()),
        # Bit mask of the dead cards, besides those of hands and board.
        "dead": ("int64", ()),
        "hands": ("uint8", ("players", "hole")),
        # The first `known` entries count.
        "board": ("uint8", (5,)),
    },
    # Winners are bit masks of 16 bits.
    limits={"players": (1, 16), "known": (0, 5)},
)

WALK_WORK = Record(
    "work",
    {
        "total": ("int32", (_LEAVES,)),
        "suited": ("int32", (4, _LEAVES)),
        "column": ("uint16", (_LEAVES,)),
        "leaf": ("uint16", (_LEAVES,)),
        "value": ("uint16", ("players", _LEAVES)),
        "best": ("uint16", (_LEAVES,)),
        "winners": ("uint16", (_LEAVES,)),
        "number": ("uint8", (_LEAVES,)),
        "low_winners": ("int64", (tables.LOW_SETS,)),
        "low_number": ("int64", (tables.LOW_SETS,)),
        # Runouts by winners of the high and index of the low's set of winners.
        "won": ("int64", (f"4 * {tables.LOW_SETS} << players",)),
        "held": ("int64", ("players", 4)),
        "known": ("int64", (4,)),
        "suit": ("int64", (4,)),
        "champion": ("int64", (4,)),
        "ways": ("int32", (5, 6, 16)),
        "inside": ("int32", (4, 6, 16)),
        "tail_ways": ("int32", (_TAILS,)),
        "tail_some": ("int32", (_TAILS,)),
        "tail_both": ("int32", (_TAILS,)),
        # Bit mask of the cards that can still be dealt.
        "live": ("int64", (1,)),
        "ranks": ("int64", (5,)),
        "events": ("int64", (10,)),
        "excluded": ("int64", (10,)),
    },
)

TALLY = Record("result", {"counts": ("int64", ("players", "players + 1", "players + 2"))})

WALK = Kernel("walk", "equity.kernels.runouts", (TABLES, SPOT, WALK_WORK, TALLY))

BATCH = Record(
    "batch",
    {
        "count": ("int64", ()),
        "hole": ("int64", ()),
        # 1 if hand n plays on board n, 0 if all play on one board.
        "step": ("int64", ()),
        "low_game": ("int64", ()),
        "hands": ("uint8", ("count", "hole")),
        "boards": ("uint8", ("(count - 1) * step + 1", 5)),
        "high": ("uint16", ("count",)),
        "low": ("uint8", ("count",)),
        # The first row with an invalid or repeated card, or -1.
        "fault": ("int64", (1,)),
    },
    limits={"hole": (4, 6), "step": (0, 1)},
)

FIND_FAULT = Kernel("find_fault", "equity.kernels.values", (BATCH,))
EVALUATE = Kernel("evaluate", "equity.kernels.values", (TABLES, LINES, BATCH))


def spot_block(
    players: int, hole: int, board: Sequence[int], dead: Sequence[int], *, low: bool
) -> Block:
    """Create a spot; the caller writes the hands into it."""
    block = SPOT.allocate(
        players=players,
        hole=hole,
        known=len(board),
        low=int(low),
        dead=sum(1 << card for card in dead),
    )
    block.values["board"][: len(board)] = board
    return block


@cache
def table_block() -> Block:
    """The lookup tables as a block."""
    return Block(TABLES, {name: tables.memory(name) for name in tables.TABLES})
