"""Answers questions: prepares memory, runs the kernel, makes the result."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Sequence
from functools import cache
from time import perf_counter

from equity import kernels, tables
from equity.cards import Cards
from equity.games import Game
from equity.kernels.loader import Block
from equity.result import Result, Tally
from equity.spot import Spot, read_spot

__all__ = ["odds", "solve", "table_block"]


def odds(
    players: Sequence[Cards],
    game: str | Game = "plo4",
    board: Cards = "",
    dead: Cards = "",
) -> Result:
    """The exact split of the pot between known hands.

    Every board that can still come counts once.

    Parameters
    ----------
    players:
        A hand for each player, two up to what the deck allows: text such as
        ``"AhAsKhKs"``, or card ids.
    game:
        Name or alias of the game, see :data:`equity.GAMES`.
    board:
        Up to five cards that are on the board.
    dead:
        Cards that cannot come any more.

    Raises
    ------
    EquityError
        A child of it says which part of the question is wrong.

    Examples
    --------
    >>> odds(["AhAsKhKs", "9c8c7d6d"]).equities_exact[0]
    Fraction(326093, 543004)
    """
    return solve(read_spot(players, game, board, dead))


def solve(spot: Spot) -> Result:
    """The exact split of the pot of a spot that has been validated."""
    kernels.WALK.prepare()
    players = len(spot.hands)
    block = Block(
        kernels.SPOT,
        {
            "players": players,
            "hole": spot.game.hole,
            "known": len(spot.board),
            "low": int(spot.game.low),
            "live": spot.live(),
            "hands": _bytes([card for hand in spot.hands for card in hand]),
            "board": _bytes(spot.board, 5),
        },
    )
    table, (work, counts) = table_block(), _memory(players)
    start = perf_counter()
    kernels.WALK(table, block, work, counts)
    tally = Tally.from_flat(players, counts.values["counts"])
    return Result(spot, tally, perf_counter() - start)


def _bytes(cards: Sequence[int], length: int = 0) -> ctypes.Array[ctypes.c_uint8]:
    return (ctypes.c_uint8 * (length or len(cards)))(*cards)


@cache
def table_block() -> Block:
    """The tables, as kernels take them."""
    return Block(kernels.TABLES, {name: tables.memory(name) for name in tables.TABLES})


_local = threading.local()


def _memory(players: int) -> tuple[Block, Block]:
    """Memory for the walk and its tally, one for each thread and number of players."""
    blocks: dict[int, tuple[Block, Block]] = _local.__dict__.setdefault("blocks", {})
    if players not in blocks:
        blocks[players] = (
            kernels.WALK_WORK.allocate(players=players),
            kernels.TALLY.allocate(players=players),
        )
    return blocks[players]
