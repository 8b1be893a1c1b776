"""Charts as SVG: shapes have classes, so that colours come from the style sheet.

Lines differ in their dashes and marks too, and columns in their filling, so that charts are
read without colours.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import NamedTuple

from equity.html.tags import Child, Markup, el

__all__ = ["Bar", "Line", "bar", "columns", "line_chart", "running_chart"]

#: Sizes of a chart with axes, and the room around it for their labels.
WIDE, HIGH, LEFT, RIGHT, TOP, BELOW = 440, 230, 40, 10, 8, 38
#: Colours of players, see ``answers.css``.
COLOURS = 11
#: A line of sums has at most so many points: more are closer than a pixel.
MOST_POINTS = 2_000
#: Numbers at the left of a chart of percentages.
LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)


class Bar(NamedTuple):
    """A bar: parts of 1, one after the other, and the standard error of the whole."""

    parts: Sequence[float]
    error: float | None = None


class Line(NamedTuple):
    """A line, or columns: its values as parts of 1, and their standard errors."""

    label: str
    values: Sequence[float]
    errors: Sequence[float | None] = ()
    #: What the legend shows in place of the label.
    shown: Child = None


def bar(row: Bar, colour: int = 0) -> Markup:
    """A single bar, for a cell of a table; colours count from 0."""
    shapes = [el("rect", x=0, y=0.5, width=100, height=3, class_="track")]
    start = 0.0
    for depth, part in enumerate(row.parts):
        wide = 100 * min(max(part, 0.0), 1.0)
        kind = f"p{colour % COLOURS + 1} d{depth}"
        shapes.append(el("rect", x=start, y=0.5, width=wide, height=3, class_=kind))
        start += wide
    if row.error and isfinite(row.error):
        half = 100 * row.error
        ends = {"x1": max(0.0, start - half), "x2": min(100.0, start + half)}
        shapes.append(el("line", **ends, y1=2, y2=2, class_="err"))
    return _svg(100, 4, "", shapes, "bar")


def line_chart(
    lines: Sequence[Line],
    *,
    across: Sequence[str],
    label: str,
    title: str = "",
    is_dotted: bool = False,
) -> Markup:
    """Lines from 0 to 100 %.

    Parameters
    ----------
    lines:
        The lines; their points have equal distances.
    across:
        Labels below the chart, from its left end to its right end.
    label:
        What the chart shows, for those who do not see it.
    title:
        What is across.
    is_dotted:
        Whether points have marks, and errors of their own; else these are a band.
    """
    wide, high = WIDE - LEFT - RIGHT, HIGH - BELOW - TOP

    def x(at: float, count: int) -> float:
        return LEFT + wide * at / max(1, count - 1)

    def y(value: float) -> float:
        return TOP + high * (1 - min(max(value, 0.0), 1.0))

    shapes: list[Child] = [_level(f"{100 * part:.0f} %", y(part)) for part in LEVELS]
    for at, text in enumerate(across):
        anchor = {0: "start", len(across) - 1: "end"}.get(at, "middle")
        shapes.append(_below(text, x(at, len(across)), anchor))
    shapes.append(_title(title))
    for number, line in enumerate(lines):
        count = len(line.values)
        places = [(x(at, count), y(value)) for at, value in enumerate(line.values)]
        errors = [error or 0.0 for error in line.errors]
        if any(errors) and all(map(isfinite, errors)):
            highs = [y(value + error) for value, error in zip(line.values, errors, strict=True)]
            lows = [y(value - error) for value, error in zip(line.values, errors, strict=True)]
            shapes.append(_errors([place[0] for place in places], highs, lows, number, is_dotted))
        points = _points(places)
        shapes.append(el("polyline", points=points, class_=f"line c{number % COLOURS + 1}"))
        if is_dotted:
            shapes.append([_mark(number, *place) for place in places])
    keys = [_key(number, is_dotted=is_dotted) for number in range(len(lines))]
    return Markup(_chart(label, shapes, title) + _legend(lines, keys))


def columns(
    series: Sequence[Line], *, across: Sequence[str], label: str, title: str = ""
) -> Markup:
    """A histogram: columns side by side for each series, at the scale of the highest."""
    wide, high = WIDE - LEFT - RIGHT, HIGH - BELOW - TOP
    most = max((value for one in series for value in one.values), default=0) or 1
    step = wide / max(len(one.values) for one in series)

    def y(value: float) -> float:
        return TOP + high * (1 - min(max(value / most, 0.0), 1.0))

    shapes: list[Child] = [_level(f"{100 * most * part:.3g} %", y(most * part)) for part in LEVELS]
    room = 0.84 * step / len(series)
    for number, one in enumerate(series):
        kind = f"p{number % COLOURS + 1} c{number % COLOURS + 1} column{number % 2}"
        for at, value in enumerate(one.values):
            left = LEFT + step * (at + 0.08) + room * number
            tip = el("title", f"{one.label}: {100 * value:.2f} %")
            size = {"width": room, "height": TOP + high - y(value)}
            shapes.append(el("rect", tip, x=left, y=y(value), **size, class_=kind))
            error = one.errors[at] if at < len(one.errors) else None
            if error and isfinite(error):
                ends = {"y1": y(value + error), "y2": y(value - error)}
                middle = left + room / 2
                shapes.append(el("line", x1=middle, x2=middle, **ends, class_="err"))
    every = max(1, len(across) // 10)
    for at, text in enumerate(across):
        if at % every == 0:
            # The label of a column is where it begins.
            shapes.append(_below(text, LEFT + wide * at / len(across), "middle"))
    shapes.append(_title(title))
    keys = [_key(number, is_column=True) for number in range(len(series))]
    shown = _legend(series, keys) if len(series) > 1 else ""
    return Markup(_chart(label, shapes, title) + shown)


def running_chart(lines: Sequence[Line], *, label: str, title: str) -> Markup:
    """Lines of sums, which go up and down, at a scale of their own with the level of zero."""
    values = [value for line in lines for value in line.values]
    low, high = min(0.0, *values), max(0.0, *values)
    wide, tall = WIDE - LEFT - RIGHT, HIGH - BELOW - TOP

    def y(value: float) -> float:
        return TOP + tall * (high - value) / ((high - low) or 1.0)

    shapes: list[Child] = [_level(f"{one:,.0f}", y(one)) for one in dict.fromkeys((low, 0.0, high))]
    for number, line in enumerate(lines):
        count = len(line.values)
        kept = [*range(0, count, max(1, count // MOST_POINTS)), count - 1]
        places = [(LEFT + wide * at / max(1, count - 1), y(line.values[at])) for at in kept]
        kind = f"line c{number % COLOURS + 1}"
        shapes.append(el("polyline", points=_points(places), class_=kind))
    shapes.append(_title(title))
    named = [line._replace(label=f"{line.label} {line.values[-1]:+,.2f}") for line in lines]
    keys = [_key(number) for number in range(len(lines))]
    return Markup(_chart(label, shapes, title) + _legend(named, keys))


def _level(text: str, y: float) -> Markup:
    """A line across a chart, with its number at the left."""
    line = el("line", x1=LEFT, x2=WIDE - RIGHT, y1=y, y2=y, class_="grid")
    return Markup(line + el("text", text, x=LEFT - 6, y=y + 3.5, text_anchor="end"))


def _below(text: str, x: float, anchor: str) -> Markup:
    return el("text", text, x=x, y=HIGH - BELOW + 14, text_anchor=anchor)


def _title(text: str) -> Markup | None:
    """What is across, below its labels."""
    middle = (LEFT + WIDE - RIGHT) / 2
    return el("text", text, x=middle, y=HIGH - 5, text_anchor="middle") if text else None


def _points(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)


def _errors(
    xs: Sequence[float], highs: Sequence[float], lows: Sequence[float], number: int, is_dotted: bool
) -> Child:
    """Standard errors: a line through each point, or a band along all of them."""
    if is_dotted:
        ends = zip(xs, highs, lows, strict=True)
        return [el("line", x1=x, x2=x, y1=top, y2=low, class_="err") for x, top, low in ends]
    around = [*zip(xs, highs, strict=True), *reversed([*zip(xs, lows, strict=True)])]
    return el("polygon", points=_points(around), class_=f"band p{number % COLOURS + 1}")


#: Marks of points around a centre; the first is a circle.
_MARKS: tuple[tuple[tuple[float, float], ...], ...] = (
    (),
    ((-3.4, -3.4), (3.4, -3.4), (3.4, 3.4), (-3.4, 3.4)),
    ((0, -4.8), (4.8, 0), (0, 4.8), (-4.8, 0)),
    ((0, -4.6), (4.4, 3.4), (-4.4, 3.4)),
)


def _mark(number: int, x: float, y: float) -> Markup:
    """The mark of a point of a line; neighbours have other shapes."""
    kind, shape = f"p{number % COLOURS + 1}", _MARKS[number % len(_MARKS)]
    if not shape:
        return el("circle", cx=x, cy=y, r=4, class_=kind)
    return el("polygon", points=_points([(x + dx, y + dy) for dx, dy in shape]), class_=kind)


def _key(number: int, *, is_dotted: bool = False, is_column: bool = False) -> Markup:
    """The sample of a line or column in a legend."""
    colour = number % COLOURS + 1
    if is_column:
        kind = f"p{colour} c{colour} column{number % 2}"
        shapes = [el("rect", x=8, y=1, width=10, height=10, class_=kind)]
    else:
        shapes = [el("line", x1=0, x2=26, y1=6, y2=6, class_=f"line c{colour}")]
        shapes += [_mark(number, 13, 6)] if is_dotted else []
    return _svg(26, 12, "", shapes, "key")


def _legend(lines: Sequence[Line], keys: Sequence[Markup]) -> Markup:
    """The samples of a chart and what they stand for."""
    entries = [
        el("li", sample, line.shown or line.label) for line, sample in zip(lines, keys, strict=True)
    ]
    return el("ul", entries, class_="legend")


def _chart(label: str, shapes: Child, title: str) -> Markup:
    """A chart with axes; without a title there is less below."""
    return _svg(WIDE, HIGH if title else HIGH - 18, label, shapes, "chart")


def _svg(wide: float, high: float, label: str, shapes: Child, kind: str) -> Markup:
    """A picture of a class; without a label it is hidden from screen readers."""
    named = {"role": "img", "aria_label": label} if label else {"aria_hidden": "true"}
    return el(
        "svg",
        shapes,
        viewBox=f"0 0 {wide:g} {high:g}",
        preserveAspectRatio="none" if kind == "bar" else None,
        class_=kind,
        xmlns="http://www.w3.org/2000/svg",
        **named,
    )
