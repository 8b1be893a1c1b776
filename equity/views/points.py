"""Equities of all combos of a range, or on all boards: the points of a distribution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import comb

import numpy as np
from numpy.typing import NDArray

from equity.engine.combo_sample import class_equities, sample_combos
from equity.engine.deal_sums import DealSums, known_errors
from equity.engine.executor import worker_threads
from equity.engine.hand_lists import hand_lists
from equity.engine.isomorphism import alike_boards, suits_alike
from equity.engine.odds_many import odds_many
from equity.engine.options import How
from equity.engine.planner import EXACT_COST
from equity.engine.sweeping import Deal, Sweep
from equity.errors import MethodError
from equity.kernels.log import log
from equity.results.tally import POT
from equity.spot import Spot
from equity.views.answers import free_cards
from equity.views.curve_errors import Noise
from equity.views.curves import Points
from equity.views.runouts import Runouts

__all__ = ["board_points", "combo_points", "sampled_points"]

#: Standard error of the equity on each sampled board.
ERROR = 0.005
#: Sets of hands that are tried on a board, at first and at most.
TRIED_FIRST = 1 << 10
MOST_TRIED_BOARD = 1 << 18
#: More boards than this are not sampled each; some of them are drawn and enumerated, as
#: many as take so many nanoseconds, within limits.
MOST_BOARDS = 25_000
BOARDS_COST = 30_000_000_000
BOARDS = (50, 100_000)
#: Of the variance of sampled equities at least this part is that of the equities.
LEAST_RIGHT = 0.01
#: Estimated weights are integers in units of 1 / UNIT.
UNIT = 1 << 40


def sampled_points(
    equities: NDArray[np.float64], noise: Noise, weights: Sequence[int], count: int, deals: int
) -> Points:
    """Points from sampled equities, with the spread put right for their errors.

    Errors widen a distribution.  Each equity is moved towards the mean by the factor that takes
    the variance of its error out of that of the equities.
    """
    share = np.array(weights, float)
    share /= share.sum()
    mean = float(share @ equities)
    variance = float(share @ (equities - mean) ** 2)
    errors = noise.equity**2
    right = max(variance - float(share @ errors), LEAST_RIGHT * variance)
    shrink = np.sqrt(right / (right + errors)) if variance else np.ones(len(errors))
    moved = shrink * (equities - mean)
    parts = (mean + moved - share @ moved).tolist()
    won = [round(part * POT * weight) for part, weight in zip(parts, weights, strict=True)]
    return Points(won, weights, count, noise=noise._replace(shrink=shrink), deals=deals)


# Combos


def combo_points(spot: Spot, how: How, sides: Sequence[int]) -> list[Points]:
    """Sample the equities of all combos of two ranges, from the side of each of ``sides``.

    Combos that a suit permutation of the spot maps to each other are one point.  Weights are
    exact: the compatible combos of the other range.
    """
    sums = sample_combos(spot, how, sides)
    met = _compatible(spot)
    return [_of_combos(sums, side, met) for side in sides]


def _compatible(spot: Spot) -> tuple[NDArray[np.int64], list[NDArray[np.int64]]]:
    """The hands of two ranges as bit masks, ascending, and by side the weight of deals of each.

    The weight is that of a hand, times that of the hands it can be dealt with.
    """
    first, second = hand_lists(spot)
    plan = Sweep(Deal(first, second, spot.board, spot.dead, spot.game, symmetric=False))
    deal = plan.deal
    parts = [plan.met(deal.part_of_weights(part)) for part in range(deal.parts)]
    order = np.argsort(deal.held)
    weights = [
        (deal.weights[:, side] * deal.joined([part[side] for part in parts]))[order]
        for side in range(len(parts[0]))
    ]
    return deal.held[order], weights


def _of_combos(
    sums: DealSums,
    side: int,
    met: tuple[NDArray[np.int64], list[NDArray[np.int64]]],
) -> Points:
    """The points of a side: one for each class of its combos."""
    classes, (held, weights) = sums.classes[side], met
    weight = np.zeros(len(sums.combo_sums[side]), weights[side].dtype)
    np.add.at(weight, classes, weights[side][np.searchsorted(held, sums.hands[side].masks)])
    equities, errors = class_equities(sums, side)
    live = int(np.count_nonzero(weight[classes]))
    noise = Noise(errors, np.zeros(len(errors)), np.ones(len(errors)))
    return sampled_points(equities, noise, weight.tolist(), live, int(sums.deals.sum()))


# Boards


def board_points(spot: Spot, missing: int, noun: str, how: How) -> Points:
    """The equity of player 1 on all boards with ``missing`` more cards.

    Known hands are enumerated, and ranges where that takes some seconds at most.  Otherwise
    deals are sampled on each board; if there are too many for that, some of them are drawn.

    Raises
    ------
    MethodError
        There are too many boards for ranges of many hands.
    """
    free = free_cards(spot)
    boards = alike_boards(free, missing, suits_alike(spot))
    if spot.hands is not None:
        return _of_hands(spot, np.array(boards.cards, np.uint8), boards.size)
    one = replace(how, trials=None)
    runouts = Runouts(spot, one, boards.cards)
    cost = None if runouts.cost is None else len(boards.cards) * runouts.cost.core
    if how.exact or (how.trials is None and cost is not None and cost <= EXACT_COST):
        return _exact(runouts, boards.size, noun, None)
    if len(boards.cards) <= MOST_BOARDS:
        return _sampled(spot, np.array(boards.cards, np.uint8), boards.size, how)
    if cost is None or runouts.cost is None:
        raise MethodError(
            f"the hands of the ranges are too many to be enumerated on each of the {noun}",
            place="over",
            hint="narrow them, take an earlier street, or enumerate all deals (--exact)",
        )
    # Some boards are drawn, each of them as likely.
    total = comb(len(free), missing)
    count = min(max(BOARDS[0], BOARDS_COST // max(1, runouts.cost.core)), BOARDS[1], total)
    log(f"sampling {count:,} of {total:,} {noun}")
    drawn = np.random.default_rng(how.seed).choice(total, count, replace=False)
    kinds = np.searchsorted(np.cumsum(boards.size), drawn, side="right")
    sizes = np.bincount(kinds, minlength=len(boards.size))
    chosen = np.flatnonzero(sizes).tolist()
    some = Runouts(spot, one, [boards.cards[at] for at in chosen])
    return _exact(some, sizes[chosen].tolist(), noun, (count, total))


def _of_hands(spot: Spot, cards: NDArray[np.uint8], sizes: Sequence[int]) -> Points:
    """The points of known hands, all enumerated."""
    hands = np.array(spot.hands, np.uint8)
    boards = _whole_boards(spot, cards)
    rows = np.broadcast_to(hands, (len(cards), *hands.shape))
    found = odds_many(rows, boards, spot.game, list(spot.dead))
    size = np.array(sizes)
    won, weight = found.won[:, 0] * size, found.runouts * size
    return Points(won.tolist(), weight.tolist(), sum(sizes), boards=boards)


def _exact(
    runouts: Runouts, sizes: Sequence[int], noun: str, drawn: tuple[int, int] | None
) -> Points:
    """Points that are enumerated each; a drawn board counts as often as it was drawn."""
    won: list[int] = []
    weight: list[int] = []
    dealt: list[Sequence[int]] = []
    for (cards, answer), size in zip(runouts.answers(noun), sizes, strict=True):
        if answer is not None and answer.weight is not None:
            won += [int(answer.parts[0].equity_exact * POT * answer.weight)] * size
            weight += [answer.weight] * size
            dealt += [cards] * size
    boards = _whole_boards(runouts.spot, np.array(dealt, np.uint8))
    return Points(won, weight, len(won), drawn, boards=boards)


def _whole_boards(spot: Spot, cards: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(n, cards) the board of the spot, with (n, cards) more."""
    known = np.array([spot.board] * len(cards), np.uint8).reshape(len(cards), -1)
    return np.hstack([known, cards])


def _sampled(spot: Spot, cards: NDArray[np.uint8], sizes: Sequence[int], how: How) -> Points:
    """Points from deals that are sampled on each board."""
    boards = _whole_boards(spot, cards)
    sums = DealSums(spot, boards, how.seed)
    tries = np.full(len(cards), TRIED_FIRST)
    while tries.any():
        sums.draw(tries, worker_threads(how.threads))
        tries = _more_tries(sums, how)
    met = sums.deals > 0
    part = sums.deals[met] / sums.tried[met]
    equities = sums.equities[met, 0]
    noise = Noise(
        known_errors(equities, sums.errors[met, 0], sums.deals[met]),
        np.sqrt((1 - part) / (part * sums.tried[met])),
        np.ones(len(part)),
    )
    weights = (np.array(sizes, float)[met] * part * (UNIT / max(sizes))).astype(np.int64)
    count = int(np.array(sizes)[met].sum())
    points = sampled_points(equities, noise, weights.tolist(), count, int(sums.deals.sum()))
    return replace(points, boards=boards[met])


def _more_tries(sums: DealSums, how: How) -> NDArray[np.int64]:
    """How many more sets of hands to try on each board; 0 where the error is small enough."""
    deals = np.maximum(sums.deals, 1)
    if how.trials is not None:
        wanted = np.maximum(how.trials - sums.deals, 0)
    else:
        equities = np.nan_to_num(sums.equities[:, 0])
        errors = known_errors(equities, sums.errors[:, 0], sums.deals)
        wanted = deals * np.maximum((errors / ERROR) ** 2 * 1.05 - 1, 0)
        wanted = np.where(errors <= ERROR, 0, wanted)
    tries = np.ceil(wanted * sums.tried / deals)
    # Ranges that are hardly ever dealt together on a board are given up there.
    most = max(MOST_TRIED_BOARD, 8 * (how.trials or 0))
    return np.clip(tries, 0, np.maximum(most - sums.tried, 0)).astype(np.int64)
