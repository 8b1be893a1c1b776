"""Results: the equities of a spot, which follow from a tally of deals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from equity import __version__
from equity.errors import MergeError, MethodError
from equity.results.formats import Listing, Printable, Style, Title
from equity.results.player import PlayerResult
from equity.results.tally import MAIN_PARTS, POT, Tally
from equity.results.text import (
    error_percent,
    hand_cell,
    heading,
    percent,
    shorten,
    side_by_side,
)
from equity.spot import Spot

if TYPE_CHECKING:
    from equity.results.combos import Combos

__all__ = ["Result", "footing"]

#: Parts of the pot that have a column of their own, with its title.
_PARTS = {part: "scoop" if part == 1 else str(part) for part in MAIN_PARTS if part}
#: What the methods are called.
_METHODS = {"sweep": "a sweep", "pairs": "pairs of hands", "enumerate": "sets of hands"}
#: Columns of CSV that are the same for all players of a result.
_COMMON = (
    *("version", "game", "board", "dead", "exact", "method", "deals", "weight", "no_low"),
    *("no_low_error", "error_target", "seed", "partial"),
)
#: Fields of the high and of the low, with their columns, as in a batch.
_SHARES = {
    "high": {name: name for name in ("win", "tie", "win_count", "tie_count")},
    "low": {name: f"low_{name}" for name in ("win", "tie", "win_count", "tie_count")},
}
#: Standard errors, with their columns.
_ERRORS = {
    "equity": "std_error",
    "high": "high_error",
    "low": "low_error",
    "scoop": "scoop_error",
}
#: Fields of a player that are columns of other names.
_NESTED = ("std_error", "split_error", "high", "low", "outcomes")
_OUTCOMES = tuple(map(str, MAIN_PARTS))
#: Chances of which a sample has errors too, with their columns.
_EVENTS = {
    "high_win": "win_error",
    "high_tie": "tie_error",
    "low_win": "low_win_error",
    "low_tie": "low_tie_error",
}


class Sample(Protocol):
    """The sums of a sample, which know their standard errors and add up."""

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds of the sample."""

    @property
    def error_target(self) -> float | None:
        """Bound of the standard error of every equity; None if there is none."""

    @property
    def no_low_error(self) -> float | None:
        """Standard error of the share of deals without a low."""

    def errors(self, has_low: bool) -> list[dict[str, float | None]]:
        """Standard errors of the shares of each player, by name."""

    def split_errors(self) -> list[dict[str, float | None]]:
        """Standard errors of parts of the pot, wins and ties, for each player."""

    def __add__(self, other: Any) -> Any: ...


@dataclass(unsafe_hash=True, repr=False)
class Result(Printable):
    """Equities of the players of a spot."""

    #: The question.
    spot: Spot
    #: Deals by who wins what.
    tally: Tally
    #: Compatible deals enumerated or sampled, whatever their weights.
    deals: int
    #: Seconds that it took.
    elapsed: float
    #: ``"enumerate"``, ``"sweep"``, ``"pairs"`` or ``"sample"``.
    method: str = "enumerate"
    #: Whether it was interrupted.
    partial: bool = False
    #: The sums of a sample; None if exact.
    sample: Sample | None = None
    #: Results of every combo of each player, if asked for; None for a hand, or a range that is
    #: too large, of a sample.
    hands: tuple[Combos | None, ...] | None = None

    @property
    def version(self) -> str:
        """Version of the package that made the result."""
        return __version__

    @property
    def game(self) -> str:
        """Name of the game."""
        return self.spot.game.name

    @property
    def board(self) -> str:
        """The known board."""
        return self.spot.board_text

    @property
    def dead(self) -> str:
        """The dead cards."""
        return self.spot.dead_text

    @property
    def exact(self) -> bool:
        """Whether every deal was enumerated."""
        return self.sample is None and not self.partial

    @property
    def seed(self) -> int | None:
        """The seed of a sample."""
        return self.sample.seeds[0] if self.sample else None

    @property
    def warnings(self) -> list[str]:
        """Warnings about ambiguous input; empty for most questions."""
        return self.spot.warnings

    @property
    def weight(self) -> int:
        """Sum of the weights of the deals."""
        return self.tally.weight

    @property
    def no_low(self) -> int | None:
        """Deals without a low, by weight; None in a game without a low."""
        return self.tally.no_low if self.spot.game.low else None

    @property
    def no_low_error(self) -> float | None:
        """Standard error of ``no_low`` as a share of the deals; None if exact."""
        return self.sample.no_low_error if self.sample and self.spot.game.low else None

    @property
    def error_target(self) -> float | None:
        """Bound of the standard error of every equity, if a sample stopped at it.

        Other figures have errors of their own, which may be larger.
        """
        return self.sample.error_target if self.sample else None

    @cached_property
    def players(self) -> tuple[PlayerResult, ...]:
        """The result of each player, in the order given."""
        spot, has_low = self.spot, self.spot.game.low
        none: list[None] = [None] * len(spot.players)
        errors = self.sample.errors(has_low) if self.sample else none
        splits = self.sample.split_errors() if self.sample else none
        facts = zip(
            spot.texts, spot.combos, spot.live_combos, errors, splits, spot.orderings, strict=True
        )
        return tuple(
            [
                PlayerResult(text, self.tally, at, has_low, combos, live, error, split, orderings)
                for at, (text, combos, live, error, split, orderings) in enumerate(facts)
            ]
        )

    @property
    def equities(self) -> tuple[float, ...]:
        """Share of all pots won by each player."""
        tally = self.tally
        whole = POT * tally.weight
        return tuple([tally.won(player) / whole for player in range(tally.players)])

    @property
    def equities_exact(self) -> tuple[Fraction, ...]:
        """Share of all pots won by each player, as fractions that sum to 1."""
        return tuple(player.equity_exact for player in self.players)

    def __add__(self, other: Result) -> Result:
        """Combine two samples of the same spot with different seeds."""
        if not isinstance(other, Result):
            return NotImplemented
        if self.spot != other.spot:
            raise MergeError("results of different spots cannot be added")
        if self.sample is None or other.sample is None:
            raise MergeError(
                "an exact result is complete and cannot be added to", hint="add samples"
            )
        return Result(
            self.spot,
            self.tally + other.tally,
            self.deals + other.deals,
            self.elapsed + other.elapsed,
            self.method,
            self.partial or other.partial,
            self.sample + other.sample,
        )

    def to_dict(self) -> dict[str, Any]:
        """The numbers for JSON; names stay stable, more may come."""
        return {
            "version": self.version,
            "game": self.game,
            "board": self.board,
            "dead": self.dead,
            "exact": self.exact,
            "method": self.method,
            "deals": self.deals,
            "weight": self.weight,
            "no_low": self.no_low,
            "elapsed": self.elapsed,
            "seed": self.seed,
            "partial": self.partial,
            "no_low_error": self.no_low_error,
            "error_target": self.error_target,
            "warnings": self.warnings,
            # A partial enumeration is not exact.
            "players": [
                player.to_dict() | ({"equity_exact": None} if self.partial else {})
                for player in self.players
            ],
        }

    def records(self) -> list[dict[str, Any]]:
        """A row of CSV for each player."""
        whole = self.to_dict()
        players = whole["players"]
        counted = {part: 0 for player in players for part in player["outcomes"]}
        counted = dict.fromkeys(_OUTCOMES, 0) | counted
        occurring = [name for player in players for name in player["split_error"] or ()]
        splits = list(dict.fromkeys([*_OUTCOMES, *_EVENTS, *occurring]))
        rows: list[dict[str, Any]] = []
        for number, player in enumerate(players, 1):
            row = {name: whole[name] for name in _COMMON} | {"player": number}
            row |= {name: value for name, value in player.items() if name not in _NESTED}
            row["orderings"] = "; ".join(player["orderings"])
            errors = player["std_error"] or {}
            row |= {column: errors.get(name) for name, column in _ERRORS.items()}
            split = player["split_error"] or {}
            row |= {_EVENTS.get(name, f"outcome_{name}_error"): split.get(name) for name in splits}
            for half, columns in _SHARES.items():
                shares = player[half] or {}
                row[half] = shares.get("equity")
                row |= {column: shares.get(name) for name, column in columns.items()}
            counts = counted | player["outcomes"]
            row |= {f"outcome_{part}_count": count for part, count in counts.items()}
            rows.append(row)
        return rows

    def lines(self, style: Style) -> Iterator[str]:
        """The equities of the players; ``verbose`` adds counts."""
        yield heading(self.spot.game, self.board, self.dead)
        yield from _range_rows(self)
        yield from (_hi_lo_rows if self.spot.game.low else _high_rows)(self, style.colour)
        yield from footing(self)
        if style.verbose:
            yield from ["", *_counts(self, style.colour)]

    def combos(self, player: int) -> Listing:
        """The results of every combo of a player.

        Raises
        ------
        MethodError
            They were not asked for, or the player has none.
        """
        combos = self.hands and self.hands[player]
        if not combos:
            raise MethodError(
                f"there are no results by combo of player {player + 1}",
                place="by combo",
                hint="ask for by_combo; a known hand has none, nor has a range of too many hands",
            )
        from equity.results.combos import combo_listing

        return combo_listing(combos, has_low=self.spot.game.low)

    def __repr__(self) -> str:
        hands = ", ".join(f"{player.range} {player.equity:.4%}" for player in self.players)
        board = f" on {self.board}" if self.board else ""
        how = "exact" if self.exact else "partial" if self.partial else "sampled"
        deals = "boards" if self.spot.hands else "deals"
        return f"<Result {self.game}{board}: {hands}; {how}, {self.deals:,} {deals}>"


def _range_rows(result: Result) -> list[str]:
    """A line for each player, if some have ranges: what was read, and how much lives."""
    if result.spot.hands is not None or all(player.combos == 1 for player in result.players):
        return []
    lines = []
    for number, player in enumerate(result.players, 1):
        count = f"{player.live:,}/{player.combos:,}"
        lines.append(f"{number:>2}  {shorten(player.range, 50):<52}{count:>22}")
    if result.spot.all_orderings:
        lines.append(f"    percent by the ordering {' and '.join(result.spot.all_orderings)}")
    return [f"{'':4}{'':52}{'live/combos':>22}", *lines, ""]


def _name_cell(number: int, player: PlayerResult, colour: bool, width: int) -> str:
    return hand_cell(number, player.range, width, combos=player.combos, colour=colour)


def _high_rows(result: Result, colour: bool) -> list[str]:
    titles, widths = ["equity %", "win %", "tie %"], [10, 10, 10]
    if result.sample is not None:
        # Each share has its error behind it.
        titles = [text for title in titles for text in (title, "+/-")]
        widths = [width for pair in zip(widths, [7] * 3, strict=True) for width in pair]
    lines: list[str] = [Title(f"{'':29}" + side_by_side(titles, widths))]
    for number, player in enumerate(result.players, 1):
        high = player.high
        cells = [
            percent(player.equity_exact),
            percent(Fraction(high.win_count, result.weight)),
            percent(Fraction(high.tie_count, result.weight)),
        ]
        if player.std_error and player.split_error is not None:
            errors = [player.std_error["equity"], player.std_error["scoop"]]
            errors.append(player.split_error.get("high_tie"))
            cells = [
                text
                for cell, error in zip(cells, errors, strict=True)
                for text in (cell, error_percent(error))
            ]
        lines.append(_name_cell(number, player, colour, 25) + side_by_side(cells, widths))
    return lines


def _hi_lo_rows(result: Result, colour: bool) -> list[str]:
    parts = [*_PARTS.values()]
    occurring = {part for player in result.players for part in player.outcomes_exact}
    if occurring - {*_PARTS, Fraction(0)}:
        parts.append("other")
    titles = [*parts, "nothing"]
    widths = [7] * (3 + len(parts)) + [8]
    pot = " % of pot ".center(20, "-")
    deals = "boards" if result.spot.hands is not None else "deals"
    boards = f" % of {deals} by share won ".center(sum(widths[3:]) - 1, "-")
    names = ["equity", "high", "low", *titles]
    lines: list[str] = [
        Title(f"{'':17}{pot} {boards}"),
        Title(f"{'':16}" + side_by_side(names, widths)),
    ]
    for number, player in enumerate(result.players, 1):
        assert player.low is not None
        shares = {title: Fraction(0) for title in titles}
        for part, count in player.outcomes_exact.items():
            title = _PARTS.get(part, "other") if part else "nothing"
            shares[title] += Fraction(count, result.weight)
        cells = [player.equity_exact, player.high.equity_exact, player.low.equity_exact]
        cells += shares.values()
        texts = [percent(cell) if cell else "-" for cell in cells]
        lines.append(_name_cell(number, player, colour, 12) + side_by_side(texts, widths))
        if player.std_error and player.split_error is not None:
            errors = [player.std_error[name] for name in ("equity", "high", "low", "scoop")]
            others = ["other"] if "other" in parts else []
            names = ["3/4", "1/2", "1/4", *others, "0"]
            errors += [player.split_error.get(name) for name in names]
            shown = [
                error_percent(error) if share else ""
                for error, share in zip(errors, cells, strict=True)
            ]
            lines.append(f"{'':4}{'+/-':<12}" + side_by_side(shown, widths))
    return lines


def footing(result: Result, *, is_timed: bool = True) -> Iterator[str]:
    """How a result was found, and how long it took unless it is not ``timed``."""
    deals = result.deals
    if result.spot.hands is not None:
        counted = f"exact, all {deals:,} boards" if deals > 1 else "exact, 1 board"
    elif result.sample is None:
        counted = f"exact by {_METHODS[result.method]}, all {deals:,} deals"
    else:
        seeds = " and ".join(map(str, result.sample.seeds))
        counted = f"sampled, {deals:,} deals, seed {seeds}"
    if result.partial:
        counted = "PARTIAL, " + counted.replace("exact by", "ended early:").replace("all ", "of ")
    no_low = ""
    if result.no_low is not None and deals > 1:
        share = percent(Fraction(result.no_low, result.weight))
        if result.sample is not None and result.no_low:
            share += f" +/- {error_percent(result.no_low_error)}"
        number = f"{result.no_low:,} " if result.spot.hands is not None else ""
        no_low = f", {number}without a low ({share} %)" if number else f", no low {share} %"
    elif result.no_low:
        no_low = ", without a low"
    seconds = result.elapsed
    duration = f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.1f} s"
    yield f"{counted}{no_low}, {duration}" if is_timed else f"{counted}{no_low}"
    if result.error_target is not None:
        target = error_percent(result.error_target)
        yield f"errors of equities are at most {target} %, those of other figures may be larger"


def _counts(result: Result, colour: bool) -> list[str]:
    """Wins and ties of high and low as counts, and deals by the part won."""
    has_low = result.spot.game.low
    deals = "boards" if result.spot.hands is not None else "weight of deals"
    titles = ["high alone", "high tied", *(("low alone", "low tied") if has_low else ())]
    counts = []
    for player in result.players:
        halves = [player.high, *([player.low] if player.low else [])]
        counts.append(
            [f"{count:,}" for half in halves for count in (half.win_count, half.tie_count)]
        )
    widths = [max(12, 2 + max(len(text) for row in counts for text in row))] * len(titles)
    lines: list[str] = [Title(f"{f'{deals} with':<28}" + side_by_side(titles, widths))]
    for number, (player, row) in enumerate(zip(result.players, counts, strict=True), 1):
        lines.append(_name_cell(number, player, colour, 24) + side_by_side(row, widths))
    lines += ["", f"{deals} by share of the pot won"]
    for number, player in enumerate(result.players, 1):
        outcomes = "   ".join(f"{part}: {count:,}" for part, count in player.outcomes.items())
        lines.append(_name_cell(number, player, colour, 14) + outcomes)
    return lines
