"""Views from the command line, in a terminal and as pictures."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from view_tools import texts

import equity
from equity.results.formats import PLAIN, Style, written
from equity.results.text import error_text, percent
from equity.rules.games import GAMES, Game
from equity.views import blockers, drawing, graph, next_card, streets
from equity.views.answers import View
from equity.views.plots import PlotError, plot

HERO, VILLAIN = "AsAdKs3d2c2s", "QhQc9h8c7h6c"
BOARD = "Th7s2h9d"


def ask(view: str, game: Game) -> list[str]:
    """Players of a view that are quick."""
    hero, villain = HERO[: 2 * game.hole], VILLAIN[: 2 * game.hole]
    return [
        hero,
        {"streets": villain, "blockers": villain[:-2] + "*"}.get(view, villain[:-4] + "**"),
    ]


VIEWS: dict[str, Callable[..., View]] = {
    "streets": streets.streets,
    "next": next_card.next_cards,
    "graph": graph.graph,
    "blockers": blockers.blockers,
}
#: Formats of the games in turn, so that every view has all of them.
FORMATS = ["json", "csv", "table"]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_command(run: Run, view: str, game: Game) -> None:
    output = FORMATS[(GAMES.index(game) + list(VIEWS).index(view)) % len(FORMATS)]
    players = ask(view, game)
    flag = [f"--{output}"] if output != "table" else []
    shown = run(view, "-g", game.name, *players, "-b", BOARD, *flag).stdout
    found = VIEWS[view](players, game, BOARD)
    assert shown.isascii()
    if output == "json":
        assert json.loads(shown) == json.loads(json.dumps(found.to_dict()))
        assert json.loads(shown)["exact"] is True
    elif output == "csv":
        rows = list(csv.DictReader(io.StringIO(shown)))
        assert len(rows) == len(found.to_dict()["rows"])
        name = {"streets": "player2_equity", "graph": "equity"}.get(view, "player1_equity")
        assert 0 <= float(rows[-1][name]) <= 1
    else:
        assert shown == written(found)
        assert max(map(len, shown.splitlines())) <= 80
        assert shown.startswith(game.name)
        assert ("low" in shown) == (game.low or False) or view == "graph"


@pytest.mark.parametrize("players", [2, 5, 6, 11])
def test_tables_have_80_columns(players: int) -> None:
    deck = [card for card in range(52) if card not in (0, 13, 26)]
    hands = [deck[at * 4 : at * 4 + 4] for at in range(players)]
    for game in ("plo4", "o8"):
        found = next_card.next_cards(hands, game, (0, 13, 26))
        lines = list(found.lines(PLAIN))
        assert max(map(len, lines)) <= 80
        listed = lines[lines.index(next(line for line in lines if line.startswith("next"))) + 1 :]
        assert len(listed) == len(found.rows) + 1
    lines = list(streets.streets(hands, "o8", (0, 13, 26)).lines(PLAIN))
    assert max(map(len, lines)) <= 80


def test_a_grid_shows_every_card() -> None:
    hands = ["AhAsKhKs", "9c8c7d6d"]
    found = next_card.next_cards(hands, board="Th7h2c")
    lines = list(found.lines(PLAIN))
    top = next(at for at, line in enumerate(lines) if line.split() == list("AKQJT98765432"))
    rows = {line[0]: line.split()[1:] for line in lines[top + 1 : top + 5]}
    assert list(rows) == list("shdc")
    known = equity.odds(hands, board="Th7h2cQh").equities_exact[0]
    assert rows["h"][2] == percent(known, 1)
    assert rows["h"][0] == "."
    assert sum(cell != "." for cells in rows.values() for cell in cells) == 52 - 11
    coloured = list(found.lines(Style(colour=True)))
    assert any("\033[32m" in line for line in coloured)
    assert not any("\033" in line for line in lines)


def test_a_triangle_of_ranks() -> None:
    found = next_card.two_cards(["AsKdQd2s", "Ac4d3h2h"], "o8", "9s7s6h")
    lines = list(found.lines(PLAIN))
    assert max(map(len, lines)) <= 80
    assert any(line.startswith("of which with the low") for line in lines)
    rows = [line for line in lines if line[:1] in "AKQJT98765432" and line[1:2] == " "]
    assert len(rows) == 26
    assert len(rows[0].split()) == 14
    assert len(rows[12].split()) == 2


def test_numbers_as_text() -> None:
    assert drawing.signed(Fraction(-1, 8)) == "-12.50"
    assert drawing.signed(Fraction(1, 10**6)) == "<+0.01"
    assert drawing.signed(Fraction(-1, 10**6), 1) == ">-0.1"
    assert drawing.signed(Fraction(0)) == "0.00"
    assert percent(Fraction(1, 10**6), 1) == "<0.1"
    assert percent(1 - Fraction(1, 10**6), 1) == ">99.9"
    assert percent(Fraction(1), 1) == "100.0"
    assert error_text(0.00101) == "0.11"
    assert error_text(float("inf")) == "?"
    assert drawing.bar(Fraction(1, 1000), Fraction(1), 30) == "#"
    assert drawing.bar(Fraction(0), Fraction(1), 30) == ""


def test_a_sample_shows_its_errors() -> None:
    found = streets.streets(["AhAsKhKs", "20%"], board="Th7h2c", trials=2_000)
    lines = list(found.lines(PLAIN))
    assert sum("+/-" in line for line in lines) == 2
    assert lines[-1].startswith("sampled, seed 0, standard errors up to ")
    assert found.to_dict()["rows"][0]["players"][0]["equity_exact"] is None


# Pictures

HANDS = ["AsKdQd2s", "Ac4d3h2h"]
PICTURES: dict[str, tuple[Callable[[], Any], list[str]]] = {
    "streets": (
        lambda: streets.streets(HANDS, "o8", "9s7s6hKh"),
        ["Equity by street on 9s7s6hKh, Omaha hi/lo", "equity, %", "1  AsKdQd2s", "Kh"],
    ),
    "next": (
        lambda: next_card.next_cards(HANDS, "o8", "9s7s6h"),
        ["Player 1's equity by the next card on 9s7s6h, Omaha hi/lo", "suit", "rank", "86.2"],
    ),
    "two": (
        lambda: next_card.two_cards(HANDS, "plo4", "9s7s6h"),
        ["Player 1's equity by turn and river on 9s7s6h, Omaha high", "higher rank of the two"],
    ),
    "graph": (
        lambda: graph.graph(["AsKdQd2s", "AA:xxyy"], "o8", "9s7s6hKh"),
        ["equity, %", "% of the range, strongest hands first", "against the best x % of the range"],
    ),
    "ranges": (
        lambda: graph.graph(["KK:xxyy", "AA:xxyy"], "plo4", "9s7s6hKh"),
        ["equity of player 1's combos", "equity of player 2's combos"],
    ),
    "over": (
        lambda: graph.graph(HANDS, "o8", "9s7s6h", over="turns"),
        ["% of the turns, best for 1 first", "on the best x % of the turns"],
    ),
    "blockers": (
        lambda: blockers.blockers(["AsKdQd2s", "AcAd*:xxyy"], "plo4", "9s7s6hKh"),
        ["change of the equity when it is dead, points", "rank", "suit"],
    ),
}


@pytest.mark.parametrize("name", PICTURES)
def test_pictures(tmp_path: Path, name: str) -> None:
    make, words = PICTURES[name]
    found = make()
    plot(found, tmp_path / "one.svg")
    shown = texts(tmp_path / "one.svg")
    for word in words:
        assert word in shown, shown
    plot(found, tmp_path / "two.svg")
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


def test_a_picture_from_the_command(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "next.png"
    done = run("next", "AhAsKhKs", "9c8c7d6d", "-b", BOARD, "--plot", str(path))
    assert done.stdout.startswith("plo4")
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG")
    assert len(data) > 10_000


def test_without_matplotlib(run: Run, tmp_path: Path) -> None:
    (tmp_path / "matplotlib.py").write_text("raise ImportError")
    path = tmp_path / "a.png"
    arguments = ["streets", "AhAsKhKs", "9c8c7d6d", "-b", BOARD]
    done = run(*arguments, "--plot", str(path), code=2, env={"PYTHONPATH": str(tmp_path)})
    assert done.stdout == ""
    assert "pip install 'omaha-equity[plot]'" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert run(*arguments, env={"PYTHONPATH": str(tmp_path)}).stdout


@pytest.mark.parametrize("name", ["a.gif", "nowhere/a.png", "png"])
def test_bad_pictures(tmp_path: Path, name: str) -> None:
    found = streets.streets(HANDS, board="9s7s6h")
    with pytest.raises(PlotError, match="--plot"):
        plot(found, tmp_path / name)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["streets", "AhAsKhKs", "9c8c7d6d"], ["board", "3, 4 or 5"]),
        (["next", "AhAsKhKs", "9c8c7d6d", "-b", "T98:xxy"], ["board", "pattern"]),
        (["next", "AhAsKhKs", "9c8c7d6d", "-b", "Th7h2c", "--two", "--trials", "9"], ["--trials"]),
        (["graph", "AhAsKhKs"], ["players", "AhAsKhKs 10%"]),
        (["graph", "AhAsKhKs", "KK", "--over", "turn"], ["flops"]),
        (["blockers", "AhAsKhKs", "vs", "KK"], ["'vs' is not a hand"]),
        (["blockers", "AhAsKhKs", "KK", "--plot", "x.gif"], [".png, .svg or .pdf"]),
    ],
)
def test_bad_arguments(run: Run, arguments: list[str], words: list[str]) -> None:
    done = run(*arguments, code=2)
    assert done.stdout == ""
    assert all(word in done.stderr for word in words)
    assert len(done.stderr.splitlines()) == 1


def test_public_names() -> None:
    assert equity.streets is streets.streets
    assert equity.next_cards is next_card.next_cards
    assert equity.graph is graph.graph
    assert equity.blockers is blockers.blockers
