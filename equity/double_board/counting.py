"""Enumerates all deals of two boards: the joint distribution of their results.

Pairs of runouts without a common card are counted by inclusion-exclusion over the cards
that they could share.  Let n(i, S) be the runouts of kind i on the first board that contain
all cards of a set S, and m(j, S) those of kind j on the second.  Then the pairs of
disjoint runouts of the kinds i and j are the sum over all S of
``(-1)**len(S) * n(i, S) * m(j, S)``, since a pair that shares cards cancels out.  So a
million runouts on each board take a fraction of a second, where pairs would take days.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, islice
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from equity.double_board.answers import Shares
from equity.double_board.boards import Boards
from equity.engine.deal_sampler import cells
from equity.engine.hand_lists import hand_lists
from equity.engine.multiway import TupleWalk
from equity.engine.sampling.estimates import cell_figures
from equity.engine.showdown import evaluate
from equity.results.tally import POT
from equity.rules.cards import DECK_SIZE
from equity.rules.games import BOARD_SIZE

__all__ = ["JointSums", "JointWalk", "joint_cost"]

#: Number of boards that are enumerated jointly; spots with more are sampled.
BOARDS = 2
#: Nanoseconds of a set of hands, of a runout for each player, and of each set of its
#: cards.
SET_COST = 400_000
RUNOUT_COST = 40
CARDS_COST = 8
#: Approximate nanoseconds of a chunk.
CHUNK_COST = 50_000_000

#: (n, cards) uint8: indices into a list of live cards, ascending.
Choices = NDArray[np.uint8]
Counts = NDArray[np.int64]
#: The cards of all hands as a bit mask, the hands one after the other, and a weight.
HandSet = tuple[int, bytes, int]


def joint_cost(boards: Boards, sets: int) -> int | None:
    """Estimated nanoseconds for ``sets`` sets of hands; None if boards are not two."""
    if len(boards.known) != BOARDS:
        return None
    players = len(boards.spot.players)
    gone = len(boards.cards) + len(boards.spot.dead) + players * boards.spot.game.hole
    runouts = sum(
        comb(DECK_SIZE - gone, missing) * (RUNOUT_COST * players + (CARDS_COST << missing))
        for missing in (boards.missing[:1] if boards.twice else boards.missing)
    )
    return sets * (SET_COST + runouts)


@dataclass
class JointSums:
    """Deals by player and by what they win, in units of 1 / POT; sums add up."""

    #: For all boards together, in units of 1 / (BOARDS * POT).
    both: list[Counter[int]]
    #: For each board alone.
    alone: list[list[Counter[int]]]
    #: Deals, whatever their weights.
    deals: int = 0

    @classmethod
    def empty(cls, players: int) -> JointSums:
        """Sums of nothing."""

        def counters() -> list[Counter[int]]:
            return [Counter() for _ in range(players)]

        return cls(counters(), [counters() for _ in range(BOARDS)])

    def add(self, other: JointSums) -> None:
        """Add the sums of other deals."""
        mine, theirs = [self.both, *self.alone], [other.both, *other.alone]
        for ours, others in zip(mine, theirs, strict=True):
            for one, two in zip(ours, others, strict=True):
                one.update(two)
        self.deals += other.deals

    def shares(self, player: int, *, exact: bool) -> tuple[Shares, tuple[Shares, ...]]:
        """What a player wins of all boards together, and of each alone."""
        both = _shares(self.both[player], BOARDS * POT, exact=exact)
        return both, tuple(_shares(board[player], POT, exact=exact) for board in self.alone)


def _shares(counts: Counter[int], unit: int, *, exact: bool) -> Shares:
    parts = sorted(counts, reverse=True)
    return Shares({Fraction(part, unit): counts[part] for part in parts}, exact)


class JointWalk(TupleWalk):
    """Enumerates all deals of two boards for every compatible set of hands.

    Parameters
    ----------
    boards:
        A validated spot with two boards.
    """

    def __init__(self, boards: Boards) -> None:
        self.question = boards.alone[0]
        super().__init__(self.question, hand_lists(self.question))
        self.boards = boards
        self._is_stopped = False
        #: Number of sets of hands, and of those in a chunk.
        self.sets = prod(map(len, self.hands))
        self.chunk_sets = max(1, CHUNK_COST // (joint_cost(boards, 1) or 1))

    def parts(self) -> Iterator[list[HandSet]]:
        """The compatible sets of hands in chunks, spread over all sets."""
        numbers = range(self.chunk_count)
        every = (one for number in numbers for one in self._sets(self.chunk(number)))
        while chunk := list(islice(every, self.chunk_sets)):
            yield chunk

    def stop(self) -> None:
        """Cut short the chunks of other threads: one set may take a second."""
        self._is_stopped = True

    def _go_on(self) -> None:
        """Raise KeyboardInterrupt once the walk is stopped."""
        if self._is_stopped:
            raise KeyboardInterrupt

    def count(self, chunk: Sequence[HandSet]) -> JointSums:
        """The sums of some sets of hands."""
        sums = JointSums.empty(len(self.hands))
        for mask, cards, weight in chunk:
            self._add(mask, cards, weight, sums)
        return sums

    def _add(self, mask: int, cards: bytes, weight: int, sums: JointSums) -> None:
        """Add all deals of the boards for one set of hands."""
        game = self.question.game
        gone = mask | sum(1 << card for card in {*self.boards.cards, *self.question.dead})
        live = np.array([card for card in range(DECK_SIZE) if not gone >> card & 1], np.uint8)
        hands = np.frombuffer(cards, np.uint8).reshape(-1, 1, game.hole)
        self._go_on()
        of_board = [
            _Runouts(known, live, hands, game.name, self._go_on)
            for known in (self.boards.known[:1] if self.boards.twice else self.boards.known)
        ]
        first, second = of_board[0], of_board[-1]
        together = _disjoint(first, second, len(live))
        total = int(together.sum())
        sums.deals += total
        for player in range(len(hands)):
            one, two = first.parts[:, player], second.parts[:, player]
            won = one[:, np.newaxis] + two
            for counter, parts, counts in (
                (sums.both[player], won.ravel(), together.ravel()),
                (sums.alone[0][player], one, together.sum(axis=1)),
                (sums.alone[1][player], two, together.sum(axis=0)),
            ):
                for part, count in zip(parts.tolist(), counts.tolist(), strict=True):
                    if count:
                        counter[part] += weight * count


class _Runouts:
    """All runouts of a board by their kind, which is what all players win."""

    def __init__(
        self,
        known: Sequence[int],
        live: NDArray[np.uint8],
        hands: NDArray[np.uint8],
        game: str,
        go_on: Callable[[], None],
    ) -> None:
        self._go_on = go_on
        self.choices = _choices(len(live), BOARD_SIZE - len(known))
        boards = np.empty((len(self.choices), BOARD_SIZE), np.uint8)
        boards[:, : len(known)] = known
        boards[:, len(known) :] = live[self.choices]
        values = [
            evaluate(np.broadcast_to(hand, (len(boards), hand.shape[1])), boards, game)
            for hand in hands
        ]
        worth, of_cell = np.unique(cell_figures(len(hands))[0], return_inverse=True)
        #: (n,): kind of each runout, a number below ``kinds``.
        self.kind = np.zeros(len(boards), np.int64)
        self.kinds = 1
        won = [of_cell.ravel()[cell] for cell in cells(values)]
        for of_player in won:
            code = self.kind * len(worth) + of_player
            occurs = np.zeros(self.kinds * len(worth), bool)
            occurs[code] = True
            self.kind = (np.cumsum(occurs) - 1)[code]
            self.kinds = int(occurs.sum())
        example = np.zeros(self.kinds, np.int64)
        example[self.kind] = np.arange(len(boards))
        #: (kinds, players): what each wins of the board, in units of 1 / POT.
        self.parts = np.stack([worth[of_player[example]] for of_player in won], axis=1)

    def containing(self, size: int, live: int) -> Counts:
        """(sets, kinds): the runouts of each kind that contain each set of ``size`` cards."""
        counts = np.zeros(comb(live, size) * self.kinds, np.int64)
        for columns in combinations(range(self.choices.shape[1]), size):
            self._go_on()
            place = _places(self.choices[:, list(columns)])
            counts += np.bincount(place * self.kinds + self.kind, minlength=len(counts))
        return counts.reshape(-1, self.kinds)


def _disjoint(first: _Runouts, second: _Runouts, live: int) -> Counts:
    """(kinds, kinds): pairs of runouts without a common card, by their kinds."""
    is_same = first is second
    widths = first.choices.shape[1], second.choices.shape[1]
    total = np.zeros((first.kinds, second.kinds), np.int64)
    for size in range(min(widths) + 1):
        if is_same and size == widths[0]:
            # A set of all cards is a single runout, paired with itself.
            shared = np.diag(np.bincount(first.kind, minlength=first.kinds))
        else:
            one = first.containing(size, live)
            two = one if is_same else second.containing(size, live)
            # All sums are below 2**53, so floats are exact, and ten times as fast.
            shared = (one.T.astype(np.float64) @ two.astype(np.float64)).astype(np.int64)
        total += shared if size % 2 == 0 else -shared
    return total


@lru_cache(maxsize=8)
def _choices(count: int, size: int) -> Choices:
    """(n, size): all combinations of ``size`` numbers below ``count``, at their index."""
    chosen = np.zeros((1, 0), np.uint8)
    for width in range(1, size + 1):
        ways = [comb(last, width - 1) for last in range(count)]
        before = np.concatenate([chosen[:number] for number in ways])
        chosen = np.column_stack([before, np.repeat(np.arange(count, dtype=np.uint8), ways)])
    return chosen


def _places(choices: Choices) -> Counts:
    """Index of each combination among those of its size, in colexicographic order."""
    places = np.zeros(len(choices), np.int64)
    for at in range(choices.shape[1]):
        ways = np.array([comb(number, at + 1) for number in range(DECK_SIZE)], np.int64)
        places += ways[choices[:, at]]
    return places
