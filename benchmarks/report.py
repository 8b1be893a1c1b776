"""From the JSON of a run to tables in Markdown.

    python -m benchmarks.report .benchmarks/figures.json            prints them
    python -m benchmarks.report .benchmarks/figures.json --figures  puts them where they belong

In the second form all tables take the place of what stands between the two marks of
``benchmarks/README.md``, and a table of some rows that of the front page.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.fits import fits

__all__ = ["tables", "write"]

ALL, FRONT = Path(__file__).with_name("README.md"), Path(__file__).parents[1] / "README.md"

START, STOP = "<!-- figures -->", "<!-- end of figures -->"
OURS = "equity"
Row = dict[str, Any]


class Kind(NamedTuple):
    """A table: its title, what it says before its rows, and the names of its columns."""

    title: str
    about: str
    columns: tuple[str, ...]


KINDS = {
    "exact": Kind(
        "Known hands, exact",
        "Time of a whole call on one thread, from text to answer, over all runouts. Recently"
        " parsed text is cached, so each call of ours has the suits permuted and the cards in"
        " another order.",
        ("game", "players", "board", "boards"),
    ),
    "bulk": Kind(
        "Hand evaluation in bulk",
        "Hands per second: random hands on random boards, including validation of the cards."
        " phevaluator is called through its C function, without the Python wrapper. High hands are"
        " compared.",
        ("game",),
    ),
    "rows": Kind(
        "Rows of known hands, from arrays",
        "Rows per second on one thread with `equity.odds_many`: two hands, each row on a board of"
        " its own. A peer answers one row at a time, without reading it from an array.",
        ("game", "board"),
    ),
    "flops": Kind(
        "What hands flop",
        "Time of `equity.flops` on one thread: all conditions over all flops of all hands. No peer"
        " has such conditions.",
        ("game", "range", "hands", "flops"),
    ),
    "samples": Kind(
        "Monte Carlo",
        "The standard error of the first equity after one second on one thread, parsing included."
        " `deals`, the square of the ratio, is how many times as many deals the other library"
        " would have to draw in that second.",
        ("game", "question", "players"),
    ),
    "drawn": Kind(
        "Monte Carlo after preparation",
        "The same, timed from the first deal; `ready` is the preparation time of ours, from text"
        " to sorted boards.",
        ("game", "question", "ready"),
    ),
    "sweep": Kind(
        "Range against range, exact",
        "Time of a whole call on one thread, with ranges that are already parsed.",
        ("game", "ranges", "hands", "board"),
    ),
    "ranges": Kind(
        "Range expansion",
        "Time from text to combos, once the hands of the game are enumerated, which the first"
        " range does.",
        ("range", "game", "hands"),
    ),
    "batch": Kind(
        "Batches",
        "Rows per second of the whole command, from file to file, including start-up, on all"
        " processors unless stated otherwise. The other library runs in a plain loop on one"
        " processor over rows that are parsed already. `memory` is the total of all our processes.",
        ("what", "rows"),
    ),
    "hands": Kind(
        "Hand histories",
        "Hands per second on one core, from text to the equities of each pot; of the other"
        " library, reading and playing them without equities.",
        ("format", "hands"),
    ),
    "server": Kind(
        "Server",
        "Answers per second over HTTP, to clients on the same machine that ask one question after"
        " the other; beside it, how many a second `equity odds --json` gives when it is started"
        " for each.",
        ("question", "clients"),
    ),
    "start": Kind("Start-up", "Time of a fresh process.", ("question", "kernels")),
    "memory": Kind(
        "Peak memory", "Peak memory of a fresh process, including Python and numpy.", ("what",)
    ),
}

#: The rows of the front page: what they are, their table, and how their names begin,
#: None for any.
FRONT_ROWS: list[tuple[str, str, tuple[str | None, ...]]] = [
    ("plo4, two hands preflop", "exact", ("plo4", "2", "-")),
    ("o8, three hands preflop", "exact", ("o8", "3", "-")),
    ("plo6, six hands preflop", "exact", ("plo6", "6", "-")),
    ("plo4, two hands on a flop", "exact", ("plo4", "2", "flop")),
    ("plo4, two hands on a turn", "exact", ("plo4", "2", "turn")),
    ("AAK v QQJ on a river, all 1,108 x 1,108", "sweep", ("plo4", "AAK v QQJ", None, "river")),
    ("27,628 v 31,784 hands on a flop", "sweep", ("plo4", None, "27,628 v 31,784", "flop")),
    ("AA v KK: standard error after a second", "samples", ("plo4", "range v range")),
    ("AA v five random hands, o8", "samples", ("o8", "six-handed")),
    ("rows per second, two hands preflop", "batch", ("plo4, two hands, preflop",)),
    ("rows per second, six hands on a flop", "batch", ("plo4, six hands, flop",)),
    ("rows per second, two hands on a river", "batch", ("plo4, two hands, river",)),
    ("hands evaluated per second", "bulk", ("plo4",)),
    ("rivers answered per second from arrays", "rows", ("plo4", "river")),
    ("a river from the shell, start-up included", "start", ("known hands", "warm")),
]
#: What is no program to compare with.
NO_PEERS = ("python alone", "a process each")

THREADS = "threads"
GROWTH = "growth"
FLOOR = "floor"
PEAKS = "peaks"


def number(value: float, unit: str) -> str:
    """A number with its unit, three digits."""
    if not value:
        return "-"
    if unit == "s":
        scales = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))
        scale, name = next((s for s in scales if value >= s[0]), scales[-1])
        return f"{_digits(value / scale)} {name}"
    if unit == "error":
        return f"{_digits(value * 100)} %"
    if unit == "B":
        return f"{_digits(value / 1e6)} MB"
    for scale, name in ((1e9, " billion"), (1e6, " million")):
        if value >= scale:
            return f"{_digits(value / scale)}{name}"
    return f"{value:,.0f}" if value >= 1_000 else _digits(value)


def _digits(value: float) -> str:
    """Three digits, all of those before the point."""
    if value >= 99.95:
        return f"{value:,.0f}"
    if value < 0.001:
        return f"{value:.2g}"
    return f"{value:#.3g}"


def spread(values: Sequence[float], show: Callable[[float], str]) -> str:
    """The median, and the least and the most."""
    return f"{show(statistics.median(values))} ({show(min(values))} to {show(max(values))})"


def times(values: Sequence[float]) -> str:
    """A ratio with its spread."""
    low, high = _digits(min(values)), _digits(max(values))
    return f"{_digits(statistics.median(values))}x ({low} to {high})"


def ratios(mine: Sequence[float], theirs: Sequence[float], unit: str) -> list[float]:
    """How many times better the first side is, round by round."""
    pairs = zip(mine, theirs, strict=True)
    return [one / two if unit.startswith("/") else two / one for one, two in pairs]


def tables(run: dict[str, Any]) -> str:
    """All tables of a run."""
    rows: dict[str, list[Row]] = {}
    for row in run["rows"]:
        rows.setdefault(row["table"], []).append(row)
    parts = [_heading(run, rows)]
    for name, kind in KINDS.items():
        if name in rows:
            parts.append(_table(kind, rows[name]))
    for name, table in ((THREADS, _threads), (GROWTH, _growth), (FLOOR, _floor), (PEAKS, _peaks)):
        if name in rows:
            parts.append(table(rows[name]))
    return "\n\n".join(parts)


def front(run: dict[str, Any]) -> str:
    """The table of the front page."""
    chosen = [
        (what, row)
        for what, table, names in FRONT_ROWS
        for row in run["rows"]
        if row["table"] == table
        and all(name in (None, own) for name, own in zip(names, row["row"], strict=False))
    ]
    others = dict.fromkeys(
        name for _, row in chosen for name in row["values"] if name not in (OURS, *NO_PEERS)
    )
    lines = []
    for what, row in chosen:
        unit, values = row["unit"], row["values"]
        line = [what, number(statistics.median(values[OURS]), unit)]
        for other in others:
            line.append("")
            if other in values:
                ratio = statistics.median(ratios(values[OURS], values[other], unit))
                theirs = number(statistics.median(values[other]), unit)
                line[-1] = f"{theirs}, {_digits(ratio)}x"
        lines.append(line)
    versions = run["machine"]["versions"]
    named = [f"{name} {versions[name]}" for name in others]
    return _markdown(["", OURS, *named], lines)


def write(run: dict[str, Any]) -> None:
    """Put the tables between the marks of the pages that have them."""
    _put(ALL, tables(run))
    _put(FRONT, front(run))


def _put(path: Path, figures: str) -> None:
    text = path.read_text(encoding="utf-8")
    before, rest = text.split(START)
    _, after = rest.split(STOP)
    path.write_text(f"{before}{START}\n\n{figures}\n\n{STOP}{after}", encoding="utf-8")


def _heading(run: dict[str, Any], rows: dict[str, list[Row]]) -> str:
    machine = run["machine"]
    versions = ", ".join(f"{name} {one}" for name, one in machine["versions"].items())
    rounds = min(
        len(numbers) for kept in rows.values() for row in kept for numbers in row["values"].values()
    )
    return (
        f"Measured on {machine['processor']}, {machine['processors']} processors,"
        f" {machine['system']}, {run['date']}: {versions}. Medians of {rounds} rounds, with the"
        f" least and the greatest in brackets. A ratio above 1 favours {OURS}."
    )


def _markdown(columns: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    shown = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    for line in lines:
        cells = [cell.replace("|", "\\|").replace("*", "\\*") for cell in line]
        shown.append("| " + " | ".join(cells) + " |")
    return "\n".join(shown)


def _table(kind: Kind, rows: Sequence[Row]) -> str:
    others = list(dict.fromkeys(name for row in rows for name in row["values"] if name != OURS))
    # All processes of ours together.
    memory = all(any(row.get("memory", ())) for row in rows)
    lines = []
    for row in rows:
        unit, values = row["unit"], row["values"]
        mine = values[OURS]
        shown = number(statistics.median(mine), unit)
        if not others:
            # Beside nobody, the spread is that of the number itself.
            shown = f"{shown} ({number(min(mine), unit)} to {number(max(mine), unit)})"
        line = [*row["row"], shown]
        for other in others:
            if other not in values:
                line.append("")
                continue
            theirs = values[other]
            found = ratios(mine, theirs, unit)
            line.append(f"{number(statistics.median(theirs), unit)}, {times(found)}")
            if unit == "error":
                line[-1] += f", deals {_digits(statistics.median(found) ** 2)}x"
        if memory:
            line.append(number(max(row["memory"]), "B"))
        lines.append(line)
    columns = [*kind.columns, OURS, *others, *["memory"] * memory]
    return f"### {kind.title}\n\n{kind.about}\n\n" + _markdown(columns, lines)


def _threads(rows: Sequence[Row]) -> str:
    lines = [
        [
            *row["row"],
            *(
                number(statistics.median(row["values"][key]), "s") if row["unit"] == "s" else ""
                for key in ("1", "2")
            ),
            times(ratios(row["values"]["2"], row["values"]["1"], "s")),
        ]
        for row in rows
    ]
    about = (
        "The same work on one thread and on two. Where a sample runs for a fixed time, its number"
        " of deals."
    )
    columns = ["program", "what", "one", "two", "gain"]
    return f"### Threads\n\n{about}\n\n" + _markdown(columns, lines)


def _growth(rows: Sequence[Row]) -> str:
    lines = []
    for row in rows:
        ((_, rounds),) = row["values"].items()
        sizes = row["sizes"]
        laws = fits(sizes, rounds)
        middle = [statistics.median(turn[at] for turn in rounds) for at in range(len(sizes))]
        lines.append(
            [
                row["row"][0],
                row["row"][1],
                f"{sizes[0]:,.0f} to {sizes[-1]:,.0f}",
                f"{number(middle[0], 's')} to {number(middle[-1], 's')}",
                spread([law.exponent for law in laws], lambda one: f"{one:.2f}"),
                number(statistics.median(law.constant for law in laws), "s"),
                f"{statistics.median(law.off for law in laws):.1f}x",
            ]
        )
    about = (
        "Fitted by seconds = constant x size ^ exponent; `off` is the largest factor between a"
        " measured and a fitted time."
    )
    columns = ["with", "program", "sizes", "time", "exponent", "constant", "off"]
    return f"### How time grows\n\n{about}\n\n" + _markdown(columns, lines)


def _floor(rows: Sequence[Row]) -> str:
    lines = []
    for row in rows:
        values = row["values"]
        lines.append(
            [
                row["row"][0],
                f"{values['loads'][0]:,.0f}",
                f"{values['compares'][0]:,.0f}",
                number(statistics.median(values["seconds"]), "s"),
                number(statistics.median(values[OURS]), "s"),
                times(ratios(values["seconds"], values[OURS], "s")),
            ]
        )
    about = (
        "The loads and comparisons that the work needs at least (`floor.py` says how they are"
        " counted), how long they take at the peak rate of this processor, measured in the same"
        " round, and how many times as long the kernel takes. A ratio below 1 means that the"
        " kernel avoids some of that work."
    )
    columns = ["what", "loads", "compares", "floor", OURS, "ratio"]
    return f"### The lower bound\n\n{about}\n\n" + _markdown(columns, lines)


def _peaks(rows: Sequence[Row]) -> str:
    lines = [
        [name, spread(values, lambda one: number(one, "/s"))]
        for row in rows
        for name, values in row["values"].items()
    ]
    return "The peak rates, per second:\n\n" + _markdown(["peak", "per second"], lines)


def main() -> None:
    """Print the tables of a run, or put them where they belong."""
    name, *more = sys.argv[1:]
    run = json.loads(Path(name).read_text())
    if more:
        write(run)
    else:
        print(f"{tables(run)}\n\n{front(run)}")


if __name__ == "__main__":
    main()
