"""Exact equities of dealt hands against ranges."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from equity.engine.deal_sums import DealSums, known_errors
from equity.engine.hand_lists import reduced
from equity.engine.odds_many import odds_many
from equity.engine.options import How
from equity.engine.planner import plan_for
from equity.engine.solver import run_exact, solve
from equity.engine.sweeping.symmetry import masks
from equity.errors import DealError, NoDealError
from equity.ranges import Range
from equity.results.tally import POT
from equity.rules.games import BOARD_SIZE, FLOP_SIZE, Game
from equity.spot import Spot

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["COMPARED", "RangeEquities"]

#: Equities that are remembered.
_MOST = 1 << 21
#: Combinations of hands of others that are listed, and rows that are solved at once.
_MOST_TUPLES = 50_000
_PAIRS = 1 << 16
#: Nanoseconds to ask the engine for one hand, and to solve known hands by cards of the board.
_ENGINE = 2_500_000
_WALKS = (100_000, 80_000, 30_000, 2_500, 500, 100)
#: Hands on one board from which on they are found together.
_TOGETHER = 2
#: Rounds of deals by which an equity is compared with a bound, and how many standard errors it
#: must be away from that; a normal figure is further off once in a thousand million times.
_ROUNDS = (1 << 12, 1 << 15, 1 << 17)
_CERTAIN = 6.0
#: Nanoseconds of such a comparison, on average.
COMPARED = 8_000_000

Player = tuple[int, ...] | Range
#: Numerator and denominator; a denominator of 0 is no value.
Equity = tuple[int, int]
_NONE: Equity = (0, 0)


class _Tuples(NamedTuple):
    """Combinations of a hand of each of several players that share no card."""

    #: (n, players, hole) uint8, and (n,) int64.
    hands: NDArray[np.uint8]
    masks: NDArray[np.int64]
    weights: NDArray[np.int64]


def _count(player: Player) -> int:
    return 1 if isinstance(player, tuple) else len(player)


def _combined(others: tuple[Player, ...]) -> _Tuples:
    lists = [
        (np.array([other], np.uint8), np.ones(1, np.int64))
        if isinstance(other, tuple)
        else (other.combos, reduced(other.weights))
        for other in others
    ]
    cards, weights = lists[0]
    hands, taken = cards[:, None], masks(np.ascontiguousarray(cards))
    for cards, more in lists[1:]:
        mine = masks(np.ascontiguousarray(cards))
        one, other = np.nonzero(taken[:, None] & mine == 0)
        hands = np.concatenate([hands[one], cards[other, None]], axis=1)
        taken, weights = taken[one] | mine[other], weights[one] * more[other]
    return _Tuples(hands, taken, np.ascontiguousarray(weights))


def _by_rows(
    game: Game, tuples: _Tuples, rows: NDArray[np.uint8], dead: tuple[int, ...]
) -> list[Equity]:
    """Equities of rows of a hand and a board, by solving them against each combination."""
    hole = game.hole
    gone = sum(1 << card for card in dead)
    taken = masks(rows) | gone
    won = np.zeros(len(rows), object)
    met = np.zeros(len(rows), object)
    step = max(1, _PAIRS // max(len(tuples.masks), 1))
    for begin in range(0, len(rows), step):
        part = rows[begin : begin + step]
        row, other = np.nonzero(taken[begin : begin + step, None] & tuples.masks == 0)
        if not len(row):
            continue
        hands = np.concatenate([part[row, None, :hole], tuples.hands[other]], axis=1)
        odds = odds_many(np.ascontiguousarray(hands), part[row, hole:], game, dead, threads=1)
        weights = tuples.weights[other]
        # Few units of a pot are won on few runouts, so that sums are far below 2 ** 62.
        for sums, values in ((won, odds.won[:, 0]), (met, odds.runouts.astype(np.int64))):
            added = np.zeros(len(part), np.int64)
            np.add.at(added, row, values * weights)
            sums[begin : begin + step] += added
    found = []
    for one, all_pots in zip(won.tolist(), met.tolist(), strict=True):
        equity = Fraction(one, POT * all_pots) if all_pots else None
        found.append(_NONE if equity is None else (equity.numerator, equity.denominator))
    return found


def _decided(spot: Spot, boards: NDArray[np.uint8], least: float) -> NDArray[np.int8]:
    """1 or 0 for boards on which player 1 has at least an equity, or not; 2 where it is close."""
    found = np.full(len(boards), 2, np.int8)
    try:
        sums = DealSums(spot, boards, seed=0)
    except DealError:
        return found
    for deals in _ROUNDS:
        sums.draw(np.where(found == 2, deals, 0), threads=1)
        count = np.maximum(sums.deals, 1)
        equities = sums.sums[:, 0, 0] / (POT * count.astype(float))
        errors = known_errors(equities, sums.errors[:, 0], count)
        is_far = (abs(equities - least) > _CERTAIN * errors) & (sums.deals > deals // 16)
        found = np.where((found == 2) & is_far, equities > least, found).astype(np.int8)
    return found


@dataclass(frozen=True)
class _Place:
    """Whom hands play, and on which board."""

    others: tuple[Player, ...]
    board: tuple[int, ...]
    dead: tuple[int, ...]


class RangeEquities:
    """Equities of hands against the ranges of others, remembered."""

    def __init__(self, game: Game, players: Sequence[Player]) -> None:
        self.game = game
        self.players = tuple(players)
        #: Whether an answer is sampled, so that a comparison may be left to chance.
        self.is_sampled = False
        self._known: dict[tuple[Any, ...], Equity] = {}
        self._compared: dict[tuple[Any, ...], bool] = {}
        self._lock = threading.Lock()
        self._listed: dict[tuple[Player, ...], _Tuples] = {}

    def others(self, player: int, perceived: Range | None) -> tuple[Player, ...]:
        """Whom a player faces: the ranges of all others, or one range for each of them."""
        rest = self.players[:player] + self.players[player + 1 :]
        return rest if perceived is None else (perceived,) * len(rest)

    def cost(self, player: int, size: int, perceived: Range | None, board: tuple[int, ...]) -> int:
        """Estimated nanoseconds for a hand of a player on a board of ``size`` cards."""
        others = self.others(player, perceived)
        known = self.players[player]
        hand = known if isinstance(known, tuple) else tuple(known.combos[0].tolist())
        taken = {*hand, *board}
        deck = [card for card in range(52) if card not in taken]
        spot = Spot(self.game, (hand, *others), (*board, *deck)[:size])
        if spot.hands is not None or 0 in spot.live_combos:
            return 100_000
        tuples = prod(_count(other) for other in others)
        if tuples <= _MOST_TUPLES and tuples * _WALKS[size] <= _ENGINE:
            return 20_000 + tuples * _WALKS[size]
        return 2_000_000 + plan_for(spot, How(exact=True, yes=True)).cost  # type: ignore[union-attr]

    def find(
        self,
        player: int,
        perceived: Range | None,
        hands: NDArray[np.uint8],
        boards: NDArray[np.uint8],
        dead: tuple[int, ...],
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """Numerators and denominators of equities, a row for each hand and board.

        Where no hand of the others can be dealt the denominator is 0.
        """
        others = self.others(player, perceived)
        keys = np.hstack([np.sort(hands, axis=1), np.sort(boards, axis=1)])
        rows, of = np.unique(keys, axis=0, return_inverse=True)
        hole = self.game.hole
        waiting: dict[tuple[int, ...], list[int]] = {}
        found: list[Equity] = [_NONE] * len(rows)
        named = [(others, dead, row.tobytes()) for row in rows]
        for at, key in enumerate(named):
            known = self._known.get(key)
            if known is None:
                board = tuple(rows[at, hole:].tolist())
                waiting.setdefault(board, []).append(at)
            else:
                found[at] = known
        tuples = self._tuples(others)
        if tuples is not None and waiting:
            every = [at for numbers in waiting.values() for at in numbers]
            size = boards.shape[1]
            if len(tuples.masks) * _WALKS[size] <= _ENGINE:
                equities = _by_rows(self.game, tuples, rows[every], dead)
                self._note(found, named, every, equities)
                waiting = {}
        for board, numbers in waiting.items():
            place = _Place(others, board, dead)
            self._note(found, named, numbers, self._solve(place, rows[numbers, :hole]))
        top = max((max(pair) for pair in found), default=0)
        kind: Any = np.int64 if top < 1 << 62 else object
        values = np.array(found, kind).reshape(-1, 2)[of.reshape(-1)]
        return values[:, 0], values[:, 1]

    def is_comparable(self, player: int, perceived: Range | None, size: int) -> bool:
        """Whether comparing is much faster than finding the equity: a hand against a wide range."""
        others = self.others(player, perceived)
        return (
            isinstance(self.players[player], tuple)
            and len(others) == 1
            and FLOP_SIZE <= size < BOARD_SIZE
            and _count(others[0]) * _WALKS[size] > COMPARED
        )

    def at_least(
        self,
        player: int,
        perceived: Range | None,
        least: Fraction,
        boards: NDArray[np.uint8],
        dead: tuple[int, ...],
    ) -> NDArray[np.int8]:
        """Whether the equity of a player's hand is at least ``least`` on each board.

        1 if it is, 0 if not, -1 where no hand of the other can be dealt.  Deals are sampled
        until it is some standard errors away; equities that stay close are enumerated.
        """
        hand = self.players[player]
        if not isinstance(hand, tuple):
            raise RuntimeError("only known hands are compared")
        other = self.others(player, perceived)[0]
        rows, of = np.unique(np.sort(boards, axis=1), axis=0, return_inverse=True)
        keys = [(hand, other, least, dead, row.tobytes()) for row in rows]
        found = np.array([self._compared.get(key, 2) for key in keys], np.int8)
        waiting = np.flatnonzero(found == 2)
        spot = Spot(self.game, (hand, other), (), dead)
        if len(waiting) and 0 not in spot.live_combos:
            found[waiting] = _decided(spot, rows[waiting], float(least))
        for at in np.flatnonzero(found == 2).tolist():
            place = _Place((other,), tuple(rows[at].tolist()), dead)
            num, den = self._alone(place, hand)
            found[at] = -1 if not den else Fraction(num, den) >= least
        with self._lock:
            if len(self._compared) > _MOST:
                self._compared.clear()
            self._compared.update(zip(keys, found.tolist(), strict=True))
        return found[of.reshape(-1)]

    def _note(
        self,
        found: list[Equity],
        named: list[tuple[Any, ...]],
        numbers: list[int],
        equities: list[Equity],
    ) -> None:
        """Enter equities, and remember them."""
        with self._lock:
            if len(self._known) > _MOST:
                self._known.clear()
            for at, equity in zip(numbers, equities, strict=True):
                found[at] = self._known[named[at]] = equity

    def _tuples(self, others: tuple[Player, ...]) -> _Tuples | None:
        """All combinations of the hands of others; None if they are many."""
        if not others or prod(_count(other) for other in others) > _MOST_TUPLES:
            return None
        if others not in self._listed:
            self._listed[others] = _combined(others)
        return self._listed[others]

    def _solve(self, place: _Place, hands: NDArray[np.uint8]) -> list[Equity]:
        """The equities of hands on one board."""
        others = place.others
        if not others:
            return [(1, 1)] * len(hands)
        both = len(others) == 1 and isinstance(others[0], Range)
        if both and len(hands) >= _TOGETHER and len(place.board) >= FLOP_SIZE:
            return self._together(place, hands)
        return [self._alone(place, tuple(hand)) for hand in hands.tolist()]

    def _alone(self, place: _Place, hand: tuple[int, ...]) -> Equity:
        """The equity of one hand."""
        taken = {*hand, *place.board, *place.dead}
        if any(isinstance(other, tuple) and taken & set(other) for other in place.others):
            return _NONE
        spot = Spot(self.game, (hand, *place.others), place.board, place.dead)
        if spot.hands is None and 0 in spot.live_combos:
            return _NONE
        try:
            result = solve(spot, How(exact=True, threads=1, yes=True))
        except NoDealError:
            return _NONE
        equity = result.players[0].equity_exact
        return equity.numerator, equity.denominator

    def _together(self, place: _Place, hands: NDArray[np.uint8]) -> list[Equity]:
        """The equities of several hands against one range."""
        listed = Range.from_hands(hands, self.game)
        spot = Spot(self.game, (listed, *place.others), place.board, place.dead)
        if 0 in spot.live_combos:
            return [_NONE] * len(hands)
        how = How(exact=True, by_combo=True, threads=1, yes=True)
        plan = plan_for(spot, how)
        if not plan.is_exact:
            raise RuntimeError("a plan for an exact answer is one")
        try:
            result = run_exact(spot, plan, how)
        except NoDealError:
            return [_NONE] * len(hands)
        combos = result.hands[0] if result.hands else None
        if combos is None:
            return [self._alone(place, tuple(hand)) for hand in hands.tolist()]
        won = combos.high + combos.low
        by_hand = {
            tuple(sorted(hand)): (int(num), POT * int(den)) if den else _NONE
            for hand, num, den in zip(combos.cards.tolist(), won, combos.met, strict=True)
        }
        return [by_hand.get(tuple(sorted(hand)), _NONE) for hand in hands.tolist()]
