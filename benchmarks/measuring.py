"""How a row of the report is measured: all sides in turn, round by round.

What a row says is kept for the report, and beside pytest-benchmark's own figures:
``table`` and ``row`` name it, ``values`` has for each side a number a round.  Ratios
are made of the numbers of one round, so a change in the speed of the machine meets
both sides.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

__all__ = ["OURS", "Measuring", "child", "seconds"]

OURS = "equity"
#: A round of a side takes at least so long, by calling it often enough.
LEAST = 0.05
MOST_CALLS = 2_000


def seconds(function: Callable[[], object], calls: int = 1) -> float:
    """Seconds of a call."""
    start = time.perf_counter()
    for _ in range(calls):
        function()
    return (time.perf_counter() - start) / calls


def child(*arguments: str, environment: Mapping[str, str] | None = None) -> dict[str, float]:
    """Run Python in a process of its own; its ``seconds`` and ``peak`` memory in bytes."""
    launcher = str(Path(__file__).with_name("child.py"))
    done = subprocess.run(
        [sys.executable, "-S", launcher, sys.executable, *arguments],
        check=True,
        capture_output=True,
        text=True,
        env=environment,
    )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


class Measuring:
    """The measuring of one row, by the ``benchmark`` fixture."""

    def __init__(
        self, benchmark: Any, rounds: int, sample_seconds: float, rows: list[dict[str, Any]]
    ) -> None:
        self.benchmark = benchmark
        self.rounds = rounds
        self.sample_seconds = sample_seconds
        self.rows = rows

    def race(
        self,
        table: str,
        row: Sequence[object],
        ours: Callable[[], object],
        theirs: Mapping[str, Callable[[], object]] | None = None,
    ) -> None:
        """Seconds a call of both sides."""
        others = {name: (function, _calls(function)) for name, function in (theirs or {}).items()}
        calls = _calls(ours)
        values: dict[str, list[float]] = {name: [] for name in others}

        def their_turn() -> None:
            for name, (function, number) in others.items():
                values[name].append(seconds(function, number))

        def our_turn() -> None:
            for _ in range(calls):
                ours()

        self.benchmark.pedantic(our_turn, setup=their_turn, rounds=self.rounds)
        if self.benchmark.stats is None:
            pytest.skip("nothing is measured")
        mine = [turn / calls for turn in self.benchmark.stats.stats.data]
        self.keep(table, row, {OURS: mine, **values}, unit="s")

    def take(
        self,
        table: str,
        row: Sequence[object],
        sides: Mapping[str, Callable[[int], float]],
        unit: str,
        **more: object,
    ) -> dict[str, list[float]]:
        """Some other number of each side, by the number of the round."""
        values: dict[str, list[float]] = {name: [] for name in sides}

        def turn() -> None:
            for name, side in sides.items():
                values[name].append(side(len(values[name])))

        self.benchmark.pedantic(turn, rounds=self.rounds)
        self.keep(table, row, values, unit, **more)
        return values

    def keep(
        self,
        table: str,
        row: Sequence[object],
        values: Mapping[str, Sequence[Any]],
        unit: str,
        **more: object,
    ) -> None:
        """Keep a row for the report."""
        self.benchmark.group = table
        kept = {
            "table": table,
            "row": [str(part) for part in row],
            "unit": unit,
            "values": {name: list(numbers) for name, numbers in values.items()},
            **more,
        }
        self.benchmark.extra_info.update(kept)
        self.rows.append(kept)


def _calls(function: Callable[[], object]) -> int:
    """How often to call in a round; what is quick is called once before, to be warm."""
    once = seconds(function)
    if once < LEAST:
        once = seconds(function)
    return max(1, min(MOST_CALLS, int(LEAST / max(once, 1e-9))))
