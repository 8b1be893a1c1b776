"""Expected chips of players who are all in, from Python."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from equity.engine.options import How, check_how, read_spot_for
from equity.money.amounts import Amount
from equity.money.payouts import Money, settle
from equity.money.stakes import read_stakes
from equity.rules.cards import Cards
from equity.rules.games import Game

if TYPE_CHECKING:
    from pathlib import Path

    from equity.ranges import Ordering, Range

__all__ = ["all_in"]


def all_in(
    players: Sequence[Cards | Range],
    game: str | Game = "plo4",
    board: Cards = "",
    dead: Cards = "",
    *,
    stacks: str | Iterable[Amount],
    pot: Amount = 0,
    rake: str | None = None,
    cap: Amount | None = None,
    board2: Cards | None = None,
    runs: int | None = None,
    ordering: str | Path | Ordering | None = None,
    how: How | None = None,
) -> Money:
    """Expected chips of players who are all in, with side pots and rake.

    Each pot is contested by the players in it, while the cards of other hands are dead;
    uncalled chips are returned.  Odd chips are not modelled.

    Parameters
    ----------
    players, game, board, dead, ordering:
        As for :func:`equity.odds`.
    stacks:
        What each player has put in.  Amounts are numbers or text such as ``"12.50"``;
        several are a list or a text with commas.
    pot:
        Dead money in the main pot.
    rake, cap:
        A percentage such as ``"5%"`` of all contested chips, and its cap; each pot pays
        in proportion.
    board2, runs:
        A second board, on which half of each pot is played; or how often the board is run,
        see :func:`equity.two_boards`.
    how:
        Options of the calculation, see :class:`equity.How`; a budget is for all pots.

    Raises
    ------
    EquityError
        A subclass says which argument is wrong.

    Examples
    --------
    >>> money = all_in(["AhAsKhKs", "9c8c7d6d"], stacks=[100, 60], rake="5%", cap=3)
    >>> sum(player.expected_exact for player in money.players) + money.rake
    Fraction(160, 1)
    """
    how = check_how(how)
    spot = read_spot_for(players, game, board, dead, how, ordering=ordering)
    stakes = read_stakes(stacks, len(spot.players), pot=pot, rake=rake, cap=cap)
    if board2 is None and runs is None:
        return settle(spot, stakes, how)
    from equity.double_board import check_runs, read_boards
    from equity.money.boards import settle_boards

    boards = read_boards(spot, board2, check_runs(board2, runs))
    return settle_boards(boards, stakes, how)
