"""From the text of a range to its hands: milliseconds by expression and game.

    python benchmarks/ranges.py

Each is expanded once to warm up, then in five rounds; the median is shown, and
the time of the first range of a game, which lays out all its hands, apart.
"""

from __future__ import annotations

import resource
import statistics
import sys
import time

from equity import Range

EXPRESSIONS = [
    "AA",
    "AA:xxyy",
    "AA,KK:xxyy,QQJJ-9988",
    "AR",
    "TT+!AA",
    "KQJT-T987",
    "$B$B$M$M",
    "AhKh",
    "[2s,Jc,T]AK",
    "*$np$ds",
    "wxy",
    "*!RR",
    "(AA,KK,QQ)!(AAA,KKK)@50,JJ@10",
    "*",
]
ROUNDS = 5


def milliseconds(text: str, game: str) -> float:
    start = time.perf_counter()
    Range(text, game)
    return (time.perf_counter() - start) * 1e3


def main() -> None:
    """Print a column for each number of hole cards."""
    games = ["plo4", "plo5", "plo6"]
    print(f"{'':<32}" + "".join(f"{game:>12}" for game in games))
    first = [milliseconds("AA", game) for game in games]
    print(f"{'the first range':<32}" + "".join(f"{time:>9.1f} ms" for time in first))
    for text in EXPRESSIONS:
        times = []
        for game in games:
            milliseconds(text, game)
            times.append(statistics.median(milliseconds(text, game) for _ in range(ROUNDS)))
        print(f"{text:<32}" + "".join(f"{time:>9.1f} ms" for time in times))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Bytes on macOS, units of 1,024 elsewhere.
    print(f"peak memory {peak / (1 << 30 if sys.platform == 'darwin' else 1 << 20):.2f} GB")


if __name__ == "__main__":
    main()
