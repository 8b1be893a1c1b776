"""Hands against hands: this package and poker-equity, side by side in one run.

    pip install '.[peers]' && python benchmarks/hands.py

Both count every board; their answers are compared before they are timed.  The
rounds alternate, so that a change in the speed of the machine meets both.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import poker_equity

import equity

SPOTS = [
    # game, the peer's name for it, hands, board
    ("plo4", "omaha", ["AhAsKhKs", "9c8c7d6d"], ""),
    ("plo4", "omaha", ["AhAsKhKs", "9c8c7d6d", "QhJhTd9d"], ""),
    ("plo4", "omaha", ["AhAsKhKs", "9c8c7d6d"], "2c3d4h"),
    ("o8", "omaha_hi_lo", ["AhAsKhKs", "9c8c7d6d"], ""),
    ("o8", "omaha_hi_lo", ["AhAsKhKs", "9c8c7d6d", "QhJhTd9d"], ""),
    ("o8", "omaha_hi_lo", ["AhAsKhKs", "9c8c7d6d"], "2c3d4h"),
]
ALONE = [
    ("plo5", ["AhAsKhKsQd", "9c8c7d6d5h"], ""),
    ("bigo", ["AhAsKhKsQd", "9c8c7d6d5h"], ""),
    ("plo6", ["AhAsKhKsQdJc", "9c8c7d6d5h4s"], ""),
    ("plo6-8", ["AhAsKhKsQdJc", "9c8c7d6d5h4s"], ""),
    ("plo4", ["AhAsKhKs", "9c8c7d6d", "QhJhTd9d", "2c3c4d5d", "Ac2dKc3s", "QsQdJsTs"], ""),
    ("o8", ["AhAsKhKs", "9c8c7d6d", "QhJhTd9d", "2c3c4d5d", "Ac2dKc3s", "QsQdJsTs"], ""),
]
ROUNDS = 5


def seconds(function: Callable[[], object], repeat: int) -> float:
    """Seconds a call, over ``repeat`` calls."""
    start = time.perf_counter()
    for _ in range(repeat):
        function()
    return (time.perf_counter() - start) / repeat


def main() -> None:
    """Print a row for each spot."""
    print(f"{'game':<8}{'players':>8}{'board':>8}{'equity':>12}{'peer':>12}{'ratio (range)':>26}")
    for game, variant, hands, board in SPOTS:

        def ours(
            hands: list[str] = hands, game: str = game, board: str = board
        ) -> tuple[float, ...]:
            return equity.odds(hands, game, board).equities

        def theirs(
            variant: str = variant, hands: list[str] = hands, board: str = board
        ) -> list[float]:
            players = poker_equity.exact_from_text(variant, hands, board)["players"]
            return [player["equity"] for player in players]

        for mine, peer in zip(ours(), theirs(), strict=True):
            assert abs(mine - peer) < 1e-9, (hands, mine, peer)
        rounds = [
            (seconds(ours, 300), seconds(theirs, 1 if not board else 20)) for _ in range(ROUNDS)
        ]
        ratios = sorted(peer / mine for mine, peer in rounds)
        mine = statistics.median(mine for mine, _ in rounds)
        peer = statistics.median(peer for _, peer in rounds)
        print(
            f"{game:<8}{len(hands):>8}{board or '-':>8}{mine * 1e3:>9.3f} ms{peer * 1e3:>9.1f} ms"
            f"{statistics.median(ratios):>10.0f}x ({ratios[0]:.0f} to {ratios[-1]:.0f})"
        )
    for game, hands, board in ALONE:
        mine = min(
            seconds(lambda h=hands, g=game, b=board: equity.odds(h, g, b).equities, 200)
            for _ in range(ROUNDS)
        )
        print(f"{game:<8}{len(hands):>8}{board or '-':>8}{mine * 1e3:>9.3f} ms")


if __name__ == "__main__":
    main()
