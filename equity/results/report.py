"""Results as text: a table for eyes, JSON and CSV for programs.

Tables are ASCII and fit 80 columns.  Numbers come from exact fractions; a
share that is not zero never prints as zero, and one that is not all never as
all.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from equity.errors import MethodError
from equity.results.result import MAIN_PARTS, PlayerResult, Result
from equity.rules.cards import SUITS
from equity.rules.games import Game

__all__ = [
    "FORMATS",
    "combo_rows",
    "csv_field",
    "csv_lines",
    "csv_rows",
    "csv_text",
    "error_percent",
    "heading",
    "json_text",
    "percent",
    "shorten",
    "side_by_side",
    "table",
]

#: Colours of the suits, the four that card rooms use, as ANSI codes.
_SUIT_COLOURS = dict(zip(SUITS, ("32", "34", "31", "0"), strict=True))
#: Parts of the pot that have a column of their own, with its title.
_PARTS = {part: "scoop" if part == 1 else str(part) for part in MAIN_PARTS if part}
#: What the methods are called.
_METHODS = {"sweep": "a sweep", "pairs": "pairs of hands", "enumerate": "sets of hands"}


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


def heading(game: Game, board: str, dead: str) -> str:
    """The first line of a table: what is played, and the known cards."""
    return f"{f'{game.name}  {game.title}':<32}board: {board or '-'}    dead: {dead or '-'}"


def shorten(text: str, width: int) -> str:
    """As much of a text as there is room for."""
    return text if len(text) <= width else text[: width - 2] + ".."


def side_by_side(texts: Sequence[str], widths: Sequence[int]) -> str:
    """Texts side by side, each at the right of its width."""
    return "".join(f"{text:>{width}}" for text, width in zip(texts, widths, strict=True))


def table(result: Result, *, verbose: bool = False, colour: bool = False) -> str:
    """A result as a table; ``verbose`` adds counts, ``colour`` ANSI colours."""
    game = result.spot.game
    lines = [heading(game, result.board, result.dead), *_range_rows(result)]
    lines += _hi_lo_rows(result, colour) if game.low else _high_rows(result, colour)
    lines.append(_footing(result))
    if verbose:
        lines += ["", *_counts(result, colour)]
    return "\n".join(lines) + "\n"


def _name_cell(number: int, player: PlayerResult, colour: bool, width: int) -> str:
    """A player's number and hand; of a range as much as there is room for."""
    text = player.range
    if player.combos > 1 or len(text) > width:
        return f"{number:>2}  {shorten(text, width):<{width}}"
    padding = " " * (width - len(text))
    if colour:
        text = "".join(
            f"\033[{_SUIT_COLOURS.get(text[at + 1 : at + 2], '0')}m{text[at : at + 2]}\033[0m"
            for at in range(0, len(text), 2)
        )
    return f"{number:>2}  {text}{padding}"


def _range_rows(result: Result) -> list[str]:
    """A line for each player, if some have ranges: what was read, and how much lives."""
    if result.spot.hands is not None or all(player.combos == 1 for player in result.players):
        return []
    lines = []
    for number, player in enumerate(result.players, 1):
        count = f"{player.live:,}/{player.combos:,}"
        lines.append(f"{number:>2}  {shorten(player.range, 50):<52}{count:>22}")
    if result.spot.all_orderings:
        lines.append(f"    percent by the ordering {' and '.join(result.spot.all_orderings)}")
    return [f"{'':4}{'':52}{'live/combos':>22}", *lines, ""]


def _high_rows(result: Result, colour: bool) -> list[str]:
    titles, widths = ["equity %", "win %", "tie %"], [10, 10, 10]
    if result.sample is not None:
        # Each share has its error behind it.
        titles = [text for title in titles for text in (title, "+/-")]
        widths = [width for pair in zip(widths, [7] * 3, strict=True) for width in pair]
    lines = [f"{'':29}" + side_by_side(titles, widths)]
    for number, player in enumerate(result.players, 1):
        high = player.high
        cells = [
            percent(player.equity_exact),
            percent(Fraction(high.win_count, result.weight)),
            percent(Fraction(high.tie_count, result.weight)),
        ]
        if player.std_error and player.split_error is not None:
            errors = [player.std_error["equity"], player.std_error["scoop"]]
            errors.append(player.split_error.get("high_tie"))
            cells = [
                text
                for cell, error in zip(cells, errors, strict=True)
                for text in (cell, error_percent(error))
            ]
        lines.append(_name_cell(number, player, colour, 25) + side_by_side(cells, widths))
    return lines


def _hi_lo_rows(result: Result, colour: bool) -> list[str]:
    parts = [*_PARTS.values()]
    occurring = {part for player in result.players for part in player.outcomes_exact}
    if occurring - {*_PARTS, Fraction(0)}:
        parts.append("other")
    titles = [*parts, "nothing"]
    widths = [7] * (3 + len(parts)) + [8]
    pot = " % of pot ".center(20, "-")
    deals = "boards" if result.spot.hands is not None else "deals"
    boards = f" % of {deals} by share won ".center(sum(widths[3:]) - 1, "-")
    names = ["equity", "high", "low", *titles]
    lines = [f"{'':17}{pot} {boards}", f"{'':16}" + side_by_side(names, widths)]
    for number, player in enumerate(result.players, 1):
        assert player.low is not None
        shares = {title: Fraction(0) for title in titles}
        for part, count in player.outcomes_exact.items():
            title = _PARTS.get(part, "other") if part else "nothing"
            shares[title] += Fraction(count, result.weight)
        cells = [player.equity_exact, player.high.equity_exact, player.low.equity_exact]
        cells += shares.values()
        texts = [percent(cell) if cell else "-" for cell in cells]
        lines.append(_name_cell(number, player, colour, 12) + side_by_side(texts, widths))
        if player.std_error and player.split_error is not None:
            errors = [player.std_error[name] for name in ("equity", "high", "low", "scoop")]
            others = ["other"] if "other" in parts else []
            names = ["3/4", "1/2", "1/4", *others, "0"]
            errors += [player.split_error.get(name) for name in names]
            shown = [
                error_percent(error) if share else ""
                for error, share in zip(errors, cells, strict=True)
            ]
            lines.append(f"{'':4}{'+/-':<12}" + side_by_side(shown, widths))
    return lines


def _footing(result: Result) -> str:
    deals = result.deals
    if result.spot.hands is not None:
        counted = f"exact, all {deals:,} boards" if deals > 1 else "exact, 1 board"
    elif result.sample is None:
        counted = f"exact by {_METHODS[result.method]}, all {deals:,} deals"
    else:
        seeds = " and ".join(map(str, result.sample.seeds))
        counted = f"sampled, {deals:,} deals, seed {seeds}"
    if result.partial:
        counted = "PARTIAL, " + counted.replace("exact by", "ended early:").replace("all ", "of ")
    no_low = ""
    if result.no_low is not None and deals > 1:
        share = percent(Fraction(result.no_low, result.weight))
        if result.sample is not None and result.no_low:
            share += f" +/- {error_percent(result.no_low_error)}"
        number = f"{result.no_low:,} " if result.spot.hands is not None else ""
        no_low = f", {number}without a low ({share} %)" if number else f", no low {share} %"
    elif result.no_low:
        no_low = ", without a low"
    line = f"{counted}{no_low}, {_duration(result.elapsed)}"
    if result.error_target is None:
        return line
    target = error_percent(result.error_target)
    return (
        f"{line}\nerrors of equities are at most {target} %, those of other figures may be larger"
    )


def _duration(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.1f} s"


def _counts(result: Result, colour: bool) -> list[str]:
    """Wins and ties of high and low as counts, and deals by the part won."""
    has_low = result.spot.game.low
    deals = "boards" if result.spot.hands is not None else "weight of deals"
    titles = ["high alone", "high tied", *(("low alone", "low tied") if has_low else ())]
    counts = []
    for player in result.players:
        halves = [player.high, *([player.low] if player.low else [])]
        counts.append(
            [f"{count:,}" for half in halves for count in (half.win_count, half.tie_count)]
        )
    widths = [max(12, 2 + max(len(text) for row in counts for text in row))] * len(titles)
    lines = [f"{f'{deals} with':<28}" + side_by_side(titles, widths)]
    for number, (player, row) in enumerate(zip(result.players, counts, strict=True), 1):
        lines.append(_name_cell(number, player, colour, 24) + side_by_side(row, widths))
    lines += ["", f"{deals} by share of the pot won"]
    for number, player in enumerate(result.players, 1):
        outcomes = "   ".join(f"{part}: {count:,}" for part, count in player.outcomes.items())
        lines.append(_name_cell(number, player, colour, 14) + outcomes)
    return lines


def json_text(result: Result, *, sections: dict[str, Any] | None = None, **_: Any) -> str:
    """A result as one JSON object on a line, with more sections behind its own."""
    return json.dumps(result.to_dict() | (sections or {})) + "\n"


#: Columns of CSV that are the same for all players of a result.
_COMMON = (
    *("version", "game", "board", "dead", "exact", "method", "deals", "weight", "no_low"),
    *("no_low_error", "error_target", "seed", "partial"),
)
#: What tells of the high and of the low, with its column, which a batch calls so too.
_SHARES = {
    "high": {name: name for name in ("win", "tie", "win_count", "tie_count")},
    "low": {name: f"low_{name}" for name in ("win", "tie", "win_count", "tie_count")},
}
#: Standard errors, with their columns.
_ERRORS = {
    "equity": "std_error",
    "high": "high_error",
    "low": "low_error",
    "scoop": "scoop_error",
}
#: What a player has that columns of other names tell.
_NESTED = ("std_error", "split_error", "high", "low", "outcomes")
_OUTCOMES = tuple(map(str, MAIN_PARTS))
#: Chances of which a sample has errors too, with their columns.
_EVENTS = {
    "high_win": "win_error",
    "high_tie": "tie_error",
    "low_win": "low_win_error",
    "low_tie": "low_tie_error",
}


def csv_text(result: Result, *, columns: Sequence[dict[str, Any]] = (), **_: Any) -> str:
    """A result as CSV: a line of names, then one row for each player.

    ``columns`` are more of them, for each player.
    """
    whole = result.to_dict()
    rows: list[dict[str, Any]] = []
    occurring = [name for player in whole["players"] for name in player["split_error"] or ()]
    splits = list(dict.fromkeys([*_OUTCOMES, *_EVENTS, *occurring]))
    for number, player in enumerate(whole["players"], 1):
        row = {name: whole[name] for name in _COMMON} | {"player": number}
        row |= {name: value for name, value in player.items() if name not in _NESTED}
        row["orderings"] = "; ".join(player["orderings"])
        errors = player["std_error"] or {}
        row |= {column: errors.get(name) for name, column in _ERRORS.items()}
        split = player["split_error"] or {}
        row |= {_EVENTS.get(name, f"outcome_{name}_error"): split.get(name) for name in splits}
        for half, columns_of in _SHARES.items():
            shares = player[half] or {}
            row[half] = shares.get("equity")
            row |= {column: shares.get(name) for name, column in columns_of.items()}
        counts = dict.fromkeys(_OUTCOMES, 0) | player["outcomes"]
        row |= {f"outcome_{part}_count": count for part, count in counts.items()}
        rows.append(row)
    for row, more in zip(rows, columns, strict=False):
        row.update(more)
    names = list(dict.fromkeys(name for row in rows for name in row))
    return csv_rows(names, [[row.get(name, 0) for name in names] for row in rows])


def combo_rows(result: Result, player: int) -> tuple[list[str], list[list[Any]]]:
    """Names and rows of how every combo of a player fares.

    Raises
    ------
    MethodError
        The method of the result does not tell.
    """
    from equity.results.combos import ComboResult, combo_results

    if result.hands is None:
        raise MethodError(
            f"results by combo come from an exact answer of two ranges, "
            f"not from the method {result.method!r}",
            place="by combo",
            hint="ask for an exact answer (--exact) of two players, by combo",
        )
    rows: list[list[Any]] = [
        [*row[:-1], str(row.equity_exact) if row.equity_exact is not None else None]
        for row in combo_results(result.hands[player])
    ]
    return list(ComboResult._fields), rows


def csv_rows(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A line of names and rows as CSV; None is an empty field, a truth is true or false."""
    return csv_lines([names, *rows])


#: Values that CSV has as they are.
_AS_IT_IS = frozenset((str, int, float, type(None)))
_TRUTH = {True: "true", False: "false"}


def csv_field(value: Any) -> Any:
    """What stands in a field of CSV: a truth as in JSON, and so lists and objects."""
    if value is True or value is False:
        return _TRUTH[value]
    return json.dumps(value) if isinstance(value, (list, dict)) else value


def csv_lines(rows: Iterable[Sequence[Any]]) -> str:
    """Rows as lines of CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    # A call for every field would take as long as all of the rest.
    writer.writerows(
        [[one if type(one) in _AS_IT_IS else csv_field(one) for one in row] for row in rows]
    )
    return text.getvalue()


#: Name of an output format to the function that makes it of a result.
FORMATS: dict[str, Callable[..., str]] = {"table": table, "json": json_text, "csv": csv_text}
