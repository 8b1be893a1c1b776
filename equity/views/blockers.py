"""Blockers: card removal, card by card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from equity.engine.isomorphism import alike_cards, cards_text, merged, suits_alike
from equity.engine.options import How, read_spot_for
from equity.errors import MethodError, PlayerCountError
from equity.results.formats import Style, Title, finite
from equity.results.text import error_text, percent, side_by_side
from equity.rules.cards import Cards
from equity.rules.games import Game
from equity.spot import Spot
from equity.views.answers import (
    Answer,
    View,
    announce,
    ask,
    board_cost,
    change_error,
    check_board,
    free_cards,
    with_error,
)
from equity.views.drawing import cell, footing, grid, heading, now_text, sign, signed
from equity.views.plots import by_card, in_percent, suptitle

if TYPE_CHECKING:
    from pathlib import Path

    from equity.ranges import Ordering, Range

__all__ = ["Blocker", "Blockers", "blockers", "check", "find"]

#: Samples go on until the standard errors of equities are below this.
ERROR = 0.001


@dataclass(frozen=True)
class Blocker:
    """Card removal by one card; isomorphic cards share a row."""

    cards: tuple[int, ...]
    #: Whether the hero has it.
    held: bool
    #: Combos of the range that hold it, of each card, and their part of the range by weight.
    combos: int
    share_exact: Fraction
    #: Equities when it is dead; None for a card of the hero, or if nothing is left.
    answer: Answer | None
    #: Change of the equity of the hero when it is dead.
    change_exact: Fraction | None
    #: Standard error of it: None if exact, infinite if unknown.
    change_error: float | None = None

    @property
    def text(self) -> str:
        """The cards, ``"9s9h9d"``."""
        return cards_text(self.cards)

    @property
    def share(self) -> float:
        """Share of the range that holds the card."""
        return float(self.share_exact)

    def to_dict(self) -> dict[str, Any]:
        """The numbers for JSON."""
        known = {} if self.answer is None else self.answer.parts[0].to_dict(self.answer.exact)
        names = ("equity", "equity_exact", "low", "std_error", "low_error")
        return {
            "cards": self.text,
            "count": len(self.cards),
            "held": self.held,
            "combos": self.combos,
            "share": self.share,
            "change": None if self.change_exact is None else float(self.change_exact),
            "change_error": finite(self.change_error),
            "exact": None if self.answer is None else self.answer.exact,
            **{name: known.get(name) for name in names},
        }


@dataclass(frozen=True)
class Blockers(View):
    """Card removal for every card: the hero's cards first, then best to worst."""

    #: The question.
    spot: Spot
    #: Seed of what is sampled.
    seed: int
    #: The equities as the cards are.
    now: Answer
    #: A row for each card, or for cards that are suit-isomorphic.
    rows: tuple[Blocker, ...]

    def lines(self, style: Style) -> Iterator[str]:
        """Two grids by rank and suit, and a list of the cards."""
        yield from heading(self.spot)
        yield ""
        yield "share of the range that holds the card, %"
        yield from grid(
            {card: percent(row.share_exact, 1) for row in self.rows for card in row.cards}
        )
        yield ""
        title = "change of player 1's equity when it is dead, points"
        yield f"{title} ({now_text(self.now)})"
        changes = {
            card: row.change_exact
            for row in self.rows
            for card in row.cards
            if row.change_exact is not None
        }
        signs = {card: sign(change) for card, change in changes.items()}
        # Changes of ten points and more have no room for two decimals.
        decimals = 2 if all(abs(change) < Fraction(99, 1000) for change in changes.values()) else 1
        cells = {card: signed(change, decimals) for card, change in changes.items()}
        yield from grid(cells, signs if style.colour else None)
        yield ""
        low = self.spot.game.low
        error = [] if self.exact else ["+/-"]
        titles = ["combos", "share %", "equity %", *error, "change", *error]
        titles += ["low", *error] if low else []
        start, widths = 10, [10] * len(titles)
        if error:
            # The mark behind some rows takes 13.
            narrow = {"combos": 9, "equity %": 9, "+/-": 6, "change": 8}
            start, widths = 9, [narrow.get(title, 7) for title in titles]
        yield Title(f"{'card':<{start}}" + side_by_side(titles, widths))
        for row in self.rows:
            part = row.answer.parts[0] if row.answer else None
            texts = [f"{row.combos:,}", percent(row.share_exact), cell(part)]
            texts += [error_text(part.std_error if part else None)] if error else []
            texts.append("-" if row.change_exact is None else signed(row.change_exact))
            texts += [error_text(row.change_error)] if error else []
            if low:
                texts.append("-" if part is None else percent(part.low_exact or Fraction(0)))
                texts += [error_text(part.low_error if part else None)] if error else []
            mark = "  in the hand" if row.held else ""
            yield f"{row.text:<{start}}" + side_by_side(texts, widths) + mark
        parts = [self.now.parts[0], *(row.answer.parts[0] for row in self.rows if row.answer)]
        errors = [error for part in parts for error in (part.std_error, part.low_error)]
        yield footing([*errors, *(row.change_error for row in self.rows)], self.seed)

    def draw(self, figure: Any) -> None:
        """Draw heat maps by rank and suit."""
        changes = {
            card: in_percent(row.change_exact)
            for row in self.rows
            for card in row.cards
            if row.change_exact is not None
        }
        shares = {card: in_percent(row.share_exact) for row in self.rows for card in row.cards}
        panels = [
            ("share of the range that holds the card, %", "%", ".1f", shares),
            ("change of the equity when it is dead, points", "points", "+.2f", changes),
        ]
        figure.set_size_inches(9, 5.7)
        suptitle(figure, self, "Blockers")
        for number, (name, label, form, values) in enumerate(panels, 1):
            axes = figure.add_subplot(2, 1, number)
            by_card(figure, axes, values, middle=0, heading=name, label=label, form=form)


def blockers(
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
) -> Blockers:
    """Card removal: how each blocker changes a range, and the equity of a hand against it.

    For an unseen card: the share of the range that holds it, by weight, and the change
    of the hand's equity when the card is dead.  For a card of the hand: the share of
    the range that it alone removes, beside the other known cards.

    Parameters
    ----------
    players:
        The hand of the hero, and a range.
    game, dead, ordering:
        As for :func:`equity.odds`; dead cards are known cards, no pattern.
    board:
        Known cards, none or three and more.
    exact, trials, error, seed, threads, yes:
        See :class:`equity.How`; the default standard error of samples is 0.001.

    Raises
    ------
    EquityError
        A subclass says which argument is wrong.
    """
    how = How(exact, trials, error, None, seed, threads, yes=yes)
    return find(read_spot_for(players, game, board, dead, how, ordering=ordering), how)


def check(spot: Spot) -> None:
    """Raise an error unless it is a hand and a range, on a board that is known."""
    check_board(spot, (0, 3, 4, 5))
    if len(spot.players) != 2:
        raise PlayerCountError(f"{len(spot.players)} players", hint="give a hand and a range")
    hero, villain = spot.players
    if not isinstance(hero, tuple):
        raise MethodError(
            f"{spot.texts[0]} is a range", place="hand 1", hint="blockers are those of a known hand"
        )
    if isinstance(villain, tuple):
        raise MethodError(
            f"{spot.texts[1]} is a known hand", place="range 2", hint="cards block hands of a range"
        )


def find(spot: Spot, how: How) -> Blockers:
    """Compute the view of a validated spot."""
    check(spot)
    how = with_error(how, ERROR)
    hero, villain = spot.players
    assert isinstance(hero, tuple)  # noqa: S101 - for the type checker
    assert not isinstance(villain, tuple)  # noqa: S101
    now = ask(spot, how)
    if now is None:
        raise MethodError(
            "no hands of the range can be dealt", place="ranges", hint="it needs cards of the hand"
        )
    groups = alike_cards(free_cards(spot), suits_alike(spot))
    # With a dead card, which takes away symmetries, so that it costs more than without.
    spots = (replace(spot, dead=(*spot.dead, cards[0])) for cards in groups)
    announce(len(groups), "dead cards", board_cost(spots, how), how)
    live = villain.live(spot.board, (*spot.dead, *hero)).range
    found = (
        (
            cards,
            (
                _blocked(live, cards[0]),
                ask(replace(spot, dead=(*spot.dead, cards[0])), how),
            ),
        )
        for cards in groups
    )
    rows = [_free(cards, *what, now) for cards, what in merged(found)]
    rows.sort(key=_best_first)
    held = [_held(spot, villain, hero, card) for card in sorted(hero, reverse=True)]
    return Blockers(spot, how.seed, now, (*held, *rows))


def _best_first(row: Blocker) -> tuple[Fraction, Fraction, list[int]]:
    return -(row.change_exact or Fraction(0)), -row.share_exact, [-card for card in row.cards]


def _blocked(live: Range, card: int) -> tuple[int, Fraction]:
    """Count the combos of a range that hold a card, and their share by weight."""
    holding = (live.combos == card).any(axis=1)
    total = int(live.weights.sum())
    part = Fraction(int(live.weights[holding].sum()), total) if total else Fraction(0)
    return int(holding.sum()), part


def _held(spot: Spot, villain: Range, hero: tuple[int, ...], card: int) -> Blocker:
    others = [other for other in hero if other != card]
    live = villain.live(spot.board, (*spot.dead, *others)).range
    return Blocker((card,), True, *_blocked(live, card), None, None)


def _free(
    cards: tuple[int, ...], blocked: tuple[int, Fraction], answer: Answer | None, now: Answer
) -> Blocker:
    if answer is None:
        return Blocker(cards, False, *blocked, None, None)
    mine, before = answer.parts[0], now.parts[0]
    change = mine.equity_exact - before.equity_exact
    return Blocker(cards, False, *blocked, answer, change, change_error(mine, before))
