"""Batches from Python, and large spots that are shared."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from batch_tools import (
    check_row,
    spots,
)

import equity
from equity.batching.columns import Column
from equity.batching.job import Job
from equity.batching.rows import Row
from equity.batching.stream import answers, local_pool

AA, RUN = "AhAsKhKs", "9c8c7d6d"


def test_from_python_it_is_lazy(tmp_path: Path) -> None:
    taken: list[int] = []

    def endless() -> Any:
        for number in itertools.count():
            taken.append(number)
            yield {"id": number, "players": [AA, RUN], "board": "Kd9h4c2s"}

    for jobs in (1, 2):
        taken.clear()
        answers = equity.batch(endless(), jobs=jobs)
        assert [next(answers).id for _ in range(3)] == [0, 1, 2]
        assert len(taken) < 200
        assert isinstance(answers, Generator)
        answers.close()
    found = list(equity.batch([[AA, RUN], (equity.Range("AA"), RUN)], board="Kd9h4c"))
    assert [answer.id for answer in found] == [1, 2]
    for answer, players in zip(found, [[AA, RUN], ["AA", RUN]], strict=True):
        assert answer.result is not None
        assert answer.result.tally == equity.odds(players, board="Kd9h4c").tally
        check_row({**answer.to_dict(), "error": ""}, answer.result)
    assert list(equity.batch([])) == []


def test_from_python_with_an_executor() -> None:
    some = list(spots(30))
    with ThreadPoolExecutor(2) as executor:
        found = list(equity.batch(some, executor=executor, jobs=2))
    alone = list(equity.batch(some, jobs=1))
    assert [answer.to_dict() for answer in found] == [answer.to_dict() for answer in alone]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"spots": "AA"}, ["spots", "a list"]),
        ({"spots": {"players": [AA]}}, ["spots"]),
        ({"spots": [], "game": "chess"}, ["'chess'"]),
        ({"spots": [], "board": "K?"}, ["board"]),
        ({"spots": [], "dead": "KhKh"}, ["Kh"]),
        ({"spots": [], "trials": 0}, ["trials"]),
        ({"spots": [], "jobs": 0}, ["0 is too small"]),
        ({"spots": [], "ordering": "none"}, ["'none'"]),
    ],
)
def test_wrong_options_from_python(arguments: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(equity.EquityError) as caught:
        equity.batch(**arguments)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize("jobs", [1, 2])
def test_large_spots_are_shared_and_give_the_same(jobs: int) -> None:
    columns = (
        Column("id", "text"),
        Column("weight", "big"),
        Column("player1_equity_exact", "text"),
    )
    small: list[dict[str, Any]] = [
        {"players": ["AA:xxyy", "KQJT"], "board": "Kh9h4c", "exact": "true"},
        {"players": [AA, RUN]},
        {"players": ["AAxx", "QQ"], "exact": "true"},
        {"players": ["AA", "KK", "QQ"], "board": "Kh9h4c", "trials": 100_000},
    ]
    rows = [Row(at, at, values, {}) for at, values in enumerate(small * 2)]
    found = []
    for large in (0, 1 << 60):
        job = Job({"game": "plo4"}, columns, format="csv", large=large)
        pool = local_pool(jobs)
        with pool.executor:
            done = [both for both in answers(job, rows, pool) if both is not None]
        assert [row.number for rows, _ in done for row in rows] == list(range(8))
        found.append("".join(block.text for _, block in done))
    assert found[0] == found[1]


def test_an_interrupt_in_the_middle_of_a_spot_ends_all() -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    rows = [Row(0, 0, {"players": ["AA:xxyy", "KQJT"], "board": "Kh9h4c"}, {})]
    # The engine would give what it has; half an answer is none here.
    job = Job({"game": "plo4"}, large=0)
    with pytest.raises(KeyboardInterrupt):
        list(answers(job, rows, local_pool(1), interrupt))


def test_a_script_needs_no_guard(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import equity\n"
        f"for answer in equity.batch([['{AA}', '{RUN}']] * 3, jobs=2):\n"
        "    print(answer.id, answer.result.equities_exact[0])\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n") == [f"{at} 326093/543004" for at in (1, 2, 3)] + [""]
    assert done.stderr == ""
    # Nor does it wait for what it does not want.
    script.write_text(
        "import equity, itertools\n"
        f"answers = equity.batch(itertools.repeat(['{AA}', '{RUN}']), jobs=2)\n"
        "print(next(answers).id)\n"
    )
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, check=True, timeout=60
    )
    assert (done.stdout, done.stderr) == ("1\n", "")
