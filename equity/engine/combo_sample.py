"""Monte Carlo equities of every combo of the players' ranges."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from equity.engine.deal_sums import DealSums, known_errors, mean_errors
from equity.engine.executor import worker_threads
from equity.engine.options import How
from equity.results.combos import Combos
from equity.results.tally import POT
from equity.spot import Spot

__all__ = ["class_equities", "combos_of", "sample_combos", "sampled_players"]

#: The sample goes on until the standard error of a combo is this on average, by player.
ERROR = 0.005
#: Sets of hands that are tried: in a row at once, and at most in all.
TRIED = 1 << 16
MOST_TRIED = 48_000_000
#: Rows of a round, which threads divide among them.
ROWS = 32
#: Combos of a range that there is memory for.
MOST_COMBOS = 6_000_000


def sampled_players(spot: Spot) -> list[int]:
    """The players whose combos can be told apart: ranges that are not too large."""
    return [
        at
        for at, (player, live) in enumerate(zip(spot.players, spot.live_combos, strict=True))
        if not isinstance(player, tuple) and live <= MOST_COMBOS
    ]


def sample_combos(spot: Spot, how: How, players: Sequence[int]) -> DealSums:
    """Sample deals until the equities of the players' combos are known well enough.

    That is ``how.trials`` deals, or ``how.budget`` seconds, or else a standard error of half a
    point on average; how many sets of hands are tried is limited.
    """
    began = perf_counter()
    sums = DealSums(
        spot, np.array([spot.board] * ROWS, np.uint8).reshape(ROWS, -1), how.seed, players
    )
    while True:
        sums.draw(_next_tries(sums, how), worker_threads(how.threads))
        tried = int(sums.tried.sum())
        if how.trials is not None:
            is_enough = int(sums.deals.sum()) >= how.trials or tried >= ROWS * MOST_TRIED
        elif how.budget is not None:
            is_enough = perf_counter() - began >= how.budget
        else:
            is_enough = tried >= MOST_TRIED or all(_error(sums, at) <= ERROR for at in players)
        if is_enough:
            return sums


def _next_tries(sums: DealSums, how: How) -> NDArray[np.int64]:
    """How many sets of hands to try in each row of a round."""
    if how.trials is None:
        return np.full(ROWS, TRIED)
    deals, tried = int(sums.deals.sum()), int(sums.tried.sum())
    if not tried:
        return np.full(ROWS, min(TRIED, 1 + how.trials // ROWS))
    # The rounds before tell how many sets of hands are deals.
    wanted = max(1, how.trials - deals)
    return np.full(ROWS, min(TRIED, 1 + wanted * tried // max(1, deals) // ROWS))


def _error(sums: DealSums, player: int) -> float:
    """The standard error of a combo on average, by how often it is dealt."""
    _, errors = class_equities(sums, player)
    deals = sums.combo_sums[player][:, 0]
    return float(errors @ deals / deals.sum()) if deals.any() else np.inf


def class_equities(sums: DealSums, player: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(classes,): the equities of a player's classes of combos, and their standard errors.

    Classes without a deal have the equity of the player.
    """
    deals, won, squares, _ = sums.combo_sums[player].T
    mean = float(won.sum()) / (POT * max(1, int(deals.sum())))
    equities = np.where(deals > 0, won / (POT * np.maximum(deals, 1.0)), mean)
    return equities, known_errors(equities, mean_errors(deals, won, squares), deals)


def combos_of(sums: DealSums, player: int) -> Combos:
    """The results of the combos of a player; combos of a class have the same."""
    classes, hands = sums.classes[player], sums.hands[player]
    deals, won, _, high = sums.combo_sums[player].T
    # All hands of a class have the same weight.
    weight = np.bincount(classes, hands.weights)
    met, of_high, of_low = (part[classes] / weight[classes] for part in (deals, high, won - high))
    _, errors = class_equities(sums, player)
    return Combos(hands.cards, hands.weights, met, of_high, of_low, errors[classes])
