"""Nothing is lost: runs that end anywhere, gone on with, end like one that did not."""

from __future__ import annotations

import errno
import os
import random
import signal
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from batch_faults import AA, PLO, RUN, SHORT, Faults, KilledError, every_row, files
from batch_tools import spots, write_csv

from equity.batching.cross_product import FLOPS, Crossing
from equity.batching.errors import OutputError
from equity.batching.rows import Spots
from equity.batching.run import Request
from equity.batching.run import run as run_batch
from equity.batching.stream import local_pool
from equity.batching.table import Table

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
        every_row(),
    ):
        run_batch(spots_of(name), request, pool)


@pytest.fixture
def whole(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: Any) -> dict[str, bytes]:
    """What a case writes when nothing happens; the folder is left for the test."""
    folder = tmp_path / "whole"
    folder.mkdir()
    monkeypatch.chdir(folder)
    go(request.param, resume=False)
    assert len(files(folder)) >= (1 if request.param == "flops" else 2)
    return files(folder)


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
