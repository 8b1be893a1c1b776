"""Pictures of views as PNG or SVG, drawn with matplotlib (an extra)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any, Protocol

from equity.common.arguments import shown
from equity.common.extras import how_to_install
from equity.errors import EquityError
from equity.results.text import shorten
from equity.rules.cards import RANKS, SUITS, ascii_text
from equity.spot import Spot

__all__ = [
    "ENDINGS",
    "MARKS",
    "PLAYERS",
    "Picture",
    "PlotError",
    "by_card",
    "check_matplotlib",
    "check_plot",
    "heat_map",
    "in_percent",
    "picture",
    "picture_title",
    "plot",
    "suptitle",
]

ENDINGS = (".png", ".svg", ".pdf")
DPI = 120
#: Without a date the same view is the same file.
_DATELESS: dict[str, dict[str, None] | None] = {
    ".png": None,
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
}
#: Text stays text in SVG, and the same picture is the same file.
STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "equity",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
}
#: Blue is better and red is worse; safe for the colour-blind.
COLOURS = "RdBu"
#: Colours of players, safe for the colour-blind, and marks.
PLAYERS = (
    *("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c564b"),
    *("#7f7f7f", "#bcbd22", "#9467bd"),
)
MARKS = "osD^vP*X<>h"


class Picture:
    """What can be drawn into a figure of matplotlib."""

    def draw(self, figure: Any) -> None:
        """Draw it."""
        raise NotImplementedError

    def _repr_png_(self) -> bytes | None:
        """The picture in a notebook; None without matplotlib."""
        return picture(self, ".png") if find_spec("matplotlib") else None


class Titled(Protocol):
    """What the title of a picture is made of."""

    @property
    def spot(self) -> Spot:
        """The question."""

    @property
    def exact(self) -> bool:
        """Whether every deal was enumerated."""


class PlotError(EquityError):
    """A picture that cannot be written."""


def check_plot(name: str) -> Path:
    """Validate the path of a picture before anything is computed.

    Raises
    ------
    PlotError
        Its ending is unknown, its folder does not exist, or matplotlib is not installed.
    """
    path = Path(name)
    if path.suffix.lower() not in ENDINGS:
        raise PlotError(
            f"{ascii_text(name)} has no known ending", place="--plot", hint="use .png, .svg or .pdf"
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
            "pictures need matplotlib, which is not installed",
            place=place,
            hint=how_to_install("plot"),
        ) from None


def plot(view: Picture, target: Any, *, format: str = "png") -> None:  # noqa: A002 - as savefig
    """Draw a view into a file, or into axes of matplotlib.

    Parameters
    ----------
    view:
        What has a picture: a view such as :func:`equity.graph` returns, or the answers of
        :func:`equity.pql`.
    target:
        A path that ends with ``.png``, ``.svg`` or ``.pdf``; a file object that takes bytes;
        or axes of matplotlib from ``plt.subplots()``, whose place the picture takes.
    format:
        The format for a file object: ``"png"``, ``"svg"`` or ``"pdf"``.

    Raises
    ------
    PlotError
        See :func:`check_plot`.
    """
    if not isinstance(view, Picture):
        raise PlotError(
            f"{shown(view)} is no view", place="view", hint="give what equity.graph returns, say"
        )
    if isinstance(target, str | Path):
        path = check_plot(str(target))
        path.write_bytes(picture(view, path.suffix.lower()))
    elif hasattr(target, "write"):
        check_matplotlib("plot")
        if f".{format}" not in ENDINGS:
            raise PlotError(f"{shown(format)} is no format", place="format", hint="use png or svg")
        target.write(picture(view, f".{format}"))
    elif hasattr(target, "get_subplotspec"):
        _draw_over(view, target)
    else:
        raise PlotError(
            f"{shown(target)} is no path, file or axes",
            place="target",
            hint="give one such as view.png",
        )


def _draw_over(view: Picture, axes: Any) -> None:
    """Draw a view in the place of axes."""
    from matplotlib import rc_context

    place = axes.get_subplotspec()
    if place is None:
        raise PlotError(
            "the axes are at no place of a grid", place="target", hint="make them by plt.subplots()"
        )
    figure = axes.figure
    axes.remove()
    part = figure.add_subfigure(place)
    # The figure keeps the size that its owner gave it.
    part.set_size_inches = lambda *_: None
    with rc_context(STYLE):
        view.draw(part)


def picture(view: Picture, ending: str) -> bytes:
    """Draw a view as the bytes of a file; its ending is one of :data:`ENDINGS`."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    drawn = BytesIO()
    with rc_context(STYLE):
        figure = Figure(layout="constrained")
        view.draw(figure)
        figure.savefig(drawn, format=ending[1:], dpi=DPI, metadata=_DATELESS[ending])
    return drawn.getvalue()


def picture_title(spot: Spot, what: str) -> str:
    """What a picture shows, with the known cards and the game."""
    board = f" on {spot.board_text}" if spot.board else ""
    dead = f", dead {spot.dead_text}" if spot.dead else ""
    return f"{what}{board}{dead}, {spot.game.title}"


def _versus(spot: Spot) -> str:
    names = [shorten(text, 30) for text in spot.texts[:4]]
    return " - ".join([*names, *(["..."] if len(spot.texts) > 4 else [])])


def suptitle(figure: Any, view: Titled, what: str) -> None:
    """Give a picture its title: what it shows, the cards and the players."""
    sampled = "" if view.exact else " (sampled)"
    figure.suptitle(f"{picture_title(view.spot, what)}\n{_versus(view.spot)}{sampled}", fontsize=11)


def heat_map(
    figure: Any,
    axes: Any,
    values: Sequence[Sequence[float]],
    *,
    middle: float,
    rows: str,
    heading: str,
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
    axes.set_title(heading)
    scale = figure.colorbar(image, ax=axes, label=label, pad=0.01)
    # Both sides of the middle have the same depth of colour; only what occurs is shown.
    low, high = min([middle, *known]), max([middle, *known])
    scale.ax.set_ylim(low, high if high > low else low + 1)


def by_card(figure: Any, axes: Any, values: Mapping[int, float], **how: Any) -> None:
    """Draw a heat map by suit and rank, the highest first."""
    ranks, suits = range(len(RANKS) - 1, -1, -1), range(len(SUITS) - 1, -1, -1)
    rows = [[values.get(rank * 4 + suit, math.nan) for rank in ranks] for suit in suits]
    heat_map(figure, axes, rows, rows=SUITS[::-1], **how)
    axes.set_ylabel("suit")
    axes.set_xlabel("rank")


def in_percent(part: Fraction | int) -> float:
    """Convert a fraction to percent, rounded as in the terminal."""
    return float(100 * part)
