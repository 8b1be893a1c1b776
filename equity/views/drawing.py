"""Terminal output of views: ASCII, 80 columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from math import isfinite

from equity.results import text
from equity.results.text import error_text, percent, shorten
from equity.rules.cards import RANKS, SUITS
from equity.spot import Spot
from equity.views.answers import Answer, Part

__all__ = [
    "bar",
    "cell",
    "footing",
    "grid",
    "heading",
    "now_text",
    "sign",
    "signed",
    "triangle",
]

#: ANSI codes of what is better and what is worse than now.
_BETTER, _WORSE = "32", "31"


def heading(spot: Spot) -> Iterator[str]:
    """Yield the heading: game, cards and players."""
    yield text.heading(spot.game, spot.board_text, spot.dead_text)
    combos = zip(spot.texts, spot.live_combos, spot.combos, strict=True)
    for number, (name, live, every) in enumerate(combos, 1):
        count = f"{live:,}/{every:,}" if every > 1 else ""
        yield f"{number:>2}  {shorten(name, 52):<52}{count:>22}".rstrip()
    if spot.all_orderings:
        yield f"    percent by the ordering {' and '.join(spot.all_orderings)}"


def signed(part: Fraction, decimals: int = 2) -> str:
    """Format a change in percent with its sign; only zero prints as zero.

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


def now_text(now: Answer) -> str:
    """Format the equity of player 1 now."""
    part = now.parts[0]
    error = f" +/- {error_text(part.std_error)}" if part.std_error is not None else ""
    return f"now {percent(part.equity_exact)}{error}"


def sign(change: Fraction) -> int:
    """1 for better, -1 for worse, 0 for the same."""
    return (change > 0) - (change < 0)


def bar(part: Fraction, most: Fraction, width: int) -> str:
    """Draw a bar; a value that is not zero has at least one mark."""
    if not part:
        return ""
    return "#" * max(1, round(width * part / most)) if most else ""


def grid(
    cells: Mapping[int, str], better: Mapping[int, int] | None = None, *, width: int = 6
) -> Iterator[str]:
    """Arrange texts by card: a column for each rank, a line for each suit.

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
    """Arrange texts by two ranks: the higher is the row, the lower the column."""
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


def footing(errors: Iterable[float | None], seed: int) -> str:
    """Format the last line: exact, or sampled; ``errors`` are those of all figures."""
    sampled = [error for error in errors if error is not None]
    if not sampled:
        return "exact"
    worst = [f"up to {error_text(max(known))}"] if (known := [*filter(isfinite, sampled)]) else []
    unknown = ["some not known (?)"] if len(known) < len(sampled) else []
    return f"sampled, seed {seed}, standard errors {', '.join(worst + unknown)}"


def cell(part: Part | None, decimals: int = 2) -> str:
    """Format an equity in percent."""
    return "-" if part is None else percent(part.equity_exact, decimals)
