"""Ctrl-C into every command at random moments; by hand, ``python tests/interrupts.py``.

Each command is started again and again, told to stop once or three times after a random
while, and must end with code 130, one line at most beside its notices, and no traceback.
Arguments are how many times each command is stopped, and words that the commands have::

    python tests/interrupts.py 20 odds next
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

#: The beginning of Python itself, in which no program has a say yet; seconds.
BEFORE = 0.15
#: Commands that take several seconds, or as long as their input lasts.
COMMANDS = {
    "walk of sets": "odds AA KK QQ --exact --yes",
    "weighted sets": "odds AA@50,KK KK QQ@20,JJ -b Th7h2c --exact --yes",
    "pairs": "odds AA KK --exact",
    "weighted pairs": "odds AA@50,KQJT KK@33 --exact -b Th",
    "sweep": "odds 30% * --exact -b Th7h2c",
    "weighted sweep": "odds 60%@99.999,90%@33.333 95%@88.888 --exact -b Th7h",
    "pairs in a low game": "odds -g o8 AA KK --exact",
    "sweep of six cards": "odds -g plo6 10% 20% --exact -b Th7h2c",
    "sample": "odds AA KK QQ --error 1e-9",
    "sample of six cards": "odds -g plo6 AA 20% * --error 1e-9",
    "one thread": "odds AA KK --exact --threads 1",
    "money": "odds AA KK QQ --stacks 100,60,40 --error 1e-9",
    "next": "next 40% * -b Th7h2c --exact",
    "next two": "next AA KK --two -b Th7h2c --exact",
    "streets": "streets 30% * -b Th7h2cJd3s --exact",
    "graph": "graph 30% * -b Th7h2c --exact",
    "graph over flops": "graph AA KK --over flops --exact --yes",
    "blockers": "blockers AhAsKhKs 60% -b Th7h2c --exact",
    "range": "range -g plo6 * --classes",
    "list": "range -g plo6 * --list",
    "percent": "range -g plo6 20% --texture -b Th7h2c",
    "rank": "rank -g plo6 AsAhKsKhQsQh",
    "ordering": "data ordering -g plo6 ring -o {folder}",
    "batch": "batch {folder}/spots.csv -o {folder}/{name}.csv --jobs 2",
    "batch here": "batch {folder}/spots.csv -o {folder}/{name}.csv --jobs 1",
    "large row": "batch {folder}/large.csv -o {folder}/{name}.csv --jobs 2",
    "cross product": "batch --players AA|KK --players QQ|JJ --boards flops "
    "-o {folder}/{name}.csv --jobs 2",
    "cache": "cache warm",
}
#: Kernels are compiled in a cache of their own.
COMPILING = ("cache",)


class Stopped(NamedTuple):
    """What became of a command that was told to stop."""

    code: int
    stdout: str
    stderr: str
    #: Seconds from the first Ctrl-C to the end.
    seconds: float


def make_inputs(folder: Path) -> None:
    """The tables that the batches read."""
    rows = "".join(f"{n},AA,KK:xxyy,{board}\n" for n in range(40) for board in ("Th7h2c", "Kd9c4s"))
    (folder / "spots.csv").write_text(f"n,player1,player2,board\n{rows}")
    (folder / "large.csv").write_text("player1,player2,exact\nAA,KK,true\n")


def stop(equity: Sequence[str], name: str, folder: Path, waits: Sequence[float]) -> Stopped:
    """Start a command, and press Ctrl-C after each of some waits."""
    number = random.getrandbits(64)
    words = COMMANDS[name].format(folder=folder, name=f"r{number}").split()
    environment = dict(os.environ)
    if name in COMPILING:
        environment["EQUITY_CACHE_DIR"] = str(folder / f"cache{number}")
    out = (folder / f"{number}.out").open("w+")
    err = (folder / f"{number}.err").open("w+")
    with out, err:
        process = subprocess.Popen([*equity, *words], stdout=out, stderr=err, env=environment)
        time.sleep(waits[0])
        pressed = time.monotonic()
        process.send_signal(signal.SIGINT)
        for wait in waits[1:]:
            time.sleep(wait)
            process.send_signal(signal.SIGINT)
        try:
            code = process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            code = process.wait()
        seconds = time.monotonic() - pressed
        out.seek(0)
        err.seek(0)
        stdout, stderr = out.read(), err.read()
    for path in (out.name, err.name):
        os.unlink(path)
    return Stopped(code, stdout, stderr, seconds)


def fault(stopped: Stopped, most: float) -> str:
    """What is wrong with the end of a command; nothing if it was as it should be."""
    if "Traceback" in stopped.stderr or "Exception ignored" in stopped.stderr:
        return "a traceback"
    if stopped.code == 0:
        return ""  # it was done before
    if stopped.code != 130:
        return f"code {stopped.code}"
    if stopped.stderr.count("interrupted") > 1:
        return "several lines"
    if "exact, " in stopped.stdout:
        return "a part without PARTIAL"
    return "" if stopped.seconds < most else f"{stopped.seconds:.2f} s"


def attack(times: int, names: Sequence[str]) -> Iterator[tuple[str, list[Stopped], list[str]]]:
    """Stop each command so many times; what became of it, and what was wrong."""
    equity = [str(Path(sys.executable).parent / "equity")]
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        make_inputs(folder)
        for name in names:
            ends, faults = [], []
            for at in range(times):
                after = BEFORE + random.random() ** 2 * 5
                waits = [after, *[random.random() / 5] * 2 * (at % 2)]
                ends.append(stop(equity, name, folder, waits))
                if wrong := fault(ends[-1], 1.0):
                    faults.append(f"{len(waits)} after {after:.2f} s: {wrong}\n{ends[-1].stderr}")
            yield name, ends, faults


def main() -> int:
    """Run the attack; 1 if something was wrong."""
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    words = sys.argv[2:]
    names = [name for name, text in COMMANDS.items() if not words or {*words} & {*text.split()}]
    failed = 0
    for name, ends, faults in attack(times, names):
        seconds = sorted(end.seconds for end in ends if end.code == 130)
        middle, most = (seconds[len(seconds) // 2], seconds[-1]) if seconds else (0, 0)
        times_taken = f"{middle:.2f} s in the middle, {most:.2f} at most"
        print(f"{name:<22}{len(seconds):>4} stopped, {times_taken}")
        print("".join(f"    {line}\n" for text in faults for line in text.splitlines()), end="")
        sys.stdout.flush()
        failed += len(faults)
    print(f"{failed} faults")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
