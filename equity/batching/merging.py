"""Parts of a run, made by ``--shard``, put together."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, product
from pathlib import Path
from typing import Any, NamedTuple

from equity.batching.answering import Job
from equity.batching.columns import Column
from equity.batching.errors import OutputError
from equity.batching.heads import changes
from equity.batching.journal import State, journal_path, read, sync_folder
from equity.batching.summing import Sums, total_rows
from equity.batching.writing import FORMATS, Format, format_of
from equity.cards import ascii_text
from equity.errors import MergeError

__all__ = ["merge"]


class _Part(NamedTuple):
    path: Path
    head: dict[str, Any]
    state: State

    @property
    def name(self) -> str:
        return ascii_text(str(self.path))


def merge(paths: Sequence[Path], output: Path, *, force: bool = False) -> State:
    """Put the parts of a run together; the output appears whole or not at all.

    Parameters
    ----------
    paths:
        The outputs of all parts, in any order, each with its journal beside it.
    output:
        What the whole run would have written.
    force:
        Whether to overwrite it.

    Raises
    ------
    MergeError
        They are not all parts of one run.
    OutputError
        The output cannot be written.
    """
    parts = sorted(map(_read, paths), key=lambda part: part.head["shard"][0])
    _check(parts)
    head = parts[0].head
    made = FORMATS[head["format"]]
    wanted = FORMATS[format_of(str(output), head["format"], "output")]
    if wanted != made and (made.endings or wanted != FORMATS["csv"]):
        raise MergeError(f"the parts are {head['format']}", place="output")
    if output.exists() and not force:
        raise MergeError(
            "is there already", place=ascii_text(str(output)), hint="--force overwrites it"
        )
    whole = State(is_done=True)
    sums = Sums({})
    for part in parts:
        whole.rows += part.state.rows
        whole.no_combos += part.state.no_combos
        failed = whole.failed + part.state.failed
        for failure in part.state.failures:
            whole.note_failure(*failure)
        whole.failed = failed
        for matchup, mine in part.state.sums.items():
            sums.add_sums(matchup, mine)
    whole.rows += len(head["flops"])
    totals, problems = _totals(head, sums.known)
    for problem in problems:
        whole.note_failure("all flops", problem)
    try:
        _write(parts, totals, output)
    except OSError as error:
        raise OutputError(
            f"cannot write: {error.strerror or error}", place=ascii_text(str(output))
        ) from None
    return whole


def _read(path: Path) -> _Part:
    name = ascii_text(str(path))
    try:
        head, state, _ = read(journal_path(path))
        is_there = path.exists()
    except OSError as error:
        raise MergeError(
            f"its journal cannot be read: {error.strerror}",
            place=name,
            hint="a part is an output of --shard, with its journal beside it",
        ) from None
    if head["shard"] is None or not state.is_done or not is_there:
        raise MergeError(
            "it is no part of a run" if head["shard"] is None else "it is not complete",
            place=name,
            hint="a part is made by --shard; --resume goes on with one",
        )
    return _Part(path, head, state)


def _check(parts: Sequence[_Part]) -> None:
    """Raise an error unless they are all parts of one run, each once."""
    if not parts:
        raise MergeError("there are no parts")
    first = parts[0]
    for part in parts[1:]:
        said = changes({**first.head, "shard": None}, {**part.head, "shard": None})
        if said:
            raise MergeError(f"{first.name} and {part.name} are of different runs: {said}")
    numbers = [part.head["shard"][0] for part in parts]
    count = first.head["shard"][1]
    for one, two in pairwise(parts):
        if one.head["shard"] == two.head["shard"]:
            raise MergeError(f"{one.name} and {two.name} are both part {one.head['shard'][0]}")
    missing = [str(number) for number in range(1, count + 1) if number not in numbers]
    if missing:
        raise MergeError(f"of {count} parts there is no {', '.join(missing)}")


def _columns(head: Mapping[str, Any]) -> list[Column]:
    return [Column(*column) for column in head["columns"]]


def _totals(head: Mapping[str, Any], sums: Mapping[str, Any]) -> tuple[str, list[str]]:
    """The rows over all flops, which no part has."""
    if not head["flops"]:
        return "", []
    job = Job(
        head["options"],
        _columns(head),
        head["--layout"],
        FORMATS[head["format"]].lines,
        digits=head.get("--digits"),
    )
    matchups = zip(product(*head["players"]), head["flops"], strict=True)
    return total_rows(job, sums, matchups)


def _write(parts: Sequence[_Part], totals: str, output: Path) -> None:
    head = parts[0].head
    made = FORMATS[head["format"]]
    if made.at_end:
        made.module.write(_columns(head), _rows(made, parts, totals), output)
        sync_folder(output)
        return
    begin = made.header(_columns(head))
    unfinished = output.with_name(f"{output.name}.tmp")
    with unfinished.open("wb") as file:
        file.write(begin)
        for part in parts:
            with part.path.open("rb") as rows:
                rows.seek(len(begin))
                shutil.copyfileobj(rows, file)
        file.write(totals.encode())
        file.flush()
        os.fsync(file.fileno())
    os.replace(unfinished, output)
    sync_folder(output)


def _rows(made: Format, parts: Sequence[_Part], totals: str) -> Iterator[dict[str, Any]]:
    """The rows of all parts of a table that is made at the end."""
    for part in parts:
        yield from made.module.read_back(part.path)
    yield from map(json.loads, totals.splitlines())
