"""Nothing of others is lost, and nothing passes for results that is none."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from batch_faults import AA, RUN, Faults, KilledError, every_row, files
from batch_tools import Called, call, spots, write_csv, write_json

from equity.batching import journal, table
from equity.batching.columns import meaning

ROWS = 9


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_csv(Path("s.csv"), list(spots(ROWS)))


def run(*more: str, output: str = "r.csv") -> Called:
    with (
        every_row(),
    ):
        return call("batch", "s.csv", "-o", output, "--jobs", "1", *more)


def stopped(*more: str, output: str = "r.csv") -> None:
    """A run that ends in the middle."""
    with pytest.raises(KilledError), Faults(KilledError()).at(25):
        run(*more, output=output)


#: What may befall a file.
DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "emptied": lambda data: b"",
    "cut": lambda data: data[: len(data) * 2 // 3],
    "one byte less": lambda data: data[:-1],
    "one byte flipped": lambda data: data[:80] + bytes((data[80] ^ 1,)) + data[81:],
    "other line ends": lambda data: data.replace(b"\n", b"\r\n"),
    "a row twice": lambda data: data + data.splitlines(keepends=True)[-1],
    "rows in another order": lambda data: b"".join(
        [*data.splitlines(keepends=True)[:1], *data.splitlines(keepends=True)[:0:-1]]
    ),
}


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_parts_are_not_merged(damage: str, ending: str) -> None:
    parts = [f"part{number}.{ending}" for number in (1, 2)]
    for number, part in enumerate(parts, 1):
        assert run("--shard", f"{number}/2", output=part).code == 0
    path = Path(parts[0])
    damaged = DAMAGES[damage](path.read_bytes())
    if damaged == path.read_bytes():
        pytest.skip("it is the same")
    path.write_bytes(damaged)
    done = call("merge", *parts, "-o", f"r.{ending}")
    assert done.code == 2
    assert f"'{parts[0]}': it does not match its journal" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not list(Path().glob("r.*"))
    done = run("--shard", "1/2", "--resume", output=parts[0])
    assert done.code == 2
    assert f"'{parts[0]}' is not what the run wrote" in done.stderr
    assert path.read_bytes() == damaged
    assert run("--shard", "1/2", "--force", output=parts[0]).code == 0
    assert call("merge", *parts, "-o", f"r.{ending}").code == 0


def test_what_is_no_part() -> None:
    parts = ["1.csv", "2.csv"]
    for number, part in enumerate(parts, 1):
        assert run("--shard", f"{number}/2", output=part).code == 0
    for wrong in (".", "/", "none.csv"):
        done = call("merge", wrong, "-o", "r.csv")
        assert done.code == 2
        assert f"'{wrong}': there is no such file" in done.stderr
    before = files(Path())
    for output in ("1.csv", "./2.csv"):
        done = call("merge", *parts, "-o", output, "--force")
        assert done.code == 2
        assert "is an input" in done.stderr
    for output in (".", "-"):
        assert call("merge", *parts, "-o", output, "--force").code == 2
    assert files(Path()) == before
    assert call("merge", *parts, "-o", "r.csv").code == 0
    assert run("--resume") == (0, "equity: 'r.csv' is complete\n")
    done = call("merge", *parts, "-o", "r.csv")
    assert (done.code, done.stderr) == (
        2,
        "equity: 'r.csv': it exists already; --force overwrites it\n",
    )


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_results_are_not_gone_on_with(damage: str) -> None:
    assert run().code == 0
    whole = Path("r.csv").read_bytes()
    Path("r.csv").write_bytes(DAMAGES[damage](whole))
    done = run("--resume")
    assert done.code == 2
    assert "'r.csv' is not what the run wrote" in done.stderr
    Path("r.csv").unlink()
    Path("r.csv.journal").unlink()
    stopped()
    os.truncate("r.csv", journal.read(Path("r.csv.journal")).state.size)
    part = Path("r.csv").read_bytes()
    Path("r.csv").write_bytes(DAMAGES[damage](part))
    done = run("--resume")
    if damage == "a row twice":
        # Whatever stands behind the last checkpoint is written again.
        assert done.code == 0
        assert Path("r.csv").read_bytes() == whole
        return
    assert done.code == 2
    assert "'r.csv' is not what the run wrote" in done.stderr
    assert Path("r.csv").read_bytes() == DAMAGES[damage](part)


@pytest.mark.parametrize("content", [b"", b"hello", b"id,game\n1,plo4\n"])
def test_a_file_without_a_journal_is_not_complete(content: bytes) -> None:
    Path("r.csv").write_bytes(content)
    done = run("--resume")
    assert (done.code, done.stderr) == (
        2,
        "equity: 'r.csv' has no journal, so it is unknown which run wrote it; "
        "start over with --force\n",
    )
    assert Path("r.csv").read_bytes() == content


def test_results_of_another_input_are_not_complete() -> None:
    assert run().code == 0
    before = files(Path())
    rows = list(spots(ROWS))
    rows[3]["note"] = "another"
    write_csv(Path("s.csv"), rows)
    for more in ("--resume", "--retry-failed"):
        done = run(more)
        assert done.code == 2
        assert "with changes in the input" in done.stderr
    after = files(Path())
    assert [after[name] for name in ("r.csv", "r.csv.journal")] == [
        before[name] for name in ("r.csv", "r.csv.journal")
    ]


@pytest.mark.parametrize("option", ["--by-combo", "--plot-dir"])
@pytest.mark.parametrize("state", ["nothing", "stopped", "complete"])
def test_folders_of_others_are_left_alone(option: str, state: str) -> None:
    more = [option, "mine"] + (["--view", "streets"] if option == "--plot-dir" else [])
    if state != "nothing":
        if option == "--plot-dir":
            pytest.importorskip("matplotlib")
        (stopped if state == "stopped" else run)(*more)
    Path("mine").mkdir(exist_ok=True)
    kept = {"100.csv": b"mine", "100.png": b"mine", "notes.txt": b"mine"}
    if state == "nothing":
        kept |= {"1.csv": b"first", "1.png": b"first", "3.csv": b"third", "3.png": b"third"}
    for name, content in kept.items():
        (Path("mine") / name).write_bytes(content)
    done = run(*more, "--resume")
    if state == "nothing":
        assert done.code == 2
        assert "exists already" in done.stderr
    else:
        assert done.code in (0, 1)
    assert files(Path("mine")) | kept == files(Path("mine"))


def test_inputs_are_not_overwritten() -> None:
    shutil.copy("s.csv", "2.csv")
    before = files(Path())
    for force in ([], ["--force"], ["--resume"]):
        done = call("batch", "2.csv", "-o", "r.csv", "--by-combo", ".", "--jobs", "1", *force)
        assert done.code == 2
        assert "'2.csv' would be overwritten" in done.stderr
        done = call("batch", "s.csv", "-o", "4.csv", "--by-combo", ".", "--jobs", "1", *force)
        assert done.code == 2
        assert files(Path()) == before
    ours = ("rows.jsonl", "retry", "new", "new.tmp", "journal", "journal.tmp")
    for name in (f"r.parquet.{ending}" for ending in ours):
        write_json(Path(name), list(spots(3)))
        before = files(Path())
        for force in ([], ["--force"], ["--resume"]):
            more = ["-o", "r.parquet", "--format", "jsonl", "--jobs", "1", *force]
            done = call("batch", name, *more)
            assert done.code == 2
            assert f"'{name}' is an input" in done.stderr
        Path(name).rename("boards.txt")
        Path("boards.txt").write_text("Kh9h4c\n")
        Path("boards.txt").rename(name)
        cross = ["--players", AA, "--players", RUN, "--boards", name, "-o", "r.parquet"]
        assert call("batch", *cross, "--force").code == 2
        Path(name).unlink()
        assert sorted(os.listdir()) == ["2.csv", "s.csv"]
        assert set(before) == {"2.csv", "s.csv", name}


def test_files_called_like_ours_are_refused() -> None:
    pytest.importorskip("pyarrow")
    Path("r.parquet.rows.jsonl").write_text("mine")
    for more in ([], ["--resume"]):
        done = run(*more, output="r.parquet")
        assert done.code == 2
        assert "'r.parquet.rows.jsonl'" in done.stderr
    Path("r.parquet.rows.jsonl").unlink()
    assert run(output="r.parquet").code == 0
    Path("r.parquet.rows.jsonl").write_text("mine")
    assert run("--resume", output="r.parquet").code == 0
    assert Path("r.parquet.rows.jsonl").read_text() == "mine"


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_links_are_followed(ending: str) -> None:
    Path("deep").mkdir()
    Path(f"r.{ending}").symlink_to(f"deep/real.{ending}")
    assert run(output=f"r.{ending}").code == 0
    assert Path(f"r.{ending}").is_symlink()
    assert sorted(os.listdir("deep")) == [f"real.{ending}", f"real.{ending}.journal"]
    assert run("--resume", output=f"deep/real.{ending}").code == 0
    assert run("--force", output=f"r.{ending}").code == 0
    assert Path(f"r.{ending}").is_symlink()


def changing(change: Callable[[], Any], after: int) -> Any:
    """Have the input change when so many rows have been taken from it for the second time."""
    rows = table.Table.rows
    passes = []

    def changed(table: table.Table) -> Any:
        passes.append(1)
        for number, row in enumerate(rows(table)):
            if len(passes) == 2 and number == after:
                change()
            yield row

    return mock.patch.object(table.Table, "rows", changed)


@pytest.mark.parametrize("change", ["cut", "longer", "another", "gone"])
@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_an_input_that_changes_while_it_is_read(change: str, ending: str) -> None:
    rows: list[dict[str, Any]] = [
        {"id": number, "players": f"{AA}|{RUN}", "board": ""} for number in range(2_000)
    ]
    source = Path(f"big.{ending}")
    if ending == "parquet":
        arrow = pytest.importorskip("pyarrow")
        pytest.importorskip("pyarrow.parquet").write_table(arrow.Table.from_pylist(rows), source)
    else:
        (write_csv if ending == "csv" else write_json)(source, rows)
    right = source.read_bytes()

    def happen() -> None:
        if change == "gone":
            source.unlink()
        elif change == "cut":
            os.truncate(source, 20_000 if ending != "parquet" else 500)
        elif change == "longer":
            source.write_bytes(right + right[-40:])
        else:
            source.write_bytes(right.replace(AA.encode(), b"KhKsQhQs"))

    asked = ["batch", source, "-o", "r.csv", "--jobs", "1"]
    with changing(happen, 1_000):
        done = call(*asked)
    assert done.code == 1, done.stderr
    assert f"'{source}': it changed while it was read" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    done = call(*asked, "--resume")
    assert done.code == 2
    source.write_bytes(right)
    assert call(*asked, "--resume").code == 0
    whole = Path("r.csv").read_bytes()
    assert call(*asked, "--force").code == 0
    assert Path("r.csv").read_bytes() == whole


def test_an_ordering_that_changes_while_it_is_read() -> None:
    order = Path("own.txt")
    order.write_text("AKQJ\nAAKK\n")
    with changing(lambda: order.write_text("AAKK\nAKQJ\n"), 5):
        done = run("--ordering", "own.txt")
    assert done.code == 1
    assert "'own.txt': it changed while it was read" in done.stderr


@pytest.mark.parametrize("begin", [[], ["--force"], ["--resume"]])
def test_runs_that_begin_at_once(begin: list[str], command: list[str]) -> None:
    pytest.importorskip("fcntl")
    write_csv(Path("s.csv"), list(spots(200)))
    assert call("batch", "s.csv", "-o", "whole.csv", "--jobs", "1").code == 1
    arguments = [*command, "batch", "s.csv", "-o", "r.csv", "--jobs", "1", "-q", *begin]
    started = [subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    ends = [(process.communicate()[1], process.returncode) for process in started]
    assert Path("r.csv").read_bytes() == Path("whole.csv").read_bytes()
    lost = [error for error, code in ends if not error.startswith("equity: 18 of 200")]
    assert len(lost) < 4
    for error in lost:
        # One that comes late finds a complete run.
        words = ("another run is writing to it", "exists already", "r.csv' is complete")
        assert any(word in error for word in words), error


def test_a_journal_in_another_order() -> None:
    stopped("--shard", "1/1", output="p.csv")
    kept = Path("p.csv.journal").read_bytes().splitlines(keepends=True)
    rows = Path("p.csv").read_bytes()
    assert len(kept) > 3
    for lines in (kept[::-1], [kept[1], kept[0], *kept[2:]], kept[1:], [*kept[:1], *kept[:0:-1]]):
        Path("p.csv.journal").write_bytes(b"".join(lines))
        Path("p.csv").write_bytes(rows)
        done = call("merge", "p.csv", "-o", "m.csv")
        assert done.code == 2
        assert len(done.stderr.splitlines()) == 1
        done = run("--shard", "1/1", "--resume", output="p.csv")
        if lines[0] == kept[0]:
            # Those that are right are enough to go on from.
            assert done.code == 0
        else:
            assert done.code == 2
            assert "'p.csv.journal' is not the journal of a run" in done.stderr


def test_names_of_columns_are_not_remembered_for_ever() -> None:
    assert meaning.cache_info().maxsize is not None
    write_json(
        Path("many.jsonl"),
        [
            {"players": [AA, RUN], **{f"n{n}": 1 for n in range(at, at + 3_000)}}
            for at in range(0, 12_000, 3_000)
        ],
    )
    done = call("batch", "many.jsonl", "-o", "r.csv", "--jobs", "1")
    assert done.code == 2
    assert "more than 10,000 columns" in done.stderr
    assert not Path("r.csv").exists()
