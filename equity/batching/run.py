"""Run a batch: answer the rows of an input, or a shard of them, into an output."""

from __future__ import annotations

import json
import os
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import Any

from equity import __version__
from equity.batching import formats
from equity.batching.columns import ASKED, selected
from equity.batching.errors import BatchError, OutputError
from equity.batching.folders import Folder
from equity.batching.formats import FORMATS
from equity.batching.job import Job
from equity.batching.journal import AGAIN, DONE, RETRY, ROWS, State
from equity.batching.layouts import MATRIX, WIDE, cell_columns, columns_of, renamed
from equity.batching.output import FileOutput, StreamOutput, is_stream
from equity.batching.parse_row import view_of
from equity.batching.rows import Row, Spots, Survey
from equity.batching.stream import Pool, answers
from equity.batching.totals import total_rows
from equity.batching.views import VIEWS
from equity.batching.worker import Block, one_line
from equity.rules.cards import ascii_text

__all__ = ["Outcome", "Request", "run", "shard_rows"]

#: Seconds between checkpoints.
CHECKPOINT_EVERY = 0.5
#: Seconds between progress reports.
REPORT_EVERY = 0.1


@dataclass(frozen=True)
class Request:
    """The options of a run."""

    #: A path, or ``-`` for standard output.
    output: str
    #: A name of :data:`equity.batching.formats.FORMATS`.
    format: str
    #: Values for columns that are not filled in.
    defaults: Mapping[str, Any]
    layout: str = "wide"
    #: The number of players that have columns; by default the most of any row.
    max_players: int | None = None
    #: Decimals to round to; None keeps all.
    digits: int | None = None
    #: Names of columns to write; None writes all.
    columns: str | None = None
    #: The folder for results by combo.
    by_combo: Path | None = None
    #: The folder for pictures, and their ending.
    plots: Path | None = None
    plot_format: str = ".png"
    #: The number of a shard, and the number of shards.
    shard: tuple[int, int] | None = None
    resume: bool = False
    #: Whether to answer failed rows again.
    retry: bool = False
    force: bool = False
    strict: bool = False


@dataclass
class Outcome:
    """The outcome of a run."""

    #: The number of rows in the output, or in this shard of it.
    rows: int
    state: State = field(default_factory=State)
    #: Whether the run was complete already.
    was_complete: bool = False
    #: Whether ``--strict`` found invalid rows before anything was computed.
    is_refused: bool = False


#: Called with the numbers of rows done, of failed rows, and of all rows.
Report = Callable[[int, int, int], None]
Output = FileOutput | StreamOutput
#: Opens a pool.
Pools = Callable[[], AbstractContextManager[Pool]]


def run(spots: Spots, request: Request, pool: Pools, report: Report | None = None) -> Outcome:
    """Answer all rows of an input, and write the answers.

    ``pool`` is opened if there is any work; ``report`` is called every now and then.

    Raises ``BatchError`` if the batch cannot be run as requested; ``OutputError`` if the output
    cannot be written, or the pool is gone.
    """
    _check(request)
    doing = _Run(spots, request, report)
    table = FORMATS[request.format](doing.job.columns)
    head = _head(spots, request, doing.survey, doing.job)
    output: Output
    if is_stream(request.output):
        output = StreamOutput(request.output, table)
    else:
        how = {"resume": request.resume, "retry": request.retry, "force": request.force}
        output = FileOutput(request.output, table, head, spots.inputs, **how)
    with closing(output):
        return doing.run(output, pool)


def _check(request: Request) -> None:
    """Raise an error for options that exclude each other."""
    table = FORMATS[request.format](())
    table.check()
    asked = {"--resume": request.resume, "--retry-failed": request.retry}
    for name, value in asked.items():
        if value and request.force:
            raise BatchError(f"{name} continues a run, --force starts over", hint="use one of them")
    if is_stream(request.output):
        asked["--shard"] = request.shard is not None
        asked[request.format.removeprefix(formats.MATRIX).capitalize()] = table.is_binary
        for name, value in asked.items():
            if value:
                raise BatchError(f"{name} needs a file to write to", place="output")
    elif not Path(request.output).absolute().parent.is_dir():
        raise BatchError(f"there is no folder for {ascii_text(request.output)}", place="output")


def shard_rows(rows: int, shard: tuple[int, int] | None) -> range:
    """The rows of a shard; the sizes of shards differ by one at most."""
    number, parts = shard or (1, 1)
    return range(rows * (number - 1) // parts, rows * number // parts)


def _job(request: Request, survey: Survey) -> Job:
    players = request.max_players or survey.players
    views = survey.views or {view_of({}, request.defaults)}
    if request.plots is not None and not any(VIEWS[view].has_picture for view in views):
        raise BatchError(
            f"{' and '.join(sorted(views))} cannot be drawn",
            place="plots",
            hint="choose a view that has one, such as --view streets",
        )
    for name in ASKED:
        unasked = request.defaults.get(name) is not None and name != "view"
        if unasked and not any(name in VIEWS[view].takes for view in views):
            raise BatchError("no spot has a view that uses it", place=name, hint="leave it out")
    names = renamed((column.name for column in survey.carried if column.name != "id"), views)
    carried = [
        column._replace(name=names.get(column.name, column.name)) for column in survey.carried
    ]
    is_matrix = request.layout == MATRIX
    columns = columns_of(
        carried,
        WIDE if is_matrix else request.layout,
        players,
        views=views,
        flops=bool(survey.flops),
        by_combo=request.by_combo is not None,
        plots=request.plots is not None,
    )
    return Job(
        defaults=request.defaults,
        columns=tuple(
            cell_columns(carried[1:], columns, request.columns)
            if is_matrix
            else selected(columns, request.columns)
        ),
        layout=WIDE if is_matrix else request.layout,
        format=request.format,
        players=request.max_players,
        digits=request.digits,
        by_combo=request.by_combo is not None,
        plots=request.plot_format if request.plots is not None else "",
        carried={name: new for name, new in names.items() if name != new},
    )


def _head(spots: Spots, request: Request, survey: Survey, job: Job) -> dict[str, Any]:
    """The fingerprint of a run, which it shares with a run that it resumes."""
    given = request.defaults.get("ordering")
    named = frozenset() if request.defaults.get("no_files") else survey.orderings
    orderings = named | ({given} if isinstance(given, str) else set())
    # The user's own orderings are files, which may change.
    files = sorted(filter(os.path.isfile, orderings))
    facts = {
        "equity": __version__,
        **spots.identity,
        "the ordering": {name: spots.inputs.watch(name) for name in files},
        "--layout": request.layout,
        "--by-combo": request.by_combo and str(request.by_combo),
        "--plot-dir": request.plots and f"{request.plots} {request.plot_format}",
        "--max-players": request.max_players,
        "--digits": request.digits,
        "shard": request.shard,
        "format": request.format,
        "columns": [list(column) for column in job.columns],
        "rows": survey.rows,
        "flops": survey.flops,
        # A permission changes no result.
        "options": {name: value for name, value in request.defaults.items() if name != "yes"},
    }
    # As it is read back from the journal.
    head: dict[str, Any] = json.loads(json.dumps(facts))
    return head


class _Run:
    """A run in progress."""

    def __init__(self, spots: Spots, request: Request, report: Report | None) -> None:
        self.spots = spots
        self.request = request
        self.survey = spots.survey()
        self.job = replace(_job(request, self.survey), place=spots.place)
        self.part = shard_rows(self.survey.rows, request.shard)
        #: The number of rows in the current stage.
        self.rows = len(self.part)
        folders = (
            (request.by_combo, ".csv", "by combo", "combos"),
            (request.plots, request.plot_format, "plots", "picture"),
        )
        self.folders = [Folder(path, *more) for path, *more in folders if path is not None]
        self.report = report
        #: Match-ups with new sums since the last checkpoint.
        self.changed: set[str] = set()
        #: Whether the output and the state agree.
        self.is_whole = True
        self.checked = self.reported = monotonic()

    def run(self, output: Output, pool: Pools) -> Outcome:
        """Run the remaining stages."""
        self.output = output
        wanted = RETRY if self.request.retry else AGAIN
        # Rows that fail from now on wait for the next run.
        is_retried = output.to_retry(wanted)
        is_complete = output.state.stage == DONE and not is_retried
        is_refused = False
        has_rows = output.state.stage == ROWS and output.state.rows < self.rows
        is_checked = self.request.strict and self.rows > 0 and not is_complete
        if has_rows or is_retried or is_checked:
            with self.working(pool) as workers:
                is_refused = is_checked and self._is_wrong(workers)
                if not is_refused:
                    self._begin()
                    if output.state.stage == ROWS:
                        self._answer(self.part[output.state.rows :], workers)
                    self._retry(wanted if is_retried else "", workers)
        else:
            self._begin()
            if output.state.stage == ROWS:
                self._finish()
        totals = len(self.survey.flops) if self.request.shard is None else 0
        return Outcome(len(self.part) + totals, self.state, is_complete, is_refused)

    def _is_wrong(self, workers: Pool) -> bool:
        """Check all rows without computing anything; return whether one is invalid."""
        self.state = State()
        job = replace(self.job, check=True)
        with closing(self.spots.rows()) as rows:
            some = islice(rows, self.part.start, self.part.stop)
            with closing(answers(job, some, workers)) as all_found:
                for found in all_found:
                    if found is not None:
                        self.state.add(found[1].state)
                    self._report()
        return self.state.failed > 0

    def _begin(self) -> None:
        """Open folders and output; comes last, so that earlier errors leave files untouched."""
        for folder in self.folders:
            is_ours = self.request.force or not self.output.is_new
            folder.prepare(self.part, self.spots.inputs, self.request.output, is_ours=is_ours)
        self.output.begin()
        self.state = self.output.state

    def _retry(self, wanted: str, workers: Pool) -> None:
        """Answer failed rows again, after completing a retry that is under way."""
        while wanted and isinstance(self.output, FileOutput) and self.output.to_retry(wanted):
            numbers = self.output.begin_retry(wanted)
            self.state = self.output.state
            self.rows = len(numbers)
            is_last = self.state.stage in (wanted, RETRY)
            self.job = replace(self.job, is_retry=True)
            self._answer(numbers[self.state.rows :], workers)
            if is_last:
                return

    @contextmanager
    def working(self, pool: Pools) -> Iterator[Pool]:
        """Open the pool; turn its errors into an :class:`OutputError`."""
        with pool() as workers:
            try:
                yield workers
            except workers.broken as error:
                raise OutputError(
                    one_line(f"the workers failed: {str(error) or 'the cluster is gone'}"),
                    hint="continue with --resume",
                ) from None

    def _answer(self, numbers: Sequence[int], workers: Pool) -> None:
        """Answer rows, then complete the stage."""
        try:
            with (
                closing(self.spots.rows()) as rows,
                closing(answers(self.job, _picked(rows, numbers), workers, self._tick)) as some,
            ):
                for found in some:
                    if found is not None:
                        self._record(*found)
                    self._tick()
        except BaseException as error:
            if self.is_whole and isinstance(error, (KeyboardInterrupt, *workers.broken)):
                self._checkpoint()
            raise
        self._report(at_once=True)
        self._finish()

    def _finish(self) -> None:
        """Complete the output, if the input has not changed."""
        self.spots.inputs.check(thoroughly=True)
        if self.state.rows != self.rows:
            raise OutputError(f"the input had {self.rows:,} rows, and now has {self.state.rows:,}")
        totals: tuple[str, list[str]] = "", []
        if self.request.shard is None and self.survey.flops:
            matchups = zip(self.spots.matchups(), self.survey.flops, strict=True)
            totals = total_rows(self.job, self.state.sums, matchups)
        self.output.finish(*totals)

    def _record(self, rows: Sequence[Row], block: Block) -> None:
        """Write a block, and count it."""
        for folder in self.folders:
            for row, content in zip(rows, block.files[folder.field], strict=True):
                folder.write(row.number, content)
        self.is_whole = False
        self.output.write(block.text.encode())
        self.output.note_failed(block.failed)
        self.state.add(block.state)
        self.changed.update(block.state.sums)
        self.is_whole = True

    def _tick(self) -> None:
        """Make a checkpoint and report the progress, if it is time."""
        if monotonic() >= self.checked + CHECKPOINT_EVERY:
            self._checkpoint()
            self.checked = monotonic()
        self._report()

    def _checkpoint(self) -> None:
        # Answers to a changed input must not become safe.
        self.spots.inputs.check()
        self.output.checkpoint({name: self.state.sums[name] for name in self.changed})
        self.changed.clear()

    def _report(self, *, at_once: bool = False) -> None:
        now = monotonic()
        if self.report and (at_once or now >= self.reported + REPORT_EVERY):
            self.reported = now
            self.report(self.state.rows, self.state.failed, self.rows)


def _picked(rows: Iterable[Row], numbers: Sequence[int]) -> Iterator[Row]:
    """Select rows by their numbers, which ascend."""
    if isinstance(numbers, range):
        for row in islice(rows, numbers.start, numbers.stop):
            yield row if row.twin is None else _paired(row, row.twin, numbers)
        return
    wanted = iter(numbers)
    number = next(wanted, None)
    for row in rows:
        if row.number == number:
            yield row if row.twin is None else _paired(row, row.twin, numbers)
            number = next(wanted, None)
        if number is None:
            return


def _paired(row: Row, twin: Row, numbers: Sequence[int]) -> Row:
    """The row, with its twin only if that is selected as well."""
    at = bisect_left(numbers, twin.number)
    return row if at < len(numbers) and numbers[at] == twin.number else row._replace(twin=None)
