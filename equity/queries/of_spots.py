"""Queries about a spot that is given apart, as in a row of a batch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from equity.engine.options import How
from equity.queries.analysis import read_programs
from equity.queries.answers import Answers
from equity.queries.program import Program
from equity.queries.solving import answer
from equity.spot import Spot

__all__ = ["answer_spot", "parameters_of", "read_for_spot", "rows_of"]


def parameters_of(spot: Spot) -> dict[str, str]:
    """What a query may name: ``:game``, ``:board``, ``:dead``, ``:player1`` and so on.

    ``:hero`` is the first player, ``:villain`` and ``:villain1`` the second, ``:villain2`` the
    third.
    """
    found = {"game": spot.game.name, "board": spot.board_text, "dead": spot.dead_text}
    for number, text in enumerate(spot.texts, 1):
        found[f"player{number}"] = text
        found["hero" if number == 1 else f"villain{number - 1}"] = text
    if len(spot.texts) > 1:
        found["villain"] = spot.texts[1]
    return found


def read_for_spot(text: Any, spot: Spot) -> list[Program]:
    """Parse queries whose parameters are those of a spot.

    Raises
    ------
    QueryError
        A query is wrong.
    """
    return read_programs(str(text), parameters_of(spot))


def answer_spot(programs: list[Program], how: How) -> Answers:
    """Answer the queries of a spot.

    Raises
    ------
    KeyboardInterrupt
        It was interrupted: a part is no answer.
    """
    found = tuple(answer(program, how) for program in programs)
    if any(one.partial for one in found):
        raise KeyboardInterrupt
    return Answers(found)


def rows_of(answers: Answers) -> Iterator[Mapping[str, Any]]:
    """A row for each result, and for each bin of a histogram."""
    for row in answers.records():
        row["query_number"] = row.pop("query")
        if row["value"] is not None:
            row["value"] = str(row["value"])
        yield row
