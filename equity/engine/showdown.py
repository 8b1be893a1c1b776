"""Made hands: values in bulk, and descriptions of single hands.

Values in bulk come from lookup tables by a kernel; descriptions of single hands, with the
cards that play, come from the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from equity.common.arguments import shown, truth, whole
from equity.engine.card_arrays import card_array, raise_fault
from equity.errors import CardCountError, EquityError
from equity.rules.games import BOARD_SIZE, Game, find_game
from equity.rules.ranks import (
    FLUSH,
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    HIGH_CARD,
    PAIR,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE_OF_A_KIND,
    TWO_PAIR,
    High,
    high_classes,
    high_of,
    high_value,
    low_classes,
    low_of,
    low_value,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = ["MadeHand", "Values", "describe", "evaluate", "made_hand", "sharers"]

_NAMES = (
    [
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "jack",
        "queen",
        "king",
        "ace",
    ],
    [
        "twos",
        "threes",
        "fours",
        "fives",
        "sixes",
        "sevens",
        "eights",
        "nines",
        "tens",
        "jacks",
        "queens",
        "kings",
        "aces",
    ],
)
_LETTERS = "23456789TJQKA"
#: Sizes of boards that make hands, the complete one first.
BOARD_SIZES = (5, 4, 3)


class Values(NamedTuple):
    """The values of hands on boards."""

    #: uint16, 1 to 7,462, larger is better.
    high: NDArray[np.uint16]
    #: uint8, 1 to 56, larger is better, 0 for none (or a game without a low).
    low: NDArray[np.uint8]


def evaluate(hands: ArrayLike | str, boards: ArrayLike | str, game: str | Game = "plo4") -> Values:
    """The best high and low of many hands, with two hole cards and three board cards.

    Parameters
    ----------
    hands:
        Card ids, shape (n, hole), or a text for one hand or each of several.
        One hand has shape (hole,).  Arrays of uint8 are taken as they are.
    boards:
        Card ids, shape (n, 5), one board for each hand, or (5,), one for all;
        or text likewise.  Boards of three or four cards are evaluated hand by
        hand, some thousands a second.
    game:
        Name or alias of the game.

    Returns
    -------
    Values
        Arrays of shape (n,): high uint16 from 1 to 7,462 and low uint8 from 0
        to 56, larger is better.

    Raises
    ------
    CardError, CardCountError, DuplicateCardError
        An id that is no card, a shape that fits neither the game nor the other
        array, a card twice; the message names the row.
    """
    import numpy as np

    from equity import kernels
    from equity.kernels.loader import Block
    from equity.kernels.transposed import line_block

    rules = find_game(game)
    hole_cards = card_array(hands, (rules.hole,), "hands")
    board_cards = card_array(boards, BOARD_SIZES, "boards")
    count = len(hole_cards)
    if len(board_cards) not in (1, count):
        raise CardCountError(
            f"{len(board_cards)} boards for {count} hands", hint="give one for each hand, or one"
        )
    high = np.zeros(count, np.uint16)
    low = np.zeros(count, np.uint8)
    if count == 0:
        return Values(high, low)
    if board_cards.shape[1] < BOARD_SIZE:
        return _evaluate_short(hole_cards, board_cards, rules, Values(high, low))
    fault = np.zeros(1, np.int64)
    batch = Block(
        kernels.BATCH,
        {
            "count": count,
            "hole": rules.hole,
            "step": int(len(board_cards) > 1),
            "low_game": int(rules.low),
            "hands": hole_cards,
            "boards": board_cards,
            "high": high,
            "low": low,
            "fault": fault,
        },
    )
    kernels.FIND_FAULT(batch)
    if fault[0] >= 0:
        row = int(fault[0])
        raise_fault(hole_cards[row], board_cards[row if len(board_cards) > 1 else 0], row)
    kernels.EVALUATE(kernels.table_block(), line_block(), batch)
    return Values(high, low)


def _evaluate_short(
    hands: NDArray[np.uint8], boards: NDArray[np.uint8], game: Game, values: Values
) -> Values:
    """Fill ``values`` for boards of three or four cards, by the rules."""
    for row, hand in enumerate(hands.tolist()):
        board = boards[row if len(boards) > 1 else 0].tolist()
        if len({*hand, *board}) < len(hand) + len(board):
            raise_fault(hands[row], boards[row if len(boards) > 1 else 0], row)
        made = made_hand(hand, board, game.low)
        values.high[row] = high_value(made.high)
        values.low[row] = low_value(made.low)
    return values


@overload
def describe(values: int, low: bool = ...) -> str: ...
@overload
def describe(values: ArrayLike, low: bool = ...) -> str | list[str]: ...
def describe(values: Any, low: bool = False) -> str | list[str]:
    """Describe values in words.

    Parameters
    ----------
    values:
        A value of :func:`evaluate`, or an array of them.
    low:
        Whether these are values of lows.

    Returns
    -------
    str or list of str
        ``"full house, aces over kings"``, or ``"8-5-3-2-A"``; ``"none"`` for 0.

    Raises
    ------
    EquityError
        A number is not a value.
    """
    low = truth(low, "low")
    if hasattr(values, "__len__") and not isinstance(values, str | bytes):
        return [_describe_one(value, low) for value in values]
    return _describe_one(values, low)


def _describe_one(value: Any, low: bool) -> str:
    value = whole(value, "values", 0)
    classes = low_classes() if low else high_classes()
    if value > len(classes):
        kind = "low" if low else "high"
        raise EquityError(
            f"{shown(value)} is not the value of a {kind}", hint=f"0 to {len(classes)}"
        )
    if value == 0:
        return "none"
    return low_text(low_classes()[value - 1]) if low else high_text(high_classes()[value - 1])


def high_text(high: High) -> str:
    """A high hand in words."""
    one, many = _NAMES
    first, *rest = high.ranks
    kickers = "-".join(_LETTERS[rank] for rank in rest)
    every = "-".join(_LETTERS[rank] for rank in high.ranks)
    texts = {
        HIGH_CARD: f"high card, {every}",
        PAIR: f"pair of {many[first]}, {kickers}",
        TWO_PAIR: f"two pair, {many[first]} and {many[rest[0]]}, {kickers[-1:]}",
        THREE_OF_A_KIND: f"three of a kind, {many[first]}, {kickers}",
        STRAIGHT: f"straight, {one[first]} high",
        FLUSH: f"flush, {every}",
        FULL_HOUSE: f"full house, {many[first]} over {many[rest[0]]}",
        FOUR_OF_A_KIND: f"four of a kind, {many[first]}, {kickers}",
        STRAIGHT_FLUSH: f"straight flush, {one[first]} high",
    }
    return texts[high.category]


def low_text(low: tuple[int, ...] | None) -> str:
    """A low in words, ``"8-5-3-2-A"``."""
    if low is None:
        return "none"
    return "-".join("A" if rank == 1 else str(rank) for rank in low)


@dataclass(frozen=True)
class MadeHand:
    """The best high and low of one hand, with the cards that play.

    The cards are two of the hand, then three of the board.
    """

    high: High
    high_cards: tuple[int, ...]
    low: tuple[int, ...] | None
    low_cards: tuple[int, ...]


def made_hand(hand: Sequence[int], board: Sequence[int], low: bool) -> MadeHand:
    """The made hand of hole cards on three to five board cards, by the rules."""
    hand = sorted(hand, reverse=True)
    fives = [(*two, *three) for two in combinations(hand, 2) for three in combinations(board, 3)]
    best = max(fives, key=high_of)
    lows = [five for five in fives if low_of(five)] if low else []
    lowest = min(lows, key=lambda five: low_of(five) or (), default=())
    return MadeHand(high_of(best), best, low_of(lowest) if lowest else None, lowest)


def sharers(made: Sequence[MadeHand]) -> list[tuple[int, int | None]]:
    """Numbers of players who share the high, and the low, with each hand.

    0 if the hand lost; None if nobody has a low.
    """
    highs = [hand.high for hand in made]
    lows = [hand.low for hand in made if hand.low]
    results: list[tuple[int, int | None]] = []
    for hand in made:
        high = highs.count(max(highs)) if hand.high == max(highs) else 0
        low = None
        if lows:
            low = lows.count(min(lows)) if hand.low == min(lows) else 0
        results.append((high, low))
    return results
