"""Monte Carlo for several boards: deals drawn at random until there are enough.

A draw is a set of hands from the ranges and some deals of all boards beside it.  Draws
are independent; deals of one draw share its hands.  The draws of a chunk depend only on the
seed and the number of the chunk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from equity.double_board.answers import Drawn, Shares
from equity.double_board.boards import Boards
from equity.engine.deal_sampler import TRIED, Dealer, cells, check_tried, completed, random_of
from equity.engine.executor import run_job, worker_threads
from equity.engine.options import DEFAULT_ERROR, How
from equity.engine.sampling.estimates import cell_figures
from equity.engine.showdown import evaluate
from equity.results.ratio import mean_variance
from equity.results.tally import POT

__all__ = ["JointSample", "draw_joint"]

#: Default standard error of every share of deals.
SHARE_ERROR = 0.001
#: Where few sets of hands are compatible, each gets several deals of the boards: about
#: this many in a chunk, and at most this many a set.
CHUNK_DEALS = 1 << 15
MOST_DEALS = 64
#: With fewer draws, standard errors are unreliable.
MIN_DRAWS = 100
#: Seconds between two reports of progress.
REPORT_EVERY = 0.1

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class _Sums:
    """Counts of each amount won, and their variation between draws; sums add up."""

    #: (n,): amounts that occur, ascending.
    won: Counts
    #: (n,): deals with each of them.
    deals: Counts
    #: (n, n): sums over draws of the products of their numbers of deals.
    products: Counts

    @classmethod
    def of(cls, won: Counts, each: int) -> _Sums:
        """Sums of the amounts won on deals, of which ``each`` consecutive ones are a draw."""
        counts = np.bincount(won)
        amounts = np.flatnonzero(counts)
        deals = counts[amounts]
        if each == 1:
            return cls(amounts, deals, np.diag(deals))
        place = np.zeros(len(counts), np.int64)
        place[amounts] = np.arange(len(amounts))
        draws, size = len(won) // each, len(amounts)
        code = np.repeat(np.arange(draws), each) * size + place[won]
        table = np.bincount(code, minlength=draws * size).reshape(draws, size)
        return cls(amounts, deals, table.T @ table)

    def __add__(self, other: _Sums) -> _Sums:
        if np.array_equal(self.won, other.won):
            return _Sums(self.won, self.deals + other.deals, self.products + other.products)
        won = np.union1d(self.won, other.won)
        deals, products = np.zeros(len(won), np.int64), np.zeros((len(won), len(won)), np.int64)
        for sums in (self, other):
            at = np.searchsorted(won, sums.won)
            deals[at] += sums.deals
            products[np.ix_(at, at)] += sums.products
        return _Sums(won, deals, products)

    def worst_error(self, draws: int) -> float:
        """The largest standard error of a share of the deals."""
        total = float(self.deals.sum())
        variances = mean_variance(self.deals / total, draws, total, self.products.diagonal())
        return float(np.sqrt(variances.max()))

    def mean_error(self, draws: int, unit: int) -> float:
        """Standard error of the mean amount won, as a share of ``unit``."""
        worth = self.won / unit
        total = float(self.deals.sum())
        mean = float(worth @ self.deals) / total
        variance = mean_variance(mean, draws, total, float(worth @ self.products @ worth))
        return float(np.sqrt(max(variance, 0.0)))

    def shares(self, draws: int, unit: int) -> Shares:
        """The sums as shares of a pot of ``unit``."""
        pairs = zip(self.won.tolist(), self.deals.tolist(), strict=True)
        counts = {Fraction(won, unit): deals for won, deals in reversed(list(pairs))}
        products = tuple(tuple(row) for row in self.products[::-1, ::-1].tolist())
        return Shares(counts, exact=False, drawn=Drawn(draws, products))


@dataclass(frozen=True)
class JointSample:
    """A sample of deals of all boards; samples of one spot add up."""

    draws: int
    deals: int
    #: By player: of all boards together, then of each alone.
    sums: tuple[tuple[_Sums, ...], ...]
    #: Whether it was interrupted.
    partial: bool = False

    def __add__(self, other: JointSample) -> JointSample:
        sums = tuple(
            tuple(one + two for one, two in zip(mine, theirs, strict=True))
            for mine, theirs in zip(self.sums, other.sums, strict=True)
        )
        return JointSample(self.draws + other.draws, self.deals + other.deals, sums)

    def shares(self, player: int) -> tuple[Shares, tuple[Shares, ...]]:
        """What a player wins of all boards together, and of each alone."""
        both, *alone = self.sums[player]
        return (
            both.shares(self.draws, len(alone) * POT),
            tuple(one.shares(self.draws, POT) for one in alone),
        )

    def part_done(self, how: How, elapsed: float, *, only_joint: bool) -> float:
        """The part of the sample that is drawn; 1 when it may stop.

        ``only_joint``: each board alone was enumerated, so only errors of joint shares
        matter.
        """
        parts = []
        if how.budget is not None:
            parts.append(elapsed / how.budget)
        if how.trials is not None:
            parts.append(min(self.deals / how.trials, self.draws / MIN_DRAWS))
        if self.draws > 1 and (how.error is not None or how.trials is None):
            errors = [self._share_error(only_joint) / (how.error or SHARE_ERROR)]
            if not only_joint:
                errors.append(self._equity_error() / (how.error or DEFAULT_ERROR))
            part = 1 / max(*errors, 1e-9) ** 2
            parts.append(min(part, self.draws / MIN_DRAWS))
        return max(parts, default=0.0)

    def _share_error(self, only_joint: bool) -> float:
        return max(
            sums.worst_error(self.draws)
            for of_player in self.sums
            for sums in (of_player[:1] if only_joint else of_player)
        )

    def _equity_error(self) -> float:
        return max(
            sums.mean_error(self.draws, POT if at else (len(of_player) - 1) * POT)
            for of_player in self.sums
            for at, sums in enumerate(of_player)
        )


class _Sampler:
    """Draws chunks; a chunk depends only on the seed and its number."""

    def __init__(self, boards: Boards, seed: int) -> None:
        self.boards = boards
        self.seed = seed
        self.dealer = Dealer(boards.alone[0])
        # The number of compatible sets must not depend on the seed.
        _, _, taken = self.dealer.deal(np.random.default_rng(0), TRIED)
        #: Deals of the boards for each set of hands.
        self.each = min(max(1, CHUNK_DEALS // max(1, len(taken))), MOST_DEALS)

    def chunk(self, number: int) -> Counts:
        """(boards, players, deals): what is won on each board, in units of 1 / POT."""
        random = random_of(f"{self.seed} boards {number}")
        hands, _, taken = self.dealer.deal(random, TRIED)
        hands = [np.repeat(hand, self.each, axis=0) for hand in hands]
        taken = np.repeat(taken, self.each)
        return np.stack([self._won(random, hands, known, taken) for known in self.boards.known])

    def _won(
        self,
        random: np.random.Generator,
        hands: list[NDArray[np.uint8]],
        known: tuple[int, ...],
        taken: NDArray[np.int64],
    ) -> Counts:
        """What players win on a board; its cards are added to ``taken``."""
        start = np.tile(np.array(known, np.uint8), (len(taken), 1))
        dealt = completed(random, start, taken)
        of_players = cells([evaluate(hand, dealt, self.boards.spot.game) for hand in hands])
        parts = cell_figures(len(hands))[0]
        return np.stack([parts[of_player] for of_player in of_players])


def _summed(won: Counts, each: int) -> JointSample:
    """The sums of a chunk, see :meth:`_Sampler.chunk`, with ``each`` deals of a draw."""
    _, players, deals = won.shape
    sums = tuple(
        tuple(_Sums.of(row, each) for row in (won[:, at].sum(axis=0), *won[:, at]))
        for at in range(players)
    )
    return JointSample(deals // each, deals, sums)


def draw_joint(
    boards: Boards,
    how: How,
    *,
    only_joint: bool,
    report: Callable[[float, JointSample], None] | None = None,
) -> JointSample:
    """Sample deals of all boards until there are enough.

    Parameters
    ----------
    only_joint:
        Whether only errors of joint shares matter.
    report:
        Called from time to time with the part that is done and the sample so far.

    Raises
    ------
    EmptyRangeError, DealError
        There is no compatible deal, or none was found.
    """
    job = _JointDraw(boards, how, only_joint=only_joint, report=report)
    partial = run_job(job, threads=worker_threads(how.threads))
    assert job.sample is not None  # noqa: S101 - a job without a sample raises
    return replace(job.sample, partial=partial)


class _JointDraw:
    """The job of a sample of all boards."""

    def __init__(
        self,
        boards: Boards,
        how: How,
        *,
        only_joint: bool,
        report: Callable[[float, JointSample], None] | None,
    ) -> None:
        self.how, self.only_joint, self.report = how, only_joint, report
        self.began = self.reported = perf_counter()
        self.sampler = _Sampler(boards, how.seed)
        self.work = self.sampler.chunk
        self.sample: JointSample | None = None
        self.chunks = 0

    def groups(self, threads: int) -> Iterator[Iterable[int]]:  # noqa: ARG002 - a job's
        """All chunks in one group, without end."""
        yield count()

    def add(self, won: Counts) -> bool:
        """Add a chunk; whether there are enough deals."""
        how, each = self.how, self.sampler.each
        self.chunks += 1
        # No more deals than were asked for, as long as errors are known.
        wanted = max(-(-(how.trials or 0) // each), MIN_DRAWS)
        left = wanted - (self.sample.draws if self.sample else 0)
        most = left * each if how.trials is not None else won.shape[2]
        if won.shape[2]:
            more = _summed(won[:, :, :most], each)
            self.sample = more if self.sample is None else self.sample + more
        if self.sample is None:
            check_tried(self.chunks)
            return False
        elapsed = perf_counter() - self.began
        done = self.sample.part_done(how, elapsed, only_joint=self.only_joint)
        if done >= 1:
            return True
        if self.report and perf_counter() > self.reported + REPORT_EVERY:
            self.reported = perf_counter()
            self.report(done, self.sample)
        return False

    @property
    def is_empty(self) -> bool:
        """Whether no deal has been sampled."""
        return self.sample is None

    def stop(self) -> None:
        """Chunks are short enough to be waited for."""
