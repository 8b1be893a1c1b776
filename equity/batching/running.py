"""A run: all rows of an input, or a part of them, to an output."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import Any

from equity.batching.answering import Job, one_line
from equity.batching.asking import view_of
from equity.batching.columns import ASKED, selected
from equity.batching.errors import BatchError, OutputError
from equity.batching.folders import Folder
from equity.batching.heads import file_digests, make_head
from equity.batching.journal import State
from equity.batching.layouts import columns_of, renamed
from equity.batching.output import FileOutput, StreamOutput, find_output, is_stream
from equity.batching.rows import Answered, Row, Spots, Survey
from equity.batching.stream import Answers, Pool, answers
from equity.batching.summing import Sums, total_rows
from equity.batching.views import VIEWS
from equity.batching.writing import FORMATS, check_parquet
from equity.cards import ascii_text

__all__ = ["Outcome", "Request", "run"]

#: Seconds between two checkpoints.
CHECKPOINT_EVERY = 0.5
#: Seconds after which rows are written, and how many do not wait for that.
WRITE_EVERY = 0.1
WRITE_ROWS = 256
#: Seconds between two reports.
SAY_EVERY = 0.1


@dataclass(frozen=True)
class Request:
    """What is to be done with the rows of an input."""

    #: A path, or ``-`` for standard output.
    output: str
    #: A name of :data:`equity.batching.writing.FORMATS`.
    format: str
    #: What columns that are not filled in are.
    defaults: Mapping[str, Any]
    layout: str = "wide"
    #: So many players have columns; as many as a row has if not given.
    players: int | None = None
    #: Names of columns, all if not given.
    columns: str | None = None
    #: The folder for results by combo.
    by_combo: Path | None = None
    #: The folder for pictures, and their ending.
    plots: Path | None = None
    plot_format: str = ".png"
    #: The number of a part, and of all parts.
    shard: tuple[int, int] | None = None
    resume: bool = False
    force: bool = False
    strict: bool = False


@dataclass
class Outcome:
    """What became of a run."""

    #: Rows of the output, those of this part of it if it is one.
    rows: int
    state: State = field(default_factory=State)
    #: Whether there was nothing to be done, since it was complete.
    was_complete: bool = False
    #: Whether rows were found wrong before anything was computed.
    is_refused: bool = False


#: Told how many rows are done, have failed, and how many there are.
Report = Callable[[int, int, int], None]
Output = FileOutput | StreamOutput
#: Opens what does the work.
Pools = Callable[[], AbstractContextManager[Pool]]


def run(
    spots: Spots,
    request: Request,
    pool: Pools,
    report: Report | None = None,
) -> Outcome:
    """Answer all rows of an input and write what becomes of them.

    Parameters
    ----------
    spots:
        The input.
    request:
        What is asked for.
    pool:
        Opens what does the work, if there is some.
    report:
        Called now and then.

    Raises
    ------
    BatchError
        It cannot be done as asked.
    OutputError
        The output cannot be written, or what does the work has gone.
    """
    _check(request)
    doing = _Run(spots, request, report)
    rows = len(doing.part)
    opening = find_output(
        request.output,
        request.format,
        doing.job.columns,
        _head(spots, request, doing.survey, doing.job),
        resume=request.resume,
        force=request.force,
    )
    if opening is None:
        return Outcome(rows, was_complete=True)
    output = None
    try:
        if opening.rows < rows or (request.strict and rows):
            with doing.working(pool) as workers:
                if request.strict and doing.check(workers).failed:
                    return Outcome(rows, doing.state, is_refused=True)
                for folder in doing.folders:
                    is_ours = request.force or request.resume
                    folder.prepare(doing.part, opening.rows, is_ours=is_ours)
                # Last, so that nothing is touched if something is wrong before.
                output = opening.open()
                doing.answer(output, workers)
        output = output or opening.open()
        doing.finish(output)
    finally:
        if output is not None:
            output.close()
    totals = len(doing.survey.flops) if request.shard is None else 0
    return Outcome(rows + totals, output.state)


def _check(request: Request) -> None:
    """Raise an error for what cannot go together."""
    if FORMATS[request.format].at_end:
        check_parquet()
    if request.resume and request.force:
        raise BatchError("--resume goes on and --force begins again", hint="ask for one of them")
    if is_stream(request.output):
        asked = {"--resume": request.resume, "--shard": request.shard}
        for name, value in asked.items():
            if value:
                raise BatchError(f"{name} needs a file to write to", place="output")
        if FORMATS[request.format].at_end:
            raise BatchError("Parquet needs a file to write to", place="output")
    elif not Path(request.output).absolute().parent.is_dir():
        raise BatchError(f"there is no folder for {ascii_text(request.output)}", place="output")


def _part(rows: int, shard: tuple[int, int] | None) -> range:
    """The rows of a part: as many as in any other, or one more."""
    number, parts = shard or (1, 1)
    return range(rows * (number - 1) // parts, rows * number // parts)


def _job(request: Request, survey: Survey) -> Job:
    players = request.players or survey.players
    views = survey.views or {view_of({}, request.defaults)}
    if request.plots is not None and not any(VIEWS[view].has_picture for view in views):
        raise BatchError(
            f"there is no picture of {' or '.join(sorted(views))}",
            place="plots",
            hint="ask for a view, --view streets say",
        )
    for name in ASKED:
        unasked = request.defaults.get(name) is not None and name != "view"
        if unasked and not any(name in VIEWS[view].takes for view in views):
            raise BatchError("no spot asks for what it goes with", place=name, hint="leave it out")
    names = renamed((column.name for column in survey.carried if column.name != "id"), views)
    columns = columns_of(
        [column._replace(name=names.get(column.name, column.name)) for column in survey.carried],
        request.layout,
        players,
        views=views,
        flops=bool(survey.flops),
        by_combo=request.by_combo is not None,
        plots=request.plots is not None,
    )
    return Job(
        defaults=request.defaults,
        columns=tuple(selected(columns, request.columns)),
        layout=request.layout,
        format=FORMATS[request.format].lines,
        players=request.players,
        by_combo=request.by_combo is not None,
        plots=request.plot_format if request.plots is not None else "",
        carried={name: new for name, new in names.items() if name != new},
    )


def _head(spots: Spots, request: Request, survey: Survey, job: Job) -> dict[str, Any]:
    """What a run must share with one that it goes on with."""
    given = request.defaults.get("ordering")
    named = frozenset() if request.defaults.get("no_files") else survey.orderings
    orderings = named | ({given} if isinstance(given, str) else set())
    facts = {
        **spots.identity,
        # Those of one's own are files, which may change.
        "the ordering": file_digests(set(orderings)),
        "--layout": request.layout,
        "--by-combo": request.by_combo and str(request.by_combo),
        "--plot-dir": request.plots and f"{request.plots} {request.plot_format}",
        "--max-players": request.players,
        "shard": request.shard,
        "format": request.format,
        "columns": [list(column) for column in job.columns],
        "rows": survey.rows,
        "flops": survey.flops,
    }
    return make_head(facts, request.defaults)


class _Run:
    """The rows of a part, on their way to the output."""

    def __init__(self, spots: Spots, request: Request, report: Report | None) -> None:
        self.spots = spots
        self.request = request
        self.survey = spots.survey()
        self.job = _job(request, self.survey)
        self.part = _part(self.survey.rows, request.shard)
        self.folders = _folders(request)
        self.report = report
        self.state = State()
        self.sums = Sums({})
        self.waiting: list[str] = []
        self.written = self.checked = self.said = monotonic()

    def check(self, workers: Pool) -> State:
        """Check all rows, and compute nothing."""
        job = replace(self.job, check=True)
        with closing(self.spots.rows()) as rows:
            some = islice(rows, self.part.start, self.part.stop)
            with closing(answers(job, some, workers)) as all_found:
                for found in all_found:
                    if found is not None:
                        self._count(*found)
                    self._say()
        return self.state

    def answer(self, output: Output, workers: Pool) -> None:
        """Answer all rows that remain."""
        self._open(output)
        try:
            self._answer(workers)
        except BaseException as error:
            if isinstance(error, (KeyboardInterrupt, *workers.broken)):
                self._checkpoint()
            raise
        self._say(at_once=True)

    def finish(self, output: Output) -> None:
        """Do what is to be done behind the last row."""
        self._open(output)
        if not self.state.is_done:
            if self.request.shard is None and self.survey.flops:
                self._total()
            self.state.is_done = True
            self._checkpoint()
        output.finish(keep_journal=self.request.shard is not None)

    def _open(self, output: Output) -> None:
        if self.state is not output.state:
            self.output = output
            self.state = output.state
            self.sums = Sums(self.state.sums)

    @contextmanager
    def working(self, pool: Pools) -> Iterator[Pool]:
        """A pool; where it breaks, an error that says so."""
        with pool() as workers:
            try:
                yield workers
            except workers.broken as error:
                raise OutputError(
                    one_line(f"the work cannot go on: {str(error) or 'the cluster has gone'}"),
                    hint="--resume goes on from what is done",
                ) from None

    def _answer(self, workers: Pool) -> None:
        first = self.part.start + self.state.rows
        with (
            closing(self.spots.rows()) as rows,
            closing(self._answers(islice(rows, first, self.part.stop), workers)) as some,
        ):
            for found in some:
                if found is not None:
                    self._take(*found)
                self._tick()

    def _answers(self, rows: Iterator[Row], workers: Pool) -> Answers:
        return answers(self.job, rows, workers, self._tick)

    def _tick(self) -> None:
        """Write what there is, and say how far it has come, if that is due."""
        self._write_if_due()
        self._say()

    def _take(self, row: Row, answered: Answered) -> None:
        self._count(row, answered)
        if self.request.by_combo is not None and not answered.problem:
            self.state.no_combos += not answered.combos
        for folder in self.folders:
            folder.write(row.number, answered)
        if answered.counts is not None:
            self.sums.add(answered.counts)
        self.waiting.append(answered.output)

    def _count(self, row: Row, answered: Answered) -> None:
        self.state.rows += 1
        if answered.problem:
            self.state.note_failure(f"{self.spots.place} {row.line}", answered.problem)

    def _write_if_due(self) -> None:
        now = monotonic()
        if now >= self.written + WRITE_EVERY or len(self.waiting) >= WRITE_ROWS:
            self._write()
            self.written = now
            if now >= self.checked + CHECKPOINT_EVERY:
                self._checkpoint()
                self.checked = now

    def _write(self) -> None:
        if self.waiting:
            self.output.write("".join(self.waiting).encode())
            self.waiting.clear()

    def _checkpoint(self) -> None:
        self._write()
        self.output.checkpoint(self.sums.changed())

    def _total(self) -> None:
        """Write a row for each match-up over all its flops."""
        matchups = zip(self.spots.matchups(), self.survey.flops, strict=True)
        text, problems = total_rows(self.job, self.sums.known, matchups)
        for problem in problems:
            self.state.note_failure("all flops", problem)
        self.waiting.append(text)

    def _say(self, *, at_once: bool = False) -> None:
        now = monotonic()
        if self.report and (at_once or now >= self.said + SAY_EVERY):
            self.said = now
            self.report(self.state.rows, self.state.failed, len(self.part))


def _folders(request: Request) -> list[Folder]:
    """The folders that are asked for."""
    found = []
    if request.by_combo is not None:
        found.append(Folder(request.by_combo, ".csv", "by combo", lambda a: a.combos.encode()))
    if request.plots is not None:
        found.append(Folder(request.plots, request.plot_format, "plots", lambda a: a.picture))
    return found
