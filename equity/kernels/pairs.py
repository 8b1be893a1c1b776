"""Solves range against range by walking the runouts of each pair of hands."""

from __future__ import annotations

from typing import Any

from equity.kernels.jit import jit
from equity.kernels.runouts import walk

RESULTS = 3
LOWS = 4


@jit
def walk_pairs(tables: Any, spot: Any, pairs: Any, work: Any, result: Any, sums: Any) -> None:
    """Add the results of the pairs from ``begin`` up to ``stop`` to the sums.

    ``first_sums[hand, h, l]`` grows by the number of runouts on which ``h`` players share
    the high and ``l`` the low, as in :func:`equity.kernels.runouts.walk`, times the weight
    of the opposing hand; ``second_sums`` likewise.  Both are multiplied by the size of the
    first hand, and ``met[0]`` grows by that size.  ``spot.hands`` is overwritten.
    """
    for pair in range(pairs.begin, pairs.stop):
        one = pair % pairs.firsts
        two = pair // pairs.firsts
        if pairs.first_held[one] & pairs.second_held[two]:
            continue
        sums.met[0] += pairs.size[one]
        for card in range(spot.hole):
            spot.hands[0, card] = pairs.first[one, card]
            spot.hands[1, card] = pairs.second[two, card]
        walk(tables, spot, work, result)
        counts = result.counts
        first_weight = pairs.size[one] * pairs.first_weight[one]
        second_weight = pairs.size[one] * pairs.second_weight[two]
        for high in range(RESULTS):
            for low in range(LOWS):
                sums.first_sums[one, high, low] += second_weight * counts[0, high, low]
                sums.second_sums[two, high, low] += first_weight * counts[1, high, low]
