"""The boards that can come: their classes, and an order in which neighbours play alike."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from equity.games import BOARD_SIZE
from equity.kernels import sampling_records as records
from equity.sampling.question import KnownCards, Weights

__all__ = ["by_worth", "possible"]


def possible(known: Sequence[KnownCards], gone: int, held: int) -> records.Boards:
    """The boards that can come, by class.

    ``gone`` and ``held`` are bit masks of the cards that no deal has, and of those
    that some hand is sure to hold.
    """
    if len(known) == 1:
        live = ~(gone | held) & records.ALL_CARDS
        return records.board_classes(known[0].board, live)
    entries = [(one.board, one.taken, one.weight) for one in known]
    return records.board_list(entries, held, BOARD_SIZE - len(known[0].board))


def by_worth(boards: records.Boards, deals: Weights, won: Weights, times: int) -> records.Boards:
    """The classes in the order of what they are worth to a player.

    ``deals`` of each class were looked at in ``times`` draws, and ``won`` is what
    each player won of them.
    """
    total = int((boards.weights * deals).sum())
    if not total:
        return boards
    # What a player wins beyond his share of the deals; whole numbers and
    # sums in a fixed order, so that the order is the same on every machine.
    shares = [int(part) / total for part in (boards.weights[:, np.newaxis] * won).sum(axis=0)]
    excess = [won[:, seat] - deals * share for seat, share in enumerate(shares)]
    spread = [int((boards.weights * np.abs(one).astype(np.int64)).sum()) for one in excess]
    worth = boards.smoothed(excess[spread.index(max(spread))], times)
    return boards.reordered(np.argsort(worth, kind="stable"))
