"""Equities of a spot when more board cards come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from equity.engine.executor import worker_threads
from equity.engine.hand_lists import hand_lists, weight_unit
from equity.engine.options import How
from equity.engine.planner import plan_for
from equity.engine.sweeping import BoardTallies, Deal, Sweep, board_tallies
from equity.results.player import PlayerResult
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
        self.cost = board_cost(self._spots(), how)
        self._deal = self._swept() if self.cost else None
        if self._deal is not None:
            self.cost = Cost(Sweep(self._deal).cost // max(1, len(sets)), 0)

    def _spots(self) -> Iterable[Spot]:
        return (on_board(self.spot, cards) for cards in self.sets)

    def _swept(self) -> Deal | None:
        """The deal to sweep once; None if each set of cards is solved by itself."""
        spot = self.spot
        if spot.hands is not None or len(spot.players) != 2:
            return None
        example = next((one for one in self._spots() if 0 not in one.live_combos), None)
        if example is None or plan_for(example, self.how).method != Sweep.method:
            return None
        first, second = hand_lists(spot)
        deal = Deal(first, second, spot.board, spot.dead, spot.game)
        return deal if deal.parts == 1 else None

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
        if self._deal is None:
            return None
        return board_tallies(self._deal, worker_threads(self.how.threads))
