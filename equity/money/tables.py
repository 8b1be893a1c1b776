"""Money as text: further lines for the table of a result, further JSON and CSV."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from equity.money.amounts import error_text, places, plain, rounded, signed
from equity.money.calls import PotOdds
from equity.money.payouts import Money, Pot
from equity.results.report import csv_text, error_percent, json_text, percent, side_by_side, table

__all__ = ["money_table", "money_text"]

#: Tables are as wide as this.
WIDTH = 80
ODD_CHIPS = "odd chips are not modelled"


def money_text(answer: Money | PotOdds, output: str, **style: Any) -> str:
    """A result in a format of :data:`equity.results.report.FORMATS`."""
    if output == "json":
        return json_text(answer.result, sections=answer.sections)
    if output == "csv":
        # A side pot may have been interrupted while the main pot was not.
        partial = {"partial": answer.partial}
        return csv_text(answer.result, columns=[row | partial for row in answer.columns])
    return f"{table(answer.result, **style)}\n{money_table(answer)}"


def money_table(answer: Money | PotOdds) -> str:
    """The lines below the table of equities."""
    lines = _call_lines(answer) if isinstance(answer, PotOdds) else _money_lines(answer)
    return "\n".join(lines) + "\n"


def _money_lines(money: Money) -> list[str]:
    decimals = places(money.stakes.put_in)
    lines = _pot_lines(money, decimals)
    sampled = any(error is not None for error in money.errors)
    titles = ["put in", "returned", "expected", *(["+/-"] if sampled else []), "net"]
    rows = []
    for player, error in zip(money.players, money.errors, strict=True):
        cells = [player.put_in, player.returned, player.expected_exact]
        row = [rounded(cell, decimals) if cell else "-" for cell in cells]
        if sampled:
            row.append("-" if error is None else error_text(error, decimals))
        rows.append([*row, signed(player.net_exact, decimals)])
    stakes = money.stakes
    totals = [stakes.put_in, sum(stakes.returned), stakes.put_in - money.rake]
    last = [rounded(Fraction(total), decimals) if total else "-" for total in totals]
    last += ["", ""] if sampled else [""]
    widths = [max(map(len, column)) + 2 for column in zip(titles, *rows, last, strict=True)]
    widths = [max(width, 10) for width in widths]
    room = min(25, WIDTH - 4 - sum(widths))
    lines += ["", " " * (4 + room) + side_by_side(titles, widths)]
    for number, (player, row) in enumerate(zip(money.players, rows, strict=True), 1):
        text = player.range if len(player.range) <= room else player.range[: room - 2] + ".."
        lines.append(f"{number:>2}  {text:<{room}}" + side_by_side(row, widths))
    dead = f", {plain(stakes.pot)} dead" if stakes.pot else ""
    lines.append(f"{'':4}{f'all{dead}':<{room}}{side_by_side(last, widths)}".rstrip())
    house = (
        f"rake {rounded(money.rake, decimals)} ({stakes.rake.text})" if money.rake else "no rake"
    )
    lines.append(f"{house}; {ODD_CHIPS}")
    if money.partial and not money.result.partial:
        lines.append("PARTIAL, a side pot was ended early")
    return lines


def _pot_lines(money: Money, decimals: int) -> list[str]:
    """A line for each pot: its chips and the equities of its players."""
    amounts = [rounded(pot.amount, decimals) for pot in money.pots]
    rakes = [rounded(pot.rake, decimals) if pot.rake else "-" for pot in money.pots]
    widths = [max(map(len, ["amount", *amounts])), max(map(len, ["rake", *rakes]))]
    names = max(len(pot.name) for pot in money.pots)
    titles = f"{'pots':<{names}}  {'amount':>{widths[0]}}  {'rake':>{widths[1]}}"
    lines = [f"{titles}   player: equity %"]
    for pot, amount, rake in zip(money.pots, amounts, rakes, strict=True):
        start = f"{pot.name:<{names}}  {amount:>{widths[0]}}  {rake:>{widths[1]}}   "
        lines += _wrapped(start, _shares(pot))
    return lines


def _shares(pot: Pot) -> list[str]:
    shares = []
    for at, part, error in zip(pot.members, pot.equities_exact, pot.std_errors, strict=True):
        behind = "" if error is None else f" +/-{error_percent(error)}"
        shares.append(f"{at + 1}: {percent(part)}{behind}")
    return shares


def _wrapped(start: str, parts: list[str]) -> list[str]:
    """Wrap parts to the width of a table, the first after a text."""
    lines, line = [], start
    for at, part in enumerate(parts):
        gap = "  " if at and line.strip() else ""
        if at and len(line) + len(gap) + len(part) > WIDTH:
            lines.append(line)
            line, gap = " " * len(start), ""
        line += gap + part
    return [*lines, line]


def _call_lines(odds: PotOdds) -> list[str]:
    call = odds.call
    decimals = places(call.total)
    rake = f", rake {rounded(call.taken, decimals)} ({call.rake.text})" if call.taken else ""
    sampled = odds.std_error is not None
    error = f"  +/- {error_percent(odds.std_error)}" if sampled else ""
    gain_error = f"  +/- {error_text(odds.gain_error or 0.0, decimals)}" if sampled else ""
    return [
        f"call {plain(call.amount)} into {plain(call.pot)}: {plain(call.total)} in the pot{rake}",
        f"    equity needed{percent(call.needed):>12} %",
        f"    your equity  {percent(odds.equity_exact):>12} %{error}",
        f"    EV of calling{signed(odds.gain_exact, decimals):>12}{gain_error}",
        ODD_CHIPS,
    ]
