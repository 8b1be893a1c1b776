"""Equities of many rows of known hands at once, from arrays to arrays."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from equity.common.arguments import whole
from equity.common.tables import Table, Tabular
from equity.engine.card_arrays import check_ids, raise_fault
from equity.engine.executor import in_order, pool, worker_threads
from equity.errors import CardCountError, CardError, DuplicateCardError, PlayerCountError
from equity.results.tally import POT, part_of_pot
from equity.rules.cards import DECK_SIZE, Cards, format_cards, parse_cards
from equity.rules.games import BOARD_SIZE, Game, find_game

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from equity.kernels.loader import Block

__all__ = ["ManyOdds", "odds_many", "part_block"]

#: Rows of a chunk: some milliseconds on a river, a tenth of a second before the flop.
CHUNK = 4096
#: Entries of a board for cards that are not dealt yet: -1 as an int8 and as a uint8.
NO_CARD = 255
#: Sizes of boards: none before the flop, one or two cards are known at times.
WIDTHS = range(BOARD_SIZE + 1)


@dataclass(frozen=True, eq=False)
class ManyOdds(Tabular):
    """Results of many rows of known hands, as arrays.

    Everything is exact: counts are numbers of runouts, and equities are quotients of the
    integers that are here too.
    """

    #: (n,) int32, the number of runouts of each row: 1 on a river.
    runouts: NDArray[np.int32]
    #: (n,) int32, runouts on which nobody has a low.
    no_low: NDArray[np.int32]
    #: (n, players) int64, what a player wins of all pots, in units of 1 / :data:`POT` of a pot.
    won: NDArray[np.int64]
    #: (n, players) int64, the part of it that is won with high hands.
    high_won: NDArray[np.int64]
    #: (n, players) int32, runouts on which a player wins the whole pot alone.
    scoop: NDArray[np.int32]
    #: (n, players) int32, runouts on which a player wins the high alone.
    win: NDArray[np.int32]
    #: (n, players) int32, runouts on which a player shares the high.
    tie: NDArray[np.int32]
    #: (n, players) int32, runouts on which a player wins the low alone.
    low_win: NDArray[np.int32]
    #: (n, players) int32, runouts on which a player shares the low.
    low_tie: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.runouts)

    @property
    def equity(self) -> NDArray[np.float64]:
        """(n, players) share of all pots won by each player."""
        return self._share(self.won)

    @property
    def high(self) -> NDArray[np.float64]:
        """(n, players) share of all pots won with high hands; the whole pot without a low."""
        return self._share(self.high_won)

    @property
    def low(self) -> NDArray[np.float64]:
        """(n, players) share of all pots won with low hands."""
        return self._share(self.won - self.high_won)

    def table(self) -> Table:
        """A row for each row of hands: its runouts, and what each player wins."""
        import numpy as np

        players = range(1, self.won.shape[1] + 1)
        figures = ("equity", "high", "low")
        names = ["runouts", *(f"player{at}_{name}" for name in figures for at in players)]
        columns = [self.runouts[:, None], *(getattr(self, name) for name in figures)]
        parts = np.concatenate(columns, axis=1).tolist()
        return names, ([int(row[0]), *row[1:]] for row in parts)

    def to_dict(self) -> dict[str, Any]:
        """The equities for JSON; names stay stable, more may come."""
        return {"runouts": self.runouts.tolist(), "equity": self.equity.tolist()}

    def equities_exact(self, row: int) -> tuple[Fraction, ...]:
        """The equities of a row as fractions that sum to 1."""
        whole = POT * int(self.runouts[row])
        return tuple(Fraction(int(won), whole) for won in self.won[row])

    def _share(self, won: NDArray[np.int64]) -> NDArray[np.float64]:
        share: NDArray[np.float64] = won / (POT * self.runouts.astype(won.dtype))[:, None]
        return share

    def __repr__(self) -> str:
        return f"<ManyOdds: {len(self):,} rows of {self.won.shape[1]} players>"


def odds_many(
    hands: ArrayLike | Sequence[Sequence[str]],
    boards: ArrayLike | Sequence[str] | str = "",
    game: str | Game = "plo4",
    dead: Cards = "",
    *,
    threads: int | None = None,
) -> ManyOdds:
    """Exact equities of many rows of known hands, each on a board of its own.

    It answers about ten million rivers a second on one core, heads up, where
    :func:`odds` answers a hundred thousand: for the all-in equities of a database of hands,
    or for training data.

    Parameters
    ----------
    hands:
        Card ids, shape (n, players, hole), or texts, (n, players).  Ids are ``4 * rank +
        suit``: 0 is 2c, 51 As.  Arrays of uint8 are not copied.
    boards:
        Card ids, shape (n, cards) with 0 to 5 cards, or (cards,), one board for all rows;
        or texts likewise.  In an array of five columns -1 (or 255 in one of uint8) stands for
        a card that is not dealt yet, so that a table can mix streets.
    game:
        Name or alias of the game.
    dead:
        Cards that are dead in every row.
    threads:
        Number of threads, at most the number of processors, which is the default.

    Returns
    -------
    ManyOdds
        An array for each figure, with a row for each row given.

    Raises
    ------
    PlayerCountError, CardCountError, CardError, DuplicateCardError
        Too few or too many players, a shape that does not fit, an id that is no card, a
        card twice; the message names the row.

    Examples
    --------
    >>> many = odds_many([["AhAsKhKs", "9c8c7d6d"], ["AhAsKhKs", "QhJhTd9d"]], "Kd8h4c")
    >>> many.equities_exact(0)[0]
    Fraction(611, 820)
    """
    import numpy as np

    rules = find_game(game)
    asked = None if threads is None else whole(threads, "threads", 1)
    dead_cards = parse_cards(dead, "dead")
    hand_cards = _hands(hands, rules)
    count, players, hole = hand_cards.shape
    most = rules.max_players(len(dead_cards))
    if count and not 2 <= players <= most:
        raise PlayerCountError(
            f"{players} players", place="hands", hint=f"{rules.name} has 2 to {most} of them"
        )
    board_cards = _boards(boards, count)
    counts: dict[str, Any] = {name: np.zeros(count, np.int32) for name in ("runouts", "no_low")} | {
        name: np.zeros((count, players), dtype)
        for name, dtype in {
            "won": np.int64,
            "high_won": np.int64,
            "scoop": np.int32,
            "high_win": np.int32,
            "high_tie": np.int32,
            "low_win": np.int32,
            "low_tie": np.int32,
        }.items()
    }
    if count:
        rows = _Rows(
            {
                "count": count,
                "players": players,
                "hole": hole,
                "low_game": int(rules.low),
                "dead": sum(1 << card for card in dead_cards),
                "hands": hand_cards,
                "boards": board_cards,
                **counts,
            }
        )
        with pool(None, worker_threads(asked)) as workers:
            for fault in in_order(workers, rows.solve, range(0, count, CHUNK), 8):
                if fault >= 0:
                    _raise_fault(hand_cards[fault], board_cards[fault], dead_cards, fault)
    counts["win"], counts["tie"] = counts.pop("high_win"), counts.pop("high_tie")
    return ManyOdds(**counts)


class _Rows:
    """Rows to solve, chunk by chunk, on any thread."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.values = values
        self._own = threading.local()

    def solve(self, begin: int) -> int:
        """Solve a chunk; the first row with an invalid or repeated card, or -1."""
        from equity import kernels
        from equity.kernels.rows_records import SOLVE_ROWS
        from equity.kernels.transposed import line_block

        own = self._own
        players = self.values["players"]
        if not hasattr(own, "rows"):
            own.rows, own.fault = self._block()
            own.memory = (
                kernels.WALK_WORK.allocate(players=players),
                kernels.TALLY.allocate(players=players),
            )
        own.rows.put(begin=begin, stop=min(begin + CHUNK, self.values["count"]))
        SOLVE_ROWS(kernels.table_block(), line_block(), own.rows, part_block(players), *own.memory)
        return int(own.fault[0])

    def _block(self) -> tuple[Block, NDArray[np.int64]]:
        """A block of the rows for one thread, and where the kernel writes a fault."""
        import numpy as np

        from equity.kernels.loader import Block
        from equity.kernels.rows_records import ROWS

        fault = np.zeros(1, np.int64)
        return Block(ROWS, {**self.values, "begin": 0, "stop": 0, "fault": fault}), fault


@cache
def part_block(players: int) -> Block:
    """What the sharers of the high and the low win, as a block."""
    import numpy as np

    from equity.kernels.loader import Block
    from equity.kernels.rows_records import PARTS

    lows = (*range(players + 1), None)
    parts = [[part_of_pot(high, low) for low in lows] for high in range(players + 1)]
    array = np.array(parts, np.int64)
    return Block(
        PARTS,
        {
            "pot": POT,
            "high": np.ascontiguousarray(array[:, :, 0]),
            "low": np.ascontiguousarray(array[0, :, 1]),
        },
    )


def _hands(hands: Any, game: Game) -> NDArray[np.uint8]:
    """Hands as an array (n, players, hole)."""
    import numpy as np

    if _holds_text(hands):
        hands = [
            [parse_cards(text, f"hands[{row}][{at}]") for at, text in enumerate(texts)]
            for row, texts in enumerate(hands)
        ]
    try:
        array = np.asarray(hands)
    except ValueError:
        array = np.empty(0)
    if array.ndim != 3 or array.shape[2] != game.hole:
        raise CardCountError(
            f"an array of shape {array.shape}" if array.size else "rows of different lengths",
            place="hands",
            hint=f"it must be (n, players, {game.hole}) for {game.name}",
        )
    return check_ids(array, "hands")


def _holds_text(rows: Any) -> bool:
    """Whether rows of hands are texts; the first tells."""
    while isinstance(rows, Sequence) and not isinstance(rows, str) and len(rows):
        rows = rows[0]
    return isinstance(rows, str)


def _boards(boards: Any, count: int) -> NDArray[np.uint8]:
    """Boards as an array (count, 5), padded with :data:`NO_CARD`."""
    import numpy as np

    if isinstance(boards, str):
        boards = list(parse_cards(boards, "boards", commas=True))
    elif _holds_text(boards):
        rows = [parse_cards(text, f"boards[{row}]", commas=True) for row, text in enumerate(boards)]
        boards = [(*row, *[-1] * (BOARD_SIZE - len(row))) for row in rows]
    try:
        array = np.asarray(boards)
    except ValueError:
        array = np.empty((0, 0, 0))
    if not array.size:
        array = np.empty((1, 0), np.uint8)
    if array.ndim == 1:
        array = array[np.newaxis]
    if array.ndim != 2 or array.shape[1] not in WIDTHS:
        raise CardCountError(
            f"an array of shape {array.shape}", place="boards", hint="it must be (n, 0 to 5)"
        )
    if len(array) not in (1, count) and array.size:
        raise CardCountError(
            f"{len(array)} boards for {count} rows of hands",
            place="boards",
            hint="give one for each row, or one",
        )
    if array.dtype.kind == "i":
        # 255 is no int8.
        array = np.where(array == -1, NO_CARD, array.astype(np.int64))
    padded = np.full((count, BOARD_SIZE), NO_CARD, np.uint8)
    if array.size:
        undealt = array == NO_CARD
        check_ids(np.where(undealt, 0, array), "boards")
        padded[:, : array.shape[1]] = array
    return padded


def _raise_fault(
    hands: NDArray[np.uint8], board: NDArray[np.uint8], dead: Sequence[int], row: int
) -> None:
    """Raise the error for a row that the kernel refused."""
    known = board[board != NO_CARD]
    if (board[: len(known)] == NO_CARD).any():
        raise CardError(
            "a card is missing before the last one",
            place=f"boards[{row}]",
            hint="cards that are not dealt yet stand last",
        )
    cards = [int(card) for card in (*hands.ravel(), *known)]
    both = [card for card in cards if card in dead]
    if both and len(set(cards)) == len(cards) and max(cards) < DECK_SIZE:
        raise DuplicateCardError(
            f"{format_cards(both[:1])} is a dead card", place=f"row {row}", hint="leave it out"
        )
    raise_fault(hands, known, row)
