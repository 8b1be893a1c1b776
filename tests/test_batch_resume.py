"""Nothing is lost: runs that end anywhere, gone on with, end like one that did not."""

from __future__ import annotations

import errno
import os
import random
import signal
import subprocess
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from batch_tools import call, read_csv, spots, write_csv, write_json

from equity.batching import journal, running
from equity.batching.crossing import FLOPS, Crossing
from equity.batching.errors import OutputError
from equity.batching.journal import Journal
from equity.batching.output import FileOutput
from equity.batching.reading import Table
from equity.batching.rows import Spots
from equity.batching.running import Request
from equity.batching.running import run as run_batch
from equity.batching.stream import local_pool

AA, RUN = "AhAsKhKs", "9c8c7d6d"
PLO = {"game": "plo4", "board": "", "dead": "", "ordering": None}
#: So many dead cards that there are few flops.
SHORT = PLO | {"dead": "".join(r + s for r in "23456789T" for s in "cdhs") + "JcJdJh"}
ROWS = 12

#: What is run: the ending, and what more is asked for.
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "csv": ("csv", {}),
    "jsonl, long": ("jsonl", {"layout": "long"}),
    "parquet": ("parquet", {}),
    "combos": ("csv", {"by_combo": Path("combos")}),
    "a part": ("csv", {"shard": (2, 3)}),
    "a part in parquet": ("parquet", {"shard": (3, 3)}),
    "flops": ("jsonl", {}),
}


def spots_of(name: str) -> Spots:
    """The input of a case, in this folder."""
    if name == "flops":
        return Crossing(["AsAhKsKh", "QsQhQdJs|AdAcQdQc"], FLOPS, SHORT)
    rows = list(spots(ROWS))
    if name == "combos":
        rows = [{"players": "AAKK|QQJJ", "board": f"Kh9h4c2{suit}"} for suit in "cds"]
        rows.insert(1, {"players": f"{AA}|{RUN}", "board": "Kd9h4c"})
    return Table(str(write_csv(Path("spots.csv"), rows)), "csv")


def go(name: str, *, resume: bool, jobs: int = 1) -> None:
    """Run a case, or go on with it, with a checkpoint after every row."""
    ending, more = CASES[name]
    defaults = SHORT if name == "flops" else PLO
    request = Request(f"results.{ending}", ending, defaults, **more, resume=resume)

    @contextmanager
    def pool() -> Iterator[Any]:
        workers = local_pool(jobs)
        with workers.executor:
            yield workers

    with (
        mock.patch.object(running, "CHECKPOINT_EVERY", 0.0),
        mock.patch.object(running, "WRITE_EVERY", 0.0),
    ):
        run_batch(spots_of(name), request, pool)


def files(folder: Path) -> dict[str, bytes]:
    """All files; of a journal the last line, for how many there are is a matter of time."""
    return {
        str(path.relative_to(folder)): (
            path.read_bytes().splitlines()[-1] if path.suffix == ".journal" else path.read_bytes()
        )
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def whole(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: Any) -> dict[str, bytes]:
    """What a case writes when nothing happens; the folder is left for the test."""
    folder = tmp_path / "whole"
    folder.mkdir()
    monkeypatch.chdir(folder)
    go(request.param, resume=False)
    assert len(files(folder)) >= (1 if request.param == "flops" else 2)
    return files(folder)


class KilledError(BaseException):
    """Stands for the end of the process: nothing handles it."""


class Faults:
    """Counts what is done to the disk, and fails at one of the steps."""

    def __init__(self, error: BaseException) -> None:
        self.error = error
        self.left = 0
        self.steps = 0
        #: How much of each file is on the disk, by its number.
        self.synced: dict[int, int] = {}

    def step(self) -> bool:
        self.steps += 1
        self.left -= 1
        return self.left == 0

    @contextmanager
    def at(self, number: int) -> Iterator[None]:
        """Fail at a step; a write is left half done."""
        self.left, self.steps = number, 0
        move, unlink = os.replace, Path.unlink
        write, checkpoint = FileOutput._write, Journal.checkpoint

        def plain(function: Any, *arguments: Any) -> Any:
            if self.step():
                raise self.error
            return function(*arguments)

        def sync(file: int) -> None:
            # Noted, not done, for a disk takes its time.
            self.synced[os.fstat(file).st_ino] = os.fstat(file).st_size

        def half_write(mine: FileOutput, text: bytes) -> None:
            if self.step():
                write(mine, text[: len(text) // 2])
                raise self.error
            write(mine, text)

        def half_checkpoint(mine: Journal, sums: Any) -> None:
            if self.step():
                mine._file.write(b'01234567 {"rows": 3, "size": 1')
                raise self.error
            checkpoint(mine, sums)

        with (
            mock.patch.object(os, "fsync", lambda file: plain(sync, file)),
            mock.patch.object(os, "replace", lambda one, two: plain(move, one, two)),
            mock.patch.object(Path, "unlink", lambda path: plain(unlink, path)),
            mock.patch.object(FileOutput, "_write", half_write),
            mock.patch.object(Journal, "checkpoint", half_checkpoint),
        ):
            yield

    def cut_power(self) -> None:
        """Lose whatever of the files here has not been made safe."""
        for path in Path().rglob("*"):
            if path.is_file() and path.name != "spots.csv":
                safe = self.synced.get(path.stat().st_ino, 0)
                os.truncate(path, min(safe, path.stat().st_size))


def fresh(tmp_path: Path, number: int) -> Path:
    folder = tmp_path / f"run {number}"
    folder.mkdir()
    os.chdir(folder)
    return folder


@pytest.mark.parametrize("power", [False, True], ids=["process", "power"])
@pytest.mark.parametrize(
    ("whole", "name"), [(name, name) for name in CASES], indirect=["whole"], ids=CASES
)
def test_an_end_at_every_step(
    name: str, power: bool, whole: dict[str, bytes], tmp_path: Path
) -> None:
    faults = Faults(KilledError())
    for number in range(1, 1_000):
        folder = fresh(tmp_path, number)
        try:
            with faults.at(number):
                go(name, resume=False)
        except KilledError:
            if power:
                faults.cut_power()
        else:
            break
        # And once more on the way.
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            try:
                with faults.at(1 + number * 7 % 11):
                    go(name, resume=True)
            except KilledError:
                if power:
                    faults.cut_power()
                go(name, resume=True)
        assert files(folder) == whole, number
    assert number > 20


@pytest.mark.parametrize(
    ("whole", "name"), [("csv", "csv"), ("parquet", "parquet")], indirect=["whole"]
)
def test_a_full_disk_at_every_step(name: str, whole: dict[str, bytes], tmp_path: Path) -> None:
    faults = Faults(OSError(errno.ENOSPC, "No space left on device"))
    said: set[str] = set()
    for number in range(1, 1_000):
        folder = fresh(tmp_path, number)
        try:
            with faults.at(number):
                go(name, resume=False)
        except OutputError as error:
            said.add(str(error).split(";")[0])
        else:
            if number > faults.steps:
                break
            # Where a folder cannot be made safe, that is no error.
        go(name, resume=True)
        assert files(folder) == whole, number
    assert number > 20
    place = f"'results.{CASES[name][0]}'"
    assert said == {f"{place}: cannot write: No space left on device"}


def forked(name: str, *, resume: bool, jobs: int) -> int:
    """A process that runs a case and ends; its number."""
    with warnings.catch_warnings():
        # The child does nothing with the threads that its parent may have.
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        go(name, resume=resume, jobs=jobs)
        code = 0
    finally:
        os._exit(code)


def seconds(name: str, tmp_path: Path, jobs: int) -> float:
    folder = tmp_path / f"timed {name} {jobs}"
    folder.mkdir()
    os.chdir(folder)
    start = time.perf_counter()
    pid = forked(name, resume=False, jobs=jobs)
    assert os.waitpid(pid, 0)[1] == 0
    return time.perf_counter() - start


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")
@pytest.mark.parametrize(
    ("whole", "name", "jobs", "kills"),
    [
        ("csv", "csv", 1, 20),
        ("jsonl, long", "jsonl, long", 1, 10),
        ("combos", "combos", 1, 6),
        ("flops", "flops", 1, 8),
        ("csv", "csv", 2, 6),
    ],
    indirect=["whole"],
)
def test_kills_at_random(
    name: str, jobs: int, kills: int, whole: dict[str, bytes], tmp_path: Path
) -> None:
    chance = random.Random(kills)
    usual = seconds(name, tmp_path, jobs)
    killed = done = 0
    while killed < kills:
        folder = fresh(tmp_path, done)
        done += 1
        while True:
            pid = forked(name, resume=True, jobs=jobs)
            if killed < kills:
                time.sleep(chance.uniform(0, usual))
                os.kill(pid, signal.SIGKILL)
            status = os.waitpid(pid, 0)[1]
            if os.WIFSIGNALED(status):
                killed += 1
                continue
            assert status == 0
            break
        assert files(folder) == whole


def children(pid: int) -> list[int]:
    """The processes that a process has started; where there is /proc."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for path in tasks for child in path.read_text().split()]


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are read from /proc")
def test_the_workers_of_a_killed_command_end(command: list[str], tmp_path: Path) -> None:
    # Samples that take minutes, so that the workers are in the middle of one.
    rows = [{"players": "AA|KK|QQ|JJ|TT|99", "trials": 49_000_000}] * 8
    source = write_json(tmp_path / "s.jsonl", rows)
    arguments = [*command, "batch", source, "-o", tmp_path / "r.csv", "--jobs", "2", "-q"]
    with subprocess.Popen(arguments) as process:
        workers: list[int] = []
        while len(workers) < 2:
            assert process.poll() is None
            workers = children(process.pid)
            time.sleep(0.05)
        time.sleep(0.3)
        process.kill()
    end = time.monotonic() + 20
    while any(map(is_running, workers)):
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_worker_that_is_killed_costs_nothing(command: list[str], tmp_path: Path) -> None:
    rows = [{"players": f"{AA}|{RUN}|QsQhJdTd"}] * 3_000
    source = write_json(tmp_path / "s.jsonl", rows)
    arguments = ["batch", source, "-o", tmp_path / "r.csv", "--jobs", "2", "-q"]
    assert call(*arguments).code == 0
    whole = (tmp_path / "r.csv").read_bytes()
    if not Path("/proc/self/task").exists():
        return
    with subprocess.Popen([*command, *arguments, "--force"]) as process:
        killed: set[int] = set()
        while process.poll() is None and len(killed) < 3:
            for worker in set(children(process.pid)) - killed:
                time.sleep(0.25)
                with suppress(ProcessLookupError):
                    os.kill(worker, signal.SIGKILL)
                    killed.add(worker)
            time.sleep(0.01)
        assert process.wait() == 0
    assert killed
    assert (tmp_path / "r.csv").read_bytes() == whole


def test_ctrl_c(command: list[str], tmp_path: Path) -> None:
    rows = [{"players": f"{AA}|{RUN}|QsQhJdTd", "n": number} for number in range(4_000)]
    source = write_json(tmp_path / "s.jsonl", rows)
    target = tmp_path / "r.csv"
    for jobs in ("1", "2"):
        arguments = ["batch", str(source), "-o", str(target), "--jobs", jobs]
        process = subprocess.Popen([*command, *arguments], stderr=subprocess.PIPE, text=True)
        while not target.exists() or target.stat().st_size < 10_000:
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        errors = process.communicate()[1]
        assert process.returncode == 130, errors
        assert errors == "equity: interrupted; --resume goes on from what is done\n"
        state = journal.read(tmp_path / "r.csv.journal")[1]
        assert 0 < state.rows < 4_000
        # All that is in the file is safe, and is not done again.
        assert target.stat().st_size == state.size
        assert call(*arguments, "--resume").code == 0
        assert [row["n"] for row in read_csv(target)] == [str(number) for number in range(4_000)]
        target.unlink()
        assert os.listdir(tmp_path) == ["s.jsonl"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (["--trials", "2000"], ["--trials (was null, is 2000)"]),
        (["-g", "o8"], ['--game (was "plo4", is "o8")']),
        (["--layout", "long"], ['--layout (was "wide", is "long")']),
        (["--columns", "id,board"], ["columns"]),
        (["--shard", "1/2"], ["shard"]),
        (["--max-players", "5"], ["--max-players (was null, is 5)"]),
        (["input"], ["changed is the input"]),
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
        monkeypatch.setattr("equity.batching.heads.__version__", "9.9")
    elif change == ["ordering"]:
        more, _ = [], Path("own.txt").write_text("AKQT\n")
    done = call(*arguments, "--resume", *more)
    assert done.code == 2
    assert "begin again with --force" in done.stderr
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
        "equity: 'r.csv': is there already; --force overwrites it\n",
    )
    done = call(*arguments, "--resume")
    assert (done.code, done.stderr) == (0, "equity: 'r.csv' is complete\n")
    assert Path("r.csv").read_text() == "mine"
    assert call(*arguments, "--force").code == 0
    whole = Path("r.csv").read_bytes()
    Path("r.csv").unlink()
    # With nothing there, to go on is to begin.
    assert call(*arguments, "--resume").code == 0
    assert Path("r.csv").read_bytes() == whole
    with Faults(OSError(errno.ENOSPC, "No space left on device")).at(6):
        assert call(*arguments, "--force").code == 1
    done = call(*arguments)
    assert done.code == 2
    assert "--resume goes on, --force begins again" in done.stderr
    Path("r.csv").unlink()
    done = call(*arguments)
    assert done.code == 2
    assert "an unfinished run of it is there" in done.stderr


def interrupted(folder: Path) -> list[str]:
    """A run that has ended in the middle, and the command that began it."""
    os.chdir(folder)
    write_csv(Path("s.csv"), list(spots(9)))
    arguments = ["batch", "s.csv", "-o", "r.csv", "--jobs", "1"]
    assert call(*arguments).code == 0
    Path("r.csv").rename("whole.csv")
    with (
        mock.patch.object(running, "CHECKPOINT_EVERY", 0.0),
        mock.patch.object(running, "WRITE_EVERY", 0.0),
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
    assert journal.read(Path("r.csv.journal"))[1].rows == len(lines) - 1
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
        assert "'r.csv.journal' is no journal of a run; --force begins again" in done.stderr
    Path("r.csv.journal").write_bytes(kept)
    Path("r.csv").write_bytes(rows[:-1] if rows.count(b"\n") < len(lines) else b"")
    done = call(*arguments, "--resume")
    assert done.code == 2
    assert "'r.csv' is shorter than its journal says" in done.stderr


def test_one_run_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("fcntl")
    monkeypatch.chdir(tmp_path)
    arguments = interrupted(tmp_path)
    other = Journal.resume(Path("r.csv.journal"))
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
        "free some space; --resume goes on from what is safe\n"
    )
    assert call(*arguments, "--resume").code == 1
    assert target.read_bytes() == whole


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_parts_put_together_are_the_whole(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_csv(Path("s.csv"), list(spots(31)))
    arguments = ["batch", "s.csv", "--jobs", "1", "-o"]
    assert call(*arguments, f"whole.{ending}").code == 1
    parts = [f"part{number}.{ending}" for number in (1, 2, 3, 4)]
    for number, part in enumerate(parts, 1):
        assert call(*arguments, part, "--shard", f"{number}/4").code in (0, 1)
        done = call(*arguments, part, "--shard", f"{number}/4", "--resume")
        assert (done.code, done.stderr) == (0, f"equity: '{part}' is complete\n")
    merge = ["merge", "-o", f"merged.{ending}"]
    done = call(*merge, parts[2], parts[0], parts[3], parts[1])
    assert done.code == 1
    assert Path(f"merged.{ending}").read_bytes() == Path(f"whole.{ending}").read_bytes()
    assert done.stderr == call(*arguments, f"whole.{ending}", "--force").stderr

    def refused(*more: str) -> str:
        failed = call(*merge, *more)
        assert failed.code == 2
        return failed.stderr

    assert "'merged." in refused(*parts)
    Path(f"merged.{ending}").unlink()
    assert "of 4 parts there is no 2, 4" in refused(parts[0], parts[2])
    assert "are both part 1" in refused(*parts, parts[0])
    assert "its journal cannot be read" in refused(*parts, f"whole.{ending}")
    assert call(*arguments, f"other.{ending}", "--shard", "2/4", "--seed", "5").code in (0, 1)
    assert "different runs: --seed (was 0, is 5)" in refused(parts[0], f"other.{ending}")
    assert (
        "the parts are"
        in call("merge", "-o", f"m.{'csv' if ending != 'csv' else 'jsonl'}", *parts).stderr
    )
    with Faults(OSError(errno.ENOSPC, "No space left on device")).at(5):
        assert call(*arguments, parts[1], "--shard", "2/4", "--force").code == 1
    assert "is not complete" in refused(*parts)
    assert not Path(f"merged.{ending}").exists()


def test_parts_of_flops_have_the_totals_of_the_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = ["batch", "--players", "AsAhKsKh", "--players", "QsQhQdJs|AdAcQdQc", "--jobs", "1"]
    arguments += ["--boards", "flops", "-d", SHORT["dead"], "-o"]
    assert call(*arguments, "whole.csv").code == 0
    parts = [f"{number}.csv" for number in range(1, 6)]
    for number, part in enumerate(parts, 1):
        assert call(*arguments, part, "--shard", f"{number}/5").code == 0
    assert call("merge", *parts, "-o", "merged.csv") == (
        0,
        f"equity: {len(read_csv(Path('whole.csv')))} spots in 5 parts\n",
    )
    assert Path("merged.csv").read_bytes() == Path("whole.csv").read_bytes()
