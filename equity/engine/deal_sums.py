"""Monte Carlo sums over deals, by partial board and by combo.

The sampler of :mod:`equity.engine.sampling` has the smaller errors for a whole spot.  This
one deals hands and runouts one by one, and so tells each of many boards, or the combos of a
range, apart.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from equity import kernels
from equity.engine.deal_sampler import random_of
from equity.engine.executor import in_order, pool
from equity.engine.hand_lists import live_hands
from equity.engine.odds_many import part_block
from equity.engine.sampling.lists import HandList
from equity.engine.sampling.proof import prove
from equity.engine.sampling.question import question
from equity.engine.sampling.table import Table
from equity.kernels import deals_records as records
from equity.kernels.loader import Block
from equity.kernels.transposed import line_block
from equity.ranges.combos import reduced
from equity.results.tally import POT
from equity.spot import Spot

__all__ = ["DealSums", "mean_errors"]

#: Deals tried in a chunk, about 20 ms.
CHUNK = 1 << 16
_INT64 = 1 << 63


class DealSums:
    """Sums over deals on each of many boards, and by combo.

    Parameters
    ----------
    spot:
        Ranges, board and dead cards; no patterns.
    boards:
        (n, known) uint8, the known cards of each board, those of the spot first.
    seed:
        Seed of the random numbers.
    players:
        Players whose combos are told apart, from 0.

    Attributes
    ----------
    hands:
        The live hands of each player; None for one who is dealt from the deck.
    tried, deals:
        (n,) int64: sets of hands drawn on each board, and those in which no card came twice.
    sums:
        (n, players, 2) int64: sums of what each player wins of the deals, in units of
        1 / POT, and of its square.
    combo_sums:
        By player, (combos, 4) int64: deals, pots won and their squares, and what high hands
        won; None for players that are not asked for.

    Raises
    ------
    EmptyRangeError, DealError
        There is no compatible deal.
    """

    def __init__(
        self, spot: Spot, boards: NDArray[np.uint8], seed: int, players: Sequence[int] = ()
    ) -> None:
        self.spot, self.boards, self.seed = spot, boards, seed
        count = len(spot.players)
        self.tried = np.zeros(len(boards), np.int64)
        self.deals = np.zeros(len(boards), np.int64)
        self.sums = np.zeros((len(boards), count, records.MOMENTS), np.int64)
        self._asked = np.isin(np.arange(count), players)
        self.hands = self._listed()
        self.combo_sums = [
            np.zeros((len(hands), records.COMBO_SUMS), np.int64) if asked and hands else None
            for hands, asked in zip(self.hands, self._asked, strict=True)
        ]
        self._lists = self._list_block()
        self._rounds = 0

    def _listed(self) -> list[HandList | None]:
        """The hands of each player that is dealt from a list."""
        table = Table(question(self.spot))
        prove(table)
        listed: list[HandList | None] = [None] * len(self.spot.players)
        for player, hands in zip(table.listed, table.lists, strict=True):
            listed[player] = hands
        for player in np.flatnonzero(self._asked).tolist():
            listed[player] = listed[player] or HandList(*live_hands(self.spot, player))
        return listed

    def _list_block(self) -> Block:
        """The hands of all players as the kernel takes them."""
        empty = HandList(np.zeros((0, self.spot.game.hole), np.uint8), np.zeros(0, np.int64))
        lists = [hands or empty for hands in self.hands]
        weights = [reduced(hands.weights) if len(hands) else hands.weights for hands in lists]
        return Block(
            records.LISTS,
            {
                "total": sum(map(len, lists)),
                "first": np.cumsum([0, *map(len, lists)]),
                "cards": np.ascontiguousarray(np.concatenate([hands.cards for hands in lists])),
                "held": np.concatenate([hands.masks for hands in lists]),
                "ends": np.concatenate([np.cumsum(one) for one in weights]),
                "weight": np.array([one.sum() for one in weights], np.int64),
            },
        )

    @property
    def equities(self) -> NDArray[np.float64]:
        """(n, players): the equities on each board; not a number without a deal."""
        with np.errstate(invalid="ignore"):
            return self.sums[:, :, 0] / (float(POT) * self.deals[:, np.newaxis])

    @property
    def errors(self) -> NDArray[np.float64]:
        """(n, players): their standard errors; infinite where they are unknown."""
        return mean_errors(self.deals[:, np.newaxis], self.sums[:, :, 0], self.sums[:, :, 1])

    def draw(self, tries: NDArray[np.int64], threads: int) -> None:
        """Try to deal ``tries`` sets of hands on each board, in addition to those before."""
        records.SAMPLE_DEALS.prepare()
        random = random_of(f"deals {self.seed} {self._rounds}")
        self._rounds += 1
        start, stride, step = (int(n) for n in random.integers(-_INT64, _INT64, 3))
        spot, own = self.spot, threading.local()
        works: list[Block] = []
        values = {
            "players": len(spot.players),
            "hole": spot.game.hole,
            "low_game": int(spot.game.low),
            "dead": sum(1 << card for card in spot.dead),
            "count": len(self.boards),
            "known": self.boards.shape[1],
            "by_combo": int(self._asked.any()),
            "begin": 0,
            "stop": 0,
            "start": start,
            "stride": stride | 1,
            "step": step | 1,
            "boards": self.boards,
            "tries": tries,
            "asked": self._asked.astype(np.uint8),
            "deals": self.deals,
            "sums": self.sums,
        }

        def run(bounds: tuple[int, int]) -> None:
            if not hasattr(own, "draw"):
                own.draw = Block(records.DRAW, values)
                own.work = records.WORK.allocate(
                    players=values["players"],
                    hole=spot.game.hole,
                    total=int(self._lists.values["total"]),
                    by_combo=values["by_combo"],
                )
                works.append(own.work)
            own.draw.put(begin=bounds[0], stop=bounds[1])
            records.SAMPLE_DEALS(
                kernels.table_block(),
                line_block(),
                part_block(len(spot.players)),
                self._lists,
                own.draw,
                own.work,
            )

        with pool(None, threads) as workers:
            for _ in in_order(workers, run, _chunks(tries), 2 * threads):
                pass
        self.tried += tries
        self._add_combos(works)

    def _add_combos(self, works: Sequence[Block]) -> None:
        """Add the sums by combo of all threads."""
        first = self._lists.values["first"]
        for work in works:
            found = np.frombuffer(work.values["combo_sums"], np.int64)
            rows = found.reshape(-1, records.COMBO_SUMS)
            for player, sums in enumerate(self.combo_sums):
                if sums is not None:
                    np.add(sums, rows[first[player] : first[player + 1]], out=sums)


def _chunks(tries: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Divide boards into runs that have about as many tries each."""
    ends = np.cumsum(tries)
    wanted = np.arange(CHUNK, int(ends[-1:].sum()) + CHUNK, CHUNK)
    stops = np.unique(np.minimum(np.searchsorted(ends, wanted) + 1, len(ends))).tolist()
    return list(zip([0, *stops[:-1]], stops, strict=True))


def mean_errors(
    deals: NDArray[np.int64], won: NDArray[np.int64], squares: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Standard errors of equities from sums over deals; infinite where they are unknown.

    Parameters
    ----------
    deals, won, squares:
        Numbers of deals, sums of what was won in units of 1 / POT, and of its squares.
    """
    count = deals.astype(float)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = won / (POT * count)
        variance = (squares / (float(POT) ** 2 * count) - mean * mean) / (count - 1)
        return np.where((count > 1) & (variance > 0), np.sqrt(np.maximum(variance, 0)), np.inf)
