"""Results as text: a table for eyes, JSON and CSV for programs.

Tables are ASCII and fit 80 columns.  Numbers come from exact fractions; a
share that is not zero never prints as zero, and one that is not all never as
all.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from equity.cards import SUITS
from equity.result import PlayerResult, Result

__all__ = ["FORMATS", "csv_text", "json_text", "percent", "table"]

#: Colours of the suits, the four that card rooms use, as ANSI codes.
_SUIT_COLOURS = dict(zip(SUITS, ("32", "34", "31", "0"), strict=True))
#: Parts of the pot that have a column of their own, with its title.
_PARTS = {
    Fraction(1): "all",
    Fraction(3, 4): "3/4",
    Fraction(1, 2): "1/2",
    Fraction(1, 4): "1/4",
}


def percent(part: Fraction) -> str:
    """A part as a percentage with two decimals.

    >>> percent(Fraction(1, 3)), percent(Fraction(1, 10**6)), percent(Fraction(1))
    ('33.33', '<0.01', '100.00')
    """
    hundredths = round(part * 10_000)
    if hundredths == 0 and part:
        return "<0.01"
    if hundredths == 10_000 and part != 1:
        return ">99.99"
    return f"{hundredths // 100}.{hundredths % 100:02d}"


def table(result: Result, *, verbose: bool = False, colour: bool = False) -> str:
    """A result as a table; ``verbose`` adds counts, ``colour`` ANSI colours."""
    game = result.spot.game
    lines = [_heading(result)]
    lines += _hi_lo_rows(result, colour) if game.low else _high_rows(result, colour)
    lines.append(_footing(result))
    if verbose:
        lines += ["", *_counts(result, colour)]
    return "\n".join(lines) + "\n"


def _heading(result: Result) -> str:
    game = result.spot.game
    title = f"{game.name}  {game.title}"
    return f"{title:<32}board: {result.board or '-'}    dead: {result.dead or '-'}"


def _hand_cell(number: int, player: PlayerResult, colour: bool, width: int) -> str:
    text = player.range
    padding = " " * (width - len(text))
    if colour:
        text = "".join(
            f"\033[{_SUIT_COLOURS[text[at + 1]]}m{text[at : at + 2]}\033[0m"
            for at in range(0, len(text), 2)
        )
    return f"{number:>2}  {text}{padding}"


def _high_rows(result: Result, colour: bool) -> list[str]:
    lines = [f"{'equity %':>39}{'win %':>10}{'tie %':>10}"]
    for number, player in enumerate(result.players, 1):
        high = player.high
        cells = (
            percent(player.equity_exact),
            percent(Fraction(high.win_count, result.deals)),
            percent(Fraction(high.tie_count, result.deals)),
        )
        lines.append(
            _hand_cell(number, player, colour, 25) + "".join(f"{cell:>10}" for cell in cells)
        )
    return lines


def _hi_lo_rows(result: Result, colour: bool) -> list[str]:
    deals = result.deals
    parts = [*_PARTS.values()]
    occurring = {part for player in result.players for part in player.outcomes_exact}
    if occurring - {*_PARTS, Fraction(0)}:
        parts.append("other")
    titles = [*parts, "nothing"]
    widths = [7] * (3 + len(parts)) + [8]
    pot = " % of pot ".center(20, "-")
    boards = " % of boards on which he gets ".center(sum(widths[3:]) - 1, "-")
    names = ["equity", "high", "low", *titles]
    lines = [f"{'':17}{pot} {boards}", f"{'':16}" + _cells(names, widths)]
    for number, player in enumerate(result.players, 1):
        assert player.low is not None
        shares = {title: Fraction(0) for title in titles}
        for part, count in player.outcomes_exact.items():
            title = _PARTS.get(part, "other") if part else "nothing"
            shares[title] += Fraction(count, deals)
        cells = [player.equity_exact, player.high.equity_exact, player.low.equity_exact]
        cells += shares.values()
        texts = [percent(cell) if cell else "-" for cell in cells]
        lines.append(_hand_cell(number, player, colour, 12) + _cells(texts, widths))
    return lines


def _cells(texts: Sequence[str], widths: Sequence[int]) -> str:
    return "".join(f"{text:>{width}}" for text, width in zip(texts, widths, strict=True))


def _footing(result: Result) -> str:
    deals = result.deals
    boards = f"all {deals:,} boards" if deals > 1 else "1 board"
    no_low = ""
    if result.no_low is not None and deals > 1:
        share = percent(Fraction(result.no_low, deals))
        no_low = f", {result.no_low:,} without a low ({share} %)"
    elif result.no_low:
        no_low = ", without a low"
    return f"exact, {boards}{no_low}, {_duration(result.elapsed)}"


def _duration(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.1f} s"


def _counts(result: Result, colour: bool) -> list[str]:
    """Wins and ties of high and low as counts, and boards by the part won."""
    has_low = result.spot.game.low
    titles = ["high alone", "high tied", *(("low alone", "low tied") if has_low else ())]
    lines = [f"{'boards on which he has':<28}" + "".join(f"{title:>12}" for title in titles)]
    for number, player in enumerate(result.players, 1):
        counts = [player.high.win_count, player.high.tie_count]
        if player.low:
            counts += [player.low.win_count, player.low.tie_count]
        lines.append(
            _hand_cell(number, player, colour, 24) + "".join(f"{count:>12,}" for count in counts)
        )
    lines += ["", "boards by the part of the pot won"]
    for number, player in enumerate(result.players, 1):
        outcomes = "   ".join(f"{part}: {count:,}" for part, count in player.outcomes.items())
        lines.append(_hand_cell(number, player, colour, 14) + outcomes)
    return lines


def json_text(result: Result, **_: Any) -> str:
    """A result as one JSON object on a line."""
    return json.dumps(result.to_dict()) + "\n"


#: Columns of CSV that are the same for all players of a result.
_COMMON = ("version", "game", "board", "dead", "exact", "method", "deals", "weight", "no_low")
_SHARES = ("equity", "win", "tie", "win_count", "tie_count")
_OUTCOMES = ("1", "3/4", "1/2", "1/4", "0")


def csv_text(result: Result, **_: Any) -> str:
    """A result as CSV: a line of names, then one row for each player."""
    whole = result.to_dict()
    rows = []
    for number, player in enumerate(whole["players"], 1):
        row = {name: whole[name] for name in _COMMON} | {"player": number}
        row |= {name: value for name, value in player.items() if not isinstance(value, dict)}
        row.pop("low", None)
        for half in ("high", "low"):
            shares = player[half] or {}
            row |= {f"{half}_{name}": shares.get(name) for name in _SHARES}
        row |= {f"outcome_{part}": player["outcomes"].get(part, 0) for part in _OUTCOMES}
        row |= {f"outcome_{part}": count for part, count in player["outcomes"].items()}
        rows.append(row)
    names = list(dict.fromkeys(name for row in rows for name in row))
    return csv_rows(names, [[row.get(name, 0) for name in names] for row in rows])


def csv_rows(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A line of names and rows as CSV; None is an empty field."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(rows)
    return text.getvalue()


#: Name of an output format to the function that makes it of a result.
FORMATS: dict[str, Callable[..., str]] = {"table": table, "json": json_text, "csv": csv_text}
