"""Views as HTML: streets, the next card, distributions, flops, blockers, texture."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction

from equity.html.cards import cards, hand_or_range
from equity.html.charts import (
    Bar,
    Cell,
    Line,
    bar,
    card_grid,
    columns,
    line_chart,
    rank_grid,
)
from equity.html.tables import error, figure, footing, heading, notices, share, table
from equity.html.tags import Child, Markup, el, join
from equity.results.text import error_text, percent
from equity.rules.cards import format_cards
from equity.views.answers import Part, View
from equity.views.blockers import Blockers
from equity.views.breakdown import Breakdown
from equity.views.breakdown import Row as Condition
from equity.views.curves import BINS
from equity.views.drawing import footing as errors_text
from equity.views.drawing import signed
from equity.views.flop_table import EQUITY_GROUP, KINDS_GROUP, Flops
from equity.views.graph import Graph
from equity.views.next_card import NextCards, TwoCards
from equity.views.ranked import RankedCombo
from equity.views.streets import Streets

__all__ = ["blockers", "breakdown", "flops", "graph", "next_cards", "streets", "two_cards"]


def _heading(view: View, *, is_listed: bool = True) -> Markup:
    """The spot of a view, and its players if they are ``listed``."""
    spot = view.spot
    players = [el("li", hand_or_range(text)) for text in spot.texts]
    listed = el("ol", players, class_="names") if is_listed else None
    first = heading(spot.game, spot.board_text, spot.dead_text)
    return join([first, notices(spot.warnings), listed])


def _errors(parts: Iterable[Part | None], *others: float | None, seed: int) -> Markup:
    """How the figures were found: exactly, or with which errors."""
    errors = [wrong for part in parts if part for wrong in (part.std_error, part.low_error)]
    return footing(errors_text([*errors, *others], seed))


def streets(view: Streets) -> Markup:
    """A line for each player, and the figures of each street."""
    spot = view.spot
    lines = [
        Line(
            f"{player + 1}  {text}",
            [row.answer.parts[player].equity for row in view.rows],
            [row.answer.parts[player].std_error for row in view.rows],
        )
        for player, text in enumerate(spot.texts)
    ]
    rows: list[Sequence[Child]] = []
    for player, text in enumerate(spot.texts):
        parts = [row.answer.parts[player] for row in view.rows]
        name = [el("b", str(player + 1)), " ", hand_or_range(text)]
        rows.append([name, *(share(part.equity_exact, part.std_error) for part in parts)])
        if spot.game.low:
            highs = [part.equity_exact - (part.low_exact or 0) for part in parts]
            pairs = zip(highs, parts, strict=True)
            rows.append(["of it high", *(share(high, one.high_error) for high, one in pairs)])
            rows.append(["of it low", *(share(one.low_exact, one.low_error) for one in parts)])
    names = [row.name for row in view.rows]
    titles = [[row.name, " ", cards(format_cards(row.dealt))] for row in view.rows]
    chart = line_chart(lines, across=names, label="Equity of each player by street", is_dotted=True)
    return join(
        [
            _heading(view, is_listed=False),
            figure(chart),
            table(["player", *titles], rows, caption="Equity by street, %"),
            _errors((part for row in view.rows for part in row.answer.parts), seed=view.seed),
        ]
    )


def _change(change: Fraction | None, wrong: float | None) -> Child:
    return "-" if change is None else [signed(change), error(wrong)]


def next_cards(view: NextCards) -> Markup:
    """A heat map of the next card, whose cells are buttons, and the list of cards."""
    now = view.now.parts[0]
    cells, lows = {}, {}
    for row in view.rows:
        part = row.answer.parts[0]
        for card in row.cards:
            name = format_cards([card])
            note = f"{name}: {percent(part.equity_exact)} %, {signed(row.change_exact)}"
            cells[name] = Cell(percent(part.equity_exact, 1), float(row.change_exact), note)
            if part.low_exact is not None and now.low_exact is not None:
                step = float(part.low_exact - now.low_exact)
                lows[name] = Cell(percent(part.low_exact, 1), step, note)
    rows = [
        [
            cards(row.text),
            _change(row.change_exact, row.change_error),
            *(share(part.equity_exact, part.std_error) for part in row.answer.parts),
        ]
        for row in view.rows
    ]
    title = f"Equity of player 1 by the next card, % (now {percent(now.equity_exact)})"
    low_title = f"Of it with the low, % (now {percent(now.low_exact or Fraction(0))})"
    names = [f"{number} %" for number in range(1, len(view.spot.players) + 1)]
    parts = [part for row in view.rows for part in row.answer.parts]
    changes = [row.change_error for row in view.rows]
    return join(
        [
            _heading(view),
            card_grid(cells, title, is_button=True),
            card_grid(lows, low_title) if lows else None,
            table(["card", "change", *names], rows, caption="Every card, best to worst"),
            _errors([*view.now.parts, *parts], *changes, seed=view.seed),
        ]
    )


def two_cards(view: TwoCards) -> Markup:
    """A heat map of turn and river, by their ranks."""
    now = view.now.parts[0]
    cells = {}
    for row in view.rows:
        part = row.answer.parts[0]
        cells[row.text] = Cell(percent(part.equity_exact, 1), float(row.change_exact))
    title = (
        f"Equity of player 1 by the ranks of turn and river, % (now {percent(now.equity_exact)})"
    )
    boards = sum(row.boards for row in view.rows)
    return join([_heading(view), rank_grid(cells, title), footing(f"exact, all {boards:,} boards")])


def graph(view: Graph) -> Markup:
    """The curves, how equities are distributed, and the best and worst combos."""
    lines = [Line(found.label, [float(part) for part in found.slices]) for found in view.curves]
    series = [Line(found.label, [float(part) for part in found.bins]) for found in view.curves]
    across = [f"{100 * at // BINS}" for at in range(BINS)]
    things = view.over or "combos"
    means = [
        [
            found.label,
            share(found.mean_exact, found.std_error),
            f"{found.count:,}",
        ]
        for found in view.curves
    ]
    curve = line_chart(
        lines,
        across=["0 %", "25 %", "50 %", "75 %", "100 %"],
        label="Equity from the best to the worst",
        title=f"part of the {view.noun}, {view.order}",
    )
    histogram = columns(
        series, across=across, label="How equities are distributed", title="equity, %"
    )
    return join(
        [
            _heading(view),
            el("div", figure(curve, "Equity"), figure(histogram, "Distribution"), class_="pair"),
            table(["equity of", "mean %", things], means, caption="Mean equity"),
            [_ranked(side) for side in view.ranked],
            footing(view.footing),
        ]
    )


def _ranked(side: Sequence[RankedCombo]) -> Markup:
    tables = []
    for order in dict.fromkeys(one.order for one in side):
        rows = [
            [
                cards(one.hand),
                " ".join(one.conditions),
                f"{one.combos:,}",
                f"{100 * one.equity:.2f}",
                error_text(one.std_error),
            ]
            for one in side
            if one.order == order
        ]
        caption = f"The {order} combos of player {side[0].player}"
        titles = ["hand", "on the board", "combos", "equity %", "error"]
        tables.append(table(titles, rows, caption=caption, texts=2))
    return join(tables)


def flops(view: Flops) -> Markup:
    """How often each condition holds over all boards, with bars; and equities."""
    kinds = view.kinds[1:]
    groups: list[Markup] = []
    for group in dict.fromkeys(row.group for row in view.rows):
        rows = [row for row in view.rows if row.group == group and row.cells[0].share_exact]
        if not rows or (group == KINDS_GROUP and not kinds):
            continue
        cells = []
        for row in rows:
            first = row.cells[0]
            shares = [share(one.share_exact, one.std_error) for one in row.cells]
            drawn = bar(Bar([first.share or 0.0]))
            cells.append([_condition(row.condition, row.depth), drawn, *shares])
        is_equity = group == EQUITY_GROUP
        title = f"equity against {view.spot.texts[1]}" if is_equity else group
        groups.append(table([title, "", "%", *kinds], cells, caption=title.capitalize(), texts=2))
    curve = None
    if view.curve is not None:
        bins = [float(part) for part in view.curve.bins]
        across = [f"{100 * at // BINS}" for at in range(BINS)]
        drawn = columns([Line("equity", bins)], across=across, label="Equity over the boards")
        curve = figure(drawn, f"Equity over the {view.over}")
    exact = "exact, all" if view.deals is None else f"equities sampled, {view.deals:,} deals over"
    return join(
        [
            _heading(view),
            el("div", groups, class_="groups"),
            curve,
            footing(f"{exact} {view.boards:,} {view.over}"),
        ]
    )


def _condition(text: str, depth: int) -> Markup:
    """A condition; one of the range language is a button that names it."""
    kind = f"condition depth{depth}"
    if not text.startswith("@"):
        return el("span", text, class_=kind)
    # A line may end before what is joined or excluded.
    parts = [[part, el("wbr")] for part in re.split(r"(?=[:!])", text)]
    return el("button", parts, type="button", class_=kind, data_condition=text)


def blockers(view: Blockers) -> Markup:
    """What each card takes from the range, and what it does to the equity."""
    held, changes = {}, {}
    for row in view.rows:
        for card in map(format_cards, zip(row.cards)):
            held[card] = Cell(percent(row.share_exact, 1), row.share)
            if row.change_exact is not None:
                changes[card] = Cell(signed(row.change_exact), float(row.change_exact))
    rows = []
    for row in view.rows:
        part = row.answer.parts[0] if row.answer else None
        name: Child = [cards(row.text), " in the hand" if row.held else None]
        equity = share(part.equity_exact, part.std_error) if part else "-"
        changed = _change(row.change_exact, row.change_error)
        rows.append([name, f"{row.combos:,}", share(row.share_exact), equity, changed])
    parts = [row.answer.parts[0] for row in view.rows if row.answer]
    wrong = [row.change_error for row in view.rows]
    return join(
        [
            _heading(view),
            card_grid(held, "Share of the range that holds the card, %"),
            card_grid(changes, "Change of player 1's equity when the card is dead, points"),
            table(["card", "combos", "share %", "equity %", "change"], rows, caption="Every card"),
            _errors([view.now.parts[0], *parts], *wrong, seed=view.seed),
        ]
    )


def breakdown(found: Breakdown) -> Markup:
    """A range on a board: a bar for each class of hands, whose names are buttons."""
    groups = []
    for group in dict.fromkeys(row.group for row in found.rows):
        rows = [_texture_row(row) for row in found.rows if row.group == group and row.combos]
        equity = ["equity %"] if found.against is not None else []
        if rows:
            titles = [group, "", "weight %", "combos", *equity]
            shown = rows if equity else [row[:4] for row in rows]
            groups.append(table(titles, shown, caption=group.capitalize(), texts=2))
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


def _texture_row(row: Condition) -> list[Child]:
    return [
        _condition(row.condition, row.depth),
        bar(Bar([row.share])),
        percent(Fraction(row.share)),
        f"{row.combos:,}",
        share(row.equity_exact),
    ]
