"""All-in equities: what each pot was worth to its players when betting had ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from equity.histories.hand import STREETS, Hand, Pot
from equity.rules.cards import format_cards
from equity.rules.games import BOARD_SIZE, FLOP_SIZE, Game
from equity.spot import Spot

__all__ = ["AllIn", "PotEquity", "standing"]

NO_ALL_IN = "no all-in"
RIVER = "river"
NOT_SHOWN = "a live hand was not shown"
NO_CARD = "a board card is not told"
ASIDE = "set aside"


@dataclass(frozen=True)
class PotEquity:
    """The equities of a pot."""

    pot: Pot
    #: The equity of each of its members, in their order; they sum to 1.
    equities: tuple[Fraction, ...]

    @property
    def expected(self) -> tuple[Fraction, ...]:
        """What each of its members wins on average, after the rake."""
        left = self.pot.amount - self.pot.taken
        return tuple([left * part for part in self.equities])


@dataclass(frozen=True)
class AllIn:
    """A hand when no more betting can take place, and cards are still to come."""

    hand: Hand
    game: Game
    #: The street on which betting ended, see :data:`equity.histories.hand.STREETS`.
    street: int
    #: The boards then: two if there are two for each half of the pot.
    boards: tuple[tuple[int, ...], ...]
    #: Known cards of players who had folded.
    dead: tuple[int, ...]

    @property
    def street_name(self) -> str:
        """``"flop"``, say."""
        return STREETS[self.street]

    @property
    def board(self) -> tuple[int, ...]:
        """The board then."""
        return self.boards[0]

    @property
    def board_text(self) -> str:
        """The board then, as text."""
        return format_cards(self.board)

    @cached_property
    def pots(self) -> tuple[PotEquity, ...]:
        """The equities of each pot, the main pot first."""
        return tuple([PotEquity(pot, self._equities(pot.members)) for pot in self.hand.pots])

    @cached_property
    def expected(self) -> tuple[Fraction, ...]:
        """What each player wins on average from all pots, after the rake."""
        sums = [Fraction(0)] * len(self.hand.players)
        for pot in self.pots:
            for player, part in zip(pot.pot.members, pot.expected, strict=True):
                sums[player] += part
        return tuple(sums)

    def equity(self, player: int) -> Fraction:
        """The part of all pots that a player wins on average."""
        left = sum([pot.pot.amount - pot.pot.taken for pot in self.pots], Fraction(0))
        return self.expected[player] / left if left else Fraction(0)

    def _equities(self, members: Sequence[int]) -> tuple[Fraction, ...]:
        from equity.engine.solver import solve

        if len(members) == 1:
            return (Fraction(1),)
        hand = self.hand
        hands = tuple([hand.players[at].cards for at in members])
        # Live hands that are not in this pot are known, and hold none of its cards.
        outside = [hand.players[at].cards for at in hand.live if at not in members]
        dead = self.dead + tuple([card for cards in outside for card in cards])
        sums = [Fraction(0)] * len(members)
        for at, board in enumerate(self.boards):
            others = [card for other in self.boards[:at] + self.boards[at + 1 :] for card in other]
            found = solve(Spot(self.game, hands, board, (*dead, *others)))
            sums = [one + more for one, more in zip(sums, found.equities_exact, strict=True)]
        return tuple([part / len(self.boards) for part in sums])


def standing(hand: Hand) -> tuple[AllIn | None, str]:
    """The all-in of a hand; or why its real result counts."""
    if hand.problem or hand.game is None:
        return None, ASIDE
    players = [hand.players[at] for at in hand.live]
    if len(players) < 2 or not hand.actions:
        return None, NO_ALL_IN
    left = [
        1 if player.stack is None else player.stack - player.put_in + player.returned
        for player in players
    ]
    if all(left):
        return None, NO_ALL_IN
    street = hand.actions[-1].street
    known = hand.first_cards if street == 0 else FLOP_SIZE + street - 1
    if sum(map(bool, left)) > 1 or known >= BOARD_SIZE:
        return None, RIVER
    if any(len(player.cards) != hand.game.hole for player in players):
        return None, NOT_SHOWN
    boards = hand.boards if hand.is_double_board else hand.boards[:1]
    if any(len(board) < known for board in boards):
        return None, NO_CARD
    dead = [card for player in hand.players if player.has_folded for card in player.cards]
    return AllIn(
        hand, hand.game, street, tuple([board[:known] for board in boards]), tuple(dead)
    ), ""
