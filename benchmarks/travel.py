"""How far a question travels through the package: functions, files, and moves between files.

A move is a call of a function in another file of the package than the call before it, so
going back and forth between two files counts each time.  Run it by itself::

    python benchmarks/travel.py

It prints five rows.  The first two questions from Python have been asked before.  The third
comes after one of other ranges, so its text is parsed.  Of these the calls of the thread that
asks count.  The last two are commands in processes of their own, from the import of the package
to the last line printed; all threads count, module bodies and comprehensions do not.  The batch
has one row and one worker.  With ``--trace`` every move is printed too.
"""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import tempfile
import threading
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import NamedTuple

BOARD = "Kh8h4c"
RANGES = ["AA:xxyz", "KQJ9"]
OTHERS = ["KK:xxyz", "QJT8"]
HANDS = ["AsAhKdQd", "9c8c7d6d"]
COMMAND = ("odds", "AA:xxyy", "KQJT", "-b", "Kh9h4c")
TABLE = "players,board\nAA:xxyy|KQJT,Kh9h4c\n"


class Travel(NamedTuple):
    """What a question called: how many functions in how many files, and the moves."""

    functions: int
    files: int
    moves: int


class Counter:
    """Counts the calls in files below a folder while it is entered.

    ``cold`` counts those of new threads too, but no module bodies and comprehensions.
    """

    def __init__(self, package: Path, *, cold: bool) -> None:
        self.package = f"{package}{os.sep}"
        self.cold = cold
        #: The file and function of each call, in order.
        self.calls: list[tuple[str, str]] = []

    def _profile(self, frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(self.package):
            return
        if not (self.cold and code.co_name.startswith("<")):
            file = code.co_filename.removeprefix(self.package)
            self.calls.append((file, f"{code.co_qualname}:{code.co_firstlineno}"))

    def __enter__(self) -> Counter:
        if self.cold:
            threading.setprofile(self._profile)
        sys.setprofile(self._profile)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def travel(self) -> Travel:
        """The figures of the calls so far."""
        files = [file for file, _ in self.calls]
        moves = sum(one != other for one, other in pairwise(files))
        return Travel(len(set(self.calls)), len(set(files)), moves)

    def trace(self) -> str:
        """The functions called in each file, a line for each move."""
        lines: list[str] = []
        last = ""
        for file, function in self.calls:
            name = function.partition(":")[0]
            if file != last:
                lines.append(f"{len(lines):4} {file}:")
            if not lines[-1].endswith(f" {name}"):
                lines[-1] += f" {name}"
            last = file
        return "\n".join(lines)


def from_python(players: list[str], before: list[str]) -> Counter:
    """A call of :func:`equity.odds` after another one."""
    import equity

    equity.odds(before, board=BOARD)
    with Counter(Path(equity.__file__).parent, cold=False) as counter:
        equity.odds(players, board=BOARD)
    return counter


def from_shell(*arguments: str) -> Counter:
    """A command in a process of its own."""
    child = [sys.executable, __file__, "--child", *arguments]
    printed = subprocess.run(child, check=True, capture_output=True, text=True).stdout
    counter = Counter(Path(), cold=True)
    for line in printed.splitlines():
        file, _, function = line.partition("\t")
        counter.calls.append((file, function))
    return counter


def batch_row() -> Counter:
    """A batch of one row."""
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder, "spots.csv")
        table.write_text(TABLE)
        return from_shell("batch", str(table), "-o", f"{table}.out.csv", "-q", "--jobs", "1")


def _child(arguments: list[str]) -> None:
    """Run a command and print its calls; nothing of the package is imported yet."""
    from importlib.util import find_spec

    found = find_spec("equity")
    if found is None or found.origin is None:
        raise SystemExit("equity is not installed")
    sys.argv = ["equity", *arguments]
    silent = contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO()))
    counter = Counter(Path(found.origin).parent, cold=True)
    with silent, contextlib.suppress(SystemExit), counter:
        from equity.cli import main

        main()
    print(*(f"{file}\t{name}" for file, name in counter.calls), sep="\n")


def main() -> None:
    """Print the table, or the trace of every question."""
    new = from_python(RANGES, OTHERS)
    rows = {
        "ranges from Python, warm": from_python(RANGES, RANGES),
        "known hands from Python, warm": from_python(HANDS, HANDS),
        "new ranges from Python, warm": new,
        "ranges from the shell, cold": from_shell(*COMMAND),
        "a row of a batch, cold": batch_row(),
    }
    print(f"{'question':32}{'functions':>10}{'files':>8}{'moves':>8}")
    for name, counter in rows.items():
        functions, files, moves = counter.travel()
        print(f"{name:32}{functions:10}{files:8}{moves:8}")
    if "--trace" in sys.argv:
        for name, counter in rows.items():
            print(f"\n{name}\n{counter.trace()}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        _child(sys.argv[2:])
    else:
        main()
