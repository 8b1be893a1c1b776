"""Tables of what a hand or a range flops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from equity.results.report import percent, shorten
from equity.views.drawing import error_text, heading
from equity.views.flops import EQUITY_GROUP, KINDS_GROUP, LINES_GROUP, Flops, Row

__all__ = ["table"]


def table(found: Flops) -> Iterator[str]:
    """Format the view for a terminal; rows that never hold are left out."""
    yield from heading(found.spot)
    yield ""
    kinds = found.kinds[1:]
    form = _Form(34, 9, 2) if len(kinds) <= _WIDE else _Form(31, 7, 1)
    titles = "".join(f"{kind:>{form.column}}" for kind in kinds) or f"{'one in':>{form.column}}"
    yield f"{f'{found.boards:,} {found.over}':<{form.name}}{'%':>{form.column}}{titles}"
    for group in dict.fromkeys(row.group for row in found.rows):
        always = group in (LINES_GROUP, EQUITY_GROUP)
        rows = [row for row in found.rows if row.group == group]
        rows = [row for row in rows if always or row.cells[0].share_exact]
        if group == KINDS_GROUP:
            rows = rows if kinds else []
        elif rows:
            yield ""
            yield _group_title(found, group)
        for row in rows:
            yield from _lines(row, form)
    yield ""
    if found.drawn is None:
        yield f"exact, all {found.over}"
    else:
        drawn, every = found.drawn
        yield (
            f"exact; equities of {drawn:,} of {every:,} {found.over} drawn, seed {found.seed}, "
            "each exact"
        )


class _Form(NamedTuple):
    """The widths of a table, and the decimals of its figures."""

    name: int
    column: int
    decimals: int


#: Tables of more kinds than this have narrow columns.
_WIDE = 3


def _group_title(found: Flops, group: str) -> str:
    if group != EQUITY_GROUP:
        return group
    return f"equity against {shorten(found.spot.texts[1], 50)}"


def _lines(row: Row, form: _Form) -> Iterator[str]:
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
    columns = "".join(f"{figure:>{form.column}}" for figure in figures)
    return f"{shorten(name, form.name):<{form.name}}{columns}"
