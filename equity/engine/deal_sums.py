"""Monte Carlo sums over deals, by partial board and by combo.

The sampler of :mod:`equity.engine.sampling` has the smaller errors for a whole spot.  This
one deals hands and runouts one by one, and so tells each of many boards, or the combos of a
range, apart.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from equity import kernels
from equity.engine.deal_sampler import random_of
from equity.engine.executor import in_order, pool
from equity.engine.hand_lists import live_hands, reduced
from equity.engine.isomorphism import suits_alike
from equity.engine.odds_many import part_block
from equity.engine.sampling.proof import prove
from equity.engine.sampling.question import HandList, question
from equity.engine.sampling.table import Table
from equity.engine.sweeping.symmetry import orbits
from equity.kernels import deals_records as records
from equity.kernels.loader import Block
from equity.kernels.transposed import line_block
from equity.results.tally import POT
from equity.spot import Spot

__all__ = ["DealSums", "known_errors", "mean_errors"]

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
        Players whose combos are told apart, from 0.  Combos that a suit permutation of the
        spot maps to each other are pooled in a class.

    Attributes
    ----------
    hands:
        By player, the live hands that they are dealt from; others are dealt from the deck.
    tried, deals:
        (n,) int64: sets of hands drawn on each board, and those in which no card came twice.
    sums:
        (n, players, 2) int64: sums of what each player wins of the deals, in units of
        1 / POT, and of its square.
    classes:
        By player that is asked for, (hands,) the number of each hand's class.
    combo_sums:
        By player that is asked for, (classes, 4) int64: deals, pots won and their squares, and
        what high hands won.

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
        players = sorted(players)
        self._asked = np.isin(np.arange(count), players)
        self.hands = self._listed()
        group = suits_alike(spot) if players else []
        self.classes = {
            player: np.unique(orbits(self.hands[player].masks, group), return_inverse=True)[1]
            for player in players
        }
        self.combo_sums = {
            player: np.zeros((int(own.max()) + 1, records.COMBO_SUMS), np.int64)
            for player, own in self.classes.items()
        }
        self._lists = self._list_block()
        self._rounds = 0

    def _listed(self) -> dict[int, HandList]:
        """The hands of each player that is dealt from a list."""
        table = Table(question(self.spot))
        prove(table)
        listed = dict(zip(table.listed, table.lists, strict=True))
        for player in np.flatnonzero(self._asked).tolist():
            if player not in listed:
                listed[player] = HandList(*live_hands(self.spot, player))
        return listed

    def _list_block(self) -> Block:
        """The hands of all players as the kernel takes them."""
        empty = HandList(np.zeros((0, self.spot.game.hole), np.uint8), np.zeros(0, np.int64))
        lists = [self.hands.get(player, empty) for player in range(len(self.spot.players))]
        weights = [reduced(hands.weights) if len(hands) else hands.weights for hands in lists]
        rows, first = [], 0
        for player, hands in enumerate(lists):
            own = self.classes.get(player)
            rows.append(np.zeros(len(hands), np.int64) if own is None else first + own)
            first += len(self.combo_sums.get(player, ()))
        return Block(
            records.LISTS,
            {
                "total": sum(map(len, lists)),
                "rows": first,
                "row": np.concatenate(rows).astype(np.int32),
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
                    rows=self._lists.values["rows"],
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
        for work in works:
            found = np.frombuffer(work.values["combo_sums"], np.int64)
            rows = found.reshape(-1, records.COMBO_SUMS)
            first = 0
            for sums in self.combo_sums.values():
                np.add(sums, rows[first : first + len(sums)], out=sums)
                first += len(sums)


def _chunks(tries: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Divide boards into runs that have about as many tries each."""
    ends = np.cumsum(tries)
    wanted = np.arange(CHUNK, int(ends[-1:].sum()) + CHUNK, CHUNK)
    stops = np.unique(np.minimum(np.searchsorted(ends, wanted) + 1, len(ends))).tolist()
    return list(pairwise([0, *stops]))


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


def known_errors(
    equities: NDArray[np.float64], errors: NDArray[np.float64], deals: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Standard errors that are never unknown.

    Where all deals agree, or there are hardly any, the error is that of one more deal won
    and one more lost.
    """
    part = (equities * deals + 1) / (deals + 2)
    least = np.sqrt(part * (1 - part) / (deals + 2))
    found: NDArray[np.float64] = np.where(np.isfinite(errors), np.maximum(errors, least), least)
    return found
