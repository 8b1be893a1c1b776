"""Charts of sums that go up and down, at a scale of their own."""

from __future__ import annotations

from collections.abc import Sequence

from equity.html.charts import BELOW, HIGH, LEFT, WIDE, Line, legend, svg
from equity.html.tags import Child, Markup, el

__all__ = ["running_chart"]

#: A curve has at most so many points: more are closer than a pixel.
MOST_POINTS = 2_000


def running_chart(lines: Sequence[Line], *, label: str, title: str) -> Markup:
    """Lines of sums, with the level of zero."""
    values = [value for line in lines for value in line.values]
    low, high = min(0.0, *values), max(0.0, *values)
    spread = (high - low) or 1.0
    wide, tall = WIDE - LEFT - 10, HIGH - BELOW - 10

    def y(value: float) -> float:
        return 10 + tall * (high - value) / spread

    shapes: list[Child] = []
    for level in dict.fromkeys((low, 0.0, high)):
        shapes.append(el("line", x1=LEFT, x2=WIDE - 10, y1=y(level), y2=y(level), class_="grid"))
        text = f"{level:,.0f}"
        shapes.append(el("text", text, x=LEFT - 6, y=y(level) + 4, text_anchor="end"))
    for number, line in enumerate(lines, 1):
        count = len(line.values)
        every = max(1, count // MOST_POINTS)
        kept = [*range(0, count, every), count - 1]
        points = " ".join(
            f"{LEFT + wide * at / max(1, count - 1):.1f},{y(line.values[at]):.1f}" for at in kept
        )
        shapes.append(el("polyline", points=points, class_=f"line c{number}"))
    shapes.append(el("text", title, x=LEFT + wide / 2, y=float(HIGH - 1), text_anchor="middle"))
    labels = [f"{line.label} {line.values[-1]:+,.2f}" for line in lines]
    return Markup(svg(WIDE, HIGH, label, shapes, "chart") + legend(labels))
