"""The command: how it starts, how fast it works through a file; and peak memory."""

from __future__ import annotations

import csv
import os
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import equity
from benchmarks import peers
from benchmarks.measuring import OURS, Measuring, child

RIVER = "5s2h9hJd3c"
QUESTION = peers.Known("plo4", ("AhAsKhKs", "9c8c7d6d"), RIVER)
#: Seconds for a peer's rows in a round.
PEER_TIME = 1.0
#: A file has at most so many rows here.
MOST_ROWS = 100_000


def module(*arguments: str, folder: str | None = None) -> float:
    """Seconds of the command in a fresh process."""
    environment = {**os.environ}
    if folder is not None:
        environment["EQUITY_CACHE_DIR"] = folder
    return child("-m", "equity", *arguments, environment=environment)["seconds"]


def started(script: str, _: int) -> float:
    """Seconds of a script in a fresh process."""
    return child("-c", script)["seconds"]


STARTS = {
    "known hands": ["odds", *QUESTION.hands, "-b", RIVER],
    "ranges": ["odds", "AA", "KK", "-b", RIVER],
}


@pytest.mark.parametrize("what", STARTS)
def test_start_warm(measuring: Measuring, their: list[peers.Peer], what: str) -> None:
    module(*STARTS[what])
    sides: dict[str, Callable[[int], float]] = {OURS: lambda _: module(*STARTS[what])}
    if what == "known hands":
        for peer in their:
            if script := peer.script(QUESTION):
                sides[peer.name] = partial(started, script)
    sides["python alone"] = partial(started, "pass")
    measuring.take("start", (what, "warm"), sides, "s")


@pytest.mark.parametrize("what", STARTS)
def test_start_cold(measuring: Measuring, what: str) -> None:
    def cold(_: int) -> float:
        with tempfile.TemporaryDirectory() as folder:
            return module(*STARTS[what], "-q", folder=folder)

    measuring.take("start", (what, "cold, kernels are compiled"), {OURS: cold}, "s")


MEMORY = {
    "import": ("import equity", "import poker_equity"),
    "known hands before the flop": (
        "import equity; equity.odds(['AhAsKhKs', '9c8c7d6d'])",
        "import poker_equity as p; p.exact_from_text('omaha', ['AhAsKhKs', '9c8c7d6d'])",
    ),
    "AA v KK, sampled": (
        "import equity; equity.odds(['AA', 'KK'], trials=1000000)",
        "import poker_equity as p; p.chunk_from_text('omaha', ['AA**', 'KK**'], samples=1000000)",
    ),
    "AA v five random, o8, sampled": (
        "import equity; equity.odds(['AA', *['*'] * 5], 'o8', trials=1000000)",
        "import poker_equity as p; p.chunk_from_text('omaha_hi_lo', ['AA**', *['****'] * 5],"
        " samples=300000)",
    ),
    "27,628 v 31,784 hands, swept on a flop": (
        "import equity; equity.odds(['AA,KK,QQ,JJ', 'A2,A3'], board='Kh9h4c', exact=True)",
        "",
    ),
    "45,896 v 45,896 hands of five, swept on a flop": (
        "import equity; equity.odds(['AAK,AAQ', 'KKQ,KKJ'], 'plo5', board='Kh9h4c', exact=True)",
        "",
    ),
    "every hand of four": ("import equity; equity.Range('*')", ""),
    "every hand of five": ("import equity; equity.Range('*', 'plo5')", ""),
    "every hand of six": ("import equity; equity.Range('*', 'plo6')", ""),
}


@pytest.mark.parametrize("what", MEMORY)
def test_memory(measuring: Measuring, their: list[peers.Peer], what: str) -> None:
    ours, theirs = MEMORY[what]
    sides: dict[str, Callable[[int], float]] = {OURS: lambda _: child("-c", ours)["peak"]}
    if theirs and "poker-equity" in {peer.name for peer in their}:
        sides["poker-equity"] = lambda _: child("-c", theirs)["peak"]
    measuring.take("memory", (what,), sides, "B")


def _cases() -> list[tuple[str, int, int, int, list[str]]]:
    try:
        from benchmarks import batch

        return list(batch.CASES)
    except (ImportError, AttributeError):
        return []


@pytest.mark.parametrize("case", _cases(), ids=lambda case: case[0])
def test_batch(
    measuring: Measuring,
    their: list[peers.Peer],
    case: tuple[str, int, int, int, list[str]],
    tmp_path: Path,
) -> None:
    from benchmarks import batch

    what, rows, board, players, more = case
    rows = min(rows, MOST_ROWS)
    spots, results = tmp_path / "spots.csv", tmp_path / "results.csv"
    batch.write_spots(spots, rows, board, players)
    arguments = ["batch", str(spots), "-o", str(results), "--force", "-q", *more]
    memory: list[int] = []

    def ours(_: int) -> float:
        taken, peak = batch.measured(arguments)
        memory.append(peak)
        return float(rows / taken)

    with spots.open(newline="") as file:
        lines = list(csv.DictReader(file))
    game = more[more.index("-g") + 1] if "-g" in more else "plo4"
    questions = [
        peers.Known(game, tuple(line[f"player{at}"] for at in range(1, players + 1)), line["board"])
        for line in lines
    ]
    sides: dict[str, Callable[[int], float]] = {OURS: ours}
    for peer in their:
        if (count := peer.count(questions[0])) is None:
            continue
        mine = equity.odds(questions[0].hands, game, questions[0].board).equities
        assert count() == pytest.approx(mine, abs=1e-9), peer.name
        sides[peer.name] = partial(rows_a_second, peer, questions)
    measuring.take("batch", (what, f"{rows:,}"), sides, "/s", memory=memory)


def rows_a_second(peer: peers.Peer, questions: list[peers.Known], _: int) -> float:
    """What a plain loop over the rows does, on one processor, reading and writing left out."""
    done = 0
    start = time.perf_counter()
    while time.perf_counter() < start + PEER_TIME:
        count = peer.count(questions[done % len(questions)])
        assert count is not None
        count()
        done += 1
    return done / (time.perf_counter() - start)
