"""Batches: seconds of the whole command, kernels warm, and memory of all its processes.

    python -m benchmarks.batch

Hands and boards are dealt at random from a seed.  Memory is the largest sum of the
resident sizes of the command and its workers, looked at twenty times a second; it is
read from /proc, so it is shown on Linux alone.
"""

from __future__ import annotations

import csv
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RANKS, SUITS = "23456789TJQKA", "cdhs"
DECK = [rank + suit for rank in RANKS for suit in SUITS]
ROUNDS = 3
CASES = [
    # what, rows, board cards, players, more options
    ("plo4, two hands, preflop", 1_000, 0, 2, []),
    ("plo4, two hands, river", 10_000, 5, 2, []),
    ("plo4, two hands, river, one process", 10_000, 5, 2, ["--jobs", "1"]),
    ("plo4, six hands, flop", 10_000, 3, 6, []),
    ("a long file, plo4, two hands, river", 100_000, 5, 2, []),
    ("o8, two hands, turn", 100_000, 4, 2, ["-g", "o8"]),
]
OUTPUTS = ["csv", "jsonl", "parquet"]
#: Ranges, and a range of 100 hand classes: aces and rundowns, double suited.
RANGES = "10%|20%|AA:xxyy|KQJT-9876"
CLASSES = "classes:(AA,KQJT-8765,AKQJ):xxyy,7654:wwww"
CROSSES = [
    # what, list of both players, spots, more options
    ("cross product of ranges, flop", RANGES, 16, ["-b", "Kh9h4c"]),
    ("cross product of ranges, turn, exact", RANGES, 16, ["-b", "Kh9h4c2s", "--exact"]),
    ("cross product of 100 classes", CLASSES, 10_000, ["--layout", "matrix"]),
]


def write_spots(path: Path, rows: int, board: int, players: int) -> None:
    """Write random hands on random boards."""
    chance = random.Random(rows)
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "board", *(f"player{at}" for at in range(1, players + 1))])
        for number in range(rows):
            cards = chance.sample(DECK, board + 4 * players)
            hands = ["".join(cards[at : at + 4]) for at in range(board, len(cards), 4)]
            writer.writerow([number, "".join(cards[:board]), *hands])


def resident(pid: int) -> int:
    """Bytes of a process and its children; 0 where that cannot be told."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        children = "".join(
            path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/children")
        )
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE") + sum(map(resident, map(int, children.split())))


def measured(arguments: list[str]) -> tuple[float, int]:
    """Seconds of a command, and the most memory of its processes."""
    start = time.perf_counter()
    most = 0
    with subprocess.Popen([sys.executable, "-m", "equity", *arguments]) as process:
        while process.poll() is None:
            most = max(most, resident(process.pid))
            time.sleep(0.05)
    assert process.returncode == 0
    return time.perf_counter() - start, most


def main() -> None:
    """Print a row for each case and format."""
    print(f"{'':<38}{'rows':>9}{'to':>9}{'seconds':>9}{'rows/s':>9}{'memory':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for what, rows, board, players, more in CASES:
            spots = Path(folder, "spots.csv")
            write_spots(spots, rows, board, players)
            for ending in OUTPUTS if rows == 100_000 else ["csv"]:
                results = str(Path(folder, f"results.{ending}"))
                arguments = ["batch", str(spots), "-o", results, "--force", "-q", *more]
                runs = [measured(arguments) for _ in range(1 if rows == 100_000 else ROUNDS)]
                seconds, memory = min(runs)[0], max(memory for _, memory in runs)
                print(
                    f"{what:<38}{rows:>9,}{ending:>9}{seconds:>9.2f}{rows / seconds:>9,.0f}"
                    f"{memory / 1e6:>6,.0f} MB"
                )
        for what, listed, spots_count, more in CROSSES:
            results = str(Path(folder, "results.csv"))
            seats = ["--players", listed, "--players", listed]
            arguments = ["batch", *seats, "-o", results, "--force", "-q", *more]
            seconds, memory = measured(arguments)
            print(
                f"{what:<38}{spots_count:>9,}{'csv':>9}{seconds:>9.2f}"
                f"{spots_count / seconds:>9,.0f}{memory / 1e6:>6,.0f} MB"
            )


if __name__ == "__main__":
    main()
