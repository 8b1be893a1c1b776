"""Pots whose outsiders have ranges: over sets of everybody's hands."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import count
from math import inf, prod
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from equity.engine import planner, sampling, solver
from equity.engine.deal_sampler import Dealer, cells, completed
from equity.engine.executor import in_order, pool, worker_threads
from equity.engine.monte_carlo import Drawn
from equity.engine.multiway import TupleSums, TupleWalk, tuples_cost
from equity.engine.options import DEFAULT_ERROR, How
from equity.engine.showdown import evaluate
from equity.errors import DealError
from equity.results.result import POT, Result, Tally
from equity.spot import Spot

__all__ = ["PotWalk", "counted", "drawn"]

#: The players in a pot, and what a player wins who wins all of it.
Stake = tuple[tuple[int, ...], float]

#: Sets of hands that a chunk tries; few of them may share no card.
TRIED = 1 << 16
#: So many sets without one that can be dealt are enough to give up.
MOST_TRIED = 1 << 27


def counted(spot: Spot, pots: Sequence[Sequence[int]], how: How) -> list[Result] | None:
    """The exact answer for each pot; None if it takes too long and is not asked for."""
    if not how.exact and (how.trials is not None or spot.board_pattern or spot.dead_pattern):
        return None
    cost = tuples_cost(prod(spot.live_combos), spot) * len(pots)
    if not how.exact and cost > planner.EXACT_COST:
        return None
    planner.check_cost(cost, how)
    answers: list[Result] = []
    for members in pots:
        if answers and answers[-1].partial:
            raise KeyboardInterrupt
        # Processes would make the plan again from its question alone.
        answers.append(
            solver.count(
                _contest(spot, members), PotWalk(spot, members), replace(how, executor=None)
            )
        )
    return answers


def _contest(spot: Spot, members: Sequence[int]) -> Spot:
    """The question of a pot as far as one can be written: known cards are dead."""
    gone = list(spot.dead)
    if not spot.dead_pattern:
        for at, player in enumerate(spot.players):
            if at not in members and isinstance(player, tuple):
                gone += player
    players = tuple(spot.players[at] for at in members)
    return replace(spot, players=players, dead=tuple(gone))


class PotWalk(TupleWalk):
    """Some of several players against each other, the cards of the others gone.

    Parameters
    ----------
    spot:
        The question of all players, without patterns.
    members:
        Those who are in the pot.
    """

    def __init__(self, spot: Spot, members: Sequence[int]) -> None:
        lists = planner.hand_lists(spot)
        super().__init__(spot, lists)
        hole = spot.game.hole
        self.places = [slice(at * hole, (at + 1) * hole) for at in members]
        players = tuple(spot.players[at] for at in members)
        self.inner = TupleWalk(replace(spot, players=players), [lists[at] for at in members])

    def start(self) -> TupleSums:
        """Memory for one thread."""
        return self.inner.start()

    def run(self, chunk: range, sums: TupleSums) -> None:
        """Do a part of the work."""
        for mask, cards, weight in self._sets(chunk):
            sums.add(mask, b"".join(cards[place] for place in self.places), weight)

    def tally(self, every: Sequence[TupleSums]) -> Tally:
        """The tally of what has been run."""
        return self.inner.tally(every)


def drawn(spot: Spot, pots: Sequence[Stake], how: How) -> tuple[list[Result], list[float]]:
    """The answer of a sample for each pot, and the variance of each player's chips.

    Raises
    ------
    EmptyRangeError, DealError
        There is no compatible deal, or none was found.
    """
    start = perf_counter()
    sampler = PotSampler(spot, pots, how.seed)
    threads = worker_threads(how.threads)
    wanted = how.error
    if wanted is None and how.trials is None:
        wanted = DEFAULT_ERROR
    sums, chunks = sampler.chunk(0), 1
    interrupted = False
    try:
        with (
            pool(None, threads) as executor,
            closing(in_order(executor, sampler.chunk, count(1), 2 * threads)) as more,
        ):
            while not sums.is_enough(wanted, how, perf_counter() - start):
                if not sums.deals and chunks * TRIED >= MOST_TRIED:
                    raise DealError(
                        "the ranges leave so few deals that none was found by chance",
                        place="ranges",
                        hint="make them narrower, or give --exact",
                    )
                sums += next(more)
                chunks += 1
    except KeyboardInterrupt:
        if not sums.deals:
            raise
        interrupted = True
    elapsed = perf_counter() - start
    seeds = ((how.seed, chunks),)
    reached = wanted if sums.is_within(wanted) else None
    results = [
        Result(
            _contest(spot, members),
            tally.tally,
            tally.deals,
            elapsed,
            "sample",
            interrupted,
            Drawn(tally, seeds, reached),
        )
        for (members, _), tally in zip(pots, sums.tallies, strict=True)
    ]
    return results, sums.variances(pots)


@dataclass(frozen=True)
class PotSums:
    """Deals drawn for several pots; they add up."""

    tallies: tuple[sampling.SampleTally, ...]
    #: By player, sums over deals of what he wins in all these pots, and of its square.
    won: NDArray[np.float64]
    squares: NDArray[np.float64]

    @property
    def deals(self) -> int:
        """Deals, of which each is one for every pot."""
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
        """Whether the error of every equity is at most so much, and relied on."""
        return wanted is not None and all(
            sampling.may_stop(tally)
            and all(shares["equity"].error <= wanted for shares in sampling.estimate(tally))
            for tally in self.tallies
        )

    def variances(self, pots: Sequence[Stake]) -> list[float]:
        """The squares of the standard errors of what each player wins; infinite if not known."""
        deals = self.deals
        if not sampling.is_known(self.tallies[0]):
            return [inf] * len(self.won)
        mean = self.won / deals
        spread = np.maximum(self.squares / deals - mean * mean, 0) / (deals - 1)
        in_pots = {player for members, worth in pots if worth for player in members}
        # Where all deals agree there is no telling.
        return [
            float(variance) if variance or player not in in_pots else inf
            for player, variance in enumerate(spread)
        ]


class PotSampler:
    """Makes chunks of deals; what is in one depends on the seed and its number alone.

    A deal is drawn as if no hand were in the way of another, by weight, and counts
    if none is: so all that counts comes up as often as it should.
    """

    def __init__(self, spot: Spot, pots: Sequence[Stake], seed: int) -> None:
        self.game = spot.game
        self.pots = pots
        self.seed = seed
        self.players = len(spot.players)
        self.dealer = Dealer(spot)

    def chunk(self, number: int) -> PotSums:
        """The sums of a chunk, from 0 on."""
        digest = hashlib.blake2b(f"{self.seed} pots {number}".encode(), digest_size=16).digest()
        random = np.random.default_rng(int.from_bytes(digest, "little"))
        hands, known, taken = self.dealer.deal(random, TRIED)
        boards = completed(random, known, taken)
        wanted = sorted({player for members, _ in self.pots for player in members})
        values = {player: evaluate(hands[player], boards, self.game) for player in wanted}
        won = np.zeros((self.players, len(boards)))
        tallies = []
        for members, worth in self.pots:
            of_players = cells([values[player] for player in members])
            figures = sampling.cell_figures(len(members))
            for player, of_player in zip(members, of_players, strict=True):
                won[player] += worth / POT * figures[0][of_player]
            tallies.append(_sample_tally(of_players, figures))
        return PotSums(tuple(tallies), won.sum(axis=1), (won * won).sum(axis=1))


def _sample_tally(
    cells: Sequence[NDArray[np.int64]], figures: NDArray[np.int64]
) -> sampling.SampleTally:
    """The tally of deals, where each deal is a draw of its own."""
    deals = len(cells[0])
    counts = [np.bincount(of_player, minlength=figures.shape[1]) for of_player in cells]
    names = sampling.figures_of(len(cells)).names
    # The squares have no room in 64 bits where there are many deals.
    squares = (figures * figures).astype(object)
    moments = []
    for of_player in counts:
        sums = zip((figures @ of_player).tolist(), squares @ of_player, strict=True)
        moments.append(
            {name: (x, x, int(xx)) for name, (x, xx) in zip(names, sums, strict=True) if x}
        )
    flat = [int(number) for of_player in counts for number in of_player]
    tally = Tally.from_flat(len(cells), flat)
    return sampling.SampleTally(tally, deals, deals, deals, tuple(moments))
