"""Monte Carlo: deals drawn at random until the estimate is precise enough.

Chunks are numbered, each with random numbers of its own, and added in order; where to
stop is decided in that order, and what was drawn beyond is dropped.  So a seed gives the
same integers on any number of threads.  Only a stop by time cannot be repeated; the number
of deals that it reached can be asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count
from time import perf_counter
from uuid import uuid4

from equity.engine.executor import JobCache, run_job, worker_threads
from equity.engine.options import DEFAULT_ERROR, How, Progress
from equity.engine.sampling.estimates import (
    SHARES,
    SampleTally,
    equity_errors,
    is_known,
    may_stop,
    standard_error,
)
from equity.engine.sampling.question import Question, question
from equity.engine.sampling.sampler import Pace, Sampler
from equity.errors import MergeError
from equity.kernels.sampling_records import POT_SHARES, SAMPLE
from equity.results.result import Result
from equity.spot import Spot

__all__ = ["Drawn", "Worker", "draw", "most_deals", "target_error"]

#: Seconds between two reports of progress.
REPORT_EVERY = 0.1
#: A sample has at most so many deals more than the trials asked for, or a tenth more.
SPARE_DEALS = 100_000
#: Where few draws have deals, a sample with its trials goes on for its errors, for at
#: most so many chunks: about a second.
MOST_CHUNKS = 50


@dataclass(frozen=True)
class Drawn:
    """The sums of a sample, with the seeds and chunks it was drawn from."""

    sums: SampleTally
    #: Pairs of a seed and its number of chunks, from chunk 0 on.
    drawn: tuple[tuple[int, int], ...]
    #: Bound of the standard error of every equity; None if the sample stopped for another
    #: reason.
    error_target: float | None = None

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds of the sample."""
        return tuple(seed for seed, _ in self.drawn)

    @property
    def no_low_error(self) -> float | None:
        """Standard error of the share of deals without a low."""
        return standard_error(self.sums, 0, "no_low")

    def errors(self, has_low: bool) -> list[dict[str, float | None]]:
        """Standard errors of the shares of each player, by name."""
        return [
            {
                name: None
                if name == "low" and not has_low
                else standard_error(self.sums, player, figure)
                for name, figure in SHARES.items()
            }
            for player in range(len(self.sums.moments))
        ]

    def split_errors(self) -> list[dict[str, float | None]]:
        """Standard errors of parts of the pot, wins and ties, for each player.

        Parts are named as text, ``"3/4"``; ``other`` is all that are not quarters.
        """
        left_out = (*POT_SHARES, "no_low")
        return [
            {
                name: standard_error(self.sums, player, name)
                for name in moments
                if name not in left_out
            }
            for player, moments in enumerate(self.sums.moments)
        ]

    def __add__(self, other: Drawn) -> Drawn:
        twice = set(self.seeds) & set(other.seeds)
        if twice:
            raise MergeError(
                f"both samples use the seed {min(twice)}, so they share deals",
                hint="give each sample its own seed",
            )
        targets = [one.error_target for one in (self, other) if one.error_target]
        # Two samples together are more precise than each.
        target = max(targets) if len(targets) == 2 else None
        return Drawn(self.sums + other.sums, self.drawn + other.drawn, target)


def draw(spot: Spot, how: How) -> Result:
    """The Monte Carlo estimate for a spot.

    Raises
    ------
    EmptyRangeError, DealError
        There is no compatible deal, or none was found.
    KeyboardInterrupt
        It was interrupted before any deal was drawn.
    """
    SAMPLE.prepare()
    sample = _Sample(spot, how)
    threads = worker_threads(how.threads, how.executor)
    interrupted = run_job(sample, threads=threads, executor=how.executor)
    return sample.result(partial=interrupted)


class _Sample:
    """The job of a sample: chunks are added in order until there are enough."""

    def __init__(self, spot: Spot, how: How) -> None:
        self.spot, self.how = spot, how
        self.began = self.reported = perf_counter()
        asked = question(spot)
        self.sampler = Sampler(asked, how.seed)
        self.work: Callable[[int], SampleTally] = self.sampler.chunk
        if how.executor is not None:
            # Another process makes the sampler again, once.
            self.work = Worker(uuid4().hex, asked, how.seed, self.sampler.paces)
        self.target = target_error(how)
        self.reached: float | None = None
        self.sums: SampleTally | None = None
        self.chunks = 0

    def groups(self, threads: int) -> Iterator[Iterable[int]]:  # noqa: ARG002 - a job's
        """All chunks in one group, without end."""
        yield count()

    def add(self, tally: SampleTally) -> bool:
        """Add a chunk; whether there are enough."""
        how = self.how
        sums = self.sums = _added(self.sums, tally, self.chunks, self.sampler, how.trials)
        self.chunks += 1
        done = _part_done(sums, self.target, how, perf_counter() - self.began)
        if done >= 1 and not _goes_on(sums, self.chunks, how):
            self.reached = self.target if _is_within(sums, self.target) else None
            return True
        if how.progress and perf_counter() > self.reported + REPORT_EVERY and sums.deals:
            self.reported = perf_counter()
            how.progress(Progress(min(done, 0.99), self.result(partial=False)))
        return False

    @property
    def is_empty(self) -> bool:
        """Whether no deal has been drawn."""
        return self.sums is None or not self.sums.deals

    def stop(self) -> None:
        """Chunks are short enough to be waited for."""

    def result(self, *, partial: bool) -> Result:
        """The result of what has been drawn."""
        total = self.sums or self.sampler.chunk(0)
        drawn = Drawn(total, ((self.how.seed, self.chunks),), self.reached)
        elapsed = perf_counter() - self.began
        return Result(self.spot, total.tally, total.deals, elapsed, "sample", partial, drawn)


def target_error(how: How) -> float | None:
    """The standard error at which a sample stops; None if it stops for another reason."""
    return DEFAULT_ERROR if how.error is None and how.trials is None else how.error


def most_deals(trials: int) -> int:
    """The most deals of a sample of ``trials``."""
    return trials + max(trials // 10, SPARE_DEALS)


def _added(
    sums: SampleTally | None,
    tally: SampleTally,
    number: int,
    sampler: Sampler,
    trials: int | None,
) -> SampleTally:
    """The sample with one more chunk, or with its first draws if all would be too many."""
    before = sums.deals if sums else 0
    if trials is not None and before + tally.deals > most_deals(trials):
        # 5% more than needed, so that the sample mostly ends here.
        wanted = max(1, trials - before) * 21 // 20
        draws = max(1, min(-(-tally.draws * wanted // tally.deals), tally.draws))
        tally = sampler.chunk(number, draws)
    return tally if sums is None else sums + tally


def _goes_on(sums: SampleTally, chunks: int, how: How) -> bool:
    """Whether a sample goes on because it has too few draws for its standard errors."""
    if how.trials is None or how.budget is not None or is_known(sums):
        return False
    return sums.deals < most_deals(how.trials) and chunks < MOST_CHUNKS


def _is_within(sums: SampleTally, error: float | None) -> bool:
    """Whether the standard error of every equity is known to be at most ``error``."""
    return error is not None and may_stop(sums) and _worst(sums) <= error


def _worst(sums: SampleTally) -> float:
    """The largest standard error of an equity."""
    return max(equity_errors(sums))


def _part_done(sums: SampleTally, error: float | None, how: How, elapsed: float) -> float:
    """The part of the sample that is drawn; 1 when it may stop."""
    parts = []
    if how.trials is not None:
        parts.append(sums.deals / how.trials)
    if how.budget is not None and sums.deals:
        parts.append(elapsed / how.budget)
    if error is not None:
        worst = _worst(sums)
        part = (error / worst) ** 2 if worst else 1.0
        parts.append(part if may_stop(sums) else min(part, 0.99))
    return max(parts)


_samplers: JobCache[Sampler] = JobCache()


@dataclass(frozen=True)
class Worker:
    """Draws chunks in another process, which caches the sampler by the name of the job."""

    name: str
    question: Question
    seed: int
    paces: tuple[Pace, ...]

    def __call__(self, number: int) -> SampleTally:
        """A chunk, from 0 on."""
        make = partial(Sampler, self.question, self.seed, paces=self.paces)
        return _samplers.get(self.name, make).chunk(number)
