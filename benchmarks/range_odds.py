"""Ranges against ranges: exact by N and by street, and sampled beside poker-equity.

    pip install '.[peers]' && python benchmarks/range_odds.py

The worth of a sample is 1 / (seconds x squared standard error): how many deals of
error 1 a second it stands for.  Both draw with one thread, in turn, for at least a
second a round; ratios are medians of five rounds with the least and the most.  The
peer's ranges are patterns of cards, so its "AA" is drawn as two aces and two other
cards; answers are checked to agree within their errors.
"""

from __future__ import annotations

import statistics
import time

import poker_equity

import equity
from equity import methods, sampling
from equity.spot import read_spot

ROUNDS = 5
SECONDS = 1.0

SAMPLED = [
    ("AA v KK", ["AA", "KK"], ["AA**", "KK**"]),
    ("all v all", ["*", "*"], ["****", "****"]),
    ("AA v five random", ["AA", *["*"] * 5], ["AA**", *["****"] * 5]),
]
VARIANTS = [("plo4", "omaha"), ("o8", "omaha_hi_lo")]

WIDE = {
    "plo4": ("AA,KK,QQ,JJ", "A2,A3"),
    "o8": ("AA,KK,QQ,JJ", "A2,A3"),
    "plo5": ("AAK,AAQ", "KKQ,KKJ"),
}
BOARDS = {"river": "Kh9h4c2s7d", "turn": "Kh9h4c2s", "flop": "Kh9h4c"}


def worth_of_ours(sampler: sampling.Sampler, shift: int) -> tuple[float, float, float]:
    """Deals of error 1 a second, the first player's equity and its error."""
    start, chunk, total = time.perf_counter(), shift * 100_000, None
    while time.perf_counter() < start + SECONDS:
        tally = sampler.chunk(chunk)
        total = tally if total is None else total + tally
        chunk += 1
    seconds = time.perf_counter() - start
    assert total is not None
    share = sampling.estimate(total)[0]["equity"]
    return 1 / (seconds * share.error**2), float(share.value), share.error


def worth_of_theirs(
    variant: str, hands: list[str], samples: int, seed: int
) -> tuple[float, float, float]:
    """The same of the peer."""
    start = time.perf_counter()
    found = poker_equity.chunk_from_text(variant, hands, samples=samples, seed=seed, threads=1)
    seconds = time.perf_counter() - start
    player = found["players"][0]
    return 1 / (seconds * player["std_error"] ** 2), player["equity"], player["std_error"]


def sampled() -> None:
    print(f"{'sampled, one thread':<28}{'worth of ours':>16}{'of the peer':>14}{'ratio':>24}")
    for name, players, patterns in SAMPLED:
        for game, variant in VARIANTS:
            question = methods.question(read_spot(players, game))
            sampler = sampling.Sampler(question)
            sampler.chunk(0)
            start = time.perf_counter()
            poker_equity.chunk_from_text(variant, patterns, samples=20_000, threads=1)
            samples = int(20_000 * SECONDS / (time.perf_counter() - start))
            rounds = []
            for number in range(ROUNDS):
                mine = worth_of_ours(sampler, number + 1)
                peer = worth_of_theirs(variant, patterns, samples, number)
                assert abs(mine[1] - peer[1]) < 6 * (mine[2] + peer[2]), (mine, peer)
                rounds.append((mine[0], peer[0]))
            ratios = sorted(mine / peer for mine, peer in rounds)
            ours, theirs = (statistics.median(column) for column in zip(*rounds, strict=True))
            print(
                f"{name + ', ' + game:<28}{ours:>16,.0f}{theirs:>14,.0f}"
                f"{statistics.median(ratios):>9.1f}x ({ratios[0]:.1f} to {ratios[-1]:.1f})"
            )


def milliseconds(players: list[equity.Range], board: str, threads: int = 1) -> float:
    """The best of three exact answers."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        equity.odds(players, players[0].game, board, exact=True, threads=threads)
        times.append(time.perf_counter() - start)
    return min(times) * 1e3


def exact() -> None:
    print(f"\n{'exact, one thread':<32}{'hands':>18}" + "".join(f"{s:>12}" for s in BOARDS))
    for game, texts in WIDE.items():
        players = [equity.Range(text, game) for text in texts]
        sizes = " v ".join(f"{len(player):,}" for player in players)
        row = "".join(f"{milliseconds(players, board):>9.0f} ms" for board in BOARDS.values())
        print(f"{game + ' ' + ' v '.join(texts):<32}{sizes:>18}{row}")
    print("\nby N on a flop, one thread and two")
    for text in ("AA:xxyy", "AAK,AAQ", "AA", "AA,KK", "AA,KK,QQ,JJ", "A"):
        player = equity.Range(text)
        one, two = (
            milliseconds([player, player], BOARDS["flop"], threads=threads) for threads in (1, 2)
        )
        ratio = one / two
        print(f"{len(player):>9,} v the same {one:>9.1f} ms {two:>9.1f} ms  {ratio:.2f}x")


def main() -> None:
    """Print all."""
    sampled()
    exact()


if __name__ == "__main__":
    main()
