"""Equities of players on one board and on several, as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from equity.double_board.answers import Double, Shares, share_columns, spread_error
from equity.double_board.boards import RUNS
from equity.html.cards import cards, hand_or_range, numbered
from equity.html.charts import Bar, bar
from equity.html.tables import error, error_text, footing, heading, notices, share, table
from equity.html.tags import Child, Markup, el, join
from equity.results.player import PlayerResult
from equity.results.result import Result
from equity.results.result import footing as result_footing
from equity.results.text import percent
from equity.rules.games import find_game

__all__ = ["boards_heading", "double", "result"]

#: Parts of the pot as they are called; others are sums of thirds and the like.
_PARTS = {
    Fraction(1): "scoop",
    Fraction(3, 4): "3/4",
    Fraction(1, 2): "half",
    Fraction(1, 4): "quarter",
    Fraction(0): "nothing",
}


def result(found: Result) -> Markup:
    """The equity of every player, and how it is made up."""
    game = found.spot.game
    rows = [_player(number, player, found) for number, player in enumerate(found.players)]
    return join(
        [
            heading(game, found.board, found.dead),
            notices(found.warnings),
            el("ol", rows, class_="players"),
            _HALVES if game.low else None,
            _hi_lo(found) if game.low else _high(found),
            footing(*result_footing(found, is_timed=False)),
        ]
    )


#: What the parts of a bar are in games with a low.
_HALVES = el(
    "p",
    "The darker part of a bar is won with the high, the lighter one with the low.",
    class_="key",
)


def _player(number: int, player: PlayerResult, found: Result) -> Markup:
    """The equity in large figures, with its bar."""
    parts = [player.equity]
    if player.low is not None:
        parts = [player.high.equity, player.low.equity]
    whole = el(
        "span",
        percent(player.equity_exact),
        el("span", "%", class_="unit"),
        error(player.equity_error),
        class_="equity",
        title=None if found.sample or found.partial else f"exactly {player.equity_text}",
    )
    combos = f"{player.live:,} of {player.combos:,} combos" if player.combos > 1 else ""
    live = f"{player.combos:,} combos" if player.live == player.combos > 1 else combos
    return el(
        "li",
        el("span", hand_or_range(player.range), el("small", live) if live else None, class_="who"),
        whole,
        bar(Bar(parts, player.equity_error), number),
    )


def _errors(player: PlayerResult) -> dict[str, float | None]:
    return {**(player.std_error or {}), **(player.split_error or {})}


def _high(found: Result) -> Markup:
    rows = []
    for number, player in enumerate(found.players, 1):
        errors, weight = _errors(player), found.weight
        rows.append(
            [
                numbered(number, player.range),
                share(Fraction(player.high.win_count, weight), errors.get("scoop")),
                share(Fraction(player.high.tie_count, weight), errors.get("high_tie")),
            ]
        )
    return table(["player", "wins %", "ties %"], rows, caption="How often each player wins")


def _hi_lo(found: Result) -> Markup:
    """High and low apart, and how often each part of the pot is won."""
    occurring = {part for player in found.players for part in player.outcomes_exact}
    others = ["other"] if occurring - _PARTS.keys() else []
    names = [*_PARTS.values()]
    titles = [*names[:-1], *others, names[-1]]
    rows = []
    for number, player in enumerate(found.players, 1):
        errors = _errors(player)
        shares = dict.fromkeys(titles, Fraction(0))
        for part, count in player.outcomes_exact.items():
            shares[_PARTS.get(part, "other")] += Fraction(count, found.weight)
        keys = {"scoop": "scoop", "half": "1/2", "quarter": "1/4", "nothing": "0"}
        low = player.low
        rows.append(
            [
                numbered(number, player.range),
                share(player.high.equity_exact, errors.get("high")),
                share(low.equity_exact if low else None, errors.get("low")),
                *(
                    share(part, errors.get(keys.get(name, name)) if part else None)
                    for name, part in shares.items()
                ),
            ]
        )
    return table(
        ["player", "high %", "low %", *(f"{title} %" for title in titles)],
        rows,
        caption="Share of the pot with high and low, and how often each part is won",
    )


def boards_heading(game: str, boards: Sequence[str], dead: str, runs: int | None) -> Markup:
    """What is played, and the known cards of each board, or of one that is run several times."""
    shown: Child = [
        el("span", f"board {number} ", cards(text) if text else "-", class_="board")
        for number, text in enumerate(boards, 1)
    ]
    if runs:
        known = cards(boards[0]) if boards[0] else None
        shown = el("span", "board " if known else None, known, f" run {RUNS[runs]}", class_="board")
    return heading(find_game(game), "", dead, shown)


def double(found: Double) -> Markup:
    """Two boards, or a board that is run several times."""
    shown, others = found.columns
    rows: list[list[Child]] = []
    for number, player in enumerate(found.players, 1):
        both = player.both
        rows.append(
            [
                numbered(number, player.range),
                share(Fraction(player.equity), player.std_error),
                *_shares(both, shown, others, is_sampled=not (both.exact or found.counted)),
            ]
        )
        if found.twice:
            once = player.alone[0]
            of_once = _shares(once, shown, others, is_sampled=once.drawn is not None)
            rows.append(["run once", "", *of_once])
    titles = ["player", "equity %", *(f"{part} %" for part in shown)]
    alone = [
        [
            numbered(number, player.range),
            *(share(one.mean, one.mean_error) for one in player.alone),
        ]
        for number, player in enumerate(found.players, 1)
    ]
    of_boards = ["player", *(f"board {number} %" for number in range(1, len(found.boards) + 1))]
    return join(
        [
            boards_heading(found.game, found.boards, found.dead, found.runs),
            notices(found.warnings),
            table(
                [*titles, *(["other %"] if others else []), "spread"],
                rows,
                caption="Equity, and how often each part of the pot is won",
            ),
            None if found.twice else table(of_boards, alone, caption="Equity on each board"),
            footing(*found.footing()),
        ]
    )


def _shares(
    shares: Shares, shown: Sequence[Fraction], others: bool, *, is_sampled: bool
) -> list[Child]:
    """How often each part of the pot is won, and how far these are spread."""
    columns = share_columns(shares, shown, others)
    spread = error_text(spread_error(shares)) if is_sampled else None
    return [
        *(share(chance, wrong if is_sampled else None) for chance, wrong in columns),
        [f"{shares.spread:.3f}", spread],
    ]
