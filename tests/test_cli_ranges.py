"""``equity odds`` with ranges, end to end."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import Run

import equity
from equity.rules.games import GAMES

TURN = ("AA:xxyy", "KQJT,QJT9", "-b", "Kh9h4c2s")


@pytest.mark.parametrize("game", [game.name for game in GAMES])
def test_exact_and_sampled_in_every_game_and_format(run: Run, game: str) -> None:
    spot = ["odds", "AAKK", "QQJJ", "-g", game, "-b", "Kh9h4c2s"]
    exact = json.loads(run(*spot, "--exact", "--json").stdout)
    known = equity.odds(["AAKK", "QQJJ"], game, "Kh9h4c2s", exact=True).to_dict()
    exact.pop("elapsed"), known.pop("elapsed")
    assert exact == known
    assert exact["exact"]
    assert exact["method"] in ("pairs", "sweep")
    sample = json.loads(run(*spot, "--trials", "50000", "--seed", "3", "--json").stdout)
    assert (sample["method"], sample["seed"], sample["exact"]) == ("sample", 3, False)
    for mine, other in zip(sample["players"], exact["players"], strict=True):
        assert mine["equity_exact"] is None
        assert abs(mine["equity"] - other["equity"]) <= 5 * mine["std_error"]["equity"]
        assert (mine["live"], mine["combos"]) == (other["live"], other["combos"])
    rows = list(csv.DictReader(io.StringIO(run(*spot, "--trials", "50000", "--csv").stdout)))
    assert all(float(row["std_error"]) > 0 for row in rows)
    table = run(*spot, "--trials", "50000", "-v").stdout
    assert "live/combos" in table
    assert "+/-" in table
    assert "sampled, " in table
    assert "seed 0" in table
    assert table.isascii()


def test_table_of_ranges(run: Run) -> None:
    lines = run("odds", *TURN).stdout.splitlines()
    assert lines[1].split() == ["live/combos"]
    live = [equity.Range(text).live("Kh9h4c2s").range for text in TURN[:2]]
    assert lines[2].split() == ["1", "AA:xxyy", f"{len(live[0])}/864"]
    assert lines[3].split() == ["2", "KQJT,QJT9", f"{len(live[1])}/512"]
    assert lines[5].split() == ["equity", "%", "win", "%", "tie", "%"]
    assert lines[-1].startswith("exact by a sweep, all ")
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_every_combo_in_a_file(run: Run, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"combos.{ending}"
    done = run("odds", *TURN, "--by-combo", f"2:{path}", "--json")
    answer = json.loads(done.stdout)["players"][1]
    text = path.read_text()
    rows = (
        list(csv.DictReader(io.StringIO(text)))
        if ending == "csv"
        else [json.loads(line) for line in text.splitlines()]
    )
    assert len(rows) == answer["live"]
    mean = sum(float(row["share"]) * float(row["equity"]) for row in rows)
    assert mean == pytest.approx(answer["equity"])
    assert {"hand", "weight", "share", "equity", "high", "low"} <= set(rows[0])


def test_combos_on_stdout(run: Run) -> None:
    """They are printed in place of the answer, the best first, also those of a sample."""
    for options in ([], ["--trials", "50000"]):
        done = run("odds", *TURN, "--by-combo", "1:-", *options)
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        equities = [float(row["equity"]) for row in rows]
        assert equities == sorted(equities, reverse=True)
        assert all(bool(row["std_error"]) == bool(options) for row in rows)
    lines = run("odds", *TURN, "--by-combo", "1:-", "--json").stdout.splitlines()
    assert {json.loads(line)["hand"] for line in lines} == {row["hand"] for row in rows}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--by-combo", "3:x.csv"], ["'3:x.csv'", "from 1 to 2"]),
        (["--by-combo", "x.csv"], ["PLAYER:FILE"]),
        (["--by-combo", "1:x.txt"], [".csv or .jsonl"]),
        (["--by-combo", "1:/no/such/folder/x.csv"], ["no folder"]),
        (["--exact", "--trials", "5"], ["exact"]),
        (["--trials", "0"], ["trials", "0"]),
        (["--error", "x"], ["'x'", "--error"]),
        (["--threads", "-1"], ["threads"]),
    ],
)
def test_bad_options(run: Run, tmp_path: Path, arguments: list[str], words: list[str]) -> None:
    done = run("odds", *TURN, *arguments, cwd=tmp_path, code=2)
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
    for word in words:
        assert word in done.stderr, done.stderr


def test_a_stop_by_time_says_how_to_repeat_it(run: Run) -> None:
    spot = ["odds", "AA", "KK", "QQ", "--json"]
    done = run(*spot, "--budget", "0.2", "--error", "1e-9")
    answer = json.loads(done.stdout)
    trials = str(answer["deals"])
    assert f"--trials {trials} repeats" in done.stderr
    again = json.loads(run(*spot, "--trials", trials).stdout)
    assert again["players"] == answer["players"]
    quiet = run(*spot, "--budget", "0.2", "--error", "1e-9", "--quiet")
    assert quiet.stderr == ""


def test_threads_do_not_change_a_sample(run: Run) -> None:
    spot = ["odds", "AA", "KK", "QQ", "--trials", "100000", "--json"]
    answers = [json.loads(run(*spot, "--threads", n).stdout)["players"] for n in "124"]
    assert answers[0] == answers[1] == answers[2]


def test_a_forced_exact_answer_says_how_long_it_takes(run: Run) -> None:
    spot = ["odds", "AA,KK", "AK", "-b", "Th7h", "--exact"]
    assert "equity: enumerating every deal, which takes a while" in run(*spot).stderr
    assert run(*spot, "--quiet").stderr == ""


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise")
@pytest.mark.parametrize("how", [["--error", "1e-7"], ["--exact"]], ids=["sampled", "exact"])
def test_ctrl_c_prints_what_there_is(command: list[str], how: list[str]) -> None:
    equity.odds(["AA", "KK"], trials=1)  # so that nothing is left to compile
    equity.odds(["AA", "KK"], board="Th7h2c", exact=True)
    with subprocess.Popen(
        [*command, "odds", "AA,QQ,JJ", "KK,A2,A3", *how],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=20)
    assert process.returncode == 130, stderr
    assert "PARTIAL" in stdout
    assert "Traceback" not in stderr


def test_progress_is_for_terminals(command: list[str]) -> None:
    pty = pytest.importorskip("pty")
    master, slave = pty.openpty()
    with subprocess.Popen(
        [*command, "odds", "AA", "KK", "QQ", "--error", "0.0002"],
        stdout=subprocess.PIPE,
        stderr=slave,
        text=True,
    ) as process:
        stdout, _ = process.communicate(timeout=60)
    os.close(slave)
    shown = os.read(master, 65536).decode()
    os.close(master)
    assert "[" not in stdout
    assert "s left" in shown
    assert "%" in shown
    assert shown.endswith("\r")


def test_the_star_and_its_word(run: Run) -> None:
    spot = ["AhAsKhKs", "QQ", "--trials", "20000", "--json"]
    star = json.loads(run("odds", "*", *spot).stdout)
    word = json.loads(run("odds", "all", *spot).stdout)
    assert star["players"] == word["players"]
    assert star["players"][0]["combos"] == 270_725


def test_a_file_called_like_a_range_does_no_harm(run: Run, tmp_path: Path) -> None:
    for name in ("AA", "notes"):
        (tmp_path / name).touch()
    shown = run("odds", "AA", "KK", "-b", "Th7h2c3d5s", cwd=tmp_path).stdout
    assert "exact" in shown
    assert run("range", "AA", cwd=tmp_path).stdout
    # All files of the folder are what a star leaves.
    for command in ("odds", "range"):
        assert "name of a file" in run(command, "AA", "notes", cwd=tmp_path, code=2).stderr


def test_patterns_are_dealt(run: Run) -> None:
    answer = json.loads(
        run("odds", "AhAsKhKs", "9c8c7d6d", "-b", "QJ2:xyz", "--error", "0.005", "--json").stdout
    )
    assert (answer["method"], answer["board"]) == ("sample", "QJ2:xyz")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit of memory")
def test_large_ranges_of_six_cards_fit_into_memory(command: list[str]) -> None:
    import resource

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))

    done = subprocess.run(
        [*command, "odds", "all", "AA", "QQ", "-g", "plo6", "--error", "0.005", "--json"],
        capture_output=True,
        text=True,
        preexec_fn=limit,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["players"][0]["combos"] == 20_358_520
