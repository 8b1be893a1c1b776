"""Commands and workers that are killed or interrupted."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest
from batch_faults import AA, RUN
from batch_tools import call, read_csv, write_json

from equity.batching import journal


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
    arguments = [*command, "batch", str(source), "-o", str(tmp_path / "r.csv"), "--jobs", "2", "-q"]
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
    arguments = ["batch", str(source), "-o", str(tmp_path / "r.csv"), "--jobs", "2", "-q"]
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
        assert errors == "equity: interrupted; continue with --resume\n"
        state = journal.read(tmp_path / "r.csv.journal").state
        assert 0 < state.rows < 4_000
        # All that is in the file is safe, and is not done again.
        assert target.stat().st_size == state.size
        assert call(*arguments, "--resume").code == 0
        assert [row["n"] for row in read_csv(target)] == [str(number) for number in range(4_000)]
        target.unlink()
        (tmp_path / "r.csv.journal").unlink()
        assert os.listdir(tmp_path) == ["s.jsonl"]
