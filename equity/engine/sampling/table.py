"""Prepares a question for the sampling kernel, and reads its result by player."""

from __future__ import annotations

from functools import reduce
from itertools import chain
from math import comb, gcd, lcm

import numpy as np

from equity.engine.hand_lists import reduced
from equity.engine.sampling.boards import Boards, possible, suit_codes
from equity.engine.sampling.estimates import SampleTally, figures_of
from equity.engine.sampling.question import HandList, Question
from equity.errors import EmptyRangeError
from equity.kernels import sampling_records as records
from equity.kernels.loader import Block
from equity.results.tally import POT, Tally
from equity.rules.cards import DECK_SIZE, format_cards
from equity.rules.games import BOARD_SIZE

__all__ = ["Table"]


class Table:
    """A question prepared for the kernel: who is dealt from a list, who from the deck."""

    def __init__(self, question: Question) -> None:
        self.game = question.game
        self.known = list(question.known)
        #: Bit masks of dead cards, and of cards that every hand of some list has.
        self.gone = reduce(int.__and__, [known.taken for known in self.known])
        self.held = 0
        lists = {
            player: self._usable(player, HandList(*hands))
            for player, hands in enumerate(question.ranges)
            if hands is not None
        }
        self._take_out_held(lists)
        left = comb(DECK_SIZE - (self.gone | self.held).bit_count(), self.game.hole)
        for player, hands in list(lists.items()):
            if len(hands) == left and np.all(hands.weights == hands.weights[0]):
                del lists[player]
        self.lists = list(lists.values())
        self.listed = list(lists)
        every = range(len(question.ranges))
        #: Players in the order of the kernel.
        self.seats = [*self.listed, *(player for player in every if player not in lists)]
        self.pot = 2 * lcm(*range(1, len(self.seats) + 1))
        self.weights = [reduced(hands.weights) for hands in self.lists]
        #: All hands; never empty, so that the array has an address.
        self._every = np.concatenate(
            [*(hands.cards for hands in self.lists), np.zeros((1, self.game.hole), np.uint8)]
        )
        self._listed: tuple[Boards, Block] | None = None

    def _usable(self, player: int, hands: HandList) -> HandList:
        """The hands that can be dealt to a player."""
        usable = hands.without(self.gone)
        if not len(usable):
            raise self._nothing_left(player, int(np.count_nonzero(hands.masks & self.gone)))
        return usable

    def _nothing_left(self, player: int, removed: int) -> EmptyRangeError:
        """The error for a range whose hands, ``removed`` of them, are all blocked."""
        place = f"range {player + 1}"
        if not removed:
            return EmptyRangeError("no hand is left", place=place, hint="none of them has a weight")
        known = self.known[0]
        names = " and ".join(
            f"{name} {format_cards(gone)}"
            for name, cards in (("board", known.board), ("dead cards", known.dead))
            if (gone := [card for card in cards if self.gone >> card & 1])
        )
        return EmptyRangeError(
            f"no hand is left, {removed} combo{'s' * (removed != 1)} removed by {names}",
            place=place,
            hint="take those cards away or widen the range",
        )

    def _take_out_held(self, lists: dict[int, HandList]) -> None:
        """Remove the hands with a card that another player is certain to hold."""
        seen: dict[int, int] = {}
        while True:
            held = {player: hands.held for player, hands in lists.items()}
            if held == seen:
                break
            seen = held
            for player, hands in lists.items():
                others = 0
                for other, mask in held.items():
                    others |= mask if other != player else 0
                lists[player] = hands.without(others)
                if not len(lists[player]):
                    raise EmptyRangeError(
                        "no hand is left",
                        place=f"range {player + 1}",
                        hint="all of them hold a card that another player is certain to hold",
                    )
        for mask in seen.values():
            self.held |= mask

    def most_hands(self) -> int:
        """The number of hands of a list on a board above which more change nothing."""
        return max((int(weights.sum()) for weights in self.weights), default=1)

    def boards(self) -> Boards:
        """Classes of the possible boards."""
        return possible(self.known, self.gone, self.held)

    def draw_block(self, classes: Boards, **numbers: int) -> Block:
        """What the kernel takes besides the lists of hands."""
        live = [card for card in range(DECK_SIZE) if not (self.gone | self.held) >> card & 1]
        steps = [step for step in range(1, len(live) + 1) if gcd(step, len(live)) == 1]
        deck = np.zeros(DECK_SIZE, np.uint8)
        deck[: len(live)] = live
        seats, hole = len(self.seats), self.game.hole
        figures = figures_of(seats)
        board = self.known[0].board
        codes = suit_codes(tuple(card & 3 for card in board), BOARD_SIZE - len(board)).codes
        return Block(
            records.DRAW,
            {
                "players": seats,
                "hole": hole,
                "low": int(self.game.low),
                "pot": self.pot,
                "cards": len(live),
                "deck": deck,
                "step_count": len(steps),
                "steps": np.array(steps, np.uint8),
                "held": self.held,
                "missing": BOARD_SIZE - len(board),
                "board_count": len(classes.weights),
                "board_cards": np.ascontiguousarray(classes.cards),
                "board_taken": classes.taken,
                "board_ranks": np.ascontiguousarray(classes.ranks),
                "suits_first": classes.suits_first,
                "suits_count": classes.suits_count,
                "code_count": len(codes),
                "codes": codes,
                "board_number": classes.number,
                "anew": int(self._is_dealt_anew()),
                "figures": len(figures.names),
                "part_of": np.array(figures.part_of, np.int64),
                **numbers,
            },
        )

    def _is_dealt_anew(self) -> bool:
        """Whether a board has too few hands from the deck to be shared by all deals."""
        free = len(self.seats) - len(self.lists)
        left = DECK_SIZE - BOARD_SIZE - (self.gone | self.held).bit_count()
        hits = sum(self.game.hole for hands in self.lists if len(hands) > 1)
        return bool(free and self.lists) and left // self.game.hole - hits < free

    def list_block(self, boards: Boards) -> Block:
        """The lists of boards and of hands."""
        if self._listed is not None and self._listed[0] is boards:
            return self._listed[1]
        block = records.list_block(self._every, [reduced(boards.weights), *self.weights])
        self._listed = boards, block
        return block

    def base_work(self, draws: int, boards: int, hands: int) -> int:
        """Operations (about 1 ns each) of draws, besides the steps that the kernel counts."""
        seats = len(self.seats)
        listed = sum(min(hands, int(weights.sum())) for weights in self.weights)
        free = 0 if len(self.lists) == seats else 250
        a_draw = 500 + 3 * seats**3 + 10 * min(boards, 8) * listed
        return draws * (a_draw + boards * (100 + 6 * listed + free))

    def tally(self, result: Block, draws: int, boards: int) -> SampleTally:
        """The result of the kernel, by player."""
        players = len(self.seats)
        seat_of = [self.seats.index(player) for player in range(players)]
        seated = Tally.from_flat(players, result.values["counts"])
        sums = list(result.values["sums"])
        names = figures_of(players).names
        rows = np.frombuffer(result.values["moments"], np.int64)
        rows = rows.reshape(players, len(names), records.MOMENTS)
        # The kernel divides a pot into fewer units, and counts an event as one.
        scales = [POT // self.pot if name in records.POT_SHARES else POT for name in names]
        moments = []
        for seat in seat_of:
            occurring = np.flatnonzero(rows[seat, :, 0]).tolist()
            moments.append(
                {
                    names[at]: (
                        x * scales[at],
                        ((nx << 32) + nx_rest) * scales[at],
                        ((xx << 32) + xx_rest) * scales[at] ** 2,
                    )
                    for at, (x, nx, nx_rest, xx, xx_rest) in zip(
                        occurring, rows[seat, occurring].tolist(), strict=True
                    )
                }
            )
        tally = Tally.from_flat(players, chain.from_iterable(map(seated.of_player, seat_of)))
        return SampleTally(tally, draws, boards, (sums[1] << 32) + sums[2], tuple(moments))
