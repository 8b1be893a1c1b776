"""A spot with several boards that are dealt from one deck."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from equity.common.arguments import shown
from equity.errors import CardCountError, DuplicateCardError, MethodError, PlayerCountError
from equity.rules.cards import DECK_SIZE, Cards, check_distinct, format_cards
from equity.rules.games import BOARD_SIZE
from equity.spot import (
    Spot,
    board_notices,
    check_known_cards,
    check_live,
    read_board,
    refuse_patterns,
)

__all__ = ["Boards", "check_runs", "read_boards"]

#: Numbers of known cards that two boards may share: the flop, or flop and turn.
SHARED = (3, 4)
#: How often a board is run, if more than once, and that in words.
RUNS = {2: "twice", 3: "three times"}


@dataclass(frozen=True)
class Boards:
    """A validated spot with several boards.

    Boards that begin with the same cards are runs of one pot; shared cards count once.
    """

    #: The spot on the first board.
    spot: Spot
    #: Known cards of each board, in the order of the deal.
    known: tuple[tuple[int, ...], ...]

    @property
    def twice(self) -> bool:
        """Whether all boards are completions of the same known cards."""
        return len(set(map(frozenset, self.known))) == 1

    @cached_property
    def cards(self) -> tuple[int, ...]:
        """Known cards of all boards, each once."""
        return tuple(dict.fromkeys(card for board in self.known for card in board))

    @property
    def missing(self) -> tuple[int, ...]:
        """Number of cards to come on each board."""
        return tuple(BOARD_SIZE - len(board) for board in self.known)

    @cached_property
    def alone(self) -> tuple[Spot, ...]:
        """The spot on each board alone; known cards of the others are dead."""
        return tuple(
            replace(
                self.spot,
                board=board,
                dead=(*self.spot.dead, *(card for card in self.cards if card not in board)),
            )
            for board in self.known
        )


def check_runs(board2: object, runs: object, mark: str = "") -> int:
    """The number of boards for a request with a second board, or runs.

    ``mark`` is put before names in error messages: ``"--"`` for options.

    Raises
    ------
    MethodError
        Runs are not two or three, or a second board is given too.
    """
    if runs is None:
        return 2
    if not isinstance(runs, int) or isinstance(runs, bool) or runs not in RUNS:
        raise MethodError(
            f"{shown(runs)} is neither 2 nor 3",
            place=f"{mark}runs",
            hint=f"a board is run twice, {mark}runs 2, three times, or once without it",
        )
    if board2 is not None:
        raise MethodError(
            "a second board, or the same one several times",
            place=f"{mark}board2",
            hint=f"leave out {mark}runs",
        )
    return runs


def read_boards(spot: Spot, board2: Cards | None = None, runs: int = 2) -> Boards:
    """Parse the second board of a spot; None runs the first board ``runs`` times.

    The notices of the second board are added to those of ``spot``.

    Raises
    ------
    EquityError
        A subclass says what is wrong with the second board, or why the spot cannot have
        two.
    """
    refuse_patterns(spot)
    first = spot.board
    second = first if board2 is None else read_board(board2, place="second board")
    boards = Boards(spot, (first,) * runs if board2 is None else (first, second))
    check_distinct([("the second board", second)])
    if boards.twice and len(first) == BOARD_SIZE:
        raise CardCountError(
            f"{spot.board_text} is complete",
            place="board",
            hint=f"there is nothing to run {RUNS[runs]}",
        )
    _check_shared(first, second)
    hands = [player if isinstance(player, tuple) else () for player in spot.players]
    check_known_cards(boards.cards, spot.dead, hands)
    _check_deck(boards)
    names = [("board", first), ("second board", second), ("dead cards", spot.dead)]
    check_live(boards.alone[0], names[:1] + names[2:] if boards.twice else names)
    if board2 is not None:
        spot.notices += board_notices(second, "second board")
    return boards


def _check_shared(first: tuple[int, ...], second: tuple[int, ...]) -> None:
    """Raise an error for boards that share cards other than their first ones."""
    shared = set(first) & set(second)
    count = len(shared)
    start = set(first[:count]) == shared == set(second[:count])
    if shared and first != second and not (start and count in SHARED):
        raise DuplicateCardError(
            f"{format_cards(sorted(shared, reverse=True))} of {format_cards(second)} "
            f"also on the board {format_cards(first)}",
            place="second board",
            hint="two boards share no card, or their flop (and turn) if one pot is run twice",
        )


def _check_deck(boards: Boards) -> None:
    """Raise an error unless the deck has cards for all hands and boards."""
    spot = boards.spot
    hole = spot.game.hole
    gone = len(spot.dead) + len(boards.cards) + sum(boards.missing)
    limit = (DECK_SIZE - gone) // hole
    if len(spot.players) > limit:
        several = {2: "two", 3: "three"}[len(boards.known)]
        raise PlayerCountError(
            f"{len(spot.players)} players",
            hint=f"with {several} boards the deck has cards for {limit} in {spot.game.name}",
        )
