"""From the tree of a range to its hands and their weights."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from equity.games import Game
from equity.ranges.hands import HandSpace, hand_space
from equity.ranges.matching import Mask, match_shape, match_slots
from equity.ranges.orderings import find_ordering
from equity.ranges.tree import Everything, Expression, Hand, Node, Percent, Shape, Term, Union

__all__ = ["Combos", "expand", "scaled_weights"]


class Combos(NamedTuple):
    """Hands and weights."""

    #: (n,) int32, the numbers of the hands in the hand space, ascending.
    numbers: NDArray[np.int32]
    #: (n,) int64, the weights times ``scale``.
    weights: NDArray[np.int64]
    scale: int


def expand(tree: Expression, game: Game) -> Combos:
    """The hands of a range; one in several parts has the largest weight.

    Raises
    ------
    OrderingError
        A percent item without an ordering to read it by.
    """
    space = hand_space(game.hole)
    by_weight: dict[Decimal, list[Node]] = {}
    for part in tree.parts:
        by_weight.setdefault(part.weight, []).append(part.node)
    ascending = sorted(by_weight)
    scaled, scale = scaled_weights(ascending)
    if len(ascending) == 1:
        index = _numbers(by_weight[ascending[0]], space, game)
        return Combos(index, np.full(len(index), scaled[0], dtype=np.int64), scale)
    every = np.zeros(space.size, dtype=np.int64)
    for weight, value in zip(ascending, scaled, strict=True):
        every[_numbers(by_weight[weight], space, game)] = value
    index = np.flatnonzero(every).astype(np.int32)
    return Combos(index, every[index], scale)


def scaled_weights(weights: Iterable[Decimal]) -> tuple[list[int], int]:
    """Weights as integers, and the power of ten that they were multiplied by."""
    weights = list(weights)
    places = max((-int(weight.as_tuple().exponent) for weight in weights), default=0)
    scale = 10 ** max(places, 0)
    return [int(weight * scale) for weight in weights], scale


def _numbers(nodes: list[Node], space: HandSpace, game: Game) -> NDArray[np.int32]:
    """The numbers of the hands in any of ``nodes``, ascending."""
    if all(isinstance(node, Hand) for node in nodes):
        return np.unique(_listed(nodes, space)).astype(np.int32)
    return np.flatnonzero(_any(nodes, space, game)).astype(np.int32)


def _listed(nodes: list[Node], space: HandSpace) -> NDArray[np.int64]:
    """The numbers of the exact hands among ``nodes``, in their order."""
    cards = [node.cards for node in nodes if isinstance(node, Hand)]
    return space.index(np.array(cards, dtype=np.uint8).reshape(-1, space.cards))


def _any(nodes: Iterable[Node], space: HandSpace, game: Game) -> Mask:
    nodes = list(dict.fromkeys(nodes))
    out: Mask | None = None
    for node in nodes:
        if not isinstance(node, Hand):
            mask = _mask(node, space, game)
            out = mask if out is None else np.logical_or(out, mask, out=out)
    if out is None:
        out = np.zeros(space.size, dtype=bool)
    out[_listed(nodes, space)] = True
    return out


def _mask(node: Node, space: HandSpace, game: Game) -> Mask:
    """The hands of ``node``, in an array of the caller's own."""
    if isinstance(node, Union):
        return _any(node.items, space, game)
    if isinstance(node, Hand):
        return _any([node], space, game)
    if isinstance(node, Everything):
        return np.ones(space.size, dtype=bool)
    if isinstance(node, Percent):
        return find_ordering(node, game).mask(node).copy()
    if isinstance(node, Shape):
        return match_shape(space, node)
    if isinstance(node, Term):
        out = _mask(node.first, space, game)
        for mark, operand in node.rest:
            other = _mask(operand, space, game)
            if mark == "!":
                np.logical_not(other, out=other)
            out &= other
        return out
    return match_slots(space, node)
