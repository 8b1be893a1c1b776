"""An attack on batches: kills, damaged files, and runs that begin at once.

``python tests/batch_attack.py --minutes 5`` is the long form; the suite runs the same
for some seconds.  Whatever happens, a command either ends with the right bytes, or with
one line that says what is wrong, and then it has changed nothing.
"""

from __future__ import annotations

import argparse
import os
import pickle
import random
import shutil
import signal
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from unittest import mock

from batch_faults import every_row
from batch_tools import Called, call, spots, write_csv

from equity.batching import worker

ROWS = 40
#: What is asked, and the ending of the results.
KINDS: dict[str, tuple[str, list[str]]] = {
    "csv": ("csv", []),
    "long": ("jsonl", ["--layout", "long"]),
    "parquet": ("parquet", []),
    "a part": ("csv", ["--shard", "2/3"]),
}


class Attack:
    """A folder with an input, and what each kind of run makes of it."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.chance = random.Random(seed)
        self.counts: Counter[str] = Counter()
        os.chdir(folder)
        write_csv(Path("s.csv"), list(spots(ROWS)))
        self.whole = {}
        for number, name in enumerate(KINDS):
            output = self._output(name, f"whole{number}")
            self._run(name, output)
            self.whole[name] = (output.read_bytes(), journal_of(output).read_bytes())

    def _output(self, name: str, stem: str) -> Path:
        return self.folder / f"{stem}.{KINDS[name][0]}"

    def _run(self, name: str, output: Path, *more: str) -> Called:
        with (
            every_row(),
        ):
            source = self.folder / "s.csv"
            return call("batch", source, "-o", output, "--jobs", "1", *KINDS[name][1], *more)

    def _check(self, name: str, output: Path) -> None:
        """See that results are right, and nothing is left beside them."""
        assert (output.read_bytes(), journal_of(output).read_bytes()) == self.whole[name], output
        left = {path.name for path in output.parent.iterdir()}
        assert left == {output.name, journal_of(output).name}, left

    @contextmanager
    def _empty(self) -> Iterator[Path]:
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        yield folder
        shutil.rmtree(folder)

    def kills(self) -> None:
        """A run that is killed again and again; at first some rows fail, too."""
        name = self.chance.choice(list(KINDS))
        usual = 0.1 if name != "parquet" else 0.3
        with self._empty() as folder:
            output = folder / f"r.{KINDS[name][0]}"
            failing = self.chance.random() < 0.5
            for tries in range(self.chance.randint(1, 6)):
                trouble = failing and tries < 3
                pid = forked(lambda: self._run(name, output, "--resume"), self.folder, trouble)
                time.sleep(self.chance.uniform(0, usual))
                os.kill(pid, signal.SIGKILL)
                self.counts["kills"] += os.WIFSIGNALED(os.waitpid(pid, 0)[1])
            for _ in range(3):
                done = self._run(name, output, "--resume")
                assert done.code in (0, 1), done.stderr
            # The first completes a stage in which rows have failed, the next answers them.
            assert "unexpected" not in done.stderr, done.stderr
            self._check_retried(name, output)
        self.counts["killed runs"] += 1

    def _check_retried(self, name: str, output: Path) -> None:
        # Messages of rows that failed only for a while are forgotten, and others may be.
        output.with_name("kept").write_bytes(self.whole[name][1])
        output.with_name("kept").replace(journal_of(output))
        self._check(name, output)

    def damages(self) -> None:
        """A complete run, or one that was killed, of which a file is damaged."""
        name = self.chance.choice(list(KINDS))
        with self._empty() as folder:
            output = folder / f"r.{KINDS[name][0]}"
            if self.chance.random() < 0.5:
                pid = forked(lambda: self._run(name, output), self.folder)
                time.sleep(self.chance.uniform(0.02, 0.2))
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            else:
                self._run(name, output)
            files = list(folder.iterdir())
            if not files:
                return
            damaged = self.chance.choice(files)
            before = damaged.read_bytes()
            damaged.write_bytes(damage(before, self.chance))
            if self.chance.random() < 0.1:
                damaged.unlink()
            there = contents(folder)
            more = self.chance.choice([["--resume"], ["--retry-failed"], ["--resume", "--strict"]])
            if more == ["--resume", "--strict"] or name != "a part" or self.chance.random() < 0.5:
                done = self._run(name, output, *more)
            else:
                done = call("merge", output, "-o", folder / "merged.csv")
                assert done.code == 2, done
            assert done.code in (0, 1, 2), done
            assert "unexpected" not in done.stderr, done.stderr
            self.counts["damaged files"] += 1
            if done.code == 2:
                self.counts["damaged files refused"] += 1
                assert contents(folder) == there, done
            else:
                self._check(name, output)

    def races(self) -> None:
        """Runs that begin at the same moment."""
        name = self.chance.choice(["csv", "parquet", "a part"])
        begin = self.chance.choice([[], ["--force"], ["--resume"]])
        with self._empty() as folder:
            output = folder / f"r.{KINDS[name][0]}"
            start = time.monotonic() + 0.03
            pids = []
            for _ in range(self.chance.randint(2, 5)):
                wait = start + self.chance.uniform(0, 0.004)

                def run(wait: float = wait) -> Called:
                    time.sleep(max(0.0, wait - time.monotonic()))
                    return self._run(name, output, *begin)

                pids.append(forked(run, self.folder))
            for pid in pids:
                os.waitpid(pid, 0)
            results = [pickle.loads((self.folder / f"{pid}.result").read_bytes()) for pid in pids]
            lost = [
                done
                for done in results
                if "another run is writing" in done.stderr or "exists already" in done.stderr
            ]
            won = len(results) - len(lost)
            assert won >= 1, results
            if not begin:
                assert won == 1, results
            assert all(done.code in (0, 1) for done in results if done not in lost), results
            self._check(name, output)
        self.counts["races"] += 1
        self.counts["runs in races"] += len(pids)
        self.counts["runs that lost"] += len(lost)

    def go_on(self, seconds: float) -> None:
        """Attack for so long."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for attack in (self.kills, self.damages, self.races):
                attack()


def journal_of(output: Path) -> Path:
    return output.with_name(f"{output.name}.journal")


def contents(folder: Path) -> dict[str, bytes]:
    """What the files of a folder hold; an empty journal is none."""
    found = {path.name: path.read_bytes() for path in folder.iterdir()}
    return {name: data for name, data in found.items() if data or not name.endswith(".journal")}


def damage(data: bytes, chance: random.Random) -> bytes:
    """Bytes that have been cut, changed, doubled or put into another order."""
    lines = data.splitlines(keepends=True)
    at = chance.randrange(len(data) + 1)
    line = chance.randrange(len(lines) + 1)
    ways: list[Callable[[], bytes]] = [
        lambda: b"",
        lambda: data[:at],
        lambda: data[at:],
        lambda: data[:at] + bytes((chance.randrange(256),)) + data[at + 1 :],
        lambda: data[:at] + b"\0" * chance.randint(1, 9) + data[at:],
        lambda: data.replace(b"\n", b"\r\n"),
        lambda: data + data,
        lambda: b"".join(chance.sample(lines, len(lines))),
        lambda: b"".join(lines[:line] + lines[line + 1 :]),
        lambda: b"".join(lines[:line] + lines[line : line + 1] * 2 + lines[line + 1 :]),
    ]
    return chance.choice(ways)()


def forked(work: Callable[[], Called], folder: Path, trouble: bool = False) -> int:
    """A process that does some work, and leaves what came of it in a file; its number."""
    with warnings.catch_warnings():
        # The child does nothing with the threads that its parent may have.
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if pid:
        return pid
    with suppress(BaseException):
        if trouble:
            mock.patch.object(worker, "read_question", _fail).start()
        done = work()
        (folder / f"{os.getpid()}.result").write_bytes(pickle.dumps(done))
    os._exit(0)


def _fail(*_: object, **__: object) -> None:
    raise RuntimeError("kernel tally failed")


def main() -> None:
    """The long form."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        attack = Attack(Path(folder), asked.seed)
        try:
            attack.go_on(60 * asked.minutes)
        finally:
            for name, count in sorted(attack.counts.items()):
                sys.stdout.write(f"{count:7,} {name}\n")
            os.chdir("/")


if __name__ == "__main__":
    main()
