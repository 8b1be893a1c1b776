"""Hands and weights as a caller gives them, checked."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal, InvalidOperation

import numpy as np
from numpy.typing import NDArray

from equity.errors import CardCountError
from equity.ranges.combos import Known, scaled_weights
from equity.ranges.errors import RangeError
from equity.ranges.syntax import WEIGHT_DECIMALS
from equity.ranges.tree import FULL_WEIGHT
from equity.rules.cards import DECK_SIZE, Cards, check_distinct, format_hand, parse_cards
from equity.rules.games import Game

__all__ = ["hand_array", "known_cards", "weight_array", "weight_value"]


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


def known_cards(board: Cards, dead: Cards) -> Known:
    """Board and dead cards, each once."""
    known = Known(
        parse_cards(board, "board", commas=True), parse_cards(dead, "dead cards", commas=True)
    )
    check_distinct([("board", known.board), ("dead cards", known.dead)])
    return known


def weight_array(
    weights: Iterable[int | float | str | Decimal] | None, count: int
) -> tuple[NDArray[np.int64], int]:
    """(count,) weights times their scale, and the scale; 100 each if there are none."""
    if weights is None:
        return np.full(count, int(FULL_WEIGHT), dtype=np.int64), 1
    scaled, scale = scaled_weights([weight_value(weight) for weight in weights])
    if len(scaled) != count:
        raise RangeError(f"{count} hands and {len(scaled)} weights")
    return np.array(scaled, dtype=np.int64), scale


def weight_value(value: int | float | str | Decimal) -> Decimal:
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
