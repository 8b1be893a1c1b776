"""Samples: the standard error after a second, and what a second thread brings."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count
from math import sqrt
from time import perf_counter

import pytest

import equity
from benchmarks import peers
from benchmarks.measuring import OURS, Measuring, seconds
from equity.engine.sampling.estimates import SampleTally, equity_errors
from equity.engine.sampling.question import question
from equity.engine.sampling.sampler import Sampler
from equity.results.tally import POT
from equity.rules.games import GAMES, find_game
from equity.spot import read_spot

#: More deals than are ever drawn: what ends a sample is the time.
ENDLESS = 10**15
#: Answers agree within so many standard errors of both.
WITHIN = 5

#: The first range is asked about.
QUESTIONS = {
    "hand v range": ["AhAsKhKsQdJc", "QQ"],
    "range v range": ["AA", "KK"],
    "six-handed": ["AA", *["*"] * 5],
}


def ranges(game: str, name: str) -> tuple[str, ...]:
    """The ranges of a question, with the first cards of a hand for fewer hole cards."""
    first, *rest = QUESTIONS[name]
    return (first[: 2 * find_game(game).hole], *rest)


def draw(players: tuple[str, ...], game: str, budget: float, seed: int) -> peers.Estimate:
    """A sample of ours, from the question to its answer, on one thread."""
    found: list[equity.Result] = []

    def sample() -> None:
        found.append(
            equity.odds(players, game, trials=ENDLESS, budget=budget, seed=seed, threads=1)
        )

    taken = seconds(sample)
    first = found[0].players[0]
    error = (first.std_error or {})["equity"]
    assert error is not None
    return peers.Estimate(first.equity, error, taken)


def error_after(sample: peers.Sample, limit: float, turn: int) -> float:
    """The error after just so many seconds."""
    return sample(limit, turn + 1).after(limit)


def deviation(players: tuple[str, ...], game: str) -> float:
    """The standard deviation of what the first player wins of one pot."""
    first = equity.odds(players, game, trials=100_000, threads=1).players[0]
    deals = sum(first.outcomes_exact.values())
    square = sum(float(part) ** 2 * count for part, count in first.outcomes_exact.items()) / deals
    return sqrt(square - first.equity**2)


@pytest.mark.parametrize("game", [game.name for game in GAMES])
@pytest.mark.parametrize("name", QUESTIONS)
def test_error(measuring: Measuring, their: list[peers.Peer], name: str, game: str) -> None:
    players = ranges(game, name)
    asked = peers.Sampled(game, players, deviation(players, game))
    limit = measuring.sample_seconds
    samples = {peer.name: sample for peer in their if (sample := peer.sample(asked))}
    mine = draw(players, game, limit, 0)
    for other, sample in samples.items():
        found = sample(limit, 0)
        apart = abs(found.equity - mine.equity)
        assert apart < WITHIN * sqrt(found.error**2 + mine.error**2), (other, found, mine)

    samples[OURS] = partial(draw, players, game)
    names = [OURS, *(name for name in samples if name != OURS)]
    sides = {one: partial(error_after, samples[one], limit) for one in names}
    shown = " v ".join([*players[:2]]) + (" and four more" if len(players) > 2 else "")
    measuring.take("samples", (game, name, shown), sides, "error")


@pytest.mark.parametrize("game", [game.name for game in GAMES])
@pytest.mark.parametrize("name", QUESTIONS)
def test_error_once_ready(
    measuring: Measuring, their: list[peers.Peer], name: str, game: str
) -> None:
    players = ranges(game, name)
    asked = peers.Sampled(game, players, deviation(players, game))
    limit = measuring.sample_seconds
    samplers: list[Sampler] = []

    def make_ready() -> None:
        samplers.append(Sampler(question(read_spot(players, game))))

    ready = seconds(make_ready)
    number = count()

    def ours(_: int) -> float:
        total: SampleTally | None = None
        start = perf_counter()
        while perf_counter() < start + limit:
            tally = samplers[0].chunk(next(number))
            total = tally if total is None else total + tally
        taken = perf_counter() - start
        assert total is not None
        share = total.moments[0]["equity"][0] / (POT * total.deals)
        return peers.Estimate(share, equity_errors(total)[0], taken).after(limit)

    sides: dict[str, Callable[[int], float]] = {OURS: ours}
    for peer in their:
        # The others have been seen above, and have nothing to make ready.
        if peer.name == "poker-equity" and (sample := peer.sample(asked)):
            sides[peer.name] = partial(error_after, sample, limit)
    measuring.take("drawn", (game, name, f"{ready:.2f} s"), sides, "error")


@pytest.mark.parametrize("game", ["plo4", "o8"])
def test_sampling_threads(measuring: Measuring, game: str) -> None:
    players = ranges(game, "range v range")
    trials = equity.odds(players, game, trials=ENDLESS, budget=measuring.sample_seconds).deals

    def ours(threads: int) -> float:
        return seconds(lambda: equity.odds(players, game, trials=trials, threads=threads))

    sides = {"1": lambda _: ours(1), "2": lambda _: ours(2)}
    measuring.take("threads", (OURS, f"{game}, AA v KK sampled"), sides, "s")


@pytest.mark.parametrize("game", ["plo4", "o8"])
def test_sampling_threads_of_peers(
    measuring: Measuring, their: list[peers.Peer], game: str
) -> None:
    players = ranges(game, "range v range")
    asked = peers.Sampled(game, players, deviation(players, game))
    found = {
        peer.name: (one, two)
        for peer in their
        if (one := peer.sample(asked, 1)) and (two := peer.sample(asked, 2))
    }
    if not found:
        pytest.skip("no peer has threads")
    limit = measuring.sample_seconds
    ((name, (one, two)),) = found.items()
    # Errors after equal times; the square of their ratio is how many more deals that is.
    sides = {
        "1": lambda turn: error_after(one, limit, turn) ** 2,
        "2": lambda turn: error_after(two, limit, turn) ** 2,
    }
    measuring.take("threads", (name, f"{game}, AA v KK sampled"), sides, "variance")


@pytest.mark.parametrize("text", ["AA:xxyy", "AA", "AA,KK,QQ,JJ"])
@pytest.mark.parametrize("game", ["plo4", "o8"])
def test_sweep_threads(measuring: Measuring, game: str, text: str) -> None:
    player = equity.Range(text, game)

    def ours(threads: int) -> float:
        return seconds(
            lambda: equity.odds([player, player], game, "Kh9h4c", exact=True, threads=threads)
        )

    ours(2)
    sides = {"1": lambda _: ours(1), "2": lambda _: ours(2)}
    measuring.take("threads", (OURS, f"{game}, {text} swept on a flop"), sides, "s")
