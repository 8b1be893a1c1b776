"""How the answer to a question with two boards is printed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil, isfinite
from typing import TYPE_CHECKING, Any

from equity import __version__
from equity.results.report import csv_rows, error_percent, percent, shorten

if TYPE_CHECKING:
    from equity.double_board import Double, Shares
    from equity.rules.games import Game

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


#: The columns that a player has for each part of the pot, by the name in JSON.
_BY_PART = {
    "outcomes": "outcome_{}",
    "outcome_errors": "outcome_{}_error",
    "outcomes_once": "outcome_once_{}",
    "outcome_once_errors": "outcome_once_{}_error",
}


def _csv(found: Double) -> str:
    whole: dict[str, Any] = {"version": __version__, **found.to_dict()}
    players = whole.pop("players")
    # As in the CSV of one board: a notice is no figure, and has been on stderr.
    del whole["warnings"]
    parts = {
        name: list(dict.fromkeys(part for player in players for part in player[name] or ()))
        for name in _BY_PART
    }
    rows = []
    for number, player in enumerate(players, 1):
        row = whole | {"player": number}
        for name, value in player.items():
            if name in _BY_PART:
                # A part that never came to a player has the chance 0, and no error.
                other = None if "error" in name else 0
                row |= {
                    _BY_PART[name].format(part): (value or {}).get(part, other)
                    for part in parts[name]
                }
            else:
                row[name] = value
        rows.append(row)
    names = list(rows[0])
    return csv_rows(names, [[row[name] for name in names] for row in rows])


def _table(found: Double, game: Game) -> Iterator[str]:
    first, second = (text or "-" for text in found.boards)
    boards = f"boards: {first}, twice" if found.twice else f"boards: {first} and {second}"
    yield f"{f'{game.name}  {game.title}':<32}{boards}    dead: {found.dead or '-'}"
    yield ""
    shown = [
        part for part in _PARTS
        if part in (0, 1) or any(part in player.outcomes for player in found.players)
    ]  # fmt: skip
    others = any(set(player.outcomes) - set(_PARTS) for player in found.players)
    titles = [str(part) for part in shown] + (["other"] if others else [])
    yield f"{'':30}{' % of deals by share won '.center(8 * len(titles) - 1, '-')}"
    yield f"{'':21}{'equity':>8}{_columns(titles)}{'spread':>9}"
    for number, player in enumerate(found.players, 1):
        name = shorten(player.range, 17)
        equity = percent(Fraction(player.equity))
        yield f"{number:>2}  {name:<17}{equity:>8}{_shares(player.both, shown, others)}"
        if not player.both.exact and not found.counted:
            error = "" if player.is_exact else error_percent(player.std_error)
            yield f"{'      +/-':<21}{error:>8}{_errors(player.both, shown, others)}"
        if found.twice:
            once = player.alone[0]
            yield f"{'    run once':<29}{_shares(once, shown, others)}"
            if once.drawn:
                yield f"{'      +/-':<29}{_errors(once, shown, others)}"
    yield ""
    if found.twice:
        yield "running it twice leaves every equity what it is, and makes the spread smaller"
    yield from _footing(found)


def _columns(texts: Sequence[str]) -> str:
    return "".join(f"{text:>8}" for text in texts)


def _shares(shares: Shares, shown: Sequence[Fraction], others: bool) -> str:
    """The chances of some parts of the pot, of all others if wanted, and the spread."""
    chances = [shares.chance_of([part]) for part in shown]
    if others:
        chances.append(shares.chance_of(set(shares.chances) - set(shown)))
    texts = [percent(chance) if chance else "-" for chance in chances]
    return f"{_columns(texts)}{shares.spread:>9.3f}"


def _errors(shares: Shares, shown: Sequence[Fraction], others: bool) -> str:
    """The standard errors of :func:`_shares`."""
    errors = [shares.error_of([part]) for part in shown]
    if others:
        errors.append(shares.error_of(set(shares.chances) - set(shown)))
    spread = shares.spread_error or 0.0
    # Rounded up, as percentages are: an error is never shown as nothing.
    text = f"{ceil(spread * 1000) / 1000:.3f}" if isfinite(spread) else "?"
    return f"{_columns([error_percent(error) for error in errors])}{text:>9}"


def _footing(found: Double) -> Iterator[str]:
    """What was counted and what was drawn."""
    partial = "PARTIAL, " if found.partial else ""
    if found.counted:
        deals = "pairs of boards" if found.is_known else "deals of both boards"
        if partial:
            yield f"{partial}ended early: of {found.pairs:,} {deals}"
        else:
            yield f"exact, all {found.pairs:,} {deals}" if found.pairs > 1 else "exact, 1 deal"
        return
    sampled = f"{found.pairs:,} deals of both boards, seed {found.seed}"
    if all(player.is_exact for player in found.players):
        yield "equities exact, run once exact" if found.twice else "equities exact"
        yield f"{partial}parts of the pot sampled, {sampled}"
    else:
        yield f"{partial}sampled, {sampled}"
