"""Numbers, hands and headings as text, for tables in ASCII of 80 columns.

Numbers come from exact fractions; a share that is not zero never prints as zero, and one
that is not all never as all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from equity.rules.cards import SUITS
from equity.rules.games import Game

__all__ = [
    "error_percent",
    "error_text",
    "hand_cell",
    "heading",
    "percent",
    "shorten",
    "side_by_side",
]

#: Colours of the suits, the four that card rooms use, as ANSI codes.
_SUIT_COLOURS = dict(zip(SUITS, ("32", "34", "31", "0"), strict=True))


def percent(part: Fraction, decimals: int = 2) -> str:
    """A part as a percentage; one that is not zero never is, nor all of what is not.

    >>> percent(Fraction(1, 3)), percent(Fraction(1, 10**6)), percent(Fraction(1), 1)
    ('33.33', '<0.01', '100.0')
    """
    unit = 10**decimals
    units = round(part * 100 * unit)
    if units == 0 and part:
        return f"<{1 / unit:.{decimals}f}"
    if units == 100 * unit and part != 1:
        return f">{100 - 1 / unit:.{decimals}f}"
    return f"{units // unit}.{units % unit:0{decimals}d}"


def error_percent(error: float | None) -> str:
    """A standard error in percent, rounded up; one that is not known is a question mark."""
    if error is None or not math.isfinite(error):
        return "?"
    return f"{math.ceil(error * 10_000) / 100:.2f}"


def error_text(error: float | None) -> str:
    """A standard error in percent; a dash for exact figures."""
    return "-" if error is None else error_percent(error)


def heading(game: Game, board: str, dead: str) -> str:
    """The first line of a table: what is played, and the known cards."""
    return f"{f'{game.name}  {game.title}':<32}board: {board or '-'}    dead: {dead or '-'}"


def shorten(text: str, width: int) -> str:
    """As much of a text as there is room for."""
    return text if len(text) <= width else text[: width - 2] + ".."


def side_by_side(texts: Sequence[str], widths: Sequence[int]) -> str:
    """Texts side by side, each at the right of its width."""
    return "".join(f"{text:>{width}}" for text, width in zip(texts, widths, strict=True))


def hand_cell(number: int, hand: str, width: int, *, combos: int = 1, colour: bool = False) -> str:
    """The number and the hand of a player; of a range as much as there is room for."""
    if combos > 1 or len(hand) > width:
        return f"{number:>2}  {shorten(hand, width):<{width}}"
    padding = " " * (width - len(hand))
    if colour:
        hand = "".join(
            f"\033[{_SUIT_COLOURS.get(hand[at + 1 : at + 2], '0')}m{hand[at : at + 2]}\033[0m"
            for at in range(0, len(hand), 2)
        )
    return f"{number:>2}  {hand}{padding}"
