"""Merge the shards of a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from itertools import pairwise, product
from pathlib import Path
from typing import Any, NamedTuple

from equity.batching.columns import Column
from equity.batching.errors import BatchError
from equity.batching.fingerprint import Inputs, changes, file_digest
from equity.batching.formats import DIALECTS, FORMATS, MATRIX, Format, format_of
from equity.batching.job import Job
from equity.batching.journal import Failed, Record, State, journal_path, read
from equity.batching.output import FileOutput, is_stream
from equity.batching.run import shard_rows
from equity.batching.totals import total_rows
from equity.errors import MergeError
from equity.rules.cards import ascii_text

__all__ = ["merge"]


class _Shard(NamedTuple):
    path: Path
    record: Record

    @property
    def name(self) -> str:
        return ascii_text(str(self.path))

    @property
    def head(self) -> dict[str, Any]:
        return self.record.head


def merge(paths: Sequence[Path], output: Path, *, force: bool = False) -> State:
    """Merge the shards of a run; the output appears whole or not at all.

    ``paths`` are the outputs of all shards, in any order, each with its journal beside it.
    ``output`` gets a journal, as if one run had written it.

    Raises ``MergeError`` if they are not all shards of one run, or one does not match its
    journal; ``OutputError`` if the output cannot be written.
    """
    parts = sorted(map(_read, paths), key=lambda part: part.head["shard"][0])
    _check(parts)
    head = {**parts[0].head, "shard": None}
    if is_stream(str(output)):
        raise MergeError("the merged results need a file", place=ascii_text(str(output)))
    made = head["format"].removeprefix(MATRIX)
    wanted = format_of(str(output), made, "output")
    if wanted != made and (wanted != "csv" or made not in DIALECTS.values()):
        raise MergeError(f"the parts are {made}", place="output")
    inputs = Inputs()
    for part in parts:
        inputs.names += [str(part.path), str(journal_path(part.path))]
    table = FORMATS[head["format"]]([Column(*column) for column in head["columns"]])
    whole, failed = State(), Failed()
    for part in parts:
        failed.add_all(part.record.failed, whole.records)
        whole.add(part.record.state)
    totals, problems = _totals(head, table, whole.sums)
    whole.note_totals(problems)
    with closing(FileOutput(str(output), table, head, inputs, force=force)) as target:
        target.fill(_records(table, parts, totals), whole, failed)
    whole.rows += len(head["flops"])
    return whole


def _read(path: Path) -> _Shard:
    """Read a shard; it must be complete and match its journal."""
    name = ascii_text(str(path))
    hint = "a part is an output of --shard, with its journal beside it"
    if not path.is_file():
        raise MergeError("there is no such file", place=name, hint=hint)
    path = path.resolve()
    try:
        record = read(journal_path(path))
        facts = file_digest(path)
    except OSError as error:
        raise MergeError(
            f"its journal cannot be read: {error.strerror}", place=name, hint=hint
        ) from None
    except BatchError as error:
        raise MergeError(error.problem, place=name, hint="run this part again") from None
    state, shard = record.state, record.head["shard"]
    if shard is None or record.done is not state:
        raise MergeError(
            "it is not a part of a run" if shard is None else "it is not complete",
            place=name,
            hint="parts are made by --shard; --resume completes one",
        )
    if facts != (state.size, state.digest) or state.rows != len(
        shard_rows(record.head["rows"], shard)
    ):
        raise MergeError(
            "it does not match its journal: it was changed or truncated",
            place=name,
            hint="run this part again with --force",
        )
    return _Shard(path, record)


def _check(parts: Sequence[_Shard]) -> None:
    """Raise an error unless these are all shards of one run, once each."""
    if not parts:
        raise MergeError("no parts are given")
    first = parts[0]
    for part in parts[1:]:
        said = changes({**first.head, "shard": None}, {**part.head, "shard": None})
        if said:
            raise MergeError(f"{first.name} and {part.name} belong to different runs: {said}")
    numbers = [part.head["shard"][0] for part in parts]
    count = first.head["shard"][1]
    for one, two in pairwise(parts):
        if one.head["shard"] == two.head["shard"]:
            raise MergeError(f"{one.name} and {two.name} are both part {one.head['shard'][0]}")
    missing = [str(number) for number in range(1, count + 1) if number not in numbers]
    if missing:
        raise MergeError(f"missing of {count} parts: {', '.join(missing)}")


def _totals(
    head: Mapping[str, Any], table: Format, sums: Mapping[str, Any]
) -> tuple[str, list[str]]:
    """The totals over all flops, which no shard has."""
    if not head["flops"]:
        return "", []
    job = Job(
        head["options"],
        table.columns,
        head["--layout"],
        head["format"],
        digits=head.get("--digits"),
    )
    matchups = zip(product(*head["players"]), head["flops"], strict=True)
    return total_rows(job, sums, matchups)


def _records(table: Format, parts: Sequence[_Shard], totals: str) -> Iterator[Any]:
    for part in parts:
        yield from table.read(part.path)
    yield from table.parse(totals)
