"""Equities of a spot when more board cards come."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from equity.engine.executor import worker_threads
from equity.engine.hand_lists import hand_lists, weight_unit
from equity.engine.options import How
from equity.engine.sweeping import BoardTallies, Deal, Sweep, sweep_boards
from equity.results.player import PlayerResult
from equity.rules.games import FLOP_SIZE
from equity.spot import Spot
from equity.views.answers import Answer, Cost, announce, ask, board_cost, on_board, part_of

__all__ = ["Runouts"]

Cards = Sequence[int]


class Runouts:
    """Answers to a spot with each of several sets of cards to come.

    Two ranges for which a sweep is the cheapest method are swept once, on all complete
    boards, and every answer is a sum of that.  Other spots are solved set by set.

    Parameters
    ----------
    spot:
        The spot, without these cards.
    how:
        Options of the calculation.
    sets:
        The sets of cards, as many cards in each.
    """

    def __init__(self, spot: Spot, how: How, sets: Sequence[Cards]) -> None:
        self.spot, self.how, self.sets = spot, how, sets
        #: Estimated cost of an answer; None if answers are sampled.
        self.cost = board_cost((on_board(spot, cards) for cards in sets), how)
        self._sweep = self._swept()
        if self._sweep is not None:
            self.cost = Cost(self._sweep.cost // max(1, len(sets)), Sweep.method)

    def _swept(self) -> Sweep | None:
        """The sweep that answers all sets; None if each set of cards is solved by itself.

        Before the flop there are too many boards to have a tally of each.
        """
        spot = self.spot
        if self.cost is None or self.cost.method != Sweep.method or len(spot.board) < FLOP_SIZE:
            return None
        first, second = hand_lists(spot)
        deal = Deal(first, second, spot.board, spot.dead, spot.game)
        return Sweep(deal) if deal.parts == 1 else None

    def answers(self, noun: str) -> Iterator[tuple[Cards, Answer | None]]:
        """The answer for each set of cards; None if no deal has them.

        ``noun`` is what the sets are in a notice of long work.
        """
        announce(len(self.sets), noun, self.cost, self.how)
        return ((cards, self.answer(cards)) for cards in self.sets)

    def answer(self, cards: Cards) -> Answer | None:
        """The answer for a set of cards, of any number; None if no deal has them."""
        if self._tallies is None:
            return ask(on_board(self.spot, cards), self.how)
        tally = self._tallies.with_cards(cards)
        if not tally.weight:
            return None
        low = self.spot.game.low
        parts = (
            part_of(PlayerResult(text, tally, at, low)) for at, text in enumerate(self.spot.texts)
        )
        return Answer(tuple(parts), tally.weight * self._unit)

    @cached_property
    def _unit(self) -> int:
        """The factor from weights of tallies to those of answers."""
        return weight_unit(self.spot)

    @cached_property
    def _tallies(self) -> BoardTallies | None:
        """The tallies of all complete boards, if they are swept."""
        if self._sweep is None:
            return None
        return sweep_boards(self._sweep, worker_threads(self.how.threads))
