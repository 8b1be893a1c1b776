"""Deals drawn at random until the answer is good enough.

Chunks are numbered, each with random numbers of its own, and looked at in order;
where to stop is decided in that order, and what was drawn beyond it is dropped.
So a seed gives the same integers with any number of threads.  Only a stop by
time cannot be repeated; the deals that it came to can be asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import count
from time import perf_counter
from uuid import uuid4

from equity.engine import planner, sampling
from equity.engine.executor import Kept, in_order, pool, worker_threads
from equity.engine.options import DEFAULT_ERROR, How, Progress
from equity.errors import MergeError
from equity.kernels.sampling_records import POT_SHARES, SAMPLE
from equity.results.result import Result
from equity.spot import Spot

__all__ = ["Drawn", "draw", "most_deals"]

#: Seconds between two reports of progress.
REPORT_EVERY = 0.1
#: A sample of some trials has so many deals more at most, or a tenth of them.
SPARE_DEALS = 100_000
#: A sample of some trials that few draws have deals for goes on for so many chunks at
#: most: about a second.
MOST_CHUNKS = 50


@dataclass(frozen=True)
class Drawn:
    """What was drawn, with the seed and chunks that it was drawn from."""

    sums: sampling.SampleTally
    #: Pairs of a seed and its number of chunks, from chunk 0 on.
    drawn: tuple[tuple[int, int], ...]
    #: What every equity's standard error is at most; None if the sample ended for
    #: another reason.
    error_target: float | None = None

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds that were drawn with."""
        return tuple(seed for seed, _ in self.drawn)

    @property
    def no_low_error(self) -> float | None:
        """The standard error of the part of deals on which nobody has a low."""
        return sampling.standard_error(self.sums, 0, "no_low")

    def errors(self, has_low: bool) -> list[dict[str, float | None]]:
        """For each player the standard errors of his shares, by name."""
        return [
            {
                name: None
                if name == "low" and not has_low
                else sampling.standard_error(self.sums, player, figure)
                for name, figure in sampling.SHARES.items()
            }
            for player in range(len(self.sums.moments))
        ]

    def split_errors(self) -> list[dict[str, float | None]]:
        """For each player the standard errors of parts of the pot, wins and ties.

        By the part as text, ``"3/4"``, with ``other`` for all that are not quarters.
        """
        left_out = (*POT_SHARES, "no_low")
        return [
            {
                name: sampling.standard_error(self.sums, player, name)
                for name in moments
                if name not in left_out
            }
            for player, moments in enumerate(self.sums.moments)
        ]

    def __add__(self, other: Drawn) -> Drawn:
        twice = set(self.seeds) & set(other.seeds)
        if twice:
            raise MergeError(
                f"both samples have drawn with the seed {min(twice)}, so they share deals",
                hint="give each sample a seed of its own",
            )
        targets = [one.error_target for one in (self, other) if one.error_target]
        # Two samples together are better than each.
        target = max(targets) if len(targets) == 2 else None
        return Drawn(self.sums + other.sums, self.drawn + other.drawn, target)


def draw(spot: Spot, how: How) -> Result:
    """The answer of a sample."""
    SAMPLE.prepare()
    start = reported = perf_counter()
    question = planner.question(spot)
    sampler = sampling.Sampler(question, how.seed)
    chunk: Callable[[int], sampling.SampleTally] = sampler.chunk
    if how.executor is not None:
        # Another process makes the sampler again, once.
        job = _Job(uuid4().hex, question, how.seed, sampler.paces)
        chunk = partial(_remote_chunk, job)
    threads = worker_threads(how.threads, how.executor)
    wanted = how.error
    if wanted is None and how.trials is None:
        wanted = DEFAULT_ERROR
    sums: sampling.SampleTally | None = None
    chunks = 0
    interrupted = False
    reached: float | None = None

    def result(total: sampling.SampleTally) -> Result:
        drawn = Drawn(total, ((how.seed, chunks),), reached)
        elapsed = perf_counter() - start
        return Result(spot, total.tally, total.deals, elapsed, "sample", interrupted, drawn)

    try:
        with (
            pool(how.executor, threads) as executor,
            closing(in_order(executor, chunk, count(), 2 * threads)) as tallies,
        ):
            for tally in tallies:
                sums = _added(sums, tally, chunks, sampler, how.trials)
                chunks += 1
                done = _part_done(sums, wanted, how, perf_counter() - start)
                if done >= 1 and not _goes_on(sums, chunks, how):
                    reached = wanted if _is_within(sums, wanted) else None
                    break
                if how.progress and perf_counter() > reported + REPORT_EVERY and sums.deals:
                    reported = perf_counter()
                    how.progress(Progress(min(done, 0.99), result(sums)))
    except KeyboardInterrupt:
        if sums is None or not sums.deals:
            raise
        interrupted = True
    return result(sums or sampler.chunk(0))


def most_deals(trials: int) -> int:
    """The most deals of a sample of so many."""
    return trials + max(trials // 10, SPARE_DEALS)


def _added(
    sums: sampling.SampleTally | None,
    tally: sampling.SampleTally,
    number: int,
    sampler: sampling.Sampler,
    trials: int | None,
) -> sampling.SampleTally:
    """The sample with one chunk more, or with the beginning of it if all is too much."""
    before = sums.deals if sums else 0
    if trials is not None and before + tally.deals > most_deals(trials):
        # One part in twenty too many, so that this mostly is the end.
        wanted = max(1, trials - before) * 21 // 20
        draws = max(1, min(-(-tally.draws * wanted // tally.deals), tally.draws))
        tally = sampler.chunk(number, draws)
    return tally if sums is None else sums + tally


def _goes_on(sums: sampling.SampleTally, chunks: int, how: How) -> bool:
    """Whether a sample has its deals, but too few draws to tell its errors, and may have more."""
    if how.trials is None or how.budget is not None or sampling.is_known(sums):
        return False
    return sums.deals < most_deals(how.trials) and chunks < MOST_CHUNKS


def _is_within(sums: sampling.SampleTally, error: float | None) -> bool:
    """Whether the error of every equity is at most so much, and relied on."""
    return error is not None and sampling.may_stop(sums) and _worst(sums) <= error


def _worst(sums: sampling.SampleTally) -> float:
    """The largest standard error of an equity."""
    return max(shares["equity"].error for shares in sampling.estimate(sums))


def _part_done(sums: sampling.SampleTally, error: float | None, how: How, elapsed: float) -> float:
    """How much of the sample is drawn: 1 when it may stop."""
    parts = []
    if how.trials is not None:
        parts.append(sums.deals / how.trials)
    if how.budget is not None and sums.deals:
        parts.append(elapsed / how.budget)
    if error is not None:
        worst = _worst(sums)
        part = (error / worst) ** 2 if worst else 1.0
        parts.append(part if sampling.may_stop(sums) else min(part, 0.99))
    return max(parts)


@dataclass(frozen=True)
class _Job:
    """What a process needs to make chunks; the name tells jobs apart."""

    name: str
    question: sampling.Question
    seed: int
    paces: tuple[sampling.Pace, ...]


_samplers: Kept[sampling.Sampler] = Kept()


def _remote_chunk(job: _Job, number: int) -> sampling.SampleTally:
    """A chunk, in a process that keeps the sampler of the job."""
    make = partial(sampling.Sampler, job.question, job.seed, paces=job.paces)
    return _samplers.get(job.name, make).chunk(number)
