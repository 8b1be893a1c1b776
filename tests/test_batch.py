"""Batches end to end: tables in, tables out, and the same from Python."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from batch_tools import (
    call,
    check_row,
    hands,
    read_csv,
    read_json,
    spots,
    write_csv,
    write_json,
)
from conftest import Run

import equity
from equity.batching.known_hands import LEAST
from equity.rules.games import GAMES

AA, RUN = "AhAsKhKs", "9c8c7d6d"
FORMATS = ["csv", "jsonl", "parquet"]


def read(path: Path) -> list[dict[str, Any]]:
    """The rows of a table in any format."""
    if path.suffix == ".csv":
        return list(read_csv(path))
    if path.suffix == ".jsonl":
        return read_json(path)
    import pyarrow.parquet

    rows: list[dict[str, Any]] = pyarrow.parquet.read_table(path).to_pylist()
    return rows


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    if path.suffix == ".csv":
        return write_csv(path, rows)
    if path.suffix == ".jsonl":
        return write_json(path, rows)
    import pyarrow
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    return path


@pytest.mark.parametrize(("given", "wanted"), list(itertools.product(FORMATS, FORMATS)))
def test_every_game_from_and_to_every_format(given: str, wanted: str, tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = []
    for game in GAMES:
        for board in (0, 3):
            players, cards = hands(game.name, 3, board)
            rows.append({"game": game.aliases[0].upper(), "board": cards, "dead": "", "n": 1.5})
            rows[-1] |= {f"Player {at}": hand for at, hand in enumerate(players, 1)}
    source = write(tmp_path / f"spots.{given}", rows)
    target = tmp_path / f"results.{wanted}"
    done = call("batch", source, "-o", target, "--jobs", "1")
    assert done == (0, f"equity: {len(rows)} spots done\n")
    assert set(os.listdir(tmp_path)) == {source.name, target.name, f"{target.name}.journal"}
    found = read(target)
    for number, (row, answer) in enumerate(zip(rows, found, strict=True)):
        players = [row[f"Player {at}"] for at in (1, 2, 3)]
        check_row(answer, equity.odds(players, row["game"], row["board"]))
        # Lines of a CSV begin below its header.
        assert int(answer["id"]) == number + (2 if given == "csv" else 1)
        assert float(answer["n"]) == 1.5


def piped(command: list[str], *arguments: str, stdin: Path) -> subprocess.CompletedProcess[str]:
    with stdin.open("rb") as file:
        return subprocess.run(
            [*command, *arguments], stdin=file, capture_output=True, text=True, check=False
        )


def test_the_command_on_two_processes(run: Run, command: list[str], tmp_path: Path) -> None:
    rows = list(spots(60))
    source = write_csv(tmp_path / "spots.csv", rows)
    done = run("batch", "spots.csv", "-o", "two.csv", "--jobs", "2", cwd=tmp_path, code=1)
    summary, *failures = done.stderr.splitlines()
    assert summary == "equity: 5 of 60 spots failed"
    assert [line.split(",")[0] for line in failures] == [
        f"    line {line}: range 2" for line in (12, 23, 34, 45, 56)
    ]
    assert done.stderr.isascii()
    assert call("batch", source, "-o", tmp_path / "one.csv", "--jobs", "1").code == 1
    whole = (tmp_path / "one.csv").read_text(encoding="utf-8")
    assert (tmp_path / "two.csv").read_text(encoding="utf-8") == whole
    printed = piped(command, "batch", "-", "-o", "-", "-q", "--jobs", "1", stdin=source)
    assert (printed.stdout, printed.returncode) == (whole, 1)
    for row, answer in zip(rows, read_csv(whole), strict=True):
        assert (answer["id"], answer["note"]) == (row["id"], row["note"])
        players = row["players"].split("|")
        if "AhK1" in players:
            assert "range 2" in answer["error"]
            assert [answer["player1"], answer["player2"]] == players[:2]
            assert (answer["game"], answer["deals"]) == (row["game"], "")
        else:
            check_row(answer, equity.odds(players, row["game"], row["board"]))


def test_ranges_that_ask_for_the_board_are_read_on_each(tmp_path: Path) -> None:
    boards = ["Th7h2c", "Th7h3c", "9d8d7d2s"]
    given = write(
        tmp_path / "in.csv", [{"hero": "@SET", "villain": "AA", "board": b} for b in boards]
    )
    assert call("batch", given, "-o", tmp_path / "out.csv", "--jobs", "1").code == 0
    for row, board in zip(read_csv(tmp_path / "out.csv"), boards, strict=True):
        expected = equity.odds(["@SET", "AA"], board=board).equities_exact[0]
        assert row["player1_equity_exact"] == str(expected)


def test_the_long_layout(tmp_path: Path) -> None:
    source = write_csv(tmp_path / "spots.csv", list(spots(12)))
    for ending in FORMATS:
        long, wide = tmp_path / f"long.{ending}", tmp_path / f"wide.{ending}"
        assert call("batch", source, "-o", long, "--layout", "long", "--jobs", "1").code == 1
        assert call("batch", source, "-o", wide, "--jobs", "1").code == 1
        players = itertools.groupby(read(long), key=lambda row: row["id"])
        for spot, (name, rows) in zip(read(wide), players, strict=True):
            assert name == spot["id"]
            if spot["error"]:
                (row,) = rows
                assert (row["player"] or None, row["error"]) == (None, spot["error"])
                continue
            for number, row in enumerate(rows, 1):
                assert str(row["player"]) == str(number)
                assert row["range"] == spot[f"player{number}"]
                for column in ("note", "game", "deals", "error"):
                    assert row[column] == spot[column]
                for column in ("equity", "equity_exact", "scoop", "live", "high", "low"):
                    assert row[column] == spot[f"player{number}_{column}"]


def test_options_of_a_row_and_of_the_command(tmp_path: Path) -> None:
    spot = {"hero": "AA", "villain": "KK", "board": "Kh9h4c"}
    rows: list[dict[str, Any]] = [
        spot,
        spot | {"seed": 7},
        spot | {"trials": "30000.0", "seed": "3"},
        spot | {"exact": "Yes"},
        spot | {"error": "0,01"},
        spot | {"villain": "10%", "ordering": "random"},
        spot | {"villain": "10%"},
        spot | {"dead": "AcAd", "board": "T98:xxy"},
        spot | {"board": "-"},
    ]
    defaults: dict[str, Any] = {"trials": 20_000, "seed": 5, "ordering": "6max"}
    own: list[dict[str, Any]] = [
        {},
        {"seed": 7},
        {"trials": 30_000, "seed": 3},
        {"exact": True, "trials": None},
        {"error": 0.01},
        {"ordering": "random"},
        {},
        {"dead": "AcAd", "board": "T98:xxy"},
        {"board": "", "trials": 20_000},
    ]
    results = [
        equity.odds([row["hero"], row["villain"]], **({"board": "Kh9h4c"} | defaults | options))
        for row, options in zip(rows, own, strict=True)
    ]
    source = write_json(tmp_path / "spots.jsonl", rows)
    options = ["--trials", "20000", "--seed", "5", "--ordering", "6max"]
    assert call("batch", source, "-o", tmp_path / "r.jsonl", "--jobs", "1", *options).code == 0
    for row, result in zip(read_json(tmp_path / "r.jsonl"), results, strict=True):
        check_row(row, result)
    answers = equity.batch(rows, jobs=1, **defaults)
    found = [answer.result and (answer.result.tally, answer.result.seed) for answer in answers]
    assert found == [(result.tally, result.seed) for result in results]


@pytest.mark.parametrize(
    ("spot", "words"),
    [
        ({"players": [AA]}, ["1 player"]),
        ({"players": [AA, RUN], "hero": AA}, ["'players'", "player1"]),
        ({"player1": AA, "player3": RUN}, ["player 2 is missing"]),
        ({"board": "Kh9h4c"}, ["no players"]),
        ({"players": 5}, ["players", "5", "a list"]),
        ({"players": [AA, 5]}, ["hand 2", "5"]),
        ({"players": [AA, RUN], "game": "holdem"}, ["'holdem'", "plo4"]),
        ({"players": [AA, RUN], "game": ["plo4"]}, ["game", "a text"]),
        ({"players": [AA, RUN], "board": 7}, ["board", "7"]),
        ({"players": [AA, RUN], "board": "Qd" * 3}, ["Qd", "twice"]),
        ({"players": ["AA", RUN], "ordering": "best", "board": "2c3c4c"}, ["'best'"]),
        ({"players": ["AA", RUN], "trials": "many"}, ["trials", "'many'", "whole number"]),
        ({"players": ["AA", RUN], "trials": "1,000"}, ["trials", "'1,000'"]),
        ({"players": ["AA", RUN], "trials": 1.5}, ["trials", "1.5"]),
        ({"players": ["AA", RUN], "error": True}, ["error", "True", "number"]),
        ({"players": ["AA", RUN], "error": -1}, ["error", "-1", "above 0"]),
        ({"players": ["AA", RUN], "exact": "perhaps"}, ["exact", "true or false"]),
        ({"players": ["AA", RUN], "seed": 1 << 63}, ["seed", "64 bits"]),
        ({"players": ["AA", RUN], "exact": 1, "trials": 5}, ["exact", "trials"]),
        ({"players": ["AA", RUN], "hands": [AA]}, ["'hands'", "players"]),
    ],
)
def test_what_is_wrong_with_a_spot(spot: dict[str, Any], words: list[str], tmp_path: Path) -> None:
    good = {"players": [AA, RUN]}
    one, wrong, two = equity.batch([good, spot, good], jobs=1)
    assert one.result is not None
    assert two.result is not None
    assert one.result.tally == two.result.tally
    assert wrong.result is None
    for word in words:
        assert word in (wrong.error or "")
    source = write_json(tmp_path / "spots.jsonl", [good, spot, good])
    done = call("batch", source, "-o", tmp_path / "r.jsonl", "--jobs", "1")
    assert done == (1, f"equity: 1 of 3 spots failed\n    line 2: {wrong.error}\n")
    rows = read_json(tmp_path / "r.jsonl")
    assert [row["error"] for row in rows] == [None, wrong.error, None]
    assert rows[0] == one.to_dict() | dict.fromkeys(rows[0].keys() - one.to_dict().keys())
    assert {key: rows[1][key] for key in wrong.to_dict() if key in rows[1]} == {
        key: value for key, value in wrong.to_dict().items() if key in rows[1]
    }


def test_more_players_than_columns(tmp_path: Path) -> None:
    source = write_json(
        tmp_path / "s.jsonl", [{"players": [AA, RUN, "QsQhJdJc"]}, {"players": [AA, RUN]}]
    )
    done = call("batch", source, "-o", tmp_path / "r.csv", "--jobs", "1", "--max-players", "2")
    assert done.code == 1
    assert "3 players, but columns for only 2; raise --max-players" in done.stderr
    assert "player3" not in (tmp_path / "r.csv").read_text()
    assert (
        call("batch", source, "-o", tmp_path / "s.csv", "--max-players", "4", "--jobs", "1").code
        == 0
    )
    assert "player4_equity" in read_csv(tmp_path / "s.csv")[0]


def test_strict_computes_nothing_where_a_row_is_wrong(tmp_path: Path) -> None:
    rows = list(spots(12))
    source = write_csv(tmp_path / "spots.csv", rows)
    target = tmp_path / "results.csv"
    done = call("batch", source, "-o", target, "--strict", "--jobs", "1")
    assert done.code == 2
    first, second = done.stderr.splitlines()
    assert first == "equity: 1 of 12 spots failed the check, none was computed"
    assert second.startswith("    line 12: range 2")
    assert os.listdir(tmp_path) == ["spots.csv"]
    write_csv(source, rows[:10])
    assert call("batch", source, "-o", target, "--strict", "--jobs", "1").code == 0
    assert len(read_csv(target)) == 10


def test_columns_can_be_chosen(tmp_path: Path) -> None:
    source = write_csv(tmp_path / "spots.csv", list(spots(3)))
    target = tmp_path / "r.csv"
    wanted = "player2_equity,id,note"
    assert call("batch", source, "-o", target, "--columns", wanted, "--jobs", "1").code == 0
    assert target.read_text(encoding="utf-8").splitlines()[0] == wanted
    done = call("batch", source, "-o", target, "--columns", "id,nose", "--force")
    assert done.code == 2
    assert "no column 'nose'; there are id, note, game" in done.stderr
    assert target.read_text(encoding="utf-8").splitlines()[0] == wanted


def test_columns_that_the_output_has_itself_are_renamed(tmp_path: Path) -> None:
    row = {"player1": AA, "player2": RUN, "deals": "many", "Player1_equity": 0.5, "error": ""}
    source = write_csv(tmp_path / "spots.csv", [row])
    target = tmp_path / "r.csv"
    assert call("batch", source, "-o", target, "--jobs", "1").code == 0
    (answer,) = read_csv(target)
    assert (answer["input_deals"], answer["input_Player1_equity"]) == ("many", "0.5")
    # The output of a batch is the input of one.
    assert call("batch", target, "-o", tmp_path / "again.csv", "--jobs", "1").code == 0
    (again,) = read_csv(tmp_path / "again.csv")
    assert again["input_player1_equity"] == answer["player1_equity"] == again["player1_equity"]


def test_results_by_combo(tmp_path: Path) -> None:
    rows = [
        {"players": "AA:xxyy|KQJT", "board": "Kh9h4c"},
        {"players": f"{AA}|{RUN}", "board": "Kd9h4c"},
        {"players": "AKQJ|QJT9:xxyy", "board": "Kh9h4c2s"},
    ]
    source, folder = write_csv(tmp_path / "spots.csv", rows), tmp_path / "combos"
    target = tmp_path / "r.csv"
    arguments = ["batch", source, "-o", target, "--by-combo", folder, "--jobs", "1"]
    done = call(*arguments)
    assert done.code == 0
    assert "1 spot has no results by combo" in done.stderr
    assert sorted(os.listdir(folder)) == ["1.csv", "3.csv"]
    assert [row["by_combo"] for row in read_csv(target)] == ["1.csv", "", "3.csv"]
    for number in (0, 2):
        spot = rows[number]
        result = equity.odds(spot["players"].split("|"), board=spot["board"], by_combo=True)
        combos = read_csv(folder / f"{number + 1}.csv")
        assert result.hands is not None
        sizes = [np.count_nonzero(combos.met) for combos in result.hands if combos]
        assert [row["player"] for row in combos] == ["1"] * sizes[0] + ["2"] * sizes[1]
        for at, player in enumerate(result.players, 1):
            met = [row for row in combos if row["player"] == str(at) and row["equity"]]
            total = sum(float(row["share"]) * float(row["equity"]) for row in met)
            assert total == pytest.approx(player.equity, abs=1e-9)
    target.unlink()
    assert (
        "'" + str(folder / "1.csv") + "': it exists already"
        in call(*arguments).stderr.replace("' is", "': is")
        or call(*arguments).code == 2
    )
    assert call(*arguments, "--force").code == 0


def test_neither_numpy_nor_pyarrow_is_imported_for_hands(tmp_path: Path) -> None:
    # Many rows are worth arrays, and these are not many.
    source = write_csv(tmp_path / "s.csv", [{"player1": AA, "player2": RUN}] * (LEAST - 1))
    program = (
        "import sys; from equity.cli import main\n"
        f"sys.argv = ['equity', 'batch', {str(source)!r}, '-o', '-', '--jobs', '1']\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print([n for n in ('numba', 'numpy', 'pyarrow', 'distributed') if n in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_progress_on_a_terminal(command: list[str], tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    source = write_csv(tmp_path / "s.csv", [{"player1": AA, "player2": RUN}] * 2_000)
    arguments = [*command, "batch", str(source), "-o", str(tmp_path / "r.csv"), "--jobs", "1"]
    pid, descriptor = pty.fork()
    if pid == 0:  # pragma: no cover
        os.execv(command[0], arguments)
    text = b""
    while True:
        try:
            text += os.read(descriptor, 4096) or b""
        except OSError:
            break
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert b" of 2,000 done, 0 failed, " in text
    assert b"/s, 0:00:" in text
    assert text.decode().splitlines()[-1].endswith("equity: 2,000 spots done")
