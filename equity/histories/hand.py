"""A hand that was played: players, actions, boards, pots and results."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from equity.rules.cards import format_cards

if TYPE_CHECKING:
    from equity.histories.allin import AllIn
    from equity.rules.games import Game

__all__ = ["STREETS", "Action", "Hand", "HandPlayer", "Pot", "Unread"]

#: Streets by number.
STREETS = ("preflop", "flop", "turn", "river")


class Unread(NamedTuple):
    """A part of a file that was not understood, or a hand that is set aside."""

    file: str
    line: int
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

    #: The file, and the line in it where the hand begins.
    file: str
    line: int
    id: str
    #: The game; None for games that are not of the Omaha family.
    game: Game | None
    #: The game as the room calls it.
    title: str
    #: The code of the currency; empty for chips.
    currency: str = ""
    unit: int = 1
    players: list[HandPlayer] = field(default_factory=list)
    actions: list[Action] = field(default_factory=list)
    #: The board of each run; one that was not dealt to the end is shorter.
    boards: list[tuple[int, ...]] = field(default_factory=lambda: [()])
    #: Whether betting went on with several boards: half of the pot for each.
    is_double_board: bool = False
    #: The pots, the main pot first.
    pots: tuple[Pot, ...] = ()
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
        from equity.histories.allin import standing

        return standing(self)

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
