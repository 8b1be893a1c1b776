"""Notices for percent items that share an end: ``10%`` and ``10%-20%``.

Both ends of a percent item belong to it, so a deck that is cut like that is not cut
into parts without a hand in common; ``10%`` and ``11%-20%`` are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations, islice, product

from equity.common.notices import Notice
from equity.ranges.readings import MOST_NOTICES
from equity.ranges.tree import Expression, Node, Percent, Term, Union

__all__ = ["touching_percents"]

#: Items of a range that are looked at, at most.
MOST_ITEMS = 100
#: A percent item, and those that are taken out of it by ``!``.
Item = tuple[Percent, tuple[Percent, ...]]


def touching_percents(trees: Sequence[Expression | None], place: str = "") -> tuple[Notice, ...]:
    """Notices of percent items that end where another one begins.

    Parameters
    ----------
    trees:
        The parsed range of each player, in order; None for a hand.
    place:
        What a range alone is called; ``"range 1"`` and so on without it.

    Returns
    -------
    A notice for each two such items, of one range or of two, each only once.
    """
    items = [_some_items(tree) if tree else [] for tree in trees]
    found: list[Notice | None] = []
    for player, mine in enumerate(items, 1):
        found += [_notice(place or f"range {player}", *pair) for pair in combinations(mine, 2)]
    for (player, mine), (other, theirs) in combinations(enumerate(items, 1), 2):
        both = f"ranges {player} and {other}"
        found += [_notice(both, *pair) for pair in product(mine, theirs)]
    return tuple(dict.fromkeys(filter(None, found)))[:MOST_NOTICES]


def _some_items(tree: Expression) -> list[Item]:
    """The percent items of a range, each once; some of them where there are many."""
    every = (item for part in tree.parts for item in _items(part.node, ()))
    return list(islice(dict.fromkeys(every), MOST_ITEMS))


def _items(node: Node, without: tuple[Percent, ...]) -> Iterator[Item]:
    """The percent items that hands of a node are in."""
    if isinstance(node, Percent):
        yield node, without
    elif isinstance(node, Union):
        for item in node.items:
            yield from _items(item, without)
    elif isinstance(node, Term):
        out = [operand for mark, operand in node.rest if mark == "!"]
        taken = tuple(percent for operand in out for percent, _ in _items(operand, ()))
        for operand in (node.first, *(operand for mark, operand in node.rest if mark == ":")):
            yield from _items(operand, without + taken)


def _notice(place: str, one: Item, other: Item) -> Notice | None:
    """What to say about two items; None if neither begins where the other ends."""
    for (first, out_of_first), (second, out_of_second) in ((one, other), (other, one)):
        if first.players != second.players or second.low is None:
            continue
        low, high, end = second.low, second.high, first.high
        if low != end or high == low:
            continue
        if any(_holds(percent, end) for percent in out_of_first + out_of_second):
            continue
        after = Percent(low + _step(second), high, second.players)
        return Notice(
            f"{first} and {second} share the hands at {end:f}%, both ends are in",
            place,
            f"{after} begins after {first}",
        )
    return None


def _step(percent: Percent) -> Decimal:
    """The percent that a cut of an item is counted in: 1, or 0.1 where it has a decimal."""
    ends = [end for end in (percent.low, percent.high) if end is not None]
    return Decimal(1).scaleb(min(0, *(int(end.as_tuple().exponent) for end in ends)))


def _holds(percent: Percent, point: Decimal) -> bool:
    """Whether an item takes in the hands at a percent."""
    return (percent.low or Decimal(0)) <= point <= percent.high
