"""The best and the worst combos of a range, and what they have on the board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from equity.engine.holdings import tally_holdings
from equity.engine.isomorphism import suits_alike
from equity.engine.sweeping.symmetry import masks, orbits
from equity.ranges import Range
from equity.ranges.lines import HoldingReader
from equity.ranges.syntax import parse
from equity.results.combos import Combos
from equity.results.formats import finite
from equity.results.tally import POT
from equity.results.text import error_text
from equity.rules.cards import format_hand
from equity.rules.games import FLOP_SIZE
from equity.spot import Spot
from equity.views.breakdown import conditions

__all__ = ["RankedCombo", "rank_combos", "ranked_lines"]

#: Groups of conditions that a hand is described by.
GROUPS = ("made hands", "draws", "low")


@dataclass(frozen=True)
class RankedCombo:
    """A combo, and those that a suit permutation of the spot maps it to."""

    #: The player, from 1, and whether it is one of the best or of the worst.
    player: int
    order: str
    hand: str
    combos: int
    #: Their part of the deals.
    share: float
    equity: float
    std_error: float | None
    #: Board conditions that hold for it, the most special ones; none before the flop.
    conditions: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """The numbers for JSON."""
        return {
            "player": self.player,
            "order": self.order,
            "hand": self.hand,
            "combos": self.combos,
            "share": self.share,
            "equity": self.equity,
            "std_error": finite(self.std_error),
            "conditions": " ".join(self.conditions),
        }


def rank_combos(
    spot: Spot, side: int, combos: Combos, best: int, worst: int
) -> tuple[RankedCombo, ...]:
    """The ``best`` and the ``worst`` combos of a player, isomorphic ones once.

    ``side`` is the player, from 0.
    """
    live = np.flatnonzero(combos.met)
    forms = orbits(masks(combos.cards[live]), suits_alike(spot))
    _, first, classes, counts = np.unique(
        forms, return_index=True, return_inverse=True, return_counts=True
    )
    weight = combos.weights[live].astype(float) * combos.met[live].astype(float)
    shares = np.bincount(classes, weight) / weight.sum()
    row = live[first]
    equities = (combos.won[row] / (POT * combos.met[row])).astype(float)
    errors = None if combos.errors is None else combos.errors[row]
    order = np.argsort(-equities, kind="stable")
    worst = min(worst, max(0, len(order) - best))

    def ranked(at: int, name: str) -> RankedCombo:
        hand = tuple(combos.cards[row[at]].tolist())
        return RankedCombo(
            side + 1,
            name,
            format_hand(hand),
            int(counts[at]),
            float(shares[at]),
            float(equities[at]),
            None if errors is None else float(errors[at]),
            held_conditions(spot, hand),
        )

    return (
        *(ranked(at, "best") for at in order[:best].tolist()),
        *(ranked(at, "worst") for at in order[len(order) - worst :].tolist()),
    )


def held_conditions(spot: Spot, hand: Sequence[int]) -> tuple[str, ...]:
    """The board conditions that hold for a hand; of a condition and its parts, the parts."""
    if len(spot.board) < FLOP_SIZE:
        return ()
    one = Range.from_hands([tuple(hand)], spot.game)
    reader = HoldingReader(tally_holdings(one, spot.board, size=len(spot.board)), {})
    found: list[str] = []
    for group, depth, condition in conditions(spot.game):
        # Draws and lows are told together with made hands elsewhere.
        if group not in GROUPS or ":" in condition:
            continue
        if reader.mask(parse(condition, spot.game).parts[0].node).any():
            if depth:
                found.pop()
            found.append(condition)
    return tuple(found)


def ranked_lines(ranked: Sequence[RankedCombo]) -> Iterator[str]:
    """The table of the best and the worst combos of a player."""
    width = max(len(one.hand) for one in ranked)
    is_sampled = any(one.std_error is not None for one in ranked)
    order = ""
    for one in ranked:
        if one.order != order:
            order = one.order
            yield ""
            title = f"{order} combos of player {one.player}"
            yield f"{title:<{max(width, 26)}}{'combos':>8}{'share %':>9}{'equity %':>10}" + (
                f"{'+/-':>7}" if is_sampled else ""
            )
        error = f"{error_text(one.std_error):>7}" if is_sampled else ""
        line = (
            f"  {one.hand:<{max(width, 26) - 2}}{one.combos:>8,}{100 * one.share:>9.3f}"
            f"{100 * one.equity:>10.2f}{error}  {' '.join(one.conditions)}"
        )
        yield line.rstrip()
