"""Facts of a block of deals that several functions share, each found once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from equity.engine.odds_many import ManyOdds, odds_many
from equity.kernels import table_block
from equity.kernels.facts_records import FACTS, FIND_FACTS, WIDTHS, WORK, three_block
from equity.kernels.loader import Block as Memory
from equity.kernels.transposed import line_block
from equity.queries.dealing import Block, Dealing

if TYPE_CHECKING:
    from equity.queries.range_equities import RangeEquities

__all__ = ["CATEGORIES", "NUTS", "NUT_OUTS", "OUTS", "VALUES", "Frame", "Shared"]

#: What the kernel is asked for.
VALUES, NUTS, OUTS, NUT_OUTS, CATEGORIES = range(len(WIDTHS))

Found = TypeVar("Found")
_local = threading.local()


class Shared:
    """What all blocks of a query share; any number of threads use it."""

    def __init__(self, dealing: Dealing, equities: RangeEquities, is_listed: bool) -> None:
        self.dealing = dealing
        self.equities = equities
        #: Whether every hand has a position in its list.
        self.is_listed = is_listed
        self._lock = threading.Lock()
        self._texts: dict[str, int] = {}
        self.texts: list[str] = []
        self._tables: dict[Any, Any] = {}

    def code(self, text: str) -> int:
        """The number of a text."""
        with self._lock:
            if text not in self._texts:
                self._texts[text] = len(self.texts)
                self.texts.append(text)
            return self._texts[text]

    def table(self, key: Any, make: Callable[[], Any]) -> Any:
        """What is made once and kept."""
        found = self._tables.get(key)
        if found is None:
            found = self._tables[key] = make()
        return found


class _Runs(NamedTuple):
    """Neighbouring rows that are the same."""

    #: The first row of each run, and the run of each row; None if all rows differ.
    first: NDArray[np.int64]
    of: NDArray[np.int64]


class Frame:
    """A block of deals, and what has been found about them."""

    def __init__(self, block: Block, shared: Shared) -> None:
        self.block = block
        self.shared = shared
        self.dealing = shared.dealing
        self.count = len(block)
        self._known: dict[Any, Any] = {}

    def once(self, key: Any, make: Callable[[], Found]) -> Found:
        """A fact that is found when it is first asked for."""
        if key not in self._known:
            self._known[key] = make()
        found: Found = self._known[key]
        return found

    def seat(self, player: int) -> int:
        """The seat of a player."""
        return self.dealing.seats.index(player)

    # Cards

    def hand(self, player: int) -> NDArray[np.uint8]:
        """(n, hole) the cards of a player."""
        seat = self.seat(player)
        return self.once(("hand", seat), lambda: np.ascontiguousarray(self.block.hands[:, seat]))

    def board(self, size: int) -> NDArray[np.uint8]:
        """(n, size) the first cards of the board."""
        return self.once(("board", size), lambda: np.ascontiguousarray(self.block.boards[:, :size]))

    def per_hand(self, player: int, key: Any, find: Callable[[NDArray[np.uint8]], Any]) -> Any:
        """What ``find`` says of each hand of a player, found once for hands of a list."""
        seat = self.seat(player)
        if self.dealing.lists[seat] is None and not self.shared.is_listed:
            return self.once((key, seat), lambda: find(self.hand(player)))
        listed = self.dealing.every[seat].cards
        if len(listed) > 4 * self.count and len(listed) > 1 << 16:
            return self.once((key, seat), lambda: find(self.hand(player)))
        table = self.shared.table((key, seat), lambda: find(listed))
        return self.once((key, seat), lambda: table[self.block.positions[:, seat]])

    def dead(self) -> list[tuple[int, Any]]:
        """Masks of the dead cards, and the rows that they are of; all rows if they are alike."""
        masks = [sum(1 << card for card in known.dead) for known in self.dealing.known]
        if len(set(masks)) == 1:
            return [(masks[0], slice(None))]
        of = np.array(masks, np.int64)[self.block.sets]
        return [(int(mask), np.flatnonzero(of == mask)) for mask in np.unique(of)]

    def runs(self, players: tuple[int, ...], size: int) -> _Runs | None:
        """Neighbouring deals with the same hands of players and the same first cards."""
        return self.once(("runs", players, size), lambda: self._runs(players, size))

    def _runs(self, players: tuple[int, ...], size: int) -> _Runs | None:
        if not self.shared.is_listed or self.count < 2:
            return None
        block = self.block
        new = np.zeros(self.count, np.bool_)
        new[0] = True
        columns: list[NDArray[Any]] = [block.positions[:, self.seat(player)] for player in players]
        columns += [block.boards[:, at] for at in range(size)]
        if len(self.dealing.known) > 1:
            columns.append(block.sets)
        for column in columns:
            new[1:] |= column[1:] != column[:-1]
        first = np.flatnonzero(new)
        return None if len(first) == self.count else _Runs(first, np.cumsum(new) - 1)

    def of_runs(
        self, players: tuple[int, ...], size: int, find: Callable[[Frame], NDArray[Any]]
    ) -> Any:
        """What ``find`` says of each deal, asked once for each run of the same ones."""
        runs = self.runs(players, size)
        if runs is None:
            return find(self)
        return find(Frame(self.block.take(runs.first), self.shared))[runs.of]

    # Made hands

    def facts(self, what: int, player: int, size: int) -> Any:
        """(n, columns) what the kernel says of a player's hands on the board."""
        return self.once(
            ("facts", what, player, size),
            lambda: self.of_runs(
                (player,), size, lambda frame: frame._find_facts(what, player, size)
            ),
        )

    def _find_facts(self, what: int, player: int, size: int) -> NDArray[np.uint16]:
        out = np.zeros((self.count, WIDTHS[what]), np.uint16)
        hands, boards = self.hand(player), self.board(size)
        if not hasattr(_local, "work"):
            _local.work = WORK.allocate()
        for dead, rows in self.dead():
            part = np.ascontiguousarray(out[rows])
            if not len(part):
                continue
            memory = Memory(
                FACTS,
                {
                    "count": len(part),
                    "hole": self.dealing.game.hole,
                    "size": size,
                    "low_game": int(self.dealing.game.low),
                    "dead": dead,
                    "what": what,
                    "width": WIDTHS[what],
                    "hands": np.ascontiguousarray(hands[rows]),
                    "boards": np.ascontiguousarray(boards[rows]),
                    "out": part,
                },
            )
            FIND_FACTS(table_block(), line_block(), three_block(), memory, _local.work)
            out[rows] = part
        return out

    def high(self, player: int, size: int) -> Any:
        """(n,) the best high of a player."""
        return self.facts(VALUES, player, size)[:, 0]

    def low(self, player: int, size: int) -> Any:
        """(n,) the best low of a player, 0 for none."""
        return self.facts(VALUES, player, size)[:, 1]

    def highs(self, size: int) -> Any:
        """(n, players) the best highs."""
        players = range(len(self.dealing.seats))
        return self.once(
            ("highs", size), lambda: np.stack([self.high(at, size) for at in players], axis=1)
        )

    def lows(self, size: int) -> Any:
        """(n, players) the best lows."""
        players = range(len(self.dealing.seats))
        return self.once(
            ("lows", size), lambda: np.stack([self.low(at, size) for at in players], axis=1)
        )

    # Against each other

    def odds(self, size: int) -> dict[str, NDArray[Any]]:
        """The all-in equities and wins of all players on the board."""
        return self.once(("odds", size), lambda: self._odds(size))

    def _odds(self, size: int) -> dict[str, NDArray[Any]]:
        runs = self.runs(tuple(self.dealing.seats), size)
        if runs is None:
            return self._many(size)
        found = Frame(self.block.take(runs.first), self.shared)._many(size)
        return {name: values[runs.of] for name, values in found.items()}

    def _many(self, size: int) -> dict[str, NDArray[Any]]:
        names = ("won", "runouts", "win", "tie", "low_win", "low_tie", "scoop")
        found: dict[str, NDArray[Any]] = {}
        for dead, rows in self.dead():
            many = self._solved(size, dead, rows)
            for name in names:
                values = getattr(many, name)
                if name not in found:
                    found[name] = np.zeros((self.count, *values.shape[1:]), values.dtype)
                found[name][rows] = values
        return found

    def _solved(self, size: int, dead: int, rows: Any) -> ManyOdds:
        cards = [card for card in range(52) if dead >> card & 1]
        hands = np.ascontiguousarray(self.block.hands[rows])
        boards = self.board(size)[rows]
        return odds_many(hands, boards, self.dealing.game, cards, threads=1)
