"""Rows that failed are answered again, in their places."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from batch_faults import AA, RUN, SHORT, Faults, KilledError, every_row, files
from batch_tools import call, spots, write_csv, write_json

from equity.batching import journal, parse_row, worker
from equity.errors import CardError

ROWS = 24


@contextmanager
def trouble(ids: set[str], error: Exception) -> Iterator[None]:
    """Have rows fail for a while, by their ids or boards."""
    read = parse_row.read_question

    def fail(values: Any, *arguments: Any, **named: Any) -> Any:
        if ids & {values.get("id"), values.get("board")}:
            raise error
        return read(values, *arguments, **named)

    with mock.patch.object(worker, "read_question", fail):
        yield


ALL = {f"spot {number}" for number in range(ROWS)}
SOME = {f"spot {number}" for number in (0, 3, 4, 5, 9, 10, 11, 23)}
FLOPS = ["--players", "AsAhKsKh", "--players", "QsQhQdJs|AdAcQdQc", "--boards", "flops"]
FLOPS += ["-d", SHORT["dead"]]
#: What is asked: the ending, the options, and the rows that fail for a while.
CASES: dict[str, tuple[str, list[str], set[str]]] = {
    "csv": ("csv", ["s.csv"], SOME),
    "all rows": ("csv", ["s.csv"], ALL),
    "jsonl, long": ("jsonl", ["s.csv", "--layout", "long"], SOME),
    "parquet": ("parquet", ["s.csv"], SOME),
    "columns": ("csv", ["s.csv", "--columns", "note,player1_equity"], SOME),
    "streets": ("csv", ["s.csv", "--view", "streets"], SOME),
    "a part": ("csv", ["s.csv", "--shard", "2/2"], SOME),
    "flops": ("csv", FLOPS, {"AdKdKc", "KcQsQh"}),
    "combos": ("csv", ["c.csv", "--by-combo", "combos"], {"spot 1", "spot 3"}),
}


def write_inputs() -> None:
    rows = [
        row | {"note": f'{number}, "said"\nin\r\ntwo lines'}
        for number, row in enumerate(spots(ROWS))
    ]
    write_csv(Path("s.csv"), rows)
    write_csv(
        Path("c.csv"),
        [
            {"id": f"spot {number}", "players": "AAKK|QQJJ", "board": f"Kh9h4c2{suit}"}
            for number, suit in enumerate("cds")
        ]
        + [{"id": "spot 3", "players": f"{AA}|{RUN}", "board": "Kd9h4c"}],
    )


def ask(name: str, *more: str) -> Any:
    ending, arguments, _ = CASES[name]
    with (
        every_row(),
    ):
        return call("batch", *arguments, "-o", f"r.{ending}", "--jobs", "1", *more)


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: Any) -> str:
    """A case; the folder has the input."""
    monkeypatch.chdir(tmp_path)
    write_inputs()
    return str(request.param)


def failing_run(name: str, error: Exception) -> tuple[Any, dict[str, bytes]]:
    """A run in which rows failed; what is said and written where they do not."""
    right = ask(name)
    whole = files(Path())
    for path in map(Path, whole):
        if path.name not in ("s.csv", "c.csv"):
            path.unlink()
    with trouble(CASES[name][2], error):
        assert ask(name).code == 1
    assert files(Path()) != whole
    return right, whole


def test_rows_that_failed_get_their_places(case: str) -> None:
    right, whole = failing_run(case, CardError("not today"))
    before = files(Path())
    done = ask(case, "--resume")
    assert done.code == 1
    assert "is complete; " in done.stderr
    assert "--retry-failed answers them again" in done.stderr
    assert files(Path()) == before
    with trouble(CASES[case][2], CardError("not today")):
        done = ask(case, "--retry-failed")
    assert "not today" in done.stderr
    assert files(Path()) == before
    assert ask(case, "--retry-failed") == right
    assert files(Path()) == whole


def test_resume_answers_again_what_failed_because_of_the_machine(case: str) -> None:
    right, whole = failing_run(case, RuntimeError("kernel tally failed"))
    done = ask(case, "--resume")
    assert (done.code, done.stderr.splitlines()[0]) == (right.code, right.stderr.splitlines()[0])
    # Of the messages only the first are kept, and those of rows that are right now are gone.
    after = files(Path())
    del after[f"r.{CASES[case][0]}.journal"], whole[f"r.{CASES[case][0]}.journal"]
    assert after == whole


@pytest.mark.parametrize("name", ["csv", "parquet", "flops", "combos"])
@pytest.mark.parametrize("power", [False, True], ids=["process", "power"])
def test_an_end_at_every_step_of_a_retry(
    name: str, power: bool, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    write_inputs()
    _, whole = failing_run(name, CardError("not today"))
    faults = Faults(KilledError())
    for path in map(Path, files(Path())):
        faults.synced[path.stat().st_ino] = path.stat().st_size
    for number in range(1, 1_000):
        # Links, so that what is on the disk is known.
        folder = tmp_path.with_name(f"{tmp_path.name} {number}")
        shutil.copytree(tmp_path, folder)
        for path in folder.rglob("*"):
            if path.is_file():
                faults.synced[path.stat().st_ino] = path.stat().st_size
        os.chdir(folder)
        try:
            with faults.at(number):
                ask(name, "--retry-failed")
        except KilledError:
            if power:
                faults.cut_power()
        else:
            break
        ask(name, "--retry-failed")
        assert files(Path()) == whole, number
    assert number > 15


def test_a_run_that_is_interrupted_is_gone_on_with_before_rows_are_retried(
    tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    write_inputs()
    right = ask("csv")
    whole = files(Path())
    for name in ("r.csv", "r.csv.journal"):
        Path(name).unlink()
    assert ask("csv", "--retry-failed").code == 2
    with (
        trouble(SOME, RuntimeError("kernel tally failed")),
        pytest.raises(KilledError),
        Faults(KilledError()).at(40),
    ):
        ask("csv")
    state = journal.read(Path("r.csv.journal")).state
    assert 3 < state.rows < ROWS
    assert state.failed
    assert ask("csv", "--resume", "--retry-failed") == right
    assert files(Path()) == whole


def test_force_leaves_nothing_of_a_retry(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    write_inputs()
    _, whole = failing_run("csv", CardError("not today"))
    with pytest.raises(KilledError), Faults(KilledError()).at(12):
        ask("csv", "--retry-failed")
    assert Path("r.csv.retry").exists()
    ask("csv", "--force")
    assert files(Path()) == whole


def test_merged_results_can_be_retried(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    write_inputs()
    right = ask("csv")
    whole = files(Path())
    for name in ("r.csv", "r.csv.journal"):
        Path(name).unlink()
    parts = [f"{number}.csv" for number in (1, 2, 3)]
    with trouble(SOME, CardError("not today")):
        for number, part in enumerate(parts, 1):
            call("batch", "s.csv", "-o", part, "--shard", f"{number}/3", "--jobs", "1")
    assert call("merge", *parts, "-o", "r.csv").code == 1
    for part in parts:
        Path(part).unlink()
        Path(f"{part}.journal").unlink()
    assert "r.csv' is complete; 9 of 24 spots failed" in ask("csv", "--resume").stderr
    assert ask("csv", "--retry-failed") == right
    assert files(Path()) == whole


def test_a_part_can_be_retried_and_merged(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [{"id": f"spot {number}", "players": f"{AA}|{RUN}"} for number in range(6)]
    write_json(Path("s.jsonl"), rows)
    asked = ["batch", "s.jsonl", "--jobs", "1", "-o"]
    assert call(*asked, "whole.parquet").code == 0
    with trouble({"spot 1", "spot 4"}, CardError("not today")):
        for number in (1, 2):
            assert call(*asked, f"{number}.parquet", "--shard", f"{number}/2").code == 1
    for number in (1, 2):
        shard = [f"{number}.parquet", "--shard", f"{number}/2", "--retry-failed"]
        assert call(*asked, *shard).code == 0
    assert call("merge", "1.parquet", "2.parquet", "-o", "r.parquet").code == 0
    assert Path("r.parquet").read_bytes() == Path("whole.parquet").read_bytes()
