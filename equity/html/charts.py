"""Charts as SVG: shapes have classes, so that colours come from the style sheet."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from equity.html.cards import SUITS
from equity.html.tags import Child, Markup, el
from equity.rules.cards import RANKS

__all__ = [
    "Bar",
    "Cell",
    "Line",
    "bar",
    "card_grid",
    "columns",
    "legend",
    "line_chart",
    "rank_grid",
    "svg",
]

#: Sizes of a chart with axes, and the room for their labels.
WIDE, HIGH, LEFT, BELOW = 640, 280, 44, 30
#: Steps of the colour of a heat map on each side of the middle.
DEPTHS = 5


class Bar(NamedTuple):
    """A bar: parts of 1, one after the other, and the standard error of the whole."""

    parts: Sequence[float]
    error: float | None = None


class Line(NamedTuple):
    """A line: its points, as parts of 1, and its label."""

    label: str
    values: Sequence[float]
    errors: Sequence[float | None] = ()


def bar(row: Bar, colour: int = 0) -> Markup:
    """A single bar, for a cell of a table."""
    return svg(100, 4, "", [_bar(row, colour, 0.5, 3.0)], "bar")


def _bar(row: Bar, colour: int, top: float, high: float) -> list[Markup]:
    shapes = [el("rect", x=0, y=top, width=100, height=high, class_="track")]
    start = 0.0
    for depth, part in enumerate(row.parts):
        wide = 100 * min(max(part, 0.0), 1.0)
        shapes.append(
            el(
                "rect",
                x=start,
                y=top,
                width=wide,
                height=high,
                class_=f"p{colour % 11 + 1} d{depth}",
            )
        )
        start += wide
    if row.error:
        half = 100 * min(row.error, 0.5)
        middle = top + high / 2
        shapes.append(
            el("line", x1=start - half, x2=start + half, y1=middle, y2=middle, class_="err")
        )
    return shapes


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
        Whether points have marks.
    """
    wide, high = WIDE - LEFT - 10, HIGH - BELOW - 10

    def x(at: float, count: int) -> float:
        return LEFT + wide * at / max(1, count - 1)

    def y(value: float) -> float:
        return 10 + high * (1 - value)

    shapes: list[Child] = _grid(y)
    for at, text in enumerate(across):
        anchor = {0: "start", len(across) - 1: "end"}.get(at, "middle")
        shapes.append(el("text", text, x=x(at, len(across)), y=HIGH - 14.0, text_anchor=anchor))
    if title:
        shapes.append(el("text", title, x=LEFT + wide / 2, y=float(HIGH - 1), text_anchor="middle"))
    for number, line in enumerate(lines):
        count = len(line.values)
        points = " ".join(
            f"{x(at, count):.1f},{y(value):.1f}" for at, value in enumerate(line.values)
        )
        shapes.append(el("polyline", points=points, class_=f"line c{number % 11 + 1}"))
        for at, value in enumerate(line.values if is_dotted else ()):
            error = line.errors[at] if at < len(line.errors) else None
            if error:
                ends = {"y1": y(min(1.0, value + error)), "y2": y(max(0.0, value - error))}
                shapes.append(el("line", x1=x(at, count), x2=x(at, count), **ends, class_="err"))
            mark = {"cx": x(at, count), "cy": y(value), "r": 4}
            shapes.append(el("circle", **mark, class_=f"p{number % 11 + 1}"))
    return Markup(svg(WIDE, HIGH, label, shapes, "chart") + legend([line.label for line in lines]))


def columns(
    series: Sequence[Line], *, across: Sequence[str], label: str, title: str = ""
) -> Markup:
    """A histogram: columns side by side for each series, at the scale of the highest."""
    wide, high = WIDE - LEFT - 10, HIGH - BELOW - 10
    most = max((value for one in series for value in one.values), default=0) or 1
    count = max(len(one.values) for one in series)
    step = wide / count
    shapes: list[Child] = []
    for part in (0.0, 0.5, 1.0):
        level = 10 + high * (1 - part)
        shapes.append(el("line", x1=LEFT, x2=LEFT + wide, y1=level, y2=level, class_="grid"))
        text = f"{100 * most * part:.3g}%"
        shapes.append(el("text", text, x=LEFT - 6, y=level + 4, text_anchor="end"))
    for number, one in enumerate(series):
        room = 0.84 * step / len(series)
        for at, value in enumerate(one.values):
            tall = high * value / most
            place = {"x": LEFT + step * (at + 0.08) + room * number, "y": 10 + high - tall}
            tip = el("title", f"{one.label}: {100 * value:.2f} %")
            shapes.append(
                el("rect", tip, **place, width=room, height=tall, class_=f"p{number % 11 + 1}")
            )
    every = max(1, len(across) // 10)
    for at, text in enumerate(across):
        if at % every == 0:
            place = {"x": LEFT + wide * (at + 0.5) / len(across), "y": HIGH - 14.0}
            shapes.append(el("text", text, **place, text_anchor="middle"))
    if title:
        shapes.append(el("text", title, x=LEFT + wide / 2, y=float(HIGH - 1), text_anchor="middle"))
    labels = [one.label for one in series] if len(series) > 1 else []
    return Markup(svg(WIDE, HIGH, label, shapes, "chart") + legend(labels))


def _grid(y: Callable[[float], float]) -> list[Child]:
    shapes: list[Child] = []
    for level in (0.0, 0.25, 0.5, 0.75, 1.0):
        shapes.append(el("line", x1=LEFT, x2=WIDE - 10, y1=y(level), y2=y(level), class_="grid"))
        shapes.append(
            el("text", f"{100 * level:.0f}%", x=LEFT - 6, y=y(level) + 4, text_anchor="end")
        )
    return shapes


def legend(labels: Sequence[str]) -> Markup:
    """The key of a chart: a colour and a label for each line."""
    if not labels:
        return Markup("")
    entries = [
        el("li", el("span", class_=f"key k{number % 11 + 1}"), label)
        for number, label in enumerate(labels)
    ]
    return el("ul", entries, class_="legend")


def svg(wide: float, high: float, label: str, shapes: Child, kind: str) -> Markup:
    """A picture of a class; without a label it is hidden from screen readers."""
    named = {"role": "img", "aria_label": label} if label else {"aria_hidden": "true"}
    fill = "none" if kind.startswith("bar") else None
    return el(
        "svg",
        shapes,
        viewBox=f"0 0 {wide:g} {high:g}",
        preserveAspectRatio=fill,
        class_=kind,
        xmlns="http://www.w3.org/2000/svg",
        **named,
    )


class Cell(NamedTuple):
    """A cell of a heat map: its text, and where it is on a scale around 0."""

    text: str
    scale: float
    note: str = ""


def card_grid(cells: Mapping[str, Cell], caption: str, *, is_button: bool = False) -> Markup:
    """A heat map by suit and rank; a card without a cell is known.

    With ``is_button`` each cell is a button with the card as ``data-card``.
    """
    ranks = RANKS[::-1]
    most = max((abs(cell.scale) for cell in cells.values()), default=0) or 1
    head = el("tr", el("td"), [el("th", rank, scope="col") for rank in ranks])
    lines = []
    for suit, (sign, name) in SUITS.items():
        row = [el("th", sign, scope="row", class_=f"suit {suit}", aria_label=name)]
        for rank in ranks:
            row.append(_heat(f"{rank}{suit}", cells.get(f"{rank}{suit}"), most, is_button))
        lines.append(el("tr", row))
    return _heat_table(caption, head, lines)


def rank_grid(cells: Mapping[str, Cell], caption: str) -> Markup:
    """A heat map by two ranks: the higher one in the row."""
    ranks = RANKS[::-1]
    most = max((abs(cell.scale) for cell in cells.values()), default=0) or 1
    head = el("tr", el("td"), [el("th", rank, scope="col") for rank in ranks])
    lines = [
        el(
            "tr",
            el("th", first, scope="row"),
            [_heat("", cells.get(first + second), most, False) for second in ranks],
        )
        for first in ranks
    ]
    return _heat_table(caption, head, lines)


def _heat_table(caption: str, head: Markup, lines: Sequence[Markup]) -> Markup:
    inside = el(
        "table", el("caption", caption), el("thead", head), el("tbody", lines), class_="heat"
    )
    return el("div", inside, class_="scroll", tabindex="0", role="region", aria_label=caption)


def _heat(card: str, cell: Cell | None, most: float, is_button: bool) -> Markup:
    if cell is None:
        return el("td", class_="none")
    depth = round(DEPTHS * abs(cell.scale) / most)
    side = "up" if cell.scale > 0 else "down"
    shown: Child = cell.text
    if is_button:
        shown = el("button", cell.text, type="button", data_card=card, title=cell.note or None)
    return el("td", shown, class_=f"{side}{depth}" if depth else "even")
