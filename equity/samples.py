"""Deals drawn at random until the answer is good enough.

Chunks are numbered, each with random numbers of its own, and looked at in order;
where to stop is decided in that order, and what was drawn beyond it is dropped.
So a seed gives the same integers with any number of threads.  Only a stop by
time cannot be repeated; the deals that it came to can be asked for.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import count
from time import perf_counter
from uuid import uuid4

from equity import methods, sampling
from equity.errors import MergeError
from equity.how import DEFAULT_ERROR, How, Progress
from equity.kernels.sampling_records import SAMPLE
from equity.result import Result
from equity.runs import Kept, in_order, pool, worker_threads
from equity.spot import Spot
from equity.spreads import Spread

__all__ = ["Drawn", "draw"]

#: Seconds between two reports of progress.
REPORT_EVERY = 0.1


@dataclass(frozen=True)
class Drawn:
    """What was drawn, with the seed and chunks that it was drawn from."""

    sums: sampling.SampleTally
    #: What tells the errors of the split.
    spread: Spread
    #: Pairs of a seed and its number of chunks, from chunk 0 on.
    drawn: tuple[tuple[int, int], ...]

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds that were drawn with."""
        return tuple(seed for seed, _ in self.drawn)

    def errors(self, has_low: bool) -> list[dict[str, float | None]]:
        """For each player the standard errors of his shares, by name."""
        return [
            {
                name: None if name == "low" and not has_low else share.error
                for name, share in shares.items()
            }
            for shares in sampling.estimate(self.sums)
        ]

    def split_errors(self) -> list[dict[str, float | None]]:
        """For each player the standard errors of parts of the pot, wins and ties."""
        return [self.spread.errors(player) for player in range(len(self.spread.shares))]

    def __add__(self, other: Drawn) -> Drawn:
        twice = set(self.seeds) & set(other.seeds)
        if twice:
            raise MergeError(
                f"both samples have drawn with the seed {min(twice)}, so they share deals",
                hint="give each sample a seed of its own",
            )
        return Drawn(self.sums + other.sums, self.spread + other.spread, self.drawn + other.drawn)


def draw(spot: Spot, how: How) -> Result:
    """The answer of a sample."""
    SAMPLE.prepare()
    start = reported = perf_counter()
    question = methods.question(spot)
    sampler = sampling.Sampler(question, how.seed)
    chunk = sampler.chunk
    if how.executor is not None:
        # Another process makes the sampler again, once.
        job = _Job(uuid4().hex, question, how.seed, sampler.hands_a_board)
        chunk = partial(_remote_chunk, job)
    threads = worker_threads(how.threads, how.executor)
    wanted = how.error
    if wanted is None and how.trials is None:
        wanted = DEFAULT_ERROR
    sums: sampling.SampleTally | None = None
    spread: Spread | None = None
    chunks = 0
    interrupted = False

    def result(total: sampling.SampleTally) -> Result:
        drawn = Drawn(total, spread or Spread.of(total.tally), ((how.seed, chunks),))
        elapsed = perf_counter() - start
        return Result(spot, total.tally, total.deals, elapsed, "sample", interrupted, drawn)

    try:
        with (
            pool(how.executor, threads) as executor,
            closing(in_order(executor, chunk, count(), 2 * threads)) as tallies,
        ):
            for tally in tallies:
                sums = tally if sums is None else sums + tally
                mine = Spread.of(tally.tally)
                spread = mine if spread is None else spread + mine
                chunks += 1
                done = _part_done(sums, wanted, how, perf_counter() - start)
                if done >= 1:
                    break
                if how.progress and perf_counter() > reported + REPORT_EVERY and sums.deals:
                    reported = perf_counter()
                    how.progress(Progress(done, result(sums)))
    except KeyboardInterrupt:
        if sums is None or not sums.deals:
            raise
        interrupted = True
    return result(sums or sampler.chunk(0))


def _part_done(sums: sampling.SampleTally, error: float | None, how: How, elapsed: float) -> float:
    """How much of the sample is drawn: 1 when it may stop."""
    parts = []
    if how.trials is not None:
        parts.append(sums.deals / how.trials)
    if how.budget is not None and sums.deals:
        parts.append(elapsed / how.budget)
    if error is not None:
        worst = max(shares["equity"].error for shares in sampling.estimate(sums))
        part = (error / worst) ** 2 if worst else 1.0
        parts.append(part if sampling.may_stop(sums) else min(part, 0.99))
    return max(parts)


@dataclass(frozen=True)
class _Job:
    """What a process needs to make chunks; the name tells jobs apart."""

    name: str
    question: sampling.Question
    seed: int
    hands_a_board: int


_samplers: Kept[sampling.Sampler] = Kept()


def _remote_chunk(job: _Job, number: int) -> sampling.SampleTally:
    """A chunk, in a process that keeps the sampler of the job."""
    make = partial(sampling.Sampler, job.question, job.seed, hands_a_board=job.hands_a_board)
    return _samplers.get(job.name, make).chunk(number)
