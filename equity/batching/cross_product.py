"""Cross products: every combination of the players' ranges, on every board.

Flops are taken up to suit isomorphism: one canonical flop represents all that differ only
by a suit permutation that leaves every range and the dead cards unchanged.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from equity.batching.columns import Column
from equity.batching.errors import BatchError
from equity.batching.parse_row import check_cards, check_text, split_players, view_of
from equity.batching.rows import Row, Spots, Survey
from equity.common.files import read_file
from equity.errors import BoardError, EquityError
from equity.rules.cards import DECK_SIZE, ascii_text, format_hand
from equity.rules.games import BOARD_SIZE, FLOP_SIZE
from equity.spot import read_spot

if TYPE_CHECKING:
    from equity.engine.sweeping.symmetry import Suits

__all__ = ["FLOPS", "Crossing", "read_boards"]

#: The largest file of boards; all complete boards take half of it.
MOST_BYTES = 1 << 26
#: In place of a list of boards: all flops.
FLOPS = "flops"


class _Choice(NamedTuple):
    """A hand or range that a player may have."""

    #: The suit permutations that leave it and the dead cards unchanged.
    group: frozenset[Suits]
    #: Its known cards.
    cards: tuple[int, ...]


class Crossing(Spots):
    """The spots of a cross product; canonical flops have a multiplicity.

    ``seats`` are the hands and ranges of each player, separated by ``|``, and ``boards`` boards
    as text, or :data:`FLOPS`; if empty, the board of the ``defaults``.

    Raises ``EquityError`` if a range is invalid.
    """

    def __init__(
        self, seats: Sequence[str], boards: Sequence[str] | str, defaults: Mapping[str, Any]
    ) -> None:
        super().__init__()
        self.seats = [split_players(seat) for seat in seats]
        self.flops = boards == FLOPS
        self.boards = [] if isinstance(boards, str) else list(boards)
        self.defaults = defaults
        self._choices: dict[str, _Choice] = {}
        self.identity = {"players": self.seats, "boards": boards}
        if boards and defaults.get("board"):
            raise BatchError("both a board and boards are given", place="boards")
        if self.flops and (view := view_of({}, defaults)) != "odds":
            raise BatchError(
                f"the view {view} does not take all flops",
                place="boards",
                hint="list the flops in a file",
            )
        for number, seat in enumerate(self.seats, 1):
            for text in seat:
                try:
                    check_text("players", text)
                    self._choices[text] = self._choice(text)
                except EquityError as error:
                    raise BatchError(str(error), place=f"players of seat {number}") from None

    def _choice(self, text: str) -> _Choice:
        dead = self.defaults.get("dead") or ""
        ordering = self.defaults.get("ordering")
        game = self.defaults["game"]
        try:
            spot = read_spot([text], game, "", dead, min_players=1, ordering=ordering)
        except BoardError as error:
            # A range that depends on the board is parsed with each board.
            if self.boards or self.defaults.get("board"):
                return _Choice(frozenset(), ())
            hint = "list the flops in a file" if self.flops else error.hint
            raise BoardError(error.problem, place=error.place, hint=hint) from None
        if not self.flops:
            return _Choice(frozenset(), ())
        if spot.dead_pattern:
            raise BatchError(
                "suit isomorphism of flops needs known dead cards",
                place="dead cards",
                hint="give exact dead cards, or list the flops in a file",
            )
        # This needs numpy, which other cross products of known hands do without.
        from equity.engine.isomorphism import suits_of_player

        player = spot.players[0]
        cards = player if isinstance(player, tuple) else ()
        return _Choice(suits_of_player(spot, 0, [spot.dead]), (*cards, *spot.dead))

    def matchups(self) -> Iterator[tuple[str, ...]]:
        """The players of each match-up."""
        return product(*self.seats)

    def survey(self) -> Survey:
        """Count the rows."""
        boards = [self._boards_of(players) for players in self.matchups()]
        flops = [sum(number for _, number in some) for some in boards] if self.flops else []
        kind = "text" if self.flops else "whole"
        count = sum(map(len, boards))
        views = frozenset((view_of({}, self.defaults),))
        return Survey(count, len(self.seats), [Column("id", kind)], flops=tuple(flops), views=views)

    def rows(self) -> Generator[Row, None, None]:
        """The rows, match-up by match-up."""
        number = 0
        for matchup, players in enumerate(self.matchups()):
            for board, multiplicity in self._boards_of(players):
                # Totals have text as an id.
                name = str(number + 1) if self.flops else number + 1
                values: dict[str, Any] = {"id": name, "players": list(players)}
                if board:
                    values["board"] = board
                yield Row(number, number + 1, values, {}, "", multiplicity, matchup)
                number += 1

    def _boards_of(self, players: Sequence[str]) -> Sequence[tuple[str, int]]:
        """The boards of a match-up, each with its multiplicity."""
        if not self.flops:
            return [(board, 0) for board in self.boards or [""]]
        choices = [self._choices[text] for text in players]
        group = frozenset.intersection(*(choice.group for choice in choices))
        return _flops(group, frozenset(card for choice in choices for card in choice.cards))


@cache
def _flops(group: frozenset[Suits], taken: frozenset[int]) -> list[tuple[str, int]]:
    """The canonical flops under a group with the sizes of their orbits, highest first."""
    from equity.engine.isomorphism import alike_boards

    live = [card for card in range(DECK_SIZE) if card not in taken]
    flops = alike_boards(live, FLOP_SIZE, sorted(group))
    return [(format_hand(cards), size) for cards, size in zip(*flops, strict=True)][::-1]


def read_boards(text: str) -> list[str] | str:
    """Parse boards: ``flops``, a file with one per line, or a text with ``|`` between.

    Raises ``EquityError`` if a board is invalid.
    """
    if text.strip().lower() == FLOPS:
        return FLOPS
    if os.path.isfile(text):
        try:
            lines = read_file(text, MOST_BYTES).decode("utf-8-sig").splitlines()
        except (OSError, ValueError) as error:
            raise BatchError(
                f"{ascii_text(text)} cannot be read: {error}", place="boards"
            ) from None
        numbered = [(f"boards, line {at}", line.strip()) for at, line in enumerate(lines, 1)]
        numbered = [(place, line) for place, line in numbered if line and line[0] != "#"]
    else:
        numbered = [(f"boards, number {at}", b) for at, b in enumerate(split_players(text), 1)]
    for place, board in numbered:
        try:
            check_cards(board, place, BOARD_SIZE)
        except EquityError as error:
            raise BatchError(
                str(error), hint=f"give boards, a file of boards, or {FLOPS}"
            ) from None
    if not numbered:
        raise BatchError("there are none", place="boards", hint="write one per line")
    return [board for _, board in numbered]
