"""What the tests of batches share."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import random
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import equity
from equity.cli import main
from equity.rules.cards import format_cards
from equity.rules.games import GAMES, find_game


class Called(NamedTuple):
    code: int
    stderr: str


def call(*arguments: object) -> Called:
    """The command in this process: its exit code and what it says on stderr."""
    errors = io.StringIO()
    with (
        mock.patch.object(sys, "argv", ["equity", *map(str, arguments)]),
        contextlib.redirect_stderr(errors),
    ):
        try:
            main()
        except SystemExit as end:
            code = end.code
    assert isinstance(code, int)
    return Called(code, errors.getvalue())


def hands(game: str, players: int = 2, board: int = 0, seed: int = 0) -> tuple[list[str], str]:
    """Random hands of a game, and a board."""
    cards = random.Random(f"{game} {players} {board} {seed}").sample(range(52), 52)
    hole = find_game(game).hole
    dealt = [cards[board + at * hole : board + (at + 1) * hole] for at in range(players)]
    return [format_cards(hand) for hand in dealt], format_cards(cards[:board])


def spots(count: int) -> Iterator[dict[str, str]]:
    """Spots of all games, some of which are wrong."""
    for number in range(count):
        game = GAMES[number % len(GAMES)].name
        players, board = hands(game, 2 + number % 2, (0, 3, 4, 5)[number % 4], number)
        if number % 11 == 10:
            players[1] = "AhK1"
        yield {
            "id": f"spot {number}",
            "game": game,
            "board": board,
            "players": "|".join(players),
            "note": f"{number}, \u2660",
        }


def write_csv(path: Path, rows: Sequence[dict[str, Any]], **how: Any) -> Path:
    """Write rows as a table with the columns of the first one."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), **how)
        writer.writeheader()
        writer.writerows(rows)
    return path


def write_json(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def read_csv(path: Path | str) -> list[dict[str, str]]:
    """The rows of a table, of a file or as text."""
    text = path.read_text(encoding="utf-8") if isinstance(path, Path) else path
    return list(csv.DictReader(io.StringIO(text, newline="")))


def read_json(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def check_row(row: dict[str, Any], result: equity.Result) -> None:
    """See that a row, as text or as values, says what a result does."""
    for name in ("game", "board", "dead", "method", "deals", "weight", "no_low", "seed"):
        value = getattr(result, name)
        assert str(row[name]) == ("" if value is None and row[name] == "" else str(value)), name
    assert str(row["exact"]).lower() == str(result.exact).lower()
    for number, player in enumerate(result.players, 1):
        assert row[f"player{number}"] == player.range
        mine = {
            name.removeprefix(f"player{number}_"): value
            for name, value in row.items()
            if name.startswith(f"player{number}_")
        }
        if result.exact:
            assert Fraction(mine["equity_exact"]) == player.equity_exact
            assert mine["std_error"] in (None, "")
        else:
            assert mine["equity_exact"] in (None, "")
            assert float(mine["std_error"]) == (player.std_error or {})["equity"]
        assert float(mine["equity"]) == player.equity
        assert float(mine["high"]) == player.high.equity
        assert (mine["low"] in (None, "")) == (player.low is None)
        if player.low:
            assert float(mine["low"]) == player.low.equity
        shares = (player.scoop, player.high.win, player.high.tie)
        assert tuple(float(mine[name]) for name in ("scoop", "win", "tie")) == shares
        assert (int(mine["combos"]), int(mine["live"])) == (player.combos, player.live)
        assert mine["orderings"] == "; ".join(player.orderings)
    assert row["error"] in (None, "")
