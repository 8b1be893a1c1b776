"""The two players of a spot exchanged: what is found for one order is right for the other."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from equity.results.result import Result
from equity.results.tally import Tally
from equity.spot import Spot, range_notices

if TYPE_CHECKING:
    from equity.engine.monte_carlo import Drawn

__all__ = ["exchanged", "exchanged_spot"]


def exchanged_spot(spot: Spot) -> Spot:
    """The spot with its players in the other order, and what is known of their ranges."""
    players = spot.players[::-1]
    on_board = tuple(notice for notice in spot.notices if notice.place == "board")
    other = replace(spot, players=players, notices=on_board + range_notices(players))
    if spot.hands is None:
        vars(other).update(live_ranges=spot.live_ranges[::-1])
    return other


def exchanged(result: Result, spot: Spot) -> Result:
    """The result with its players in the other order.

    Parameters
    ----------
    result:
        Found for two players, exactly or by a sample.
    spot:
        The spot with the players in the other order, as :func:`exchanged_spot` makes it.
    """
    tally = result.tally
    cells = tuple(cell for at in reversed(range(tally.players)) for cell in tally.of_player(at))
    turned = Tally(tally.players, cells, tally.weight)
    sample = None
    if result.sample is not None:
        drawn: Drawn = result.sample  # type: ignore[assignment]
        sums = replace(drawn.sums, tally=turned, moments=drawn.sums.moments[::-1])
        sample = replace(drawn, sums=sums)
    hands = result.hands and result.hands[::-1]
    return replace(result, spot=spot, tally=turned, sample=sample, hands=hands)
