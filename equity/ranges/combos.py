"""Expansion of a range tree to combos and weights."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equity.errors import BoardError, CardCountError, RangeError
from equity.ranges.hands import hand_space
from equity.ranges.matching import Mask, match_shape, match_slots
from equity.ranges.syntax import WEIGHT_DECIMALS
from equity.ranges.tree import (
    FULL_WEIGHT,
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
from equity.rules.cards import DECK_SIZE, Cards, check_distinct, format_hand, parse_cards
from equity.rules.games import FLOP_SIZE, Game

if TYPE_CHECKING:
    from equity.ranges.orderings import Ordering
    from equity.ranges.texture import Texture

__all__ = [
    "Combos",
    "Known",
    "expand",
    "hand_array",
    "leaf_marks",
    "listed",
    "matching",
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

    def union(self, other: Combos) -> Combos:
        """The hands of either, with the larger weight."""
        mine, theirs, scale = self._weights_with(other)
        index = np.union1d(self.numbers, other.numbers).astype(np.int32, copy=False)
        weights = np.zeros(len(index), dtype=np.int64)
        weights[np.searchsorted(index, self.numbers)] = mine
        at = np.searchsorted(index, other.numbers)
        weights[at] = np.maximum(weights[at], theirs)
        return Combos(index, weights, scale, self._orderings_with(other))

    def intersection(self, other: Combos) -> Combos:
        """The hands of both, with the smaller weight."""
        mine, theirs, scale = self._weights_with(other)
        index, here, there = np.intersect1d(
            self.numbers, other.numbers, assume_unique=True, return_indices=True
        )
        weights = np.minimum(mine[here], theirs[there])
        return Combos(index, weights, scale, self._orderings_with(other))

    def difference(self, other: Combos) -> Combos:
        """The hands that the other has not, with their weights."""
        keep = ~np.isin(self.numbers, other.numbers, assume_unique=True)
        return self.kept(keep)._replace(orderings=self._orderings_with(other))

    def kept(self, keep: Mask) -> Combos:
        """Some of the hands; weights that are all the same share memory."""
        index, first = self.numbers[keep], self.weights[:1]
        uniform = len(index) and np.all(self.weights == first)
        weights = np.broadcast_to(first, len(index)) if uniform else self.weights[keep]
        return self._replace(numbers=index, weights=weights)

    def _weights_with(self, other: Combos) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
        """The weights of both at one scale."""
        scale = lcm(self.scale, other.scale)
        return self.weights * (scale // self.scale), other.weights * (scale // other.scale), scale

    def _orderings_with(self, other: Combos) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.orderings + other.orderings))


@lru_cache(maxsize=2)
def _texture_of(game: Game, board: tuple[int, ...]) -> Texture:
    """The texture of a board, kept for the next condition on it."""
    from equity.ranges.texture import Texture

    return Texture(game, board)


class Known(NamedTuple):
    """Known board and dead cards, as card ids, for conditions on the board."""

    board: tuple[int, ...] = ()
    dead: tuple[int, ...] = ()

    @classmethod
    def read(cls, board: Cards, dead: Cards) -> Known:
        """Board and dead cards as a caller gives them, each once."""
        known = cls(
            parse_cards(board, "board", commas=True), parse_cards(dead, "dead cards", commas=True)
        )
        check_distinct([("board", known.board), ("dead cards", known.dead)])
        return known


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
    scaled, scale = _scaled(ascending)
    if len(ascending) == 1:
        index = reader.numbers(by_weight[ascending[0]])
        # One number stands for all: a deck of six cards would take 160 MB.
        weights = np.broadcast_to(np.int64(scaled[0]), len(index))
        return Combos(index, weights, scale, tuple(reader.labels))
    every = np.zeros(reader.space.size, dtype=np.int64)
    for weight, value in zip(ascending, scaled, strict=True):
        every[reader.numbers(by_weight[weight])] = value
    index = np.flatnonzero(every).astype(np.int32)
    return Combos(index, every[index], scale, tuple(reader.labels))


def matching(tree: Expression, game: Game, known: Known) -> Mask:
    """The hands of a range, whatever their weights: (hands of the game,) bool."""
    reader = _Reader(game, None, known)
    return reader.either([part.node for part in tree.parts])


def leaf_marks(
    leaves: Sequence[Leaf],
    hands: NDArray[np.integer],
    game: Game,
    ordering: Ordering | None = None,
) -> NDArray[np.int64]:
    """(n,) bit masks of the leaves, which ask for no board, that hands by number are in."""
    reader = _Reader(game, ordering, Known())
    found = np.zeros(len(hands), dtype=np.int64)
    for bit, leaf in enumerate(leaves):
        found |= reader.mask(leaf)[hands].astype(np.int64) << bit
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


def _scaled(weights: Iterable[Decimal]) -> tuple[list[int], int]:
    """Weights as integers, and the power of ten that they were multiplied by."""
    weights = list(weights)
    places = max((-int(weight.as_tuple().exponent) for weight in weights), default=0)
    scale = 10 ** max(places, 0)
    return [int(weight * scale) for weight in weights], scale


def listed(
    hands: Iterable[Cards] | NDArray[np.integer],
    weights: Iterable[int | float | str | Decimal] | None,
    game: Game,
) -> Combos:
    """The combos of hands as a caller gives them; one given twice has the larger weight."""
    given = hand_space(game.hole).index(hand_array(hands, game))
    if weights is None:
        values, scale = [int(FULL_WEIGHT)] * len(given), 1
    else:
        values, scale = _scaled(map(_weight, weights))
        if len(values) != len(given):
            raise RangeError(f"{len(given)} hands and {len(values)} weights")
    index, which = np.unique(given, return_inverse=True)
    largest = np.zeros(len(index), dtype=np.int64)
    np.maximum.at(largest, which, np.array(values, dtype=np.int64))
    return Combos(index.astype(np.int32), largest, scale, ())


def hand_array(hands: Iterable[Cards] | NDArray[np.integer], game: Game) -> NDArray[np.int64]:
    """(n, hole) card ids of hands, each of them checked."""
    if isinstance(hands, np.ndarray):
        array = np.sort(hands, axis=1) if hands.shape[1:] == (game.hole,) else np.empty((0, 0))
        if (
            array.dtype.kind in "iu"
            and np.all((array >= 0) & (array < DECK_SIZE))
            and np.all(array[:, 1:] != array[:, :-1])
        ):
            return array.astype(np.int64)
        hands = list(hands)
    rows: list[tuple[int, ...]] = []
    for number, hand in enumerate(hands, 1):
        place = f"hand {number}"
        cards = parse_cards(hand, place)
        if len(cards) != game.hole:
            raise CardCountError(
                f"{len(cards)} cards ({format_hand(cards)})",
                place=place,
                hint=f"a hand of {game.name} has {game.hole}",
            )
        if len(set(cards)) < len(cards):
            check_distinct([(place, cards)])
        rows.append(cards)
    return np.array(rows, dtype=np.int64).reshape(-1, game.hole)


def _weight(value: int | float | str | Decimal) -> Decimal:
    """A weight as an exact number, without zeros behind its decimals."""
    try:
        weight = Decimal(str(value))
    except InvalidOperation:
        weight = Decimal("NaN")
    if not weight.is_finite() or not 1 <= weight <= 100:
        raise RangeError(f"{value!r} is no weight", hint="1 to 100")
    if -int(weight.normalize().as_tuple().exponent) > WEIGHT_DECIMALS:
        raise RangeError(
            f"{value!r} is too fine a weight", hint=f"at most {WEIGHT_DECIMALS} decimals"
        )
    return weight.quantize(Decimal(1)) if weight == int(weight) else weight.normalize()


def written_unit(tree: Expression | None, combos: Combos) -> Fraction:
    """The greatest common divisor of all weights of a range as they are written.

    Those of the text count, of parts without a hand too, so that it is the same on all
    boards; without a text those of the hands.
    """
    if tree is None:
        written = {Fraction(weight, combos.scale) for weight in np.unique(combos.weights).tolist()}
    else:
        written = {Fraction(part.weight) for part in tree.parts}
    whole = lcm(*(weight.denominator for weight in written))
    return Fraction(gcd(*(int(weight * whole) for weight in written)), whole)


class _Reader:
    """Reads the nodes of one range."""

    def __init__(self, game: Game, ordering: Ordering | None, known: Known) -> None:
        self.game = game
        self.known = known
        self.space = hand_space(game.hole)
        self.ordering = ordering
        #: The orderings that were used, as keys.
        self.labels: dict[str, None] = {}

    def numbers(self, nodes: list[Node]) -> NDArray[np.int32]:
        """The numbers of the hands in any of ``nodes``, ascending."""
        if all(isinstance(node, Hand) for node in nodes):
            return np.unique(self._listed(nodes)).astype(np.int32)
        if any(isinstance(node, Everything) for node in nodes):
            return np.arange(self.space.size, dtype=np.int32)
        return np.flatnonzero(self.either(nodes)).astype(np.int32)

    def _listed(self, nodes: list[Node]) -> NDArray[np.int64]:
        """The numbers of the exact hands among ``nodes``, in their order."""
        cards = [node.cards for node in nodes if isinstance(node, Hand)]
        return self.space.index(np.array(cards, dtype=np.uint8).reshape(-1, self.space.cards))

    def either(self, nodes: Iterable[Node]) -> Mask:
        """The hands of any of ``nodes``."""
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
            return self.either(node.items)
        if isinstance(node, Hand):
            return self.either([node])
        if isinstance(node, Everything):
            return np.ones(self.space.size, dtype=bool)
        if isinstance(node, Percent):
            # Orderings and textures are large modules that few ranges need.
            from equity.ranges.orderings import find_ordering

            found = find_ordering(node, self.game, self.ordering)
            self.labels[found.label] = None
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
        from equity.ranges.predicates import find_predicate, predicate_mask

        predicate = find_predicate(node.name, self.game)
        texture = _texture_of(self.game, tuple(sorted(self._board(node))))
        return predicate_mask(texture, predicate, node.number, node.or_better) & texture.live

    def _blocking(self, node: Blocks) -> Mask:
        """Return the hands that block so much of another range, live combos only."""
        from equity.ranges.blocking import blocked_combos

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
