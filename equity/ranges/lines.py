"""Lines such as ``@SET,@NFD,@WRAP13+``, asked of what hands have on many boards."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from equity.errors import RangeError
from equity.ranges.combos import term_mask
from equity.ranges.holdings import Holdings
from equity.ranges.predicates import check_predicate, find_predicate, predicate_mask
from equity.ranges.syntax import parse
from equity.ranges.tree import (
    FULL_WEIGHT,
    Blocks,
    Expression,
    Leaf,
    Node,
    OnBoard,
    Term,
    Union,
    leaves,
)
from equity.rules.games import Game

__all__ = ["HoldingReader", "hand_leaves", "read_lines"]

Mask = NDArray[np.bool_]


def read_lines(text: str, game: Game, place: str, most: int) -> Expression:
    """Parse lines; at most ``most`` of their items may ask for hands, not for boards.

    Raises
    ------
    RangeError
        They are no range, have weights, or ask for the combos of another range.
    """
    tree = parse(text, game, place=place)
    if any(part.weight != FULL_WEIGHT for part in tree.parts):
        raise RangeError("a line has no weight", place=place, hint="write @SET,@NFD")
    for leaf in leaves(tree):
        if isinstance(leaf, Blocks):
            raise RangeError(
                f"{leaf} asks for the live combos of a range on one board",
                place=place,
                hint="leave it out, or ask 'equity range' on a board",
            )
        if isinstance(leaf, OnBoard):
            try:
                check_predicate(find_predicate(leaf.name, game), leaf.number, leaf.or_better)
            except RangeError as error:
                raise type(error)(error.problem, place=place, hint=error.hint) from None
    if len(hand_leaves(tree)) > most:
        raise RangeError(
            "too many items that are hands", place=place, hint="put them into the range"
        )
    return tree


def hand_leaves(tree: Expression | None) -> list[Leaf]:
    """The leaves that ask for no board, each once."""
    found = leaves(tree) if tree is not None else ()
    return [leaf for leaf in dict.fromkeys(found) if not isinstance(leaf, OnBoard)]


class HoldingReader:
    """Finds the holdings for which conditions hold; a condition that comes again is kept."""

    def __init__(self, holdings: Holdings, bits: dict[Node, int]) -> None:
        self.holdings = holdings
        self.bits = bits
        self._known: dict[OnBoard, Mask] = {}

    def mask(self, node: Node) -> Mask:
        """The holdings of ``node``, in an array of the caller's own."""
        if isinstance(node, Union):
            any_of: Mask = np.logical_or.reduce([self.mask(item) for item in node.items])
            return any_of
        if isinstance(node, Term):
            return term_mask(node, self.mask)
        if isinstance(node, OnBoard):
            if node not in self._known:
                predicate = find_predicate(node.name, self.holdings.game)
                self._known[node] = predicate_mask(
                    self.holdings, predicate, node.number, node.or_better
                )
            return self._known[node].copy()
        held: Mask = (self.holdings.mark >> self.bits[node] & 1).astype(np.bool_)
        return held
