"""Two boards from the command line."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from batch_tools import read_csv, write_csv
from conftest import Run

import equity
from equity.double_board import two_boards
from equity.rules.games import GAMES, Game

HANDS = ["AsAhKsKh3c2c", "9s8s7d6d4c5c"]


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise")
@pytest.mark.parametrize(
    "spot",
    [
        ["AA", "KK", "QQ", "--board2", "-", "--error", "1e-7"],
        ["AKQJ", "AKQJ", "AKQJ", "AKQJ", "-b", "2c7d9h", "--runs", "2", "--error", "1e-7"],
        ["AA", "KK:xxyy", "-b", "Th7h2c", "--board2", "Th7h2cJd", "--exact"],
    ],
    ids=["sampled", "few deals", "exact"],
)
def test_ctrl_c(command: list[str], tmp_path: Path, spot: list[str]) -> None:
    names = {"--board2": "board2", "--runs": "runs", "--error": "error", "-b": "board"}
    options = next(at for at, text in enumerate(spot) if text[0] == "-")
    row = {"players": "|".join(spot[:options]), "exact": "yes" if "--exact" in spot else ""}
    row |= {names[text]: spot[at + 1] for at, text in enumerate(spot) if text in names}
    source = write_csv(tmp_path / "s.csv", [row, row])
    batch = ["batch", str(source), "-o", str(tmp_path / "r.csv"), "--jobs", "1"]
    # A busy machine may need longer to begin.
    for wait in (3, 6, 12):
        both = [
            subprocess.Popen(
                [*command, *arguments, "-q"],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for arguments in (["odds", *spot], [*batch, "--force"])
        ]
        time.sleep(wait)
        for process in both:
            process.send_signal(signal.SIGINT)
        start = time.monotonic()
        (stdout, stderr), (_, problem) = [process.communicate(timeout=20) for process in both]
        assert time.monotonic() - start < 5
        assert [process.returncode for process in both] == [130, 130], stderr + problem
        assert "exact" not in stdout
        assert stderr in ("", "equity: interrupted\n")
        if stdout:
            break
    assert "PARTIAL" in stdout
    # In a batch no part of an answer is written, and the run can be gone on with.
    assert not (tmp_path / "r.csv").exists() or not list(read_csv(tmp_path / "r.csv"))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_command(run: Run, game: Game) -> None:
    hands = [hand[: 2 * game.hole] for hand in HANDS]
    asked = ("odds", *hands, "-g", game.name, "-b", "Th7h2d", "--board2", "KdJcQs")
    found = json.loads(run(*asked, "--json").stdout)
    expected = two_boards(hands, game, "Th7h2d", "KdJcQs").to_dict()
    assert {**found, "version": None} == {"version": None, **expected}
    rows = list(csv.DictReader(io.StringIO(run(*asked, "--csv").stdout)))
    assert [float(row["equity"]) for row in rows] == [p["equity"] for p in found["players"]]
    table = run(*asked).stdout
    assert "boards: Th7h2d and KdJcQs" in table
    assert max(map(len, table.splitlines())) <= 80
    twice = run("odds", *hands, "-g", game.name, "-b", "Th7h2d", "--runs", "2").stdout
    assert "run once" in twice
    assert "leaves every equity what it is" in twice


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--runs", "3"], ["--runs", "2"]),
        (["--runs", "2", "--board2", "KdJcQs"], ["--board2", "--runs"]),
        (["--board2", "Th"], ["Th"]),
    ],
)
def test_bad_input(run: Run, more: list[str], words: list[str]) -> None:
    done = run("odds", "AsAhKsKh", "9s8s7d6d", "-b", "Th7h2d", *more, code=2)
    assert done.stdout == ""
    assert all(word in done.stderr for word in words)


@pytest.mark.parametrize("board2", ["AsAdAh", "As8d3c"])
@pytest.mark.parametrize("player", ["AA", "AsAh"])
def test_no_live_combo_is_left(run: Run, tmp_path: Path, player: str, board2: str) -> None:
    if player == "AA" and board2 == "As8d3c":
        return
    done = run("odds", player, "KK", "-b", "2c7d9h", "--board2", board2, code=2)
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    for words in ("range 1", "no live combo is left", "2c7d9h", "second board", board2):
        assert words in line
    row = {"players": f"{player}|KK", "board": "2c7d9h", "board2": board2}
    source = write_csv(tmp_path / "s.csv", [row])
    run("batch", source, "-o", str(tmp_path / "r.csv"), "--jobs", "1", code=1)
    (found,) = read_csv(tmp_path / "r.csv")
    assert "no live combo is left" in found["error"]


def test_each_figure_says_what_it_is(run: Run, tmp_path: Path) -> None:
    known = ("odds", "-g", "o8", "AsKdQd2s", "Ac4d3h2h", "--runs", "2")
    plain = equity.odds(["AsKdQd2s", "Ac4d3h2h"], "o8")
    found = json.loads(run(*known, "--json").stdout)
    assert found["exact"]
    for player, one in zip(found["players"], plain.players, strict=True):
        once = {part: count / plain.weight for part, count in one.outcomes.items()}
        assert player["outcomes_once"] == once
        assert player["outcome_errors"] is None
    assert "exact, all 625,276,708,056 pairs of boards" in run(*known).stdout
    asked = ("odds", "AA", "KK", "-b", "Th7h2c", "--board2", "Th7h2c9s")
    sampled = json.loads(run(*asked, "--trials", "2000", "--json").stdout)
    assert (sampled["exact"], sampled["counted"], sampled["pairs"]) == (False, False, 2_000)
    rows = list(csv.DictReader(io.StringIO(run(*asked, "--trials", "2000", "--csv").stdout)))
    table = run(*asked, "--trials", "2000").stdout
    assert table.count("+/-") == 2
    assert "exact" not in table
    assert max(map(len, table.splitlines())) <= 80
    for player, row in zip(sampled["players"], rows, strict=True):
        assert player["equity_exact"] is None
        for name in ("std_error", "first_error", "second_error", "spread_error"):
            assert 0 < player[name] < 0.05
            assert float(row[name]) == player[name]
        for part, error in player["outcome_errors"].items():
            assert float(row[f"outcome_{part}_error"]) == error > 0
    half = run(*asked).stdout
    assert "equities exact\nparts of the pot sampled, " in half
    row = {"players": "AA|KK", "board": "Th7h2c", "board2": "Th7h2c9s", "trials": "2000"}
    source = write_csv(tmp_path / "s.csv", [row])
    run("batch", source, "-o", str(tmp_path / "r.csv"), "--jobs", "1")
    (wide,) = read_csv(tmp_path / "r.csv")
    for at, player in enumerate(sampled["players"], 1):
        for name in ("std_error", "first_error", "second_error", "spread_error"):
            assert float(wide[f"player{at}_{name}"]) == player[name]
        assert json.loads(wide[f"player{at}_outcome_errors"]) == player["outcome_errors"]


def test_a_budget_says_how_to_repeat_it(run: Run) -> None:
    asked = ("odds", "AA", "KK", "QQ", "--board2", "-", "--json")
    done = run(*asked, "--error", "1e-7", "--budget", "0.2")
    found = json.loads(done.stdout)
    assert done.stderr == f"equity: --trials {found['pairs']} repeats this sample\n"
    assert json.loads(run(*asked, "--trials", str(found["pairs"])).stdout) == found
