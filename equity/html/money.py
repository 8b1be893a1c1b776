"""Pots, chips, calls and raises as HTML."""

from __future__ import annotations

from equity.html.cards import numbered
from equity.html.results import boards_heading, result
from equity.html.tables import error, error_text, facts, footing, notices, table
from equity.html.tags import Child, Markup, el, join
from equity.money.amounts import ODD_CHIPS, chips_error, places, plain, rounded, signed
from equity.money.boards import BoardsMoney
from equity.money.calls import PotOdds
from equity.money.limits import PotLimit
from equity.money.payouts import Money, chip_cells, pot_cells
from equity.results.text import percent

__all__ = ["boards_money", "call", "money", "pot_limit"]


def money(found: Money) -> Markup:
    """Equities, then the pots and chips of players who are all in."""
    return join([result(found.result), _chips(found)])


def boards_money(found: BoardsMoney) -> Markup:
    """The pots and chips of players who are all in on several boards."""
    told = found.facts()
    boards = (told["board"], told["board2"])
    return join(
        [
            boards_heading(told["game"], boards, told["dead"], found.runs),
            notices(found.boards.spot.warnings),
            _chips(found),
        ]
    )


def _chips(found: Money) -> Markup:
    pots: list[list[Child]] = []
    for pot, (amount, rake) in zip(found.pots, pot_cells(found), strict=True):
        equities = zip(pot.members, pot.equities_exact, pot.std_errors, strict=True)
        shown = [
            el("span", f"{at + 1}: {percent(part)} %", error(wrong), class_="cell")
            for at, part, wrong in equities
        ]
        pots.append([pot.name, amount, rake, shown])
    titles, rows, totals = chip_cells(found)
    chips: list[list[Child]] = [
        [numbered(number, player.range), *row]
        for number, (player, row) in enumerate(zip(found.players, rows, strict=True), 1)
    ]
    return join(
        [
            table(["pot", "chips", "rake", "equity by player"], pots, caption="Pots"),
            table(
                ["player", *titles], [*chips, [found.everyone, *totals]], caption="Expected chips"
            ),
            footing(*found.footing()),
        ]
    )


def call(found: PotOdds) -> Markup:
    """A call: the equity that it needs, and that it has."""
    asked, gain = found.call, found.gain_exact
    decimals = places(asked.total)
    worth = "more than" if gain > 0 else "less than" if gain < 0 else "as much as"
    wrong = None
    if found.gain_error is not None:
        wrong = error_text(chips_error(found.gain_error, decimals))
    pairs: list[tuple[str, Child]] = [
        ("to call", plain(asked.amount)),
        ("pot after the call", plain(asked.total)),
    ]
    if asked.taken:
        pairs.append(("rake", f"{rounded(asked.taken, decimals)} ({asked.rake.text})"))
    pairs += [
        ("equity needed", f"{percent(asked.needed)} %"),
        ("your equity", [f"{percent(found.equity_exact)} %", error(found.std_error)]),
        ("EV of calling", [signed(gain, decimals), wrong, f", worth {worth} a fold"]),
    ]
    return join([facts(pairs), footing(ODD_CHIPS), result(found.result)])


def pot_limit(found: PotLimit) -> Markup:
    """The largest raise, with its arithmetic."""
    pairs: list[tuple[str, Child]] = [("arithmetic", found.line)]
    if found.highest:
        pairs.append(("to call", plain(found.call)))
    pairs.append(("largest raise to", plain(found.raise_to)))
    if found.min_raise_to is not None:
        pairs.append(("smallest raise to", plain(found.min_raise_to)))
    return facts(pairs)
