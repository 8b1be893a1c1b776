"""The tree of a range: what a text says, printed back by ``str``.

``parse(str(tree))`` is the same tree.  The nodes hold text, not numbers, so
that reading a range needs nothing but this package and the cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal

from equity.common.notices import Notice
from equity.rules.cards import RANKS, format_hand

__all__ = [
    "FULL_WEIGHT",
    "RANK_VARIABLES",
    "SUIT_VARIABLES",
    "Blocks",
    "Choice",
    "Everything",
    "Expression",
    "Hand",
    "Leaf",
    "Node",
    "OnBoard",
    "Part",
    "Percent",
    "Shape",
    "Slot",
    "Slots",
    "Span",
    "Term",
    "Union",
    "asks_of_board",
    "leaves",
]

SUIT_VARIABLES = "wxyz"
RANK_VARIABLES = "RONP"

#: The weight of a part that names none.
FULL_WEIGHT = Decimal(100)


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for one card.

    ``rank`` is a rank (``"A"``), a variable (``"R"``), ``"*"``, or ``""`` for a
    suit on its own; ``suit`` is a suit (``"s"``), a variable (``"x"``) or ``""``.
    """

    rank: str
    suit: str

    def __str__(self) -> str:
        return self.rank + self.suit

    @property
    def is_plain(self) -> bool:
        """Whether the rank is one that cards have."""
        return self.rank != "" and self.rank in RANKS

    @property
    def is_exact(self) -> bool:
        """Whether it takes one card only."""
        return self.is_plain and self.suit != "" and self.suit not in SUIT_VARIABLES


@dataclass(frozen=True, slots=True)
class Span:
    """Cards that move together: ``T8+``, ``664-`` or ``KQJT-T987``.

    ``last`` is empty when ``mark`` is ``"+"`` or ``"-"``; else ``mark`` is ``""``.
    """

    first: tuple[Slot, ...]
    last: tuple[Slot, ...] = ()
    mark: str = ""

    def __str__(self) -> str:
        return _joined(self.first) + (self.mark or f"-{_joined(self.last)}")

    def steps(self) -> list[tuple[int, ...]]:
        """The ranks (0 is a two) of each member, one for every slot of ``first``."""
        start = [RANKS.index(slot.rank) for slot in self.first]
        if self.mark == "+":
            moves, distance = [1] * len(start), len(RANKS) - 1 - max(start)
        elif self.mark == "-":
            moves, distance = [-1] * len(start), min(start)
        else:
            gaps = [
                RANKS.index(slot.rank) - rank for slot, rank in zip(self.last, start, strict=True)
            ]
            moves = [(gap > 0) - (gap < 0) for gap in gaps]
            distance = max(abs(gap) for gap in gaps)
        return [
            tuple(rank + move * step for rank, move in zip(start, moves, strict=True))
            for step in range(distance + 1)
        ]


@dataclass(frozen=True, slots=True)
class Choice:
    """One slot for any of several: ``[2s,Jc,T]``."""

    options: tuple[Slot, ...]

    def __str__(self) -> str:
        return ",".join(map(str, self.options))


@dataclass(frozen=True, slots=True)
class Slots:
    """A leaf of slots; a span or a choice in it stands in brackets."""

    items: tuple[Slot | Span | Choice, ...]

    def __str__(self) -> str:
        return "".join(str(item) if isinstance(item, Slot) else f"[{item}]" for item in self.items)


@dataclass(frozen=True, slots=True)
class Everything:
    """Every hand, ``*``."""

    def __str__(self) -> str:
        return "*"


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand: as many card ids as the game deals, sorted descending."""

    cards: tuple[int, ...]

    def __str__(self) -> str:
        return format_hand(self.cards)


@dataclass(frozen=True, slots=True)
class Shape:
    """An exact shape by its name, only ever to the right of a ``:``."""

    name: str

    def __str__(self) -> str:
        return f"${self.name}"


@dataclass(frozen=True, slots=True)
class Percent:
    """The best ``high`` percent, or those between ``low`` and ``high``.

    ``players`` names the ordering made for so many; None is the usual one.
    """

    low: Decimal | None
    high: Decimal
    players: int | None = None

    def __str__(self) -> str:
        start = "" if self.low is None else f"{self.low}%-"
        end = "" if self.players is None else f"{self.players}h"
        return f"{start}{self.high}%{end}"


@dataclass(frozen=True, slots=True)
class OnBoard:
    """What a hand has on the board, ``@SET``; rows of :mod:`equity.ranges.predicates`."""

    name: str
    number: int | None = None
    or_better: bool = False

    def __str__(self) -> str:
        number = "" if self.number is None else self.number
        return f"@{self.name}{number}{'+' * self.or_better}"


@dataclass(frozen=True, slots=True)
class Blocks:
    """Hands that share a card with ``percent`` of the live combos of a range, or more."""

    node: Node
    percent: Decimal

    def __str__(self) -> str:
        return f"@BLOCKS({self.node}){self.percent}"


@dataclass(frozen=True, slots=True)
class Term:
    """``first`` and then, left to right, ``:`` (both) or ``!`` (and not) another."""

    first: Node
    rest: tuple[tuple[str, Node], ...]

    def __str__(self) -> str:
        out = [_operand(self.first)]
        for mark, node in self.rest:
            # A shape brings its own colon.
            out += [_operand(node)] if isinstance(node, Shape) else [mark, _operand(node)]
        return "".join(out)


@dataclass(frozen=True, slots=True)
class Union:
    """Any of several, without weights."""

    items: tuple[Node, ...]

    def __str__(self) -> str:
        return ",".join(map(str, self.items))


Leaf = Everything | Hand | Slots | Span | Percent | Shape | OnBoard | Blocks
Node = Leaf | Term | Union


@dataclass(frozen=True, slots=True)
class Part:
    """A comma part of a range and its weight."""

    node: Node
    weight: Decimal = FULL_WEIGHT

    def __str__(self) -> str:
        node = f"({self.node})" if isinstance(self.node, Union) else str(self.node)
        return node if self.weight == FULL_WEIGHT else f"{node}@{self.weight}"


@dataclass(frozen=True, slots=True)
class Expression:
    """A whole range."""

    parts: tuple[Part, ...]
    #: Warnings about ambiguous notation; they do not count in comparisons.
    notices: tuple[Notice, ...] = field(default=(), compare=False, repr=False)

    def __str__(self) -> str:
        return ",".join(map(str, self.parts))


def leaves(node: Node | Expression) -> Iterator[Leaf]:
    """The leaves below ``node``, left to right."""
    if isinstance(node, Expression):
        for part in node.parts:
            yield from leaves(part.node)
    elif isinstance(node, Union):
        for item in node.items:
            yield from leaves(item)
    elif isinstance(node, Term):
        yield from leaves(node.first)
        for _, operand in node.rest:
            yield from leaves(operand)
    elif isinstance(node, Blocks):
        yield node
        yield from leaves(node.node)
    else:
        yield node


def asks_of_board(tree: Expression) -> bool:
    """Whether a range has a condition on the board."""
    return any(
        isinstance(leaf, OnBoard | Blocks) for part in tree.parts for leaf in leaves(part.node)
    )


def _joined(slots: tuple[Slot, ...]) -> str:
    return "".join(map(str, slots))


def _operand(node: Node) -> str:
    return f"({node})" if isinstance(node, Term | Union) else str(node)
