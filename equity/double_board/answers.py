"""The results of a spot with several boards, exact or with standard errors."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from equity import __version__
from equity.double_board.boards import RUNS
from equity.results.formats import Printable, Style, Title, finite
from equity.results.ratio import mean_variance
from equity.results.tally import MAIN_PARTS
from equity.results.text import error_percent, percent, shorten
from equity.rules.games import find_game

__all__ = ["Double", "DoublePlayer", "Drawn", "Shares", "share_columns", "spread_error"]

#: The columns that a player has for each part of the pot, by the name in JSON.
_BY_PART = {
    "outcomes": "outcome_{}",
    "outcome_errors": "outcome_{}_error",
    "outcomes_once": "outcome_once_{}",
    "outcome_once_errors": "outcome_once_{}_error",
}


#: By the number of boards: parts of the pot that have a column, and words.
PARTS = {
    2: MAIN_PARTS,
    3: tuple(Fraction(part, 3) for part in (3, 2, 1, 0)),
}
SETS = {2: "pairs", 3: "triples"}
ALL = {2: "both", 3: "all three"}


@dataclass(frozen=True)
class Drawn:
    """Sums over draws for the standard errors of a sample.

    A draw is a set of hands with some deals of the boards; draws are independent.
    """

    #: Number of draws.
    draws: int
    #: ``products[i][j]``: the sum over draws of the deals with the i-th part of the pot
    #: times those with the j-th one, in the order of :attr:`Shares.counts`.
    products: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Shares:
    """Distribution of the part of the pot that a player wins."""

    #: Deals by weight, for each part of the pot, the largest first.
    counts: Mapping[Fraction, int]
    #: Whether all deals were enumerated.
    exact: bool = True
    #: Sums for the standard errors of a sample.
    drawn: Drawn | None = None

    @cached_property
    def total(self) -> int:
        """Total weight of the deals."""
        return sum(self.counts.values())

    @cached_property
    def chances(self) -> dict[Fraction, Fraction]:
        """The chance of each part of the pot that occurs, the largest part first."""
        return {part: Fraction(count, self.total) for part, count in self.counts.items()}

    @cached_property
    def errors(self) -> dict[Fraction, float] | None:
        """The standard errors of the chances; None without a sample.

        Scoops and losses have one even if they did not occur.
        """
        if self.drawn is None:
            return None
        parts = {*self.counts, Fraction(0), Fraction(1)}
        return {part: self.error_of([part]) or 0.0 for part in sorted(parts, reverse=True)}

    @cached_property
    def mean(self) -> Fraction:
        """The part of the pot won on average."""
        return sum((part * chance for part, chance in self.chances.items()), Fraction(0))

    @property
    def mean_error(self) -> float | None:
        """The standard error of the mean; None without a sample."""
        return self._error([float(part) for part in self.counts])

    @cached_property
    def spread(self) -> float:
        """The standard deviation of the part of the pot won."""
        square = sum((part**2 * chance for part, chance in self.chances.items()), Fraction(0))
        return math.sqrt(square - self.mean**2)

    @property
    def spread_error(self) -> float | None:
        """The standard error of the spread; None without a sample."""
        if self.drawn is None:
            return None
        if not self.spread:
            # Other parts than the one that occurred are this rare, and differ by 1 at most.
            return math.sqrt(_unseen(self.drawn.draws))
        mean = float(self.mean)
        error = self._error([(float(part) - mean) ** 2 for part in self.counts]) or 0.0
        # The mean is estimated too.  Its square matters where the rest vanishes: a pot won
        # half of the time has the largest possible spread.
        square = 2 * (self.mean_error or 0.0) ** 2
        return math.hypot(error, square) / (2 * self.spread)

    def chance_of(self, parts: Iterable[Fraction]) -> Fraction:
        """The chance of any of some parts of the pot."""
        return sum((self.chances.get(part, Fraction(0)) for part in parts), Fraction(0))

    def error_of(self, parts: Iterable[Fraction]) -> float | None:
        """The standard error of :meth:`chance_of`; None without a sample."""
        wanted = set(parts)
        return self._error([1.0 if part in wanted else 0.0 for part in self.counts])

    def _error(self, worth: Sequence[float]) -> float | None:
        """The standard error of a mean over deals, by what each part of the pot is worth.

        It is infinite for a single draw, and never 0: what did not vary in ``n`` draws may
        vary in the next.
        """
        if self.drawn is None:
            return None
        draws = self.drawn.draws
        if draws < 2:
            return math.inf
        mean = sum(map(float.__mul__, worth, map(float, self.counts.values()))) / self.total
        used = [at for at, value in enumerate(worth) if value]
        rows = self.drawn.products
        square = sum(worth[one] * worth[two] * rows[one][two] for one in used for two in used)
        variance: float = mean_variance(mean, draws, float(self.total), square)
        # Not quite 0 for rounding.
        if variance * self.total**2 <= 1e-9 * square:
            unseen = _unseen(draws)
            return math.sqrt(unseen * (1 - unseen) / draws)
        return math.sqrt(variance)


def _unseen(draws: int) -> float:
    """Expected chance of an event that never occurred, under a uniform prior."""
    return 0.5 / (draws + 1)


@dataclass(frozen=True)
class DoublePlayer:
    """The results of one player on all boards."""

    range: str
    #: Of the pot that is played on all boards.
    both: Shares
    #: Of the whole pot if it were played on one board, for each board.
    alone: tuple[Shares, ...]

    @property
    def is_exact(self) -> bool:
        """Whether the equity is exact."""
        return all(shares.exact for shares in self.alone)

    @property
    def _equity(self) -> Fraction:
        # The mean over boards needs no joint distribution.
        if self.is_exact:
            return sum((shares.mean for shares in self.alone), Fraction(0)) / len(self.alone)
        return self.both.mean

    @property
    def equity(self) -> float:
        """The part of the pot won."""
        return float(self._equity)

    @property
    def equity_exact(self) -> Fraction | None:
        """The equity as a fraction; None if sampled."""
        return self._equity if self.is_exact else None

    @property
    def std_error(self) -> float | None:
        """The standard error of the equity; None without a sample."""
        return None if self.is_exact else self.both.mean_error

    @property
    def first(self) -> float:
        """Equity on the first board."""
        return float(self.alone[0].mean)

    @property
    def second(self) -> float:
        """Equity on the second board."""
        return float(self.alone[1].mean)

    @property
    def outcomes(self) -> dict[Fraction, Fraction]:
        """The chance of each part of the pot, the largest first."""
        return self.both.chances

    @property
    def once(self) -> dict[Fraction, Fraction]:
        """The same if the whole pot were played on the first board."""
        return self.alone[0].chances

    @property
    def spread(self) -> float:
        """The standard deviation of the part of the pot won."""
        return self.both.spread

    @property
    def spread_once(self) -> float:
        """The same if the whole pot were played on the first board."""
        return self.alone[0].spread

    def to_dict(self) -> dict[str, Any]:
        """The numbers for JSON."""
        once = self.alone[0]
        return {
            "range": self.range,
            "equity": self.equity,
            "equity_exact": None if self.equity_exact is None else str(self.equity_exact),
            "std_error": finite(self.std_error),
            "first": self.first,
            "first_error": finite(once.mean_error),
            "second": self.second,
            "second_error": finite(self.alone[1].mean_error),
            "spread": self.spread,
            "spread_error": finite(self.both.spread_error),
            "spread_once": self.spread_once,
            "spread_once_error": finite(once.spread_error),
            "outcomes": _floats(self.outcomes),
            "outcome_errors": _errors(self.both),
            "outcomes_once": _floats(self.once),
            "outcome_once_errors": _errors(once),
        }


@dataclass(frozen=True)
class Double(Printable):
    """The result of a spot with several boards."""

    #: Name of the game.
    game: str
    #: The known cards of each board.
    boards: tuple[str, ...]
    #: The dead cards.
    dead: str
    #: Whether all boards are completions of the same known cards.
    twice: bool
    #: Deals of all boards, enumerated or sampled.
    pairs: int
    #: The seed of a sample.
    seed: int | None
    #: The result of each player, in the order given.
    players: tuple[DoublePlayer, ...]
    #: Whether every player has a known hand.
    is_known: bool = True
    #: Whether it was interrupted.
    partial: bool = False
    #: Warnings about ambiguous input.
    warnings: tuple[str, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether every figure is exact."""
        return all(player.both.exact and player.is_exact for player in self.players)

    @property
    def runs(self) -> int | None:
        """How often one board is run; None for boards of their own."""
        return len(self.boards) if self.twice else None

    @property
    def counted(self) -> bool:
        """Whether deals were enumerated, not sampled."""
        return self.seed is None

    @property
    def equities(self) -> tuple[float, ...]:
        """The part of the pot won by each player."""
        return tuple(player.equity for player in self.players)

    def to_dict(self) -> dict[str, Any]:
        """The numbers for JSON; names stay stable, more may come."""
        return {
            "game": self.game,
            "board": self.boards[0],
            "board2": self.boards[1],
            "dead": self.dead,
            "twice": self.twice,
            "runs": self.runs,
            "exact": self.exact,
            "pairs": self.pairs,
            "counted": self.counted,
            "seed": self.seed,
            "partial": self.partial,
            "warnings": list(self.warnings),
            "players": [player.to_dict() for player in self.players],
        }

    def objects(self) -> list[dict[str, Any]]:
        """The object for JSON, with the version."""
        return [{"version": __version__, **self.to_dict()}]

    def records(self) -> list[dict[str, Any]]:
        """A row of CSV for each player, with a column for each part of the pot."""
        whole: dict[str, Any] = {"version": __version__, **self.to_dict()}
        players = whole.pop("players")
        # As in the CSV of one board: a notice is no figure, and has been on stderr.
        del whole["warnings"]
        parts = {
            name: list(dict.fromkeys(part for player in players for part in player[name] or ()))
            for name in _BY_PART
        }
        rows = []
        for number, player in enumerate(players, 1):
            row = whole | {"player": number}
            for name, value in player.items():
                if name not in _BY_PART:
                    row[name] = value
                    continue
                # A part that never came to a player has the chance 0, and no error.
                other = None if "error" in name else 0
                values = dict.fromkeys(parts[name], other) | (value or {})
                row |= {_BY_PART[name].format(part): one for part, one in values.items()}
            rows.append(row)
        return rows

    def lines(self, _: Style) -> Iterator[str]:
        """The shares of deals by part of the pot, for each player."""
        game = find_game(self.game)
        texts = [text or "-" for text in self.boards]
        boards = f"boards: {texts[0]} and {texts[1]}"
        if self.runs:
            boards = f"boards: {texts[0]}, {RUNS[self.runs]}"
        yield f"{f'{game.name}  {game.title}':<32}{boards}    dead: {self.dead or '-'}"
        yield ""
        shown, others = self.columns
        titles = [str(part) for part in shown] + (["other"] if others else [])
        yield Title(f"{'':30}{' % of deals by share won '.center(8 * len(titles) - 1, '-')}")
        yield Title(f"{'':21}{'equity':>8}{_cells(titles)}{'spread':>9}")
        for number, player in enumerate(self.players, 1):
            name = shorten(player.range, 17)
            equity = percent(Fraction(player.equity))
            yield f"{number:>2}  {name:<17}{equity:>8}{_share_cells(player.both, shown, others)}"
            if not player.both.exact and not self.counted:
                error = "" if player.is_exact else error_percent(player.std_error)
                yield f"{'      +/-':<21}{error:>8}{_error_cells(player.both, shown, others)}"
            if self.twice:
                once = player.alone[0]
                yield f"{'    run once':<29}{_share_cells(once, shown, others)}"
                if once.drawn:
                    yield f"{'      +/-':<29}{_error_cells(once, shown, others)}"
        yield ""
        yield from self.footing()

    @property
    def columns(self) -> tuple[list[Fraction], bool]:
        """Parts of the pot that have a column of a table, and whether others occur."""
        named, occurring = PARTS[len(self.boards)], [set(one.outcomes) for one in self.players]
        shown = [part for part in named if part in (0, 1) or any(part in one for one in occurring)]
        return shown, any(one.difference(named) for one in occurring)

    def footing(self) -> Iterator[str]:
        """What several runs change, and what was enumerated and what was sampled."""
        if self.runs:
            often = RUNS[self.runs]
            yield f"running it {often} leaves every equity what it is, and makes the spread smaller"
        partial = "PARTIAL, " if self.partial else ""
        everything = f"deals of {ALL[len(self.boards)]} boards"
        if self.counted:
            deals = f"{SETS[len(self.boards)]} of boards" if self.is_known else everything
            if partial:
                yield f"{partial}ended early: of {self.pairs:,} {deals}"
            else:
                yield f"exact, all {self.pairs:,} {deals}" if self.pairs > 1 else "exact, 1 deal"
            return
        sampled = f"{self.pairs:,} {everything}, seed {self.seed}"
        if all(player.is_exact for player in self.players):
            yield "equities exact, run once exact" if self.twice else "equities exact"
            yield f"{partial}parts of the pot sampled, {sampled}"
        else:
            yield f"{partial}sampled, {sampled}"


def _floats(chances: Mapping[Fraction, Fraction]) -> dict[str, float]:
    return {str(part): float(chance) for part, chance in chances.items()}


def _errors(shares: Shares) -> dict[str, float | None] | None:
    if shares.errors is None:
        return None
    return {str(part): finite(error) for part, error in shares.errors.items()}


def _cells(texts: Sequence[str]) -> str:
    return "".join(f"{text:>8}" for text in texts)


def share_columns(
    shares: Shares, shown: Sequence[Fraction], others: bool
) -> list[tuple[Fraction, float | None]]:
    """The chances of some parts of the pot, and of all others if wanted, with their errors."""
    columns = [{part} for part in shown]
    if others:
        columns.append(set(shares.chances).difference(shown))
    return [(shares.chance_of(parts), shares.error_of(parts)) for parts in columns]


def spread_error(shares: Shares) -> str:
    """The standard error of a spread as text."""
    spread = shares.spread_error or 0.0
    # Rounded up, as percentages are: an error is never shown as nothing.
    return f"{math.ceil(spread * 1000) / 1000:.3f}" if math.isfinite(spread) else "?"


def _share_cells(shares: Shares, shown: Sequence[Fraction], others: bool) -> str:
    """The chances of some parts of the pot, of all others if wanted, and the spread."""
    chances = [chance for chance, _ in share_columns(shares, shown, others)]
    texts = [percent(chance) if chance else "-" for chance in chances]
    return f"{_cells(texts)}{shares.spread:>9.3f}"


def _error_cells(shares: Shares, shown: Sequence[Fraction], others: bool) -> str:
    """The standard errors of :func:`_share_cells`."""
    errors = [error_percent(error) for _, error in share_columns(shares, shown, others)]
    return f"{_cells(errors)}{spread_error(shares):>9}"
