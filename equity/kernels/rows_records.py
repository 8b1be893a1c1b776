"""Declares the kernel for rows of known hands, and its records; imports no numba."""

from __future__ import annotations

from equity import kernels
from equity.kernels.loader import Kernel, Record
from equity.kernels.transposed import LINES

__all__ = ["PARTS", "ROWS", "SOLVE_ROWS"]

_BY_PLAYER = ("count", "players")

ROWS = Record(
    "rows",
    {
        "count": ("int64", ()),
        "players": ("int64", ()),
        "hole": ("int64", ()),
        # 1 if the game has a low.
        "low_game": ("int64", ()),
        # Bit mask of the cards that are dead in every row.
        "dead": ("int64", ()),
        # The rows to solve.
        "begin": ("int64", ()),
        "stop": ("int64", ()),
        "hands": ("uint8", ("count", "players", "hole")),
        # Cards that are not dealt yet are NO_CARD, and stand last.
        "boards": ("uint8", ("count", 5)),
        "runouts": ("int32", ("count",)),
        # Runouts on which nobody has a low.
        "no_low": ("int32", ("count",)),
        # What a player wins of all pots, and with high hands, in units of 1 / parts.pot.
        "won": ("int64", _BY_PLAYER),
        "high_won": ("int64", _BY_PLAYER),
        # Runouts that a player scoops, and whose high or low they win alone or share.
        "scoop": ("int32", _BY_PLAYER),
        "high_win": ("int32", _BY_PLAYER),
        "high_tie": ("int32", _BY_PLAYER),
        "low_win": ("int32", _BY_PLAYER),
        "low_tie": ("int32", _BY_PLAYER),
        # The first row with an invalid or repeated card, or -1.
        "fault": ("int64", (1,)),
    },
    limits={"players": (1, 12), "hole": (4, 6)},
)

PARTS = Record(
    "parts",
    {
        "pot": ("int64", ()),
        # What the high and the low win of a pot, by the numbers of players who share them;
        # a low of players + 1 means that nobody has one.
        "high": ("int64", ("players + 1", "players + 2")),
        "low": ("int64", ("players + 2",)),
    },
)

SOLVE_ROWS = Kernel(
    "solve_rows",
    "equity.kernels.rows",
    (kernels.TABLES, LINES, ROWS, PARTS, kernels.WALK_WORK, kernels.TALLY),
)
