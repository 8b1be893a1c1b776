"""A hand that was played: players, actions, boards, pots, results, and all-in equities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from equity.rules.cards import format_cards
from equity.rules.games import BOARD_SIZE, FLOP_SIZE, Game
from equity.spot import Spot

__all__ = ["STREETS", "Action", "AllIn", "Hand", "HandPlayer", "Pot", "PotEquity", "Unread"]

#: Streets by number.
STREETS = ("preflop", "flop", "turn", "river")
#: Why the real result of a hand counts.
NO_ALL_IN = "no all-in"
RIVER = "river"
NOT_SHOWN = "a live hand was not shown"
NO_CARD = "a board card is not told"
ASIDE = "set aside"


class Unread(NamedTuple):
    """A part of a file that was not understood, or a hand that is set aside."""

    #: The file.
    file: str
    #: The line, from 1.
    line: int
    #: What is wrong.
    problem: str
    #: The line itself, if it is about one.
    text: str = ""


class Action(NamedTuple):
    """What a player did, or what was posted for them."""

    #: The player, from 0.
    player: int
    #: The street, from 0, see :data:`STREETS`.
    street: int
    #: A name of :data:`equity.histories.betting.ACTIONS`.
    verb: str
    #: As printed, in units of the hand: chips added, or the total of a raise.
    amount: int = 0


@dataclass(slots=True)
class HandPlayer:
    """A player of a hand.  Amounts are in units of the hand."""

    name: str
    seat: int
    #: Chips before the hand; None if it is not told.
    stack: int | None
    #: Hole cards, as far as they are known.
    cards: tuple[int, ...] = ()
    has_folded: bool = False
    #: Chips put in, uncalled ones included.
    put_in: int = 0
    #: Uncalled chips.
    returned: int = 0
    #: Chips won from the pots, after the rake.
    won: int = 0
    #: What the player took instead of their part of the pots, and what that cost them.
    cash_out: int | None = None
    cash_out_fee: int = 0

    @property
    def net(self) -> int:
        """Gain or loss, without a cash-out."""
        return self.won + self.returned - self.put_in


@dataclass(frozen=True)
class Pot:
    """A main or side pot."""

    #: Chips in it, before the rake.
    amount: int
    #: What the room takes from it: rake and fees.
    taken: Fraction
    #: The players who can win it, from 0.
    members: tuple[int, ...]


@dataclass
class Hand:
    """A hand of a history.

    All amounts are integers, in units of which :attr:`unit` make one of the currency (1 is
    chips, 100 is cents).  Chips put in and dead money are what is returned, won and taken
    by the room, or :attr:`problem` tells why not.
    """

    #: The file.
    file: str
    #: The line in it where the hand begins, from 1.
    line: int
    #: The number of the hand.
    id: str
    #: The game; None for games that are not of the Omaha family.
    game: Game | None
    #: The game as the room calls it.
    title: str
    #: The code of the currency; empty for chips.
    currency: str = ""
    #: How many units make one of the currency.
    unit: int = 1
    #: The players at the table.
    players: list[HandPlayer] = field(default_factory=list)
    #: What they did, in order.
    actions: list[Action] = field(default_factory=list)
    #: The board of each run; one that was not dealt to the end is shorter.
    boards: list[tuple[int, ...]] = field(default_factory=lambda: [()])
    #: Whether betting went on with several boards: half of the pot for each.
    is_double_board: bool = False
    #: The pots, the main pot first.
    pots: tuple[Pot, ...] = ()
    #: What the room took from the pots.
    rake: int = 0
    #: What else the room took: for a jackpot, say.
    fees: int = 0
    #: Money in the pot that no player has put in.
    dead: int = 0
    #: The player for whom the history was written, from 0; None if there is none.
    hero: int | None = None
    #: Board cards that were known before the flop: one in Courchevel.
    first_cards: int = 0
    #: Why the hand is set aside; empty if its chips add up.
    problem: str = ""

    @property
    def board(self) -> tuple[int, ...]:
        """The board, of the first run if there are several."""
        return self.boards[0]

    @property
    def board_text(self) -> str:
        """The board as text."""
        return format_cards(self.board)

    @property
    def live(self) -> tuple[int, ...]:
        """The players who did not fold, from 0."""
        return tuple(at for at, player in enumerate(self.players) if not player.has_folded)

    @property
    def runs(self) -> int:
        """How often the board was run out."""
        return 1 if self.is_double_board else len(self.boards)

    @cached_property
    def _standing(self) -> tuple[AllIn | None, str]:
        return _standing(self)

    @property
    def why(self) -> str:
        """Why the hand has no all-in equities; empty if it has."""
        return self._standing[1]

    def all_in(self) -> AllIn | None:
        """Exact equities of each pot, when betting has ended; None if :attr:`why` says so."""
        return self._standing[0]

    def expected(self, player: int) -> Fraction:
        """What comes out of the pots for a player: by equity if all in, else as it came."""
        found = self.all_in()
        return Fraction(self.players[player].won) if found is None else found.expected[player]

    def amount(self, value: int | Fraction) -> Decimal | Fraction:
        """An amount in the currency, exactly."""
        exact = Fraction(value) / self.unit
        if 10**8 % exact.denominator:
            return exact
        return Decimal(exact.numerator) / Decimal(exact.denominator)


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

    #: The hand that was played.
    hand: Hand
    #: Its game.
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


def _standing(hand: Hand) -> tuple[AllIn | None, str]:
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
