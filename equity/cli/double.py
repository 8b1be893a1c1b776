"""How the answer to a question with two boards is printed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from equity import __version__
from equity.report import csv_rows, percent, shorten

if TYPE_CHECKING:
    from equity.double import Double
    from equity.games import Game

__all__ = ["double_text"]

#: Parts of the pot that have a column of their own; others are added up.
_PARTS = (Fraction(1), Fraction(3, 4), Fraction(1, 2), Fraction(1, 4), Fraction(0))


def double_text(found: Double, game: Game, output: str | None) -> str:
    """The answer as a table, as JSON or as CSV."""
    if output == "json":
        return json.dumps({"version": __version__, **found.to_dict()}) + "\n"
    if output == "csv":
        return _csv(found)
    return "\n".join(_table(found, game)) + "\n"


def _csv(found: Double) -> str:
    whole: dict[str, Any] = {"version": __version__, **found.to_dict()}
    players = whole.pop("players")
    rows = []
    for number, player in enumerate(players, 1):
        row = whole | {"player": number}
        for name, value in player.items():
            if isinstance(value, dict):
                row |= {
                    f"{name.removesuffix('s')}_{part}": chance for part, chance in value.items()
                }
            else:
                row[name] = value
        rows.append(row)
    names = list(dict.fromkeys(name for row in rows for name in row))
    return csv_rows(names, [[row.get(name, 0) for name in names] for row in rows])


def _table(found: Double, game: Game) -> Iterator[str]:
    first, second = (text or "-" for text in found.boards)
    boards = f"boards: {first}, twice" if found.twice else f"boards: {first} and {second}"
    yield f"{f'{game.name}  {game.title}':<32}{boards}    dead: {found.dead or '-'}"
    yield ""
    titles = [*("1" if part == 1 else str(part) for part in _PARTS), "other"]
    shown = [
        part for part in _PARTS
        if part in (0, 1) or any(part in player.outcomes for player in found.players)
    ]  # fmt: skip
    others = any(set(player.outcomes) - set(_PARTS) for player in found.players)
    titles = [str(part) for part in shown] + (["other"] if others else [])
    yield f"{'':30}{' % of deals by part won '.center(8 * len(titles) - 1, '-')}"
    yield f"{'':21}{'equity':>8}{''.join(f'{title:>8}' for title in titles)}{'spread':>9}"
    for number, player in enumerate(found.players, 1):
        name = shorten(player.range, 17)
        lines = [("both", f"{number:>2}  {name:<17}", player.outcomes, player.spread)]
        if found.twice:
            lines.append(("once", f"{'    run once':<21}", player.once, player.spread_once))
        for kind, label, outcomes, spread in lines:
            cells = [outcomes.get(part, Fraction(0)) for part in shown]
            if others:
                cells.append(1 - sum(cells, Fraction(0)))
            text = "".join(f"{percent(cell) if cell else '-':>8}" for cell in cells)
            equity = percent(Fraction(player.equity)) if kind == "both" else ""
            yield f"{label}{equity:>8}{text}{spread:>9.3f}"
    yield ""
    if found.twice:
        yield "running it twice leaves every equity what it is, and makes the spread smaller"
    how = "exact" if found.exact else "sampled equities"
    if found.counted:
        yield f"{how}, all {found.pairs:,} pairs of boards"
    else:
        yield f"{how}, parts of the pot from {found.pairs:,} pairs of boards, seed {found.seed}"
