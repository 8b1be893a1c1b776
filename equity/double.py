"""Two boards from one deck: double board games, and running it twice.

No card is on both boards, and each is played for half of the pot, in games with
a low for a quarter each of high and low.  What is won on average needs no joint
count: each board alone is a random one beside the known cards, so a player's
equity is the mean of his equities on the two.  How the parts of the pot are
spread is counted over all pairs of boards, or drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from equity.cards import DECK_SIZE, Cards, format_cards
from equity.deals import Dealer, cell_parts, cells, completed
from equity.engine import solve
from equity.errors import CardCountError, DealError, MethodError, PlayerCountError
from equity.games import BOARD_SIZE, Game
from equity.how import How, check_how
from equity.result import POT, Result
from equity.showdown import evaluate
from equity.spot import Spot, check_known_cards, read_board, read_spot, refuse_patterns
from equity.sweeping.symmetry import IDENTITY, completions, masks

if TYPE_CHECKING:
    from pathlib import Path

    from equity.ranges import Ordering

__all__ = ["Double", "DoublePlayer", "check_twice", "find", "read_second", "two_boards"]

#: Pairs of boards that are counted, all of them; more are drawn.
MOST_PAIRS = 20_000_000
#: Pairs of boards that are drawn.
DRAWS = 200_000
#: Deals that are tried at a time, and that are enough to give up without one.
TRIED = 1 << 16
MOST_TRIED = 1 << 27

Ids = NDArray[np.uint8]


@dataclass(frozen=True)
class DoublePlayer:
    """What one player gets of both boards."""

    range: str
    #: Part of the pot, and of each half the part that he wins there; exact if all is.
    equity: float
    equity_exact: Fraction | None
    first: float
    second: float
    std_error: float | None
    #: Chance by the part of the pot won, the largest first: over both boards, and if
    #: the whole pot were played for on the first alone.
    outcomes: dict[Fraction, Fraction]
    once: dict[Fraction, Fraction]

    @staticmethod
    def _spread(outcomes: dict[Fraction, Fraction]) -> float:
        mean = sum(float(part * chance) for part, chance in outcomes.items())
        square = sum(float(part**2 * chance) for part, chance in outcomes.items())
        return sqrt(max(square - mean**2, 0.0))

    @property
    def spread(self) -> float:
        """The standard deviation of the part of the pot won."""
        return self._spread(self.outcomes)

    @property
    def spread_once(self) -> float:
        """The same for the first board alone."""
        return self._spread(self.once)

    def to_dict(self) -> dict[str, Any]:
        """The numbers for JSON."""
        return {
            "range": self.range,
            "equity": self.equity,
            "equity_exact": None if self.equity_exact is None else str(self.equity_exact),
            "std_error": self.std_error,
            "first": self.first,
            "second": self.second,
            "spread": self.spread,
            "spread_once": self.spread_once,
            "outcomes": _floats(self.outcomes),
            "outcomes_once": _floats(self.once),
        }


@dataclass(frozen=True)
class Double:
    """The answer to a question with two boards."""

    game: str
    boards: tuple[str, str]
    dead: str
    #: Whether both boards are completions of the same known cards.
    twice: bool
    #: Pairs of boards, and whether these are all there are or were drawn.
    pairs: int
    counted: bool
    seed: int | None
    players: tuple[DoublePlayer, ...]

    @property
    def exact(self) -> bool:
        """Whether every equity is exact."""
        return all(player.equity_exact is not None for player in self.players)

    def to_dict(self) -> dict[str, Any]:
        """The numbers for JSON; names stay stable, more may come."""
        return {
            "game": self.game,
            "board": self.boards[0],
            "board2": self.boards[1],
            "dead": self.dead,
            "twice": self.twice,
            "exact": self.exact,
            "pairs": self.pairs,
            "counted": self.counted,
            "seed": self.seed,
            "players": [player.to_dict() for player in self.players],
        }


def two_boards(
    players: Sequence[Any],
    game: str | Game = "plo4",
    board: Cards = "",
    board2: Cards | None = None,
    dead: Cards = "",
    *,
    ordering: str | Path | Ordering | None = None,
    how: How | None = None,
) -> Double:
    """The split of a pot that is played for on two boards.

    Parameters
    ----------
    players, game, board, dead, ordering:
        As for :func:`equity.odds`; known cards, no patterns.
    board2:
        What is known of the second board.  None runs it twice: both boards begin
        with ``board``, and what comes is not on both.
    how:
        How ranges are answered.

    Raises
    ------
    EquityError
        A child of it says which part of the question is wrong.
    """
    spot = read_spot(players, game, board, dead, ordering=ordering)
    return find(spot, read_second(spot, board2), check_how(how))


def check_twice(board2: object, runs: object, mark: str = "") -> None:
    """Raise an error for what asks for two boards in two ways, or for more of them.

    ``mark`` stands before the names, as the place of an error has them: ``"--"`` for
    options.

    Raises
    ------
    MethodError
        There are other than two runs, or a second board beside them.
    """
    if runs is not None and runs != 2:
        raise MethodError(
            f"{runs} runs", place=f"{mark}runs", hint=f"a board is run twice, {mark}runs 2"
        )
    if runs is not None and board2 is not None:
        raise MethodError(
            "a second board, or the same one twice",
            place=f"{mark}board2",
            hint=f"leave out {mark}runs",
        )


def read_second(spot: Spot, board2: Cards | None) -> tuple[int, ...] | None:
    """What is known of the second board; None if the board is run twice.

    Raises
    ------
    EquityError
        A child of it, for a board or a question that there are not two of.
    """
    twice = board2 is None
    known2 = () if board2 is None else read_board(board2)
    refuse_patterns(spot)
    hands = [player if isinstance(player, tuple) else () for player in spot.players]
    check_known_cards((*spot.board, *known2), spot.dead, hands)
    if twice and len(spot.board) == BOARD_SIZE:
        raise CardCountError(
            f"{spot.board_text} is complete", place="board", hint="there is nothing to run twice"
        )
    _check_deck(spot, known2)
    return None if twice else known2


def find(spot: Spot, known2: tuple[int, ...] | None, how: How | None = None) -> Double:
    """The answer to a question that has been read, with what is known of the second board."""
    twice = known2 is None
    known2 = known2 or ()
    spots = [replace(spot, dead=(*spot.dead, *known2))]
    if not twice:
        spots.append(replace(spot, board=known2, dead=(*spot.dead, *spot.board)))
    answers = [solve(one, how) for one in spots]
    second = spot.board if twice else known2
    seed = how.seed if how else 0
    return _answer(spot, second, twice, answers, seed)


def _floats(outcomes: dict[Fraction, Fraction]) -> dict[str, float]:
    return {str(part): float(chance) for part, chance in outcomes.items()}


def _check_deck(spot: Spot, known2: Sequence[int]) -> None:
    """Raise an error unless the deck has cards for both boards."""
    hole = spot.game.hole
    twice = BOARD_SIZE + (BOARD_SIZE if known2 else BOARD_SIZE - len(spot.board))
    limit = (DECK_SIZE - len(spot.dead) - twice) // hole
    if len(spot.players) > limit:
        raise PlayerCountError(
            f"{len(spot.players)} players",
            hint=f"with two boards the deck has cards for {limit} in {spot.game.name}",
        )


def _answer(
    spot: Spot, second: Sequence[int], twice: bool, answers: Sequence[Result], seed: int
) -> Double:
    missing = (BOARD_SIZE - len(spot.board), BOARD_SIZE - len(second))
    pairs = _pairs(spot, second, missing) if spot.hands else 0
    counted = 0 < pairs <= MOST_PAIRS
    parts, once, weights = _count(spot, second) if counted else _draw(spot, second, seed)
    rows = []
    for number in range(len(spot.players)):
        both = [answer.players[number] for answer in (answers[0], answers[-1])]
        exact = [one.equity_exact for one in both] if all(a.exact for a in answers) else None
        errors = [one.std_error["equity"] for one in both if one.std_error]
        error = None
        if errors:
            known = [value for value in errors if value is not None]
            # One answer stands for both boards of a pot that is run twice.
            error = max(known) if twice else sqrt(sum(value**2 for value in known)) / 2
        rows.append(
            DoublePlayer(
                range=spot.texts[number],
                equity=sum(one.equity for one in both) / 2,
                equity_exact=sum(exact, Fraction(0)) / 2 if exact else None,
                first=both[0].equity,
                second=both[1].equity,
                std_error=error,
                outcomes=_chances(parts[:, number], weights, 2 * POT),
                once=_chances(once[:, number], weights, POT),
            )
        )
    return Double(
        spot.game.name,
        (spot.board_text, format_cards(second)),
        spot.dead_text,
        twice,
        pairs if counted else DRAWS,
        counted,
        None if counted else seed,
        tuple(rows),
    )


def _pairs(spot: Spot, second: Sequence[int], missing: tuple[int, int]) -> int:
    """How many pairs of boards there are for known hands."""
    left = DECK_SIZE - len(_taken(spot, second))
    return comb(left, missing[0]) * comb(left - missing[0], missing[1])


def _taken(spot: Spot, second: Sequence[int]) -> set[int]:
    held = (card for hand in spot.hands or () for card in hand)
    return {*held, *spot.board, *second, *spot.dead}


def _shares(hands: Sequence[Ids], boards: Ids, game: Game) -> NDArray[np.int64]:
    """(boards, players): what each wins on each board, in units of 1 / POT.

    ``hands`` are (1, hole) or (boards, hole) for each player.
    """
    values = [
        evaluate(np.broadcast_to(hand, (len(boards), hand.shape[1])), boards, game)
        for hand in hands
    ]
    equity = cell_parts(len(hands))[0]
    return np.stack([equity[of_player] for of_player in cells(values)], axis=1)


def _count(
    spot: Spot, second: Sequence[int]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """All pairs of boards: parts of both, parts of the first alone, and how many each."""
    taken = _taken(spot, second)
    hands = [np.array([hand], np.uint8) for hand in spot.hands or ()]
    kinds, of_kind, drawn = [], [], []
    for known in (spot.board, tuple(second)):
        boards = completions(known, sorted(taken.difference(known)), [IDENTITY]).cards
        shares = _shares(hands, boards, spot.game)
        different, kind = np.unique(shares, axis=0, return_inverse=True)
        kinds.append(different)
        of_kind.append(kind.ravel())
        drawn.append(masks(boards[:, len(known) :]))
    # Pairs of kinds of boards, what all players get on each being the same.
    together = np.zeros((len(kinds[0]), len(kinds[1])), np.int64)
    for mask, number in zip(drawn[0].tolist(), of_kind[0].tolist(), strict=True):
        apart = drawn[1] & mask == 0
        together[number] += np.bincount(of_kind[1][apart], minlength=len(kinds[1]))
    first, other = np.nonzero(together)
    return kinds[0][first] + kinds[1][other], kinds[0][first], together[first, other]


def _draw(
    spot: Spot, second: Sequence[int], seed: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Pairs of boards that are drawn, with hands from the ranges."""
    more = [card for card in second if card not in spot.board]
    dealer = Dealer(replace(spot, dead=(*spot.dead, *more)))
    random = np.random.default_rng(seed)
    both, alone = [], []
    done, tried = 0, 0
    while done < DRAWS:
        if not done and tried >= MOST_TRIED:
            raise DealError(
                "the ranges leave so few deals that none was found by chance",
                place="ranges",
                hint="narrow them",
            )
        hands, known, taken = dealer.deal(random, TRIED)
        first = completed(random, known, taken)
        other = completed(random, np.tile(np.array(second, np.uint8), (len(taken), 1)), taken)
        once = _shares(hands, first, spot.game)
        both.append(once + _shares(hands, other, spot.game))
        alone.append(once)
        done += len(taken)
        tried += TRIED
    shares = np.concatenate(both)[:DRAWS]
    return shares, np.concatenate(alone)[:DRAWS], np.ones(DRAWS, np.int64)


def _chances(
    parts: NDArray[np.int64], weights: NDArray[np.int64], whole: int
) -> dict[Fraction, Fraction]:
    """The chance of each part of the pot, the largest first."""
    total = int(weights.sum())
    return {
        Fraction(part, whole): Fraction(int(weights[parts == part].sum()), total)
        for part in sorted(set(parts.tolist()), reverse=True)
    }
