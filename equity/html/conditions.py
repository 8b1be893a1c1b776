"""How often conditions hold as HTML: what is flopped, and what a range holds on a board."""

from __future__ import annotations

import re
from fractions import Fraction

from equity.html.cards import hand_or_range
from equity.html.charts import Bar, bar
from equity.html.tables import figure, footing, heading, notices, share, table
from equity.html.tags import Child, Markup, el, join
from equity.html.views import distribution, view_heading
from equity.results.text import percent
from equity.views.breakdown import Breakdown, Row
from equity.views.flop_table import EQUITY_GROUP, KINDS_GROUP, LINES_GROUP, Flops

__all__ = ["breakdown", "flops"]


def flops(view: Flops) -> Markup:
    """How often each condition holds over all boards, with bars; and equities."""
    curve = None
    if view.curve is not None:
        title = f"Equity over the {view.over}"
        mean = share(view.curve.mean_exact, view.curve.std_error)
        curve = figure(distribution([view.curve], title), [title, ", mean ", mean, " %"])
    groups = [_flop_group(view, group) for group in dict.fromkeys(row.group for row in view.rows)]
    return join(
        [
            view_heading(view),
            # Columns of kinds need the whole width.
            groups if view.by else el("div", groups, class_="groups"),
            curve,
            footing(f"{view.boards:,} {view.over}", view.footing),
        ]
    )


def _flop_group(view: Flops, group: str) -> Markup | None:
    """The table of a group of conditions; those that never hold are left out of most."""
    kinds = view.kinds[1:]
    rows = [row for row in view.rows if row.group == group]
    if group not in (LINES_GROUP, EQUITY_GROUP):
        rows = [row for row in rows if row.cells[0].share_exact]
    if not rows or (group == KINDS_GROUP and not kinds):
        return None
    cells = [
        [
            _condition("all" if group == KINDS_GROUP else row.condition, row.depth),
            bar(Bar([row.cells[0].share or 0.0], row.cells[0].std_error)),
            *(share(one.share_exact, one.std_error) for one in row.cells),
        ]
        for row in rows
    ]
    title = f"Equity against {view.spot.texts[1]}" if group == EQUITY_GROUP else group.capitalize()
    titles = ["", "", "%", *(f"{kind} %" for kind in kinds)]
    return table(titles, cells, caption=title, texts=range(2))


def _condition(text: str, depth: int) -> Markup:
    """A condition; one of the range language is a button that names it."""
    kind = f"condition depth{depth}"
    if not text.startswith("@"):
        return el("span", text, class_=kind)
    # A line may end before what is joined or excluded.
    parts = [[part, el("wbr")] for part in re.split(r"(?=[:!])", text)]
    return el("button", parts, type="button", class_=kind, data_condition=text)


def breakdown(found: Breakdown) -> Markup:
    """A range on a board: a bar for each class of hands, whose names are buttons."""
    groups: list[Markup] = []
    for group in dict.fromkeys(row.group for row in found.rows):
        rows = [_texture_row(row) for row in found.rows if row.group == group and row.combos]
        equity = ["equity %"] if found.against is not None else []
        if rows:
            titles = ["", "", "%", "combos", *equity]
            shown = rows if equity else [row[:4] for row in rows]
            groups.append(table(titles, shown, caption=group.capitalize(), texts=range(2)))
    whole = found.whole
    mean = f", equity {percent(whole.equity_exact)} %" if whole.equity_exact is not None else ""
    against = [" against ", hand_or_range(found.against.text)] if found.against else None
    return join(
        [
            heading(found.range.game, found.board, found.dead),
            notices(found.warnings),
            el("p", hand_or_range(found.range.text), against, f": {whole.combos:,} combos{mean}"),
            el("div", groups, class_="groups"),
            footing("exact"),
        ]
    )


def _texture_row(row: Row) -> list[Child]:
    return [
        _condition(row.condition, row.depth),
        bar(Bar([row.share])),
        percent(Fraction(row.share)),
        f"{row.combos:,}",
        share(row.equity_exact),
    ]
