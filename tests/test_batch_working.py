"""Worker processes: tasks, errors, deaths and ends."""

from __future__ import annotations

import sys
import threading
import time
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from batch_deadly import answer_or_end, end, fail
from batch_tools import call, spots, write_csv

from equity.batching.columns import Column
from equity.batching.job import Job
from equity.batching.rows import Row
from equity.batching.stream import Pool, answers
from equity.batching.worker_pool import WorkerError, WorkerLostError, Workers

AA, RUN = "AhAsKhKs", "9c8c7d6d"


def test_tasks_and_their_errors() -> None:
    with Workers(2) as workers:
        futures = [workers.submit(pow, number, 2) for number in range(20)]
        assert [future.result() for future in futures] == [number**2 for number in range(20)]
        assert workers.submit(fail, kind="odd").result() == "odd"
        with pytest.raises(ValueError, match="no value"):
            workers.submit(fail, "value").result()
        with pytest.raises(SystemExit):
            workers.submit(fail, "exit").result()
        with pytest.raises(TypeError, match="lock"):
            workers.submit(fail, "lock").result()
        with pytest.raises(Exception, match="pickle"):
            workers.submit(threading.Lock().acquire).result()
        assert workers.submit(pow, 2, 5).result() == 32
        assert 1 <= len(workers.pids) <= 2
    with pytest.raises(RuntimeError, match="shut down"):
        workers.submit(pow, 2, 2)
    assert workers.pids == []


def test_a_task_is_tried_again_when_its_process_ends(tmp_path: Path) -> None:
    with Workers(1) as workers:
        assert workers.submit(end, str(tmp_path / "twice")).result() == 3
        with pytest.raises(WorkerLostError, match="3 times"):
            workers.submit(answer_or_end, Job(), [Row(0, 1, {"id": "deadly"}, {})]).result()
        assert workers.submit(pow, 2, 2).result() == 4


def test_leaving_the_block_ends_what_is_under_way() -> None:
    start = time.monotonic()
    with Workers(2) as workers:
        assert workers.submit(pow, 1, 1).result() == 1
        slow = [workers.submit(time.sleep, 60) for _ in range(5)]
    assert time.monotonic() < start + 30
    assert all(future.done() for future in slow)
    with Workers(2) as workers:
        workers.submit(pow, 1, 1)
        workers.shutdown()
        assert workers.pids == []


class Deadly(Workers):
    """Workers that some rows are the end of."""

    def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
        return super().submit(answer_or_end, *arguments, **named)


def test_a_row_that_ends_every_process_fails_alone() -> None:
    rows = [
        Row(at, at + 1, {"id": "deadly" if at == 5 else at, "players": [AA, RUN]}, {})
        for at in range(12)
    ]
    job = Job({"game": "plo4"}, (Column("id", "text"), Column("error", "text")), format="csv")
    with Deadly(2) as workers:
        pool = Pool(workers, lambda: 2, (WorkerLostError,))
        found = [both for both in answers(job, rows, pool) if both is not None]
    assert [row.number for rows, _ in found for row in rows] == list(range(12))
    lines = "".join(block.text for _, block in found).splitlines()
    ((number, place, problem),) = [one for _, block in found for one in block.state.failures]
    assert (number, place) == (5, "line 6")
    assert problem.startswith("its worker was lost: its worker process died 3 times")
    assert lines == [f"{at}," if at != 5 else f"deadly,{problem}" for at in range(12)]
    (block,) = [block for _, block in found if block.failed]
    assert [(row, transient) for row, _, transient in block.failed.rows()] == [(5, True)]


def test_workers_that_do_not_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = write_csv(tmp_path / "s.csv", list(spots(9)))
    arguments = ["batch", source, "-o", tmp_path / "r.csv", "--jobs", "2"]
    with monkeypatch.context() as patch:
        for program, words in (("false", "die as soon as"), ("/none", "No such file")):
            patch.setattr(sys, "executable", program)
            with Workers(1) as workers, pytest.raises((WorkerError, OSError), match=words):
                workers.submit(pow, 1, 1).result()
            done = call(*arguments, "--resume")
            assert done.code == 1
            assert words in done.stderr
            assert len(done.stderr.splitlines()) == 1
    assert call(*arguments, "--resume", "--jobs", "1").code == 0
