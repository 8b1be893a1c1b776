"""Pots whose outsiders have ranges: deals of the hands of all players."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from math import inf, prod
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from equity.engine import solver
from equity.engine.deal_sampler import TRIED, Dealer, cells, check_tried, completed, random_of
from equity.engine.executor import run_job, worker_threads
from equity.engine.hand_lists import hand_lists
from equity.engine.monte_carlo import Drawn, target_error
from equity.engine.multiway import TupleSums, TupleWalk, tuples_cost
from equity.engine.options import How
from equity.engine.planner import EXACT_COST, check_cost
from equity.engine.sampling import estimates
from equity.engine.showdown import evaluate
from equity.results.ratio import mean_variance
from equity.results.result import Result
from equity.results.tally import POT, Tally
from equity.spot import Spot

__all__ = ["PotWalk", "counted", "drawn"]

#: The players of a pot, and its chips after rake.
Stake = tuple[tuple[int, ...], float]


def counted(spot: Spot, pots: Sequence[Sequence[int]], how: How) -> list[Result] | None:
    """The exact result for each pot; None if it takes too long and is not asked for."""
    if not how.exact and (how.trials is not None or spot.board_pattern or spot.dead_pattern):
        return None
    cost = tuples_cost(prod(spot.live_combos), spot) * len(pots)
    if not how.exact and cost > EXACT_COST:
        return None
    check_cost(cost, how)
    answers: list[Result] = []
    for members in pots:
        if answers and answers[-1].partial:
            raise KeyboardInterrupt
        # Other processes would make a plan from the spot alone.
        answers.append(
            solver.run_exact(
                _contest(spot, members), PotWalk(spot, members), replace(how, executor=None)
            )
        )
    return answers


def _contest(spot: Spot, members: Sequence[int]) -> Spot:
    """The spot of a pot, as far as a spot can say it: known cards of outsiders are dead."""
    gone = list(spot.dead)
    if not spot.dead_pattern:
        for at, player in enumerate(spot.players):
            if at not in members and isinstance(player, tuple):
                gone += player
    players = tuple(spot.players[at] for at in members)
    return replace(spot, players=players, dead=tuple(gone))


class PotWalk(TupleWalk):
    """An exact plan for some of several players; the cards of the others are dead.

    Parameters
    ----------
    spot:
        The spot of all players, without patterns.
    members:
        Players who are in the pot.
    """

    def __init__(self, spot: Spot, members: Sequence[int]) -> None:
        lists = hand_lists(spot)
        super().__init__(spot, lists)
        hole = spot.game.hole
        self.places = [slice(at * hole, (at + 1) * hole) for at in members]
        players = tuple(spot.players[at] for at in members)
        self.inner = TupleWalk(replace(spot, players=players), [lists[at] for at in members])

    def start(self) -> TupleSums:
        """Memory for one thread."""
        return self.inner.start()

    def run(self, chunk: range, sums: TupleSums) -> None:
        """Walk the sets of hands of a chunk."""
        for mask, cards, weight in self._sets(chunk):
            sums.add(mask, b"".join(cards[place] for place in self.places), weight)

    def tally(self, every: Sequence[TupleSums]) -> Tally:
        """The tally of the sets walked."""
        return self.inner.tally(every)


def drawn(spot: Spot, pots: Sequence[Stake], how: How) -> tuple[list[Result], list[float]]:
    """The estimate for each pot, and the variance of each player's chips.

    Raises
    ------
    EmptyRangeError, DealError
        There is no compatible deal, or none was found.
    """
    sample = _PotSample(spot, pots, how)
    partial = run_job(sample, threads=worker_threads(how.threads))
    assert sample.sums is not None  # noqa: S101 - a job without sums raises
    elapsed = perf_counter() - sample.began
    seeds = ((how.seed, sample.chunks),)
    reached = sample.target if sample.sums.is_within(sample.target) else None
    results = [
        Result(
            _contest(spot, members),
            tally.tally,
            tally.deals,
            elapsed,
            "sample",
            partial,
            Drawn(tally, seeds, reached),
        )
        for (members, _), tally in zip(pots, sample.sums.tallies, strict=True)
    ]
    return results, sample.sums.variances(pots)


class _PotSample:
    """The job of a sample for several pots."""

    def __init__(self, spot: Spot, pots: Sequence[Stake], how: How) -> None:
        self.how = how
        self.began = perf_counter()
        self.work = PotSampler(spot, pots, how.seed).chunk
        self.target = target_error(how)
        self.sums: PotSums | None = None
        self.chunks = 0

    def groups(self, threads: int) -> Iterator[Iterable[int]]:  # noqa: ARG002 - a job's
        """All chunks in one group, without end."""
        yield count()

    def add(self, more: PotSums) -> bool:
        """Add a chunk; whether there are enough."""
        self.sums = more if self.sums is None else self.sums + more
        self.chunks += 1
        if not self.sums.deals:
            check_tried(self.chunks)
        return self.sums.is_enough(self.target, self.how, perf_counter() - self.began)

    @property
    def is_empty(self) -> bool:
        """Whether no deal has been sampled."""
        return self.sums is None or not self.sums.deals

    def stop(self) -> None:
        """Chunks are short enough to be waited for."""


@dataclass(frozen=True)
class PotSums:
    """Sampled deals of several pots; sums add up."""

    tallies: tuple[estimates.SampleTally, ...]
    #: By player, sums over deals of the chips won in all these pots, and of their squares.
    won: NDArray[np.float64]
    squares: NDArray[np.float64]

    @property
    def deals(self) -> int:
        """Number of deals; each counts for every pot."""
        return self.tallies[0].deals

    def __add__(self, other: PotSums) -> PotSums:
        return PotSums(
            tuple(a + b for a, b in zip(self.tallies, other.tallies, strict=True)),
            self.won + other.won,
            self.squares + other.squares,
        )

    def is_enough(self, wanted: float | None, how: How, elapsed: float) -> bool:
        """Whether the sample may stop."""
        if not self.deals:
            return False
        if how.trials is not None and self.deals >= how.trials:
            return True
        if how.budget is not None and elapsed >= how.budget:
            return True
        return self.is_within(wanted)

    def is_within(self, wanted: float | None) -> bool:
        """Whether the standard error of every equity is known to be at most ``wanted``."""
        return wanted is not None and all(
            estimates.may_stop(tally) and max(estimates.equity_errors(tally)) <= wanted
            for tally in self.tallies
        )

    def variances(self, pots: Sequence[Stake]) -> list[float]:
        """Squared standard errors of the chips each player wins; infinite if unknown."""
        deals = self.deals
        if not estimates.is_known(self.tallies[0]):
            return [inf] * len(self.won)
        mean = self.won / deals
        # Each deal is a draw.
        spread = np.maximum(mean_variance(mean, deals, deals, self.squares), 0)
        in_pots = {player for members, worth in pots if worth for player in members}
        # Where all deals agree, the error is unknown.
        return [
            float(variance) if variance or player not in in_pots else inf
            for player, variance in enumerate(spread)
        ]


class PotSampler:
    """Draws chunks of deals; a chunk depends only on the seed and its number."""

    def __init__(self, spot: Spot, pots: Sequence[Stake], seed: int) -> None:
        self.game = spot.game
        self.pots = pots
        self.seed = seed
        self.players = len(spot.players)
        self.dealer = Dealer(spot)

    def chunk(self, number: int) -> PotSums:
        """The sums of a chunk, from number 0 on."""
        random = random_of(f"{self.seed} pots {number}")
        hands, known, taken = self.dealer.deal(random, TRIED)
        boards = completed(random, known, taken)
        wanted = sorted({player for members, _ in self.pots for player in members})
        values = {player: evaluate(hands[player], boards, self.game) for player in wanted}
        won = np.zeros((self.players, len(boards)))
        tallies = []
        for members, worth in self.pots:
            of_players = cells([values[player] for player in members])
            figures = estimates.cell_figures(len(members))
            for player, of_player in zip(members, of_players, strict=True):
                won[player] += worth / POT * figures[0][of_player]
            tallies.append(_sample_tally(of_players, figures))
        return PotSums(tuple(tallies), won.sum(axis=1), (won * won).sum(axis=1))


def _sample_tally(
    cells: Sequence[NDArray[np.int64]], figures: NDArray[np.int64]
) -> estimates.SampleTally:
    """The tally of deals, each of which is a draw of its own."""
    deals = len(cells[0])
    counts = [np.bincount(of_player, minlength=figures.shape[1]) for of_player in cells]
    names = estimates.figures_of(len(cells)).names
    # Sums of squares of many deals exceed 64 bits.
    squares = (figures * figures).astype(object)
    moments = []
    for of_player in counts:
        sums = zip((figures @ of_player).tolist(), squares @ of_player, strict=True)
        moments.append(
            {name: (x, x, int(xx)) for name, (x, xx) in zip(names, sums, strict=True) if x}
        )
    flat = [int(number) for of_player in counts for number in of_player]
    tally = Tally.from_flat(len(cells), flat)
    return estimates.SampleTally(tally, deals, deals, deals, tuple(moments))
