"""Totals of match-ups over all flops."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from equity.batching.job import Job
from equity.batching.journal import NO_SUMS
from equity.batching.parse_row import read_question
from equity.batching.rows import Row
from equity.batching.worker import flat_rows, given_rows, one_line
from equity.errors import EquityError
from equity.results.result import Result
from equity.results.tally import Tally

__all__ = ["total_rows"]

#: The method of a total.
METHOD = "flops"


def total_rows(
    job: Job, sums: Mapping[str, Any], matchups: Iterable[tuple[Sequence[str], int]]
) -> tuple[str, list[str]]:
    """The totals of match-ups as lines of the output, and the errors of some.

    ``matchups`` are the players of each match-up, and the number of its flops.
    """
    lines: list[str] = []
    problems: list[str] = []
    for number, (players, flops) in enumerate(matchups):
        values = {"players": list(players), "id": f"all flops {number + 1}"}
        row = Row(number, 0, values, {}, "", flops, number)
        try:
            result = _total(job, row, sums.get(str(number), NO_SUMS))
            lines.append(job.table.lines(flat_rows(job, row, "odds", result)))
        except EquityError as error:
            problems.append(one_line(str(error)))
            lines.append(job.table.lines(given_rows(job, row, error=problems[-1])))
    return "".join(lines), problems


def _total(job: Job, row: Row, sums: Mapping[str, Any]) -> Result:
    flops = row.multiplicity
    if sums["flops"] != flops:
        raise EquityError(f"{flops - sums['flops']:,} of {flops:,} flops have no result")
    if sums["sampled"]:
        raise EquityError(
            f"{sums['sampled']:,} of {flops:,} flops are estimates, which are not summed",
            hint="use --exact",
        )
    # This needs numpy, which known hands do without.
    from equity.engine.planner import no_deals

    if not sums["tally"]:
        raise no_deals("no flop leaves a deal")
    spot = read_question(row.values, job.defaults).spot
    tally = Tally.from_flat(len(spot.players), sums["tally"])
    return Result(spot, tally, sums["deals"], 0.0, METHOD)
