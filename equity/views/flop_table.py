"""The answer to what a hand or a range flops: rows of shares, as a table and a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from equity.results.formats import Style, finite
from equity.results.text import error_text, percent, shorten, side_by_side
from equity.spot import Spot
from equity.views.answers import View
from equity.views.curves import BINS, Curve
from equity.views.drawing import heading
from equity.views.plots import PLAYERS, suptitle

__all__ = ["EQUITY_GROUP", "KINDS_GROUP", "LINES_GROUP", "Cell", "Flops", "Row"]

#: Titles of the rows that come first, of the lines of ``at_least`` and of equities.
KINDS_GROUP, LINES_GROUP, EQUITY_GROUP = "flops", "at least", "equity"


class _Form(NamedTuple):
    """The widths of a table, and the decimals of its figures."""

    name: int
    column: int
    decimals: int


#: Tables of more kinds than this have narrow columns.
_WIDE = 3


@dataclass(frozen=True)
class Cell:
    """A figure over the boards of one kind."""

    #: :data:`~equity.views.flop_kinds.ALL`, or a kind of a split.
    kind: str
    #: How often it is dealt, each deal as often as the weight of the hand.
    count: int | None
    #: That as a share of what is dealt with boards of this kind, or a mean equity; None if
    #: there are no such boards.
    share_exact: Fraction | None
    #: Standard error of a sampled share.
    std_error: float | None = None

    @property
    def share(self) -> float | None:
        """The share as a number."""
        return None if self.share_exact is None else float(self.share_exact)


@dataclass(frozen=True)
class Row:
    """How often a condition holds, over all boards and over those of each kind."""

    group: str
    #: A condition of the range language; ``"any"`` of the lines, ``"mean"`` of the equity,
    #: ``">=45%"`` for an equity that is reached.
    condition: str
    #: How deep it stands below another.
    depth: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Flops(View):
    """What the first player has on all boards of a street."""

    #: The question.
    spot: Spot
    #: Seed of what is sampled.
    seed: int
    #: The street, a key of :data:`equity.views.graph.STREETS`.
    over: str
    #: How boards are split, a key of :data:`equity.views.flop_kinds.SPLITS`; None if they
    #: are not.
    by: str | None
    #: How many boards each hand sees.
    boards: int
    #: A row for each condition.
    rows: tuple[Row, ...]
    #: The equity of player 1 over the boards; None without an opponent.
    curve: Curve | None = None
    #: The deals that were sampled for it; None if the equity on each board is exact.
    deals: int | None = None

    @property
    def exact(self) -> bool:
        """Whether equities are exact; what hands make always is."""
        return self.deals is None

    @property
    def kinds(self) -> tuple[str, ...]:
        """All boards, and the kinds that they are split into."""
        return tuple(cell.kind for cell in self.rows[0].cells)

    def row(self, condition: str, group: str | None = None) -> Row:
        """Return the row of a condition as it is written in ``rows``."""
        for row in self.rows:
            if row.condition == condition and group in (None, row.group):
                return row
        raise KeyError(condition)

    def head(self) -> dict[str, Any]:
        """What it goes over, whether it is exact, and the curve."""
        return {
            "over": self.over,
            "by": self.by,
            "boards": self.boards,
            "exact": self.exact,
            "deals": self.deals,
            "seed": None if self.exact else self.seed,
            "curve": None if self.curve is None else self.curve.to_dict(),
        }

    def row_dicts(self) -> list[dict[str, Any]]:
        """A row for each condition and kind of boards."""
        return [
            {
                "kind": cell.kind,
                "group": row.group,
                "condition": row.condition,
                "depth": row.depth,
                "count": cell.count,
                "share": cell.share,
                "share_exact": None
                if cell.share_exact is None or cell.std_error is not None
                else str(cell.share_exact),
                "share_error": finite(cell.std_error),
            }
            for row in self.rows
            for cell in row.cells
        ]

    def lines(self, _: Style) -> Iterator[str]:
        """The shares of all conditions; those that never hold are left out."""
        yield from heading(self.spot)
        yield ""
        kinds = self.kinds[1:]
        form = _Form(34, 9, 2) if len(kinds) <= _WIDE else _Form(31, 7, 1)
        titles = "".join(f"{kind:>{form.column}}" for kind in kinds) or f"{'one in':>{form.column}}"
        yield f"{f'{self.boards:,} {self.over}':<{form.name}}{'%':>{form.column}}{titles}"
        for group in dict.fromkeys(row.group for row in self.rows):
            always = group in (LINES_GROUP, EQUITY_GROUP)
            rows = [row for row in self.rows if row.group == group]
            rows = [row for row in rows if always or row.cells[0].share_exact]
            if group == KINDS_GROUP:
                rows = rows if kinds else []
            elif rows:
                yield ""
                yield self._group_title(group)
            for row in rows:
                yield from _row_lines(row, form)
        yield ""
        yield self.footing

    @property
    def footing(self) -> str:
        """How the figures were found."""
        if self.deals is None:
            return f"exact, all {self.over}"
        return (
            f"exact; equities sampled, {self.deals:,} deals over all {self.over}, seed {self.seed}"
        )

    def _group_title(self, group: str) -> str:
        if group != EQUITY_GROUP:
            return group
        return f"equity against {shorten(self.spot.texts[1], 50)}"

    def draw(self, figure: Any) -> None:
        """Draw a bar for each condition, one for each kind if boards are split; and equities."""
        rows = [row for row in self.rows if row.group not in (KINDS_GROUP, EQUITY_GROUP)]
        rows = [row for row in rows if row.cells[0].share_exact]
        # The kinds by their place among the cells: those of a split, else all boards.
        kinds = list(enumerate(self.kinds))[len(self.kinds) > 1 :]
        wide = 8 if self.curve is None else 12
        figure.set_size_inches(wide, 1.5 + len(rows) * (0.16 + 0.06 * len(kinds)))
        suptitle(figure, self, f"What comes over the {self.over}")
        axes = figure.add_subplot(1, 1 if self.curve is None else 2, 1)
        high = 0.84 / len(kinds)
        for number, (at, kind) in enumerate(kinds):
            shares = [100 * (row.cells[at].share or 0) for row in rows]
            off = high * (number - (len(kinds) - 1) / 2)
            places = [place + off for place in range(len(rows))]
            axes.barh(places, shares, high, color=PLAYERS[number], label=kind)
        axes.set_yticks(range(len(rows)), [row.condition for row in rows], fontsize=7)
        axes.invert_yaxis()
        axes.margins(y=0.01)
        axes.set_xlabel(f"% of the {self.over}")
        axes.grid(axis="x", alpha=0.3)
        if len(kinds) > 1:
            axes.legend(frameon=False, fontsize=8)
        if self.curve is not None:
            self._draw_equities(figure.add_subplot(1, 2, 2), self.curve)

    def _draw_equities(self, axes: Any, curve: Curve) -> None:
        bins = [100 * float(part) for part in curve.bins]
        wide = 100 / BINS
        axes.bar([wide * at for at in range(BINS)], bins, 0.9 * wide, align="edge")
        axes.set_xlim(0, 100)
        axes.set_xlabel("equity, %")
        axes.set_ylabel(f"% of the {self.over}")
        error = "" if curve.std_error is None else f" +/- {error_text(curve.std_error)}"
        axes.set_title(f"equity, mean {100 * curve.mean:.2f}{error} %")


def _row_lines(row: Row, form: _Form) -> Iterator[str]:
    """The line of a row, and one with the standard errors of its figures."""
    name = "all" if row.group == KINDS_GROUP else row.condition
    shares = [cell.share_exact for cell in row.cells]
    figures = ["-" if share is None else percent(share, form.decimals) for share in shares]
    if len(shares) == 1 and shares[0] and row.group != EQUITY_GROUP:
        figures.append(f"{float(1 / shares[0]):,.1f}")
    yield _cells("  " * (row.depth + 1) + name, figures, form)
    errors = [cell.std_error for cell in row.cells]
    if any(error is not None for error in errors):
        yield _cells("    +/-", [*map(error_text, errors)], form)


def _cells(name: str, figures: Sequence[str], form: _Form) -> str:
    columns = side_by_side(figures, [form.column] * len(figures))
    return f"{shorten(name, form.name):<{form.name}}{columns}"
