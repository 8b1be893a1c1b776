"""Live hands of the players as arrays, with integer weights."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from equity.spot import Spot

__all__ = ["Hands", "common_unit", "hand_lists", "live_hands", "reduced", "weight_unit"]


class Hands(NamedTuple):
    """Distinct hands of one game, with positive integer weights."""

    #: (n, hole) uint8.
    cards: NDArray[np.uint8]
    #: (n,) int64.
    weights: NDArray[np.int64]


def hand_lists(spot: Spot) -> list[Hands]:
    """The live hands of each player; weights are divided by their greatest common divisor."""
    lists = [live_hands(spot, player) for player in range(len(spot.players))]
    return [Hands(cards, np.ascontiguousarray(weights)) for cards, weights in lists]


def live_hands(spot: Spot, at: int) -> Hands:
    """The live hands of one player."""
    player, live = spot.players[at], spot.live_ranges[at]
    if isinstance(player, tuple) or live is None:
        return Hands(np.array([sorted(player, reverse=True)], np.uint8), np.ones(1, np.int64))
    return Hands(live.combos, reduced(live.weights))


def weight_unit(spot: Spot) -> int:
    """The factor from weights of :func:`hand_lists` to weights on the scale of all boards.

    The divisor of the live weights depends on the board.  Weights of deals are reported on
    one scale for all boards: weights as written, divided by their greatest common divisor.
    """
    unit = Fraction(1)
    for player, live in zip(spot.players, spot.live_ranges, strict=True):
        if live is not None and not isinstance(player, tuple):
            unit *= Fraction(common_unit(live.weights), live.scale) / player.weight_unit
    return int(unit)


def common_unit(weights: NDArray[np.int64]) -> int:
    """The greatest common divisor of weights."""
    first = int(weights[0])
    # Mostly all are the same, which is seen much sooner than divided.
    return first if np.all(weights == first) else int(np.gcd.reduce(weights))


def reduced(weights: NDArray[np.int64]) -> NDArray[np.int64]:
    """Divide weights by their greatest common divisor; equal weights share memory."""
    unit = common_unit(weights)
    if unit == weights.max():
        return np.broadcast_to(np.int64(1), len(weights))
    return weights // unit
