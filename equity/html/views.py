"""Views as HTML: streets, the next card, distributions, blockers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from equity.html.cards import cards, hand_or_range, numbered
from equity.html.charts import Line, columns, line_chart
from equity.html.heat import Cell, card_grid, rank_grid
from equity.html.tables import error, figure, footing, heading, notices, share, table
from equity.html.tags import Child, Markup, el, join
from equity.results.text import error_percent, percent
from equity.rules.cards import format_cards
from equity.views.answers import Part, View
from equity.views.blockers import Blockers
from equity.views.curves import BINS, Curve
from equity.views.drawing import footing as errors_text
from equity.views.drawing import signed
from equity.views.graph import Graph
from equity.views.next_card import NextCards, NextRow, TwoCards
from equity.views.ranked import RankedCombo
from equity.views.streets import Streets

__all__ = [
    "blockers",
    "distribution",
    "graph",
    "next_cards",
    "streets",
    "two_cards",
    "view_heading",
]


def view_heading(view: View, *, is_listed: bool = True) -> Markup:
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


def _low(part: Part | None) -> Child:
    """What a player wins with the low."""
    return share(part.low_exact, part.low_error) if part else "-"


def streets(view: Streets) -> Markup:
    """A line for each player, and the figures of each street."""
    spot = view.spot
    lines = [
        Line(
            f"{player + 1}  {text}",
            [row.answer.parts[player].equity for row in view.rows],
            [row.answer.parts[player].std_error for row in view.rows],
            numbered(player + 1, text),
        )
        for player, text in enumerate(spot.texts)
    ]
    rows: list[Sequence[Child]] = []
    for player, text in enumerate(spot.texts):
        parts = [row.answer.parts[player] for row in view.rows]
        equities = [share(part.equity_exact, part.std_error) for part in parts]
        rows.append([numbered(player + 1, text), *equities])
        if spot.game.low:
            highs = [part.equity_exact - (part.low_exact or 0) for part in parts]
            pairs = zip(highs, parts, strict=True)
            of_it = {"high": [share(high, one.high_error) for high, one in pairs]}
            of_it["low"] = [_low(one) for one in parts]
            rows += [[el("span", name, class_="of-it"), *cells] for name, cells in of_it.items()]
    every = [part for row in view.rows for part in row.answer.parts]
    names = [row.name for row in view.rows]
    titles = [[row.name, " ", cards(format_cards(row.dealt))] for row in view.rows]
    chart = line_chart(lines, across=names, label="Equity of each player by street", is_dotted=True)
    return join(
        [
            view_heading(view, is_listed=False),
            figure(chart),
            table(["player", *titles], rows, caption="Equity by street, %"),
            footing(errors_text([one for part in every for one in part.errors], view.seed)),
        ]
    )


def _now(part: Part, *, of_low: bool = False) -> str:
    """The equity now, or what of it is won with the low, with its standard error."""
    now, wrong = part.equity_exact, part.std_error
    if of_low:
        now, wrong = part.low_exact or Fraction(0), part.low_error
    behind = "" if wrong is None else f" \N{PLUS-MINUS SIGN}{error_percent(wrong)}"
    return f"now {percent(now)}{behind}"


def _change(change: Fraction | None, wrong: float | None) -> Child:
    return "-" if change is None else [signed(change), error(wrong)]


def next_cards(view: NextCards) -> Markup:
    """A heat map of the next card, whose cells are buttons, and the list of cards."""
    now, has_low = view.now.parts[0], view.spot.game.low
    cells, lows = {}, {}
    for row in view.rows:
        part = row.answer.parts[0]
        text, change = percent(part.equity_exact, 1), signed(row.change_exact, 1)
        low = part.low_exact or Fraction(0)
        step = float(low - (now.low_exact or 0))
        for card in map(format_cards, zip(row.cards)):
            cells[card] = Cell(text, float(row.change_exact), change)
            lows[card] = Cell(percent(low, 1), step)
    title = f"Equity of player 1 by the next card, % ({_now(now)})"
    low_title = f"Of it with the low, % ({_now(now, of_low=True)})"
    names = [f"{number} %" for number in range(1, len(view.spot.players) + 1)]
    parts = [part for row in view.rows for part in row.answer.parts]
    changes = [row.change_error for row in view.rows]
    return join(
        [
            view_heading(view),
            card_grid(cells, title, is_button=True),
            card_grid(lows, low_title) if has_low else None,
            table(
                ["card", "change", *names[:1], *(["low of 1 %"] if has_low else []), *names[1:]],
                _next_rows(view),
                caption="Every card, best to worst",
            ),
            _errors([*view.now.parts, *parts], *changes, seed=view.seed),
        ]
    )


def _next_rows(view: NextCards) -> list[list[Child]]:
    """The rows of the list of cards; cards with the same figures share one."""
    alike: dict[tuple[Part, ...], list[NextRow]] = {}
    for row in view.rows:
        alike.setdefault(row.answer.parts, []).append(row)
    rows: list[list[Child]] = []
    for parts, same in alike.items():
        first, *others = parts
        shown = [[cards(row.text), " "] for row in same]
        change = _change(same[0].change_exact, same[0].change_error)
        equity = share(first.equity_exact, first.std_error)
        low = [_low(first)] if view.spot.game.low else []
        equities = [share(part.equity_exact, part.std_error) for part in others]
        rows.append([shown, change, equity, *low, *equities])
    return rows


def two_cards(view: TwoCards) -> Markup:
    """A heat map of turn and river, by their ranks."""
    now = view.now.parts[0]
    cells, lows = {}, {}
    for row in view.rows:
        part = row.answer.parts[0]
        cells[row.text] = Cell(percent(part.equity_exact, 1), float(row.change_exact))
        low = part.low_exact or Fraction(0)
        lows[row.text] = Cell(percent(low, 1), float(low - (now.low_exact or 0)))
    title = f"Equity of player 1 by the ranks of turn and river, % ({_now(now)})"
    low_title = f"Of it with the low, % ({_now(now, of_low=True)})"
    boards = sum(row.boards for row in view.rows)
    return join(
        [
            view_heading(view),
            rank_grid(cells, title),
            rank_grid(lows, low_title) if view.spot.game.low else None,
            footing(f"exact, all {boards:,} boards"),
        ]
    )


def graph(view: Graph) -> Markup:
    """The curves, how equities are distributed, and the best and worst combos."""
    lines = [
        Line(
            found.label,
            [float(part) for part in found.slices],
            found.errors.slices if found.errors else (),
        )
        for found in view.curves
    ]
    things, order = view.over or "combos", f"Equity, {view.order}"
    means = [
        [found.label, share(found.mean_exact, found.std_error), f"{found.count:,}"]
        for found in view.curves
    ]
    curve = line_chart(
        lines,
        across=["0 %", "25 %", "50 %", "75 %", "100 %"],
        label=order,
        title=f"part of the {view.noun}",
    )
    histogram = distribution(view.curves, "How equities are distributed")
    return join(
        [
            view_heading(view),
            el(
                "div",
                figure(curve, order),
                figure(histogram, f"How much of the {view.noun} has which equity"),
                class_="pair",
            ),
            table(["", "mean %", things], means, caption="Mean equity"),
            [_ranked(side) for side in view.ranked],
            footing(view.footing),
        ]
    )


def distribution(curves: Sequence[Curve], label: str) -> Markup:
    """The histogram of the equities of curves."""
    series = [
        Line(
            found.label,
            [float(part) for part in found.bins],
            found.errors.bins if found.errors else (),
        )
        for found in curves
    ]
    across = [f"{100 * at // BINS}" for at in range(BINS)]
    return columns(series, across=across, label=label, title="equity, %")


def _ranked(side: Sequence[RankedCombo]) -> Markup:
    tables = []
    for order in dict.fromkeys(one.order for one in side):
        rows = [
            [
                cards(one.hand),
                " ".join(one.conditions),
                f"{one.combos:,}",
                share(Fraction(one.equity), one.std_error),
            ]
            for one in side
            if one.order == order
        ]
        caption = f"The {order} combos of player {side[0].player}"
        titles = ["hand", "on the board", "combos", "equity %"]
        tables.append(table(titles, rows, caption=caption, texts=range(2)))
    return join(tables)


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
        low = [_low(part)] if view.spot.game.low else []
        rows.append([name, f"{row.combos:,}", share(row.share_exact), equity, changed, *low])
    titles = ["card", "combos", "share %", "equity %", "change"]
    titles += ["low %"] if view.spot.game.low else []
    parts = [row.answer.parts[0] for row in view.rows if row.answer]
    wrong = [row.change_error for row in view.rows]
    return join(
        [
            view_heading(view),
            card_grid(held, "Share of the range that holds the card, %"),
            card_grid(
                changes,
                "Change of player 1's equity when the card is dead, points "
                f"({_now(view.now.parts[0])})",
            ),
            table(titles, rows, caption="Every card"),
            _errors([view.now.parts[0], *parts], *wrong, seed=view.seed),
        ]
    )
