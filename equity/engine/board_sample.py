"""Monte Carlo equities on each of many boards: flops, turns or rivers to come."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equity import kernels
from equity.engine.deal_sampler import random_of
from equity.engine.executor import in_order, pool
from equity.engine.odds_many import part_block
from equity.engine.sampling.question import question
from equity.engine.sampling.table import Table
from equity.kernels import board_samples_records as records
from equity.kernels.loader import Block
from equity.kernels.transposed import line_block
from equity.ranges.combos import reduced
from equity.results.tally import POT
from equity.spot import Spot

__all__ = ["BoardSample"]

#: Deals tried of a chunk, about 25 ms.
CHUNK = 1 << 16
_INT64 = 1 << 63


@dataclass
class BoardSample:
    """Deals sampled on each of many boards.

    Parameters
    ----------
    spot:
        Ranges, and known cards that all boards have; no patterns.
    boards:
        (n, known) uint8, the known cards of each board; more than the spot's.
    seed:
        Seed of the random numbers.

    Attributes
    ----------
    tried, deals:
        (n,) int64: sets of hands drawn on each board, and those in which no card came twice.
    sums:
        (n, players, 2) int64: sums of what each player wins of the deals, in units of
        1 / POT, and of its square.
    """

    spot: Spot
    boards: NDArray[np.uint8]
    seed: int

    def __post_init__(self) -> None:
        count, players = len(self.boards), len(self.spot.players)
        self.tried = np.zeros(count, np.int64)
        self.deals = np.zeros(count, np.int64)
        self.sums = np.zeros((count, players, records.MOMENTS), np.int64)
        self._lists = _list_block(self.spot)
        self._rounds = 0

    @property
    def equities(self) -> NDArray[np.float64]:
        """(n, players): the equities on each board; not a number without a deal."""
        with np.errstate(invalid="ignore"):
            return self.sums[:, :, 0] / (float(POT) * self.deals[:, np.newaxis])

    @property
    def errors(self) -> NDArray[np.float64]:
        """(n, players): their standard errors; infinite where they are unknown."""
        deals = self.deals[:, np.newaxis].astype(float)
        with np.errstate(invalid="ignore", divide="ignore"):
            squares = self.sums[:, :, 1] / (float(POT) ** 2 * deals)
            variance = (squares - self.equities**2) / (deals - 1)
            known = (deals > 1) & (variance > 0)
            return np.where(known, np.sqrt(np.maximum(variance, 0)), np.inf)

    def draw(self, tries: NDArray[np.int64], threads: int) -> None:
        """Try to deal ``tries`` sets of hands on each board, in addition to those before."""
        kernel = records.SAMPLE_BOARDS
        kernel.prepare()
        random = random_of(f"boards {self.seed} {self._rounds}")
        self._rounds += 1
        start, stride, step = (int(n) for n in random.integers(-_INT64, _INT64, 3))
        spot, own = self.spot, threading.local()
        values = {
            "players": len(spot.players),
            "hole": spot.game.hole,
            "low_game": int(spot.game.low),
            "dead": sum(1 << card for card in spot.dead),
            "count": len(self.boards),
            "known": self.boards.shape[1],
            "begin": 0,
            "stop": 0,
            "start": start,
            "stride": stride | 1,
            "step": step | 1,
            "boards": self.boards,
            "tries": tries,
            "deals": self.deals,
            "sums": self.sums,
        }

        def run(bounds: tuple[int, int]) -> None:
            if not hasattr(own, "draw"):
                own.draw = Block(records.DRAW, values)
                own.work = records.WORK.allocate(players=values["players"], hole=spot.game.hole)
            own.draw.put(begin=bounds[0], stop=bounds[1])
            kernel(
                kernels.table_block(),
                line_block(),
                part_block(len(spot.players)),
                self._lists,
                own.draw,
                own.work,
            )

        # Chunks are of as many boards as have about so many tries.
        ends = np.cumsum(tries)
        wanted = np.arange(CHUNK, int(ends[-1:].sum()) + CHUNK, CHUNK)
        stops = np.unique(np.minimum(np.searchsorted(ends, wanted) + 1, len(ends)))
        bounds = zip([0, *stops[:-1].tolist()], stops.tolist(), strict=True)
        with pool(None, threads) as workers:
            for _ in in_order(workers, run, bounds, 2 * threads):
                pass
        self.tried += tries


def _list_block(spot: Spot) -> Block:
    """The hands of each player as the kernel takes them."""
    table = Table(question(spot))
    players = range(len(spot.players))
    cards: list[Any] = [np.zeros((0, spot.game.hole), np.uint8)] * len(players)
    held: list[Any] = [np.zeros(0, np.int64)] * len(players)
    weights = list(held)
    for player, hands in zip(table.listed, table.lists, strict=True):
        cards[player], held[player] = hands.cards, hands.masks
        weights[player] = reduced(hands.weights)
    sizes = [len(one) for one in held]
    return Block(
        records.LISTS,
        {
            "total": sum(sizes),
            "first": np.cumsum([0, *sizes]),
            "cards": np.ascontiguousarray(np.concatenate(cards)),
            "held": np.concatenate(held),
            "ends": np.concatenate([np.cumsum(one) for one in weights]),
            "weight": np.array([one.sum() for one in weights], np.int64),
        },
    )
