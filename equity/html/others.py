"""Answers to queries, hand histories, and any other answer as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import islice
from typing import Any

from equity.histories.luck import Luck
from equity.histories.report import SessionHistory
from equity.html.cards import cards, hand_or_range
from equity.html.charts import Bar, Line, bar, running_chart
from equity.html.tables import (
    error,
    error_text,
    facts,
    figure,
    footing,
    heading,
    notices,
    share,
    table,
)
from equity.html.tags import Child, Markup, el, join
from equity.operations.batch import BatchRows
from equity.queries.answers import Answers
from equity.queries.results import Answer, Figure
from equity.queries.tables import footing as query_footing
from equity.queries.tables import value_parts
from equity.results.formats import Printable
from equity.results.text import error_percent, percent
from equity.rules.games import find_game

__all__ = ["any_answer", "batch", "queries", "session"]

#: Rows of a table that is shown; more are counted.
MOST_ROWS = 500


def queries(found: Answers) -> Markup:
    """The results of every query, with histograms."""
    return join(_query(answer) for answer in found)


def _query(answer: Answer) -> Markup:
    rows: list[list[Child]] = []
    histograms = []
    for one in answer.results:
        note = f"of {one.of:,} with a value" if one.of != answer.deals else ""
        if one.bins is None:
            rows.append([one.name, *_figure(one, answer), note])
        else:
            histograms.append(_histogram(one, note))
    players: list[tuple[str, Child]] = [
        (name, [hand_or_range(text), " (not dealt)" if name in answer.left_out else None])
        for name, text in answer.players
    ]
    titles = ["result", "value", "exactly", ""]
    return el(
        "section",
        el("pre", answer.query, class_="query"),
        heading(find_game(answer.game), answer.board, answer.dead),
        notices(answer.warnings),
        facts(players),
        table(titles, rows, caption="Results") if rows else None,
        histograms,
        footing(query_footing(answer, is_timed=False)),
    )


def _figure(one: Figure, answer: Answer) -> list[Child]:
    """The share or value of a result with its error, and what it is exactly."""
    if one.share is not None:
        share_of = Fraction(one.hits or 0, answer.deals)
        counted = f"{one.hits:,} deals"
        return [[f"{percent(share_of)} %", error(one.std_error)], counted]
    if one.value is None:
        return ["-", "no deal has a value"]
    text, unit, wrong, exact = value_parts(one)
    shown = f"{text} {unit}" if unit else text
    return [[shown, error_text(wrong) if wrong else None], exact]


def _histogram(one: Figure, note: str) -> Markup:
    """A bar for each value, as long as its share of the largest one."""
    bins = one.bins or ()
    shares = [Fraction(part.hits, one.of) for part in bins]
    most = max(shares, default=Fraction(0)) or 1
    rows: list[list[Child]] = [
        [part.label, bar(Bar([float(of / most)])), share(of, part.std_error), f"{part.hits:,}"]
        for part, of in zip(bins, shares, strict=True)
    ]
    caption = f"{one.name}, {note}" if note else one.name
    return table(["value", "", "%", "deals"], rows, caption=caption, texts=range(2))


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
            table(titles, sums, caption="Players", texts=range(2)),
            table(names, rows[:MOST_ROWS], caption="Hands that count by equity", texts=range(5)),
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
    return join([table(titles, cells, caption="Spots", texts=range(len(titles))), _more(len(rows))])


def _player_cell(row: dict[str, Any], number: int) -> Child:
    """The hand or range of a player, and their equity."""
    equity, text = row.get(f"player{number}_equity"), row.get(f"player{number}")
    name = hand_or_range(str(text)) if text else None
    if equity is None:
        return name or "-"
    wrong = row.get(f"player{number}_std_error")
    drawn = bar(Bar([equity], wrong), number - 1)
    shown = [drawn, " ", el("b", percent(Fraction(equity))), " %", error(wrong)]
    return [name, el("span", shown, class_="below")]


def any_answer(found: Printable) -> Markup:
    """The table of an answer that has no form of its own; empty columns are left out."""
    names, rows = found.table()
    kept = list(islice(rows, MOST_ROWS + 1))
    columns = {
        at: name for at, name in enumerate(names) if any(row[at] is not None for row in kept)
    }
    listed = [[_cell(name, row[at]) for at, name in columns.items()] for row in kept[:MOST_ROWS]]
    texts = {
        place for place, at in enumerate(columns) if any(isinstance(row[at], str) for row in kept)
    }
    titles = [f"{name} %" if name.endswith(_SHARES) else name for name in columns.values()]
    more = footing(f"the first {MOST_ROWS:,}") if len(kept) > MOST_ROWS else None
    warnings = notices(getattr(found, "warnings", ()))
    return join([warnings, table(titles, listed, texts=texts), more])


#: Ends of the names of columns that are parts of 1.
_SHARES = ("equity", "share", "high", "low", "std_error")


def _cell(name: str, value: Any) -> Child:
    if value is None:
        return "-"
    if isinstance(value, float) and name.endswith(_SHARES):
        return error_percent(value) if name.endswith("error") else percent(Fraction(value))
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value) if name == "id" else f"{value:,}"
    text = str(value)
    return hand_or_range(text) if name.startswith(("hand", "player", "board")) else text
