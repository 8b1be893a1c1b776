"""Declares the kernel that draws whole deals, and its records; imports no numba."""

from __future__ import annotations

from equity.kernels.loader import Kernel, Record

__all__ = ["DEALS", "DRAW_DEALS", "LISTS", "STATE"]

LISTS = Record(
    "lists",
    {
        "players": ("int64", ()),
        "hole": ("int64", ()),
        # Sets of known cards, of which one is drawn: those on the board, in the order in
        # which they are dealt, and the mask of these and of dead cards.
        "known": ("int64", ()),
        "known_cards": ("int64", ()),
        "board": ("uint8", ("known", 5)),
        "taken": ("int64", ("known",)),
        # Cards of the board that are dealt in all.
        "board_cards": ("int64", ()),
        # For each player: the first hand, the number of hands (0 for any from the deck),
        # the sum of weights, and where running sums of weights begin if these differ.
        "first": ("int64", ("players",)),
        "size": ("int64", ("players",)),
        "weight": ("int64", ("players",)),
        "sum_first": ("int64", ("players",)),
        "entries": ("int64", ()),
        "cards": ("uint8", ("entries", "hole")),
        "mask": ("int64", ("entries",)),
        "sums": ("int64", ()),
        "sum": ("int64", ("sums",)),
    },
    limits={"players": (1, 12), "hole": (4, 6), "known_cards": (0, 5), "board_cards": (0, 5)},
)

DEALS = Record(
    "deals",
    {
        # Deals that are wanted, and how many are drawn at most.
        "count": ("int64", ()),
        "tries": ("int64", ()),
        # Increment of the random numbers.
        "step": ("int64", ()),
        "hands": ("uint8", ("count", "players", "hole")),
        # The position of each hand in its list.
        "index": ("int32", ("count", "players")),
        "boards": ("uint8", ("count", 5)),
        # The number of the set of known cards.
        "set": ("int32", ("count",)),
        "found": ("int64", (1,)),
        "tried": ("int64", (1,)),
    },
)

STATE = Record("work", {"state": ("int64", (1,))})

DRAW_DEALS = Kernel("draw_deals", "equity.kernels.whole_deals", (LISTS, DEALS, STATE))
