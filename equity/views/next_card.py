"""Equity by the next card, and by the turn and the river together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import nan
from typing import TYPE_CHECKING, Any

from equity.engine.isomorphism import alike_boards, alike_cards, cards_text, merged, suits_alike
from equity.engine.options import How, read_spot_for
from equity.engine.planner import no_deals
from equity.errors import MethodError
from equity.results.formats import Style, Title, finite
from equity.results.text import error_text, percent, side_by_side
from equity.rules.cards import RANKS, Cards
from equity.rules.games import Game
from equity.spot import Spot
from equity.views.answers import (
    Answer,
    Part,
    View,
    ask,
    change_error,
    check_board,
    free_cards,
    mean,
    with_error,
)
from equity.views.drawing import (
    cell,
    footing,
    grid,
    heading,
    now_text,
    sign,
    signed,
    triangle,
)
from equity.views.plots import by_card, heat_map, in_percent, suptitle
from equity.views.runouts import Runouts

if TYPE_CHECKING:
    from pathlib import Path

    from equity.ranges import Ordering, Range

__all__ = [
    "NextCards",
    "NextRow",
    "TwoCards",
    "TwoRow",
    "check",
    "check_two",
    "find",
    "find_two",
    "next_cards",
    "two_cards",
]

#: Samples go on until the standard errors of equities are below this.
ERROR = 0.002
#: Tables are as wide as this.
WIDTH = 80


@dataclass(frozen=True)
class NextRow:
    """Equities when a card comes; isomorphic cards share a row."""

    cards: tuple[int, ...]
    #: The weight is that of the deals with one of these cards.
    answer: Answer
    #: Change of the equity of player 1 from now.
    change_exact: Fraction
    #: Standard error of it: None if exact, infinite if unknown.
    change_error: float | None = None

    @property
    def text(self) -> str:
        """The cards, ``"9s9h9d"``."""
        return cards_text(self.cards)

    def to_dict(self) -> dict[str, Any]:
        """The numbers for JSON."""
        return {
            "cards": self.text,
            "count": len(self.cards),
            "change": float(self.change_exact),
            "change_error": finite(self.change_error),
            **self.answer.to_dict(),
        }


@dataclass(frozen=True)
class NextCards(View):
    """Equities by the next card, best to worst for player 1."""

    #: The question.
    spot: Spot
    #: Seed of what is sampled.
    seed: int
    #: The equities as the cards are.
    now: Answer
    #: A row for each card, or for cards that are suit-isomorphic.
    rows: tuple[NextRow, ...]

    def lines(self, style: Style) -> Iterator[str]:
        """A grid by rank and suit, and a list of the cards."""
        yield from heading(self.spot)
        yield ""
        first = {card: row.answer.parts[0] for row in self.rows for card in row.cards}
        signs = {card: sign(row.change_exact) for row in self.rows for card in row.cards}
        yield f"player 1's equity by the next card, % ({now_text(self.now)})"
        yield from grid(
            {card: cell(part, 1) for card, part in first.items()}, signs if style.colour else {}
        )
        if self.spot.game.low:
            yield ""
            yield _low_title(self.now)
            yield from grid({card: _low(part) for card, part in first.items()})
        yield ""
        yield from _list(self)
        answers = [self.now, *(row.answer for row in self.rows)]
        parts = [part for answer in answers for part in answer.parts]
        errors = [error for part in parts for error in (part.std_error, part.low_error)]
        yield footing([*errors, *(row.change_error for row in self.rows)], self.seed)

    def draw(self, figure: Any) -> None:
        """Draw heat maps by rank and suit."""
        panels = list(_panels(self))
        figure.set_size_inches(9, 0.7 + 2.5 * len(panels))
        suptitle(figure, self, "Player 1's equity by the next card")
        for number, (name, now, values) in enumerate(panels, 1):
            axes = figure.add_subplot(len(panels), 1, number)
            by_card(figure, axes, values, middle=now, heading=f"{name}, now {now:.2f} %", label="%")


@dataclass(frozen=True)
class TwoRow:
    """Equities when turn and river have two given ranks."""

    #: The higher rank and the lower one, as numbers from 0 (2) to 12 (A).
    ranks: tuple[int, int]
    #: How many boards there are.
    boards: int
    answer: Answer
    change_exact: Fraction

    @property
    def text(self) -> str:
        """The ranks, ``"K9"``."""
        return "".join(RANKS[rank] for rank in self.ranks)

    def to_dict(self) -> dict[str, Any]:
        """The numbers for JSON."""
        return {
            "ranks": self.text,
            "boards": self.boards,
            "change": float(self.change_exact),
            **self.answer.to_dict(),
        }


@dataclass(frozen=True)
class TwoCards(View):
    """Equities by the ranks of turn and river, best to worst for player 1."""

    #: The question.
    spot: Spot
    #: The equities as the cards are.
    now: Answer
    #: A row for each pair of ranks.
    rows: tuple[TwoRow, ...]

    def lines(self, _: Style) -> Iterator[str]:
        """A grid by two ranks."""
        yield from heading(self.spot)
        yield ""
        first = {row.ranks: row.answer.parts[0] for row in self.rows}
        yield f"player 1's equity by the ranks of turn and river, % ({now_text(self.now)})"
        yield from triangle({ranks: cell(part, 1) for ranks, part in first.items()})
        if self.spot.game.low:
            yield ""
            yield _low_title(self.now)
            yield from triangle({ranks: _low(part) for ranks, part in first.items()})
        yield ""
        yield f"exact, all {sum(row.boards for row in self.rows):,} boards"

    def draw(self, figure: Any) -> None:
        """Draw heat maps by two ranks."""
        panels = list(_panels(self))
        figure.set_size_inches(9, 0.7 + 5.8 * len(panels))
        suptitle(figure, self, "Player 1's equity by turn and river")
        ranks = range(len(RANKS) - 1, -1, -1)
        for number, (name, now, found) in enumerate(panels, 1):
            axes = figure.add_subplot(len(panels), 1, number)
            values = [[found.get((high, low), nan) for low in ranks] for high in ranks]
            label = f"{name}, now {now:.2f} %"
            heat_map(figure, axes, values, middle=now, rows=RANKS[::-1], heading=label, label="%")
            axes.set_xlabel("lower rank of the two")
            axes.set_ylabel("higher rank of the two")


def _panels(view: NextCards | TwoCards) -> Iterator[tuple[str, float, dict[Any, float]]]:
    """Yield the panels of player 1: title, value now, and values by card or ranks."""
    rows: list[tuple[Any, Part]] = []
    for row in view.rows:
        places = row.cards if isinstance(row, NextRow) else (row.ranks,)
        rows += [(place, row.answer.parts[0]) for place in places]
    now = view.now.parts[0]
    yield "equity", in_percent(now.equity_exact), {at: in_percent(p.equity_exact) for at, p in rows}
    if now.low_exact is not None:
        lows = {at: in_percent(part.low_exact or 0) for at, part in rows}
        yield "of which with the low", in_percent(now.low_exact), lows


def next_cards(
    players: Sequence[Cards | Range],
    game: str | Game = "plo4",
    board: Cards = "",
    dead: Cards = "",
    *,
    ordering: str | Path | Ordering | None = None,
    exact: bool = False,
    trials: int | None = None,
    error: float | None = None,
    seed: int = 0,
    threads: int | None = None,
    yes: bool = False,
) -> NextCards:
    """Equity by the next card, best to worst for player 1.

    Cards that are isomorphic under a permutation of suits share a row; a card without a
    compatible deal has none.  Weighted by compatible deals, the equities average to the
    equity now, exactly if all are exact.

    Parameters
    ----------
    players, game, dead, ordering:
        As for :func:`equity.odds`; dead cards are known cards, no pattern.
    board:
        Three or four known cards.
    exact, trials, error, seed, threads, yes:
        See :class:`equity.How`; the default standard error of samples is 0.002.

    Raises
    ------
    EquityError
        A subclass says which argument is wrong.
    """
    how = How(exact, trials, error, None, seed, threads, yes=yes)
    return find(read_spot_for(players, game, board, dead, how, ordering=ordering), how)


def check(spot: Spot) -> None:
    """Raise an error unless a turn or a river is to come."""
    check_board(spot, (3, 4))


def find(spot: Spot, how: How) -> NextCards:
    """Compute the view of a validated spot by the next card."""
    check(spot)
    how = with_error(how, ERROR)
    groups = alike_cards(free_cards(spot), suits_alike(spot))
    runouts = Runouts(spot, how, [cards[:1] for cards in groups])
    found = zip(groups, (answer for _, answer in runouts.answers("next cards")), strict=True)
    answers = [(cards, answer) for cards, answer in merged(found) if answer is not None]
    now = _now(spot, how, [(answer, len(cards)) for cards, answer in answers])
    rows = [
        NextRow(
            cards,
            Answer(answer.parts, None if answer.weight is None else answer.weight * len(cards)),
            answer.parts[0].equity_exact - now.parts[0].equity_exact,
            change_error(answer.parts[0], now.parts[0]),
        )
        for cards, answer in answers
    ]
    rows.sort(key=lambda row: (-row.change_exact, [-card for card in row.cards]))
    return NextCards(spot, how.seed, now, tuple(rows))


def _now(spot: Spot, how: How, answers: list[tuple[Answer, int]]) -> Answer:
    """Return the equity now: the mean over all cards, or solved if some are sampled."""
    exact = all(answer.exact for answer, _ in answers)
    now = mean(answers) if answers and exact else ask(spot, how)
    if now is None:
        raise no_deals()
    return now


def two_cards(
    players: Sequence[Cards | Range],
    game: str | Game = "plo4",
    board: Cards = "",
    dead: Cards = "",
    *,
    ordering: str | Path | Ordering | None = None,
    exact: bool = False,
    threads: int | None = None,
    yes: bool = False,
) -> TwoCards:
    """Equity by the ranks of turn and river, in whatever order they come.

    Every runout is enumerated, so the equities, weighted by compatible deals, average to
    the equity now exactly.

    Parameters
    ----------
    players, game, dead, ordering:
        As for :func:`equity.odds`; dead cards are known cards, no pattern.
    board:
        Three known cards.
    exact, threads, yes:
        See :class:`equity.How`.

    Raises
    ------
    EquityError
        A subclass says which argument is wrong, or that there are too many deals.
    """
    how = How(exact=exact, threads=threads, yes=yes)
    return find_two(read_spot_for(players, game, board, dead, how, ordering=ordering), how)


def check_two(spot: Spot) -> None:
    """Raise an error unless a turn and a river are to come."""
    check_board(spot, (3,))


def find_two(spot: Spot, how: How) -> TwoCards:
    """Compute the view of a validated spot by turn and river."""
    check_two(spot)
    boards = alike_boards(free_cards(spot), 2, suits_alike(spot))
    runouts = Runouts(spot, how, boards.cards)
    if runouts.cost is None:
        raise MethodError(
            "the ranges have too many combos to enumerate every board",
            place="two cards",
            hint="narrow the ranges, or ask for an exact answer (--exact)",
        )
    by_ranks: dict[tuple[int, int], list[tuple[Answer, int]]] = {}
    for (cards, answer), size in zip(runouts.answers("boards"), boards.size, strict=True):
        if answer is not None:
            high, low = sorted((card >> 2 for card in cards), reverse=True)
            by_ranks.setdefault((high, low), []).append((answer, size))
    now = _now(spot, how, [pair for pairs in by_ranks.values() for pair in pairs])
    rows = []
    for ranks, pairs in by_ranks.items():
        answer = mean(pairs)
        change = answer.parts[0].equity_exact - now.parts[0].equity_exact
        rows.append(TwoRow(ranks, sum(size for _, size in pairs), answer, change))
    rows.sort(key=lambda row: (-row.change_exact, -row.ranks[0], -row.ranks[1]))
    return TwoCards(spot, now, tuple(rows))


def _low_title(now: Answer) -> str:
    return f"of which with the low, % (now {percent(now.parts[0].low_exact or Fraction(0))})"


def _low(part: Part) -> str:
    return percent(part.low_exact or Fraction(0), 1)


def _list(found: NextCards) -> Iterator[str]:
    """Format the cards best to worst: all equities, and player 1's change from now."""
    players = len(found.spot.players)
    # For many there is room for less; JSON and CSV have all.
    few = players <= 5
    decimals = 2 if few else 1
    error = "+/-" if few and not found.exact else ""
    titles = ["1", error, "change", error]
    titles += ["low of 1", error] if few and found.spot.game.low else []
    titles = [title for title in titles if title]
    titles += [str(player) for player in range(2, players + 1)]
    width = 9 if few else 6
    widths = [width] * len(titles)
    if error and 8 + sum(widths) > WIDTH:
        narrow = {"+/-": 6, "change": 8, "low of 1": 9}
        widths = [narrow.get(title, 7) for title in titles]
    yield Title(f"{'next':<8}" + side_by_side(titles, widths))
    for row in found.rows:
        first, *others = row.answer.parts
        texts = [cell(first, decimals)]
        texts += [error_text(first.std_error)] if error else []
        texts.append(signed(row.change_exact, decimals))
        texts += [error_text(row.change_error)] if error else []
        if "low of 1" in titles:
            texts.append(percent(first.low_exact or Fraction(0)))
            texts += [error_text(first.low_error)] if error else []
        texts += [cell(part, decimals) for part in others]
        yield f"{row.text:<8}" + side_by_side(texts, widths)
