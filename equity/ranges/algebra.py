"""Union, intersection and difference of range trees.

None stands for a range that has no tree, one that was given as a list of hands,
or that has a tree too large to be read again.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from equity.ranges.syntax import fits
from equity.ranges.tree import Expression, Node, Part, Slot, Slots, Term, Union
from equity.rules.cards import NAMES

__all__ = ["both", "either", "holding", "without"]


def either(a: Expression | None, b: Expression | None) -> Expression | None:
    """Hands of ``a`` or ``b``, with the larger weight."""
    if a is None or b is None:
        return None
    return _checked(dict.fromkeys((*a.parts, *b.parts)))


def both(a: Expression | None, b: Expression | None) -> Expression | None:
    """Hands of ``a`` and ``b``, with the smaller weight."""
    if a is None or b is None:
        return None
    return _checked(
        Part(_term(mine, ":", theirs), min(weight, other))
        for weight, mine in _by_weight(a)
        for other, theirs in _by_weight(b)
    )


def without(a: Expression | None, b: Expression | None) -> Expression | None:
    """Hands of ``a`` that are not in ``b``, with the weights of ``a``."""
    if a is None or b is None:
        return None
    gone = _union([part.node for part in b.parts])
    return _checked(Part(_term(mine, "!", gone), weight) for weight, mine in _by_weight(a))


def holding(cards: Iterable[int]) -> Expression:
    """Hands that hold any of ``cards``."""
    return Expression(tuple(Part(Slots((Slot(*NAMES[card]),))) for card in cards))


def _by_weight(tree: Expression) -> list[tuple[Decimal, Node]]:
    """The weights of a tree, and all that has each of them."""
    nodes: dict[Decimal, list[Node]] = {}
    for part in tree.parts:
        nodes.setdefault(part.weight, []).append(part.node)
    return [(weight, _union(same)) for weight, same in nodes.items()]


def _term(first: Node, mark: str, operand: Node) -> Node:
    if isinstance(first, Term):
        return Term(first.first, (*first.rest, (mark, operand)))
    return Term(first, ((mark, operand),))


def _union(nodes: list[Node]) -> Node:
    flat = [item for node in nodes for item in (node.items if isinstance(node, Union) else [node])]
    return flat[0] if len(flat) == 1 else Union(tuple(flat))


def _checked(parts: Iterable[Part]) -> Expression | None:
    tree = Expression(tuple(parts))
    return tree if fits(tree) else None
