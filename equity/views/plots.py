"""Pictures of views as PNG or SVG, drawn with matplotlib (an extra)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import Any

from equity.common.arguments import shown
from equity.errors import EquityError
from equity.results.report import shorten
from equity.rules.cards import RANKS, SUITS, ascii_text, format_cards
from equity.spot import Spot
from equity.views.answers import Part
from equity.views.blockers import Blockers
from equity.views.drawing import error_text
from equity.views.graph import FINE, Graph
from equity.views.next_card import NextCards, NextRow, TwoCards
from equity.views.streets import Streets

__all__ = ["ENDINGS", "PlotError", "check_matplotlib", "check_plot", "drawn", "picture", "plot"]

ENDINGS = (".png", ".svg")
DPI = 120
#: Text in a picture is text, and the same picture is the same file.
STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "equity",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
}
#: Blue is better and red is worse, which all eyes tell apart.
COLOURS = "RdBu"
#: Colours of players, told apart by all eyes too, and marks.
PLAYERS = (
    *("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c564b"),
    *("#7f7f7f", "#bcbd22", "#9467bd"),
)
MARKS = "osD^vP*X<>h"


class PlotError(EquityError):
    """A picture that cannot be written."""


def check_plot(name: str) -> Path:
    """Validate the path of a picture before anything is computed.

    Raises
    ------
    PlotError
        It has another ending, its folder is not there, or there is no matplotlib.
    """
    path = Path(name)
    if path.suffix.lower() not in ENDINGS:
        raise PlotError(
            f"{ascii_text(name)} has no known ending", place="--plot", hint="use .png or .svg"
        )
    if not path.absolute().parent.is_dir():
        raise PlotError(f"there is no folder for {ascii_text(name)}", place="--plot")
    check_matplotlib("--plot")
    return path


def check_matplotlib(place: str) -> None:
    """Raise an error if matplotlib is not installed."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise PlotError(
            "matplotlib is not installed, which draws pictures",
            place=place,
            hint="pip install 'equity[plot]'",
        ) from None


def plot(view: Streets | NextCards | TwoCards | Graph | Blockers, path: str | Path) -> None:
    """Draw a view into a file.

    Parameters
    ----------
    view:
        What :mod:`equity.views` returns.
    path:
        A file that ends with ``.png`` or ``.svg``.

    Raises
    ------
    PlotError
        See :func:`check_plot`.
    """
    if not isinstance(path, str | Path):
        raise PlotError(f"{shown(path)} is no path", place="path", hint="give one such as view.png")
    if type(view) not in _DRAW:
        raise PlotError(
            f"{shown(view)} is no view", place="view", hint="give what equity.graph returns, say"
        )
    target = check_plot(str(path))
    target.write_bytes(picture(view, target.suffix.lower()))


def picture(view: Streets | NextCards | TwoCards | Graph | Blockers, ending: str) -> bytes:
    """Draw a view as the bytes of a file; its ending is one of :data:`ENDINGS`."""
    return drawn(lambda figure: _DRAW[type(view)](figure, view), ending)


def drawn(draw: Callable[[Any], None], ending: str) -> bytes:
    """What ``draw`` draws into a figure, as the bytes of a file."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    written = BytesIO()
    with rc_context(STYLE):
        figure = Figure(layout="constrained")
        draw(figure)
        # Without a date the same view is the same file.
        dateless = {"Date": None} if ending == ".svg" else None
        figure.savefig(written, format=ending[1:], dpi=DPI, metadata=dateless)
    return written.getvalue()


def _title(spot: Spot, what: str) -> str:
    board = f" on {spot.board_text}" if spot.board else ""
    dead = f", dead {spot.dead_text}" if spot.dead else ""
    return f"{what}{board}{dead}, {spot.game.title}"


def _versus(spot: Spot) -> str:
    names = [shorten(text, 30) for text in spot.texts[:4]]
    return " - ".join([*names, *(["..."] if len(spot.texts) > 4 else [])])


def _suptitle(figure: Any, view: Any, what: str) -> None:
    sampled = "" if view.exact else " (sampled)"
    figure.suptitle(f"{_title(view.spot, what)}\n{_versus(view.spot)}{sampled}", fontsize=11)


def _streets(figure: Any, view: Streets) -> None:
    figure.set_size_inches(7.5, 4.5)
    axes = figure.add_subplot()
    places = range(len(view.rows))
    for player, text in enumerate(view.spot.texts):
        parts = [row.answer.parts[player] for row in view.rows]
        errors = [100 * (part.std_error or 0) for part in parts]
        axes.errorbar(
            places,
            [100 * part.equity for part in parts],
            yerr=errors if any(errors) and all(map(math.isfinite, errors)) else None,
            color=PLAYERS[player],
            marker=MARKS[player],
            label=f"{player + 1}  {shorten(text, 26)}",
            clip_on=False,
        )
    names = [
        f"{row.name}\n{format_cards(row.dealt)}" if row.dealt else row.name for row in view.rows
    ]
    axes.set_xticks(places, names)
    axes.set_ylim(0, 100)
    axes.set_ylabel("equity, %")
    axes.set_xlabel("street")
    axes.grid(axis="y", alpha=0.3)
    axes.set_title(_title(view.spot, "Equity by street") + ("" if view.exact else " (sampled)"))
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)


def _cells(
    figure: Any,
    axes: Any,
    values: Sequence[Sequence[float]],
    *,
    middle: float,
    rows: str,
    title: str,
    label: str,
    form: str = ".1f",
) -> None:
    """Draw a heat map that is white in the middle, with numbers in its cells; nan is no cell."""
    known = [value for row in values for value in row if not math.isnan(value)]
    spread = max([abs(value - middle) for value in known], default=0) or 1
    image = axes.imshow(
        values, cmap=COLOURS, vmin=middle - spread, vmax=middle + spread, aspect="auto"
    )
    for down, row in enumerate(values):
        for across, value in enumerate(row):
            if not math.isnan(value):
                dark = abs(value - middle) > 0.6 * spread
                axes.text(
                    across,
                    down,
                    format(value, form),
                    ha="center",
                    va="center",
                    fontsize=8,
                    color="white" if dark else "black",
                )
    axes.set_xticks(range(len(RANKS)), RANKS[::-1])
    axes.set_yticks(range(len(rows)), rows)
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    axes.set_facecolor("#eeeeee")
    axes.set_title(title)
    scale = figure.colorbar(image, ax=axes, label=label, pad=0.01)
    # Both sides of the middle have the same depth of colour; only what occurs is shown.
    low, high = min([middle, *known]), max([middle, *known])
    scale.ax.set_ylim(low, high if high > low else low + 1)


def _by_card(figure: Any, axes: Any, values: Mapping[int, float], **how: Any) -> None:
    """Draw a heat map by suit and rank, the highest first."""
    ranks, suits = range(len(RANKS) - 1, -1, -1), range(len(SUITS) - 1, -1, -1)
    rows = [[values.get(rank * 4 + suit, math.nan) for rank in ranks] for suit in suits]
    _cells(figure, axes, rows, rows=SUITS[::-1], **how)
    axes.set_ylabel("suit")
    axes.set_xlabel("rank")


def _percent(part: Fraction | int) -> float:
    """Convert a fraction to percent, rounded as in the terminal."""
    return float(100 * part)


def _panels(view: NextCards | TwoCards) -> Iterator[tuple[str, float, dict[Any, float]]]:
    """Yield the panels of player 1: title, value now, and values by card or ranks."""
    rows: list[tuple[Any, Part]] = []
    for row in view.rows:
        places = row.cards if isinstance(row, NextRow) else (row.ranks,)
        rows += [(place, row.answer.parts[0]) for place in places]
    now = view.now.parts[0]
    yield "equity", _percent(now.equity_exact), {at: _percent(p.equity_exact) for at, p in rows}
    if now.low_exact is not None:
        lows = {at: _percent(part.low_exact or 0) for at, part in rows}
        yield "of which with the low", _percent(now.low_exact), lows


def _next(figure: Any, view: NextCards) -> None:
    panels = list(_panels(view))
    figure.set_size_inches(9, 0.7 + 2.5 * len(panels))
    _suptitle(figure, view, "Player 1's equity by the next card")
    for number, (name, now, values) in enumerate(panels, 1):
        axes = figure.add_subplot(len(panels), 1, number)
        _by_card(figure, axes, values, middle=now, title=f"{name}, now {now:.2f} %", label="%")


def _two(figure: Any, view: TwoCards) -> None:
    panels = list(_panels(view))
    figure.set_size_inches(9, 0.7 + 5.8 * len(panels))
    _suptitle(figure, view, "Player 1's equity by turn and river")
    ranks = range(len(RANKS) - 1, -1, -1)
    for number, (name, now, found) in enumerate(panels, 1):
        axes = figure.add_subplot(len(panels), 1, number)
        values = [[found.get((high, low), math.nan) for low in ranks] for high in ranks]
        title = f"{name}, now {now:.2f} %"
        _cells(figure, axes, values, middle=now, rows=RANKS[::-1], title=title, label="%")
        axes.set_xlabel("lower rank of the two")
        axes.set_ylabel("higher rank of the two")


def _graph(figure: Any, view: Graph) -> None:
    figure.set_size_inches(10, 4.8)
    _suptitle(figure, view, "Equity")
    left, right = figure.subplots(1, 2)
    count = len(view.curves)
    for number, curve in enumerate(view.curves):
        colour = PLAYERS[number]
        edges = [100 * at / FINE for at in range(FINE + 1)]
        steps = [100 * float(part) for part in curve.slices]
        left.stairs(steps, edges, baseline=None, color=colour, lw=1.6, label=curve.label)
        if count == 1:
            best = [100 * float(part) for part in curve.running]
            left.plot(edges[1:], best, color=colour, ls="--", lw=1, label=curve.running_label)
        left.axhline(100 * float(curve.mean_exact), color=colour, lw=0.8, alpha=0.5)
        heights = [100 * float(part) for part in curve.bins]
        wide = 100 / len(heights)
        starts = [wide * (at + (0.08 + 0.84 * number / count)) for at in range(len(heights))]
        right.bar(starts, heights, 0.84 * wide / count, align="edge", color=colour)
    left.set_ylabel("equity, %")
    left.set_xlabel(f"% of the {view.noun}, {view.order}")
    left.set_ylim(0, 100)
    left.set_xlim(0, 100)
    left.grid(alpha=0.3)
    left.legend(frameon=False, fontsize=8)
    means = [
        f"{100 * curve.mean:.2f} %"
        + (f" +/- {error_text(curve.std_error)}" if curve.std_error is not None else "")
        for curve in view.curves
    ]
    left.set_title(f"mean {', '.join(means)}")
    right.set_xlim(0, 100)
    right.set_xlabel("equity, %")
    right.set_ylabel(f"% of the {view.noun}")
    right.set_title("equity distribution")


def _blockers(figure: Any, view: Blockers) -> None:
    changes = {
        card: _percent(row.change_exact)
        for row in view.rows
        for card in row.cards
        if row.change_exact is not None
    }
    shares = {card: _percent(row.share_exact) for row in view.rows for card in row.cards}
    panels = [
        ("share of the range that holds the card, %", "%", ".1f", shares),
        ("change of the equity when it is dead, points", "points", "+.2f", changes),
    ]
    figure.set_size_inches(9, 5.7)
    _suptitle(figure, view, "Blockers")
    for number, (title, label, form, values) in enumerate(panels, 1):
        axes = figure.add_subplot(2, 1, number)
        _by_card(figure, axes, values, middle=0, title=title, label=label, form=form)


_DRAW: dict[type, Callable[[Any, Any], None]] = {
    Streets: _streets,
    NextCards: _next,
    TwoCards: _two,
    Graph: _graph,
    Blockers: _blockers,
}
