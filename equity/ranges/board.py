"""Patterns of cards to be dealt: ``T98:xxy`` for any such flop."""

from __future__ import annotations

from dataclasses import dataclass

from equity.common.arguments import shown
from equity.errors import CardCountError, CardError, RangeError
from equity.ranges.syntax import parse_pattern
from equity.ranges.tree import (
    FULL_WEIGHT,
    Expression,
    Hand,
    Leaf,
    Percent,
    Shape,
    Slots,
    Span,
    leaves,
)
from equity.rules.cards import check_distinct, parse_cards
from equity.rules.games import BOARD_SIZE

__all__ = ["CardPattern", "parse_board_pattern"]


@dataclass(frozen=True)
class CardPattern:
    """Cards that are to be dealt at random and match a pattern."""

    tree: Expression
    #: How many cards are dealt together.
    cards: int

    @property
    def text(self) -> str:
        """The pattern in normal form."""
        return str(self.tree)


def parse_board_pattern(
    text: str, *, place: str = "board", most: int = BOARD_SIZE
) -> tuple[int, ...] | CardPattern:
    """The cards of a board or of dead cards, or the pattern to deal them by.

    Parameters
    ----------
    text:
        Exact cards (``"Ah7c2d"``, ``"Ah, 7c, 2d"``) or a pattern (``"T98:xxy"``).
        ``""`` is none.
    place:
        What the text is, for the message of an error.
    most:
        How many cards there may be.

    Returns
    -------
    tuple of int or CardPattern
        The ids of exact cards in the order given, else the pattern.

    Raises
    ------
    RangeSyntaxError
        The text is neither.
    CardCountError
        More than ``most`` cards.
    DuplicateCardError
        One card twice.
    """
    try:
        cards = parse_cards(text, place, commas=True)
    except CardError:
        return _pattern(text, place, most)
    check_distinct([(place, cards)])
    if len(cards) > most:
        raise CardCountError(f"{len(cards)} cards", place=place, hint=f"at most {most}")
    return cards


def _pattern(text: str, place: str, most: int) -> CardPattern:
    tree = parse_pattern(text, most, f"a {place}", place, of_board=True)
    if any(part.weight != FULL_WEIGHT for part in tree.parts):
        raise RangeError("a pattern of cards has no weights", place=place)
    sizes = [max(_slots(leaf, place) for leaf in leaves(part.node)) for part in tree.parts]
    if len(sizes) > 1 and (min(sizes) == 1 or min(sizes) < max(sizes)):
        together = "".join(str(part.node) for part in tree.parts)
        raise RangeError(
            f"{shown(text)} is {len(sizes)} patterns, a comma joins alternatives",
            place=place,
            hint=f"cards that are dealt together have no commas, {together}",
        )
    return CardPattern(tree, max(sizes))


def _slots(leaf: Leaf, place: str) -> int:
    """How many cards a leaf fixes."""
    if isinstance(leaf, Percent):
        raise RangeError(f"{leaf} of a {place}", place=place, hint="percentages are of hands")
    if isinstance(leaf, Slots):
        return sum(len(item.first) if isinstance(item, Span) else 1 for item in leaf.items)
    if isinstance(leaf, Span):
        return len(leaf.first)
    if isinstance(leaf, Hand):
        return len(leaf.cards)
    return 0 if isinstance(leaf, Shape) else 1
