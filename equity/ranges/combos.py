"""Expansion of a range tree to combos and weights."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equity.ranges.blocking import blocked_combos
from equity.ranges.errors import BoardError
from equity.ranges.hands import hand_space
from equity.ranges.matching import Mask, match_shape, match_slots
from equity.ranges.orderings import Ordering, find_ordering
from equity.ranges.predicates import find_predicate, predicate_mask
from equity.ranges.syntax import parse
from equity.ranges.texture import Texture
from equity.ranges.tree import (
    Blocks,
    Everything,
    Expression,
    Hand,
    Leaf,
    Node,
    OnBoard,
    Percent,
    Shape,
    Term,
    Union,
)
from equity.rules.games import FLOP_SIZE, Game

if TYPE_CHECKING:
    from equity.ranges.range import Range

__all__ = [
    "Combos",
    "Known",
    "common_unit",
    "expand",
    "holds",
    "leaf_marks",
    "reduced",
    "scaled_weights",
    "term_mask",
    "written_unit",
]


class Combos(NamedTuple):
    """Hands and weights."""

    #: (n,) int32, the numbers of the hands in the hand space, ascending.
    numbers: NDArray[np.int32]
    #: (n,) int64, the weights times ``scale``.
    weights: NDArray[np.int64]
    scale: int
    #: The orderings that percent items were read by, name and version.
    orderings: tuple[str, ...]


@lru_cache(maxsize=2)
def _texture_of(game: Game, board: tuple[int, ...]) -> Texture:
    """The texture of a board, kept for the next condition on it."""
    return Texture(game, board)


class Known(NamedTuple):
    """Known board and dead cards, as card ids, for conditions on the board."""

    board: tuple[int, ...] = ()
    dead: tuple[int, ...] = ()


def expand(
    tree: Expression, game: Game, ordering: Ordering | None = None, known: Known | None = None
) -> Combos:
    """Expand a range; a hand in several parts has the largest weight.

    ``ordering`` is what percent items that name none are read by, ``known`` what
    conditions on the board are.

    Raises
    ------
    OrderingError
        A percent item without an ordering to read it by.
    """
    reader = _Reader(game, ordering, known or Known())
    by_weight: dict[Decimal, list[Node]] = {}
    for part in tree.parts:
        by_weight.setdefault(part.weight, []).append(part.node)
    ascending = sorted(by_weight)
    scaled, scale = scaled_weights(ascending)
    if len(ascending) == 1:
        index = reader.numbers(by_weight[ascending[0]])
        # One number stands for all: a deck of six cards would take 160 MB.
        weights = np.broadcast_to(np.int64(scaled[0]), len(index))
        return Combos(index, weights, scale, reader.labels)
    every = np.zeros(reader.space.size, dtype=np.int64)
    for weight, value in zip(ascending, scaled, strict=True):
        every[reader.numbers(by_weight[weight])] = value
    index = np.flatnonzero(every).astype(np.int32)
    return Combos(index, every[index], scale, reader.labels)


def holds(condition: str, hands: Range, board: Sequence[int], dead: Sequence[int]) -> Mask:
    """For which hands of a range a condition holds, itself a range: (len(hands),) bool.

    Raises
    ------
    RangeError
        The condition is no range of the game, or asks for a board that is not there.
    """
    reader = _Reader(hands.game, None, Known(tuple(board), tuple(dead)))
    held = [reader.mask(part.node) for part in parse(condition, hands.game).parts]
    found: Mask = np.logical_or.reduce(held)[hands.index]
    return found


def leaf_marks(
    leaves: Sequence[Leaf], hands: Range, ordering: Ordering | None = None
) -> NDArray[np.int64]:
    """(len(hands),) bit masks of the leaves, which ask for no board, that a hand is in."""
    reader = _Reader(hands.game, ordering, Known())
    found = np.zeros(len(hands), dtype=np.int64)
    for bit, leaf in enumerate(leaves):
        found |= reader.mask(leaf)[hands.index].astype(np.int64) << bit
    return found


def term_mask(term: Term, mask: Callable[[Node], Mask]) -> Mask:
    """The mask of a term, given those of its operands in arrays that may be written to."""
    out = mask(term.first)
    # To take away, or to keep, the same again changes nothing.
    for mark, operand in dict.fromkeys(term.rest):
        other = mask(operand)
        if mark == "!":
            np.logical_not(other, out=other)
        out &= other
    return out


def scaled_weights(weights: Iterable[Decimal]) -> tuple[list[int], int]:
    """Weights as integers, and the power of ten that they were multiplied by."""
    weights = list(weights)
    places = max((-int(weight.as_tuple().exponent) for weight in weights), default=0)
    scale = 10 ** max(places, 0)
    return [int(weight * scale) for weight in weights], scale


def written_unit(hands: Range) -> Fraction:
    """The greatest common divisor of all weights of a range as they are written.

    Those of the text count, of parts without a hand too, so that it is the same on all
    boards; without a text those of the hands.
    """
    tree = hands._tree
    if tree is None:
        written = {Fraction(weight, hands.scale) for weight in np.unique(hands.weights).tolist()}
    else:
        written = {Fraction(part.weight) for part in tree.parts}
    whole = lcm(*(weight.denominator for weight in written))
    return Fraction(gcd(*(int(weight * whole) for weight in written)), whole)


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


class _Reader:
    """Reads the nodes of one range."""

    def __init__(self, game: Game, ordering: Ordering | None, known: Known) -> None:
        self.game = game
        self.known = known
        self.space = hand_space(game.hole)
        self.ordering = ordering
        self._labels: dict[str, None] = {}

    @property
    def labels(self) -> tuple[str, ...]:
        """The orderings that were used."""
        return tuple(self._labels)

    def numbers(self, nodes: list[Node]) -> NDArray[np.int32]:
        """The numbers of the hands in any of ``nodes``, ascending."""
        if all(isinstance(node, Hand) for node in nodes):
            return np.unique(self._listed(nodes)).astype(np.int32)
        if any(isinstance(node, Everything) for node in nodes):
            return np.arange(self.space.size, dtype=np.int32)
        return np.flatnonzero(self._any(nodes)).astype(np.int32)

    def _listed(self, nodes: list[Node]) -> NDArray[np.int64]:
        """The numbers of the exact hands among ``nodes``, in their order."""
        cards = [node.cards for node in nodes if isinstance(node, Hand)]
        return self.space.index(np.array(cards, dtype=np.uint8).reshape(-1, self.space.cards))

    def _any(self, nodes: Iterable[Node]) -> Mask:
        nodes = list(dict.fromkeys(nodes))
        out: Mask | None = None
        for node in nodes:
            if not isinstance(node, Hand):
                mask = self.mask(node)
                out = mask if out is None else np.logical_or(out, mask, out=out)
        if out is None:
            out = np.zeros(self.space.size, dtype=bool)
        out[self._listed(nodes)] = True
        return out

    def mask(self, node: Node) -> Mask:
        """The hands of ``node``, in an array of the caller's own."""
        if isinstance(node, Union):
            return self._any(node.items)
        if isinstance(node, Hand):
            return self._any([node])
        if isinstance(node, Everything):
            return np.ones(self.space.size, dtype=bool)
        if isinstance(node, Percent):
            found = find_ordering(node, self.game, self.ordering)
            self._labels[found.label] = None
            return found.mask(node)
        if isinstance(node, OnBoard):
            return self._on_board(node)
        if isinstance(node, Blocks):
            return self._blocking(node)
        if isinstance(node, Shape):
            return match_shape(self.space, node)
        if isinstance(node, Term):
            return term_mask(node, self.mask)
        return match_slots(self.space, node)

    def _board(self, node: Node) -> tuple[int, ...]:
        """The board that something is asked of."""
        board = self.known.board
        if len(board) < FLOP_SIZE:
            count = f"that has {len(board)} card{'s' * (len(board) > 1)}"
            raise BoardError(
                f"{node} asks what a hand has on the board, and "
                f"{count if board else 'there is none'}",
                hint="give three to five known cards",
            )
        return board

    def _on_board(self, node: OnBoard) -> Mask:
        predicate = find_predicate(node.name, self.game)
        texture = _texture_of(self.game, tuple(sorted(self._board(node))))
        return predicate_mask(texture, predicate, node.number, node.or_better) & texture.live

    def _blocking(self, node: Blocks) -> Mask:
        """Return the hands that block so much of another range, live combos only."""
        live = self.space.avoiding((*self._board(node), *self.known.dead))
        blocked = np.flatnonzero(self.mask(node.node) & live)
        if not len(blocked):
            return np.zeros(self.space.size, dtype=np.bool_)
        hits = blocked_combos(self.space, blocked)
        scale = 10 ** max(0, -int(node.percent.as_tuple().exponent))
        # The fewest hits that are enough, rounded up.
        least = -(-int(node.percent * scale) * len(blocked) // (100 * scale))
        enough: Mask = hits >= least
        enough &= live
        return enough
