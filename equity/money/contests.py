"""Side pots: some players against each other, while the cards of the others are dead.

A pot whose outsiders hold known cards, or any cards at all, is a spot of its own: known
cards are dead, and a hand that may be anything changes nothing.  Where an outsider has a
range, their hand is dealt with the others, since it affects which hands these can have.
Such a pot is enumerated over the hands of all players if they are few, and sampled
otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import comb, sqrt
from typing import TYPE_CHECKING

from equity.engine.options import How
from equity.engine.solver import solve
from equity.money.stakes import Stakes
from equity.results.result import Result
from equity.rules.cards import DECK_SIZE
from equity.spot import Spot

if TYPE_CHECKING:
    from equity.ranges import Range

__all__ = ["Contests", "contests"]


@dataclass(frozen=True)
class Contests:
    """The result for each pot, the main pot first, and the errors of the players' chips."""

    results: tuple[Result, ...]
    #: Standard errors of each player's chips from all pots: None if exact, infinite if
    #: unknown.
    errors: tuple[float | None, ...]


def contests(spot: Spot, stakes: Stakes, how: How) -> Contests:
    """Solve every pot.

    The main pot is the spot itself.  Samples of different pots have their own seeds and
    are independent, except those that are drawn together, whose chips are summed deal by
    deal.

    Raises
    ------
    KeyboardInterrupt
        It was interrupted before the last pot was begun.
    """
    layers = stakes.layers
    if how.budget is not None:
        how = replace(how, budget=how.budget / len(layers))
    found: dict[int, Result] = {}
    joint = []
    for at, layer in enumerate(layers):
        alone = _alone(spot, layer.members)
        if alone is None:
            joint.append(at)
            continue
        _go_on(found)
        found[at] = solve(alone, replace(how, seed=how.seed + at, by_combo=how.by_combo and not at))
    squares = [0.0] * len(spot.players)
    sampled: set[int] = set()
    worth = [float(layer.amount - stakes.rake_of(layer)) for layer in layers]
    for at, result in found.items():
        for player, facts in zip(layers[at].members, result.players, strict=True):
            if facts.equity_error is not None and worth[at]:
                sampled.add(player)
                squares[player] += (worth[at] * facts.equity_error) ** 2
    if joint:
        # These need numpy, which known hands do without.
        from equity.money import joint as together

        _go_on(found)
        pots = [(layers[at].members, worth[at]) for at in joint]
        answers = together.counted(spot, [members for members, _ in pots], how)
        if answers is None:
            answers, variances = together.drawn(spot, pots, how)
            sampled.update(player for members, won in pots if won for player in members)
            squares = [mine + more for mine, more in zip(squares, variances, strict=True)]
        found |= zip(joint, answers, strict=True)
    errors = tuple(
        sqrt(square) if player in sampled else None for player, square in enumerate(squares)
    )
    return Contests(tuple(found[at] for at in range(len(layers))), errors)


def _go_on(found: dict[int, Result]) -> None:
    """Raise KeyboardInterrupt if a pot was interrupted: those after it have no result."""
    if any(result.partial for result in found.values()):
        raise KeyboardInterrupt


def _alone(spot: Spot, members: Sequence[int]) -> Spot | None:
    """The spot of a pot alone; None if the hands of outsiders matter."""
    dead = list(spot.dead)
    for at, player in enumerate(spot.players):
        if at in members:
            continue
        live = spot.live_ranges[at]
        if isinstance(player, tuple):
            if spot.dead_pattern:
                return None
            dead += player
        elif live is None or not _is_anything(live, spot):
            return None
    players = tuple(spot.players[at] for at in members)
    return replace(spot, players=players, dead=tuple(dead))


def _is_anything(live: Range, spot: Spot) -> bool:
    """Whether a range is every live hand, with equal weights."""
    left = DECK_SIZE - len(spot.board) - len(spot.dead)
    if len(live) != comb(left, spot.game.hole):
        return False
    return bool((live.weights == live.weights[0]).all())
