"""Answers to queries, hand histories, and any other answer as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import islice
from typing import Any

from equity.histories.luck import Luck
from equity.histories.report import SessionHistory
from equity.html.cards import cards, hand_or_range
from equity.html.charts import Line, columns
from equity.html.curves import running_chart
from equity.html.tables import error, facts, figure, footing, notices, share, table
from equity.html.tags import Child, Markup, el, join
from equity.operations.batch import BatchRows
from equity.queries.answers import Answers
from equity.queries.results import Answer, Figure
from equity.results.formats import Printable
from equity.results.text import percent
from equity.views.range_facts import RangeFacts

__all__ = ["any_answer", "batch", "queries", "range_facts", "session"]

#: Rows of a table that is shown; more are counted.
MOST_ROWS = 500


def queries(found: Answers) -> Markup:
    """The results of every query, with histograms."""
    return join(_query(answer) for answer in found)


def _query(answer: Answer) -> Markup:
    rows: list[Sequence[Child]] = []
    charts = []
    for one in answer.results:
        if one.bins is None:
            rows.append([one.name, one.kind, *_figures(one)])
            continue
        line = Line(one.name, [part.share for part in one.bins])
        drawn = columns([line], across=[part.label for part in one.bins], label=one.name)
        charts.append(figure(drawn, one.name))
        bins = [
            [part.label, share(Fraction(part.share), part.std_error), f"{part.hits:,}"]
            for part in one.bins
            if part.hits
        ]
        charts.append(table([one.name, "%", "deals"], bins, caption=f"Histogram of {one.name}"))
    players = [[f"{name} ", hand_or_range(text), " "] for name, text in answer.players]
    counted = "exact, all" if answer.exact else "sampled,"
    seed = "" if answer.seed is None else f"seed {answer.seed}"
    of = f" of {answer.all:,}" if answer.all != answer.deals else ""
    return el(
        "section",
        el("pre", answer.query, class_="query"),
        notices(answer.warnings),
        el("p", players, cards(answer.board), class_="heading"),
        table(["result", "asked", "value", "exactly"], rows, caption="Results", texts=2)
        if rows
        else None,
        charts,
        footing(f"{counted} {answer.deals:,}{of} deals", seed),
    )


def _figures(one: Figure) -> list[Child]:
    exact = "" if one.value_exact is None else str(one.value_exact)
    if one.share is not None:
        return [[share(Fraction(one.share), one.std_error), " %"], exact]
    if isinstance(one.value, float):
        wrong = None if one.std_error is None else f" \N{PLUS-MINUS SIGN}{one.std_error:.2g}"
        return [[f"{one.value:.6g}", el("small", wrong) if wrong else None], exact]
    return [str(one.value), exact]


def session(found: SessionHistory) -> Markup:
    """The hands of a session: their sums, the winnings of a player, and the all-ins."""
    names = ("id", "game", "street", "player", "cards", "equity", "won", "ev", "difference")
    rows: list[list[Child]] = []
    for row in found.rows_of_all_ins():
        cells: list[Child] = [str(row[name]) for name in ("id", "game", "street", "player")]
        cells.append(cards(row["cards"] or ""))
        cells.append(f"{100 * row['equity']:.2f}")
        cells += [f"{row[name]:,.2f}" for name in ("won", "ev", "difference")]
        rows.append(cells)
    sums = [
        [
            name,
            currency or "chips",
            f"{one.hands:,}",
            f"{one.all_ins:,}",
            f"{float(one.net):+,.2f}",
            f"{float(one.expected):+,.2f}",
            f"{float(one.net - one.expected):+,.2f}",
        ]
        for (name, currency), one in found.sums.ranked()[:MOST_ROWS]
    ]
    titles = ["player", "in", "hands", "all-ins", "net", "by equity", "difference"]
    return join(
        [
            _luck(found.luck) if found.luck else None,
            table(titles, sums, caption="Players", texts=2),
            table(names, rows[:MOST_ROWS], caption="Hands that count by equity", texts=5),
            _more(len(rows)),
        ]
    )


def _luck(luck: Luck) -> Markup:
    charts = []
    for currency, curve in sorted(luck.curves.items()):
        lines = [Line("won", curve.won), Line("all-ins by equity", curve.expected)]
        title = f"Winnings of {luck.player}, {currency or 'chips'}"
        charts.append(figure(running_chart(lines, label=title, title="hands"), title))
    return join(charts)


def _more(count: int) -> Markup | None:
    return footing(f"and {count - MOST_ROWS:,} more") if count > MOST_ROWS else None


def range_facts(found: RangeFacts) -> Markup:
    """How many combos a range has, where it ranks, and some of them."""
    told = found.to_dict()
    live = "" if told["live"] == told["combos"] else f", {told['live']:,} live"
    pairs: list[tuple[str, Child]] = [
        ("range", hand_or_range(told["range"])),
        ("combos", f"{told['combos']:,}{live}, {100 * told['share']:.4f} % of all hands"),
        ("classes", f"{told['classes']:,}"),
    ]
    if told["ranked_by"]:
        best, worst = told["best_percentile"], told["worst_percentile"]
        pairs.append(("ranked", f"{best:.2f} % to {worst:.2f} %, by {told['ranked_by']}"))
    pairs.append(("such as", [[cards(text), " "] for text in told["examples"]]))
    return join([notices(told["warnings"]), facts(pairs)])


#: Columns of a batch that are shown where a row has them, before the players and behind.
_BEFORE = ("id", "view", "game", "street", "card", "cards", "condition", "board", "dead")
_BEHIND = ("notice", "error")


def batch(found: BatchRows) -> Markup:
    """The rows of a batch: what was asked, the equity of each player, and errors."""
    rows = found.records()
    shown = rows[:MOST_ROWS]

    def kept(names: Sequence[str]) -> list[str]:
        return [name for name in names if any(row.get(name) not in (None, "") for row in shown)]

    before, behind = kept(_BEFORE), kept(_BEHIND)
    most = sum(1 for number in range(1, 24) if kept([f"player{number}_equity"]))
    players = range(1, most + 1)
    cells = [
        [
            *(_cell(name, row.get(name)) for name in before),
            *(_player_cell(row, number) for number in players),
            *(el("span", str(row.get(name) or ""), class_=name) for name in behind),
        ]
        for row in shown
    ]
    titles = [*before, *(f"player {number}" for number in players), *behind]
    return join([table(titles, cells, caption="Spots", texts=len(titles)), _more(len(rows))])


def _player_cell(row: dict[str, Any], number: int) -> Child:
    """The hand or range of a player, and their equity."""
    equity, text = row.get(f"player{number}_equity"), row.get(f"player{number}")
    if equity is None:
        return hand_or_range(str(text)) if text else "-"
    wrong = error(row.get(f"player{number}_std_error"))
    shown = el("b", percent(Fraction(equity)), " %")
    return [shown, wrong, " ", hand_or_range(str(text)) if text else None]


def any_answer(found: Printable) -> Markup:
    """The table of an answer that has no form of its own."""
    names, rows = found.table()
    listed = [
        [_cell(name, value) for name, value in zip(names, row, strict=True)]
        for row in islice(rows, MOST_ROWS + 1)
    ]
    more = footing(f"the first {MOST_ROWS:,}") if len(listed) > MOST_ROWS else None
    return join([table(list(names), listed[:MOST_ROWS]), more])


def _cell(name: str, value: Any) -> Child:
    if value is None:
        return "-"
    if isinstance(value, float):
        if name.endswith(("equity", "share", "std_error")):
            return f"{100 * value:.2f}"
        return f"{value:.4g}"
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value) if name == "id" else f"{value:,}"
    text = str(value)
    return hand_or_range(text) if name.startswith(("hand", "player", "board")) else text
