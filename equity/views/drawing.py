"""What views look like in a terminal: ASCII, 80 columns."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from equity.cards import RANKS, SUITS
from equity.report import percent
from equity.spot import Spot
from equity.views.answers import Part

__all__ = [
    "bar",
    "cell",
    "error_text",
    "footing",
    "grid",
    "heading",
    "shorten",
    "signed",
    "tenth",
    "triangle",
]

#: ANSI codes of what is better and what is worse than now.
_BETTER, _WORSE = "32", "31"


def heading(spot: Spot) -> Iterator[str]:
    """What was asked: game, cards and players."""
    game = spot.game
    title = f"{game.name}  {game.title}"
    yield f"{title:<32}board: {spot.board_text or '-'}    dead: {spot.dead_text or '-'}"
    combos = zip(spot.texts, spot.live_combos, spot.combos, strict=True)
    for number, (text, live, every) in enumerate(combos, 1):
        count = f"{live:,}/{every:,}" if every > 1 else ""
        yield f"{number:>2}  {shorten(text, 52):<52}{count:>22}".rstrip()
    used = dict.fromkeys(name for names in spot.orderings for name in names)
    if used:
        yield f"    percent by the ordering {' and '.join(used)}"


def shorten(text: str, width: int) -> str:
    """As much of a text as there is room for."""
    return text if len(text) <= width else text[: width - 2] + ".."


def signed(part: Fraction, decimals: int = 2) -> str:
    """A change in percent with its sign; one that is not zero never prints as zero.

    >>> signed(Fraction(1, 8)), signed(Fraction(-1, 10**6)), signed(Fraction(0))
    ('+12.50', '>-0.01', '0.00')
    """
    text = f"{float(part * 100):+.{decimals}f}"
    if float(text):
        return text
    if not part:
        return text[1:]
    least = f"{'+' if part > 0 else '-'}{10**-decimals:.{decimals}f}"
    return ("<" if part > 0 else ">") + least


def error_text(part: Part | None) -> str:
    """A standard error in percent, rounded up: it is never shown as nothing."""
    if part is None or part.std_error is None:
        return "-"
    if not math.isfinite(part.std_error):
        return "?"
    return f"{math.ceil(part.std_error * 10_000) / 100:.2f}"


def bar(part: Fraction, most: Fraction, width: int) -> str:
    """A bar as long as its part of the longest; what is not zero has a mark."""
    if not part:
        return ""
    return "#" * max(1, round(width * part / most)) if most else ""


def grid(
    cells: Mapping[int, str], better: Mapping[int, int] | None = None, *, width: int = 6
) -> Iterator[str]:
    """Texts by card: ranks side by side, a line for each suit.

    ``better`` gives the sign of a card for its colour; without it there is none.
    """
    ranks = range(len(RANKS) - 1, -1, -1)
    yield "  " + "".join(f"{RANKS[rank]:>{width}}" for rank in ranks)
    for suit in range(len(SUITS) - 1, -1, -1):
        line = ""
        for rank in ranks:
            card = rank * 4 + suit
            line += _coloured(f"{cells.get(card, '.'):>{width}}", (better or {}).get(card, 0))
        yield f"{SUITS[suit]} " + line


def triangle(cells: Mapping[tuple[int, int], str], *, width: int = 6) -> Iterator[str]:
    """Texts by two ranks: the higher one is the row, the lower one the column."""
    ranks = range(len(RANKS) - 1, -1, -1)
    yield "  " + "".join(f"{RANKS[rank]:>{width}}" for rank in ranks)
    for high in ranks:
        line = "".join(
            f"{cells.get((high, low), '.') if low <= high else '':>{width}}" for low in ranks
        )
        yield f"{RANKS[high]} " + line


def _coloured(text: str, sign: int) -> str:
    if not sign:
        return text
    return f"\033[{_BETTER if sign > 0 else _WORSE}m{text}\033[0m"


def footing(parts: Iterable[Part], seed: int) -> str:
    """How the numbers were found."""
    sampled = [part for part in parts if part.std_error is not None]
    if not sampled:
        return "exact"
    worst = error_text(max(sampled, key=lambda part: part.std_error or 0))
    return f"sampled, seed {seed}, standard errors up to {worst}"


def cell(part: Part | None, decimals: int = 2) -> str:
    """An equity in percent, with two decimals or one."""
    if part is None:
        return "-"
    return percent(part.equity_exact) if decimals == 2 else tenth(part.equity_exact)


def tenth(part: Fraction) -> str:
    """A part as a percentage with one decimal; what is not zero never is."""
    tenths = round(part * 1_000)
    if tenths == 0 and part:
        return "<0.1"
    if tenths == 1_000 and part != 1:
        return ">99.9"
    return f"{tenths // 10}.{tenths % 10}"
