"""What --resume and --force refuse, and journals that are damaged."""

from __future__ import annotations

import errno
import os
import subprocess
from pathlib import Path

import pytest
from batch_faults import Faults, every_row, files
from batch_tools import call, spots, write_csv

from equity.batching import journal
from equity.batching.journal import Journal


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (["--trials", "2000"], ["--trials (was null, is 2000)"]),
        (["-g", "o8"], ['--game (was "plo4", is "o8")']),
        (["--layout", "long"], ['--layout (was "wide", is "long")']),
        (["--columns", "id,board"], ["columns"]),
        (["--shard", "1/2"], ["shard"]),
        (["--max-players", "5"], ["--max-players (was null, is 5)"]),
        (["input"], ["with changes in the input"]),
        (["version"], ["the version of equity"]),
        (["ordering"], ["the ordering"]),
    ],
)
def test_resume_refuses_what_has_changed(
    change: list[str], words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own.txt").write_text("AKQJ\n")
    source = write_csv(Path("s.csv"), list(spots(9)))
    arguments: list[str] = ["batch", str(source), "-o", "r.csv", "--jobs", "1"]
    if change == ["ordering"]:
        arguments += ["--ordering", "own.txt"]
    faults = Faults(OSError(errno.ENOSPC, "No space left on device"))
    with faults.at(5):
        assert call(*arguments).code == 1
    before = files(tmp_path)
    assert "r.csv.journal" in before
    more = change
    if change == ["input"]:
        more, _ = [], write_csv(source, list(spots(10)))
    elif change == ["version"]:
        more = []
        monkeypatch.setattr("equity.batching.run.__version__", "9.9")
    elif change == ["ordering"]:
        more, _ = [], Path("own.txt").write_text("AKQT\n")
    done = call(*arguments, "--resume", *more)
    assert done.code == 2
    assert "start over with --force" in done.stderr
    for word in words:
        assert word in done.stderr
    for name in ("r.csv", "r.csv.journal"):
        assert files(tmp_path)[name] == before[name]
    assert call(*arguments, "--force", *more).code in (0, 1)
    assert "r.csv.journal" in os.listdir() if "--shard" in more else os.listdir()


def test_output_that_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_csv(Path("s.csv"), list(spots(9)))
    arguments = ["batch", "s.csv", "-o", "r.csv", "--jobs", "1"]
    Path("r.csv").write_text("mine")
    done = call(*arguments)
    assert (done.code, done.stderr) == (
        2,
        "equity: 'r.csv': it exists already; --force overwrites it\n",
    )
    done = call(*arguments, "--resume")
    assert (done.code, done.stderr) == (
        2,
        "equity: 'r.csv' has no journal, so it is unknown which run wrote it; "
        "start over with --force\n",
    )
    assert Path("r.csv").read_text() == "mine"
    assert sorted(os.listdir()) == ["r.csv", "s.csv"]
    assert call(*arguments, "--force").code == 0
    whole = Path("r.csv").read_bytes()
    assert call(*arguments, "--resume") == (0, "equity: 'r.csv' is complete\n")
    assert Path("r.csv").read_bytes() == whole
    Path("r.csv").unlink()
    # With nothing there, to go on is to begin.
    assert call(*arguments, "--resume").code == 0
    assert Path("r.csv").read_bytes() == whole
    with Faults(OSError(errno.ENOSPC, "No space left on device")).at(6):
        assert call(*arguments, "--force").code == 1
    done = call(*arguments)
    assert done.code == 2
    assert "--resume continues it, --force starts over" in done.stderr
    Path("r.csv").unlink()
    done = call(*arguments)
    assert done.code == 2
    assert "it has an unfinished run" in done.stderr


def interrupted(folder: Path) -> list[str]:
    """A run that has ended in the middle, and the command that began it."""
    os.chdir(folder)
    write_csv(Path("s.csv"), list(spots(9)))
    arguments = ["batch", "s.csv", "-o", "r.csv", "--jobs", "1"]
    assert call(*arguments).code == 0
    Path("r.csv").rename("whole.csv")
    Path("r.csv.journal").unlink()
    with (
        every_row(),
        Faults(OSError(errno.ENOSPC, "No space left on device")).at(17),
    ):
        assert call(*arguments).code == 1
    return arguments


def test_journals_that_are_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = interrupted(tmp_path)
    kept, rows = Path("r.csv.journal").read_bytes(), Path("r.csv").read_bytes()
    lines = kept.splitlines(keepends=True)
    assert len(lines) >= 4
    last = lines[-1]
    assert journal.read(Path("r.csv.journal")).state.rows == len(lines) - 1
    for damaged in (
        b"".join(lines[:-1]),
        kept[:-1],
        kept[: -len(last) // 2],
        kept + b"\0" * 40,
        kept.replace(last, last.replace(b'"rows"', b'"raws"')),
        kept.replace(lines[2], b"x" + lines[2]),
        lines[0],
    ):
        Path("r.csv.journal").write_bytes(damaged)
        Path("r.csv").write_bytes(rows)
        assert call(*arguments, "--resume").code == 0
        assert Path("r.csv").read_bytes() == Path("whole.csv").read_bytes()
    for damaged in (b"", b"my journal\n", kept[10:]):
        Path("r.csv.journal").write_bytes(damaged)
        done = call(*arguments, "--resume")
        assert done.code == 2
        assert ("not the journal of a run" if damaged else "has no journal") in done.stderr
        assert "; start over with --force" in done.stderr
        assert Path("r.csv.journal").exists() == bool(damaged)
    Path("r.csv.journal").write_bytes(kept)
    Path("r.csv").write_bytes(rows[:-1] if rows.count(b"\n") < len(lines) else b"")
    done = call(*arguments, "--resume")
    assert done.code == 2
    assert "r.csv' is not what the run wrote" in done.stderr


def test_one_run_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("fcntl")
    monkeypatch.chdir(tmp_path)
    arguments = interrupted(tmp_path)
    other = Journal(Path("r.csv.journal"))
    for more in ("--resume", "--force"):
        done = call(*arguments, more)
        assert (done.code, done.stderr) == (1, "equity: r.csv: another run is writing to it\n")
    other.close()
    assert call(*arguments, "--resume").code == 0
    assert Path("r.csv").read_bytes() == Path("whole.csv").read_bytes()


def test_a_disk_that_is_really_full(command: list[str], tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    source = write_csv(tmp_path / "s.csv", list(spots(200)))
    target = tmp_path / "r.csv"
    arguments = ["batch", str(source), "-o", str(target), "--jobs", "1"]
    assert call(*arguments).code == 1
    whole = target.read_bytes()

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))

    done = subprocess.run(
        [*command, *arguments, "--force"],
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        preexec_fn=limit,
    )
    assert done.returncode == 1
    assert done.stderr == (
        f"equity: '{target}': cannot write: File too large; "
        "free some space, then continue with --resume\n"
    )
    assert call(*arguments, "--resume").code == 1
    assert target.read_bytes() == whole
