"""Batches on a Dask cluster: a real scheduler and real workers, one of them killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from batch_deadly import answer_or_end
from batch_tools import call, spots, write_csv, write_json
from conftest import Run

import equity
from equity.batching import journal
from equity.batching.cluster import cluster_pool
from equity.batching.columns import Column
from equity.batching.fingerprint import file_digest
from equity.batching.job import Job
from equity.batching.rows import Row
from equity.batching.stream import answers, local_pool

pytest.importorskip("distributed")

AA, RUN = "AhAsKhKs", "9c8c7d6d"
#: Warnings of Dask are not ours.
QUIET = {"PYTHONWARNINGS": None}


class Cluster:
    """A scheduler and its workers, each a process."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent), **environment}
        self.environment.pop("PYTHONWARNINGS", None)
        self.file = folder / "scheduler.json"
        self.log = (folder / "log.txt").open("wb")
        self.processes: list[subprocess.Popen[bytes]] = []
        more = ["--scheduler-file", str(self.file), "--no-dashboard"]
        self._start("dask_scheduler", *more, "--port", "0", "--host", "127.0.0.1")
        while not self.file.exists() or not self.file.read_bytes().endswith(b"}"):
            assert self.processes[0].poll() is None
            time.sleep(0.02)
        self.address: str = json.loads(self.file.read_text())["address"]

    def _start(self, program: str, *arguments: str, **environment: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{program}", *arguments],
            stdout=self.log,
            stderr=self.log,
            env=self.environment | environment,
            cwd=self.file.parent,
        )
        self.processes.append(process)
        return process

    def worker(self, nanny: str = "--no-nanny", **environment: str) -> subprocess.Popen[bytes]:
        arguments = [self.address, "--nthreads", "1", nanny, "--no-dashboard"]
        return self._start("dask_worker", *arguments, **environment)

    def end(self) -> None:
        for process in reversed(self.processes):
            process.kill()
            process.wait()
        self.log.close()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    started = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        started.worker()
        yield started
    finally:
        started.end()


def test_the_same_on_a_cluster_of_which_one_worker_is_killed(
    cluster: Cluster, command: list[str], tmp_path: Path
) -> None:
    rows: list[dict[str, Any]] = [{"players": f"{AA}|{RUN}|QsQhJdTd"} for _ in range(3_000)]
    rows[70] = {"players": f"{AA}|nothing"}
    source = write_json(tmp_path / "s.jsonl", rows)
    assert call("batch", source, "-o", tmp_path / "one.csv", "--jobs", "2").code == 1
    extra = cluster.worker()
    target = tmp_path / "r.csv"
    arguments = ["batch", str(source), "-o", str(target), "--cluster", cluster.address]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONWARNINGS"}
    with subprocess.Popen(
        [*command, *arguments], stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        while not target.exists() or target.stat().st_size < 20_000:
            assert process.poll() is None
            time.sleep(0.01)
        extra.kill()
        errors = process.communicate(timeout=120)[1]
    assert process.returncode == 1, errors
    assert errors.startswith("equity: 1 of 3,000 spots failed\n    line 71: ")
    assert len(errors.splitlines()) == 2
    assert target.read_bytes() == (tmp_path / "one.csv").read_bytes()


def test_large_spots_are_shared(cluster: Cluster, tmp_path: Path) -> None:
    columns = (Column("deals", "big"), Column("player1_equity_exact", "text"))
    spots_given = [
        {"players": ["AAKK", "QQJJ"], "exact": True, "board": "Kh9h"},
        {"players": [AA, "QQ:xxyy"], "exact": True},
    ]
    rows = [Row(at, at, values, {}) for at, values in enumerate(spots_given)]
    found = []
    for large in (0, 1 << 60):
        job = Job({"game": "plo4"}, columns, format="csv", large=large)
        if large:
            pool = local_pool(1)
            found.append([both for both in answers(job, rows, pool) if both])
            continue
        with cluster_pool(cluster.address, 1) as pool:
            found.append([both for both in answers(job, rows, pool) if both])
    for done in found:
        assert [row for some, _ in done for row in some] == rows
        assert not any(block.failed for _, block in done)
    one, two = ("".join(block.text for _, block in done) for done in found)
    assert one == two
    assert one.count("\n") == 2


def test_a_cluster_of_this_machine(run: Run, tmp_path: Path) -> None:
    source = write_csv(tmp_path / "s.csv", list(spots(40)))
    assert call("batch", source, "-o", tmp_path / "one.csv", "--jobs", "1").code == 1
    run(
        "batch",
        str(source),
        "-o",
        "r.csv",
        "--cluster",
        "local",
        "--jobs",
        "2",
        cwd=tmp_path,
        env=QUIET,
        code=1,
    )
    assert (tmp_path / "r.csv").read_bytes() == (tmp_path / "one.csv").read_bytes()


def test_clusters_that_do_not_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("equity.batching.cluster.PATIENCE", 0.5)
    source = write_csv(tmp_path / "s.csv", list(spots(5)))
    for address in ("tcp://127.0.0.1:9", "nonsense"):
        done = call("batch", source, "-o", tmp_path / "r.csv", "--cluster", address, "--resume")
        assert done.code == 1
        assert "cluster: the scheduler does not answer" in done.stderr
    empty = Cluster(tmp_path)
    try:
        done = call(
            "batch", source, "-o", tmp_path / "r.csv", "--cluster", empty.address, "--resume"
        )
    finally:
        empty.end()
    assert done.code == 1
    assert "has no workers after" in done.stderr
    assert call("batch", source, "-o", tmp_path / "r.csv", "--resume", "--jobs", "1").code == 0


def test_a_scheduler_that_goes_away(command: list[str], tmp_path: Path) -> None:
    lost = Cluster(tmp_path)
    try:
        lost.worker()
        rows = [{"players": f"{AA}|{RUN}|QsQhJdTd"} for _ in range(8_000)]
        source, target = write_json(tmp_path / "s.jsonl", rows), tmp_path / "r.csv"
        arguments = ["batch", str(source), "-o", str(target), "--columns", "id,deals"]
        with subprocess.Popen(
            [*command, *arguments, "--cluster", lost.address],
            stderr=subprocess.PIPE,
            text=True,
            env={name: value for name, value in os.environ.items() if name != "PYTHONWARNINGS"},
        ) as process:
            while not target.exists() or target.stat().st_size < 2_000:
                assert process.poll() is None
                time.sleep(0.01)
            lost.processes[0].kill()
            errors = process.communicate(timeout=120)[1]
    finally:
        lost.end()
    assert process.returncode == 1
    assert errors.startswith("equity: the workers failed: ")
    assert errors.endswith("; continue with --resume\n")
    assert len(errors.splitlines()) == 1
    assert call(*arguments, "--resume", "--jobs", "1").code == 0
    assert len(target.read_bytes().splitlines()) == 8_001


def test_a_late_worker_of_another_version(command: list[str], tmp_path: Path) -> None:
    rows = [{"players": "AA|KK|QQ", "trials": 200_000}] * 2_000
    source, target = write_json(tmp_path / "s.jsonl", rows), tmp_path / "r.csv"
    (tmp_path / "sitecustomize.py").write_text("import equity\nequity.__version__ = '9.9'\n")
    joined = Cluster(tmp_path)
    try:
        joined.worker()
        with subprocess.Popen(
            [*command, "batch", source, "-o", target, "--cluster", joined.address],
            stderr=subprocess.PIPE,
            text=True,
            env={name: value for name, value in os.environ.items() if name != "PYTHONWARNINGS"},
        ) as process:
            while not target.exists() or target.stat().st_size < 1_000:
                assert process.poll() is None
                time.sleep(0.01)
            joined.worker(PYTHONPATH=str(tmp_path))
            errors = process.communicate(timeout=120)[1]
    finally:
        joined.end()
    assert process.returncode == 1, errors
    assert f"this is equity {equity.__version__}, and a worker has " in errors, errors
    assert "; install the same version on all machines; continue with --resume" in errors, errors
    state = journal.read(tmp_path / "r.csv.journal").state
    assert (state.size, state.digest) == file_digest(target)


class Deadly(Executor):
    """An executor to which some rows are the end of a worker."""

    def __init__(self, executor: Executor) -> None:
        self.executor = executor

    def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
        return self.executor.submit(answer_or_end, *arguments, **named)


def test_a_row_that_ends_every_worker_fails_alone(tmp_path: Path) -> None:
    rows = [
        Row(at, at + 1, {"id": "deadly" if at == 5 else at, "players": [AA, RUN]}, {})
        for at in range(12)
    ]
    job = Job({"game": "plo4"}, (Column("id", "text"), Column("error", "text")), format="csv")
    cluster = Cluster(tmp_path, DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0")
    try:
        # The nanny starts another worker for one that has ended.
        nanny = cluster.worker("--nanny")
        with cluster_pool(cluster.address, 1) as pool:
            deadly = replace(pool, executor=Deadly(pool.executor))
            found = [both for both in answers(job, rows, deadly) if both is not None]
        nanny.terminate()
        nanny.wait()
    finally:
        cluster.end()
    assert [row.number for rows, _ in found for row in rows] == list(range(12))
    ((number, _, problem),) = [one for _, block in found for one in block.state.failures]
    assert number == 5
    assert problem.startswith("its worker was lost: ")
    assert sum(block.state.rows for _, block in found) == 12
