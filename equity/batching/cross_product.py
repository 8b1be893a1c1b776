"""Cross products: every combination of the players' ranges, on every board.

Flops are taken up to suit isomorphism: one canonical flop represents all that differ only
by a suit permutation that leaves every range and the dead cards unchanged.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate, product
from typing import TYPE_CHECKING, Any, NamedTuple

from equity.batching.columns import Column
from equity.batching.errors import BatchError
from equity.batching.parse_row import check_cards, check_text, split_players, view_of
from equity.batching.rows import Row, Spots, Survey
from equity.batching.views import VIEWS
from equity.common.files import read_file
from equity.errors import BoardError, EquityError
from equity.rules.cards import DECK_SIZE, ascii_text, format_hand
from equity.rules.games import BOARD_SIZE, FLOP_SIZE
from equity.spot import Spot, read_spot

if TYPE_CHECKING:
    from equity.engine.sweeping.symmetry import Suits

__all__ = ["FLOPS", "Crossing", "read_boards"]

#: The largest file of boards; all complete boards take half of it.
MOST_BYTES = 1 << 26
#: Match-ups of so many players have one with the players exchanged.
PLAYERS = 2
#: What a range begins with in place of which its classes are listed, and the most of them.
CLASSES = "classes:"
MOST_CLASSES = 20_000
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
    as text, or :data:`FLOPS`; if empty, the board of the ``defaults``.  ``classes:10%`` in a
    seat stands for the hand classes of the range.  With ``is_matrix`` rows carry the labels of
    their cells.

    Raises ``EquityError`` if a range is invalid.
    """

    def __init__(
        self,
        seats: Sequence[str],
        boards: Sequence[str] | str,
        defaults: Mapping[str, Any],
        *,
        is_matrix: bool = False,
    ) -> None:
        super().__init__()
        given = [split_players(seat) for seat in seats]
        self.flops = boards == FLOPS
        self.boards = [] if isinstance(boards, str) else list(boards)
        self.defaults = defaults
        self._choices: dict[str, _Choice] = {}
        self._check(boards)
        self.seats = [self._entries(number, seat) for number, seat in enumerate(given, 1)]
        self.identity = {"players": self.seats, "boards": boards}
        #: The first place of each text in the lists of two players, whose pairs may be mirrored.
        self._places: list[dict[str, int]] = []
        if len(self.seats) == PLAYERS and view_of({}, defaults) == "odds":
            self._places = [
                {text: at for at, text in reversed([*enumerate(seat)])} for seat in self.seats
            ]
        #: The columns of the labels of a cell.
        self._labels: list[Column] = []
        if is_matrix:
            self._check_matrix()
            names = ["row", "column", *(["on"] if len(self.boards) > 1 else [])]
            self._labels = [Column(name, "text") for name in names]

    def _check(self, boards: Sequence[str] | str) -> None:
        """Raise an error for boards that do not go with the options."""
        if boards and self.defaults.get("board"):
            raise BatchError("both a board and boards are given", place="boards")
        if self.flops and (view := view_of({}, self.defaults)) != "odds":
            raise BatchError(
                f"the view {view} does not take all flops",
                place="boards",
                hint="list the flops in a file",
            )

    def _check_matrix(self) -> None:
        """Raise an error unless the answers fill a matrix, a cell each."""
        view = view_of({}, self.defaults)
        if len(self.seats) != PLAYERS:
            raise BatchError(
                f"a matrix is of two players, not {len(self.seats)}",
                place="layout",
                hint="give --players twice",
            )
        if self.flops or (view != "odds" and not VIEWS[view].asked_by):
            raise BatchError(
                f"{'all flops have' if self.flops else f'the view {view} has'} several rows for "
                "two ranges, and a matrix has one cell",
                place="layout",
                hint="use wide or long",
            )
        for seat in (*self.seats, self.boards):
            for text in seat:
                if seat.count(text) > 1:
                    raise BatchError(
                        f"{ascii_text(text)} is listed twice",
                        place="layout",
                        hint="a matrix has a row or a column for each, so list it once",
                    )

    def _entries(self, number: int, seat: Sequence[str]) -> list[str]:
        """The hands and ranges of a seat, with classes listed."""
        entries: list[str] = []
        for text in seat:
            try:
                check_text("players", text)
                if text[: len(CLASSES)].lower() == CLASSES:
                    entries += self._classes(text[len(CLASSES) :].strip())
                else:
                    entries.append(text)
                    self._choices[text] = self._choice(text)
            except EquityError as error:
                raise BatchError(str(error), place=f"players of seat {number}") from None
        return entries

    def _classes(self, text: str) -> list[str]:
        """The suit-isomorphic classes of a range that are live, each as a range."""
        if not text:
            raise BatchError("there is no range after classes:", hint="write one, as classes:10%")
        spot = self._read(text, "" if self.boards or self.flops else self.defaults.get("board"))
        player = spot.players[0]
        if isinstance(player, tuple) or (live := spot.live_ranges[0]) is None:
            raise BatchError(
                f"{ascii_text(text)} is one hand",
                hint="classes are those of a range; leave out classes:",
            )
        if live.class_count > MOST_CLASSES:
            raise BatchError(
                f"{ascii_text(text)} has {live.class_count:,} classes",
                hint=f"a list has at most {MOST_CLASSES:,}; narrow the range",
            )
        # A class is whole, whichever of its hands known cards block.
        alive = set(live.class_sums[0].tolist())
        every = zip(player.class_sums[0].tolist(), player.class_ranges(), strict=True)
        entries = [entry for number, entry in every if number in alive]
        if self.flops:
            self._choices |= {entry: self._choice(entry) for entry in entries}
        return entries

    def _read(self, text: str, board: str | None) -> Spot:
        dead, ordering = self.defaults.get("dead") or "", self.defaults.get("ordering")
        game = self.defaults["game"]
        return read_spot([text], game, board or "", dead, min_players=1, ordering=ordering)

    def _choice(self, text: str) -> _Choice:
        try:
            spot = self._read(text, "")
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
        carried = [Column("id", kind), *self._labels]
        return Survey(count, len(self.seats), carried, flops=tuple(flops), views=views)

    def rows(self) -> Generator[Row, None, None]:
        """The rows, match-up by match-up."""
        begins = self._begins() if self.flops else range(0, 1 << 62, len(self.boards) or 1)
        for matchup, players in enumerate(self.matchups()):
            twin = self._twin(players, matchup)
            for at, (board, multiplicity) in enumerate(self._boards_of(players)):
                row = self._row(matchup, begins[matchup] + at, players, board, multiplicity)
                if twin > matchup:
                    # Exchanged players leave the same suits alike, and so have the same boards.
                    other = self._row(twin, begins[twin] + at, players[::-1], board, multiplicity)
                    row = row._replace(twin=other)
                yield row._replace(is_mirrored=True) if twin < matchup else row

    def _begins(self) -> list[int]:
        """The number of the first row of each match-up."""
        return [
            *accumulate((len(self._boards_of(players)) for players in self.matchups()), initial=0)
        ]

    def _twin(self, players: Sequence[str], matchup: int) -> int:
        """The match-up with the players exchanged; the same one if there is none."""
        if not self._places:
            return matchup
        width = len(self.seats[1])
        mine, other = (
            first * width + second
            if (first := self._places[0].get(one)) is not None
            and (second := self._places[1].get(two)) is not None
            else matchup
            for one, two in (players, players[::-1])
        )
        # A text that is listed twice has a twin once.
        return other if mine == matchup else matchup

    def _row(
        self, matchup: int, number: int, players: Sequence[str], board: str, multiplicity: int
    ) -> Row:
        # Totals have text as an id.
        name = str(number + 1) if self.flops else number + 1
        values: dict[str, Any] = {"id": name, "players": list(players)}
        if board:
            values["board"] = board
        labels = dict(zip((name for name, _ in self._labels), (*players, board), strict=False))
        return Row(number, number + 1, values, labels, "", multiplicity, matchup)

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
