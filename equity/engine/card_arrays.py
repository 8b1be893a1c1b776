"""Arrays of cards, from arrays or texts of a caller."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from equity.errors import CardCountError, CardError, DuplicateCardError
from equity.rules.cards import DECK_SIZE, format_cards, parse_cards

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = ["card_array", "check_ids", "raise_fault"]


def card_array(cards: ArrayLike | str, widths: Sequence[int], name: str) -> NDArray[np.uint8]:
    """Cards as a C-ordered array (n, width) of uint8, of one of ``widths``."""
    import numpy as np

    commas = name == "boards"
    if isinstance(cards, str):
        cards = [parse_cards(cards, name, commas=commas)]
    elif isinstance(cards, Sequence) and cards and isinstance(cards[0], str):
        texts: Sequence[Any] = cards
        rows = [
            parse_cards(text, f"{name}[{row}]", commas=commas) for row, text in enumerate(texts)
        ]
        # A list of single cards is one hand or board.
        is_one = len(rows) in widths and all(len(row) == 1 for row in rows)
        cards = [[card for row in rows for card in row]] if is_one else rows
    try:
        array = np.asarray(cards)
    except ValueError:
        array = np.empty(0)
    if array.ndim == 1 and array.size:
        array = array[np.newaxis]
    if array.ndim != 2 or array.shape[1] not in widths:
        wanted = " or ".join(map(str, widths))
        raise CardCountError(
            f"an array of shape {array.shape}", place=name, hint=f"it must be (n, {wanted})"
        )
    return check_ids(array, name)


def check_ids(array: NDArray[Any], name: str) -> NDArray[np.uint8]:
    """Card ids of any integer type as a C-ordered array of uint8.

    Arrays of uint8 are returned as they are; a kernel checks those.

    Raises
    ------
    CardError
        The array holds no integers, or an integer that is no card id.
    """
    import numpy as np

    if array.dtype.kind not in "iu":
        raise CardError(
            f"an array of {array.dtype}", place=name, hint="card ids are integers from 0 to 51"
        )
    if array.dtype != np.uint8 and array.size:
        # Negative numbers are large when read as unsigned.
        unsigned = array.view(array.dtype.str.replace("i", "u"))
        if unsigned.max() >= DECK_SIZE:
            at = tuple(int(axis[0]) for axis in (unsigned >= DECK_SIZE).nonzero())
            raise CardError(
                f"{array[at]} is not a card id",
                place=f"{name}[{at[0]}]",
                hint="ids go from 0 (2c) to 51 (As)",
            )
    return np.ascontiguousarray(array, np.uint8)


def raise_fault(hands: NDArray[np.uint8], board: NDArray[np.uint8], row: int) -> None:
    """Raise the error for a row with an invalid or repeated card.

    ``hands`` has shape (hole,) or (players, hole).
    """
    parts = [hands.reshape(-1, hands.shape[-1]), board.reshape(1, -1)]
    cards = [int(card) for part in parts for card in part.ravel()]
    parse_cards(cards, f"row {row}")
    twice = next(card for card in cards if cards.count(card) > 1)
    shown = " v ".join(format_cards([int(card) for card in hand]) for hand in parts[0])
    raise DuplicateCardError(
        f"{format_cards([twice])} is there twice in {shown}"
        + (f" on {format_cards([int(card) for card in board])}" if len(board) else ""),
        place=f"row {row}",
        hint="a deck has each card once",
    )
