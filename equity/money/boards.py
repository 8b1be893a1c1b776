"""Expected chips where each pot is played on two boards, or run several times."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import hypot
from typing import TYPE_CHECKING, Any

from equity.engine.options import How
from equity.money.contests import contests
from equity.money.payouts import Money, Pot, chip_lines, pot_lines
from equity.money.stakes import Stakes
from equity.results.formats import Style
from equity.rules.games import find_game

if TYPE_CHECKING:
    from equity.double_board.boards import Boards

__all__ = ["BoardsMoney", "settle_boards"]


@dataclass(frozen=True, repr=False)
class BoardsMoney(Money):
    """The expected chips of all players on several boards.

    On two boards of their own, :attr:`pots` has two halves of each pot, that of the first
    board first.  Runs of one board change no equity: pots are whole then.
    """

    boards: Boards

    @property
    def runs(self) -> int | None:
        """How often one board is run; None for boards of their own."""
        return len(self.boards.known) if self.boards.twice else None

    def facts(self) -> dict[str, Any]:
        """What was asked."""
        from equity.rules.cards import format_cards

        first, second, *_ = (format_cards(board) for board in self.boards.known)
        spot = self.boards.spot
        return {
            "game": spot.game.name,
            "board": first,
            "board2": second,
            "runs": self.runs,
            "dead": spot.dead_text,
        }

    def objects(self) -> list[dict[str, Any]]:
        """What was asked, and the money."""
        whole = {"exact": self.exact, "partial": self.partial, "money": self.to_dict()}
        return [self.facts() | {"warnings": self.boards.spot.warnings} | whole]

    def records(self) -> list[dict[str, Any]]:
        """The chips of each player."""
        return [
            self.facts()
            | {"player": number, "range": player.range}
            | player.to_dict()
            | {"exact": player.exact, "partial": self.partial}
            for number, player in enumerate(self.players, 1)
        ]

    def lines(self, _: Style) -> list[str]:
        """The pots on each board, and chips."""
        from equity.double_board.boards import RUNS

        facts = self.facts()
        game = find_game(facts["game"])
        boards = f"boards: {facts['board'] or '-'} and {facts['board2'] or '-'}"
        if self.runs:
            boards = f"boards: {facts['board'] or '-'}, {RUNS[self.runs]}"
        title = f"{f'{game.name}  {game.title}':<32}{boards}    dead: {facts['dead'] or '-'}"
        return [title, "", *pot_lines(self), "", *chip_lines(self)]

    def footing(self) -> list[str]:
        """The rake, and what runs change."""
        from equity.double_board.boards import RUNS

        if not self.runs:
            return super().footing()
        runs = f"running it {RUNS[self.runs]} leaves expected chips what they are"
        return [*super().footing(), runs]


def settle_boards(boards: Boards, stakes: Stakes, how: How) -> BoardsMoney:
    """Expected chips for validated boards and stakes.

    Raises
    ------
    KeyboardInterrupt
        It was interrupted before the last pot was begun.
    """
    spots = boards.alone[:1] if boards.twice else boards.alone
    count = len(spots)
    if how.budget is not None:
        how = replace(how, budget=how.budget / count)
    pots: list[list[Pot]] = [[] for _ in stakes.layers]
    squares: list[float | None] = [None] * len(stakes.stacks)
    for at, spot in enumerate(spots):
        if any(pot.result.partial for parts in pots for pot in parts):
            raise KeyboardInterrupt
        solved = contests(spot, stakes, replace(how, seed=how.seed + at * len(stakes.layers)))
        for parts, layer, result in zip(pots, stakes.layers, solved.results, strict=True):
            part = layer
            if count > 1:
                name = f"{layer.name}, board {at + 1}"
                part = replace(layer, name=name, amount=layer.amount / count)
            parts.append(Pot(part, stakes.rake_of(layer) / count, result))
        # The boards are sampled apart, so that their errors are independent.
        squares = [
            known if error is None else hypot(known or 0.0, error / count)
            for known, error in zip(squares, solved.errors, strict=True)
        ]
    whole = tuple(pot for parts in pots for pot in parts)
    return BoardsMoney(stakes, whole, tuple(squares), boards)
