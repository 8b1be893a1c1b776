"""Arguments that are texts: cards, ranks, ranges, boards and orderings."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from equity.common.arguments import shown
from equity.engine.holdings import MOST_MARKS
from equity.errors import CardCountError, CardError, EquityError, MethodError
from equity.queries.errors import QueryError
from equity.ranges import parse
from equity.ranges.tree import RANK_VARIABLES, SUIT_VARIABLES, Blocks, OnBoard, leaves
from equity.rules.cards import RANKS, SUITS, check_distinct, parse_cards
from equity.rules.games import BOARD_SIZE, FLOP_SIZE
from equity.rules.ranks import high_of, high_value, low_of, low_of_ranks, low_value

if TYPE_CHECKING:
    from equity.queries.setup import Setup
    from equity.queries.syntax import Node

__all__ = ["CONSTANT_OF_TEXT", "ORDERINGS", "BoardPattern", "RangeText", "prepared"]

#: Functions of a text alone.
CONSTANT_OF_TEXT = ("rateHiHand", "rateLoHand", "toCard", "toRank")
#: Names of orderings, and what the original calls them.
ORDERINGS = {
    "ring": "ring",
    "6max": "6max",
    "random": "random",
    "vr": "random",
    "6h": "6max",
    "9h": "ring",
    "10h": "ring",
}
_FIVE = 5
_PLACE = re.compile(rf"\s*([{RANKS}{RANKS.lower()}{RANK_VARIABLES}*])([{SUITS}{SUIT_VARIABLES}]?)")


@dataclass(frozen=True)
class RangeText:
    """A range that hands are looked up in."""

    text: str
    #: Whether it asks what hands have on the board, and in a way that is asked of many boards
    #: at once: without ``@BLOCKS``.
    reads_board: bool
    reads_boards: bool = False


@dataclass(frozen=True)
class BoardPattern:
    """Places of a board, each a rank or variable and a suit or variable; ``*`` is any."""

    places: tuple[tuple[str, str], ...]


def prepared(name: str, text: str, setup: Setup, query: str, node: Node) -> Any:
    """What a text stands for as an argument of the function ``name``.

    Raises
    ------
    QueryError
        It is not what the function takes.
    """
    try:
        return _READERS[name](text, setup)
    except EquityError as error:
        column = getattr(error, "column", 0) or _column(error.place)
        at = node.start + (not node.is_given) + max(column - 1, 0)
        raise QueryError(error.problem, query, at, error.hint) from None


def _column(place: str) -> int:
    found = re.search(r"column (\d+)", place)
    return int(found[1]) if found else 0


def _five(text: str) -> tuple[int, ...]:
    cards = parse_cards(text)
    if len(cards) != _FIVE:
        raise CardCountError(f"{len(cards)} cards", hint="a hand has five, 'AsKsQsJsTs'")
    check_distinct([("the hand", cards)])
    return cards


def _high(text: str, _: Setup) -> int:
    return high_value(high_of(_five(text)))


def _low(text: str, _: Setup) -> int:
    ranks = [RANKS.find(sign) for sign in text.strip().upper()]
    if len(ranks) == _FIVE and min(ranks) >= 0:
        return low_value(low_of_ranks(ranks))
    return low_value(low_of(_five(text)))


def _card(text: str, _: Setup) -> int:
    cards = parse_cards(text)
    if len(cards) != 1:
        raise CardCountError(f"{len(cards)} cards", hint="give one, 'As'")
    return cards[0]


def _rank(text: str, _: Setup) -> int:
    rank = RANKS.find(text.strip().upper()) if len(text.strip()) == 1 else -1
    if rank < 0:
        raise CardError(f"{shown(text)} is no rank", hint="ranks are A K Q J T 9 8 7 6 5 4 3 2")
    return rank


def _ordering(text: str, _: Setup) -> str:
    name = ORDERINGS.get(text.strip().lower())
    if name is None:
        hint = f"known are {', '.join(ORDERINGS)}"
        raise MethodError(f"there is no ordering {shown(text)}", hint=hint)
    return name


def _in_range(text: str, setup: Setup) -> RangeText:
    tree = parse(text.strip() or "*", setup.spot.game)
    found = list(leaves(tree))
    reads_board = any(isinstance(leaf, OnBoard | Blocks) for leaf in found)
    is_plain = len(found) <= MOST_MARKS and not any(isinstance(leaf, Blocks) for leaf in found)
    return RangeText(str(tree), reads_board, reads_board and is_plain)


def _range(text: str, setup: Setup) -> Any:
    from equity.ranges import Range

    spot = setup.spot
    found = Range(
        text.strip() or "*", spot.game, board=spot.board, dead=spot.dead, ordering=setup.ordering
    )
    if not len(found):
        raise MethodError(f"{shown(text)} matches no hand", hint="write a range that does")
    return found


def _pattern(text: str, _: Setup) -> BoardPattern:
    places: list[tuple[str, str]] = []
    at = 0
    while text[at:].strip():
        match = _PLACE.match(text, at)
        if match is None:
            hint = "a place is a rank, a card, a variable R O N P or *, with its suit behind it: *h"
            sign = text[at:].lstrip()[:1]
            raise CardError(
                f"{shown(sign)} is no place of a board", place=f"column {at + 1}", hint=hint
            )
        places.append((match[1].upper(), match[2]))
        at = match.end()
    if not FLOP_SIZE <= len(places) <= BOARD_SIZE:
        raise CardCountError(f"{len(places)} places", hint="a board has 3 to 5: 'KK*', 'AK9*h2'")
    exact = [rank + suit for rank, suit in places if rank in RANKS and suit and suit in SUITS]
    check_distinct([("the board", parse_cards("".join(exact)))])
    return BoardPattern(tuple(places))


_READERS: dict[str, Callable[[str, Setup], Any]] = {
    "rateHiHand": _high,
    "rateLoHand": _low,
    "toCard": _card,
    "toRank": _rank,
    "handRankingFor": _ordering,
    "inRange": _in_range,
    "HvPerceivedRangeEquity": _range,
    "minHvPerceivedRangeEquity": _range,
    "boardInRange": _pattern,
}
